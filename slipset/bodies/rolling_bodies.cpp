#include "slipset/bodies/rolling_bodies.hpp"

#include <fmt/format.h>

#include "slipset/core/error.hpp"
#include "slipset/laws/properties.hpp"

namespace slipset {
namespace {

using Index = Eigen::Index;

constexpr double kStick = 100;  // times the tolerance, of the velocity that the contact's own impulse makes

Index at(std::size_t contact) { return static_cast<Index>(3 * contact); }

// Size of the components from..to of Lᵀx, x behind a normal component.
double own_size(const RollingLaw& law, const RollingContactVec& x, Index from, Index to) {
  double sum = 0;
  for (Index i = from; i < to; ++i) {
    double own = 0;
    for (Index k = 0; k < law.size(); ++k) own += law.coordinates()(k, i) * x[1 + k];
    sum += own * own;
  }
  return std::sqrt(sum);
}

}  // namespace

RollingLaw rolling_law_of(const FrictionLaw& law) {
  if (!law.reservoir().is_convex() || !law_properties(law).associated.value)
    throw InvalidInput(
        "where contacts resist drilling or rolling every law of the world is associated, its direction set the "
        "reservoir itself, which is convex; take the direction set out of this law, or drilling and rolling out of "
        "all");
  return RollingLaw::product(law.reservoir(), std::nullopt, std::nullopt);
}

RollingBodies::RollingBodies(const BodyWorld& world) {
  for (std::size_t i = 0; i < world.laws.size(); ++i) {
    if (!world.laws[i]) {
      laws_.push_back(world.rolling_laws[i]);
      continue;
    }
    try {
      laws_.push_back(std::make_shared<const RollingLaw>(rolling_law_of(world.laws[i]->law())));
    } catch (const InvalidInput& error) {
      throw InvalidInput(fmt::format("rigid bodies: law {}: {}", i, error.what()));
    }
  }
}

// Of (γ, ρ), those that the contact has.
int RollingBodies::components(std::size_t contact, int (&places)[6]) const {
  const RollingLaw* law = problem_.contacts[contact].law;
  int n = 0;
  places[n++] = 0;
  if (law && law->has_sliding()) places[n++] = 1, places[n++] = 2;
  if (law && law->has_drilling()) places[n++] = 3;
  if (law && law->has_rolling()) places[n++] = 4, places[n++] = 5;
  return n;
}

void RollingBodies::build(const BodyWorld& world, const std::vector<BodyMotion>& motions,
                          const std::vector<BodyContact>& contacts, const BodyProblem& planar) {
  const std::size_t n = contacts.size();
  torques_.assign(n, Vec3::Zero());
  problem_.contacts.resize(n);
  sizes_.resize(n);
  turns_.resize(2 * n);
  turns_inertia_.resize(2 * n);
  for (std::size_t i = 0; i < n; ++i) {
    const BodyContact& c = contacts[i];
    const RollingLaw* law = c.law < 0 ? nullptr : laws_[static_cast<std::size_t>(c.law)].get();
    problem_.contacts[i] = {law, std::nullopt, planar.points[i].reservoir_factor};
    sizes_[i] = 1 + (law ? law->size() : 0);
    const auto side = [&](std::size_t k, std::uint32_t body, double sign) {
      turns_[2 * i + k].topRows<3>() = -sign * c.frame * cross_matrix(c.point - world.states[body].position);
      turns_[2 * i + k].bottomRows<3>() = sign * c.frame;
      turns_inertia_[2 * i + k] = turns_[2 * i + k] * motions[body].inverse_inertia;
    };
    side(0, c.surface, -1);
    side(1, c.other, 1);
  }
  planar.pairs.assemble(planar_);
  problem_.delassus.clear(sizes_);
  problem_.free_velocity.resize(problem_.delassus.rows());
  for (std::size_t i = 0; i < n; ++i) {
    const BodyContact& c = contacts[i];
    const std::uint32_t own[2] = {c.surface, c.other};
    int rows[6];
    const int height = components(i, rows);
    row_.clear();
    for (const BlockDelassus::Block& block : planar_.row(i)) {
      const std::size_t j = block.column;
      const std::uint32_t others[2] = {contacts[j].surface, contacts[j].other};
      Eigen::Matrix<double, 6, 6> all = Eigen::Matrix<double, 6, 6>::Zero();
      for (std::size_t k = 0; k < 2; ++k)
        for (std::size_t l = 0; l < 2; ++l)
          if (own[k] == others[l]) all += turns_inertia_[2 * i + k] * turns_[2 * j + l].transpose();
      all.topLeftCorner<3, 3>() = block.values;  // (G.4)
      int columns[6];
      const int width = components(j, columns);
      RollingContactMat values(height, width);
      for (int a = 0; a < height; ++a)
        for (int b = 0; b < width; ++b) values(a, b) = all(rows[a], columns[b]);
      row_.push_back({j, values});
    }
    problem_.delassus.append_row(row_);
    const Vec3 spin = c.frame * (motions[c.other].spin_free - motions[c.surface].spin_free);
    for (int a = 0; a < height; ++a)
      problem_.free_velocity[problem_.delassus.offset(i) + a] =
          rows[a] < 3 ? planar.free_velocity[at(i) + rows[a]] : spin[rows[a] - 3];
  }
}

void RollingBodies::solve(const ContactOptions& options, ContactSolution& solution) {
  const std::size_t n = problem_.contacts.size();
  const RollingDelassus& w = problem_.delassus;
  solution_.impulse.resize(w.rows());
  int places[6];
  for (std::size_t i = 0; i < n; ++i)
    for (int a = 0, size = components(i, places); a < size; ++a)
      solution_.impulse[w.offset(i) + a] =
          places[a] < 3 ? solution.impulse[at(i) + places[a]] : torques_[i][places[a] - 3];
  RollingOptions with;
  with.tolerance = options.tolerance;
  with.max_sweeps = options.max_iterations;
  solver_.solve(problem_, with, solution_);

  solution.impulse.setZero(at(n));
  solution.velocity.setConstant(at(n), std::numeric_limits<double>::quiet_NaN());  // the stepper fills it
  solution.modes.resize(n);
  solution.solutions.assign(n, 1);
  turning_ = 0;
  for (std::size_t i = 0; i < n; ++i) {
    torques_[i].setZero();
    const int size = components(i, places);
    RollingContactVec u(size), p(size);
    for (int a = 0; a < size; ++a) {
      u[a] = solution_.velocity[w.offset(i) + a];
      p[a] = solution_.impulse[w.offset(i) + a];
      (places[a] < 3 ? solution.impulse[at(i) + places[a]] : torques_[i][places[a] - 3]) = p[a];
    }
    // Rates within what the tolerance leaves open are rest: in stacks the errors of many contacts add up.
    const RollingLaw* law = problem_.contacts[i].law;
    solution.modes[i] = p[0] > 0 ? ContactMode::slip : ContactMode::open;
    if (!law || !(p[0] > 0)) continue;
    const RollingContactVec push = w.diagonal(i) * p;
    const double rest = kStick * options.tolerance * std::hypot(push[0], own_size(*law, push, 0, law->size()));
    if (own_size(*law, u, 0, law->size()) <= rest) solution.modes[i] = ContactMode::stick;
    if (own_size(*law, u, law->drilling_place(), law->size()) > rest) ++turning_;
  }
  const RollingReport& from = solution_.report;
  ContactReport& report = solution.report;
  report = ContactReport{};
  report.options = options;
  report.sweeps = from.sweeps;
  report.newton = from.newton;
  report.iterations = from.sweeps + from.newton;
  report.last = from.newton > 0 ? ContactMethod::newton : ContactMethod::gauss_seidel;
  report.error = report.residual = from.residual;
  report.converged = from.converged;
  report.why = from.why;
}

void RollingBodies::add_turning(const std::vector<BodyMotion>& motions, const std::vector<BodyContact>& contacts,
                                std::vector<Vec3>& spins) const {
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const BodyContact& c = contacts[i];
    const Vec3 torque = c.frame.transpose() * torques_[i];
    spins[c.other] += motions[c.other].inverse_inertia * torque;  // that of prescribed bodies is zero
    spins[c.surface] -= motions[c.surface].inverse_inertia * torque;
  }
}

RollingBodies::Work RollingBodies::work(const std::vector<BodyMotion>& motions,
                                        const std::vector<BodyContact>& contacts,
                                        const std::vector<Vec3>& spin_end) const {
  Work work;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const BodyMotion &s = motions[contacts[i].surface], &o = motions[contacts[i].other];
    const Vec3 torque = contacts[i].frame.transpose() * torques_[i];
    const Vec3 mean = (o.spin_before + spin_end[contacts[i].other] - s.spin_before - spin_end[contacts[i].surface]) / 2;
    work.dissipated -= torque.dot(mean);
    if (s.inverse_mass == 0) work.input += torque.dot(s.spin_free);
    if (o.inverse_mass == 0) work.input -= torque.dot(o.spin_free);
  }
  return work;
}

}  // namespace slipset
