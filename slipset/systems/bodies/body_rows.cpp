// Tables and checkpoints of a world of rigid bodies.
#include <fmt/format.h>

#include "slipset/core/error.hpp"
#include "slipset/systems/bodies/body_step.hpp"

namespace slipset {

std::vector<std::string> BodyStep::columns() const {
  std::vector<std::string> names{"t"};
  for (const RigidBody& body : world_.bodies)
    if (body.is_listed())
      for (const char* what : {"x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz"})
        names.push_back(fmt::format("{}.{}", body.name, what));
  for (const char* what :
       {"contacts", "sticking", "slipping", "kinetic", "potential", "dissipated", "input", "numerical", "corrected"})
    names.emplace_back(what);
  if (rolling_) names.insert(names.end(), {"turning", "dissipated_by_torques"});
  return names;
}

void BodyStep::add_row(const State& state, double, const EnergyBalance& e, std::vector<double>& row) const {
  row.push_back(state.t);
  for (std::size_t b = 0; b < world_.bodies.size(); ++b) {
    if (!world_.bodies[b].is_listed()) continue;
    const BodyState& s = world_.states[b];
    const Quaternion& q = s.orientation;
    const Vec3 spin = s.world_spin();
    row.insert(row.end(), {s.position.x(), s.position.y(), s.position.z(), q.w(), q.x(), q.y(), q.z(), s.velocity.x(),
                           s.velocity.y(), s.velocity.z(), spin.x(), spin.y(), spin.z()});
  }
  row.insert(row.end(), {static_cast<double>(counts_.last), static_cast<double>(counts_.last_sticking),
                         static_cast<double>(counts_.last_slipping), e.kinetic, e.potential, e.dissipated, e.input,
                         e.numerical, e.corrected});
  if (rolling_) row.insert(row.end(), {static_cast<double>(turning_), e.by_torques});
}

void BodyStep::add_memory(std::vector<double>& memory) const {
  const ContactCounts& c = counts_;
  memory.insert(memory.end(),
                {c.contacts, c.sticking, c.closed, static_cast<double>(c.most), c.deepest_overlap,
                 static_cast<double>(c.corrections), static_cast<double>(c.last), static_cast<double>(c.last_sticking),
                 static_cast<double>(c.last_slipping), static_cast<double>(turning_), largest_closing_,
                 static_cast<double>(joint_impulse_.size()), static_cast<double>(remembered_.size())});
  memory.insert(memory.end(), joint_impulse_.begin(), joint_impulse_.end());
  for (const Remembered& r : remembered_) {
    memory.push_back(static_cast<double>(r.pair >> 32));
    memory.push_back(static_cast<double>(r.pair & 0xffffffffu));
    for (const Vec3* v : {&r.point, &r.impulse, &r.torque}) memory.insert(memory.end(), v->begin(), v->end());
    memory.push_back(r.held);
  }
}

const double* BodyStep::restore(const State& state, const double* from, const double* end) {
  constexpr std::ptrdiff_t kOwn = 13, kEach = 12;
  const auto wrong = [&] { return InvalidInput("the checkpoint belongs to another world of rigid bodies"); };
  if (end - from < kOwn) throw wrong();
  const double joints = from[kOwn - 2], contacts = from[kOwn - 1];
  if (!(joints >= 0 && contacts >= 0 && static_cast<double>(end - from) == kOwn + joints + kEach * contacts))
    throw wrong();
  world_.take(state);
  ContactCounts& c = counts_;
  c.contacts = from[0];
  c.sticking = from[1];
  c.closed = from[2];
  c.most = static_cast<std::size_t>(from[3]);
  c.deepest_overlap = from[4];
  c.corrections = static_cast<long>(from[5]);
  c.last = static_cast<std::size_t>(from[6]);
  c.last_sticking = static_cast<std::size_t>(from[7]);
  c.last_slipping = static_cast<std::size_t>(from[8]);
  turning_ = static_cast<std::size_t>(from[9]);
  largest_closing_ = from[10];
  from += kOwn;
  joint_impulse_.resize(static_cast<Eigen::Index>(joints));
  for (double& x : joint_impulse_) x = *from++;
  remembered_.resize(static_cast<std::size_t>(contacts));
  for (Remembered& r : remembered_) {
    r.pair = static_cast<std::uint64_t>(from[0]) << 32 | static_cast<std::uint64_t>(from[1]);
    from += 2;
    for (Vec3* v : {&r.point, &r.impulse, &r.torque})
      for (double& x : *v) x = *from++;
    r.held = *from++;
  }
  return from;
}

}  // namespace slipset
