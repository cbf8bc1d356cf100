#include "slipset/stability/sweep.hpp"

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>

#include "slipset/stability/assignment.hpp"

namespace slipset {
namespace {

using Complex = std::complex<double>;
using Index = Eigen::Index;

struct Point {
  std::vector<Mode> modes;  // empty: no answer
  std::string why;
};

Point compute(const SlidingAt& sliding_at, double p) {
  Point point;
  try {
    const LinearSliding sliding = sliding_at(p);
    if (sliding.report.converged)
      point.modes = modes_of(sliding);
    else
      point.why = sliding.report.why;
  } catch (const InvalidInput& error) {
    point.why = error.what();
  }
  return point;
}

// Where the modes of the last point went, and the point before it for their heading.
class Follower {
 public:
  // Puts the modes of the next point into the order of the first one.
  void follow(std::vector<Mode>& modes) {
    if (last_.size() == modes.size()) {
      const Index n = static_cast<Index>(modes.size());
      Eigen::MatrixXd cost(n, n);
      for (Index i = 0; i < n; ++i) {
        const auto k = static_cast<std::size_t>(i);
        // Not far ahead: past a place where two modes met, the heading may be that of a jump.
        Complex heading = before_.empty() ? Complex(0) : last_[k].value - before_[k];
        const double most = 0.25 * std::abs(last_[k].value);
        if (std::abs(heading) > most) heading *= most / std::abs(heading);
        const Complex expected = last_[k].value + heading;
        for (Index j = 0; j < n; ++j) {
          const Mode& to = modes[static_cast<std::size_t>(j)];
          const double size = std::abs(to.value) + std::abs(last_[k].value) + 1e-300;
          cost(i, j) = std::abs(to.value - expected) / size + 0.5 * (1 - std::abs(last_[k].state.dot(to.state)));
        }
      }
      const std::vector<Index> order = least_cost_assignment(cost);
      std::vector<Mode> sorted;
      for (const Index j : order) sorted.push_back(std::move(modes[static_cast<std::size_t>(j)]));
      modes = std::move(sorted);
      before_.clear();
      for (const Mode& m : last_) before_.push_back(m.value);
    } else {
      before_.clear();
    }
    last_ = modes;
  }
  void lose_heading() { before_.clear(); }

 private:
  std::vector<Mode> last_;
  std::vector<Complex> before_;
};

}  // namespace

void for_each_parallel(int count, int threads, const std::function<void(int)>& f) {
  const int wanted = threads > 0 ? threads : tbb::info::default_concurrency();
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(wanted));
  tbb::task_arena arena(wanted);
  arena.execute([&] { tbb::parallel_for(0, count, f); });
}

Sweep sweep_stability(const SlidingAt& sliding_at, const SweepOptions& options) {
  if (options.count < 2) throw InvalidInput("sweep: count must be at least 2");
  if (!(std::isfinite(options.from) && std::isfinite(options.to) && options.from != options.to))
    throw InvalidInput("sweep: from and to must be finite and different");
  constexpr int kChunk = 2048;
  Sweep sweep;
  for (int i = 0; i < options.count; ++i)
    sweep.parameter.push_back(options.from + (options.to - options.from) * i / (options.count - 1));
  const auto count = static_cast<std::size_t>(options.count);
  sweep.answered.assign(count, false);
  sweep.stable.assign(count, false);
  Follower follower;
  for (int first = 0; first < options.count; first += kChunk) {
    const int size = std::min(kChunk, options.count - first);
    std::vector<Point> points(static_cast<std::size_t>(size));
    for_each_parallel(size, options.threads, [&](int i) {
      points[static_cast<std::size_t>(i)] = compute(sliding_at, sweep.parameter[static_cast<std::size_t>(first + i)]);
    });
    for (int i = 0; i < size; ++i) {
      Point& point = points[static_cast<std::size_t>(i)];
      const auto row = static_cast<std::size_t>(first + i);
      if (point.modes.empty()) {
        if (std::find(sweep.why.begin(), sweep.why.end(), point.why) == sweep.why.end() && sweep.why.size() < 10)
          sweep.why.push_back(point.why);
        follower.lose_heading();
        continue;
      }
      sweep.answered[row] = true;
      sweep.stable[row] = is_stable(point.modes);
      follower.follow(point.modes);
      const Index n = static_cast<Index>(point.modes.size());
      if (sweep.values.cols() == 0) sweep.values = Eigen::MatrixXcd::Constant(options.count, n, Complex(NAN, NAN));
      if (sweep.values.cols() != n) throw InvalidInput("sweep: the number of modes changes with the parameter");
      for (Index k = 0; k < n; ++k)
        sweep.values(static_cast<Index>(row), k) = point.modes[static_cast<std::size_t>(k)].value;
    }
    if (options.progress && !options.progress(first + size)) {
      sweep.ended_early = first + size < options.count;
      if (sweep.ended_early) return sweep;
    }
  }
  for (std::size_t i = 1, last = count; i < count; ++i) {
    if (sweep.answered[i - 1]) last = i - 1;
    if (!sweep.answered[i] || last == count || sweep.stable[i] == sweep.stable[last]) continue;
    const double a = sweep.parameter[last], b = sweep.parameter[i];
    sweep.critical.push_back(sweep.stable[last] ? refine_critical(sliding_at, a, b)
                                                : refine_critical(sliding_at, b, a));
  }
  return sweep;
}

}  // namespace slipset
