#include "slipset/contact/planar_local.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <boost/math/tools/toms748_solve.hpp>

#include "slipset/contact/internal/slip_search.hpp"
#include "slipset/core/internal/small_matrix.hpp"

namespace slipset {
namespace {

using internal::follow_slip;
using internal::SlipEquation;
using internal::SlipTrial;

// x with Ax = b; where A is singular, the shortest that fits best. Mobilities along the axes may differ by many orders:
// what is singular shows in rows and columns of size one.
template <class Matrix, class Vector>
Vector solve_small(const Matrix& a, const Vector& b) {
  const double largest = a.diagonal().maxCoeff();
  Vector scale;
  for (Eigen::Index k = 0; k < a.rows(); ++k)
    scale[k] = 1 / std::sqrt(a(k, k) > internal::kNoMobility * largest ? a(k, k) : largest > 0 ? largest : 1);
  const Matrix even = scale.asDiagonal() * a * scale.asDiagonal();
  if (std::abs(even.determinant()) > 1e-13) return scale.cwiseProduct(even.inverse() * scale.cwiseProduct(b));
  return internal::pseudo_inverse_of(a) * b;
}

// Of a contact that can only move along one line, the unit direction across it: what friction does along it moves
// nothing.
std::optional<Vec2> idle_direction(const Mat2& tangential) {
  if (!internal::is_along_one_line(tangential)) return std::nullopt;
  const Vec2 along = tangential.col(tangential(0, 0) >= tangential(1, 1) ? 0 : 1);
  return turn_left(along).normalized();
}

// The point of fC on the line through r along `idle` that is next to r, which is outside: where the line meets the
// boundary. None if it passes by.
std::optional<Vec2> held_from_aside(const PlanarContactLaw& law, double factor, const Vec2& r, const Vec2& idle) {
  const auto& path = law.path();
  const PlanarSet& c = law.law().reservoir();
  std::optional<Vec2> nearest;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const PlanarContactLaw::Node &a = path[i], &b = path[i + 1 == path.size() ? 0 : i + 1];
    const auto at = [&](double t) -> Vec2 {
      const Vec2 ray = (1 - t) * a.ray + t * b.ray;
      return factor * ray / c.gauge(ray);
    };
    const auto side = [&](double t) { return cross(idle, at(t) - r); };
    const double before = side(0), after = side(1);
    if (a.corner || (before >= 0) == (after >= 0)) continue;
    std::uintmax_t iterations = 100;
    const auto bracket = boost::math::tools::toms748_solve(side, 0.0, 1.0, before, after,
                                                           boost::math::tools::eps_tolerance<double>(53), iterations);
    const Vec2 met = at(bracket.first);
    if (!nearest || (met - r).norm() < (*nearest - r).norm()) nearest = met;
  }
  return nearest;
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
  const double gauge =
      law.law().reservoir().visit([&](const auto& c) { return c.gauge(resistance); });  // hot: in place
  if (!(gauge <= p.reservoir_factor * (1 + 1e-14))) {
    const auto idle = idle_direction(tangential);
    const auto held = idle ? held_from_aside(law, p.reservoir_factor, resistance, *idle) : std::nullopt;
    if (!held) return std::nullopt;
    impulse.tail<2>() = -impulse[0] * *held;
  }
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

// The slip equation along the law's path, node by node: positive where the slip velocity is counter-clockwise of the
// normal of D, so that a root lies ahead.
class PathSearch {
 public:
  PathSearch(const PlanarContactLaw& law, const PlanarProblem& p)
      : problem_(p), equation_(p), path_(law.path()), c_(law.law().reservoir()), d_(law.law().direction()) {}

  // All roots.
  void add_all(PlanarSolutions& found) const;
  // The root that is reached by going ahead from the slip direction `from`, for laws with one slip solution: the
  // same as among add_all(), after a few nodes instead of all. Empty if what it finds is none.
  std::optional<PlanarSolution> follow(const Vec2& from) const;

