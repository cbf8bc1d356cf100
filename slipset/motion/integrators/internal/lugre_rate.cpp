#include "slipset/motion/integrators/internal/lugre_rate.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace slipset::internal {

using Eigen::Index;

LuGreRate::LuGreRate(const System& system, const LuGre& lugre, const State& start, const std::vector<Vec2>& deflections)
    : StateRate(system, start, "lugre", "the bristles"), lugre_(lugre) {
  require_valid(lugre);
  if (!deflections.empty() && deflections.size() != count_)
    throw InvalidInput(fmt::format("lugre: found {} deflections at the start; the system has {} contacts",
                                   deflections.size(), count_));
  for (const SystemContact& contact : system.contacts())
    if (contact.law->law().elastic())
      throw InvalidInput(fmt::format(
          "lugre: contact \"{}\" is elastic, and LuGre bristles are already elastic; remove one", contact.name));
  deflection_ = deflection_rate_ = VectorX::Zero(at2(count_));
  sticks_.assign(count_, 1);
  VectorX spring(static_cast<Index>(count_)), damper(static_cast<Index>(count_));
  for (std::size_t i = 0; i < count_; ++i) {
    if (!deflections.empty()) first_states_.segment<2>(at2(i)) = lugre.sigma0 * deflections[i];
    spring[static_cast<Index>(i)] = normal_force(i) * lugre.sigma0;
    damper[static_cast<Index>(i)] = normal_force(i) * (lugre.sigma1 + lugre.sigma2);
    const Vec2 v = velocity(i);
    if (v.norm() > 1e-100)
      fastest_rate_ = std::max(fastest_rate_, lugre.sigma0 * v.norm() * spectral_norm(bristle_matrix(law(i), v)));
  }
  if (!first_states_.allFinite()) throw InvalidInput("lugre: the deflections at the start must be finite");
  fastest_rate_ = std::max({fastest_rate_, std::sqrt(weighted_compliance(spring)), weighted_compliance(damper)});
}

std::vector<std::string> LuGreRate::columns() const {
  std::vector<std::string> names = StateRate::columns();
  for (const SystemContact& contact : system_->contacts())
    for (const char* axis : {"1", "2"}) names.push_back(fmt::format("{}.deflection_{}", contact.name, axis));
  return names;
}

void LuGreRate::add_states(const VectorX& y, std::vector<double>& row) const {
  for (Index k = 0; k < at2(count_); ++k) row.push_back(y[2 * system_->dofs() + k] / lugre_.sigma0);
}

void LuGreRate::find_forces(const double* states) {
  for (std::size_t i = 0; i < count_; ++i) {
    const Vec2 z = Eigen::Map<const Vec2>(states + 2 * i) / lugre_.sigma0, v = velocity(i),
               rate = bristle_rate(law(i), lugre_, v, z);
    deflection_.segment<2>(at2(i)) = z;
    deflection_rate_.segment<2>(at2(i)) = rate;
    force_.segment<2>(at2(i)) = -normal_force(i) * (lugre_.sigma0 * z + lugre_.sigma1 * rate + lugre_.sigma2 * v);
    sticks_[i] = rate.dot(v) > 0.5 * v.squaredNorm() || v.isZero(0);
  }
}

double LuGreRate::find_rates(const double*, double* ds, double& work) {
  double heat = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    const Vec2 z = deflection_.segment<2>(at2(i)), rate = deflection_rate_.segment<2>(at2(i));
    Eigen::Map<Vec2>(ds + 2 * i) = lugre_.sigma0 * rate;
    heat -= force_.segment<2>(at2(i)).dot(velocity(i)) + normal_force(i) * lugre_.sigma0 * z.dot(rate);
    work += 0.5 * normal_force_rate(i) * lugre_.sigma0 * z.squaredNorm();
  }
  return heat;
}

double LuGreRate::state_rate() const {
  double fastest = 0;
  for (std::size_t i = 0; i < count_; ++i)
    if (const Vec2 v = velocity(i); v.norm() > 1e-100)
      fastest = std::max(fastest, lugre_.sigma0 * v.norm() * spectral_norm(bristle_matrix(law(i), v)));
  return fastest;
}

double LuGreRate::stored_energy() const {
  double sum = 0;
  for (std::size_t i = 0; i < count_; ++i)
    sum += 0.5 * normal_force(i) * lugre_.sigma0 * deflection_.segment<2>(at2(i)).squaredNorm();
  return sum;
}

}  // namespace slipset::internal

namespace slipset {

std::vector<Vec2> steady_deflections(const System& system, const LuGre& lugre, const State& state) {
  require_fit(system, state);
  require_valid(lugre);
  for (const SystemContact& contact : system.contacts())
    if (!contact.law) throw InvalidInput(fmt::format("lugre: contact \"{}\" does not slide by two sets", contact.name));
  SystemAt at = sized_for(system);
  system.evaluate(state.t, state.q, state.u, at);
  std::vector<Vec2> all;
  for (std::size_t i = 0; i < at.contacts.size(); ++i) {
    const Vec2 v = at.contacts[i].tangents.transpose() * state.u - at.contacts[i].surface_velocity;
    all.push_back(v.isZero(0) ? Vec2(0, 0) : steady_deflection(system.contacts()[i].law->law(), lugre, v));
  }
  return all;
}

}  // namespace slipset
