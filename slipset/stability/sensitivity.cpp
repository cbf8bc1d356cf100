#include "slipset/stability/sensitivity.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
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

// What a term is multiplied by in Q(λ).
Complex power_of(Complex value, TermPlace place) {
  return place == TermPlace::mass ? value * value : place == TermPlace::damping ? value : 1;
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

Eigen::VectorXcd StructureSensitivities::forms(const Eigenpair& of_left, const Eigenpair& of_right,
                                               Complex value) const {
  const Structure& s = sliding_.structure;
  const Eigen::Index n = s.dofs();
  const Eigen::VectorXcd x = of_right.right.head(n), y = of_left.left.head(n);
  const Complex mass = y.dot(*s.mass * x), stiffness = y.dot(*s.stiffness * x);
  Complex whole_mass = mass;
  Complex damping = s.rayleigh_mass * mass + s.rayleigh_stiffness * stiffness;
  if (s.damping) damping += y.dot(*s.damping * x);
  std::vector<Complex> terms;
  for (std::size_t i = 0; i < s.terms.size(); ++i) {
    terms.push_back(y.dot(*s.terms[i].matrix * x));
    if (s.terms[i].place == TermPlace::damping) damping += sliding_.term_factors[i] * terms.back();
    if (s.terms[i].place == TermPlace::mass) whole_mass += sliding_.term_factors[i] * terms.back();
  }
  std::vector<ContactBlock::Shape> right, left;
  for (const ContactBlock& b : sliding_.contacts) {
    right.push_back(b.shape(of_right.right));
    left.push_back(b.shape(of_left.left));
    damping += left.back().dot(b.damping * right.back());
  }
  Eigen::VectorXcd all(1 + static_cast<Eigen::Index>(slopes_.size()));
  all[0] = 2.0 * value * whole_mass + damping;
  for (std::size_t k = 0; k < slopes_.size(); ++k) {
    const Parts& slope = slopes_[k];
    Complex top = value * (slope.rayleigh_mass * mass + slope.rayleigh_stiffness * stiffness);
    for (std::size_t i = 0; i < terms.size(); ++i) top += slope.terms[i] * terms[i] * power_of(value, s.terms[i].place);
    for (std::size_t i = 0; i < right.size(); ++i)
      top += left[i].dot((value * slope.damping[i].cast<Complex>() + slope.stiffness[i].cast<Complex>()) * right[i]);
    all[1 + static_cast<Eigen::Index>(k)] = top;
  }
  return all;
}

std::vector<std::vector<Sensitivity>> StructureSensitivities::of(const std::vector<Eigenpair>& modes) const {
  std::vector<std::vector<Sensitivity>> all(modes.size());
  for (const std::vector<std::size_t>& group : multiple_eigenvalues(modes)) {
    // Without a left vector there is no derivative.
    if (std::any_of(group.begin(), group.end(), [&](std::size_t i) { return modes[i].left.size() == 0; })) continue;
    const auto m = static_cast<Eigen::Index>(group.size());
    Complex value = 0;
    for (const std::size_t i : group) value += modes[i].value / static_cast<double>(m);
    Eigen::MatrixXcd bottom(m, m);
    std::vector<Eigen::MatrixXcd> tops(slopes_.size(), Eigen::MatrixXcd(m, m));
    for (Eigen::Index i = 0; i < m; ++i)
      for (Eigen::Index j = 0; j < m; ++j) {
        const Eigen::VectorXcd numbers =
            forms(modes[group[static_cast<std::size_t>(i)]], modes[group[static_cast<std::size_t>(j)]], value);
        bottom(i, j) = numbers[0];
        for (std::size_t k = 0; k < tops.size(); ++k) tops[k](i, j) = numbers[1 + static_cast<Eigen::Index>(k)];
      }
    const Eigen::FullPivLU<Eigen::MatrixXcd> lu(bottom);
    if (m > 1 && !(lu.rcond() > 1e-8)) continue;
    for (std::size_t k = 0; k < tops.size(); ++k) {
      const Eigen::MatrixXcd slope = -lu.solve(tops[k]);
      Eigen::VectorXcd derivatives = m == 1 ? Eigen::VectorXcd(slope.diagonal())
                                            : Eigen::ComplexEigenSolver<Eigen::MatrixXcd>(slope).eigenvalues();
      std::sort(derivatives.begin(), derivatives.end(),
                [](Complex a, Complex b) { return a.real() != b.real() ? a.real() > b.real() : a.imag() > b.imag(); });
      const StructureParameter& p = parameters_[k];
      const double change = p.is_angle ? 1 : 0.01 * std::abs(p.value);
      for (Eigen::Index i = 0; i < m; ++i)
        all[group[static_cast<std::size_t>(i)]].push_back(
            {p.name, p.value, derivatives[i], change, derivatives[i].real() * change});
    }
  }
  for (std::vector<Sensitivity>& of_mode : all)
    std::stable_sort(of_mode.begin(), of_mode.end(),
                     [](const auto& a, const auto& b) { return std::abs(a.effect) > std::abs(b.effect); });
  return all;
}

}  // namespace slipset
