// The ranks of a run in groups of equal size; each group does whole tasks.
#pragma once

#include <functional>

#include "slipset/stability/internal/clusters.hpp"
#include "slipset/stability/spectrum/internal/petsc.hpp"

namespace slipset::internal {

// What one shift gave.
struct ShiftResult {
  ShiftReport report;
  std::vector<Found> found;
  std::string error;           // why there is none
  bool invalid_input = false;  // the error is the caller's
};

class Team {
 public:
  explicit Team(int ranks_per_group);  // as far as it divides the number of ranks
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  MPI_Comm group() const { return group_; }
  int groups() const { return groups_; }
  int mine() const { return mine_; }
  bool first() const { return rank_ == 0; }  // of all

  // f() on all ranks. Where it throws on one, all throw std::runtime_error: none waits for the others for ever.
  void together(const std::function<void()>& f) const;
  // What the first rank says.
  bool agreed(bool mine) const;
  // To all ranks, from the group that has it.
  void share(ShiftResult& result, int from_group) const;
  void share(std::vector<double>& numbers, int from_group) const;
  // Sums over groups of numbers that only one group has, zero elsewhere.
  void share(std::vector<std::complex<double>>& values) const;
  int sum_over_groups(int value) const;

 private:
  MPI_Comm world_, group_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1, groups_ = 1, mine_ = 0;
};

}  // namespace slipset::internal
