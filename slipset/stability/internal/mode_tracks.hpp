// The modes of a box between two points of a sweep at which all of them are known.       docs/theory/structures.md
// Each mode is followed from one end to the other, and what is only at the other end is followed back. At every point in
// between a mode is found again in the span of the vectors that are known (F.17), exact by its residuals. A mode that is
// outside the box may be lost; one that is inside may not.
#pragma once

#include "slipset/stability/internal/reduced_modes.hpp"
#include "slipset/stability/mode_scan.hpp"

namespace slipset::internal {

// A point of a sweep whose list is counted.
struct SolvedPoint {
  std::size_t point = 0;
  std::vector<ReducedPair> inside, around;  // of the box
};

// The box without a part of its sides, except at the real axis; all growth rates above zero stay.
SpectrumBox smaller(const SpectrumBox& box, double part);

// It grows within the band, above the growth rates of the box.
bool grows_too_fast(const SpectrumBox& box, const ReducedPair& pair);

// How different `to` is from a mode that was `from` and is expected at `expected`: 0 the same, 0.5 another shape.
double difference(const SpectrumBox& box, const ReducedPair& from, std::complex<double> expected,
                  const ReducedPair& to);
// Of a mode that leaves the list, and of one that is new: half of what two different shapes differ by.
constexpr double kUnmatched = 0.24;
// Which of `to` each of `from`, expected at `expected`, becomes: the assignment of least difference; -1: none.
std::vector<Eigen::Index> successors(const SpectrumBox& box, const std::vector<ReducedPair>& from,
                                     const std::vector<std::complex<double>>& expected,
                                     const std::vector<ReducedPair>& to);
// The same for modes that are expected where they were.
std::vector<Eigen::Index> successors(const SpectrumBox& box, const std::vector<ReducedPair>& from,
                                     const std::vector<ReducedPair>& to);

// One mode from point `first` on, without a gap.
struct ModeTrack {
  std::size_t first = 0;
  std::vector<ReducedPair> pairs;
  std::optional<std::size_t> from, to;  // its number in the lists of the two ends
  // Points at which it is not known, because it was lost where it grew faster than the box has it.
  std::size_t escaped_from = 0, escaped_to = 0;

  std::size_t end() const { return first + pairs.size(); }
  const ReducedPair* at(std::size_t point) const {
    return point >= first && point < end() ? &pairs[point - first] : nullptr;
  }
};

struct ModeTracks {
  std::vector<ModeTrack> tracks;
  std::optional<std::size_t> unclear;  // a point that has to be solved first; then there are no tracks
};

// The vectors of both ends are in `modes`, which this may move and extend.
ModeTracks track_modes(const ProblemAt& problem_at, const FindModes& find_modes, const std::vector<double>& parameter,
                       const SpectrumBox& box, ReducedModes& modes, const SolvedPoint& a, const SolvedPoint& b,
                       const ShareWork& share);

// The modes of the problem that `modes` has moved to, in the box and around it, not counted; their vectors become known.
std::vector<ReducedPair> learn_modes(const FindModes& find_modes, double at, ReducedModes& modes);

}  // namespace slipset::internal
