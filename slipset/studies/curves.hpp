// Curves of a figure: rows of numbers with a name and a style, one plot command.
#pragma once

#include "slipset/io/figure.hpp"

namespace slipset {

using CurveRows = std::vector<std::vector<double>>;

struct FigureCurve {
  std::string name;  // in the key
  CurveRows rows;    // x, y
  const char* style = "lines lw 2";
};

// One gnuplot command for all of them, in the colours of all of our figures. `key` tells their data files apart.
void add_plot(const std::string& key, const std::vector<FigureCurve>& curves, Figure& figure);

}  // namespace slipset
