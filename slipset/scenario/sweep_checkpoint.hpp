// A sweep of a structure that can be killed at any moment and resumed.                              docs/output.md
// What takes long is to solve and count the modes of a point (stability/mode_scan.hpp). These lists are kept, on disk with
// the bits that they have; all else is computed again from them.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "slipset/io/checkpoint.hpp"
#include "slipset/stability/spectrum.hpp"

namespace slipset {

// Where in a sweep, or in a map of two parameters.
struct SweepPoint {
  double at = 0;
  std::optional<double> second;
};

class SweepCheckpoint {
 public:
  // `seconds` of computing between two saves; 0: save every list. `trouble` is called once if checkpoints cannot be
  // written; the sweep continues. Without a store nothing is kept.
  SweepCheckpoint(CheckpointStore* store, double seconds, std::function<void(const std::string&)> trouble);

  // The lists of a checkpoint that was loaded, in the order in which they were solved; each as numbers, for other ranks.
  static std::vector<std::vector<double>> lists_of(const Checkpoint& checkpoint);
  void put(const std::vector<double>& list);

  // A list that is known, once; complete, with nothing else in its report.
  std::optional<Spectrum> take(const SweepPoint& point);
  // A list that was solved. Those that are not complete are solved again by a sweep that is resumed.
  void keep(const SweepPoint& point, const Spectrum& list);
  // What has not been saved yet. Whether there is a checkpoint to resume from.
  bool save();

 private:
  CheckpointStore* store_;
  double seconds_;
  std::function<void(const std::string&)> trouble_;
  bool troubled_ = false, saved_ = false;
  std::map<std::vector<double>, std::vector<double>> known_;  // lists as numbers, by their points
  std::vector<double> heads_;                                 // of all lists that are to be on disk
  std::vector<std::vector<double>> unsaved_;                  // rows
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace slipset