 private:
  std::size_t next(std::size_t i) const { return i + 1 == path_.size() ? 0 : i + 1; }
  double value_at(std::size_t i) const { return cross(path_[i].slip, equation_.at(path_[i].resistance).velocity); }
  Vec2 ray_on(std::size_t i, double t) const { return (1 - t) * path_[i].ray + t * path_[next(i)].ray; }
  double value_on(std::size_t i, double t) const {
    const Vec2 ray = ray_on(i, t);
    return cross(d_.gauge_gradient(ray).normalized(), equation_.at(ray / c_.gauge(ray)).velocity);
  }
  std::optional<PlanarSolution> accept(const SlipTrial& trial, const Vec2& slip) const {
    if (trial.weight > 0 && slip.dot(trial.velocity) > 0) return slip_solution(problem_, equation_, trial);
    return std::nullopt;
  }
  // At a corner of D n turns from node i to the next while the velocity stays.
  std::optional<PlanarSolution> corner(std::size_t i) const {
    return accept(equation_.at(path_[i].resistance), path_[i].slip + path_[next(i)].slip);
  }
  std::optional<PlanarSolution> root_on(std::size_t i, double from, double to, double f_from, double f_to) const;
  std::size_t node_before(const Vec2& slip) const;

  const PlanarProblem& problem_;
  SlipEquation equation_;
  const std::vector<PlanarContactLaw::Node>& path_;
  const PlanarSet &c_, &d_;
};

std::optional<PlanarSolution> PathSearch::root_on(std::size_t i, double from, double to, double f_from,
                                                  double f_to) const {
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
  const SlipTrial trial = equation_.at(ray / c_.gauge(ray));
  return accept(trial, t == from            ? path_[i].slip
                       : t == to && to == 1 ? path_[next(i)].slip
                                            : Vec2(d_.gauge_gradient(ray)));
}

void PathSearch::add_all(PlanarSolutions& found) const {
  const auto add = [&](const std::optional<PlanarSolution>& solution) {
    if (solution && found.size() < found.capacity()) found.push_back(*solution);
  };
  const std::size_t n = path_.size();
  double before = value_at(n - 1), here = value_at(0), there = value_at(next(0));
  for (std::size_t i = 0; i < n; ++i) {
    const double beyond = value_at(next(next(i)));
    const bool changes = (here >= 0) != (there >= 0);
    if (path_[i].corner) {
      if (here >= 0 && there < 0) add(corner(i));
    } else if (changes) {
      add(root_on(i, 0, 1, here, there));
    } else {
      // Towards zero before and away from it after: perhaps a dip to zero and back within the arc, two roots.
      const double sign = here >= 0 ? 1 : -1;
      if (here != 0 && there != 0 && sign * (here - before) < 0 && sign * (beyond - there) > 0) {
        const auto [t, least] =
            boost::math::tools::brent_find_minima([&](double x) { return sign * value_on(i, x); }, 0.0, 1.0, 30);
        if (least < 0 && t > 0 && t < 1) {
          add(root_on(i, 0, t, here, sign * least));
          add(root_on(i, t, 1, sign * least, there));
        }
      }
    }
    before = here;
    here = there;
    there = beyond;
  }
}

// The last node whose normal is not counter-clockwise of `slip`: normals turn once around the circle.
std::size_t PathSearch::node_before(const Vec2& slip) const {
  const Vec2 first = path_[0].slip;
  const auto angle = [&](const Vec2& v) {  // from the first normal on, grows like the angle, 0 to 4
    const double along = first.dot(v), across = cross(first, v), share = along / (std::abs(along) + std::abs(across));
    return across >= 0 ? 1 - share : 3 + share;
  };
  const double wanted = angle(slip);
  const auto after = std::upper_bound(path_.begin() + 1, path_.end(), wanted,
                                      [&](double a, const PlanarContactLaw::Node& n) { return a < angle(n.slip); });
  return static_cast<std::size_t>(after - path_.begin()) - 1;
}

std::optional<PlanarSolution> PathSearch::follow(const Vec2& from) const {
  const std::size_t n = path_.size();
  const auto node = [&](std::ptrdiff_t i) {
    const auto size = static_cast<std::ptrdiff_t>(n);
    return static_cast<std::size_t>((i % size + size) % size);
  };
  // A bracket of nodes with the root ahead of its first and not ahead of its last, in steps that double.
  auto low = static_cast<std::ptrdiff_t>(node_before(from)), high = low + 1;
  double at_low = value_at(node(low)), at_high = value_at(node(high));
  for (std::ptrdiff_t step = 1; at_low < 0; step *= 2) {
    if (step > static_cast<std::ptrdiff_t>(n)) return std::nullopt;
    high = low;
    at_high = at_low;
    low -= step;
    at_low = value_at(node(low));
  }
  for (std::ptrdiff_t step = 1; at_high >= 0; step *= 2) {
    if (step > static_cast<std::ptrdiff_t>(n)) return std::nullopt;
    low = high;
    at_low = at_high;
    high += step;
    at_high = value_at(node(high));
  }
  while (high - low > 1) {
    const std::ptrdiff_t middle = low + (high - low) / 2;
    const double value = value_at(node(middle));
    (value >= 0 ? low : high) = middle;
    (value >= 0 ? at_low : at_high) = value;
  }
  const std::size_t i = node(low);
  return path_[i].corner ? corner(i) : root_on(i, 0, 1, at_low, at_high);
}

// Whether the normal equation can lose its sign: friction alone would press or lift the contact (Painlevé).
bool can_jam(const PlanarContactLaw& law, const PlanarProblem& p) {
  const double factor = p.reservoir_factor, normal = p.delassus(0, 0);
  return !p.normal_impulse &&
         factor * law.most_along(p.delassus.block<1, 2>(0, 1).transpose(), normal / factor) >= normal;
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
  const Vec2 ray = last_slip.isZero(0) ? balance : d.support_ray(last_slip);
  if (!(ray.squaredNorm() > 0)) return std::nullopt;
  // Dispatched here, once, where D is an ellipse; else in each evaluation.
  if (const auto* ellipse = d.as<Ellipse>())
    return c.visit([&](const auto& reservoir) { return follow_slip(equation, reservoir, *ellipse, ray); });
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
  const auto stick = stick_solution(law, p);
  if (stick) found.push_back(*stick);
  PathSearch(law, p).add_all(found);
  // Along one line the path also crosses zero where it holds the contact at rest: that is stick again.
  if (stick && idle_direction(p.delassus.block<2, 2>(1, 1))) {
    const double none = 1e-12 * (p.free_velocity.norm() + (p.delassus * stick->impulse).norm());
    const auto at_rest = [&](const PlanarSolution& s) {
      return s.mode == ContactMode::slip && s.velocity.tail<2>().norm() <= none;
    };
    found.erase(std::remove_if(found.begin(), found.end(), at_rest), found.end());
  }
  return found;
}

PlanarAnswer solve_planar(const PlanarContactLaw& law, const PlanarProblem& p) {
  if (is_open(p) && !can_jam(law, p)) return {open_solution(p), 1};
  const SlipEquation equation(p);
  if (p.normal_impulse && *p.normal_impulse > 0 && has_one_solution(law, p, equation)) {
    if (const auto stick = stick_solution(law, p)) return {*stick, 1};
    const Vec2 balance = p.free_velocity.tail<2>();
    if (!law.direction_has_corners()) {
      if (const auto trial = follow(law, equation, p.last_slip, balance))
        return {slip_solution(p, equation, *trial), 1};
    } else if (const Vec2 from = p.last_slip.isZero(0) ? balance : p.last_slip; from.squaredNorm() > 0) {
      if (const auto found = PathSearch(law, p).follow(from)) return {*found, 1};
    }
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
    const double at_least = std::max(strength, 1e-100 * v.norm());  // from farther away the closest point is the same
    defect += strength * (x - sets.direction().project(x + v / at_least)).norm();
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
