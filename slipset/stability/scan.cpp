#include "slipset/stability/scan.hpp"

#include <algorithm>

#include "slipset/contact/internal/threads.hpp"
#include "slipset/stability/internal/assignment.hpp"

namespace slipset {
namespace {

using Complex = std::complex<double>;
using Index = Eigen::Index;

constexpr int kChunk = 64;

// The modes of a chunk of points, in the order of modes_of.
struct Chunk {
  Index modes = 0;               // of every point; 0 before the first one is known
  std::vector<char> answered;    // the linearisation exists there
  std::vector<char> stable;      // no mode grows
  std::vector<std::string> why;  // not answered, or another number of modes
  Eigen::MatrixXcd values;       // a column per point
  Eigen::MatrixXcd states;       // x̂ of a point one after the other in a column
  Eigen::MatrixXd overlap;  // |x̂ᴴx̂| with those of the point before, which is old + modes * new; 0 for the first
};

void compute(const SlidingAt& sliding_at, double p, std::size_t i, ModeSolver& solver, Chunk& chunk) {
  chunk.answered[i] = 0;
  try {
    const LinearSliding sliding = sliding_at(p);
    if (!sliding.report.converged) {
      chunk.why[i] = sliding.report.why;
      return;
    }
    if (sliding.system.rows() != chunk.modes)
      throw InvalidInput("scan: the number of modes changes with the parameter");
    solver.compute(sliding.system);
    const auto column = static_cast<Index>(i);
    chunk.values.col(column) = solver.values();
    chunk.states.col(column) = solver.states().reshaped();
    chunk.stable[i] = 1;
    for (Index k = 0; k < chunk.modes; ++k)
      if (solver.values()[k].real() > solver.roundings()[k]) chunk.stable[i] = 0;
    if (chunk.stable[i] && !is_resolved(sliding, solver.roundings().maxCoeff()))
      throw InvalidInput("scan: a mode decays so quickly that rounding hides whether the others grow");
    chunk.answered[i] = 1;
  } catch (const InvalidInput& error) {
    chunk.why[i] = error.what();
  }
}

using States = Eigen::Map<const Eigen::MatrixXcd>;

// Where the modes of the last point went, and the point before it for their heading.
class Follower {
 public:
  // `order[k]`: which of the next point's eigenvalues is the mode k. `overlap` with the last point in its own order.
  void follow(const Complex* values, const double* overlap, Index n) {
    if (last_.size() != static_cast<std::size_t>(n)) {
      last_.resize(static_cast<std::size_t>(n));
      before_.resize(static_cast<std::size_t>(n));
      order_.resize(static_cast<std::size_t>(n));
      cost_.resize(n, n);
      for (Index k = 0; k < n; ++k) order_[static_cast<std::size_t>(k)] = k;
      headed_ = false;
    } else {
      for (Index i = 0; i < n; ++i) {
        const auto k = static_cast<std::size_t>(i);
        // Not far ahead: past a place where two modes met, the heading may be that of a jump.
        Complex heading = headed_ ? last_[k] - before_[k] : Complex(0);
        const double size_here = std::sqrt(std::norm(last_[k])), most = 0.25 * size_here, ahead = std::norm(heading);
        if (ahead > most * most) heading *= most / std::sqrt(ahead);
        const Complex expected = last_[k] + heading;
        for (Index j = 0; j < n; ++j)
          cost_(i, j) =
              std::sqrt(std::norm(values[j] - expected)) / (std::sqrt(std::norm(values[j])) + size_here + 1e-300) +
              0.5 * (1 - overlap[order_[k] + n * j]);
      }
      order_ = internal::least_cost_assignment(cost_);
      before_ = last_;
      headed_ = true;
    }
    for (Index k = 0; k < n; ++k) last_[static_cast<std::size_t>(k)] = values[order_[static_cast<std::size_t>(k)]];
  }
  const std::vector<Index>& order() const { return order_; }
  void lose_heading() { headed_ = false; }

