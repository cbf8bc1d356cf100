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
constexpr std::size_t kPiece = 256;  // contacts that one thread does at a time

// A local solution in units of a product of a block and a vector.
double local_cost(const ScaledContact& contact) { return contact.kind == LawKind::general ? 80 : 10; }

std::size_t pieces_of(std::size_t contacts) { return (contacts + kPiece - 1) / kPiece; }

using ThreadLimit = tbb::global_control;
ThreadLimit thread_limit(const ContactOptions& options) {
  const std::size_t threads = options.threads > 0 ? static_cast<std::size_t>(options.threads)
                                                  : std::max(1U, std::thread::hardware_concurrency());
  return {ThreadLimit::max_allowed_parallelism, threads};
}

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
    : given(from), options(with), states(from.contacts.size()) {
  contacts.reserve(from.contacts.size());
  blocks.reserve(from.contacts.size());
  for (std::size_t i = 0; i < from.contacts.size(); ++i) {
    contacts.push_back(scaled_contact(from.contacts[i]));
    const Mat3 t = contacts[i].scaling();
    blocks.emplace_back(t.transpose() * delassus().diagonal(i) * t);
    mobility += blocks.back().mobility;
  }
  if (size() > 0) mobility /= static_cast<double>(size());
  impulse = Eigen::VectorXd::Zero(at(size()));
  velocity = impulse;
  if (size() >= kMany) order_ = SweepOrder(delassus());
  parallel_ = size() >= kMany && options.threads != 1;
}

// f(piece, first contact, one behind the last), the same pieces on any number of threads.
template <class Function>
void ContactWork::in_pieces(Function&& f) const {
  const std::size_t pieces = pieces_of(size());
  const auto piece = [&](std::size_t k) { f(k, k * kPiece, std::min(size(), (k + 1) * kPiece)); };
  if (parallel_) {
    const ThreadLimit limit = thread_limit(options);
    tbb::parallel_for(std::size_t{0}, pieces, piece);
  } else {
    for (std::size_t k = 0; k < pieces; ++k) piece(k);
  }
}

void ContactWork::set_proximal(double to, const Eigen::VectorXd& centre) {
  if (to == 0)
    centre_.resize(0);
  else
    centre_ = centre;
  if (to == rho) return;
  rho = to;
  for (std::size_t i = 0; i < size(); ++i) {
    const Mat3 t = contacts[i].scaling();
    Mat3 g = t.transpose() * delassus().diagonal(i) * t;
    g.diagonal().array() += rho;
    blocks[i] = LocalBlock(g);
  }
  work += 5 * static_cast<double>(size());
}

Vec3 ContactWork::scaled_impulse(std::size_t i, const Eigen::VectorXd& x) const {
  return contacts[i].scaled_impulse(x.segment<3>(at(i)));
}

Vec3 ContactWork::scaled_velocity(std::size_t i, const Vec3& p, const Eigen::VectorXd& u) const {
  Vec3 v = contacts[i].scaled_velocity(u.segment<3>(at(i)));
  if (rho != 0) v += rho * (p - centre_.segment<3>(at(i)));
  return v;
}

Eigen::VectorXd ContactWork::scaled_impulses(const Eigen::VectorXd& x) const {
  Eigen::VectorXd scaled(x.size());
  for (std::size_t i = 0; i < size(); ++i) scaled.segment<3>(at(i)) = scaled_impulse(i, x);
  return scaled;
}

void ContactWork::solve_one(std::size_t i, double accuracy, int& unsolved) {
  Vec3 c = given.free_velocity.segment<3>(at(i));
  for (const BlockDelassus::Block& b : delassus().row(i))
    if (b.column != i) c.noalias() += b.values * impulse.segment<3>(at(b.column));
  c = contacts[i].scaled_velocity(c);
  if (rho != 0) c -= rho * centre_.segment<3>(at(i));
  if (solve_block(contacts[i], blocks[i], c, accuracy, states[i]))
    impulse.segment<3>(at(i)) = contacts[i].impulse(states[i].impulse);
  else
    ++unsolved;
}

