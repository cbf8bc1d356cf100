// Every eigenvalue of a large structure in a box, by SLEPc, PETSc and MUMPS.         docs/theory/structures.md
//   shifts σ over the box, each with the eigenvalues nearest to it by a Krylov space of Q(σ)⁻¹, until their discs cover
//   the box; refined by (F.4), counted by (F.7); gaps are searched again.                                       (F.3)
// Under mpirun every rank calls it with the same problem, and gets the same result: groups of ranks share the shifts and
// determinants, the ranks of a group one factorisation.
#pragma once

#include "slipset/stability/spectrum.hpp"

namespace slipset {

// Throws what eigenvalues_in_box_dense throws, and InvalidInput if Q is singular at every shift. What is not found is no
// exception: see report.complete and report.reason.
Spectrum eigenvalues_in_box(const QuadraticProblem& problem, const SpectrumBox& box,
                            const SpectrumOptions& options = {});

struct NearestEigenvalues {
  std::vector<std::complex<double>> values;  // nearest first, both of a pair; not refined
  double radius = 0;                         // of the disc about the shift in which these are all
  double factorisation_seconds = 0, iteration_seconds = 0;
};
// One factorisation and one Krylov space: the eigenvalues nearest to a shift, as most programs compute them. Not
// refined, not counted.
NearestEigenvalues eigenvalues_near(const QuadraticProblem& problem, std::complex<double> shift, int how_many,
                                    double tolerance = 1e-10);

}  // namespace slipset
