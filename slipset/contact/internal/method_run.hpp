// The methods for many contacts, and the choice between them.      docs/theory/contact.md
#pragma once

#include <memory>
#include <optional>

#include "slipset/contact/internal/body_store.hpp"
#include "slipset/contact/internal/hard_spots.hpp"
#include "slipset/contact/internal/mass_iterate.hpp"
#include "slipset/contact/internal/proximal_newton.hpp"
#include "slipset/contact/internal/splitting.hpp"

namespace slipset::internal {

// Sweeps, Newton's method, the splitting and automatic for contacts of fixed or of any size. Keeps its work space.
template <class Prepared>
class MethodRun {
 public:
  static constexpr int kRows = Prepared::kRows;

  // Operators in blocks: any of the four.
  void solve_blocks(const ContactProblem& problem, const ContactOptions& options, ContactSolution& solution);
  // By bodies: sweeps and automatic. False if automatic got stuck and W has room to be assembled; the impulses so far
  // are then in the solution, and its report counts what was done.
  bool solve_bodies(const BodyDelassus& bodies, const ContactProblem& problem, const ContactOptions& options,
                    ContactSolution& solution);
  // By masses: the splitting.
  void solve_masses(const MassDelassus& masses, const ContactProblem& problem, const ContactOptions& options,
                    ContactSolution& solution);

 private:
  using BlockWork = ContactSweeps<Prepared, BlockStore<kRows>>;
  using BodyWork = ContactSweeps<Prepared, BodyStore<kRows>>;

  double worthwhile_sweeps();
  bool prepare_factors();
  void newton(int patience);
  void begin_newton();
  void split(int most, double rho, bool may_leave);
  void choose();
  bool has_contact_without_solution() const;  // that no other acts on
  bool contradicts();                         // the problem has no solution, proven: kept
  void solve_part(const ContactProblem& part, const ContactOptions& options, ContactSolution& solution);
  template <class Sum>
  void finish(const RowLayout& layout, const Sum& sum, std::string_view stop_reason, ContactSolution& solution);
  template <class Work>
  void report_residual(Work& work, ContactReport& report);

  const ContactProblem* problem_ = nullptr;
  const ContactOptions* options_ = nullptr;
  ContactReport* report_ = nullptr;
  SweepRun run_;
  BlockWork work_;
  std::unique_ptr<BodyWork> bodies_;
  HardSpots<Prepared> spots_;
  std::unique_ptr<MethodRun> parts_;  // solves these
  BlockDelassus part_blocks_;
  bool is_part_ = false;
  std::unique_ptr<MassIterate<Prepared>> masses_;
  // Factors are kept while the pattern of W stays.
  BlockLu<kRows> factors_;
  BlockDelassus::Pattern pattern_;
  bool factors_ready_ = false, newton_begun_ = false;
  std::optional<Contradiction> contradiction_;
  std::string_view stopped_by_;  // short of the tolerance with iterations left
  ProximalNewton<Prepared> newton_;
  Splitting<Prepared> splitting_;
};

}  // namespace slipset::internal
