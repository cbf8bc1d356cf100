// Where modes begin or cease to grow between two points of a sweep.                      docs/theory/structures.md
#pragma once

#include "slipset/stability/internal/mode_tracks.hpp"

namespace slipset::internal {

// The modes of a point, those of the box and others that are known there.
struct ModeList {
  double at = 0;  // the parameter
  std::vector<ReducedPair> pairs;
};

class CriticalSearch {
 public:
  CriticalSearch(const ProblemAt& problem_at, const FindModes& find_modes, const SpectrumBox& box, ReducedModes& modes)
      : problem_at_(problem_at), find_modes_(find_modes), box_(box), modes_(modes) {}

  // next[k]: which of `after` mode k of `before` becomes, -1: none. If the ends turn out to be of two modes, as where two
  // nearly meet, the point between is solved, and so on.
  void look(const ModeList& before, const ModeList& after, const std::vector<Eigen::Index>& next);

  std::vector<CriticalValue> found;
  std::vector<std::string> unknown;  // where there is a critical value that was not found, and why

 private:
  struct End {
    double at;
    Eigenpair pair;
  };
  void look(const ModeList& before, const ModeList& after, const std::vector<Eigen::Index>& next, int depth);
  Eigenpair between(const End& a, const End& b, double at);
  bool is_root(const End& a, const End& b, double at);
  std::optional<CriticalValue> critical_between(const End& first, const End& last);
  bool is_in_band(const ReducedPair& pair) const {
    return pair.value.imag() >= box_.frequency_from && pair.value.imag() <= box_.frequency_to;
  }
  void say(double from, double to, const std::string& reason);

  const ProblemAt& problem_at_;
  const FindModes& find_modes_;
  SpectrumBox box_;
  ReducedModes& modes_;
};

}  // namespace slipset::internal
