#include "slipset/contact/internal/hard_spots.hpp"

#include <algorithm>

namespace slipset::internal {
namespace {

constexpr int kLookEvery = 50;           // sweeps
constexpr int kRounds = 8, kRest = 100;  // sweeps after so many rounds that did not do
constexpr int kRings = 4;
constexpr int kBetween = 10;    // sweeps over all contacts
constexpr double kFew = 0.004;  // of all contacts, or
constexpr std::size_t kFewest = 20;
constexpr double kMarked = 0.7;                                   // of the tolerance: what is nearly beyond it, too
constexpr double kPartTolerance = 0.5;                            // of the tolerance
constexpr int kPartIterations = 200, kSweptPartIterations = 600;  // mixed rows are swept
constexpr std::size_t kLargestPart = 20000;

}  // namespace

std::vector<std::vector<std::uint32_t>> parts_around(const BodyDelassus& bodies, std::vector<char> marked, int rings) {
  const auto n = static_cast<std::uint32_t>(bodies.contacts());
  const auto neighbours = [&](std::uint32_t i, const auto& f) {
    for (const std::uint32_t body : {bodies.contact(i).first, bodies.contact(i).second})
      for (const std::uint32_t j : bodies.contacts_of(body)) f(j);
  };
  std::vector<std::uint32_t> edge, next;
  for (std::uint32_t i = 0; i < n; ++i)
    if (marked[i]) edge.push_back(i);
  for (int k = 0; k < rings; ++k) {
    next.clear();
    for (const std::uint32_t i : edge)
      neighbours(i, [&](std::uint32_t j) {
        if (marked[j]) return;
        marked[j] = 1;
        next.push_back(j);
      });
    edge.swap(next);
  }
  std::vector<std::vector<std::uint32_t>> parts;
  for (std::uint32_t start = 0; start < n; ++start) {
    if (!marked[start]) continue;
    marked[start] = 0;
    std::vector<std::uint32_t>& part = parts.emplace_back(1, start);
    for (std::size_t k = 0; k < part.size(); ++k)
      neighbours(part[k], [&](std::uint32_t j) {
        if (!marked[j]) return;
        marked[j] = 0;
        part.push_back(j);
      });
  }
  return parts;
}

template <class Prepared>
std::size_t HardSpots<Prepared>::count_beyond(const Work& work, double tolerance) {
  work.exact_residuals(residuals_, kMarked * tolerance);
  return static_cast<std::size_t>(
      std::count_if(residuals_.begin(), residuals_.end(), [&](double r) { return !(r <= tolerance); }));
}

template <class Prepared>
bool HardSpots<Prepared>::solve(Work& work, const ContactProblem& problem, const ContactOptions& options, SweepRun& run,
                                ContactReport& report, const Solve& each) {
  if (report.sweeps < due_ || options.measure != ContactMeasure::residual) return false;
  due_ = report.sweeps + kLookEvery;
  const std::size_t few = std::max(kFewest, static_cast<std::size_t>(kFew * static_cast<double>(work.size())));
  if (count_beyond(work, options.tolerance) > few) return false;
  for (int round = 0; round < kRounds && !run.must_end(); ++round) {
    std::vector<char> marked(work.size());
    for (std::size_t i = 0; i < marked.size(); ++i) marked[i] = !(residuals_[i] <= kMarked * options.tolerance);
    const auto parts = parts_around(work.store.bodies(), std::move(marked), kRings);
    if (std::any_of(parts.begin(), parts.end(), [](const auto& part) { return part.size() > kLargestPart; })) break;
    solve_parts(work, problem, options, parts, each);
    report.parts += static_cast<int>(parts.size());
    for (int k = 0; k < kBetween; ++k) work.sweep(0.01 * options.tolerance);
    run.count(report.sweeps, kBetween);
    run.look(ContactMethod::gauss_seidel);
    if (run.done() || count_beyond(work, options.tolerance) > 4 * few) break;
  }
  due_ = report.sweeps + kRest;
  return true;
}

// With the velocities that the other contacts give.
template <class Prepared>
void HardSpots<Prepared>::solve_parts(Work& work, const ContactProblem& problem, const ContactOptions& options,
                                      const std::vector<std::vector<std::uint32_t>>& parts, const Solve& each) {
  constexpr int kRows = Prepared::kRows;
  const RowLayout& layout = work.layout();
  Eigen::VectorXd impulse = work.impulse;
  for (const auto& part : parts)
    for (const std::uint32_t i : part) set_part<kRows>(work.impulse, layout, i, 0 * part_of<kRows>(impulse, layout, i));
  work.impulse_changed();
  ContactOptions with = options;
  with.tolerance = kPartTolerance * options.tolerance;
  with.max_iterations = Prepared::kMixedRows ? kSweptPartIterations : kPartIterations;
  for (const auto& part : parts) {
    if (options.is_stopped()) break;
    auto bodies = std::make_shared<BodyDelassus>();
    bodies->take_reordered(work.store.bodies(), part);
    ContactProblem own;
    ContactSolution solution;
    own.free_velocity.resize(bodies->rows());
    solution.impulse.resize(bodies->rows());
    for (std::size_t k = 0; k < part.size(); ++k) {
      own.contacts.push_back(problem.contacts[work.store.contact(part[k])]);
      set_part<kRows>(own.free_velocity, bodies->layout(), k, work.store.velocity(part[k], work.impulse));
      set_part<kRows>(solution.impulse, bodies->layout(), k, part_of<kRows>(impulse, layout, part[k]));
    }
    own.delassus = bodies;
    each(own, with, solution);
    for (std::size_t k = 0; k < part.size(); ++k)
      set_part<kRows>(impulse, layout, part[k], part_of<kRows>(solution.impulse, bodies->layout(), k));
  }
  work.impulse = impulse;
  work.impulse_changed();
}

template class HardSpots<PreparedPlanar>;
template class HardSpots<PreparedRolling>;
template class HardSpots<PreparedGeneral>;

}  // namespace slipset::internal
