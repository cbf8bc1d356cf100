#include "slipset/contact/joint_law.hpp"

#include <fmt/format.h>

#include <array>

#include "slipset/core/error.hpp"
#include "slipset/core/internal/small_matrix.hpp"

namespace slipset {
namespace {

constexpr double kUnmoved = 1e-10;  // of the velocities that add up: rows that depend on each other must agree so far

class JointLaw final : public ContactLaw {
 public:
  explicit JointLaw(int rows) : rows_(rows) {}

  int rows() const override { return rows_; }
  std::string description() const override { return fmt::format("joint of {} rows", rows_); }

  // The pseudo-inverse: rows that depend on each other share their impulse.
  void prepare(LocalBlock& block) const override { block.inverse = internal::pseudo_inverse_of(block.g); }
  bool solve(const Contact&, const LocalBlock& block, const ContactVec& c, double, LocalState& state) const override {
    const ContactVec p = -(block.inverse * c), u = block.g * p + c;
    if (!p.allFinite() || !(u.norm() <= kUnmoved * (c.norm() + (block.g * p).norm()))) return false;
    state.impulse = p;
    state.velocity = u;
    state.mode = ContactMode::stick;
    return true;
  }
  Tangent linearize(const Contact&, const LocalBlock&, const LocalState&) const override {
    return {ContactMat::Zero(rows_, rows_), ContactMat::Identity(rows_, rows_)};
  }
  double residual(const Contact&, const ContactMat&, const ContactVec& p, const ContactVec& u,
                  const VelocitySums& sums) const override {
    const double off = u.norm() + 0 * p.sum();  // a NaN shows
    return sums.total > 0 ? off / sums.total : off;
  }
  bool project(const Contact&, const ContactMat& g, const ContactVec& u, double step, ContactVec& p) const override {
    p -= (step > 0 ? step : 1) * (internal::pseudo_inverse_of(g) * u);
    return true;
  }
  bool allows_given_normal_impulse() const override { return false; }
  std::optional<FrictionCone> cone() const override { return FrictionCone{.everything = true}; }
  Keeps keeps() const override { return Keeps::still; }
  ContactMode mode_of(const ContactVec&, const ContactVec&, double) const override { return ContactMode::stick; }

 private:
  int rows_;
};

}  // namespace

const ContactLaw& joint_law(int rows) {
  static const std::array<JointLaw, kMostRows> laws = {JointLaw(1), JointLaw(2), JointLaw(3),
                                                       JointLaw(4), JointLaw(5), JointLaw(6)};
  if (rows < 1 || rows > kMostRows)
    throw InvalidInput(fmt::format("joint: {} rows; a joint has 1 to {}", rows, kMostRows));
  return laws[static_cast<std::size_t>(rows - 1)];
}

}  // namespace slipset
