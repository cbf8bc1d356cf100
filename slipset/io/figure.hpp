// A figure by gnuplot: the script and the data stay beside the picture, for people to restyle.
//   DIR/NAME.gp (run it there: gnuplot NAME.gp), DIR/NAME-*.dat, DIR/NAME.png (or .svg, .pdf)
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace slipset {

// A text as gnuplot reads it, in quotes.
std::string gnuplot_string(const std::string& text);

// Between marks on an axis: 1, 2 or 5 times a power of ten, at least `step`.
double round_step(double step);

enum class PictureFormat { png, svg, pdf };
std::string ending_of(PictureFormat format);  // ".png"

class Figure {
 public:
  // `name` of the files; size of the picture in pixels, of which 96 are an inch. The script begins with the style of all our figures: grid,
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
    bool no_gnuplot = false;                   // the only problem is that it is not installed
  };
  // Throws InvalidInput if the folder cannot be written. A missing gnuplot is not an error: the script stays.
  Saved save(const std::filesystem::path& folder, PictureFormat format = PictureFormat::png) const;

 private:
  std::string name_;
  int width_, height_;
  std::string script_;
  std::vector<std::pair<std::string, std::string>> data_;
};

}  // namespace slipset
