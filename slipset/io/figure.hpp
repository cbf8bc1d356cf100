// A figure by gnuplot: the script and the data stay beside the picture, for people to restyle.
//   DIR/NAME.gp (run it there: gnuplot NAME.gp), DIR/NAME-*.dat, DIR/NAME.png
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace slipset {

// A text as gnuplot reads it, in quotes.
std::string gnuplot_string(const std::string& text);

class Figure {
 public:
  // `name` of the files; size of the picture in pixels. The script begins with the style of all our figures: grid,
  // border, tics, key.
  Figure(std::string name, int width, int height);

  // Rows of numbers for the script, which finds them in the file that this returns.
  std::string add_data(const std::string& what, const std::vector<std::vector<double>>& rows);
  const std::string& name() const { return name_; }
  // gnuplot commands, in order.
  void add(const std::string& commands) { script_ += commands + "\n"; }

  struct Saved {
    std::vector<std::filesystem::path> files;  // all that were written
    std::string problem;                       // why there is no picture; empty if there is one
  };
  // Throws InvalidInput if the folder cannot be written. A missing gnuplot is not an error: the script stays.
  Saved save(const std::filesystem::path& folder) const;
  // Data of an earlier figure of this name that this one does not have; save() does it, too.
  void remove_old_data(const std::filesystem::path& folder) const;

 private:
  std::string name_;
  std::string script_;
  std::vector<std::pair<std::string, std::string>> data_;
};

}  // namespace slipset
