#include "slipset/contact/internal/prepared_rolling.hpp"

namespace slipset::internal {

PreparedRolling::PreparedRolling(const Contact& contact, int) : contact_(contact) {
  law_ = contact.law->as_rolling();
  l_ = law_->law().coordinates();
  inverse_ = law_->law().inverse_coordinates();
  const RollingFactors& factors = law_->factors();
  shape_ = RollingNewton<2, 1, 2>::fits(factors) ? Shape::product
           : RollingNewton<3, 2>::fits(factors)  ? Shape::patch
                                                 : Shape::ellipsoid;
}

PreparedRolling::Block PreparedRolling::block(const Mat& g) const {
  return {g, g.trace() / kRows, rolling_steps(law_->factors(), g)};
}

template <class F>
auto PreparedRolling::with_newton(const Block& block, F&& f) const {
  const RollingLaw& law = law_->law();
  const double* const g = block.g.data();
  if (shape_ == Shape::product) return f(RollingNewton<2, 1, 2>(law, law_->factors(), g, block.steps, contact_));
  if (shape_ == Shape::patch) return f(RollingNewton<3, 2>(law, law_->factors(), g, block.steps, contact_));
  return f(RollingNewton<5>(law, law_->factors(), g, block.steps, contact_));
}

bool PreparedRolling::solve(const Block& block, const Vec& c, double accuracy, State& state) const {
  const auto& given = contact_.normal_impulse;
  if (!given && c[0] >= 0) {
    state.impulse.setZero();
    state.velocity = c;
    state.mode = ContactMode::open;
    return true;
  }
  const bool pressed = given ? *given > 0 : c[0] < 0 && block.g(0, 0) > 0;
  if (pressed && accuracy >= RollingContactLaw::kNewtonAccuracy) {
    Vec p = state.impulse, u;
    const bool solved = with_newton(block, [&](auto newton) {
      if (!newton.solve(contact_, c, accuracy, p, u)) return false;
      state.mode = newton.moves(u) ? ContactMode::slip : ContactMode::stick;
      return true;
    });
    if (solved) {
      state.impulse = p;
      state.velocity = u;
      return true;
    }
  }
  LocalState own;
  own.impulse = state.impulse;
  if (!law_->solve_carefully(contact_, local(block), c, accuracy, own)) return false;
  state = {own.impulse, own.velocity, own.mode};
  return true;
}

LocalBlock PreparedRolling::local(const Block& block) const {
  LocalBlock of{block.g, block.mobility, {}, {}};
  law_->prepare(of);
  return of;
}

PreparedRolling::Tangent PreparedRolling::linearize(const Block& block, const State& state, double) const {
  LocalState own;
  own.impulse = state.impulse;
  own.velocity = state.velocity;
  own.mode = state.mode;
  const ContactLaw::Tangent tangent = law_->linearize(contact_, local(block), own);
  return {tangent.by_impulse, tangent.by_velocity};
}

double PreparedRolling::residual_at_most(const Block& block, const Vec& p, const Vec& u, const Vec& sums) const {
  const auto& given = contact_.normal_impulse;
  if (!law_->factors().simple || !u.allFinite() || !p.allFinite() || (given && p[0] != *given)) return INFINITY;
  if (!(p[0] > 0)) return !given && p.isZero(0) && sums[0] > 0 ? std::abs(std::min(u[0], 0.0)) / sums[0] : INFINITY;
  return with_newton(block, [&](auto newton) { return newton.residual(p, u, sums); });
}

}  // namespace slipset::internal
