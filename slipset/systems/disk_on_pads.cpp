#include "slipset/systems/disk_on_pads.hpp"

namespace slipset {

DiskOnPads::DiskOnPads(const FrictionLaw& law, const DiskOnPadsParameters& parameters) : p_(parameters) {
  require_positive(p_.mass, "disk-on-pads: mass");
  require_positive(p_.radius, "disk-on-pads: radius");
  require_positive(p_.pad_radius, "disk-on-pads: pad_radius");
  require_positive(p_.gravity, "disk-on-pads: gravity");
  if (p_.pads < 1 || p_.pads > 1000) throw InvalidInput("disk-on-pads: pads must be from 1 to 1000");
  const auto shared = std::make_shared<PlanarContactLaw>(law);
  for (int i = 0; i < p_.pads; ++i) contacts_.push_back({"pad" + std::to_string(i + 1), shared, false, 0});
}

void DiskOnPads::evaluate(double, const VectorX& q, const VectorX&, SystemAt& at) const {
  at.mass.setZero();
  at.mass(0, 0) = at.mass(1, 1) = p_.mass;
  at.mass(2, 2) = p_.mass * p_.radius * p_.radius / 2;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Vec2 r = p_.pad_radius * unit(q[2] + 2 * kPi * static_cast<double>(i) / p_.pads);
    auto& w = at.contacts[i].tangents;
    w.setIdentity();
    w.row(2) = turn_left(r);
    at.contacts[i].normal_force = p_.mass * p_.gravity / p_.pads;
  }
}

}  // namespace slipset
