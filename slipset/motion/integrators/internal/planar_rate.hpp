// Right-hand sides of systems whose contacts have two directions of slip each, by their forces and slip.
#pragma once

#include "slipset/motion/integrators/internal/contact_rate.hpp"

namespace slipset::internal {

// The largest singular value.
inline double spectral_norm(const Mat2& a) {
  const Mat2 square = a.transpose() * a;
  return std::sqrt(square.trace() / 2 + std::hypot((square(0, 0) - square(1, 1)) / 2, square(0, 1)));
}

class PlanarRate : public ContactRate {
 public:
  // Of the last evaluation.
  virtual const SystemAt& at() const = 0;
  virtual std::size_t contacts() const = 0;
  virtual Vec2 slip(std::size_t i) const = 0;
  virtual Vec2 friction_force(std::size_t i) const = 0;
  virtual bool sticks(std::size_t i) const = 0;
  virtual double stored_energy() const { return 0; }  // in the contacts [J]

  std::vector<std::string> columns() const override;
  void look(double t, const VectorX& y) override;
  bool looks_every_step() const override { return true; }
  bool all_stick(const VectorX& y) const override;
  void add_contacts(const VectorX& y, std::vector<double>& row) const override;
  double kinetic_energy(const State& state) const override;
  double potential_energy(const State& state) const override;
  double driven_energy(const State& state) const override;
  // A solver with error control would step over a drive that it does not see.
  double longest_step() const override {
    const double frequency = system_->drive_frequency();
    return frequency > 0 ? 0.05 / frequency : ContactRate::longest_step();
  }

 protected:
  explicit PlanarRate(const System& system);

  // The masses of `at`, factorised. At the start InvalidInput where they are not positive definite, or where evaluate()
  // left something out; later has_masses() is false: no rates then, so that solvers try shorter steps or end.
  void factorize(const SystemAt& at);
  bool has_masses() const { return has_masses_; }

  const System* system_;
  Cholesky mass_;
  double difference_;  // of central differences along the motion [s], short beside the drives' periods

 private:
  bool begun_ = false, has_masses_ = false;
  VectorX spare_;
};

}  // namespace slipset::internal
