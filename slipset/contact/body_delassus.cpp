#include "slipset/contact/body_delassus.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <bit>

#include "slipset/contact/block_delassus.hpp"
#include "slipset/core/error.hpp"

namespace slipset {
namespace {

using Index = Eigen::Index;

// The factors of an assembled matrix, with it.
class AssembledShiftedSolver final : public ShiftedSolver {
 public:
  explicit AssembledShiftedSolver(const BodyDelassus& bodies) {
    bodies.assemble(w_);
    factors_ = w_.shifted_solver();
  }
  bool usable() const { return factors_ != nullptr; }
  bool factorize(const Eigen::VectorXd& shift) override { return factors_->factorize(shift); }
  void solve(Eigen::VectorXd& x) override { factors_->solve(x); }

 private:
  BlockDelassus w_;
  std::unique_ptr<ShiftedSolver> factors_;
};

// An impulse as a force impulse and a torque impulse along the contact's frame.
struct Wrench {
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
};
template <int Rows>
Wrench wrench_of(std::uint8_t rows, const RowsVec<Rows>& p) {
  if constexpr (Rows == 6) return {p.template head<3>(), p.template tail<3>()};
  Wrench w;
  Index next = 0;
  for (int k = 0; k < 3; ++k)
    if (rows & (1 << k)) w.force[k] = p[next++];
  for (int k = 0; k < 3; ++k)
    if (rows & (8 << k)) w.torque[k] = p[next++];
  return w;
}
template <int Rows>
RowsVec<Rows> rows_of(std::uint8_t rows, const Vec3& velocity, const Vec3& spin) {
  RowsVec<Rows> u(std::popcount(rows));
  if constexpr (Rows == 6) {
    u << velocity, spin;
    return u;
  }
  Index next = 0;
  for (int k = 0; k < 3; ++k)
    if (rows & (1 << k)) u[next++] = velocity[k];
  for (int k = 0; k < 3; ++k)
    if (rows & (8 << k)) u[next++] = spin[k];
  return u;
}

}  // namespace

void BodyDelassus::resize(std::size_t bodies, std::size_t contacts) {
  bodies_.resize(bodies);
  contacts_.resize(contacts);
}

// The contacts of each body by counting, ascending.
void BodyDelassus::connect() {
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const BodyPair& c = contacts_[i];
    if (const std::uint32_t last = std::max(c.first, c.second); last >= bodies_.size())
      throw InvalidInput(fmt::format("contact problem: contact {} is at body {}, and there are {} bodies, from 0 on", i,
                                     last, bodies_.size()));
    if (c.first == c.second)
      throw InvalidInput(
          fmt::format("contact problem: contact {} is between body {} and itself; give two bodies", i, c.first));
    if (c.rows == 0 || (c.rows & ~kAllRows) != 0)
      throw InvalidInput(
          fmt::format("contact problem: contact {} has the rows {}; add up those of BodyRows", i, c.rows));
  }
  for (std::size_t b = 0; b < bodies_.size(); ++b)
    if (!(bodies_[b].inverse_mass >= 0 && bodies_[b].inverse_inertia.diagonal().minCoeff() >= 0 &&
          std::isfinite(bodies_[b].inverse_mass + bodies_[b].inverse_inertia.sum())))
      throw InvalidInput(fmt::format(
          "contact problem: body {} has 1/mass = {}; expected 0 for what nothing moves, or a positive number, "
          "and 1/inertia that is finite and not negative",
          b, bodies_[b].inverse_mass));
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
  if (std::all_of(contacts_.begin(), contacts_.end(), [](const BodyPair& c) { return c.rows == kPointRows; }))
    return layout_.assign(contacts_.size(), 3);
  sizes_.clear();
  for (const BodyPair& c : contacts_) sizes_.push_back(std::popcount(static_cast<std::uint8_t>(c.rows & kAllRows)));
  layout_.assign(sizes_);
}

// Breadth first from body to body.
void BodyDelassus::near_order(std::vector<std::uint32_t>& order) const {
  std::vector<std::uint32_t> queue;
  order.clear();
  order.reserve(contacts());
  std::vector<char> met(bodies(), 0), taken(contacts(), 0);
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
  for (std::uint32_t i = 0; i < contacts(); ++i)  // between bodies that nothing moves
    if (!taken[i]) order.push_back(i);
}

void BodyDelassus::take_reordered(const BodyDelassus& from, std::span<const std::uint32_t> order) {
  constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::vector<std::uint32_t> place(from.bodies(), kNone);
  contacts_.clear();
  contacts_.reserve(order.size());
  std::size_t met = 0;
  for (const std::uint32_t i : order) {
    BodyPair contact = from.contacts_[i];
    for (std::uint32_t* body : {&contact.first, &contact.second}) {
      if (place[*body] == kNone) place[*body] = static_cast<std::uint32_t>(met++);
      *body = place[*body];
    }
    contacts_.push_back(contact);
  }
  bodies_.resize(met);
  for (std::size_t b = 0; b < place.size(); ++b)
    if (place[b] != kNone) bodies_[place[b]] = from.bodies_[b];
  connect();
}

