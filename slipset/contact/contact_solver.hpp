// Solves a ContactProblem.      docs/theory/contact.md
// Every method takes every law and every operator for which it can; what it cannot it refuses with InvalidInput:
//   operator   search, fixed point   sweeps      Newton      splitting   automatic
//   blocks     yes                   yes         yes         yes         yes
//   bodies     assembled             yes         assembled   assembled   sweeps by bodies, assembled if these get stuck
//   masses     assembled             assembled   assembled   yes         splitting, W is not formed; up to 3000 rows
//                                                                        assembled where 500 iterations are not enough
// "assembled": W is formed where it has room (BodyDelassus and MassDelassus say when not), else InvalidInput.
// The fixed point asks laws for their projection; those of your own may not have one.
#pragma once

#include <functional>
#include <iosfwd>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "slipset/contact/contact_problem.hpp"

namespace slipset {

enum class ContactMethod {
  automatic,     // sweeps, then splitting or Newton's method, by what is measured on the way
  gauss_seidel,  // sweeps: contact by contact, each solved exactly
  newton,        // proximal steps, each by a semismooth Newton method                                          (C.10)
  splitting,     // Douglas-Rachford (ADMM): one factorisation, then cheap iterations                           (C.13)
  fixed_point,   // the projection iteration of the papers                                        [WL19 69, 70]
  search,        // Gauss-Seidel with all solutions of each contact: counts them, takes that next to the last step's
};
std::string_view name_of(ContactMethod method);

enum class ContactMeasure {
  residual,    // the largest residual of a contact, the others held, without units                       (C.4, T.12)
  full_error,  // that of Siconos (C.12); only for friction that is the same in every direction
};

struct ContactOptions {
  ContactMethod method = ContactMethod::search;
  ContactMeasure measure = ContactMeasure::residual;
  double tolerance = 1e-12;    // of the measure [-]; 1e-8 suits quick looks
  int max_iterations = 10000;  // sweeps, iterations of Newton or of the splitting, all together
  double step = 0;             // of the fixed point, over that which suits each contact [-]; 0: the law chooses
  // Problems of up to so many contacts, with a tolerance of 1e-6 or less, are settled: undetermined impulses are chosen
  // the same way by every method (C.20). 0: as the method leaves them.
  int settled_contacts = 40;
  int threads = 1;  // most that sweeps over many contacts use; 0: all cores. Same bits for any number
  // The caller's; where it says true, the methods end with their best impulses, not reached. Asked between iterations, on
  // the caller's thread; a factorisation is not interrupted.
  const std::function<bool()>* stop = nullptr;

  bool is_stopped() const { return stop && (*stop)(); }
};

enum class ContactStatus {
  solved,       // to the tolerance
  no_solution,  // proven: by a contradiction, or of a contact that no other acts on by a search of all its states
  not_reached,  // stop_reason says why
};
std::string_view name_of(ContactStatus status);

struct ContactReport {
  ContactOptions options;
  ContactStatus status = ContactStatus::not_reached;
  std::string_view stop_reason = "not solved yet";
  int iterations = 0;  // sweeps + newton + splitting
  int sweeps = 0, newton = 0, splitting = 0;
  bool load_paths = false;  // the first guess was from load paths                                           (C.24)
  int parts = 0;            // of a large problem, solved on their own; their iterations are not counted     (C.25)
  ContactMethod finished_by = ContactMethod::search;  // the method that found the impulses
  double error =
      std::numeric_limits<double>::quiet_NaN();  // of the impulses that are returned, in the options' measure
  // How many independent impulses the laws leave open at those that are returned, at most: of more contacts than the
  // bodies need. Empty: not looked at, see settled_contacts.
  std::optional<int> undetermined;
  // The impulses are the choice of (C.20), or nothing is open. Where W determines them well they are exact to about 10³
  // tolerances, else mostly far better; `error` is what they have.
  bool settled = false;
  // (C.4, T.12); (C.17) for masses. NaN: not computed, one contact is solved exactly.
  double residual = std::numeric_limits<double>::quiet_NaN();

  bool solved() const { return status == ContactStatus::solved; }
};
// "20 sweeps, 12 Newton iterations"
std::string iterations_in_words(const ContactReport& report);
// "not reached: REASON (20 sweeps, error 0.001, tolerance 1e-08)"
std::ostream& operator<<(std::ostream& out, const ContactReport& report);

// Impulses that prove that no velocities fit: any u = W p' + q has p·u = p·q < 0, where contacts that are kept apart
// (u_N ≥ 0) and joints that are kept still (u = 0) would have p·u ≥ 0.                                          (C.21)
struct Contradiction {
  Eigen::VectorXd impulse;            // p: of normals, none below 0, and of joints; W p = 0, the largest is 1
  std::vector<std::size_t> contacts;  // where it is not 0: these are jammed
  double closing = std::numeric_limits<double>::quiet_NaN();  // -p·q / Σ|p|: how fast they close [m/s]
  double beyond = std::numeric_limits<double>::quiet_NaN();  // proven up to impulses of this size [N s]: W p is rounded
};

struct ContactSolution {
  Eigen::VectorXd impulse;   // p [N s], [N m s]
  Eigen::VectorXd velocity;  // u = W p + q [m/s], [rad/s], to rounding, solved or not
  std::vector<ContactMode> modes;
  // Of each contact, the others held: more than 1 is ambiguous. Counted by search and the fixed point; 0: not counted.
  std::vector<int> solutions;
  std::optional<Contradiction> contradiction;  // where there is no solution
  ContactReport report;

  bool ambiguous() const;  // as far as solutions were counted
};

// Keeps its work space: solving again a problem of the same structure (rows, blocks, laws) allocates nothing.
class ContactSolver {
 public:
  ContactSolver();
  ContactSolver(const ContactSolver& other);  // with a work space of its own
  ContactSolver& operator=(const ContactSolver& other);
  ContactSolver(ContactSolver&&) noexcept;
  ContactSolver& operator=(ContactSolver&&) noexcept;
  ~ContactSolver();

  // `solution` holds the first guess of the impulses if its size fits, else they start at zero.
  void solve(const ContactProblem& problem, const ContactOptions& options, ContactSolution& solution);

 private:
  void solve_larger(const ContactProblem& problem, const ContactOptions& options, ContactSolution& solution);
  void solve_sound(const ContactProblem& problem, bool planar, const ContactOptions& options,
                   ContactSolution& solution);

  struct Work;
  std::unique_ptr<Work> work_;
};

// For one problem alone.
ContactSolution solve(const ContactProblem& problem, const ContactOptions& options = {});

}  // namespace slipset
