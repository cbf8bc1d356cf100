#include "slipset/stability/spectrum/internal/krylov.hpp"

#include <algorithm>
#include <numeric>
#include <random>

namespace slipset::internal {
namespace {

struct Solve {
  ShiftedMatrix* matrix;
  bool transposed;
};

// PETSc calls it: no exception may pass.
PetscErrorCode apply_solve(PC pc, Vec b, Vec x) noexcept {
  void* context = nullptr;
  if (const PetscErrorCode code = PCShellGetContext(pc, &context)) return code;
  const auto* solve = static_cast<Solve*>(context);
  try {
    if (solve->transposed)
      solve->matrix->solve_transposed(b, x);
    else
      solve->matrix->solve(b, x);
  } catch (...) {
    return PETSC_ERR_LIB;
  }
  return 0;
}

}  // namespace

Nearest nearest_eigenvalues(ShiftedMatrix& matrix, std::complex<double> shift, int wanted, double tolerance,
                            bool transposed, unsigned seed, const std::function<bool(std::complex<double>)>& keep) {
  const double scale = matrix.scale();
  Mat operators[3] = {matrix.stiffness(), matrix.damping(), matrix.mass()};
  OwnedMat turned[3];
  if (transposed)
    for (int i = 0; i < 3; ++i) {
      check(MatCreateTranspose(operators[i], &turned[i]));
      operators[i] = turned[i];
    }
  OwnedPep pep;
  check(PEPCreate(matrix.group(), &pep));
  check(PEPSetOperators(pep, 3, operators));
  check(PEPSetProblemType(pep, PEP_GENERAL));
  check(PEPSetType(pep, PEPTOAR));
  check(PEPSetWhichEigenpairs(pep, PEP_TARGET_MAGNITUDE));
  check(PEPSetTarget(pep, shift / scale));
  const int space = std::min(static_cast<int>(matrix.size()), std::max(2 * wanted, wanted + 20));
  check(PEPSetDimensions(pep, wanted, space, PETSC_DEFAULT));
  check(PEPSetTolerances(pep, tolerance, 60));
  check(PEPSetScale(pep, PEP_SCALE_NONE, 1, nullptr, nullptr, 1, 1));
  ST st = nullptr;
  check(PEPGetST(pep, &st));
  check(STSetType(st, STSINVERT));
  check(STSetMatMode(st, ST_MATMODE_SHELL));  // Q(σ) is not assembled again
  KSP ksp = nullptr;
  PC pc = nullptr;
  check(STGetKSP(st, &ksp));
  check(KSPSetType(ksp, KSPPREONLY));
  check(KSPGetPC(ksp, &pc));
  check(PCSetType(pc, PCSHELL));
  Solve solve{&matrix, transposed};
  check(PCShellSetContext(pc, &solve));
  check(PCShellSetApply(pc, apply_solve));
  OwnedVec start = matrix.vector(), imaginary = matrix.vector();
  {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> number(-1, 1);
    Eigen::VectorXcd all(matrix.size());
    for (std::complex<double>& x : all) x = {number(random), number(random)};
    matrix.scatter(all, start);
    Vec space_of_one[1] = {start};
    check(PEPSetInitialSpace(pep, 1, space_of_one));
  }
  check(PEPSolve(pep));
  PetscInt converged = 0;
  check(PEPGetConverged(pep, &converged));

  Nearest result;
  std::vector<std::complex<double>> values;
  for (PetscInt i = 0; i < converged; ++i) {
    PetscScalar re = 0, im = 0;
    check(PEPGetEigenpair(pep, i, &re, &im, nullptr, nullptr));
    values.push_back(scale * re);
  }
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::abs(values[a] - shift) < std::abs(values[b] - shift);
  });
  for (std::size_t i : order) {
    result.values.push_back(values[i]);
    result.vectors.emplace_back();
    if (!keep(values[i])) continue;
    PetscScalar re = 0, im = 0;
    check(PEPGetEigenpair(pep, static_cast<PetscInt>(i), &re, &im, start, imaginary));
    result.vectors.back() = matrix.gather(start);
  }
  // Others may be as far away as the farthest.
  if (!values.empty()) result.radius = std::abs(result.values.back() - shift) * (1 - 1e-6);
  return result;
}

}  // namespace slipset::internal
