// A contact of six rows that slides, drills and rolls, in its law's own coordinates.          docs/theory/rolling.md
// The fast way of problems with such contacts alone; it has the members of PreparedGeneral, with fixed sizes. What a few
// steps of Newton's method do not solve goes the law's careful way.
#pragma once

#include "slipset/contact/internal/rolling_newton.hpp"
#include "slipset/contact/rolling_contact_law.hpp"

namespace slipset::internal {

class PreparedRolling {
 public:
  static constexpr int kRows = 6;
  static constexpr bool kMixedRows = true;  // each with its own mobility
  using Vec = RowsVec<6>;
  using Mat = RowsMat<6>;

  struct Block {
    Mat g;
    double mobility;              // tr(G)/6
    std::array<double, 3> steps;  // R of each factor
  };
  struct State {
    Vec impulse = Vec::Zero(), velocity = Vec::Zero();
    ContactMode mode = ContactMode::none;
  };
  struct Tangent {
    Mat by_impulse, by_velocity;
  };

  PreparedRolling() = default;
  PreparedRolling(const Contact& contact, int rows);
  static bool suits(const Contact& contact) {
    return contact.law && contact.law->rows() == 6 && contact.law->as_rolling();
  }

  // --- coordinates: L of rolling laws has a block for sliding, drilling and rolling each ---
  Vec impulse(const Vec& scaled) const { return by_parts(l_, scaled); }
  Vec scaled_impulse(const Vec& p) const { return by_parts(inverse_, p); }
  Vec scaled_velocity(const Vec& u) const { return by_transposed_parts(l_, u); }
  Vec velocity(const Vec& scaled) const { return by_transposed_parts(inverse_, scaled); }
  Mat scaling() const { return with_normal(l_); }
  Mat inverse_scaling() const { return with_normal(inverse_); }

  // --- scaled from here on ---
  Block block(const Mat& g) const;
  State first_state(const Contact&) const { return {}; }
  bool solve(const Block& block, const Vec& c, double accuracy, State& state) const;
  Tangent linearize(const Block& block, const State& state, double) const;
  Vec constant(const Tangent& tangent, const State& state) const {
    return tangent.by_impulse * state.impulse + tangent.by_velocity * state.velocity;
  }
  // (T.12) is not above that; `sums` may be less than what adds up.
  double residual_at_most(const Block& block, const Vec& p, const Vec& u, const Vec& sums) const;

  const ContactLaw& law() const { return *law_; }
  std::optional<FrictionCone> cone() const { return law_->cone(); }

 private:
  using Parts = Eigen::Matrix<double, 5, 5>;
  enum class Shape : std::uint8_t { product, patch, ellipsoid };

  static Vec by_parts(const Parts& l, const Vec& x) {
    Vec y;
    y << x[0], l.topLeftCorner<2, 2>() * x.segment<2>(1), l(2, 2) * x[3], l.bottomRightCorner<2, 2>() * x.tail<2>();
    return y;
  }
  static Vec by_transposed_parts(const Parts& l, const Vec& x) {
    Vec y;
    y << x[0], l.topLeftCorner<2, 2>().transpose() * x.segment<2>(1), l(2, 2) * x[3],
        l.bottomRightCorner<2, 2>().transpose() * x.tail<2>();
    return y;
  }
  static Mat with_normal(const Parts& l) {
    Mat t = Mat::Identity();
    t.bottomRightCorner<5, 5>() = l;
    return t;
  }
  // f(Newton's method for factors of these sizes)
  template <class F>
  auto with_newton(const Block& block, F&& f) const;
  LocalBlock local(const Block& block) const;

  const RollingContactLaw* law_ = nullptr;
  Contact contact_;
  Parts l_, inverse_;
  Shape shape_ = Shape::product;
};

}  // namespace slipset::internal
