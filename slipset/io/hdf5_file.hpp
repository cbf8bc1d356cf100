// HDF5 files of columns: one-dimensional datasets of doubles, in groups, with attributes.       docs/output.md
//   The same content gives the same bytes: no times are kept. HDF5's own error messages are never printed; errors are
//   InvalidInput.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace slipset {

// Built in memory, so that a full disk is met by write_file alone.
class Hdf5Writer {
 public:
  Hdf5Writer();
  ~Hdf5Writer();
  Hdf5Writer(const Hdf5Writer&) = delete;
  Hdf5Writer& operator=(const Hdf5Writer&) = delete;

  // "contact1/mode": groups are made as needed. Shuffled and deflated where that pays. Throws InvalidInput for a name
  // that is taken or empty.
  void add_column(const std::string& name, const std::vector<double>& values);
  void add_integers(const std::string& name, const std::vector<int>& values);
  void add_text(const std::string& name, const std::string& text);  // a dataset of one fixed-length string
  // Attributes of a column or, with "/", of the file.
  void add_attribute(const std::string& of, const std::string& name, const std::string& text);
  void add_attribute(const std::string& of, const std::string& name, const std::vector<std::string>& texts);
  void add_attribute(const std::string& of, const std::string& name, double value);
  // The content of the file; nothing can be added afterwards.
  std::string bytes();

 private:
  struct File;
  std::unique_ptr<File> file_;
};

// Throws InvalidInput, with the file's name, if it is not an HDF5 file or does not have what is asked for.
class Hdf5Reader {
 public:
  explicit Hdf5Reader(const std::filesystem::path& path);
  Hdf5Reader(const std::string& content, const std::string& name);
  ~Hdf5Reader();
  Hdf5Reader(const Hdf5Reader&) = delete;
  Hdf5Reader& operator=(const Hdf5Reader&) = delete;

  // Whether there is a group or column of this name, "fclib_local/W".
  bool has(const std::string& name) const;
  // Of any type of numbers.
  std::vector<double> column(const std::string& name) const;
  std::vector<std::string> texts(const std::string& of, const std::string& name) const;
  std::string text(const std::string& of, const std::string& name) const;
  double number(const std::string& of, const std::string& name) const;

 private:
  struct File;
  std::unique_ptr<File> file_;
};

}  // namespace slipset
