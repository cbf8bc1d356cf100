// How a run by Moreau's time-stepping changes with its start and with the numbers of its laws.  docs/theory/dynamics.md
//   v = u_B + M⁻¹(h Δt + W p),   γ = Wᵀv - χ,   u_E = v: each step is a contact problem, and has its derivative (C.22)
//   forward:  dv = du_B + M⁻¹(dh Δt + dW p - dM(u_E - u_B)),  r = dWᵀu_E + Wᵀdv - dχ,  du_E = dv + M⁻¹W dp        (D.8)
//   reverse:  the same transposed, from the last step to the first; states between checkpoints are computed again   (D.9)
// dh, dM, dW and dχ are central differences of order 4 of System::evaluate(): exact but for rounding where they are
// linear in q and u. The derivative is that of the steps as they are made. It tends to that of the motion with shorter
// steps through stick and slip; not through impacts, whose time does not change with the start within a step: notes().
#pragma once

#include <functional>

#include "slipset/motion/moreau.hpp"

namespace slipset {

struct RunDerivativeOptions {
  double duration = 1;            // [s]
  int every = 1;                  // steps between rows
  double difference = 1e-5;       // of a coordinate or velocity x, over max(1, |x|), for the derivatives of evaluate()
  double border = 1e-9;           // DerivativeOptions::border
  std::function<bool()> go_on{};  // asked at every step; false: throws Stopped
};

class RunDerivative {
 public:
  struct Stopped {};  // by RunDerivativeOptions::go_on

  // Makes the run. `system` must outlive it. Throws InvalidInput for systems whose contacts are found anew or lie along
  // a line, for laws that are elastic, drill or roll; for restitution, rates and gaps on surfaces that move unsteadily;
  // and where a step has no solution.
  RunDerivative(const System& system, const State& start, const Moreau& integrator,
                const RunDerivativeOptions& options);
  ~RunDerivative();
  RunDerivative(RunDerivative&&) noexcept;
  RunDerivative& operator=(RunDerivative&&) noexcept;

  // The run's rows: start, every so many steps, end.
  const std::vector<double>& times() const;  // [s]
  const MatrixX& positions() const;          // a column per row of the run
  const MatrixX& velocities() const;
  // The distinct laws of sliding of the system, by their first contact; their numbers: law_parameters().
  const std::vector<const PlanarContactLaw*>& laws() const;
  // What keeps the derivative from being that of the motion.
  const std::vector<std::string>& notes() const;

  struct Change {
    MatrixX positions, velocities;
  };
  // Several directions at once: changes of the start as columns, and of each law's numbers (empty: none). A Change for
  // each direction. Throws InvalidInput, naming time and contact, at steps on a border between modes.
  std::vector<Change> forward(const MatrixX& q, const MatrixX& u, const std::vector<MatrixX>& law = {}) const;

  struct Gradient {
    VectorX q, u;              // of the start
    std::vector<VectorX> law;  // of each law's numbers; empty for sets of a user's own, which have none
  };
  // Of Σ q̄·q + ū·u over the rows; q̄ and ū have a column per row. Throws InvalidInput as forward().
  Gradient reverse(const MatrixX& positions, const MatrixX& velocities) const;

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace slipset
