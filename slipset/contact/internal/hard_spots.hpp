// The last contacts of many.      docs/theory/contact.md
// Where sweeps have brought all but a few contacts below the tolerance, those few with the contacts around them are
// solved on their own, the rest held; then all are swept again. (C.25)
#pragma once

#include <functional>
#include <vector>

#include "slipset/contact/internal/body_store.hpp"
#include "slipset/contact/internal/contact_sweeps.hpp"

namespace slipset::internal {

// The marked contacts and those up to `rings` bodies away, in parts that have no moving body in common.
std::vector<std::vector<std::uint32_t>> parts_around(const BodyDelassus& bodies, std::vector<char> marked, int rings);

template <class Prepared>
class HardSpots {
 public:
  using Work = ContactSweeps<Prepared, BodyStore<Prepared::kRows>>;
  // Solves a part from the impulses in the solution.
  using Solve = std::function<void(const ContactProblem&, const ContactOptions&, ContactSolution&)>;

  void begin() { due_ = 0; }
  // To be asked where sweeps are looked at. True where it has changed the impulses.
  bool solve(Work& work, const ContactProblem& problem, const ContactOptions& options, SweepRun& run,
             ContactReport& report, const Solve& each);

 private:
  std::size_t count_beyond(const Work& work, double tolerance);
  void solve_parts(Work& work, const ContactProblem& problem, const ContactOptions& options,
                   const std::vector<std::vector<std::uint32_t>>& parts, const Solve& each);

  int due_ = 0;  // sweeps
  std::vector<double> residuals_;
};

}  // namespace slipset::internal
