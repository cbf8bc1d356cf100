#include "slipset/contact/body_pairs.hpp"

#include <Eigen/Geometry>

namespace slipset {
namespace {

using Index = Eigen::Index;

Index at(std::size_t contact) { return static_cast<Index>(3 * contact); }

}  // namespace

void BodyPairs::resize(std::size_t bodies, std::size_t contacts) {
  bodies_.resize(bodies);
  contacts_.resize(contacts);
}

// The contacts of each body by counting, ascending.
void BodyPairs::connect() {
  starts_.assign(bodies_.size() + 1, 0);
  const auto moves = [&](std::uint32_t body) { return bodies_[body].inverse_mass > 0; };
  for (const BodyPair& c : contacts_)
    for (const std::uint32_t body : {c.first, c.second})
      if (moves(body)) ++starts_[body + 1];
  for (std::size_t b = 0; b < bodies_.size(); ++b) starts_[b + 1] += starts_[b];
  touching_.resize(starts_.back());
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    for (const std::uint32_t body : {contacts_[i].first, contacts_[i].second})
      if (moves(body)) touching_[starts_[body]++] = static_cast<std::uint32_t>(i);
  for (std::size_t b = bodies_.size(); b > 0; --b) starts_[b] = starts_[b - 1];
  starts_[0] = 0;
}

// Breadth first from body to body.
std::vector<std::uint32_t> BodyPairs::near_order() const {
  std::vector<std::uint32_t> order, queue;
  order.reserve(size());
  std::vector<char> met(bodies(), 0), taken(size(), 0);
  for (std::uint32_t start = 0; start < bodies(); ++start) {
    if (met[start] || bodies_[start].inverse_mass == 0) continue;
    met[start] = 1;
    queue.assign(1, start);
    for (std::size_t k = 0; k < queue.size(); ++k)
      for (const std::uint32_t i : contacts_of(queue[k])) {
        if (taken[i]) continue;
        taken[i] = 1;
        order.push_back(i);
        for (const std::uint32_t body : {contacts_[i].first, contacts_[i].second})
          if (!met[body] && bodies_[body].inverse_mass > 0) {
            met[body] = 1;
            queue.push_back(body);
          }
      }
  }
  for (std::uint32_t i = 0; i < size(); ++i)  // between bodies that nothing moves
    if (!taken[i]) order.push_back(i);
  return order;
}

BodyPairs BodyPairs::reordered(std::span<const std::uint32_t> order) const {
  constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::vector<std::uint32_t> place(bodies(), kNone);
  BodyPairs other;
  other.contacts_.reserve(order.size());
  for (const std::uint32_t i : order) {
    BodyPair contact = contacts_[i];
    for (std::uint32_t* body : {&contact.first, &contact.second}) {
      if (place[*body] == kNone) {
        place[*body] = static_cast<std::uint32_t>(other.bodies_.size());
        other.bodies_.push_back(bodies_[*body]);
      }
      *body = place[*body];
    }
    other.contacts_.push_back(contact);
  }
  other.connect();
  return other;
}

std::span<const std::uint32_t> BodyPairs::contacts_of(std::uint32_t body) const {
  return {touching_.data() + starts_[body], starts_[body + 1] - starts_[body]};
}

Vec3 BodyPairs::velocity(std::size_t i, const std::vector<BodyVelocity>& of) const {
  const BodyPair& c = contacts_[i];
  const BodyVelocity &first = of[c.first], &second = of[c.second];
  return c.frame *
         (second.linear + second.angular.cross(c.arm_second) - first.linear - first.angular.cross(c.arm_first));
}

void BodyPairs::push(std::size_t i, const Vec3& impulse, std::vector<BodyVelocity>& of) const {
  const BodyPair& c = contacts_[i];
  const Vec3 push = c.frame.transpose() * impulse;
  const auto add = [&](std::uint32_t body, const Vec3& p, const Vec3& arm) {
    const BodyInertia& b = bodies_[body];
    if (b.inverse_mass == 0) return;  // no thread writes to bodies that others read
    of[body].linear += b.inverse_mass * p;
    of[body].angular.noalias() += b.inverse_inertia * arm.cross(p);
  };
  add(c.first, -push, c.arm_first);
  add(c.second, push, c.arm_second);
}

BodyVelocity BodyPairs::effect(std::size_t i, std::uint32_t body, const Vec3& impulse) const {
  const BodyPair& c = contacts_[i];
  const BodyInertia& b = bodies_[body];
  const bool second = c.second == body;
  const Vec3 push = (second ? 1 : -1) * (c.frame.transpose() * impulse);
  return {b.inverse_mass * push, b.inverse_inertia * (second ? c.arm_second : c.arm_first).cross(push)};
}

BodyPairs::Side BodyPairs::side(std::size_t i, bool second) const {
  const BodyPair& c = contacts_[i];
  Side side;
  side.frame = second ? c.frame : Mat3(-c.frame);
  for (Index k = 0; k < 3; ++k)
    side.arm.row(k) = Vec3(side.frame.row(k)).cross(second ? c.arm_second : c.arm_first).transpose();
  return side;
}

Mat3 BodyPairs::diagonal(std::size_t i) const {
  Mat3 sum = Mat3::Zero();
  for (const bool second : {false, true}) {
    const BodyInertia& b = bodies_[second ? contacts_[i].second : contacts_[i].first];
    if (b.inverse_mass == 0) continue;
    const Side s = side(i, second);
    sum += b.inverse_mass * s.frame * s.frame.transpose() + s.arm * b.inverse_inertia * s.arm.transpose();
  }
  return sum;
}

double BodyPairs::velocity_sum(std::size_t i, const Eigen::VectorXd& impulse) const {
  const BodyPair& c = contacts_[i];
  double sum = 0;
  Vec3 shared = Vec3::Zero();  // contacts of both bodies have one block
  const auto part = [&](std::uint32_t body, std::uint32_t j) {
    const BodyVelocity e = effect(j, body, impulse.segment<3>(at(j)));
    const bool second = c.second == body;
    return Vec3((second ? 1 : -1) * (c.frame * (e.linear + e.angular.cross(second ? c.arm_second : c.arm_first))));
  };
  for (const std::uint32_t body : {c.first, c.second})
    for (const std::uint32_t j : contacts_of(body)) {
      const BodyPair& other = contacts_[j];
      const bool both =
          (other.first == c.first && other.second == c.second) || (other.first == c.second && other.second == c.first);
      if (j == i)
        shared += part(body, j);
      else if (!both)
        sum += part(body, j).norm();
      else if (body == c.first)
        sum += (part(c.first, j) + part(c.second, j)).norm();
      else if (bodies_[c.first].inverse_mass == 0)
        sum += part(c.second, j).norm();
    }
  return sum + shared.norm();
}

std::size_t BodyPairs::most_blocks() const {
  std::size_t blocks = 0;
  for (std::size_t b = 0; b < bodies_.size(); ++b)
    blocks += (starts_[b + 1] - starts_[b]) * (starts_[b + 1] - starts_[b]);
  return blocks;
}

void BodyPairs::assemble(BlockDelassus& to) const {
  const std::size_t n = contacts_.size();
  std::vector<Side> sides(2 * n);
  for (std::size_t i = 0; i < n; ++i)
    for (const bool second : {false, true}) sides[2 * i + (second ? 1 : 0)] = side(i, second);
  to.clear(n, most_blocks());
  std::vector<BlockDelassus::Block> row;
  for (std::size_t i = 0; i < n; ++i) {
    row.clear();
    // The two bodies' lists ascend; a contact in both adds up.
    std::size_t next[2], end[2];
    const std::uint32_t bodies[2] = {contacts_[i].first, contacts_[i].second};
    Mat3 arm_inertia[2];
    for (std::size_t k = 0; k < 2; ++k) {
      next[k] = starts_[bodies[k]];
      end[k] = starts_[bodies[k] + 1];
      arm_inertia[k] = sides[2 * i + k].arm * bodies_[bodies[k]].inverse_inertia;
    }
    while (next[0] < end[0] || next[1] < end[1]) {
      const std::size_t k = next[0] == end[0]                                               ? 1
                            : next[1] == end[1] || touching_[next[0]] <= touching_[next[1]] ? 0
                                                                                            : 1;
      const std::size_t column = touching_[next[k]++];
      const Side& other = sides[2 * column + (contacts_[column].second == bodies[k] ? 1 : 0)];
      const Mat3 values = bodies_[bodies[k]].inverse_mass * sides[2 * i + k].frame * other.frame.transpose() +
                          arm_inertia[k] * other.arm.transpose();
      if (!row.empty() && row.back().column == column)
        row.back().values += values;
      else
        row.push_back({column, values});
    }
    if (row.empty()) row.push_back({i, Mat3::Zero()});  // between bodies that nothing moves
    to.append_row(row);
  }
}

}  // namespace slipset
