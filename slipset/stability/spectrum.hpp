// Every eigenvalue of a structure in a box of the complex plane, counted.           docs/theory/structures.md
//   Q(λ) x = 0,  yᴴQ(λ) = 0,  Q(λ) = λ²M + λD + K,  M, D, K real, none symmetric in general                     (F.1)
//   box: growth_from ≤ Re λ ≤ growth_to, frequency_from ≤ Im λ ≤ frequency_to
// Rows without mass (states of first order) are allowed. The conjugates of what is listed are eigenvalues, too.
// Two ways with one result: eigenvalues_in_box_dense here, for some hundred unknowns; eigenvalues_in_box of
// slipset/stability/spectrum/sparse_spectrum.hpp (the part `spectrum`, by SLEPc) for large ones.
#pragma once

#include <Eigen/SparseCore>
#include <complex>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "slipset/core/error.hpp"

namespace slipset {

struct QuadraticProblem {
  Eigen::SparseMatrix<double> mass, damping, stiffness;
  Eigen::Index size() const { return stiffness.rows(); }
};

struct SpectrumBox {
  double growth_from = 0, growth_to = 0;        // [1/s]
  double frequency_from = 0, frequency_to = 0;  // [rad/s], not negative
  bool contains(std::complex<double> value) const {
    return value.real() >= growth_from && value.real() <= growth_to && value.imag() >= frequency_from &&
           value.imag() <= frequency_to;
  }
};

// By more than a few times its rounding; so does one whose rounding is not known.
inline bool value_grows(std::complex<double> value, double rounding) {
  return !(value.real() <= 4 * rounding) && !(value.real() <= 0);
}

struct Eigenpair {
  std::complex<double> value;    // λ [1/s]
  Eigen::VectorXcd right, left;  // x, y of unit length, the largest component of x real and positive
  // |Q(λ)x| over (|λ|²|M| + |λ||D| + |K|)|x|
  double backward_error = std::numeric_limits<double>::quiet_NaN();
  // (|λ|²|M| + |λ||D| + |K|)|x||y| over |λ||yᴴQ'(λ)x|: relative change of λ over that of the matrices [T00]
  double condition = std::numeric_limits<double>::quiet_NaN();
  // How far λ moves if every entry of M, D and K is rounded once [1/s]; accounts for sizes entry by entry.     (F.6)
  double rounding = std::numeric_limits<double>::quiet_NaN();

  double growth_rate() const { return value.real(); }
  double frequency() const { return value.imag(); }  // [rad/s]
  bool grows() const { return value_grows(value, rounding); }
};

// What has been done so far, for a caller that shows it.
struct SpectrumProgress {
  int shifts = 0;        // done
  int shifts_known = 0;  // done or planned; may grow
  int found = 0;         // eigenvalues in the box
  int determinants = 0;  // of the count
};

enum class SpectrumMethod { automatic, dense, sparse };

struct SpectrumOptions {
  SpectrumMethod method = SpectrumMethod::automatic;  // dense up to 150 unknowns
  double tolerance = 1e-12;       // relative, of the Krylov iteration, before refinement; 1e-14 to 1e-4
  int eigenvalues_per_shift = 0;  // 0: up to 60, fewer for small problems
  int most_shifts = 200;          // then it stops with what it has
  bool prove = true;              // count the eigenvalues by the argument principle                            (F.7)
  int most_determinants = 2000;   // of the count
  int searches = 3;               // times that a gap in the list is searched again
  // Vectors of what is found beside the box, up to this part of its sides, are kept, too: Spectrum::around. 0 to 1.
  double around = 0;
  int ranks_per_group = 0;  // MPI: ranks that share one factorisation; 0: 1 up to 50 000 unknowns, else all
  int threads = 0;          // of BLAS on each rank; 0: 1 up to 50 000 unknowns, else all cores, shared by the ranks
  std::function<void(const SpectrumProgress&)> progress = {};  // called between shifts, on the first rank
  std::function<bool()> stop = {};                             // asked between shifts, on the first rank
};

struct ShiftReport {
  std::complex<double> shift;
  double radius = 0;  // of the disc in which all eigenvalues were found
  int found = 0;      // eigenvalues in the disc
  double seconds = 0;
};

// A box in which the list and the count differ.
struct SpectrumGap {
  SpectrumBox where;
  int missing = 0;  // negative: the list has too many
};

struct SpectrumReport {
  SpectrumMethod method = SpectrumMethod::automatic;  // used: dense or sparse
  std::vector<ShiftReport> shifts;
  bool complete = false;            // the count agrees with the list
  std::optional<int> count_proven;  // eigenvalues in `proven`, by the argument principle
  std::optional<int> count_listed;  // those that were found there: the box's own, and those just outside
  SpectrumBox proven;               // the contour: the box, moved outwards where eigenvalues are close to its edge
  double largest_step = std::numeric_limits<double>::quiet_NaN();  // of the argument, between two points [rad]
  std::vector<SpectrumGap> gaps;
  std::string reason;  // why it is not complete; empty if it is
  bool stopped = false;
  int factorisations = 0, determinants = 0, solves = 0;
  double seconds = 0, seconds_proof = 0;
};

struct Spectrum {
  // In the box or, to rounding, on its edge; largest real part first, those that are zero to rounding by their frequency;
  // multiple ones as often as they are.
  std::vector<Eigenpair> pairs;
  std::vector<Eigenpair> around;  // beside the box, if asked for: those that were found, not all that there are
  std::vector<std::complex<double>> faster;  // of the band, growing faster than the box has it, as far as they were met
  SpectrumReport report;
};

// Numbers of the pairs that share one eigenvalue, or nearly, in groups; most groups are of one. Vectors of a multiple
// eigenvalue are one choice out of many.
std::vector<std::vector<std::size_t>> multiple_eigenvalues(const std::vector<Eigenpair>& pairs);

// Throws InvalidInput for matrices of different sizes or with entries that are not finite, for an empty row or column
// of all three (then every λ is an eigenvalue), and for a box that is empty, inverted or below the real axis.
void require_valid(const QuadraticProblem& problem, const SpectrumBox& box);
void require_valid(const SpectrumOptions& options);

// By the companion matrix pencil of the whole problem, in time (2n)³: the second opinion, and the way without SLEPc.
Spectrum eigenvalues_in_box_dense(const QuadraticProblem& problem, const SpectrumBox& box,
                                  const SpectrumOptions& options = {});

}  // namespace slipset
