#include "slipset/contact/planar_local.hpp"

#include <Eigen/Dense>
#include <boost/math/tools/minima.hpp>
#include <boost/math/tools/toms748_solve.hpp>

#include "slipset/contact/slip_search.hpp"

namespace slipset {
namespace {

using internal::follow_slip;
using internal::SlipEquation;
using internal::SlipTrial;

// x with Ax = b; where A is singular, the shortest that fits best.
template <class Matrix, class Vector>
Vector solve_small(const Matrix& a, const Vector& b) {
  constexpr int n = Matrix::RowsAtCompileTime;
  const double size = a.template lpNorm<Eigen::Infinity>();
  if (std::abs(a.determinant()) > 1e-13 * size * size * (n == 3 ? size : 1)) return a.inverse() * b;
  return a.completeOrthogonalDecomposition().solve(b);
}

std::optional<PlanarSolution> stick_solution(const PlanarContactLaw& law, const PlanarProblem& p) {
  const Mat2 tangential = p.delassus.block<2, 2>(1, 1);
  Vec3 impulse;
  if (p.normal_impulse)
    impulse << *p.normal_impulse,
        -solve_small(tangential, Vec2(p.free_velocity.tail<2>() + *p.normal_impulse * p.delassus.block<2, 1>(1, 0)));
  else
    impulse = -solve_small(p.delassus, p.free_velocity);
  if (!(impulse[0] > 0)) return std::nullopt;
  const Vec2 resistance = -impulse.tail<2>() / impulse[0];
  if (!(law.law().reservoir().gauge(resistance) <= p.reservoir_factor * (1 + 1e-14))) return std::nullopt;
  Vec3 velocity = p.delassus * impulse + p.free_velocity;
  const double scale = p.free_velocity.norm() + (p.delassus * impulse).norm();
  if (velocity.tail<2>().norm() > 1e-10 * scale) return std::nullopt;  // a singular block that does not fit
  if (!p.normal_impulse) velocity[0] = 0;
  velocity.tail<2>().setZero();
  return PlanarSolution{ContactMode::stick, impulse, velocity};
}

PlanarSolution slip_solution(const PlanarProblem& p, const SlipEquation& equation, const SlipTrial& trial) {
  const Vec3 impulse = equation.impulse(trial);
  Vec3 velocity = p.delassus * impulse + p.free_velocity;
  if (!p.normal_impulse) velocity[0] = 0;
  return {ContactMode::slip, impulse, velocity};
}

// All roots along the law's path.
void add_slip_solutions(const PlanarContactLaw& law, const PlanarProblem& p, PlanarSolutions& found) {
  const SlipEquation equation(p);
  const auto& path = law.path();
  const PlanarSet &c = law.law().reservoir(), &d = law.law().direction();
  const std::size_t n = path.size();
  const auto next = [&](std::size_t i) { return i + 1 == n ? 0 : i + 1; };

  const auto value_at = [&](std::size_t i) { return cross(path[i].slip, equation.at(path[i].resistance).velocity); };
  const auto ray_on = [&](std::size_t i, double t) { return Vec2((1 - t) * path[i].ray + t * path[next(i)].ray); };
  const auto value_on = [&](std::size_t i, double t) {
    const Vec2 ray = ray_on(i, t);
    return cross(d.gauge_gradient(ray).normalized(), equation.at(ray / c.gauge(ray)).velocity);
  };
  const auto accept = [&](const SlipTrial& trial, const Vec2& slip) {
    if (trial.weight > 0 && slip.dot(trial.velocity) > 0 && found.size() < found.capacity())
      found.push_back(slip_solution(p, equation, trial));
  };
  const auto root_on = [&](std::size_t i, double from, double to, double f_from, double f_to) {
    double t = from;
    if (f_from != 0 && f_to != 0) {
      std::uintmax_t iterations = 100;
      const auto bracket =
          boost::math::tools::toms748_solve([&](double x) { return value_on(i, x); }, from, to, f_from, f_to,
                                            boost::math::tools::eps_tolerance<double>(53), iterations);
      t = bracket.first + (bracket.second - bracket.first) / 2;
    } else if (f_from != 0) {
      t = to;
    }
    const Vec2 ray = ray_on(i, t);
    const SlipTrial trial = equation.at(ray / c.gauge(ray));
    accept(trial, t == from ? path[i].slip : t == to && to == 1 ? path[next(i)].slip : Vec2(d.gauge_gradient(ray)));
  };

  double before = value_at(n - 1), here = value_at(0), there = value_at(next(0));
  for (std::size_t i = 0; i < n; ++i) {
    const double beyond = value_at(next(next(i)));
    const bool changes = (here >= 0) != (there >= 0);
    if (path[i].corner) {  // n turns from here to there while the velocity stays
      const SlipTrial trial = equation.at(path[i].resistance);
      if (here >= 0 && there < 0) accept(trial, path[i].slip + path[next(i)].slip);
    } else if (changes) {
      root_on(i, 0, 1, here, there);
    } else {
      // Towards zero before and away from it after: perhaps a dip to zero and back within the arc, two roots.
      const double sign = here >= 0 ? 1 : -1;
      if (here != 0 && there != 0 && sign * (here - before) < 0 && sign * (beyond - there) > 0) {
        const auto [t, least] =
            boost::math::tools::brent_find_minima([&](double x) { return sign * value_on(i, x); }, 0.0, 1.0, 30);
        if (least < 0 && t > 0 && t < 1) {
          root_on(i, 0, t, here, sign * least);
          root_on(i, t, 1, sign * least, there);
        }
      }
    }
    before = here;
    here = there;
    there = beyond;
  }
}

// Whether the normal equation can lose its sign: friction alone would press or lift the contact (Painlevé).
bool can_jam(const PlanarContactLaw& law, const PlanarProblem& p) {
  return !p.normal_impulse &&
         p.reservoir_factor * p.delassus.block<1, 2>(0, 1).norm() * law.largest_resistance() >= p.delassus(0, 0);
}

bool is_open(const PlanarProblem& p) { return !p.normal_impulse && p.free_velocity[0] >= 0; }

PlanarSolution open_solution(const PlanarProblem& p) { return {ContactMode::open, Vec3::Zero(), p.free_velocity}; }

// Whether some slip solution may lie on a fold: there the slip velocity crosses the normal backwards as the path goes
// on. Without one there is only one solution. A value that dips towards zero between two nodes counts, since a pair of
// solutions may hide there. (C.7)
bool may_have_fold(const PlanarContactLaw& law, const SlipEquation& equation, const Vec2& balance) {
  const auto& path = law.path();
  for (const auto& [first, last, least, most] : law.fold_arcs()) {
    if ((balance.array() < least.array()).any() || (balance.array() > most.array()).any()) continue;
    double before = 0, here = 0;
    bool was_forward = false;
    for (std::size_t i = first; i <= last; ++i) {
      const PlanarContactLaw::Node& node = path[i % path.size()];
      const SlipTrial trial = equation.at(node.resistance);
      const double there = cross(node.slip, trial.velocity);
      const bool is_forward = node.slip.dot(trial.velocity) > 0;
      const bool forward = is_forward || was_forward;
      was_forward = is_forward;
      if (i > first && forward && here < 0 && there >= 0) return true;
      if (i > first + 1 && forward && (here - before) * (there - here) < 0 && before * here > 0 && here * there > 0) {
        const double vertex = here - (there - before) * (there - before) / (8 * (there - 2 * here + before));
        if (std::abs(vertex) < 0.7 * std::abs(here) || vertex * here < 0) return true;
      }
      before = here;
      here = there;
    }
  }
  return false;
}

bool has_one_solution(const PlanarContactLaw& law, const PlanarProblem& p, const SlipEquation& equation) {
  if (!p.normal_impulse) return false;
  const double a = p.delassus(1, 1), b = p.delassus(2, 2);
  if (std::abs(a - b) + std::abs(p.delassus(1, 2)) + std::abs(p.delassus(2, 1)) <= 1e-12 * (a + b))
    return law.unique_for_isotropic() || !may_have_fold(law, equation,
                                                        equation.at(Vec2::Zero()).velocity *
                                                            (2 / ((a + b) * *p.normal_impulse * p.reservoir_factor)));
  const Mat2 block = p.delassus.block<2, 2>(1, 1);
  return block.determinant() > 1e-10 * block.squaredNorm() && law.unique_for(block.inverse());
}

std::optional<SlipTrial> follow(const PlanarContactLaw& law, const SlipEquation& equation, const Vec2& last_slip,
                                const Vec2& balance) {
  const PlanarSet &c = law.law().reservoir(), &d = law.law().direction();
  if (law.direction_has_corners()) return std::nullopt;
  const Vec2 ray = last_slip.isZero(0) ? balance : d.support_ray(last_slip);
  if (!(ray.squaredNorm() > 0)) return std::nullopt;
  if (const auto* ce = c.as<Ellipse>())
    if (const auto* de = d.as<Ellipse>()) return follow_slip(equation, *ce, *de, ray);
  return follow_slip(equation, c, d, ray);
}

}  // namespace

PlanarSolutions all_planar_solutions(const PlanarContactLaw& law, const PlanarProblem& p) {
  PlanarSolutions found;
  if (is_open(p)) found.push_back(open_solution(p));
  if (is_open(p) && !can_jam(law, p)) return found;
  if (p.normal_impulse && !(*p.normal_impulse > 0)) {  // no pressure, no friction
    Vec3 impulse(*p.normal_impulse, 0, 0);
    found.push_back({ContactMode::slip, impulse, p.delassus * impulse + p.free_velocity});
    return found;
  }
  if (const auto stick = stick_solution(law, p)) found.push_back(*stick);
  add_slip_solutions(law, p, found);
  return found;
}

PlanarAnswer solve_planar(const PlanarContactLaw& law, const PlanarProblem& p) {
  if (is_open(p) && !can_jam(law, p)) return {open_solution(p), 1};
  const SlipEquation equation(p);
  if (p.normal_impulse && *p.normal_impulse > 0 && has_one_solution(law, p, equation)) {
    if (const auto stick = stick_solution(law, p)) return {*stick, 1};
    const Vec2 balance = p.free_velocity.tail<2>();
    if (const auto trial = follow(law, equation, p.last_slip, balance)) return {slip_solution(p, equation, *trial), 1};
  }
  const PlanarSolutions all = all_planar_solutions(law, p);
  PlanarAnswer answer;
  answer.count = static_cast<int>(all.size());
  double nearest = INFINITY;
  for (const PlanarSolution& s : all) {
    const double distance = (s.velocity.tail<2>() - p.last_slip).norm();
    if (distance >= nearest) continue;
    nearest = distance;
    answer.chosen = s;
  }
  return answer;
}

double planar_defect(const PlanarContactLaw& law, const PlanarProblem& p, const Vec3& impulse, const Vec3& velocity) {
  const double mobility = p.delassus.trace() / 3;  // [velocity over impulse]
  double defect = (p.delassus * impulse + p.free_velocity - velocity).tail<2>().norm();
  if (p.normal_impulse)
    defect += mobility * std::abs(impulse[0] - *p.normal_impulse);
  else
    defect += std::abs(std::min(velocity[0], mobility * impulse[0])) +
              std::abs((p.delassus * impulse + p.free_velocity - velocity)[0]);
  if (impulse[0] > 0) {
    // x = αs ∈ D, and x = P_D(x + r v) for the slip velocity v; D's size makes the step a resistance.
    const Vec2 s = -impulse.tail<2>() / (impulse[0] * p.reservoir_factor), v = velocity.tail<2>();
    const FrictionLaw& sets = law.law();
    const Vec2 x = alpha_of_resistance(sets, s) * s;
    const double strength = mobility * impulse[0] * p.reservoir_factor;  // resistance to velocity
    defect += strength * (x - sets.direction().project(x + v / strength)).norm();
    const double outside = sets.reservoir().gauge(s) - 1;
    defect += strength * law.largest_resistance() * (outside > 0 || std::isnan(outside) ? outside : 0);
  } else {
    defect += mobility * impulse.tail<2>().norm();
  }
  return defect;
}

double planar_residual(const PlanarContactLaw& law, const PlanarProblem& p, const Vec3& impulse, const Vec3& velocity) {
  const double scale = p.free_velocity.norm() + (p.delassus * impulse).norm();
  const double defect = planar_defect(law, p, impulse, velocity);
  return scale > 0 ? defect / scale : defect;
}

}  // namespace slipset
