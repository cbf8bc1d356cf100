#include "slipset/stability/structure_sliding.hpp"

#include <fmt/format.h>

#include <Eigen/SparseLU>
#include <algorithm>

#include "slipset/core/angle.hpp"
#include "slipset/core/error.hpp"

namespace slipset {
namespace {

using Complex = std::complex<double>;
using Index = Eigen::Index;
using Triplets = std::vector<Eigen::Triplet<double>>;

// Stribeck's part of ∂s/∂g: f'(|g|) s ĝᵀ.
Mat2 falling_part(const FrictionLaw& law, const Vec2& slip) {
  if (!law.stribeck()) return Mat2::Zero();
  return law.stribeck()->slope(slip.stableNorm()) * slip_resistance(law.reservoir(), law.direction(), slip) *
         slip.stableNormalized().transpose();
}

ContactBlock block_of(const StructureContact& contact, const FrictionLaw& law, const std::optional<LuGre>& lugre,
                      double stiffness, double preload, Index first_bristle) {
  const Eigen::Matrix<double, 3, 2> t = contact.tangents();
  require_derivative(contact, law);
  const std::optional<Mat2> jacobian = slip_jacobian(law, contact.slip);
  const Mat2 falling = falling_part(law, contact.slip);
  Vec2 resistance = slip_resistance(law, contact.slip);
  if (lugre) resistance += lugre->sigma2 * contact.slip;
  ContactBlock b;
  for (std::size_t i = 0; i < 3; ++i) b.rows[i] = contact.displacements[i];
  b.rows[3] = first_bristle;
  b.rows[4] = first_bristle + 1;
  b.spring = stiffness * contact.normal * contact.normal.transpose();
  b.coupling = -stiffness * t * resistance * contact.normal.transpose();
  b.turning = preload * t * (*jacobian - falling) * t.transpose();
  b.falling = preload * t * falling * t.transpose();
  b.viscous = lugre ? Mat3(preload * lugre->sigma2 * t * t.transpose()) : Mat3(Mat3::Zero());
  b.by_deflection.setZero();
  b.by_rate.setZero();
  b.damping.setZero();
  b.stiffness.setZero();
  b.stiffness.topLeftCorner<3, 3>() = b.spring + b.coupling;
  if (!lugre) {
    b.damping.topLeftCorner<3, 3>() = b.turning + b.falling;
    return b;
  }
  const BristleJacobian bristles = *bristle_jacobian(law, *lugre, contact.slip);
  b.size = 5;
  b.by_deflection = preload * lugre->sigma0 * t;
  b.by_rate = preload * lugre->sigma1 * t;
  const Eigen::Matrix<double, 2, 3> by_motion = bristles.by_slip * t.transpose();
  b.damping.topLeftCorner<3, 3>() = b.viscous + b.by_rate * by_motion;
  b.damping.bottomLeftCorner<2, 3>() = -by_motion;
  b.damping.bottomRightCorner<2, 2>().setIdentity();
  b.stiffness.topRightCorner<3, 2>() = b.by_deflection + b.by_rate * bristles.by_deflection;
  b.stiffness.bottomRightCorner<2, 2>() = -bristles.by_deflection;
  return b;
}

// A matrix of the displacements among all unknowns, with the blocks of the contacts.
SparseMatrix with_blocks(const SparseMatrix& large, const StructureSliding& s,
                         ContactBlock::Block ContactBlock::*part) {
  Triplets entries;
  for (const ContactBlock& b : s.contacts)
    for (int i = 0; i < b.size; ++i)
      for (int j = 0; j < b.size; ++j)
        entries.emplace_back(b.rows[static_cast<std::size_t>(i)], b.rows[static_cast<std::size_t>(j)], (b.*part)(i, j));
  SparseMatrix small(s.unknowns, s.unknowns), sum = large;
  small.setFromTriplets(entries.begin(), entries.end());
  sum.conservativeResize(s.unknowns, s.unknowns);
  return sum + small;
}

// -Re(uᴴDu + uᴴK_skew q), the power of one part over the square of the amplitude.
double power(const Eigen::VectorXcd& q, const Eigen::VectorXcd& u, const SparseMatrix* damping,
             const SparseMatrix* stiffness, double factor = 1) {
  Complex sum = 0;
  if (damping) sum += factor * u.dot(*damping * u);
  if (stiffness) sum += factor * (u.dot(*stiffness * q) - u.dot(stiffness->transpose() * q)) / 2.0;
  return -sum.real();
}

}  // namespace

ContactBlock::Shape ContactBlock::shape(const Eigen::VectorXcd& x) const {
  Shape at = Shape::Zero();
  for (int i = 0; i < size; ++i) at[i] = x[rows[static_cast<std::size_t>(i)]];
  return at;
}

QuadraticProblem StructureSliding::problem() const {
  const Structure& s = structure;
  SparseMatrix mass = s.whole_mass(), stiffness = *s.stiffness;
  SparseMatrix damping = s.damping ? *s.damping : SparseMatrix(s.dofs(), s.dofs());
  if (s.rayleigh_mass != 0) damping = SparseMatrix(damping + s.rayleigh_mass * *s.mass);
  if (s.rayleigh_stiffness != 0) damping = SparseMatrix(damping + s.rayleigh_stiffness * *s.stiffness);
  for (std::size_t i = 0; i < s.terms.size(); ++i) {
    if (s.terms[i].place == TermPlace::mass) continue;
    SparseMatrix& sum = s.terms[i].place == TermPlace::stiffness ? stiffness : damping;
    sum = SparseMatrix(sum + term_factors[i] * *s.terms[i].matrix);
  }
  mass.conservativeResize(unknowns, unknowns);
  return {mass, with_blocks(damping, *this, &ContactBlock::damping),
          with_blocks(stiffness, *this, &ContactBlock::stiffness)};
}

void require_derivative(const StructureContact& contact, const FrictionLaw& law) {
  if (slip_jacobian(law, contact.slip)) return;
  throw InvalidInput(
      fmt::format("contact {}: its law has no derivative at its slip velocity ({:.6g}, {:.6g}), which is along the "
                  "normal of a flat side of D, or whose resistance is at a corner of C; turn the slip a little",
                  contact.name, contact.slip.x(), contact.slip.y()));
}

// Rows and columns scaled to a size of 1, a solution for a right side of that size is as large as 1 over the smallest
// pivot: twice, so that no right side hides it.
void require_held(const QuadraticProblem& problem) {
  constexpr double kLargest = 1e13;
  const Index n = problem.size();
  if (n > kMostHeld) return;
  SparseMatrix k = problem.stiffness;
  VectorX rows = VectorX::Zero(n), columns = VectorX::Zero(n);
  const auto scale = [&](VectorX& by, bool of_rows) {
    for (Index j = 0; j < n; ++j)
      for (SparseMatrix::InnerIterator it(k, j); it; ++it) {
        double& most = by[of_rows ? it.row() : j];
        most = std::max(most, std::abs(it.value()));
      }
    for (Index i = 0; i < n; ++i)
      if (!(by[i] > 0))
        throw InvalidInput(
            fmt::format("K is singular: {} {} is zero, so that nothing holds that displacement; remove "
                        "it from all matrices, or support it",
                        of_rows ? "row" : "column", i + 1));
    by = by.cwiseInverse();
    k = of_rows ? SparseMatrix(by.asDiagonal() * k) : SparseMatrix(k * by.asDiagonal());
  };
  scale(rows, true);
  scale(columns, false);
  k.makeCompressed();
  const Eigen::SparseLU<SparseMatrix> lu(k);
  VectorX x = VectorX::LinSpaced(n, 1, 2);
  for (Index i = 1; i < n; i += 2) x[i] = -x[i];
  double growth = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3 && lu.info() == Eigen::Success; ++i) {
    x = lu.solve(VectorX(x / x.lpNorm<Eigen::Infinity>()));
    growth = x.lpNorm<Eigen::Infinity>();
  }
  if (growth < kLargest) return;
  Index largest = 0;
  if (x.allFinite()) (columns.asDiagonal() * x).cwiseAbs().maxCoeff(&largest);
  throw InvalidInput(fmt::format(
      "K with the contacts' stiffness is singular: the structure can move without resistance{}; support it, "
      "or give the contacts a stiffness",
      x.allFinite() ? fmt::format(", most at displacement {}", largest) : ""));
}

