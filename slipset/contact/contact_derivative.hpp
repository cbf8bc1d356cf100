// How the solution of a contact problem changes with its data.      docs/theory/contact.md
//   u = W p + q;  open: p = 0;  stick: u = 0;  slip: u_N = 0 (or p_N given), p_T + p_N f s(u_T; θ) = 0            (C.1)
//   B dp + A du + c = 0 by contacts, du = W dp + r,  r = dq + dW p:   (B + A W) dp = -(A r + c)                  (C.22)
// One factorisation serves every direction, forward and reverse:
//   y = (B + A W)⁻ᵀ(p̄ + Wᵀū),   q̄ = ū - Aᵀy,   W̄ = q̄ pᵀ,   θ̄ = -y·∂c/∂θ                                       (C.23)
// Normal impulses that are given and the factors f of reservoirs are numbers θ as those of the laws.
// On a border between modes, and where s has a corner, there is no derivative: it is refused with the contacts' numbers.
#pragma once

#include <memory>
#include <vector>

#include "slipset/contact/contact_solver.hpp"

namespace slipset {

struct DerivativeOptions {
  // How near to a border counts as on it: forces over the reservoir, velocities and impulses over their largest.
  double border = 1e-9;
  // True: impulses that the problem leaves open (more contacts than its bodies need) get some derivative, that of the
  // velocities is right for changes that the contacts can follow; for up to 100 contacts. False: refused.
  bool velocities_only = false;
};

class ContactDerivative {
 public:
  // Throws InvalidInput, naming the contacts, where the solution is on a border; where impulses are not determined; for
  // laws of other rows (drilling, rolling) and solutions that are none.
  ContactDerivative(const ContactProblem& problem, const ContactSolution& solution,
                    const DerivativeOptions& options = {});
  ~ContactDerivative();
  ContactDerivative(ContactDerivative&&) noexcept;
  ContactDerivative& operator=(ContactDerivative&&) noexcept;

  struct Change {
    Eigen::VectorXd impulse, velocity;
    double misfit = 0;  // where impulses are open: the velocity with which sticking contacts would have to part [m/s]
  };
  // A number per contact.
  struct OfContacts {
    Eigen::VectorXd normal_impulse;    // where it is given; of others it counts for nothing
    Eigen::VectorXd reservoir_factor;  // f
  };
  // For a change of the velocities at given impulses, r = dq + dW p; `law`: of the laws' numbers, one list for each
  // distinct law, in the order of laws(), by law_parameters(). What is empty does not change.
  Change forward(const Eigen::VectorXd& velocity, const std::vector<Eigen::VectorXd>& law = {},
                 const OfContacts& contacts = {}) const;

  struct Gradient {
    Eigen::VectorXd free_velocity;     // q̄; that of W is q̄ pᵀ
    std::vector<Eigen::VectorXd> law;  // θ̄ of each distinct law
    OfContacts contacts;
  };
  // Of p̄·p + ū·u.
  Gradient reverse(const Eigen::VectorXd& impulse, const Eigen::VectorXd& velocity) const;

  // The distinct laws of the problem, by their first contact.
  const std::vector<const ContactLaw*>& laws() const;

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace slipset
