// Where results go: files of a folder, written together; JSON or text on standard output.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/options.hpp"
#include "slipset/io/result_folder.hpp"
#include "slipset/report/results.hpp"

namespace slipset::app {

class Output {
 public:
  // The folder is --out, else `otherwise`; with --json alone there are no files, and where `otherwise` is empty. `set`:
  // the command. Throws InvalidInput where the folder cannot be written, or SET.json or one of `names` is somebody
  // else's: made before the work is done.
  Output(const CommonOptions& options, const std::filesystem::path& otherwise, const std::string& set,
         std::vector<std::string> names = {});

  // The files that were read, as typed: the key "files" of the JSON. Throws InvalidInput if a JSON of this set, in a
  // folder that nobody asked for, is of other files: of two files with one name the second would replace the first.
  // What is no file on the disk, as a pipe, is not compared.
  void of_files(const std::vector<std::string>& files);

  const std::filesystem::path& folder() const { return path_; }  // empty: no files
  // Files first: if they cannot be written, nothing is printed that looks like success. Then JSON or text. Figures that
  // could not be drawn are told at the end. Returns the exit code: `code`, or 2 instead of 0 where a figure could not be
  // drawn though gnuplot is installed.
  [[nodiscard]] int write(const Results& given, int code = 0);

  // The parts of it. Files worth naming: not the scripts and data of figures.
  std::vector<std::filesystem::path> write_files(const Results& results);
  [[nodiscard]] int report_figures(int code) const;

 private:
  CommonOptions options_;
  std::string set_;
  std::vector<std::string> inputs_, names_;  // names of files that the command may write
  std::filesystem::path path_;
  std::optional<ResultFolder> files_;
  std::vector<std::string> missing_, failed_;  // pictures: without gnuplot, for other reasons
};

// out/NAME of an input file; of one inside out/ a folder of its name beside it.
std::filesystem::path folder_of(const std::filesystem::path& input);

}  // namespace slipset::app
