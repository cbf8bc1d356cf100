#include "slipset/contact/joint_law.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "slipset/contact/internal/measure_sums.hpp"
#include "slipset/core/error.hpp"
#include "slipset/core/internal/small_matrix.hpp"

namespace slipset {
namespace {

constexpr double kNoMobility = 1e-16;  // of a row, over the largest: nothing moves it
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
  // Rows may be velocities or rates. Over √g_kk they have one unit, the root of an energy: so what adds up in one row is
  // compared with another's. (A row's own sum alone may be rounding: of a mechanism in a plane, in the rows out of it.)
  double residual(const Contact&, const ContactMat& g, const ContactVec& p, const ContactVec& u,
                  const VelocitySums& sums) const override {
    const double least = kNoMobility * g.diagonal().maxCoeff<Eigen::PropagateNaN>();
    double most = 0, worst = 0 * (u.sum() + p.sum());  // a NaN shows
    for (Eigen::Index k = 0; k < rows_; ++k)
      if (g(k, k) > least) most = std::max(most, sums.rows[k] / std::sqrt(g(k, k)));
    for (Eigen::Index k = 0; k < rows_; ++k) {
      const double sum = g(k, k) > least ? most * std::sqrt(g(k, k)) : sums.total;  // what nothing moves: over all
      worst = internal::larger(worst, sum > 0 ? std::abs(u[k]) / sum : std::abs(u[k]));
    }
    return worst;
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
