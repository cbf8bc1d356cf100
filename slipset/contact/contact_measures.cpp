#include "slipset/contact/contact_measures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "slipset/contact/block_delassus.hpp"
#include "slipset/contact/internal/measure_sums.hpp"
#include "slipset/core/error.hpp"

namespace slipset {

namespace {

void require_one_per_row(const ContactProblem& problem, const Eigen::VectorXd& x, const char* what) {
  const Eigen::Index rows = problem.delassus ? problem.delassus->rows() : 0;
  if (x.size() != rows)
    throw InvalidInput(
        fmt::format("contact problem: {} numbers of {} for {} contacts with {} rows; expected one per row", x.size(),
                    what, problem.contacts.size(), rows));
}

}  // namespace

std::optional<FrictionCone> cone_of(const Contact& contact) {
  if (contact.normal_impulse) return std::nullopt;
  std::optional<FrictionCone> cone = contact.law ? contact.law->cone() : FrictionCone{};
  if (cone) {
    cone->sliding *= contact.reservoir_factor;
    cone->rolling *= contact.reservoir_factor;
  }
  return cone;
}

bool has_full_error(std::span<const Contact> contacts) {
  return std::all_of(contacts.begin(), contacts.end(),
                     [](const Contact& contact) { return cone_of(contact).has_value(); });
}

internal::Limits internal::limits_of(const ContactProblem& problem, std::optional<double> mean) {
  double largest = 0, impulses = 0, most_mobile = 0;
  const DelassusOperator& w = *problem.delassus;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const ContactMat own = mean ? ContactMat() : ContactMat(w.diagonal(i));
    const double mobility = mean ? *mean : own.trace() / w.rows(i);
    // What moves least takes the largest impulse.
    double least = mobility;
    for (Eigen::Index k = 0; k < own.rows(); ++k)
      if (own(k, k) > 0) least = std::min(least, own(k, k));
    const double given = problem.contacts[i].normal_impulse.value_or(0);
    largest = larger(largest, part_of<Eigen::Dynamic>(problem.free_velocity, w.layout(), i).norm() + mobility * given);
    most_mobile = std::max(most_mobile, mobility);
    if (least > 0) impulses += 1 / (least * least);
  }
  if (largest == 0) return {};
  largest *= static_cast<double>(problem.contacts.size() + 1);
  return {largest, impulses > 0 ? largest * std::sqrt(impulses) : largest, most_mobile};
}

double contact_residual(const ContactProblem& problem, const Eigen::VectorXd& impulse) {
  require_fit(problem);
  require_one_per_row(problem, impulse, "impulse");
  if (!problem.delassus) return 0;
  const BlockDelassus* w = problem.delassus->as_blocks();
  if (!w) return contact_residual(assembled(problem), impulse);
  const internal::Limits limits = internal::limits_of(problem);
  double worst = 0;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    ContactVec u = part_of<Eigen::Dynamic>(problem.free_velocity, w->layout(), i);
    VelocitySums sums{u.norm(), u.cwiseAbs()};
    for (std::size_t k = 0; k < w->blocks(i); ++k) {
      const auto block = w->at(i, k);
      const ContactVec p = part_of<Eigen::Dynamic>(impulse, w->layout(), block.column), part = block.values * p;
      u += part;
      sums.total += part.norm();
      sums.rows += block.values.cwiseAbs() * p.cwiseAbs();
    }
    const double hidden = limits.limit(sums);
    const Contact& contact = problem.contacts[i];
    worst = internal::larger(worst, hidden + law_of(contact, w->rows(i))
                                                 .residual(contact, w->diagonal(i),
                                                           part_of<Eigen::Dynamic>(impulse, w->layout(), i), u, sums));
  }
  return worst;
}

namespace {

internal::FullErrorSums full_error_sums(const ContactProblem& problem, const Eigen::VectorXd& impulse,
                                        const Eigen::VectorXd& velocity) {
  internal::FullErrorSums sums;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i)
    sums.add(part_of<Eigen::Dynamic>(impulse, problem.delassus->layout(), i),
             part_of<Eigen::Dynamic>(velocity, problem.delassus->layout(), i), cone_of(problem.contacts[i]));
  return sums;
}

}  // namespace

double full_error(const ContactProblem& problem, const Eigen::VectorXd& impulse, const Eigen::VectorXd& velocity) {
  require_fit(problem);
  require_one_per_row(problem, impulse, "impulse");
  require_one_per_row(problem, velocity, "velocity");
  if (!problem.delassus) return 0;
  return full_error_sums(problem, impulse, velocity).error(problem.free_velocity.norm());
}

double internal::limited_full_error(const ContactProblem& problem, const Eigen::VectorXd& impulse) {
  Eigen::VectorXd velocity(impulse.size());
  problem.delassus->multiply_add(impulse, problem.free_velocity, velocity);
  return full_error_sums(problem, impulse, velocity).error(problem.free_velocity.norm(), limits_of(problem));
}

double full_error(const ContactProblem& problem, const Eigen::VectorXd& impulse) {
  require_fit(problem);
  require_one_per_row(problem, impulse, "impulse");
  if (!problem.delassus) return 0;
  Eigen::VectorXd velocity(impulse.size());
  problem.delassus->multiply_add(impulse, problem.free_velocity, velocity);
  return full_error(problem, impulse, velocity);
}

}  // namespace slipset
