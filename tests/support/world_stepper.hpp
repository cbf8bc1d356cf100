// Steps of a world of rigid bodies, with what tests look at in one place.
#pragma once

#include "slipset/motion/moreau.hpp"
#include "slipset/systems/bodies/body_step.hpp"

namespace slipset::test {

struct WorldOptions {
  ContactOptions contact = BodyWorld().contact_options();
  double margin = 0;
};

class WorldStepper {
 public:
  explicit WorldStepper(BodyWorld world, const WorldOptions& options = {})
      : world_(std::make_shared<BodyWorld>(with_margin(std::move(world), options.margin))),
        stepper_(*world_, world_->start()) {
    stepper_.set_options(options.contact);
  }

  void step(double dt) {
    stepper_.step(dt);
    const auto n = static_cast<Eigen::Index>(3 * contacts().size());
    last_.impulse.resize(n);
    last_.velocity.resize(n);
    for (std::size_t i = 0; i < contacts().size(); ++i) {
      last_.impulse.segment<3>(static_cast<Eigen::Index>(3 * i)) = bodies().impulses()[i];
      last_.velocity.segment<3>(static_cast<Eigen::Index>(3 * i)) = bodies().velocities()[i];
    }
    last_.modes = bodies().modes();
    last_.report = stepper_.report();
  }

  const MoreauStepper& stepper() const { return stepper_; }
  const BodyStep& bodies() const { return body_step_of(stepper_.form()); }
  const BodyWorld& world() const { return bodies().world(); }
  const std::vector<BodyContact>& contacts() const { return bodies().found(); }
  // Of the contacts' points, three numbers each.
  const ContactSolution& solution() const { return last_; }
  // Empty where no law has any.
  std::vector<Vec3> torques() const { return world().has_rolling_laws() ? bodies().torques() : std::vector<Vec3>(); }
  std::size_t turning() const { return bodies().turning(); }
  ContactProblem problem() const { return standing_alone(stepper_.problem(), world()); }
  const EnergyBalance& energy() const { return stepper_.energy(); }
  double deepest_overlap() const { return bodies().counts().deepest_overlap; }
  long corrections() const { return bodies().counts().corrections; }

 private:
  static BodyWorld with_margin(BodyWorld world, double margin) {
    world.margin = margin;
    return world;
  }

  std::shared_ptr<BodyWorld> world_;
  MoreauStepper stepper_;
  ContactSolution last_;
};

}  // namespace slipset::test
