#include "slipset/systems/bodies/internal/deposit.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "slipset/core/error.hpp"

namespace slipset::internal {
namespace {

constexpr double kTouch = 1e-9;     // of the radius: gaps that count as closed
constexpr double kNone = 1e-12;     // of the radius: gaps that are none
constexpr double kStep = 0.1;       // of the radius, along others
constexpr double kSlow = 1e-7;      // of free fall: a descent that counts as rest
constexpr double kSmallest = 1e-9;  // of the radius: steps that lead nowhere
constexpr int kMostSteps = 20000;

}  // namespace

Vec3 Deposit::Obstacle::normal(const Vec3& p) const {
  if (is_wall) return place;
  const Vec3 out = p - place;
  const double length = out.norm();
  return length > 0 ? Vec3(out / length) : Vec3(Vec3::UnitZ());
}

double Deposit::Obstacle::gap(const Vec3& p) const { return (is_wall ? p.dot(place) : (p - place).norm()) - distance; }

Deposit::Deposit(double width, double largest)
    : width_(width), largest_(largest), side_(static_cast<int>(std::clamp(width / (2.5 * largest), 1.0, 1000.0))) {}

int Deposit::cell_along(double x) const { return std::clamp(static_cast<int>(x / width_ * side_), 0, side_ - 1); }

int Deposit::layer_of(double z) const { return std::max(0, static_cast<int>(z / (2.5 * largest_))); }

std::size_t Deposit::cell_of(int i, int j, int k) const {
  const auto side = static_cast<std::size_t>(side_);
  return (static_cast<std::size_t>(k) * side + static_cast<std::size_t>(j)) * side + static_cast<std::size_t>(i);
}

void Deposit::add(const Vec3& centre, double radius) {
  const std::size_t cell = cell_of(cell_along(centre.x()), cell_along(centre.y()), layer_of(centre.z()));
  if (cell >= first_.size())
    first_.resize(cell + static_cast<std::size_t>(side_) * static_cast<std::size_t>(side_), -1);
  balls_.push_back({centre, radius, first_[cell]});
  first_[cell] = static_cast<int>(balls_.size()) - 1;
  top_ = std::max(top_, centre.z() + radius);
}

// The walls, and the spheres that one within `around` of p can touch.
void Deposit::gather(const Vec3& p, double radius, double around) {
  near_.clear();
  near_.push_back({true, Vec3::UnitZ(), radius});
  for (int axis = 0; axis < 2; ++axis) {
    near_.push_back({true, Vec3::Unit(axis), radius});
    near_.push_back({true, -Vec3::Unit(axis), radius - width_});
  }
  const int i = cell_along(p.x()), j = cell_along(p.y()), k = layer_of(p.z());
  for (int c = std::max(0, k - 1); c <= k + 1; ++c)
    for (int b = std::max(0, j - 1); b <= std::min(side_ - 1, j + 1); ++b)
      for (int a = std::max(0, i - 1); a <= std::min(side_ - 1, i + 1); ++a) {
        const std::size_t cell = cell_of(a, b, c);
        if (cell >= first_.size()) continue;
        for (int at = first_[cell]; at >= 0; at = balls_[static_cast<std::size_t>(at)].next) {
          const Ball& ball = balls_[static_cast<std::size_t>(at)];
          const double reach = radius + ball.radius + around;
          if ((p - ball.centre).squaredNorm() < reach * reach)
            near_.push_back({false, ball.centre, radius + ball.radius});
        }
      }
}

double Deposit::least_gap(const Vec3& p) const {
  double least = INFINITY;
  for (const Obstacle& o : near_) least = std::min(least, o.gap(p));
  return least;
}

// The steepest way down that touching_ leaves open, of at most unit length; it goes along held_, at most two. The
// projection on a cone is that on its interior, on one of its faces or on one of its edges, or zero.
Vec3 Deposit::descent(const Vec3& p) {
  const Vec3 down = -Vec3::UnitZ();
  const auto open = [&](const Vec3& v) {
    return std::all_of(touching_.begin(), touching_.end(),
                       [&](const Obstacle* o) { return o->normal(p).dot(v) >= -1e-12; });
  };
  held_.clear();
  if (open(down)) return down;
  for (const Obstacle* o : touching_) {
    const Vec3 n = o->normal(p), v = down - n.dot(down) * n;
    if (n.dot(down) > 0 || !open(v)) continue;
    held_ = {o};
    return v;
  }
  for (std::size_t i = 0; i < touching_.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const Vec3 a = touching_[i]->normal(p), b = touching_[j]->normal(p);
      const Vec3 edge = a.cross(b);
      if (edge.norm() < 1e-9) continue;
      const Vec3 v = edge * (edge.dot(down) / edge.squaredNorm());
      if (!open(v)) continue;
      // Both must push: v − down = λ_a a + λ_b b.
      const double ab = a.dot(b), da = -a.dot(down), db = -b.dot(down);
      if (da - ab * db < 0 || db - ab * da < 0) continue;
      held_ = {touching_[i], touching_[j]};
      return v;
    }
  return Vec3::Zero();
}

// A step on the surfaces of held_.
Vec3 Deposit::moved(const Vec3& p, const Vec3& along, double step) const {
  Vec3 to = p + step * along;
  for (int i = 0; i < 8 && !held_.empty(); ++i) {
    const Vec3 a = held_[0]->normal(to);
    const double gap_a = held_[0]->gap(to);
    if (held_.size() == 1) {
      to -= gap_a * a;
      return to;
    }
    const Vec3 b = held_[1]->normal(to);
    const double gap_b = held_[1]->gap(to), ab = a.dot(b), side = 1 - ab * ab;
    to -= ((gap_a - ab * gap_b) * a + (gap_b - ab * gap_a) * b) / side;
    if (std::max(std::abs(gap_a), std::abs(gap_b)) < 1e-15 * largest_) break;
  }
  return to;
}

Vec3 Deposit::settle(double x, double y, double radius) {
  Vec3 p(x, y, top_ + 1.1 * radius);
  double longest = kStep * radius;
  for (int k = 0; k < kMostSteps; ++k) {
    gather(p, radius, 2 * kStep * radius);
    touching_.clear();
    for (const Obstacle& o : near_)
      if (o.gap(p) < kTouch * radius) touching_.push_back(&o);
    Vec3 along = descent(p);
    const double speed = along.norm();
    if (speed < kSlow) return p;
    along /= speed;
    double step = longest;
    Vec3 next = moved(p, along, step);
    if (least_gap(next) < -kNone * radius) {  // up to what stops it, by halving
      double free = 0;
      for (int i = 0; i < 60 && step - free > 1e-3 * kNone * radius; ++i) {
        const double middle = (free + step) / 2;
        (least_gap(moved(p, along, middle)) < -kNone * radius ? step : free) = middle;
      }
      step = free;
      next = moved(p, along, free);
    }
    // Over the lowest place, or wedged.
    if (!(next.z() < p.z()) || step < kSmallest * longest) {
      longest /= 4;
      if (longest < kSmallest * radius) return p;
      continue;
    }
    longest = std::min(2 * longest, kStep * radius);
    p = next;
  }
  throw InvalidInput("pile of spheres: a sphere does not come to rest; choose another seed");
}

}  // namespace slipset::internal
