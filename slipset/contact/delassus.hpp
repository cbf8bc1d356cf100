// The Delassus operator of many contacts: what impulses do to velocities.      docs/theory/contact.md
//   u = W p + q,   W = Hᵀ M⁻¹ H                                                                                   (C.1)
// Each contact has 1 to 6 rows of it. W may be kept in blocks (block_delassus.hpp), by rigid bodies without being
// assembled (body_delassus.hpp), or as sparse M and H without being formed (mass_delassus.hpp). A solver asks for no
// more than what stands here; sweeps know blocks and bodies by name, for speed.
#pragma once

#include <memory>

#include "slipset/contact/rows.hpp"

namespace slipset {

class BlockDelassus;

// (W + S)⁻¹, S block diagonal: for the splitting (C.13).
class ShiftedSolver {
 public:
  virtual ~ShiftedSolver() = default;
  // `shift`: the contacts' blocks S_i, each column by column, one behind the other. False if W + S is singular.
  virtual bool factorize(const Eigen::VectorXd& shift) = 0;
  // x = (W + S)⁻¹ x
  virtual void solve(Eigen::VectorXd& x) = 0;
};

class DelassusOperator {
 public:
  virtual ~DelassusOperator() = default;

  virtual const RowLayout& layout() const = 0;
  std::size_t contacts() const { return layout().contacts(); }
  Eigen::Index rows() const { return layout().rows(); }
  int rows(std::size_t i) const { return layout().rows(i); }
  Eigen::Index offset(std::size_t i) const { return layout().offset(i); }

  // result = W p + q; result has its size.
  virtual void multiply_add(const Eigen::VectorXd& p, const Eigen::VectorXd& q, Eigen::VectorXd& result) const = 0;
  // W_ii
  virtual ContactMat diagonal(std::size_t i) const = 0;
  // W in blocks. Throws InvalidInput where that would be too large.
  virtual void assemble(BlockDelassus& to) const = 0;
  // Null where the factors would be too large. It refers to this operator, and is only good while that stays as it is.
  virtual std::unique_ptr<ShiftedSolver> shifted_solver() const = 0;
  // W itself where it is in blocks, else null.
  virtual const BlockDelassus* as_blocks() const { return nullptr; }

 protected:
  DelassusOperator() = default;
  DelassusOperator(const DelassusOperator&) = default;
  DelassusOperator& operator=(const DelassusOperator&) = default;
};

// An operator that somebody else keeps: for steppers, whose operators outlive each solution.
inline std::shared_ptr<const DelassusOperator> kept_elsewhere(const DelassusOperator& w) {
  return {std::shared_ptr<const void>(), &w};
}

}  // namespace slipset
