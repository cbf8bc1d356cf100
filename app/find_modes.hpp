// How slipset-stability finds the modes of a structure: by SLEPc on all ranks where it is built with it, else by dense
// matrices.
#pragma once

#include "slipset/stability/mode_scan.hpp"

namespace slipset::app {

// The modes of one point; the same on all ranks. Throws InvalidInput where the structure is too large for dense matrices and there is no SLEPc.
Spectrum find_modes(const QuadraticProblem& problem, const SpectrumBox& box, const SpectrumOptions& options);

// scan_modes, with the modes of a point shared by all ranks, or by threads if there is only one.
StabilityScan scan_modes_on_ranks(const ProblemAt& problem_at, const FindModes& find_modes, const SpectrumBox& box,
                                  const ScanOptions& options);

// What the first rank makes, on all ranks; and what it says.
std::vector<std::vector<double>> from_first_rank(const std::function<std::vector<std::vector<double>>()>& make);
bool first_rank_says(bool mine);

}  // namespace slipset::app