 private:
  std::vector<Complex> last_, before_;
  std::vector<Index> order_;
  Eigen::MatrixXd cost_;
  bool headed_ = false;
};

// f(first, last) on parts of 0 ... count - 1.
template <class Function>
void over_parts(int count, int threads, const Function& f) {
  constexpr int kPart = 64;
  for_each_parallel((count + kPart - 1) / kPart, threads,
                    [&](int part) { f(part * kPart, std::min(count, (part + 1) * kPart)); });
}

}  // namespace

void for_each_parallel(int count, int threads, const std::function<void(int)>& f) {
  internal::for_each_in_parallel(static_cast<std::size_t>(std::max(count, 0)), threads,
                                 [&](std::size_t i) { f(static_cast<int>(i)); });
}

StabilityScan scan_stability(const SlidingAt& sliding_at, const ScanOptions& options) {
  if (options.count < 2) throw InvalidInput("scan: count must be at least 2");
  if (!(std::isfinite(options.from) && std::isfinite(options.to) && options.from != options.to))
    throw InvalidInput("scan: from and to must be finite and different");
  StabilityScan scan;
  for (int i = 0; i < options.count; ++i)
    scan.parameter.push_back(options.from + (options.to - options.from) * i / (options.count - 1));
  auto count = static_cast<std::size_t>(options.count);
  scan.answered.assign(count, false);
  scan.stable.assign(count, false);
  const auto tell = [&](const std::string& why) {
    if (std::find(scan.why.begin(), scan.why.end(), why) == scan.why.end() && scan.why.size() < 10)
      scan.why.push_back(why);
  };
  Follower follower;
  Chunk chunk;
  Eigen::MatrixXcd last_states;  // of the last answered point
  for (int first = 0; first < options.count; first += kChunk) {
    const int size = std::min(kChunk, options.count - first);
    const auto points = static_cast<std::size_t>(size);
    chunk.answered.assign(points, 0);
    chunk.stable.assign(points, 0);
    chunk.why.assign(points, {});
    int begin = 0;
    for (; chunk.modes == 0 && begin < size; ++begin)  // up to the first point with a known number of modes
      try {
        const LinearSliding s = sliding_at(scan.parameter[static_cast<std::size_t>(first + begin)]);
        if (!s.report.converged) throw InvalidInput(s.report.why);
        const Index n = chunk.modes = s.system.rows();
        chunk.values.resize(n, kChunk);
        chunk.states.resize(n * n, kChunk);
        chunk.overlap.resize(n * n, kChunk);
        scan.values = Eigen::MatrixXcd::Constant(options.count, n, Complex(NAN, NAN));
        --begin;
      } catch (const InvalidInput& error) {
        chunk.why[static_cast<std::size_t>(begin)] = error.what();
      }
    const Index n = chunk.modes;
    over_parts(size - begin, options.threads, [&](int from, int to) {
      ModeSolver solver;
      for (int i = begin + from; i < begin + to; ++i)
        compute(sliding_at, scan.parameter[static_cast<std::size_t>(first + i)], static_cast<std::size_t>(i), solver,
                chunk);
    });
    // The point that each is followed from.
    std::vector<Index> from_point(points, -1);
    Index last = -1;
    for (std::size_t i = 0; i < points; ++i) {
      from_point[i] = last;
      if (chunk.answered[i]) last = static_cast<Index>(i);
    }
    over_parts(size, options.threads, [&](int from, int to) {
      for (Index i = from; i < to; ++i) {
        const auto k = static_cast<std::size_t>(i);
        const bool from_before = from_point[k] < 0;
        if (!chunk.answered[k] || (from_before && last_states.size() == 0)) continue;
        const States now(chunk.states.col(i).data(), n, n),
            then(from_before ? last_states.data() : chunk.states.col(from_point[k]).data(), n, n);
        Eigen::Map<Eigen::MatrixXd> overlap(chunk.overlap.col(i).data(), n, n);
        for (Index a = 0; a < n; ++a)
          for (Index b = 0; b < n; ++b) overlap(a, b) = std::sqrt(std::norm(then.col(a).dot(now.col(b))));
      }
    });
    for (int i = 0; i < size; ++i) {
      const auto k = static_cast<std::size_t>(i), row = static_cast<std::size_t>(first + i);
      if (!chunk.answered[k]) {
        tell(chunk.why[k]);
        follower.lose_heading();
        continue;
      }
      scan.answered[row] = true;
      scan.stable[row] = chunk.stable[k] != 0;
      follower.follow(chunk.values.col(i).data(), chunk.overlap.col(i).data(), n);
      for (Index mode = 0; mode < n; ++mode)
        scan.values(first + i, mode) = chunk.values(follower.order()[static_cast<std::size_t>(mode)], i);
    }
    if (last >= 0) last_states = chunk.states.col(last);
    if (options.progress && !options.progress(first + size)) {
      scan.ended_early = first + size < options.count;
      if (!scan.ended_early) continue;
      count = static_cast<std::size_t>(first + size);  // what is done is kept
      scan.parameter.resize(count);
      scan.answered.resize(count);
      scan.stable.resize(count);
      scan.values.conservativeResize(first + size, Eigen::NoChange);
      break;
    }
  }
  for (std::size_t i = 1, last = count; i < count; ++i) {
    if (scan.answered[i - 1]) last = i - 1;
    if (!scan.answered[i] || last == count || scan.stable[i] == scan.stable[last]) continue;
    const double a = scan.parameter[last], b = scan.parameter[i];
    scan.critical.push_back(scan.stable[last] ? refine_critical(sliding_at, a, b) : refine_critical(sliding_at, b, a));
  }
  return scan;
}

}  // namespace slipset
