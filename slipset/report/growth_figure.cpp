#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "slipset/core/angle.hpp"
#include "slipset/report/structure_figures.hpp"

namespace slipset {
namespace {

struct GrowthPoint {
  double hertz, growth;
};

// Those of the largest growth, as many as can be read: none beside one that has a label.
std::vector<GrowthPoint> labelled(std::vector<GrowthPoint> points, double width, double height) {
  constexpr std::size_t kMost = 20;
  std::stable_sort(points.begin(), points.end(),
                   [](const GrowthPoint& a, const GrowthPoint& b) { return a.growth > b.growth; });
  std::vector<GrowthPoint> chosen;
  for (const GrowthPoint& p : points)
    if (chosen.size() < kMost && std::none_of(chosen.begin(), chosen.end(), [&](const GrowthPoint& q) {
          return std::abs(p.hertz - q.hertz) < 0.09 * width && std::abs(p.growth - q.growth) < 0.05 * height;
        }))
      chosen.push_back(p);
  return chosen;
}

std::vector<std::vector<double>> rows_of(const std::vector<GrowthPoint>& points) {
  std::vector<std::vector<double>> rows;
  for (const GrowthPoint& p : points) rows.push_back({p.hertz, p.growth});
  return rows;
}

}  // namespace

Figure growth_figure(const StructureSetup& setup, const StructureAnswer& answer) {
  std::vector<GrowthPoint> decaying, growing;
  double most = 0, least = 0;
  for (const Eigenpair& m : answer.spectrum.pairs) {
    (m.grows() ? growing : decaying).push_back({m.frequency() / (2 * kPi), m.growth_rate()});
    most = std::max(most, m.growth_rate());
    least = std::min(least, m.growth_rate());
  }
  // Modes that decay quickly would flatten those that grow.
  double floor = least;
  if (!growing.empty()) floor = std::max(least, -3 * most);
  const auto below =
      std::count_if(decaying.begin(), decaying.end(), [&](const GrowthPoint& p) { return p.growth < floor; });
  // Nothing but rounding is drawn as zero.
  const double height = std::max(most - floor, 1e-6 * setup.box().frequency_to);
  const double from = setup.box().frequency_from / (2 * kPi), to = setup.box().frequency_to / (2 * kPi);

  Figure figure("growth", 900, 560);
  figure.add(
      fmt::format("set title {} noenhanced\nset xlabel 'frequency [Hz]'\nset ylabel 'growth rate [1/s]'\n"
                  "set xrange [{}:{}]\nset yrange [{}:{}]\nset xzeroaxis lt 1 lc rgb '#888888' lw 1.5",
                  gnuplot_string(setup.title()), from, to, floor - 0.06 * height, most + 0.12 * height));
  for (const GrowthPoint& p : labelled(growing, to - from, height))
    figure.add(fmt::format("set label '{} Hz' at {},{} center offset 0,0.9 tc rgb '#c0392b'",
                           p.hertz < 100 ? fmt::format("{:.3g}", p.hertz) : fmt::format("{:.0f}", p.hertz), p.hertz,
                           p.growth));
  if (below > 0)
    figure.add(
        fmt::format("set label '{} {} faster than the figure shows' at graph 0.99, graph 0.04 right tc rgb "
                    "'#666666'",
                    below, below == 1 ? "mode decays" : "modes decay"));
  std::string plots;
  const auto add = [&](const std::vector<GrowthPoint>& points, const char* name, const char* colour) {
    if (!points.empty())
      plots += fmt::format("{}'{}' using 1:2 with points pt 7 ps 1.2 lc rgb '{}' title '{}'", plots.empty() ? "" : ", ",
                           figure.add_data(name, rows_of(points)), colour, name);
  };
  add(decaying, "decaying", "#1f4e79");
  add(growing, "growing", "#c0392b");
  figure.add("plot " + (plots.empty() ? "NaN title 'no modes'" : plots));
  return figure;
}

}  // namespace slipset
