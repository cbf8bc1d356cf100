#include "slipset/contact/line_contact_law.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "slipset/core/error.hpp"

namespace slipset {
namespace {

// A solution by its resistance: r = -p/p_N. Slips where it is at an end of the reservoir and moves.
struct Found {
  double normal, line;  // impulses
  double velocity;      // along the line
  ContactMode mode;
};

}  // namespace

LineContactLaw::LineContactLaw(Interval reservoir, Rows rows)
    : reservoir_(reservoir), has_normal_(rows == Rows::normal_and_line) {}

std::optional<FrictionCone> LineContactLaw::cone() const {
  if (!has_normal_ || reservoir_.backward() != reservoir_.forward()) return std::nullopt;
  return FrictionCone{.sliding = reservoir_.forward()};
}

std::string LineContactLaw::description() const {
  return fmt::format("friction along a line, {}", has_normal_ ? "with its normal row" : "without a normal row");
}

// Open, stick, slip forward, slip backward: each is a linear equation and a condition.
int LineContactLaw::search(const Contact& contact, const ContactMat& g, const ContactVec& c, LocalState& state) const {
  const double a = contact.reservoir_factor * reservoir_.forward(),
               b = contact.reservoir_factor * reservoir_.backward();
  if (!has_normal_ && !contact.normal_impulse)
    throw InvalidInput("contact: friction along a line without a normal row needs a given normal impulse");
  const auto& given = contact.normal_impulse;
  const Eigen::Index line = has_normal_ ? 1 : 0;
  const double gtt = g(line, line), gnn = has_normal_ ? g(0, 0) : 0, gnt = has_normal_ ? g(0, 1) : 0,
               gtn = has_normal_ ? g(1, 0) : 0, cn = has_normal_ ? c[0] : 0, ct = c[line];
  Found found[4];
  int count = 0;
  const auto add = [&](double normal, double along, ContactMode mode) {
    found[count++] = {normal, along, mode == ContactMode::stick ? 0 : ct + gtn * normal + gtt * along, mode};
  };
  if (given && !(*given > 0)) {
    add(*given, 0, ContactMode::slip);
  } else {
    if (!given && cn >= 0) add(0, 0, ContactMode::open);
    double normal = given ? *given : 0, along = 0;
    bool regular = true;
    if (given) {
      along = -(ct + gtn * normal) / gtt;
      regular = gtt > 0 || ct + gtn * normal == 0;
      if (!(gtt > 0)) along = 0;
    } else {
      const double determinant = gnn * gtt - gnt * gtn;
      regular = std::abs(determinant) > 1e-14 * gnn * gtt;
      normal = -(gtt * cn - gnt * ct) / determinant;
      along = -(gnn * ct - gtn * cn) / determinant;
    }
    if (regular && normal > 0 && -along >= -b * normal && -along <= a * normal) add(normal, along, ContactMode::stick);
    for (const double s : {a, -b}) {
      const double weight = gnn - gnt * s;
      const double pn = given ? *given : -cn / weight;
      if (!(pn > 0) || !std::isfinite(pn)) continue;
      const double v = ct + (gtn - gtt * s) * pn;
      if (s > 0 ? v > 0 : v < 0) add(pn, -s * pn, ContactMode::slip);
    }
  }
  const Found* chosen = nullptr;
  for (int k = 0; k < count; ++k)
    if (!chosen ||
        std::abs(found[k].velocity - contact.last_slip.x()) < std::abs(chosen->velocity - contact.last_slip.x()))
      chosen = &found[k];
  if (!chosen) return 0;
  state.mode = chosen->mode;
  state.impulse.resize(rows());
  if (has_normal_) state.impulse[0] = chosen->normal;
  state.impulse[line] = chosen->line;
  state.velocity = g * state.impulse + c;
  if (has_normal_ && !given && chosen->normal > 0) state.velocity[0] = 0;
  if (chosen->mode == ContactMode::stick) state.velocity[line] = 0;
  return count;
}

bool LineContactLaw::solve(const Contact& contact, const LocalBlock& block, const ContactVec& c, double,
                           LocalState& state) const {
  Contact next = contact;  // of several solutions that next to the last one
  if (state.mode == ContactMode::slip && state.velocity.size() == rows())
    next.last_slip.x() = state.velocity[has_normal_ ? 1 : 0];
  return search(next, block.g, c, state) > 0;
}

ContactLaw::Tangent LineContactLaw::linearize(const Contact& contact, const LocalBlock& block,
                                              const LocalState& state) const {
  const double g = block.mobility > 0 ? block.mobility : 1;
  const Eigen::Index n = rows(), line = n - 1;
  Tangent t{g * ContactMat::Identity(n, n), ContactMat::Zero(n, n)};
  if (state.mode == ContactMode::open) return t;
  if (has_normal_ && !contact.normal_impulse) {
    t.by_impulse(0, 0) = 0;
    t.by_velocity(0, 0) = 1;
  }
  if (state.mode == ContactMode::stick) {
    t.by_impulse(line, line) = 0;
    t.by_velocity(line, line) = 1;
  } else if (has_normal_ && state.impulse[0] > 0) {
    t.by_impulse(line, 0) = -g * state.impulse[1] / state.impulse[0];  // p_T + s p_N = 0
  }
  return t;
}

double LineContactLaw::residual(const Contact& contact, const ContactMat& g, const ContactVec& p, const ContactVec& u,
                                const VelocitySums& sums) const {
  const double mobility = g.trace() / rows(), along = p[rows() - 1], v = u[rows() - 1];
  double normal = contact.normal_impulse.value_or(0), defect = 0;
  if (has_normal_) {
    defect = contact.normal_impulse ? mobility * std::abs(p[0] - normal) : std::abs(std::min(u[0], mobility * p[0]));
    if (!contact.normal_impulse) normal = p[0];
  }
  // x = P(x + r v), x the resistance.
  const double strength = std::max(normal, 0.0) * contact.reservoir_factor;
  const double low = -strength * reservoir_.backward(), high = strength * reservoir_.forward();
  defect += mobility > 0 ? mobility * std::abs(-along - std::clamp(-along + v / mobility, low, high)) : std::abs(v);
  if (std::isnan(along + v + p[0] + u[0])) defect = along + v + p[0] + u[0];
  return sums.total > 0 ? defect / sums.total : defect;
}

bool LineContactLaw::project(const Contact& contact, const ContactMat& g, const ContactVec& u, double step,
                             ContactVec& p) const {
  const Eigen::Index line = rows() - 1;
  double normal = contact.normal_impulse.value_or(0);
  if (has_normal_) {
    if (!contact.normal_impulse) normal = std::max(0.0, p[0] - u[0] / g(0, 0));
    p[0] = normal;
  }
  const double strength = std::max(normal, 0.0) * contact.reservoir_factor;
  p[line] = -std::clamp(-p[line] + (step > 0 ? step : 1) * u[line] / g(line, line), -strength * reservoir_.backward(),
                        strength * reservoir_.forward());
  return true;
}

ContactMode LineContactLaw::mode_of(const ContactVec& p, const ContactVec& u, double negligible) const {
  if (has_normal_ && !(p[0] > 0)) return ContactMode::open;
  return std::abs(u[rows() - 1]) <= negligible ? ContactMode::stick : ContactMode::slip;
}

}  // namespace slipset
