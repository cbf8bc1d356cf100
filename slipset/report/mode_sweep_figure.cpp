#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "slipset/core/angle.hpp"
#include "slipset/report/structure_figures.hpp"

namespace slipset {
namespace {

constexpr const char* kModeColours[] = {"#c0392b", "#e67e22", "#2e8b57", "#7d3c98",
                                        "#b7950b", "#16a085", "#1f4e79", "#d35490"};
constexpr std::size_t kMostColours = std::size(kModeColours);

// Where a mode grows most.
struct Peak {
  Eigen::Index mode;
  double growth, hertz;
};

std::vector<Peak> peaks_of(const StabilityScan& scan) {
  std::vector<Peak> peaks;
  for (Eigen::Index k = 0; k < scan.values.cols(); ++k) {
    Peak peak{k, 0, 0};
    for (Eigen::Index i = 0; i < scan.values.rows(); ++i)
      if (scan.values(i, k).real() > peak.growth)
        peak = {k, scan.values(i, k).real(), scan.values(i, k).imag() / (2 * kPi)};
    if (peak.growth > 1e-9 * peak.hertz) peaks.push_back(peak);  // else rounding
  }
  std::stable_sort(peaks.begin(), peaks.end(), [](const Peak& a, const Peak& b) { return a.growth > b.growth; });
  return peaks;
}

}  // namespace

Figure mode_sweep_figure(const Sweep& sweep, const StabilityScan& scan) {
  Figure figure("sweep", 900, 860);
  const Eigen::Index n = scan.values.cols();
  std::vector<std::vector<double>> rows;
  const std::size_t step = std::max<std::size_t>(1, scan.parameter.size() / 4000);
  double least = 0;
  for (std::size_t i = 0; i < scan.parameter.size(); i += step) {
    std::vector<double> row = {scan.parameter[i]};
    for (Eigen::Index k = 0; k < n; ++k) {
      const std::complex<double> v = scan.values(static_cast<Eigen::Index>(i), k);
      row.push_back(scan.answered[i] ? v.real() : NAN);
      row.push_back(scan.answered[i] ? v.imag() / (2 * kPi) : NAN);
      if (scan.answered[i] && v.real() < least) least = v.real();
    }
    rows.push_back(std::move(row));
  }
  const std::string data = figure.add_data("modes", rows);
  figure.add(fmt::format("set multiplot layout 2,1 title {} noenhanced\nset lmargin 11\nset xrange [{}:{}]",
                         gnuplot_string(sweep.title), std::min(scan.parameter.front(), scan.parameter.back()),
                         std::max(scan.parameter.front(), scan.parameter.back())));
  for (const CriticalValue& c : scan.critical)
    figure.add(
        fmt::format("set arrow from first {0}, graph 0 to first {0}, graph 1 nohead dt 2 lc rgb '#999999'", c.value));
  const std::vector<Peak> peaks = peaks_of(scan);
  // Grey below, colours above; of all grey ones one name.
  const auto plots = [&](Eigen::Index offset, bool with_titles) {
    std::string text;
    const auto add = [&](Eigen::Index k, double width, const char* colour, const std::string& title) {
      text += fmt::format("{}'{}' using 1:{} with lines lw {} lc rgb '{}' {}", text.empty() ? "plot " : ", ", data,
                          2 + 2 * k + offset, width, colour,
                          with_titles && !title.empty() ? fmt::format("title '{}'", title) : "notitle");
    };
    bool first_of_decaying = true, first_of_others = true;
    for (Eigen::Index k = 0; k < n; ++k) {
      if (std::any_of(peaks.begin(), peaks.end(), [&](const Peak& p) { return p.mode == k; })) continue;
      add(k, 1.5, "#9fb3c8", first_of_decaying ? "do not grow" : "");
      first_of_decaying = false;
    }
    for (std::size_t j = peaks.size(); j-- > kMostColours; first_of_others = false)
      add(peaks[j].mode, 1.5, "#d9a59c", first_of_others ? "others that grow" : "");
    for (std::size_t j = 0; j < std::min(peaks.size(), kMostColours); ++j)
      add(peaks[j].mode, 2.5, kModeColours[j], fmt::format("{:.4g} Hz", peaks[j].hertz));
    return text;
  };
  // Modes that decay quickly would flatten those that grow; they are in the table.
  const double floor = peaks.empty() ? -INFINITY : -3 * peaks.front().growth;
  figure.add(
      fmt::format("set ylabel 'growth rate [1/s]'\nset xzeroaxis lt 1 lc rgb '#888888' lw 1.5\nset yrange "
                  "[{}:*]\n{}",
                  least < floor ? fmt::format("{:.4g}", floor) : "*", plots(0, false)));
  figure.add(fmt::format("set ylabel 'frequency [Hz]'\nset yrange [*:*]\nset xlabel {} noenhanced\n{}\nunset multiplot",
                         gnuplot_string(sweep.first_label), plots(1, true)));
  return figure;
}

}  // namespace slipset
