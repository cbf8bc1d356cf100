// Lists of eigenvalues from several shifts made one, with multiplicity.              docs/theory/structures.md
// Each run lists what it found as often as it is an eigenvalue, or less often; discs overlap. Eigenvalues closer than
// their errors form a cluster, whose multiplicity is the largest of: what one run found there, and the number of
// independent vectors that all runs found there.                                                                (F.5)
#pragma once

#include "slipset/stability/internal/quadratic_form.hpp"

namespace slipset::internal {

struct Found {
  Eigenpair pair;
  int run = 0;          // what one run found twice is twice there
  double distance = 0;  // from the run's shift
};

// Below this distance two eigenvalues are taken for one until their vectors say otherwise [1/s].
double separation(const Eigenpair& pair);

// Groups of indices whose members are chained by distances below their separation, each group sorted.
std::vector<std::vector<std::size_t>> clusters_of(const std::vector<const Eigenpair*>& pairs);

// What all runs found, once. Where vectors of several runs form one cluster they are refined together.
std::vector<Found> merge(std::vector<Found> found, const QuadraticForm& form);

bool is_real(const Eigenpair& pair);  // to within its rounding
// Values on the real axis to within their rounding are put on it; of a pair the upper one stays.
void settle_real_axis(std::vector<Found>& found);

}  // namespace slipset::internal
