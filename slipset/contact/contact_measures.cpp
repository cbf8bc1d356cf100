#include "slipset/contact/contact_measures.hpp"

#include <algorithm>
#include <cmath>

#include "slipset/contact/contact_rows.hpp"

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

double contact_residual(const ContactProblem& problem, const Eigen::VectorXd& impulse) {
  double worst = 0;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const LocalProblem local = local_problem_of(problem, impulse, i);
    const Vec3 p = impulse.segment<3>(at(i));
    const Vec3 u = local.delassus * p + local.free_velocity;
    const ContactLaw* law = problem.contacts[i].law;
    const double defect = law ? local_defect(*law, local, p, u) : frictionless_defect(local, p, u);
    const double scale = velocity_scale(problem.delassus, problem.free_velocity, impulse, i);
    const double residual = scale > 0 ? defect / scale : defect;
    if (residual > worst || std::isnan(residual)) worst = residual;  // a NaN stays
  }
  return worst;
}

double full_error(const ContactProblem& problem, const Eigen::VectorXd& impulse, const Eigen::VectorXd& velocity) {
  double sum = 0;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const double mu = coefficient(problem.contacts[i]);
    const Vec3 p = impulse.segment<3>(at(i)), u = velocity.segment<3>(at(i));
    Vec3 y = p - u;
    y[0] -= mu * u.tail<2>().norm();
    sum += std::isnan(mu) ? mu : (p - project_on_cone(y, mu)).squaredNorm();
  }
  const double scale = std::max({problem.free_velocity.norm(), impulse.norm(), velocity.norm()});
  return scale > 0 ? std::sqrt(sum) / scale : std::sqrt(sum);
}

double full_error(const ContactProblem& problem, const Eigen::VectorXd& impulse) {
  Eigen::VectorXd velocity(impulse.size());
  problem.delassus.multiply_add(impulse, problem.free_velocity, velocity);
  return full_error(problem, impulse, velocity);
}

bool is_isotropic(const ContactProblem& problem) {
  return std::none_of(problem.contacts.begin(), problem.contacts.end(),
                      [](const ContactPoint& contact) { return std::isnan(coefficient(contact)); });
}

}  // namespace slipset
