// A rigid disk that slides on pads: position and yaw, one contact per pad.            [WL19 Sect. 5.1]
//   m ẍ = Σ λ_i,  J ψ̈ = Σ r_i × λ_i,  γ_i = ẋ + ψ̇ e_z × r_i,  λ_N = m g/pads each
// The pads are spread evenly on a circle. Friction acts at the plane; that it would also tilt the disk, and so shift
// load from pad to pad, is neglected.
#pragma once

#include "slipset/systems/system.hpp"

namespace slipset {

// The PVC disk of the paper: 18 g, 28 mm wide, three pads on a circle of 21 mm diameter.
struct DiskOnPadsParameters {
  double mass = 0.018;         // [kg]
  double radius = 0.014;       // of the disk: J = m radius²/2 [m]
  double pad_radius = 0.0105;  // of the circle of the pads [m]
  int pads = 3;
  double gravity = 9.81;  // [m/s²]
};

class DiskOnPads : public System {
 public:
  // The law belongs to the plane: its axes do not turn with the disk.
  DiskOnPads(const FrictionLaw& law, const DiskOnPadsParameters& parameters);

  Eigen::Index dofs() const override { return 3; }
  const std::vector<SystemContact>& contacts() const override { return contacts_; }
  void evaluate(double t, const VectorX& q, const VectorX& u, SystemAt& at) const override;
  double potential_energy(const VectorX&) const override { return 0; }
  bool has_constant_mass() const override { return true; }
  bool has_steady_surfaces() const override { return true; }
  std::vector<std::string> coordinates() const override { return {"x", "y", "yaw"}; }

 private:
  DiskOnPadsParameters p_;
  std::vector<SystemContact> contacts_;
};

}  // namespace slipset
