#include "slipset/contact/planar_contact_law.hpp"

#include "slipset/laws/destabilising.hpp"
#include "slipset/laws/slip_path.hpp"

namespace slipset {
namespace {

PlanarContactLaw::FoldArc fold_arc(const std::vector<PlanarContactLaw::Node>& path, std::size_t first, std::size_t last,
                                   double size) {
  PlanarContactLaw::FoldArc arc{first, last, Vec2::Constant(INFINITY), Vec2::Constant(-INFINITY)};
  bool bounded = true;
  const auto reach = [&](const Vec2& r) {
    arc.least = arc.least.cwiseMin(r);
    arc.most = arc.most.cwiseMax(r);
  };
  for (std::size_t i = first; i < last; ++i) {
    const PlanarContactLaw::Node &here = path[i % path.size()], &next = path[(i + 1) % path.size()];
    reach(here.resistance);
    reach(next.resistance);
    const double turn = cross(here.slip, next.slip);
    const double meet = cross(next.resistance - here.resistance, next.slip);  // λ* times turn
    if (!(meet > 0)) continue;
    if (turn > 1e-9 * meet)
      reach(here.resistance + meet / turn * here.slip);
    else
      bounded = false;  // a flat side: the rays never meet
  }
  const Vec2 margin = 0.2 * (arc.most - arc.least) + Vec2::Constant(0.05 * size);  // the path is known at nodes only
  arc.least -= margin;
  arc.most += margin;
  if (!bounded) {
    arc.least.setConstant(-INFINITY);
    arc.most.setConstant(INFINITY);
  }
  return arc;
}

}  // namespace

PlanarContactLaw::PlanarContactLaw(FrictionLaw law, int nodes) : law_(std::move(law)) {
  const PlanarSet& c = law_.reservoir();
  direction_has_corners_ = !law_.direction().corners().empty();
  const std::vector<SlipNode> path = slip_path(law_, nodes);
  for (std::size_t i = 0; i < path.size(); ++i) {
    const SlipNode &here = path[i], &next = path[(i + 1) % path.size()];
    const Vec2 ray = unit(here.resistance_angle);
    const bool corner = std::abs(wrap_to_pi(next.resistance_angle - here.resistance_angle)) < 1e-13;
    path_.push_back({ray, c.boundary_point(here.resistance_angle), unit(here.slip_angle), corner});
    largest_ = std::max(largest_, path_.back().resistance.norm());
    const AngleInterval normal = c.normal_cone(ray);
    for (const double out : {normal.from, normal.to}) normals_.emplace_back(unit(out), unit(here.slip_angle));
  }
  inner_ = INFINITY;  // 0.9: the path is only known at its nodes
  for (const Node& node : path_) inner_ = std::min(inner_, 0.9 * node.resistance.norm());
  // From one node before the first destabilising slip direction to one after the last.
  const bool isotropic = c.as<Disk>() && law_.direction().as<Disk>();  // the most frequent law, known not to
  const auto intervals = isotropic ? std::vector<AngleInterval>{} : destabilising_directions(law_);
  const auto destabilises = [&](const SlipNode& node) {
    return std::any_of(intervals.begin(), intervals.end(),
                       [&](const auto& i) { return i.contains(node.slip_angle, 1e-9); });
  };
  for (const AngleInterval& interval : intervals) {
    std::size_t first = 0;  // the node next before the interval's start
    for (std::size_t i = 0; i < path.size(); ++i)
      if (wrap_to_turn(interval.from - path[i].slip_angle) < wrap_to_turn(interval.from - path[first].slip_angle))
        first = i;
    std::size_t last = first + 1;
    while (last < first + path.size() && destabilises(path[last % path.size()])) ++last;
    // Two nodes more on each side show a pair of solutions between the outer ones.
    fold_arcs_.push_back(fold_arc(path_, first + path.size() - 2, last + path.size() + 2, largest_));
  }
}

double PlanarContactLaw::most_along(const Vec2& v, double enough) const {
  const double between = 1.01 / std::cos(std::min(2 * kPi / static_cast<double>(path_.size()), 1.0));  // nodes
  const double bound = 1.05 * largest_ * v.norm();
  if (bound < enough) return bound;
  double most = 0;
  for (const Node& node : path_) most = std::max(most, node.resistance.dot(v));
  return between * most;
}

bool PlanarContactLaw::unique_for(const Mat2& inverse_block) const {
  // A margin of the nodes' spacing, since the path is only known there.
  const double margin = 0.05 * inverse_block.norm();
  return std::all_of(normals_.begin(), normals_.end(),
                     [&](const auto& pair) { return pair.first.dot(inverse_block * pair.second) > margin; });
}

}  // namespace slipset
