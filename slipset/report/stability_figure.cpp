#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "slipset/report/stability_report.hpp"

namespace slipset {
namespace {

using Rows = std::vector<std::vector<double>>;

constexpr const char* kColours[] = {"#1f4e79", "#c0392b", "#2e8b57", "#e67e22",
                                    "#7d3c98", "#16a085", "#7f8c8d", "#b7950b"};

constexpr int kMostInLegend = 16;

}  // namespace

Figure eigenvalue_figure(const std::string& title, const std::vector<std::complex<double>>& stable,
                         const std::vector<std::complex<double>>& growing, const std::optional<SpectrumBox>& box) {
  const auto rows_of = [](const std::vector<std::complex<double>>& values) {
    Rows rows;
    for (const std::complex<double>& value : values) rows.push_back({value.real(), value.imag()});
    return rows;
  };
  Figure figure("eigenvalues", 800, 640);
  figure.add(fmt::format(
      "set title {} noenhanced\nset xlabel 'growth rate [1/s]'\nset ylabel 'angular frequency [rad/s]'\nset xzeroaxis "
      "lc rgb "
      "'#888888'\nset yzeroaxis lc rgb '#888888' lw 1.5\nset offsets graph 0.1, graph 0.1, graph 0.1, graph 0.1",
      gnuplot_string(title)));
  std::string plots;
  if (!stable.empty())
    plots += fmt::format("'{}' using 1:2 with points pt 7 ps 1.4 lc rgb '#1f4e79' title 'eigenvalues'",
                         figure.add_data("decaying", rows_of(stable)));
  if (!growing.empty())
    plots += fmt::format("{}'{}' using 1:2 with points pt 7 ps 1.4 lc rgb '#c0392b' title 'growing'",
                         plots.empty() ? "" : ", ", figure.add_data("growing", rows_of(growing)));
  if (box) {
    const Rows frame = {{box->growth_from, box->frequency_from},
                        {box->growth_to, box->frequency_from},
                        {box->growth_to, box->frequency_to},
                        {box->growth_from, box->frequency_to},
                        {box->growth_from, box->frequency_from}};
    plots += fmt::format("{}'{}' using 1:2 with lines dt 2 lc rgb '#888888' title 'box'", plots.empty() ? "" : ", ",
                         figure.add_data("box", frame));
  }
  figure.add("plot " + plots);
  return figure;
}

Figure scan_figure(const Sweep& sweep, const StabilityScan& scan) {
  Figure figure("sweep", 900, 860);
  const Eigen::Index n = scan.values.cols();
  Rows rows;
  const std::size_t step = std::max<std::size_t>(1, scan.parameter.size() / 4000);
  for (std::size_t i = 0; i < scan.parameter.size(); i += step) {
    if (!scan.answered[i]) {
      rows.emplace_back();
      continue;
    }
    std::vector<double> row = {scan.parameter[i]};
    for (Eigen::Index k = 0; k < n; ++k) {
      const std::complex<double> v = scan.values(static_cast<Eigen::Index>(i), k);
      row.push_back(v.real());
      row.push_back(v.imag());
    }
    rows.push_back(std::move(row));
  }
  const std::string data = figure.add_data("modes", rows);
  figure.add(fmt::format("set multiplot layout 2,1 title {} noenhanced\nset lmargin 11\nset xrange [{}:{}]",
                         gnuplot_string(sweep.title), std::min(scan.parameter.front(), scan.parameter.back()),
                         std::max(scan.parameter.front(), scan.parameter.back())));
  for (std::size_t i = 0; i < scan.critical.size(); ++i)
    figure.add(fmt::format("set arrow {0} from first {1}, graph 0 to first {1}, graph 1 nohead dt 2 lc rgb '#666666'",
                           i + 1, scan.critical[i].value));
  // Of a complex pair both have the same growth rate and frequency: one colour a pair.
  std::vector<int> colour(static_cast<std::size_t>(n), -1);
  std::vector<bool> in_legend(static_cast<std::size_t>(n), false);
  const auto start =
      static_cast<Eigen::Index>(std::find(scan.answered.begin(), scan.answered.end(), true) - scan.answered.begin());
  int colours = 0;
  for (Eigen::Index k = 0; k < n; ++k) {
    if (colour[static_cast<std::size_t>(k)] >= 0) continue;
    colour[static_cast<std::size_t>(k)] = colours;
    in_legend[static_cast<std::size_t>(k)] = true;
    const std::complex<double> value = scan.values(start, k);
    for (Eigen::Index j = k + 1; j < n && value.imag() != 0; ++j)
      if (colour[static_cast<std::size_t>(j)] < 0 &&
          std::abs(scan.values(start, j) - std::conj(value)) < 1e-9 * std::abs(value)) {
        colour[static_cast<std::size_t>(j)] = colours;
        break;
      }
    ++colours;
  }
  const auto plots = [&](int offset, bool with_titles) {
    std::string text;
    for (Eigen::Index k = 0; k < n; ++k) {
      const auto i = static_cast<std::size_t>(k);
      const Eigen::Index column = 2 + 2 * k + offset;
      text += fmt::format(
          "{}'{}' using 1:{} with lines lw 2 lc rgb '{}' {}", text.empty() ? "plot " : ", ", data,
          offset == 0 ? fmt::format("{}", column) : fmt::format("(abs(${}))", column), kColours[colour[i] % 8],
          with_titles && in_legend[i] && colours <= kMostInLegend ? fmt::format("title 'mode {}'", colour[i] + 1)
                                                                  : "notitle");
    }
    return text;
  };
  // Modes that decay quickly would flatten those that matter; they are in the table.
  double most = 0, fastest = 0, least = 0;
  for (std::size_t i = 0; i < scan.parameter.size(); ++i) {
    if (!scan.answered[i]) continue;
    for (Eigen::Index k = 0; k < n; ++k) {
      const std::complex<double> value = scan.values(static_cast<Eigen::Index>(i), k);
      if (std::isnan(value.real())) continue;
      most = std::max(most, value.real());
      least = std::min(least, value.real());
      fastest = std::max(fastest, std::abs(value.imag()));
    }
  }
  const double floor = -2 * std::max(most, 0.02 * fastest);
  figure.add(fmt::format("set ylabel 'growth rate [1/s]'\nset xzeroaxis lc rgb '#888888' lw 1.5\nset yrange [{}:*]\n{}",
                         floor < 0 && least < floor ? fmt::format("{:.4g}", floor) : "*", plots(0, false)));
  figure.add(fmt::format(
      "set ylabel 'angular frequency [rad/s]'\nset yrange [0:*]\nset xlabel {} noenhanced\n{}\nunset multiplot",
      gnuplot_string(sweep.first_label), plots(1, true)));
  return figure;
}

Figure map_figure(const Sweep& sweep, const StabilityMap& map) {
  Figure figure("map", 900, 760);
  const ScanRange &x = sweep.first, &y = *sweep.second;
  Rows cells;
  double most = 1e-12;  // so that white is the border
  for (std::size_t j = 0; j < map.growth.size(); ++j) {
    for (std::size_t i = 0; i < map.growth[j].size(); ++i) {
      cells.push_back({x.at(static_cast<int>(i)), y.at(static_cast<int>(j)), map.growth[j][i]});
      if (std::isfinite(map.growth[j][i])) most = std::max(most, std::abs(map.growth[j][i]));
    }
    cells.emplace_back();
  }
  figure.add(fmt::format(
      "set title {} noenhanced\nset xlabel {} noenhanced\nset ylabel {} noenhanced\nset cblabel 'largest growth rate "
      "[1/s]'\nset palette defined (-1 "
      "'#d6e6f5', 0 '#ffffff', 1 '#e59a86')\nset cbrange [{}:{}]\nset xrange [{}:{}]\nset yrange [{}:{}]",
      gnuplot_string(sweep.title), gnuplot_string(sweep.first_label), gnuplot_string(sweep.second_label), -most, most,
      std::min(x.from, x.to), std::max(x.from, x.to), std::min(y.from, y.to), std::max(y.from, y.to)));
  std::string plot = fmt::format("plot '{}' using 1:2:3 with image notitle", figure.add_data("growth", cells));
  const Rows curves = joined(map.boundary, x, y);
  if (!curves.empty())
    plot += fmt::format(", '{}' using 1:2 with lines lw 2 lc rgb '#1f4e79' title 'boundary of stability'",
                        figure.add_data("boundary", curves));
  figure.add(plot);
  return figure;
}

}  // namespace slipset
