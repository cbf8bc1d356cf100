#include "slipset/systems/spinning_body.hpp"

#include "slipset/core/angle.hpp"

namespace slipset {

SpinningBody::SpinningBody(RollingLaw law, const SpinningBodyParameters& parameters)
    : law_(std::make_shared<RollingContactLaw>(std::move(law))), p_(parameters) {
  const RollingLaw& rolling = law_->law();
  require_positive(p_.mass, "spinning-body: mass");
  require_positive(p_.radius, "spinning-body: radius");
  require_positive(p_.gravity, "spinning-body: gravity");
  if (!(std::abs(p_.slope) < kPi / 2))
    throw InvalidInput("spinning-body: the slope must be between -90 and 90 degrees");
  if (p_.normal_force) require_positive(*p_.normal_force, "spinning-body: normal force");
  const bool sphere = p_.shape == BodyShape::sphere;
  if (!sphere && rolling.has_rolling())
    throw InvalidInput(
        "spinning-body: a disk lies flat and does not roll; remove the rolling friction, or use a sphere");
  normal_ = p_.normal_force.value_or(p_.mass * p_.gravity * std::cos(p_.slope));
  const double inertia = (sphere ? 0.4 : 0.5) * p_.mass * p_.radius * p_.radius;
  const Eigen::Index n = sphere ? 5 : 3, yaw = n - 1;
  mass_.setConstant(n, inertia);
  mass_.head<2>().setConstant(p_.mass);
  force_.setZero(n);
  force_[0] = p_.mass * p_.gravity * std::sin(p_.slope);
  directions_.setZero(n, rolling.size());
  if (rolling.has_sliding()) {
    directions_(0, 0) = directions_(1, 1) = 1;
    if (sphere) {
      directions_(3, 0) = -p_.radius;
      directions_(2, 1) = p_.radius;
    }
  }
  if (rolling.has_drilling()) directions_(yaw, rolling.drilling_place()) = 1;
  if (rolling.has_rolling()) directions_(2, rolling.rolling_place()) = directions_(3, rolling.rolling_place() + 1) = 1;
  contacts_.push_back({"contact", nullptr, false, 0, law_});
}

void SpinningBody::evaluate(double, const VectorX&, const VectorX&, SystemAt& at) const {
  at.mass.setZero();
  at.mass.diagonal() = mass_;
  at.force = at.potential_force = force_;
  at.contacts[0].normal_force = normal_;
  at.contacts[0].other_directions = directions_;
}

std::vector<std::string> SpinningBody::coordinates() const {
  if (p_.shape == BodyShape::disk) return {"x", "y", "yaw"};
  return {"x", "y", "turn_x", "turn_y", "turn_z"};
}

}  // namespace slipset
