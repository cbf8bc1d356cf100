#include "slipset/studies/curves.hpp"

#include <fmt/format.h>

namespace slipset {

void add_plot(const std::string& key, const std::vector<FigureCurve>& curves, Figure& figure) {
  constexpr const char* colours[] = {"#1f4e79", "#c0392b", "#2e8b57", "#e67e22", "#7d3c98", "#555555"};
  std::string plot = "plot ";
  for (std::size_t k = 0; k < curves.size(); ++k)
    plot += fmt::format("{}'{}' using 1:2 with {} lc rgb '{}' title {} noenhanced", k ? ", " : "",
                        figure.add_data(fmt::format("{}{}", key, k + 1), curves[k].rows), curves[k].style,
                        colours[k % 6], gnuplot_string(curves[k].name));
  figure.add(plot);
}

}  // namespace slipset