std::span<const std::uint32_t> BodyDelassus::contacts_of(std::uint32_t body) const {
  return {touching_.data() + starts_[body], starts_[body + 1] - starts_[body]};
}

template <int Rows>
RowsVec<Rows> BodyDelassus::velocity(std::size_t i, const std::vector<BodyVelocity>& of) const {
  const BodyPair& c = contacts_[i];
  const BodyVelocity &first = of[c.first], &second = of[c.second];
  const Vec3 point =
      c.frame * (second.linear + second.angular.cross(c.arm_second) - first.linear - first.angular.cross(c.arm_first));
  if constexpr (Rows == 3)
    return point;
  else
    return rows_of<Rows>(c.rows, point, c.frame * (second.angular - first.angular));
}

template <int Rows>
void BodyDelassus::push(std::size_t i, const RowsVec<Rows>& impulse, std::vector<BodyVelocity>& of) const {
  push_one<Rows>(i, false, impulse, of);
  push_one<Rows>(i, true, impulse, of);
}

template <int Rows>
void BodyDelassus::push_one(std::size_t i, bool second, const RowsVec<Rows>& impulse,
                            std::vector<BodyVelocity>& of) const {
  const BodyPair& c = contacts_[i];
  const std::uint32_t body = second ? c.second : c.first;
  const BodyInertia& b = bodies_[body];
  if (b.inverse_mass == 0) return;  // no thread writes to bodies that others read
  const double sign = second ? 1 : -1;
  const Vec3& arm = second ? c.arm_second : c.arm_first;
  if constexpr (Rows == 3) {
    const Vec3 p = sign * (c.frame.transpose() * impulse);
    of[body].linear += b.inverse_mass * p;
    of[body].angular.noalias() += b.inverse_inertia * arm.cross(p);
  } else {
    const Wrench w = wrench_of<Rows>(c.rows, impulse);
    const Vec3 p = sign * (c.frame.transpose() * w.force), turn = sign * (c.frame.transpose() * w.torque);
    of[body].linear += b.inverse_mass * p;
    of[body].angular.noalias() += b.inverse_inertia * (arm.cross(p) + turn);
  }
}

template <int Rows>
BodyDelassus::Side<Rows> BodyDelassus::side(std::size_t i, bool second) const {
  const BodyPair& c = contacts_[i];
  const Mat3 frame = second ? c.frame : Mat3(-c.frame);
  const Vec3& arm = second ? c.arm_second : c.arm_first;
  Side<Rows> side;
  if constexpr (Rows == 3) {
    side.linear = frame;
    for (Index k = 0; k < 3; ++k) side.angular.row(k) = arm.cross(Vec3(frame.row(k))).transpose();
  } else {
    const auto n = static_cast<Index>(layout_.rows(i));
    side.linear.setZero(n, 3);
    side.angular.setZero(n, 3);
    Index next = 0;
    for (int k = 0; k < 3; ++k)
      if (c.rows & (1 << k)) {
        side.linear.row(next) = frame.row(k);
        side.angular.row(next++) = arm.cross(Vec3(frame.row(k))).transpose();
      }
    for (int k = 0; k < 3; ++k)
      if (c.rows & (8 << k)) side.angular.row(next++) = frame.row(k);
  }
  return side;
}

template <int Rows>
RowsMat<Rows> BodyDelassus::diagonal_of(std::size_t i) const {
  return diagonal_of_one<Rows>(i, false) + diagonal_of_one<Rows>(i, true);
}

template <int Rows>
RowsMat<Rows> BodyDelassus::diagonal_of_one(std::size_t i, bool second) const {
  const BodyInertia& b = bodies_[second ? contacts_[i].second : contacts_[i].first];
  if (b.inverse_mass == 0) return RowsMat<Rows>::Zero(layout_.rows(i), layout_.rows(i));
  const Side<Rows> s = side<Rows>(i, second);
  return b.inverse_mass * s.linear * s.linear.transpose() + s.angular * b.inverse_inertia * s.angular.transpose();
}

