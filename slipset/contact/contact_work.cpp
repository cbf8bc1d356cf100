#include "slipset/contact/contact_work.hpp"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

#include "slipset/contact/contact_rows.hpp"

namespace slipset {
namespace {

using Index = Eigen::Index;

Index at(std::size_t contact) { return static_cast<Index>(3 * contact); }

// Fewer contacts are swept one after the other: colours cost sweeps, and threads cost more than they bring.
constexpr std::size_t kMany = 2000;

// A local solution in units of a product of a block and a vector.
double local_cost(const ScaledContact& contact) { return contact.kind == LawKind::general ? 80 : 10; }

}  // namespace

SweepOrder::SweepOrder(const BlockDelassus& w) {
  const std::size_t n = w.contacts();
  std::vector<std::vector<std::uint32_t>> touched_by(n);  // contacts whose rows have this column, and not the reverse
  for (std::size_t i = 0; i < n; ++i)
    for (const auto& block : w.row(i))
      if (block.column > i) touched_by[block.column].push_back(static_cast<std::uint32_t>(i));
  constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::vector<std::uint32_t> colour(n, kNone), seen;
  for (std::size_t i = 0; i < n; ++i) {
    const auto used = [&](std::size_t j) {
      if (colour[j] == kNone) return;
      if (seen.size() <= colour[j]) seen.resize(colour[j] + 1, kNone);
      seen[colour[j]] = static_cast<std::uint32_t>(i);
    };
    for (const auto& block : w.row(i)) used(block.column);
    for (const std::uint32_t j : touched_by[i]) used(j);
    std::uint32_t c = 0;
    while (c < seen.size() && seen[c] == i) ++c;
    colour[i] = c;
  }
  const std::size_t colours = n == 0 ? 0 : 1 + *std::max_element(colour.begin(), colour.end());
  colour_starts.assign(colours + 1, 0);
  for (const std::uint32_t c : colour) ++colour_starts[c + 1];
  for (std::size_t c = 0; c < colours; ++c) colour_starts[c + 1] += colour_starts[c];
  order.resize(n);
  std::vector<std::size_t> next(colour_starts.begin(), colour_starts.end() - 1);
  for (std::size_t i = 0; i < n; ++i) order[next[colour[i]]++] = static_cast<std::uint32_t>(i);
}

ContactWork::ContactWork(const ContactProblem& from, const ContactOptions& with)
    : given(from), options(with), problem(from), states(from.contacts.size()) {
  blocks.reserve(contacts());
  for (std::size_t i = 0; i < contacts(); ++i) {
    blocks.emplace_back(problem.delassus.diagonal(i));
    mobility += blocks.back().mobility / static_cast<double>(contacts());
  }
  impulse = Eigen::VectorXd::Zero(at(contacts()));
  velocity = centre_ = impulse;
  if (contacts() >= kMany) order_ = SweepOrder(problem.delassus);
  parallel_ = contacts() >= kMany && options.threads != 1;
}

void ContactWork::set_proximal(double to, const Eigen::VectorXd& centre) {
  centre_ = centre;
  if (to == rho) return;
  rho = to;
  for (std::size_t i = 0; i < contacts(); ++i) {
    Mat3 g = problem.delassus.diagonal(i);
    g.diagonal().array() += rho;
    blocks[i] = LocalBlock(g);
  }
  work += 5 * static_cast<double>(contacts());
}

void ContactWork::solve_one(std::size_t i, double accuracy, int& unsolved) {
  Vec3 c = problem.free_velocity.segment<3>(at(i));
  for (const BlockDelassus::Block& b : std::as_const(problem.delassus).row(i))
    c.noalias() += b.values * impulse.segment<3>(at(b.column));
  const Vec3 before = impulse.segment<3>(at(i));
  if (rho != 0) c += rho * (before - centre_.segment<3>(at(i)));
  c.noalias() -= blocks[i].g * before;
  if (solve_block(problem.contacts[i], blocks[i], c, accuracy, states[i]))
    impulse.segment<3>(at(i)) = states[i].impulse;
  else
    ++unsolved;
}

int ContactWork::sweep(double accuracy, bool backward) {
  work += static_cast<double>(problem.delassus.size());
  if (!problem.contacts.empty()) work += static_cast<double>(contacts()) * local_cost(problem.contacts[0]);
  int unsolved = 0;
  if (!parallel_) {
    const bool coloured = !order_.colour_starts.empty();
    for (std::size_t k = 0; k < contacts(); ++k) {
      const std::size_t i = backward ? contacts() - 1 - k : k;
      solve_one(coloured ? order_.order[i] : i, accuracy, unsolved);
    }
    return unsolved;
  }
  const std::size_t threads = options.threads > 0 ? static_cast<std::size_t>(options.threads)
                                                  : std::max(1U, std::thread::hardware_concurrency());
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
  std::atomic<int> all = 0;
  const std::size_t colours = order_.colour_starts.size() - 1;
  for (std::size_t k = 0; k < colours; ++k) {
    const std::size_t c = backward ? colours - 1 - k : k;
    tbb::parallel_for(tbb::blocked_range<std::size_t>(order_.colour_starts[c], order_.colour_starts[c + 1], 256),
                      [&](const tbb::blocked_range<std::size_t>& range) {
                        int some = 0;
                        for (std::size_t i = range.begin(); i < range.end(); ++i)
                          solve_one(order_.order[i], accuracy, some);
                        all += some;
                      });
  }
  return all;
}

double ContactWork::local_map(const Eigen::VectorXd& x, Eigen::VectorXd& u, std::vector<LocalState>& to) const {
  problem.delassus.multiply_add(x, problem.free_velocity, u);
  if (rho != 0) u += rho * (x - centre_);
  double sum = 0;
  for (std::size_t i = 0; i < contacts(); ++i) {
    const Vec3 here = x.segment<3>(at(i));
    const Vec3 c = u.segment<3>(at(i)) - blocks[i].g * here;
    if (!solve_block(problem.contacts[i], blocks[i], c, map_accuracy, to[i])) return INFINITY;
    sum += (blocks[i].g * (here - to[i].impulse)).squaredNorm();
  }
  return std::sqrt(sum);
}

double ContactWork::error() {
  work += static_cast<double>(problem.delassus.size()) + 10 * static_cast<double>(contacts());
  if (options.measure == ContactMeasure::full_error) {
    problem.delassus.multiply_add(impulse, problem.free_velocity, velocity);
    double sum = 0, impulses = 0, velocities = 0;
    for (std::size_t i = 0; i < contacts(); ++i) {
      const double mu = problem.contacts[i].kind == LawKind::frictionless ? 0 : problem.contacts[i].tangential(0, 0);
      Vec3 p = impulse.segment<3>(at(i)), u = velocity.segment<3>(at(i));
      if (mu > 0) {
        p.tail<2>() *= mu;
        u.tail<2>() /= mu;
      }
      impulses += p.squaredNorm();
      velocities += u.squaredNorm();
      Vec3 y = p - u;
      y[0] -= mu * u.tail<2>().norm();
      sum += (p - project_on_cone(y, mu)).squaredNorm();
    }
    const double scale = std::max({given.free_velocity.norm(), std::sqrt(impulses), std::sqrt(velocities)});
    return scale > 0 ? std::sqrt(sum) / scale : std::sqrt(sum);
  }
  // The local map's step first, as (C.4) would see it: no projections. What passes is looked at with (C.4) itself.
  problem.delassus.multiply_add(impulse, problem.free_velocity, velocity);
  double worst = 0;
  for (std::size_t i = 0; i < contacts(); ++i) {
    const Mat3& g = problem.delassus.diagonal(i);
    const Vec3 here = impulse.segment<3>(at(i)), gp = g * here, c = velocity.segment<3>(at(i)) - gp;
    LocalState state = states[i];
    if (!solve_block(problem.contacts[i], rho == 0 ? blocks[i] : LocalBlock(g), c, map_accuracy, state))
      return INFINITY;
    const double scale = velocity_scale(problem.delassus, problem.free_velocity, impulse, i);
    const double step = (g * (here - state.impulse)).norm();
    const double error = scale == 0 ? 0 : step / scale;
    if (error > worst || std::isnan(error)) worst = error;  // a NaN stays
  }
  return worst <= options.tolerance ? contact_residual(given, problem.impulse(impulse)) : worst;
}

}  // namespace slipset
