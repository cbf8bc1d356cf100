// How slipset-stability finds the modes of a structure: by SLEPc on all ranks where it is built with it, else by dense
// matrices.
#pragma once

#include "slipset/stability/spectrum.hpp"

namespace slipset::app {

// The same on all ranks. Throws InvalidInput where the structure is too large for dense matrices and there is no SLEPc.
Spectrum find_modes(const QuadraticProblem& problem, const SpectrumBox& box, const SpectrumOptions& options);

}  // namespace slipset::app