template <int Rows>
double BodyDelassus::velocity_sum(std::size_t i, const Eigen::VectorXd& impulse) const {
  const BodyPair& c = contacts_[i];
  double sum = 0;
  // What the impulse of contact j gives to one of i's bodies, seen at i.
  const auto part = [&](std::uint32_t body, std::uint32_t j) -> RowsVec<Rows> {
    const BodyPair& other = contacts_[j];
    const BodyInertia& b = bodies_[body];
    const double sign = other.second == body ? 1 : -1, own = c.second == body ? 1 : -1;
    const Vec3 &arm = other.second == body ? other.arm_second : other.arm_first,
               &own_arm = c.second == body ? c.arm_second : c.arm_first;
    if constexpr (Rows == 3) {
      const Vec3 push = sign * (other.frame.transpose() * part_of<3>(impulse, layout_, j));
      const Vec3 spin = b.inverse_inertia * arm.cross(push);
      return own * (c.frame * (b.inverse_mass * push + spin.cross(own_arm)));
    } else {
      const Wrench w = wrench_of<Rows>(other.rows, part_of<Rows>(impulse, layout_, j));
      const Vec3 push = sign * (other.frame.transpose() * w.force), turn = sign * (other.frame.transpose() * w.torque);
      const Vec3 spin = b.inverse_inertia * (arm.cross(push) + turn);
      return rows_of<Rows>(c.rows, own * (c.frame * (b.inverse_mass * push + spin.cross(own_arm))),
                           own * (c.frame * spin));
    }
  };
  RowsVec<Rows> shared;  // contacts of both bodies have one block
  if constexpr (Rows == 3)
    shared.setZero();
  else
    shared.setZero(layout_.rows(i));
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

template <int Rows>
RowsVec<Rows> BodyDelassus::velocity_sums(std::size_t i, const Eigen::VectorXd& impulse) const {
  const BodyPair& c = contacts_[i];
  RowsVec<Rows> sums = RowsVec<Rows>::Zero(layout_.rows(i));
  const Side<Rows> own[2] = {side<Rows>(i, false), side<Rows>(i, true)};
  // W_ij, over one body or both; each neighbour once.
  const auto add = [&](std::uint32_t j) {
    RowsMat<Rows> block = RowsMat<Rows>::Zero(layout_.rows(i), layout_.rows(j));
    for (const bool second : {false, true}) {
      const std::uint32_t body = second ? c.second : c.first;
      const BodyInertia& b = bodies_[body];
      const bool touches = contacts_[j].first == body || contacts_[j].second == body;
      if (b.inverse_mass == 0 || !touches) continue;
      const Side<Rows> other = side<Rows>(j, contacts_[j].second == body);
      block += b.inverse_mass * own[second].linear * other.linear.transpose() +
               own[second].angular * b.inverse_inertia * other.angular.transpose();
    }
    sums += block.cwiseAbs() * part_of<Rows>(impulse, layout_, j).cwiseAbs();
  };
  for (const std::uint32_t j : contacts_of(c.first)) add(j);
  for (const std::uint32_t j : contacts_of(c.second)) {
    const BodyPair& other = contacts_[j];
    const bool done = bodies_[c.first].inverse_mass > 0 && (other.first == c.first || other.second == c.first);
    if (!done) add(j);
  }
  return sums;
}

std::size_t BodyDelassus::most_blocks() const {
  std::size_t blocks = 0;
  for (std::size_t b = 0; b < bodies_.size(); ++b)
    blocks += (starts_[b + 1] - starts_[b]) * (starts_[b + 1] - starts_[b]);
  return blocks;
}

void BodyDelassus::multiply_add(const Eigen::VectorXd& p, const Eigen::VectorXd& q, Eigen::VectorXd& result) const {
  std::vector<BodyVelocity> motion(bodies());
  const auto all = [&]<int Rows>(std::integral_constant<int, Rows>) {
    for (std::size_t i = 0; i < contacts(); ++i) push<Rows>(i, part_of<Rows>(p, layout_, i), motion);
    for (std::size_t i = 0; i < contacts(); ++i)
      set_part<Rows>(result, layout_, i, part_of<Rows>(q, layout_, i) + velocity<Rows>(i, motion));
  };
  if (layout_.all_have(3))
    all(std::integral_constant<int, 3>());
  else
    all(std::integral_constant<int, Eigen::Dynamic>());
}

ContactMat BodyDelassus::diagonal(std::size_t i) const { return diagonal_of<Eigen::Dynamic>(i); }

std::unique_ptr<ShiftedSolver> BodyDelassus::shifted_solver() const {
  auto solver = std::make_unique<AssembledShiftedSolver>(*this);
  if (!solver->usable()) return nullptr;
  return solver;
}

void BodyDelassus::assemble(BlockDelassus& to) const {
  if (most_blocks() > kMostAssembledBlocks)
    throw InvalidInput(
        fmt::format("contact problem: the matrix of these {} contacts between bodies would have up to {} "
                    "blocks; choose sweeps or automatic, which do not assemble it",
                    contacts(), most_blocks()));
  if (layout_.all_have(3))
    assemble_rows<3>(to);
  else
    assemble_rows<Eigen::Dynamic>(to);
}

template <int Rows>
void BodyDelassus::assemble_rows(BlockDelassus& to) const {
  const std::size_t n = contacts_.size();
  std::vector<Side<Rows>> sides(2 * n);
  for (std::size_t i = 0; i < n; ++i)
    for (const bool second : {false, true}) sides[2 * i + (second ? 1 : 0)] = side<Rows>(i, second);
  to.begin(layout_, most_blocks());
  for (std::size_t i = 0; i < n; ++i) {
    // The two bodies' lists ascend; a contact in both adds up.
    std::size_t next[2], end[2];
    const std::uint32_t bodies[2] = {contacts_[i].first, contacts_[i].second};
    decltype(sides[0].angular) arm_inertia[2];
    for (std::size_t k = 0; k < 2; ++k) {
      next[k] = starts_[bodies[k]];
      end[k] = starts_[bodies[k] + 1];
      arm_inertia[k] = sides[2 * i + k].angular * bodies_[bodies[k]].inverse_inertia;
    }
    std::size_t last = n;
    double* values = nullptr;
    while (next[0] < end[0] || next[1] < end[1]) {
      const std::size_t k = next[0] == end[0]                                               ? 1
                            : next[1] == end[1] || touching_[next[0]] <= touching_[next[1]] ? 0
                                                                                            : 1;
      const std::size_t column = touching_[next[k]++];
      const Side<Rows>& other = sides[2 * column + (contacts_[column].second == bodies[k] ? 1 : 0)];
      if (column != last) values = to.append(column);
      last = column;
      Eigen::Map<RowsMat<Rows>>(values, layout_.rows(i), layout_.rows(column)) +=
          bodies_[bodies[k]].inverse_mass * sides[2 * i + k].linear * other.linear.transpose() +
          arm_inertia[k] * other.angular.transpose();
    }
    if (last == n) to.append(i);  // between bodies that nothing moves
    to.end_row();
  }
}

template RowsVec<3> BodyDelassus::velocity<3>(std::size_t, const std::vector<BodyVelocity>&) const;
template void BodyDelassus::push<3>(std::size_t, const RowsVec<3>&, std::vector<BodyVelocity>&) const;
template void BodyDelassus::push_one<3>(std::size_t, bool, const RowsVec<3>&, std::vector<BodyVelocity>&) const;
template RowsMat<3> BodyDelassus::diagonal_of<3>(std::size_t) const;
template RowsMat<3> BodyDelassus::diagonal_of_one<3>(std::size_t, bool) const;
template double BodyDelassus::velocity_sum<3>(std::size_t, const Eigen::VectorXd&) const;
template RowsVec<6> BodyDelassus::velocity<6>(std::size_t, const std::vector<BodyVelocity>&) const;
template void BodyDelassus::push<6>(std::size_t, const RowsVec<6>&, std::vector<BodyVelocity>&) const;
template void BodyDelassus::push_one<6>(std::size_t, bool, const RowsVec<6>&, std::vector<BodyVelocity>&) const;
template RowsMat<6> BodyDelassus::diagonal_of<6>(std::size_t) const;
template RowsMat<6> BodyDelassus::diagonal_of_one<6>(std::size_t, bool) const;
template double BodyDelassus::velocity_sum<6>(std::size_t, const Eigen::VectorXd&) const;
template RowsVec<3> BodyDelassus::velocity_sums<3>(std::size_t, const Eigen::VectorXd&) const;
template RowsVec<6> BodyDelassus::velocity_sums<6>(std::size_t, const Eigen::VectorXd&) const;
template ContactVec BodyDelassus::velocity_sums<Eigen::Dynamic>(std::size_t, const Eigen::VectorXd&) const;
template RowsVec<Eigen::Dynamic> BodyDelassus::velocity<Eigen::Dynamic>(std::size_t,
                                                                        const std::vector<BodyVelocity>&) const;
template void BodyDelassus::push<Eigen::Dynamic>(std::size_t, const RowsVec<Eigen::Dynamic>&,
                                                 std::vector<BodyVelocity>&) const;
template void BodyDelassus::push_one<Eigen::Dynamic>(std::size_t, bool, const RowsVec<Eigen::Dynamic>&,
                                                     std::vector<BodyVelocity>&) const;
template RowsMat<Eigen::Dynamic> BodyDelassus::diagonal_of<Eigen::Dynamic>(std::size_t) const;
template RowsMat<Eigen::Dynamic> BodyDelassus::diagonal_of_one<Eigen::Dynamic>(std::size_t, bool) const;
template double BodyDelassus::velocity_sum<Eigen::Dynamic>(std::size_t, const Eigen::VectorXd&) const;

}  // namespace slipset
