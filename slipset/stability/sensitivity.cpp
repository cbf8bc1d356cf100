#include "slipset/stability/sensitivity.hpp"

#include <algorithm>

#include "slipset/core/error.hpp"

namespace slipset {
namespace {

using Complex = std::complex<double>;

// Σ weights[i] parts[i]
template <class Parts>
Parts combined(const std::vector<Parts>& parts, const std::vector<double>& weights) {
  Parts sum = parts[0];
  const auto combine = [&](auto&& number) {
    auto total = number(parts[0]);
    total *= weights[0];
    for (std::size_t i = 1; i < parts.size(); ++i) total += weights[i] * number(parts[i]);
    return total;
  };
  sum.rayleigh_mass = combine([](const Parts& p) { return p.rayleigh_mass; });
  sum.rayleigh_stiffness = combine([](const Parts& p) { return p.rayleigh_stiffness; });
  for (std::size_t k = 0; k < sum.terms.size(); ++k) sum.terms[k] = combine([&](const Parts& p) { return p.terms[k]; });
  for (std::size_t k = 0; k < sum.damping.size(); ++k) {
    sum.damping[k] = combine([&](const Parts& p) { return p.damping[k]; });
    sum.stiffness[k] = combine([&](const Parts& p) { return p.stiffness[k]; });
  }
  return sum;
}

}  // namespace

StructureSensitivities::Parts StructureSensitivities::parts_of(const Structure& structure) {
  const StructureSliding s = linearize_structure(structure);
  Parts parts{structure.rayleigh_mass, structure.rayleigh_stiffness, s.term_factors, {}, {}};
  for (const ContactBlock& b : s.contacts) {
    parts.damping.push_back(b.damping);
    parts.stiffness.push_back(b.stiffness);
  }
  return parts;
}

// Of fourth order: central, with steps h and 2h; else, at the end of a range, from one side.
StructureSensitivities::Parts StructureSensitivities::difference(const StructureParameter& p, const Structure& base) {
  const double h = p.is_angle ? 0.05 : 1e-3 * (p.value != 0 ? std::abs(p.value) : 1);
  const auto by = [&](const std::vector<double>& places, const std::vector<double>& weights) {
    std::vector<Parts> parts;
    for (const double place : places) parts.push_back(parts_of(place == 0 ? base : p.at(p.value + place * h)));
    std::vector<double> over = weights;
    for (double& weight : over) weight /= 12 * h;
    return combined(parts, over);
  };
  try {
    return by({-2, -1, 1, 2}, {1, -8, 8, -1});
  } catch (const InvalidInput&) {
  }
  try {
    return by({0, 1, 2, 3, 4}, {-25, 48, -36, 16, -3});
  } catch (const InvalidInput&) {
  }
  return by({0, -1, -2, -3, -4}, {25, -48, 36, -16, 3});
}

StructureSensitivities::StructureSensitivities(const StructureSliding& sliding,
                                               std::vector<StructureParameter> parameters)
    : sliding_(sliding) {
  for (StructureParameter& p : parameters) {
    try {
      slopes_.push_back(difference(p, sliding.structure));
      parameters_.push_back(std::move(p));
    } catch (const InvalidInput&) {
      skipped_.push_back(p.name);
    }
  }
}

std::vector<Sensitivity> StructureSensitivities::of(const Eigenpair& mode) const {
  const Structure& s = sliding_.structure;
  const Eigen::Index n = s.dofs();
  const Eigen::VectorXcd x = mode.right.head(n), y = mode.left.head(n);
  const Complex value = mode.value;
  const Complex mass = y.dot(*s.mass * x), stiffness = y.dot(*s.stiffness * x);
  Complex damping = s.rayleigh_mass * mass + s.rayleigh_stiffness * stiffness;
  if (s.damping) damping += y.dot(*s.damping * x);
  std::vector<Complex> terms;
  for (std::size_t i = 0; i < s.terms.size(); ++i) {
    terms.push_back(y.dot(*s.terms[i].matrix * x));
    if (!s.terms[i].in_stiffness) damping += sliding_.term_factors[i] * terms.back();
  }
  std::vector<ContactBlock::Shape> right, left;
  for (const ContactBlock& b : sliding_.contacts) {
    right.push_back(b.shape(mode.right));
    left.push_back(b.shape(mode.left));
    damping += left.back().dot(b.damping * right.back());
  }
  const Complex bottom = 2.0 * value * mass + damping;
  std::vector<Sensitivity> all;
  for (std::size_t k = 0; k < parameters_.size(); ++k) {
    const Parts& slope = slopes_[k];
    Complex top = value * (slope.rayleigh_mass * mass + slope.rayleigh_stiffness * stiffness);
    for (std::size_t i = 0; i < terms.size(); ++i)
      top += slope.terms[i] * terms[i] * (s.terms[i].in_stiffness ? 1.0 : value);
    for (std::size_t i = 0; i < right.size(); ++i)
      top += left[i].dot((value * slope.damping[i].cast<Complex>() + slope.stiffness[i].cast<Complex>()) * right[i]);
    const StructureParameter& p = parameters_[k];
    const Complex derivative = -top / bottom;
    const double change = p.is_angle ? 1 : 0.01 * std::abs(p.value);
    all.push_back({p.name, p.value, derivative, change, derivative.real() * change});
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return std::abs(a.effect) > std::abs(b.effect); });
  return all;
}

}  // namespace slipset
