#include "slipset/systems/structure.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>

#include "slipset/core/error.hpp"

namespace slipset {
namespace {

using Index = Eigen::Index;

constexpr double kUnitLength = 1e-6;  // how far a normal's length may be from 1, as files round it

// The place of the first number that is not finite, if there is one.
void require_finite_entries(const SparseMatrix& a) {
  for (Index j = 0; j < a.outerSize(); ++j)
    for (SparseMatrix::InnerIterator it(a, j); it; ++it)
      if (!std::isfinite(it.value()))
        throw InvalidInput(
            fmt::format("row {}, column {} is {}; every entry must be finite", it.row() + 1, j + 1, it.value()));
}

// Rounding of an assembly makes the two triangles differ in their last digits, compared with the diagonal.
void require_symmetric(const SparseMatrix& a) {
  const SparseMatrix other = a.transpose();
  const Eigen::VectorXd size = a.diagonal().cwiseAbs().cwiseSqrt();
  const SparseMatrix difference = a - other;
  for (Index j = 0; j < difference.outerSize(); ++j)
    for (SparseMatrix::InnerIterator it(difference, j); it; ++it)
      if (!(std::abs(it.value()) <= 1e-12 * size[it.row()] * size[j]))
        throw InvalidInput(fmt::format(
            "row {0}, column {1} is {2}, but row {1}, column {0} is {3}; a mass matrix is symmetric: export both "
            "triangles, or one that the file declares symmetric",
            it.row() + 1, j + 1, a.coeff(it.row(), j), other.coeff(it.row(), j)));
}

Vec3 unit_of(const Vec3& v, const char* what) {
  const double length = v.norm();
  if (!(std::abs(length - 1) <= kUnitLength))
    throw InvalidInput(
        fmt::format("{} ({:.9g}, {:.9g}, {:.9g}) has the length {:.9g}; it must be of length one: divide it "
                    "by its length",
                    what, v.x(), v.y(), v.z(), length));
  return v / length;
}

void require_not_negative(double value, const char* what) {
  if (!(value >= 0) || !std::isfinite(value))
    throw InvalidInput(fmt::format("{} is {}; it must be finite and not negative", what, value));
}

}  // namespace

Eigen::Matrix<double, 3, 2> StructureContact::tangents() const {
  Eigen::Matrix<double, 3, 2> t;
  t << first_tangent, normal.cross(first_tangent);
  return t;
}

Index Structure::dofs() const { return mass ? mass->rows() : 0; }

double Structure::factor_of(const StructureTerm& term) const { return term.coefficient * std::pow(speed, term.power); }

SparseMatrix Structure::whole_mass() const {
  SparseMatrix sum = *mass;
  for (const StructureTerm& term : terms)
    if (term.place == TermPlace::mass) sum = SparseMatrix(sum + factor_of(term) * *term.matrix);
  return sum;
}

void require_mass(const SparseMatrix& mass) {
  if (mass.rows() != mass.cols() || mass.rows() == 0)
    throw InvalidInput(fmt::format("the mass matrix is {} x {}; it must be square", mass.rows(), mass.cols()));
  require_finite_entries(mass);
  const Eigen::VectorXd diagonal = mass.diagonal();
  for (Index i = 0; i < diagonal.size(); ++i)
    if (!(diagonal[i] > 0))
      throw InvalidInput(
          fmt::format("row {0}, column {0} is {1}; a mass matrix is positive definite: remove degrees of freedom "
                      "without mass (constraints, rotations) before exporting",
                      i + 1, diagonal[i]));
  require_symmetric(mass);
  if (mass.rows() > kMostFactorisedMass) return;
  const Eigen::SimplicialLLT<SparseMatrix> cholesky(mass);
  if (cholesky.info() != Eigen::Success)
    throw InvalidInput(
        "the mass matrix is symmetric, but not positive definite: some motion would have a negative or no kinetic "
        "energy; remove degrees of freedom without mass before exporting");
}

void require_size(const SparseMatrix& matrix, Index dofs) {
  if (matrix.rows() != dofs || matrix.cols() != dofs)
    throw InvalidInput(
        fmt::format("it is {} x {}, and M is {} x {}; export all matrices with the same degrees of freedom",
                    matrix.rows(), matrix.cols(), dofs, dofs));
  require_finite_entries(matrix);
}

StructureContact checked(const StructureContact& contact, Index dofs) {
  StructureContact c = contact;
  constexpr std::array<const char*, 3> names = {"ux", "uy", "uz"};
  for (std::size_t i = 0; i < 3; ++i) {
    if (c.displacements[i] < 0 || c.displacements[i] >= dofs)
      throw InvalidInput(fmt::format("{} is {}; the structure has the displacements 0 to {}, numbered from 0", names[i],
                                     c.displacements[i], dofs - 1));
    for (std::size_t j = 0; j < i; ++j)
      if (c.displacements[i] == c.displacements[j])
        throw InvalidInput(fmt::format("{} and {} are both {}; a contact has three different displacements", names[j],
                                       names[i], c.displacements[i]));
  }
  c.normal = unit_of(c.normal, "the normal");
  c.first_tangent = unit_of(c.first_tangent, "the tangent");
  const double along = c.normal.dot(c.first_tangent);
  if (!(std::abs(along) <= kUnitLength))
    throw InvalidInput(
        fmt::format("the tangent is not orthogonal to the normal (their product is {:.9g}); subtract from it its part "
                    "along the normal and divide by its length",
                    along));
  c.first_tangent = (c.first_tangent - along * c.normal).normalized();
  require_not_negative(c.stiffness, "the stiffness");
  require_not_negative(c.preload, "the force");
  if (!c.slip.allFinite() || c.slip.isZero(0))
    throw InvalidInput(
        fmt::format("the slip is ({}, {}); steady sliding needs a slip velocity other than zero at every "
                    "contact: leave out contacts that stick",
                    c.slip.x(), c.slip.y()));
  return c;
}

void require_valid(Structure& structure) {
  const auto named = [](const std::string& what, const auto& f) {
    try {
      f();
    } catch (const InvalidInput& error) {
      throw InvalidInput(fmt::format("structure: {}: {}", what, error.what()));
    }
  };
  if (!structure.mass || !structure.stiffness) throw InvalidInput("structure: M or K is missing; give both");
  const Index n = structure.dofs();
  named("M", [&] { require_mass(*structure.mass); });
  named("K", [&] { require_size(*structure.stiffness, n); });
  if (structure.damping) named("D", [&] { require_size(*structure.damping, n); });
  for (const StructureTerm& term : structure.terms)
    named("term " + term.name, [&] {
      if (!term.matrix) throw InvalidInput("it has no matrix; give one");
      require_size(*term.matrix, n);
      require_finite(structure.factor_of(term), "coefficient times speed to the power");
    });
  if (std::any_of(structure.terms.begin(), structure.terms.end(),
                  [](const StructureTerm& term) { return term.place == TermPlace::mass; }))
    named("M with its terms", [&] { require_mass(structure.whole_mass()); });
  for (StructureContact& contact : structure.contacts)
    named("contact " + contact.name, [&] {
      contact = checked(contact, n);
      if (contact.law >= structure.laws.size())
        throw InvalidInput(
            fmt::format("its law is number {} of {}; give it one of them", contact.law, structure.laws.size()));
    });
  for (const StructureLaw& law : structure.laws)
    named("law " + law.name, [&] {
      if (law.lugre) require_valid(*law.lugre);
      if (law.law.elastic()) throw InvalidInput("it is elastic; use LuGre for what is soft");
    });
  require_finite(structure.rayleigh_mass, "structure: rayleigh mass");
  require_finite(structure.rayleigh_stiffness, "structure: rayleigh stiffness");
  require_positive(structure.friction_factor, "structure: friction factor");
  require_not_negative(structure.stiffness_factor, "structure: stiffness factor");
  require_not_negative(structure.preload_factor, "structure: preload factor");
}

FrictionLaw law_with_factor(const FrictionLaw& law, double friction_factor) {
  if (friction_factor == 1) return law;
  return {law.reservoir().scaled(friction_factor), law.direction(), law.stribeck()};
}

}  // namespace slipset
