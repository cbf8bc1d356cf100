// Zero-phase Butterworth low-pass.                                     docs/theory/identification.md
//   |H(f)|² = 1/(1 + (tan πf/tan πf_c)^2n),  f in cycles per sample                                              (I.1)
// The poles of the analogue filter, s_k = exp(iπ(2k + n + 1)/2n), go through the bilinear transform and are taken in
// conjugate pairs: second-order sections, which keep their accuracy where one polynomial of high order would not. The
// signal runs through them forward and backward: no delay, and the amplitude factor is |H|².
#pragma once

#include <complex>
#include <span>
#include <vector>

namespace slipset {

// y_i = b0 x_i + b1 x_(i-1) + b2 x_(i-2) - a1 y_(i-1) - a2 y_(i-2); a first-order section has b2 = a2 = 0.
struct FilterSection {
  double b0, b1, b2, a1, a2;
};

// Order 1 to 20; cutoff [cycles per sample], above 0 and below 0.5. Throws InvalidInput otherwise.
std::vector<FilterSection> butterworth_lowpass(int order, double cutoff);
// H at a frequency [cycles per sample].
std::complex<double> response(std::span<const FilterSection> sections, double frequency);

// Forward and backward, in place. Beyond its ends the signal is continued by its odd reflection, so that a line goes
// through unchanged, and the filter starts in the steady state of the first value. Throws InvalidInput for a signal
// that is too short for the filter's memory.
void filter_zero_phase(std::span<const FilterSection> sections, std::span<double> signal);

}  // namespace slipset
