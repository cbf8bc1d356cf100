#include "slipset/stability/cycle_diagram.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "slipset/core/angle.hpp"
#include "slipset/stability/linearize.hpp"
#include "slipset/stability/scan.hpp"

namespace slipset {
namespace {

using Index = Eigen::Index;

// Uniform in [-1, 1], the same on every machine.
double spread(std::mt19937_64& engine) { return 2 * (static_cast<double>(engine() >> 11) * 0x1p-53) - 1; }

// Around steady sliding: up to `reach` times what the belt's speed makes at the slowest of the motion's time scales.
State start_of(const System& system, const CycleOptions& options, int number, double p) {
  if (number == 0) return options.start;
  std::seed_seq seed{number, static_cast<int>(1e6 * std::fmod(std::abs(p), 1e3))};
  std::mt19937_64 engine(seed);
  SystemAt at = sized_for(system);
  const Index n = system.dofs();
  system.evaluate(0, options.start.q, VectorX::Zero(n), at);
  const double speed = at.contacts[0].surface_velocity.norm();
  LinearizeOptions guess;
  guess.guess = options.start.q;
  VectorX middle = options.start.q;
  try {
    const LinearSliding steady = linearize_sliding(system, guess);
    if (steady.report.converged) middle = steady.position;
  } catch (const InvalidInput&) {
  }
  const double reach = number % 2 == 0 ? 0.5 : 1.5;
  State state{0, middle, VectorX::Zero(n)};
  const double time = 300 * options.step / (2 * kPi);  // of the fastest mode, if chosen by modes
  for (Index k = 0; k < n; ++k) {
    state.q[k] += reach * speed * time * spread(engine);
    state.u[k] = reach * speed * spread(engine);
  }
  return state;
}

SettledMotion settled_motion(const System& system, const CycleOptions& options, double p, int number,
                             const std::function<bool()>& go_on) {
  SettledMotion motion;
  motion.parameter = p;
  motion.start = number;
  RunOptions run{.duration = options.duration};
  if (go_on) run.progress = [&](double, double) { return go_on(); };
  const Run s = simulate(system, start_of(system, options, number, p),
                         Moreau{.step = options.step, .closing_distance = options.closing_distance}, run);
  motion.end = s.end;
  const Table::Rows rows = s.table.rows();
  const auto n = static_cast<std::size_t>(system.dofs());
  const std::size_t mode = s.table.column(system.contacts().front().name + ".mode");
  double least = INFINITY, most = -INFINITY, largest = 0;
  for (std::size_t i = rows.size() * 3 / 4; i < rows.size(); ++i) {
    motion.sticks = motion.sticks || rows[i][mode] == static_cast<double>(ContactMode::stick);
    least = std::min(least, rows[i][1]);
    most = std::max(most, rows[i][1]);
    largest = std::max(largest, std::abs(rows[i][1]));
    if (i > 0 && rows[i - 1][1 + n] > 0 && rows[i][1 + n] <= 0)
      motion.maxima.push_back(std::max(rows[i][1], rows[i - 1][1]));
  }
  double least_before = INFINITY, most_before = -INFINITY;
  for (std::size_t i = rows.size() / 2; i < rows.size() * 3 / 4; ++i) {
    least_before = std::min(least_before, rows[i][1]);
    most_before = std::max(most_before, rows[i][1]);
  }
  motion.fades = most - least < 0.999 * (most_before - least_before);
  if (!(most - least > 1e-4 * std::max(1e-9, largest))) motion.maxima.clear();
  std::sort(motion.maxima.begin(), motion.maxima.end());
  const double same = 2e-3 * (most - least);
  motion.maxima.erase(
      std::unique(motion.maxima.begin(), motion.maxima.end(), [&](double a, double b) { return b - a < same; }),
      motion.maxima.end());
  return motion;
}

// Some branch passes by the motion's largest maximum.
bool is_explained(const std::vector<CycleBranch>& branches, const SettledMotion& motion, double range) {
  if (motion.maxima.empty()) return true;
  for (const CycleBranch& b : branches)  // or ends near it
    for (const BranchPoint* end : {&b.points.front(), &b.points.back()}) {
      const double size = end->cycle.largest[0] - end->cycle.smallest[0];
      if (std::abs(end->parameter - motion.parameter) < 0.03 * range &&
          std::abs(end->cycle.largest[0] - motion.maxima.back()) < 0.05 * size)
        return true;
    }
  for (const CycleBranch& b : branches)
    for (std::size_t i = 1; i < b.points.size(); ++i) {
      const BranchPoint &x = b.points[i - 1], &y = b.points[i];
      const double part = (motion.parameter - x.parameter) / (y.parameter - x.parameter);
      if (!(part >= -0.02 && part <= 1.02)) continue;
      const double largest = (1 - part) * x.cycle.largest[0] + part * y.cycle.largest[0];
      const double size = x.cycle.largest[0] - x.cycle.smallest[0];
      if (std::abs(largest - motion.maxima.back()) < 0.02 * size + std::abs(y.cycle.largest[0] - x.cycle.largest[0]))
        return true;
    }
  return false;
}

class Drawing {
 public:
  Drawing(const SystemAtParameter& system_at, const CycleOptionsAt& options_at, const DiagramOptions& options)
      : system_at_(system_at), options_at_(options_at), options_(options) {}