StructureSliding linearize_structure(const Structure& structure) {
  StructureSliding s{structure, {}, {}, structure.dofs()};
  for (const StructureTerm& term : structure.terms) {
    s.term_factors.push_back(structure.factor_of(term));
    require_finite(s.term_factors.back(), "coefficient times speed to the power of a term");
  }
  std::vector<FrictionLaw> laws;
  for (const StructureLaw& law : structure.laws) laws.push_back(law_with_factor(law.law, structure.friction_factor));
  for (const StructureContact& contact : structure.contacts) {
    const std::optional<LuGre>& lugre = structure.laws[contact.law].lugre;
    s.contacts.push_back(block_of(contact, laws[contact.law], lugre, structure.stiffness_factor * contact.stiffness,
                                  structure.preload_factor * contact.preload, s.unknowns));
    if (lugre) s.unknowns += 2;
  }
  return s;
}

std::vector<Contribution> contributions(const StructureSliding& sliding, const Eigenpair& mode) {
  const Structure& s = sliding.structure;
  const Eigen::VectorXcd q = mode.right.head(s.dofs()), u = mode.value * q;
  const double square = std::norm(mode.value);
  if (square == 0 || q.norm() < 1e-13) return {};
  const auto energy_in = [&](const SparseMatrix& k) { return u.dot(k * u).real() / square; };
  double kinetic = u.dot(*s.mass * u).real(), elastic = energy_in(*s.stiffness);
  const double size = std::abs(kinetic) + std::abs(elastic);
  for (std::size_t i = 0; i < s.terms.size(); ++i) {
    if (s.terms[i].place == TermPlace::damping) continue;
    const double part = sliding.term_factors[i] * energy_in(*s.terms[i].matrix);
    s.terms[i].place == TermPlace::mass ? kinetic += part* square : elastic += part;
  }
  double energy = kinetic + elastic;
  for (const ContactBlock& b : sliding.contacts) {
    const Eigen::Vector3cd at = mode.value * b.shape(mode.right).head<3>();
    energy += at.dot((b.spring + b.coupling) * at).real() / square;
  }
  // What grows or decays without oscillating may have none: kinetic and elastic energy cancel. Then shares mean nothing.
  if (!(std::abs(energy) > 1e-10 * size)) return {};
  std::vector<Contribution> all;
  const auto add = [&](std::size_t contact, Mechanism mechanism, double work) {
    const double growth = work / energy, frequency = std::abs(mode.value.imag());
    all.push_back({contact, mechanism, growth,
                   frequency > 0 ? 4 * kPi * growth / frequency : std::numeric_limits<double>::quiet_NaN()});
  };
  const std::size_t nobody = sliding.contacts.size();
  add(nobody, Mechanism::structure,
      power(q, u, s.damping.get(), s.stiffness.get()) + power(q, u, s.mass.get(), nullptr, s.rayleigh_mass) +
          power(q, u, s.stiffness.get(), nullptr, s.rayleigh_stiffness));
  for (std::size_t i = 0; i < s.terms.size(); ++i) {
    const SparseMatrix* matrix = s.terms[i].matrix.get();
    const TermPlace place = s.terms[i].place;
    if (place == TermPlace::mass) continue;  // symmetric: does no work
    add(nobody + 1 + i, Mechanism::structure,
        power(q, u, place == TermPlace::damping ? matrix : nullptr, place == TermPlace::stiffness ? matrix : nullptr,
              sliding.term_factors[i]));
  }
  for (std::size_t i = 0; i < nobody; ++i) {
    const ContactBlock& b = sliding.contacts[i];
    const ContactBlock::Shape at = b.shape(mode.right);
    const Eigen::Vector3cd place = at.head<3>(), speed = mode.value * place;
    const auto add_damping = [&](Mechanism mechanism, const Mat3& part) {
      if (!part.isZero(0)) add(i, mechanism, -speed.dot(part * speed).real());
    };
    if (b.size == 3) {
      add_damping(Mechanism::anisotropy, b.turning);
      add_damping(Mechanism::characteristic, b.falling);
    } else {
      add_damping(Mechanism::viscous, b.viscous);
      add(i, Mechanism::bristles,
          -speed.dot(b.by_deflection * at.tail<2>() + b.by_rate * (mode.value * at.tail<2>())).real());
    }
    const Mat3 skew = (b.coupling - b.coupling.transpose()) / 2;
    if (!skew.isZero(0)) add(i, Mechanism::mode_coupling, -speed.dot(skew * place).real());
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.growth > b.growth; });
  return all;
}

std::vector<Participation> participation(const StructureSliding& sliding, const Eigenpair& mode,
                                         const std::vector<Contribution>& parts) {
  const double largest = mode.right.head(sliding.structure.dofs()).cwiseAbs().maxCoeff();
  std::vector<Participation> all;
  for (std::size_t i = 0; i < sliding.contacts.size(); ++i) {
    const StructureContact& contact = sliding.structure.contacts[i];
    const Eigen::Vector3cd at = sliding.contacts[i].shape(mode.right).head<3>() / largest;
    const Eigen::Vector2cd along = contact.tangents().transpose().cast<Complex>() * at;
    all.push_back({std::abs(contact.normal.cast<Complex>().dot(at)), along.cwiseAbs(), 0});
  }
  for (const Contribution& c : parts)
    if (c.contact < all.size()) all[c.contact].growth += c.growth;
  return all;
}

}  // namespace slipset
