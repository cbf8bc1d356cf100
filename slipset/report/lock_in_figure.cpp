#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "slipset/core/angle.hpp"
#include "slipset/report/structure_figures.hpp"

namespace slipset {
namespace {

using Rows = std::vector<std::vector<double>>;

struct Extent {
  double from = INFINITY, to = -INFINITY;
  void add(double x) { from = std::min(from, x), to = std::max(to, x); }
  double length() const { return to - from; }
};

// Where a mode begins or ceases to grow between two points: the critical value whose frequency is next to theirs.
const CriticalValue* crossing(const StabilityScan& scan, double from, double to, double frequency) {
  const CriticalValue* nearest = nullptr;
  for (const CriticalValue& c : scan.critical)
    if (std::min(from, to) <= c.value && c.value <= std::max(from, to) &&
        (!nearest || std::abs(c.frequency - frequency) < std::abs(nearest->frequency - frequency)))
      nearest = &c;
  return nearest;
}

// Mode after mode: parameter, frequency [Hz], growth rate; an empty row wherever the line breaks. The colour of a line
// changes where the mode begins to grow, not at the next point: there it has a point on either side.
Rows lines_of(const StabilityScan& scan, Extent& hertz, Extent& growth) {
  Rows rows;
  const std::size_t step = std::max<std::size_t>(1, scan.parameter.size() / 4000);
  for (Eigen::Index k = 0; k < scan.values.cols(); ++k) {
    for (std::size_t i = 0; i < scan.parameter.size(); i += step) {
      const std::complex<double> v = scan.values(static_cast<Eigen::Index>(i), k);
      const bool follows = !rows.empty() && !rows.back().empty();
      if (!scan.answered[i] || std::isnan(v.real())) {
        if (follows) rows.emplace_back();
        continue;
      }
      if (follows && (rows.back()[2] > 0) != (v.real() > 0)) {
        const double before = rows.back()[2];
        if (const CriticalValue* c = crossing(scan, rows.back()[0], scan.parameter[i], std::abs(v.imag())))
          for (const double side : {before, v.real()}) rows.push_back({c->value, c->frequency / (2 * kPi), side / 2});
      }
      rows.push_back({scan.parameter[i], std::abs(v.imag()) / (2 * kPi), v.real()});
      hertz.add(rows.back()[1]);
      growth.add(v.real());
    }
    if (!rows.empty() && !rows.back().empty()) rows.emplace_back();
  }
  return rows;
}

// From blue to red, with a step at 0. What decays faster than twice the largest growth is all the same blue.
std::string growth_palette(const Extent& growth) {
  const double most = std::max(growth.to, 0.0);
  const double least = most > 0 ? std::clamp(growth.from, -2 * most, -1e-3 * most) : std::min(growth.from, -1e-300);
  if (!(most > 0)) return fmt::format("set palette defined (0 '#0b3c6f', 1 '#a9cbe8')\nset cbrange [{}:0]", least);
  return fmt::format(
      "set palette defined ({0} '#0b3c6f', 0 '#a9cbe8', 0 '#f6b48f', {1} '#b01020')\nset cbrange "
      "[{0}:{1}]",
      least, most);
}

// n·speed/2π for n = 1 to 10, those that cross the frame clearly above its lower edge.
void add_orders(Figure& figure, const Extent& speed, const Extent& frame, std::string& plots) {
  constexpr int kMostOrders = 10;
  const auto at = [](int order, double w) { return order * w / (2 * kPi); };
  Rows rows;
  Vec2 last = Vec2::Constant(-INFINITY);
  for (int n = 1; n <= kMostOrders; ++n) {
    if (at(n, speed.to) < frame.from + 0.02 * frame.length() || at(n, speed.from) > frame.to) continue;
    const double end = std::min(speed.to, frame.to * 2 * kPi / n);
    rows.push_back({speed.from, at(n, speed.from)});
    rows.push_back({end, at(n, end)});
    rows.emplace_back();
    // At its right end, unless the label before is there.
    const Vec2 label(end, at(n, end));
    if (std::abs(label.x() - last.x()) < 0.035 * speed.length() &&
        std::abs(label.y() - last.y()) < 0.03 * frame.length())
      continue;
    figure.add(fmt::format("set label '{}×' at {},{} right offset -0.3,{} tc rgb '#777777' front", n, label.x(),
                           label.y(), end < speed.to ? -0.6 : 0.35));
    last = label;
  }
  if (!rows.empty())
    plots += fmt::format(", '{}' using 1:2 with lines lw 1 lc rgb '#999999' title 'orders n×speed/2π'",
                         figure.add_data("orders", rows));
}

// Frequencies around a mode that grows, and the mode that comes closest to it.
struct LockIn {
  double growth;  // the largest
  double hertz;   // there
  Extent frame;   // [Hz]
};

std::optional<LockIn> lock_in_of(const StabilityScan& scan, Eigen::Index mode) {
  const auto hertz = [&](Eigen::Index i, Eigen::Index k) { return std::abs(scan.values(i, k).imag()) / (2 * kPi); };
  LockIn found{0, 0, {}};
  for (Eigen::Index i = 0; i < scan.values.rows(); ++i)
    if (scan.answered[static_cast<std::size_t>(i)] && scan.values(i, mode).real() > found.growth)
      found = {scan.values(i, mode).real(), hertz(i, mode), {}};
  if (!(found.growth > 1e-9 * found.hertz) || found.hertz == 0) return std::nullopt;  // rounding; divergence
  Eigen::Index partner = mode;
  double nearest = INFINITY;
  for (Eigen::Index k = 0; k < scan.values.cols(); ++k)
    for (Eigen::Index i = 0; k != mode && i < scan.values.rows(); ++i)
      if (const double apart = std::abs(hertz(i, k) - hertz(i, mode)); apart < nearest) nearest = apart, partner = k;
  for (const Eigen::Index k : {mode, partner})
    for (Eigen::Index i = 0; i < scan.values.rows(); ++i)
      if (!std::isnan(hertz(i, k))) found.frame.add(hertz(i, k));
  const double margin = std::max(0.15 * found.frame.length(), 1e-4 * found.hertz);
  found.frame = {found.frame.from - margin, found.frame.to + margin};
  return found;
}

// Of the modes that grow most, one for each pair; those that a frame of this height would show no larger are left out.
std::vector<LockIn> lock_ins_of(const StabilityScan& scan, std::size_t most, double height) {
  std::vector<LockIn> all, chosen;
  for (Eigen::Index k = 0; k < scan.values.cols(); ++k)
    if (const auto found = lock_in_of(scan, k); found && found->frame.length() < height) all.push_back(*found);
  std::stable_sort(all.begin(), all.end(), [](const LockIn& a, const LockIn& b) { return a.growth > b.growth; });
  for (const LockIn& lock : all)
    if (chosen.size() < most && std::none_of(chosen.begin(), chosen.end(), [&](const LockIn& other) {
          return other.frame.from < lock.hertz && lock.hertz < other.frame.to;
        }))
      chosen.push_back(lock);
  return chosen;
}

}  // namespace

Figure lock_in_figure(const Sweep& sweep, const StabilityScan& scan) {
  constexpr std::size_t kMostDetails = 3;
  const bool over_speed = sweep.first.parameter == "system.speed";
  Extent hertz, growth, parameter;
  const Rows lines = lines_of(scan, hertz, growth);
  const std::vector<LockIn> details = lock_ins_of(scan, kMostDetails, 0.4 * hertz.length());
  Figure figure(over_speed ? "campbell" : "lock-in", 1000, details.empty() ? 700 : 1000);
  for (const double x : scan.parameter) parameter.add(x);
  if (lines.empty()) hertz = {0, 1}, growth = {-1, 0};
  const double margin = hertz.length() > 0 ? 0.05 * hertz.length() : std::max(0.05 * hertz.to, 1.0);
  const Extent frame{std::max(0.0, hertz.from - margin), hertz.to + margin};
  std::string plots;
  if (lines.empty()) {
    plots = "NaN title 'no modes'";
  } else {  // what grows is above what decays
    const std::string data = figure.add_data("modes", lines);
    for (const char* frequency : {"2", "($3 > 0 ? $2 : NaN)"})
      plots += fmt::format("{}'{}' using 1:{}:3 with linespoints pt 7 ps 0.2 lw 2.5 lc palette notitle",
                           plots.empty() ? "" : ", ", data, frequency);
  }
  if (!details.empty()) figure.add("set multiplot\nset origin 0,0.34\nset size 1,0.66");
  figure.add(
      fmt::format("set title {} noenhanced\nset xlabel {} noenhanced\nset ylabel 'frequency [Hz]'\nset cblabel "
                  "'growth rate [1/s]'\nset xrange [{}:{}]\nset yrange [{}:{}]\n{}",
                  gnuplot_string(sweep.title), gnuplot_string(sweep.first_label), parameter.from, parameter.to,
                  frame.from, frame.to, growth_palette(growth)));
  std::string marks;
  for (const bool begins : {true, false}) {
    Rows rows;
    for (const CriticalValue& c : scan.critical) {
      if (c.unstable_above != begins) continue;
      rows.push_back({c.value, c.frequency / (2 * kPi)});
      figure.add(
          fmt::format("set arrow from first {0}, graph 0 to first {0}, graph 1 nohead dt 3 lw 0.7 lc rgb "
                      "'#999999' back",
                      c.value));
    }
    if (!rows.empty())
      marks += fmt::format(
          ", '{}' using 1:2 with points pt {} ps 1.8 lw 1.5 lc rgb '#222222' title 'a mode {} to grow'",
          figure.add_data(begins ? "begins" : "ceases", rows), begins ? 8 : 10, begins ? "begins" : "ceases");
  }
  std::string orders;
  if (over_speed) add_orders(figure, parameter, frame, orders);
  figure.add("plot " + plots + orders + marks);
  if (details.empty()) return figure;
  const double width = 1 / static_cast<double>(details.size());
  figure.add(fmt::format("unset colorbox\nunset key\nunset label\nunset arrow\nset size {:.4f},0.34\nset xtics {}",
                         width, round_step(parameter.length() * static_cast<double>(details.size()) / 12)));
  for (std::size_t i = 0; i < details.size(); ++i)
    figure.add(fmt::format("set origin {:.4f},0\nset title 'around {:.0f} Hz'\nset yrange [{}:{}]\n{}plot {}",
                           static_cast<double>(i) * width, details[i].hertz, details[i].frame.from, details[i].frame.to,
                           i == 0 ? "" : "unset ylabel\n", plots + marks));
  figure.add("unset multiplot");
  return figure;
}

}  // namespace slipset
