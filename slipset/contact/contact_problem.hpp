// Many contacts in one step: u = W p + q with every contact's laws (C.1).      docs/theory/contact.md
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "slipset/contact/block_delassus.hpp"
#include "slipset/contact/local_problem.hpp"

namespace slipset {

struct ContactPoint {
  const ContactLaw* law = nullptr;       // null: no friction
  std::optional<double> normal_impulse;  // given [N s]; empty: unilateral
  double reservoir_factor = 1;
  Vec2 last_slip = Vec2::Zero();  // before the step [m/s]
};

struct ContactProblem {
  BlockDelassus delassus;
  Eigen::VectorXd free_velocity;  // 3 a contact, normal first; restitution included [m/s]
  std::vector<ContactPoint> contacts;
  std::vector<std::shared_ptr<const ContactLaw>> owned;  // laws that nobody else keeps
};

enum class ContactMethod {
  automatic,     // sweeps, then splitting or Newton's method, by what is measured on the way
  gauss_seidel,  // contact by contact, each solved exactly
  newton,        // proximal steps, each by a semismooth Newton method                                       (C.10)
  splitting,     // Douglas-Rachford (ADMM): one factorisation, then cheap iterations                        (C.13)
  fixed_point,   // the projection iteration of the papers                                     [WL19 69, 70]
  search,        // Gauss-Seidel with all solutions of each contact: counts them, takes that next to the last step's
};
std::string_view name_of(ContactMethod method);

enum class ContactMeasure {
  residual,    // (C.4), without units
  full_error,  // that of Siconos (C.12); only for isotropic laws
};

struct ContactOptions {
  ContactMethod method = ContactMethod::search;
  ContactMeasure measure = ContactMeasure::residual;
  double tolerance = 1e-12;    // of the measure [-]; 1e-8 suits quick looks
  int max_iterations = 10000;  // sweeps, iterations of Newton or of the splitting, all together
  double step = 0;             // r of the fixed point over that of each contact [-]; 0: chosen per contact
  int threads = 1;             // of Gauss-Seidel's sweeps over many contacts; 0: all cores. Same bits for any number
};

struct ContactReport {
  ContactOptions options;
  int iterations = 0;  // sweeps + newton + splitting
  int sweeps = 0, newton = 0, splitting = 0;
  ContactMethod last = ContactMethod::search;               // the method that ended it
  double error = std::numeric_limits<double>::quiet_NaN();  // in the options' measure
  double residual =
      std::numeric_limits<double>::quiet_NaN();  // (C.4); NaN: not computed, one contact is solved exactly
  bool converged = false;
  std::string_view why;  // it stopped
};
// "20 sweeps, 12 Newton iterations": what the report says of the way.
std::string way_of(const ContactReport& report);

struct ContactSolution {
  Eigen::VectorXd impulse;   // 3 a contact [N s]
  Eigen::VectorXd velocity;  // 3 a contact [m/s]
  std::vector<ContactMode> modes;
  std::vector<int> solutions;  // of each contact, the others held: more than 1 is ambiguous
  ContactReport report;

  bool ambiguous() const;
};

// `solution` holds the first guess of the impulses if its size fits, else they start at zero; it is resized once and
// then reused.
void solve_contact(const ContactProblem& problem, const ContactOptions& options, ContactSolution& solution);
ContactSolution solve_contact(const ContactProblem& problem, const ContactOptions& options = {});

}  // namespace slipset
