// What becomes of the answer of any method, for few contacts.      docs/theory/contact.md
// Steps of Newton's method without a proximal term take the impulses as far as numbers allow. Where more contacts press
// than the bodies need, the laws leave impulses open; of these the ones are taken that equally soft contacts would carry,
// the limit ε → 0 of
//   u = (W + ε S) p + q with all laws,   S = I; rows of torques by their own mobilities                         (C.20)
// which are the shortest where nothing slips. With J p = b the linearised laws and Y their left kernel, YᵀJ = 0, the
// limit has YᵀA S p = 0, A the part of J that multiplies velocities.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>

#include "slipset/contact/block_delassus.hpp"
#include "slipset/contact/contact_solver.hpp"
#include "slipset/contact/internal/full_pivots.hpp"
#include "slipset/contact/internal/measure_sums.hpp"
#include "slipset/contact/internal/prepared_general.hpp"

namespace slipset::internal {

class Settling {
 public:
  Settling();
  Settling(const Settling&) = delete;
  Settling& operator=(const Settling&) = delete;
  ~Settling();

  // Of a problem in blocks, solved. Where no settled impulses are found those of the method stay, and the report says so.
  void settle(const ContactProblem& problem, const ContactOptions& options, ContactSolution& solution);

 private:
  using Vector = Eigen::VectorXd;
  using Matrix = Eigen::MatrixXd;

  // What Newton's steps take for granted of each contact: of the hard problem what its velocities tell.
  struct Hint {
    double nudge = 0;     // it is pressed on with at least so much [m/s], to see what it would do if it carried a load
    bool sticks = false;  // its slip is rounding
    bool open = false;    // it carries nothing, though it may be closed
  };

  void take_matrix(const BlockDelassus& w);
  // Whether the impulses of all contacts that are closed follow from the velocities, without loss.
  bool is_well_determined(const BlockDelassus& w, double tolerance, const ContactSolution& solution);
  // W with this softness, over the mean mobility, and the contacts with its blocks.
  void take(const ContactProblem& problem, double softness);
  void find_sums(const ContactProblem& problem, const Vector& impulse);
  double sum_at(const RowLayout& layout, std::size_t i) const;  // the largest of a contact's rows
  void give_hints(const ContactProblem& problem, double tolerance, const Vector& velocity);
  bool find_state(const ContactProblem& problem, std::size_t i);
  bool linearize(const ContactProblem& problem);
  // p_ by Newton's steps from `from`, with the condition of (C.20). False if they lead nowhere.
  bool newton(const ContactProblem& problem, const Vector& from);
  bool newton_step();  // into change_
  // To the step so far, what the condition asks for of the last unknowns. False if it does not determine them.
  bool add_choice(Eigen::Index rank);
  std::optional<int> kernel_at(const ContactProblem& problem, double error, const Vector& impulse,
                               const Vector& velocity);
  // Newton's result, if its error is within the tolerance.
  bool accept(const ContactProblem& problem, const ContactOptions& options, ContactSolution& solution);
  // The soft problem's impulses, exactly, from `guess`, into p_.
  bool soften(const ContactProblem& problem, const ContactOptions& given, double softness, const Vector& guess);
  void by_soft_contacts(const ContactProblem& problem, const ContactOptions& options, ContactSolution& solution);

  Matrix w_, jacobian_, by_velocity_, kernel_basis_, condition_, choice_;
  Eigen::Index row(Eigen::Index k) const { return active_[static_cast<std::size_t>(k)]; }

  Vector scale_, metric_, sums_, sizes_, u_, p_, change_, right_, step_, missing_, chosen_;
  double mean_ = 0;                   // mobility
  std::vector<Eigen::Index> loaded_;  // rows
  std::vector<Eigen::Index> active_;  // rows of the linearised contacts: those that are not open
  std::vector<PreparedGeneral> contacts_;
  std::vector<LocalBlock> blocks_;
  std::vector<LocalState> states_;
  std::vector<Hint> hints_;
  std::vector<ContactMode> modes_;
  FullPivots lu_, choice_lu_;
  int kernel_ = -1;    // of the first of Newton's steps
  int soft_left_ = 0;  // iterations for soft contacts
  struct Soft;
  std::unique_ptr<Soft> soft_;
};

}  // namespace slipset::internal
