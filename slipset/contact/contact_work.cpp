#include "slipset/contact/contact_work.hpp"

#include <algorithm>
#include <cmath>

namespace slipset {
namespace {

using Index = Eigen::Index;

Index at(std::size_t contact) { return static_cast<Index>(3 * contact); }

// A local solution in units of a product of a block and a vector.
double local_cost(const ScaledContact& contact) { return contact.kind == LawKind::general ? 80 : 10; }

}  // namespace

ContactWork::ContactWork(const ContactProblem& from, const ContactOptions& with, const Eigen::VectorXd& guess)
    : given(from), options(with) {
  contacts.reserve(from.contacts.size());
  states.reserve(from.contacts.size());
  blocks.reserve(from.contacts.size());
  for (std::size_t i = 0; i < from.contacts.size(); ++i) {
    contacts.push_back(scaled_contact(from.contacts[i]));
    states.push_back(first_state(contacts[i], from.contacts[i]));
    const Mat3 t = contacts[i].scaling();
    blocks.emplace_back(t.transpose() * delassus().diagonal(i) * t);
    mobility += blocks.back().mobility;
  }
  if (size() > 0) mobility /= static_cast<double>(size());
  impulse = velocity = Eigen::VectorXd::Zero(at(size()));
  if (guess.size() == impulse.size() && guess.allFinite()) impulse = guess;
  if (size() >= kManyContacts) order_ = SweepOrder(delassus());
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

bool ContactWork::solve_one(std::size_t i, double accuracy) {
  Vec3 c = given.free_velocity.segment<3>(at(i));
  for (const BlockDelassus::Block& b : delassus().row(i))
    if (b.column != i) c.noalias() += b.values * impulse.segment<3>(at(b.column));
  c = contacts[i].scaled_velocity(c);
  if (rho != 0) c -= rho * centre_.segment<3>(at(i));
  if (!solve_block(contacts[i], blocks[i], c, accuracy, states[i])) return false;
  impulse.segment<3>(at(i)) = contacts[i].impulse(states[i].impulse);
  return true;
}

int ContactWork::sweep(double accuracy, bool backward) {
  work += static_cast<double>(delassus().size());
  if (!contacts.empty()) work += static_cast<double>(size()) * local_cost(contacts[0]);
  return order_.visit(size(), backward, options.threads, [&](std::size_t i) { return solve_one(i, accuracy); });
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
  std::vector<FullErrorSums> sums(pieces_of(size()));
  in_pieces(size(), options.threads, [&](std::size_t piece, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      Vec3 u = given.free_velocity.segment<3>(at(i));
      for (const BlockDelassus::Block& b : delassus().row(i))
        u.noalias() += b.values * impulse.segment<3>(at(b.column));
      velocity.segment<3>(at(i)) = u;
      sums[piece].add(impulse.segment<3>(at(i)), u, contacts[i].coefficient());
    }
  });
  FullErrorSums all;
  for (const FullErrorSums& s : sums) all.add(s);
  return all.error(given.free_velocity.norm());
}

// The local map's step first, as (C.4) would see it: no projections. What passes is looked at with (C.4) itself.
double ContactWork::residual_here() {
  std::vector<double> largest(pieces_of(size()), 0.0);
  in_pieces(size(), options.threads, [&](std::size_t piece, std::size_t first, std::size_t last) {
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
      if (solve_block(contact, rho == 0 ? blocks[i] : LocalBlock(t.transpose() * g * t),
                      contact.scaled_velocity(others), map_accuracy, state))
        error = scale == 0 ? 0 : (own - g * contact.impulse(state.impulse)).norm() / scale;
      worst = larger(worst, error);
    }
    largest[piece] = worst;
  });
  double worst = 0;
  for (const double error : largest) worst = larger(worst, error);
  return worst <= options.tolerance ? contact_residual(given, impulse) : worst;
}

}  // namespace slipset