int ContactWork::sweep(double accuracy, bool backward) {
  work += static_cast<double>(delassus().size());
  if (!contacts.empty()) work += static_cast<double>(size()) * local_cost(contacts[0]);
  int unsolved = 0;
  if (!parallel_) {
    const bool coloured = !order_.colour_starts.empty();
    for (std::size_t k = 0; k < size(); ++k) {
      const std::size_t i = backward ? size() - 1 - k : k;
      solve_one(coloured ? order_.order[i] : i, accuracy, unsolved);
    }
    return unsolved;
  }
  const ThreadLimit limit = thread_limit(options);
  std::atomic<int> all = 0;
  const std::size_t colours = order_.colour_starts.size() - 1;
  for (std::size_t k = 0; k < colours; ++k) {
    const std::size_t c = backward ? colours - 1 - k : k;
    tbb::parallel_for(tbb::blocked_range<std::size_t>(order_.colour_starts[c], order_.colour_starts[c + 1], kPiece),
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
  delassus().multiply_add(x, given.free_velocity, u);
  double sum = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    const Vec3 here = scaled_impulse(i, x);
    const Vec3 c = scaled_velocity(i, here, u) - blocks[i].g * here;
    if (!solve_block(contacts[i], blocks[i], c, map_accuracy, to[i])) return INFINITY;
    sum += (blocks[i].g * (here - to[i].impulse)).squaredNorm();
  }
  return std::sqrt(sum);
}

double ContactWork::error() {
  work += static_cast<double>(delassus().size()) + 10 * static_cast<double>(size());
  return options.measure == ContactMeasure::full_error ? full_error_here() : residual_here();
}

double ContactWork::full_error_here() {
  struct Sums {
    double error = 0, impulses = 0, velocities = 0;
  };
  std::vector<Sums> sums(pieces_of(size()));
  in_pieces([&](std::size_t piece, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      Vec3 u = given.free_velocity.segment<3>(at(i));
      for (const BlockDelassus::Block& b : delassus().row(i)) u.noalias() += b.values * impulse.segment<3>(at(b.column));
      velocity.segment<3>(at(i)) = u;
      const Vec3 p = impulse.segment<3>(at(i));
      const double mu = contacts[i].kind == LawKind::frictionless ? 0 : contacts[i].tangential(0, 0);
      sums[piece].impulses += p.squaredNorm();
      sums[piece].velocities += u.squaredNorm();
      Vec3 y = p - u;
      y[0] -= mu * u.tail<2>().norm();
      sums[piece].error += (p - project_on_cone(y, mu)).squaredNorm();
    }
  });
  Sums all;
  for (const Sums& s : sums) all = {all.error + s.error, all.impulses + s.impulses, all.velocities + s.velocities};
  const double scale = std::max({given.free_velocity.norm(), std::sqrt(all.impulses), std::sqrt(all.velocities)});
  return scale > 0 ? std::sqrt(all.error) / scale : std::sqrt(all.error);
}

// The local map's step first, as (C.4) would see it: no projections. What passes is looked at with (C.4) itself.
double ContactWork::residual_here() {
  std::vector<double> largest(pieces_of(size()), 0.0);
  in_pieces([&](std::size_t piece, std::size_t first, std::size_t last) {
    double worst = 0;
    for (std::size_t i = first; i < last; ++i) {
      Vec3 others = given.free_velocity.segment<3>(at(i)), own = Vec3::Zero();
      double scale = others.norm();
      for (const BlockDelassus::Block& b : delassus().row(i)) {
        const Vec3 part = b.values * impulse.segment<3>(at(b.column));
        scale += part.norm();
        (b.column == i ? own : others) += part;
      }
      velocity.segment<3>(at(i)) = others + own;
      const ScaledContact& contact = contacts[i];
      const Mat3& g = delassus().diagonal(i);
      const Mat3 t = contact.scaling();
      LocalState state = states[i];
      double error = INFINITY;
      if (solve_block(contact, rho == 0 ? blocks[i] : LocalBlock(t.transpose() * g * t), contact.scaled_velocity(others),
                      map_accuracy, state))
        error = scale == 0 ? 0 : (own - g * contact.impulse(state.impulse)).norm() / scale;
      if (error > worst || std::isnan(error)) worst = error;  // a NaN stays
    }
    largest[piece] = worst;
  });
  double worst = 0;
  for (const double error : largest)
    if (error > worst || std::isnan(error)) worst = error;
  return worst <= options.tolerance ? contact_residual(given, impulse) : worst;
}

}  // namespace slipset