  // A branch through the cycle that the motion from `start` (empty: the options' own) leads to; with `way` not 0 only
  // that way. True: it leads to steady sliding.
  bool begin_branch(double p, const State* start, double way = 0) {
    if (static_cast<int>(diagram_.branches.size()) >= options_.max_branches || stopped_) return false;
    try {
      const auto system = system_at_(p);
      CycleOptions o = options_at_(p);
      if (start) o.start = *start;
      o.progress = [&](double, double, const char*) { return goes_on(); };
      const Cycle cycle = find_cycle(*system, o);
      if (!cycle.found) return cycle.dies_out;
      BranchOptions b;
      b.from = options_.from;
      b.to = options_.to;
      if (way != 0) ((way > 0) == (b.from < b.to) ? b.from : b.to) = p;
      b.step = options_.step;
      b.progress = [&](int done) { return show(done, 0, "points of the branch"); };
      b.go_on = [&] { return goes_on(); };
      CycleBranch branch = continue_cycle(system_at_, p, cycle, b);
      if (branch.points.empty()) return false;
      diagram_.branches.push_back(std::move(branch));
      go_on_without_stick(diagram_.branches.size() - 1);
    } catch (const InvalidInput&) {  // the motion leads nowhere here
    }
    return false;
  }

  void simulate_all() {
    const int all = options_.count * options_.starts;
    std::vector<std::optional<SettledMotion>> motions(static_cast<std::size_t>(all));
    std::vector<std::string> why(motions.size());
    const int chunk = std::max(1, 4 * options_.starts);
    for (int first = 0; first < all && goes_on(); first += chunk) {
      const int size = std::min(chunk, all - first);
      for_each_parallel(size, options_.threads, [&](int i) {
        const int number = first + i;
        const double p = options_.from +
                         (options_.to - options_.from) * (number / options_.starts) / std::max(1, options_.count - 1);
        try {
          motions[static_cast<std::size_t>(number)] =
              settled_motion(*system_at_(p), options_at_(p), p, number % options_.starts, options_.go_on);
        } catch (const InvalidInput& error) {  // as where there is no steady sliding to start from
          why[static_cast<std::size_t>(number)] = error.what();
        }
      });
      if (!show(first + size, all, "simulations") || !goes_on()) motions.resize(static_cast<std::size_t>(first));
    }
    for (std::size_t i = 0; i < motions.size(); ++i) {
      if (motions[i]) {
        diagram_.motions.push_back(std::move(*motions[i]));
        continue;
      }
      if (diagram_.without_answer++ == 0) diagram_.why = why[i];
    }
  }

  void explain() {
    for (SettledMotion& motion : diagram_.motions) {
      motion.explained = is_explained(diagram_.branches, motion, std::abs(options_.to - options_.from));
      // A motion that fades has other maxima from turn to turn.
      if (motion.explained || stopped_ || (motion.maxima.size() > 4 && !motion.fades)) continue;
      const std::size_t before = diagram_.branches.size();
      if (begin_branch(motion.parameter, &motion.end)) motion.maxima.clear();
      if (diagram_.branches.size() > before)
        motion.explained = is_explained(diagram_.branches, motion, std::abs(options_.to - options_.from));
    }
    for (SettledMotion& motion : diagram_.motions)
      motion.explained = is_explained(diagram_.branches, motion, std::abs(options_.to - options_.from));
  }

  std::size_t branches() const { return diagram_.branches.size(); }

  CycleDiagram result() && {
    diagram_.ended_early = stopped_;
    return std::move(diagram_);
  }

 private:
  bool show(double done, double all, const char* what) {
    if (options_.progress && !options_.progress(done, all, what)) stopped_ = true;
    return !stopped_;
  }
  bool goes_on() {
    if (options_.go_on && !options_.go_on()) stopped_ = true;
    return !stopped_;
  }

  // Where stick vanishes the cycle goes on without it.
  void go_on_without_stick(std::size_t which) {
    const std::vector<BranchEvent> events = diagram_.branches[which].events;
    for (const BranchEvent& e : events) {
      if (e.kind != CycleEvent::stick_vanishes) continue;
      const auto& points = diagram_.branches[which].points;
      const double way = e.parameter > points[points.size() / 2].parameter ? 1 : -1;
      for (const double part : {0.02, 0.05}) {
        const double p = e.parameter + way * part * std::abs(options_.to - options_.from);
        if (p < std::min(options_.from, options_.to) || p > std::max(options_.from, options_.to)) break;
        const std::size_t before = diagram_.branches.size();
        begin_branch(p, &e.cycle.at, way);  // not back: where the slip grazes zero the flow has no derivative
        if (diagram_.branches.size() > before) break;
      }
    }
  }

  const SystemAtParameter& system_at_;
  const CycleOptionsAt& options_at_;
  const DiagramOptions& options_;
  CycleDiagram diagram_;
  bool stopped_ = false;
};

}  // namespace

CycleDiagram cycle_diagram(const SystemAtParameter& system_at, const CycleOptionsAt& options_at,
                           const DiagramOptions& options) {
  if (options.count < 2) throw InvalidInput("cycle diagram: count must be at least 2");
  if (options.starts < 1) throw InvalidInput("cycle diagram: starts must be at least 1");
  if (!(std::isfinite(options.from) && std::isfinite(options.to) && options.from != options.to))
    throw InvalidInput("cycle diagram: from and to must be finite and different");
  Drawing drawing(system_at, options_at, options);
  for (const double part : {0.0, 1.0, 0.5})
    if (drawing.branches() == 0) drawing.begin_branch(options.from + part * (options.to - options.from), nullptr);
  drawing.simulate_all();
  drawing.explain();
  return std::move(drawing).result();
}

}  // namespace slipset
