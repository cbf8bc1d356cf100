#include "slipset/contact/mass_delassus.hpp"

#include <fmt/format.h>

#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>
#include <random>

#include "slipset/contact/block_delassus.hpp"
#include "slipset/core/error.hpp"
#include "slipset/core/internal/small_matrix.hpp"

namespace slipset {
namespace {

using Index = Eigen::Index;
using Sparse = SparseMatrix;
using Vector = Eigen::VectorXd;

constexpr int kProbes = 8;          // random vectors that estimate the mean mobility
constexpr Index kMostDense = 9000;  // of an assembled W: 650 MB

constexpr double kSymmetric = 1e-12, kMostAsymmetric = 1e-4;  // M printed with few digits; taken as it stands

double asymmetry_of(const Sparse& mass) {
  const double size = mass.norm();
  return size > 0 ? (mass - Sparse(mass.transpose())).norm() / size : 0;
}

// Of M, or of M with contacts: Cholesky's, or LU where the matrix is not quite symmetric.
class Factors {
 public:
  // The pattern of the first matrix is that of all.
  bool compute(const Sparse& matrix) {
    if (!analysed_) {
      symmetric_ = asymmetry_of(matrix) <= kSymmetric;
      symmetric_ ? cholesky_.analyzePattern(matrix) : lu_.analyzePattern(matrix);
      analysed_ = true;
    }
    if (symmetric_) {
      cholesky_.factorize(matrix);
      return cholesky_.info() == Eigen::Success;
    }
    lu_.factorize(matrix);
    return lu_.info() == Eigen::Success;
  }
  template <class Right>
  Right solve(const Right& right) const {
    if (symmetric_) return cholesky_.solve(right);
    return lu_.solve(right);
  }

 private:
  bool analysed_ = false, symmetric_ = true;
  Eigen::SimplicialLLT<Sparse> cholesky_;
  Eigen::SparseLU<Sparse> lu_;
};

bool is_positive_definite(const Sparse& mass) {
  return Eigen::SimplicialLLT<Sparse>(0.5 * (mass + Sparse(mass.transpose()))).info() == Eigen::Success;
}

std::size_t contacts_in(const Sparse& directions) {
  if (directions.cols() % 3 != 0)
    throw InvalidInput(fmt::format(
        "contacts with masses: H has {} columns; expected three per contact, or the rows of each", directions.cols()));
  return static_cast<std::size_t>(directions.cols() / 3);
}

void require_sizes(const Sparse& mass, const Sparse& directions, const RowLayout& layout) {
  const Index dofs = mass.rows();
  if (mass.cols() != dofs || directions.rows() != dofs || directions.cols() != layout.rows())
    throw InvalidInput(fmt::format(
        "contacts with masses: M is {} x {}, H {} x {} for {} rows of contacts; expected M square, H with as many rows "
        "as M and one column per row of a contact",
        dofs, mass.cols(), directions.rows(), directions.cols(), layout.rows()));
  const auto finite = [](const Sparse& m) {
    double sum = 0;
    for (Index k = 0; k < m.outerSize(); ++k)
      for (Sparse::InnerIterator entry(m, k); entry; ++entry) sum += 0 * entry.value();
    return sum == 0;
  };
  if (!finite(mass) || !finite(directions))
    throw InvalidInput("contacts with masses: M or H has a number that is not finite");
  if (dofs > 0 && asymmetry_of(mass) > kMostAsymmetric)
    throw InvalidInput("contacts with masses: M is not symmetric; give both of its triangles");
}

void require_size(const Vector& x, Index size, const char* what) {
  if (x.size() != size)
    throw InvalidInput(fmt::format("contacts with masses: {} {}; expected {}", x.size(), what, size));
}

// A block diagonal matrix from its blocks, one behind the other.
Sparse block_diagonal(const RowLayout& layout, const Vector& blocks, bool inverted) {
  std::vector<Eigen::Triplet<double>> entries;
  const double* from = blocks.data();
  for (std::size_t i = 0; i < layout.contacts(); ++i) {
    const Index n = layout.rows(i);
    ContactMat block = Eigen::Map<const ContactMat>(from, n, n);
    from += n * n;
    if (inverted) block = internal::small_inverse_of(block);
    for (Index c = 0; c < n; ++c)
      for (Index r = 0; r < n; ++r)
        entries.emplace_back(static_cast<int>(layout.offset(i) + r), static_cast<int>(layout.offset(i) + c),
                             block(r, c));
  }
  Sparse all(layout.rows(), layout.rows());
  all.setFromTriplets(entries.begin(), entries.end());
  return all;
}

// S⁻¹x − S⁻¹Hᵀ(M + H S⁻¹Hᵀ)⁻¹H S⁻¹x                                                                              (C.16)
class MassShiftedSolver final : public ShiftedSolver {
 public:
  explicit MassShiftedSolver(const MassDelassus& w) : w_(w) {}

