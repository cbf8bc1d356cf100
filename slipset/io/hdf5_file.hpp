// HDF5 files of columns and tables: datasets of one and two dimensions, in groups, with attributes.   docs/output.md
//   The same content gives the same bytes: no times are kept. HDF5's own error messages are never printed; errors are
//   InvalidInput.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace slipset {

// A row of a table where it lies in memory: every `stride`-th number from `first`. With a stride of 2 the real or the
// imaginary parts of complex numbers, which are then not copied.
template <class Number>
struct Hdf5RowOf {
  Number* first;
  std::size_t stride = 1;
};
using Hdf5Row = Hdf5RowOf<const double>;  // to be written
using Hdf5RowTarget = Hdf5RowOf<double>;  // to be read into

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
  void add_texts(const std::string& name, const std::vector<std::string>& texts);  // a dataset of strings of one length
  // Rows of so many numbers; not compressed, as what is stored in this way are mostly digits of rounding.
  void add_table(const std::string& name, std::size_t columns, const std::vector<Hdf5Row>& rows);
  // Attributes of a column or, with "/", of the file.
  void add_attribute(const std::string& of, const std::string& name, const std::string& text);
  void add_attribute(const std::string& of, const std::string& name, const std::vector<std::string>& texts);
  void add_attribute(const std::string& of, const std::string& name, double value);
  void add_attribute(const std::string& of, const std::string& name, const std::vector<double>& values);
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

  const std::string& name() const;  // of the file
  // Whether there is a group or column of this name, "fclib_local/W".
  bool has(const std::string& name) const;
  // Of any type of numbers.
  std::vector<double> column(const std::string& name) const;
  // A dataset of strings of one length.
  std::vector<std::string> text_column(const std::string& name) const;
  // Of two dimensions.
  struct TableSize {
    std::size_t rows, columns;
  };
  TableSize table_size(const std::string& name) const;
  // All rows, each to its place. Throws InvalidInput unless the table has so many, of so many numbers.
  void read_table(const std::string& name, std::size_t columns, const std::vector<Hdf5RowTarget>& rows) const;
  // Attributes.
  bool has_attribute(const std::string& of, const std::string& name) const;
  std::vector<std::string> texts(const std::string& of, const std::string& name) const;
  std::string text(const std::string& of, const std::string& name) const;
  double number(const std::string& of, const std::string& name) const;
  std::vector<double> numbers(const std::string& of, const std::string& name) const;

 private:
  struct File;
  std::unique_ptr<File> file_;
};

}  // namespace slipset
