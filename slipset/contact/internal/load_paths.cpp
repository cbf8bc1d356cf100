#include "slipset/contact/internal/load_paths.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <numeric>

namespace slipset::internal {
namespace {

constexpr int kLocalSweeps = 30;          // over the few contacts that carry a body
constexpr double kLocalAccuracy = 1e-4;   // of slip directions [rad]
constexpr double kLocalChange = 1e-5;     // of its impulses: the last of these sweeps
constexpr double kFallingTogether = 0.5;  // momentum of all over the sum of its sizes

// Where bodies are and how they move without contacts, as far as contacts tell: arms give places, free velocities
// those of bodies that do not spin.
struct Falling {
  std::vector<Vec3> place, velocity;
  Vec3 momentum = Vec3::Zero();
  double sizes = 0;  // Σ |m v|
};

template <class Visit>
void from_body_to_body(const BodyDelassus& bodies, std::vector<std::uint32_t>& queue, std::vector<char>& met,
                       Visit&& visit) {
  for (std::size_t k = 0; k < queue.size(); ++k)
    for (const std::uint32_t i : bodies.contacts_of(queue[k])) {
      const BodyPair& c = bodies.contact(i);
      const bool to_second = c.first == queue[k];
      const std::uint32_t next = to_second ? c.second : c.first;
      if (met[next] || bodies.body(next).inverse_mass == 0 || !visit(i, queue[k], next, to_second)) continue;
      met[next] = 1;
      queue.push_back(next);
    }
}

Falling falling(const BodyDelassus& bodies, const Eigen::VectorXd& q) {
  const std::size_t n = bodies.bodies();
  Falling of{std::vector<Vec3>(n, Vec3::Zero()), std::vector<Vec3>(n, Vec3::Zero())};
  std::vector<char> met(n, 0);
  std::vector<std::uint32_t> queue;
  for (std::uint32_t start = 0; start < n; ++start) {
    if (met[start] || bodies.body(start).inverse_mass == 0) continue;
    met[start] = 1;
    queue.assign(1, start);
    from_body_to_body(bodies, queue, met, [&](std::uint32_t i, std::uint32_t from, std::uint32_t to, bool to_second) {
      const BodyPair& c = bodies.contact(i);
      Vec3 step = c.arm_first - c.arm_second;
      if (c.arm_first.isZero(0) && c.arm_second.isZero(0))
        step = c.frame.row(0);  // of points: only its direction counts
      of.place[to] = of.place[from] + (to_second ? step : Vec3(-step));
      return true;
    });
  }
  // Velocities from what nothing moves on.
  const auto tells = [&](std::uint32_t i) { return (bodies.contact(i).rows & kPointRows) == kPointRows; };
  const auto difference = [&](std::uint32_t i) -> Vec3 {
    return bodies.contact(i).frame.transpose() * Vec3(q.segment<3>(bodies.layout().offset(i)));
  };
  std::fill(met.begin(), met.end(), 0);
  queue.clear();
  for (std::uint32_t i = 0; i < bodies.contacts(); ++i)
    for (const bool second : {false, true}) {
      const BodyPair& c = bodies.contact(i);
      const std::uint32_t body = second ? c.second : c.first, other = second ? c.first : c.second;
      if (met[body] || bodies.body(body).inverse_mass == 0 || bodies.body(other).inverse_mass > 0 || !tells(i))
        continue;
      met[body] = 1;
      of.velocity[body] = second ? difference(i) : Vec3(-difference(i));
      queue.push_back(body);
    }
  from_body_to_body(bodies, queue, met, [&](std::uint32_t i, std::uint32_t from, std::uint32_t to, bool to_second) {
    if (!tells(i)) return false;
    of.velocity[to] = of.velocity[from] + (to_second ? difference(i) : Vec3(-difference(i)));
    return true;
  });
  for (std::size_t b = 0; b < n; ++b) {
    if (bodies.body(b).inverse_mass == 0) continue;
    const Vec3 p = of.velocity[b] / bodies.body(b).inverse_mass;
    of.momentum += p;
    of.sizes += p.norm();
  }
  return of;
}

}  // namespace

template <class Prepared>
bool follow_load_paths(ContactSweeps<Prepared, BodyStore<Prepared::kRows>>& work) {
  constexpr int kRows = Prepared::kRows;
  const BodyDelassus& bodies = work.store.bodies();
  const RowLayout& layout = bodies.layout();
  const Falling free = falling(bodies, work.store.free_velocity());
  if (!(free.momentum.norm() > kFallingTogether * free.sizes)) return false;
  const Vec3 up = -free.momentum.normalized();
  std::vector<double> height(bodies.bodies());
  std::vector<std::uint32_t> order;
  for (std::uint32_t b = 0; b < bodies.bodies(); ++b) {
    height[b] = up.dot(free.place[b]);
    if (bodies.body(b).inverse_mass > 0) order.push_back(b);
  }
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return height[a] > height[b]; });

  struct Support {
    std::uint32_t contact;
    bool second;  // it carries its second body
    typename Prepared::Block block;
  };
  std::vector<Support> supports;
  std::vector<BodyVelocity> carried(bodies.bodies()),
      motion(bodies.bodies());  // by loads from above; while it is stopped
  work.impulse.setZero();
  for (const std::uint32_t b : order) {
    supports.clear();
    for (const std::uint32_t i : bodies.contacts_of(b)) {
      const bool second = bodies.contact(i).second == b;
      const std::uint32_t other = second ? bodies.contact(i).first : bodies.contact(i).second;
      if (bodies.body(other).inverse_mass > 0 &&
          (height[other] > height[b] || (height[other] == height[b] && other < b)))
        continue;
      const auto t = work.contacts[i].scaling();
      supports.push_back(
          {i, second, work.contacts[i].block(t.transpose() * bodies.diagonal_of_one<kRows>(i, second) * t)});
    }
    motion[b] = {free.velocity[b] + carried[b].linear, carried[b].angular};
    for (int k = 0; k < kLocalSweeps; ++k) {
      double change = 0, size = 0;
      for (const Support& s : supports) {
        const Prepared& contact = work.contacts[s.contact];
        const auto before = part_of<kRows>(work.impulse, layout, s.contact);
        const typename Prepared::Vec c = contact.scaled_velocity(bodies.velocity<kRows>(s.contact, motion)) -
                                         s.block.g * contact.scaled_impulse(before);
        typename Prepared::State& state = work.contacts.states[s.contact];
        if (!contact.solve(s.block, c, kLocalAccuracy, state)) continue;
        const auto after = contact.impulse(state.impulse);
        bodies.push_one<kRows>(s.contact, s.second, after - before, motion);
        set_part<kRows>(work.impulse, layout, s.contact, after);
        change += (after - before).squaredNorm();
        size += after.squaredNorm();
      }
      if (change <= kLocalChange * kLocalChange * size) break;
    }
    motion[b] = {};
    for (const Support& s : supports)
      bodies.push_one<kRows>(s.contact, !s.second, part_of<kRows>(work.impulse, layout, s.contact), carried);
  }
  if (!work.impulse.allFinite()) work.impulse.setZero();
  work.impulse_changed();
  return true;
}

template bool follow_load_paths<PreparedPlanar>(ContactSweeps<PreparedPlanar, BodyStore<3>>&);
template bool follow_load_paths<PreparedRolling>(ContactSweeps<PreparedRolling, BodyStore<6>>&);
template bool follow_load_paths<PreparedGeneral>(ContactSweeps<PreparedGeneral, BodyStore<Eigen::Dynamic>>&);

}  // namespace slipset::internal