  bool factorize(const Vector& shift) override {
    inverse_shift_ = block_diagonal(w_.layout(), shift, true);
    const Sparse sum = w_.mass() + Sparse(w_.directions() * inverse_shift_ * Sparse(w_.directions().transpose()));
    return factors_.compute(sum);  // M and H S⁻¹Hᵀ have one pattern together for every S; it is ordered once
  }

  void solve(Vector& x) override {
    x = inverse_shift_ * x;
    x -= inverse_shift_ * (w_.directions().transpose() * factors_.solve(Vector(w_.directions() * x)));
  }

 private:
  const MassDelassus& w_;
  Sparse inverse_shift_;
  Factors factors_;
};

}  // namespace

struct MassDelassus::Matrices {
  Sparse mass, directions;
  Factors factors;
};

MassDelassus::MassDelassus(const Sparse& mass, const Sparse& directions)
    : MassDelassus(mass, directions, RowLayout(contacts_in(directions))) {}

MassDelassus::MassDelassus(const Sparse& mass, const Sparse& directions, const RowLayout& layout) : layout_(layout) {
  require_sizes(mass, directions, layout);
  auto matrices = std::make_shared<Matrices>();
  matrices->mass = mass;
  matrices->directions = directions;
  if (!matrices->factors.compute(mass) || (asymmetry_of(mass) > kSymmetric && !is_positive_definite(mass)))
    throw InvalidInput("contacts with masses: M is not positive definite; check it for bodies without mass");
  matrices_ = std::move(matrices);
}

const Sparse& MassDelassus::mass() const { return matrices_->mass; }
const Sparse& MassDelassus::directions() const { return matrices_->directions; }

double MassDelassus::asymmetry() const { return asymmetry_of(mass()); }

Vector MassDelassus::contact_velocity(const Vector& v) const {
  require_size(v, directions().rows(), "velocities of the system");
  return directions().transpose() * v;
}

Vector MassDelassus::velocity_by(const Vector& x) const {
  require_size(x, mass().rows(), "impulses on the masses");
  return matrices_->factors.solve(x);
}

Vector MassDelassus::effect(const Vector& p) const {
  require_size(p, layout_.rows(), "impulses");
  return matrices_->factors.solve(Vector(directions() * p));
}

// tr(HᵀM⁻¹H) is the mean of zᵀHᵀM⁻¹Hz over vectors z of signs.
double MassDelassus::mean_mobility(const Vector& coordinates) const {
  Index numbers = 0;
  for (std::size_t i = 0; i < layout_.contacts(); ++i) numbers += layout_.rows(i) * layout_.rows(i);
  require_size(coordinates, numbers, "numbers of the contacts' coordinates");
  const Sparse turned = directions() * block_diagonal(layout_, coordinates, false);
  std::mt19937 random(1);
  Vector z(turned.cols());
  double sum = 0;
  for (int k = 0; k < kProbes; ++k) {
    for (double& sign : z) sign = random() % 2 == 0 ? 1 : -1;
    const Vector hz = turned * z;
    sum += hz.dot(matrices_->factors.solve(hz));
  }
  return sum / (kProbes * static_cast<double>(z.size()));
}

void MassDelassus::multiply_add(const Vector& p, const Vector& q, Vector& result) const {
  result = q + directions().transpose() * matrices_->factors.solve(Vector(directions() * p));
}

ContactMat MassDelassus::diagonal(std::size_t i) const {
  const Index n = layout_.rows(i);
  ContactMat block(n, n);
  for (Index k = 0; k < n; ++k) {
    const Vector by = matrices_->factors.solve(Vector(directions().col(layout_.offset(i) + k)));
    for (Index r = 0; r < n; ++r) block(r, k) = directions().col(layout_.offset(i) + r).dot(by);
  }
  return block;
}

void MassDelassus::assemble(BlockDelassus& to) const {
  if (rows() > kMostDense)
    throw InvalidInput(
        fmt::format("contacts with masses: W would be dense with {} rows, more than {}; choose splitting or automatic, "
                    "which do not "
                    "form it",
                    rows(), kMostDense));
  const Eigen::MatrixXd h = directions();
  to = BlockDelassus(layout_, Eigen::MatrixXd(h.transpose() * matrices_->factors.solve(h)));
}

std::unique_ptr<ShiftedSolver> MassDelassus::shifted_solver() const {
  return std::make_unique<MassShiftedSolver>(*this);
}

}  // namespace slipset
