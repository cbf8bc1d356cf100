#include "slipset/contact/contact_measures.hpp"

#include <algorithm>
#include <cmath>

#include "slipset/contact/contact_rows.hpp"
#include "slipset/core/error.hpp"

namespace slipset {
namespace {

using Index = Eigen::Index;

Index at(std::size_t contact) { return static_cast<Index>(3 * contact); }

// (C.3) without friction.
double frictionless_defect(const LocalProblem& p, const Vec3& impulse, const Vec3& velocity) {
  const double mobility = p.delassus.trace() / 3;
  const double normal = p.normal_impulse ? mobility * std::abs(impulse[0] - *p.normal_impulse)
                                         : std::abs(std::min(velocity[0], mobility * impulse[0]));
  return normal + mobility * impulse.tail<2>().norm();
}

const Disk* disk_of(const ContactPoint& contact) {
  const auto* c = contact.law->law().reservoir().as<Disk>();
  return c && contact.law->law().direction().as<Disk>() ? c : nullptr;
}

double coefficient(const ContactPoint& contact) {
  if (contact.normal_impulse) return std::numeric_limits<double>::quiet_NaN();
  if (!contact.law) return 0;
  const Disk* disk = disk_of(contact);
  return disk ? disk->radius() * contact.reservoir_factor : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

Vec3 project_on_cone(const Vec3& y, double mu) {
  const double t = y.tail<2>().norm();
  if (t <= mu * y[0]) return y;
  if (mu * t <= -y[0]) return Vec3::Zero();
  const double n = (mu * t + y[0]) / (1 + mu * mu);
  Vec3 p;
  p << n, mu * n / t * y.tail<2>();
  return p;
}

double contact_defect(const ContactLaw* law, const LocalProblem& problem, const Vec3& impulse, const Vec3& velocity) {
  return law ? local_defect(*law, problem, impulse, velocity) : frictionless_defect(problem, impulse, velocity);
}

void FullErrorSums::add(const Vec3& p, const Vec3& u, double mu) {
  Vec3 y = p - u;
  y[0] -= mu * u.tail<2>().norm();
  errors += std::isnan(mu) ? mu : (p - project_on_cone(y, mu)).squaredNorm();
  impulses += p.squaredNorm();
  velocities += u.squaredNorm();
}

void FullErrorSums::add(const FullErrorSums& other) {
  errors += other.errors;
  impulses += other.impulses;
  velocities += other.velocities;
}

double FullErrorSums::error(double free_velocity_norm) const {
  const double scale = std::max({free_velocity_norm, std::sqrt(impulses), std::sqrt(velocities)});
  return scale > 0 ? std::sqrt(errors) / scale : std::sqrt(errors);
}

double contact_residual(const ContactProblem& problem, const Eigen::VectorXd& impulse) {
  double worst = 0;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const LocalProblem local = local_problem_of(problem, impulse, i);
    const Vec3 p = impulse.segment<3>(at(i));
    const Vec3 u = local.delassus * p + local.free_velocity;
    const double defect = contact_defect(problem.contacts[i].law, local, p, u);
    const double scale = velocity_scale(problem.delassus, problem.free_velocity, impulse, i);
    worst = larger(worst, scale > 0 ? defect / scale : defect);
  }
  return worst;
}

double full_error(const ContactProblem& problem, const Eigen::VectorXd& impulse, const Eigen::VectorXd& velocity) {
  FullErrorSums sums;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i)
    sums.add(impulse.segment<3>(at(i)), velocity.segment<3>(at(i)), coefficient(problem.contacts[i]));
  return sums.error(problem.free_velocity.norm());
}

double full_error(const ContactProblem& problem, const Eigen::VectorXd& impulse) {
  Eigen::VectorXd velocity(impulse.size());
  problem.delassus.multiply_add(impulse, problem.free_velocity, velocity);
  return full_error(problem, impulse, velocity);
}

bool is_isotropic(std::span<const ContactPoint> contacts) {
  return std::none_of(contacts.begin(), contacts.end(),
                      [](const ContactPoint& contact) { return std::isnan(coefficient(contact)); });
}

void require_measurable(std::span<const ContactPoint> contacts, ContactMeasure measure) {
  if (measure == ContactMeasure::full_error && !is_isotropic(contacts))
    throw InvalidInput("contact problem: the full error is for isotropic unilateral contacts; choose the residual");
}

}  // namespace slipset
