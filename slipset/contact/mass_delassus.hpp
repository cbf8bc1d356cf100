// The Delassus operator of a system whose masses couple, never formed.      docs/theory/contact.md
//   M v = M v_free + H p,   u = Hᵀv + b                                                                        (C.15)
// is u = W p + q with W = HᵀM⁻¹H and q = Hᵀv_free + b. Where M couples all coordinates (an elastic body, an implicit
// step) W is dense: 9n² numbers, while M and H are sparse. The splitting (C.13) asks only for
//   (W + S)⁻¹x = S⁻¹x − S⁻¹Hᵀ(M + H S⁻¹Hᵀ)⁻¹H S⁻¹x,                                                            (C.16)
// one sparse factorisation. Blocks of W are not at hand: the residual sees each contact with the block gI, g the mean
// mobility tr(W)/rows, estimated: the largest
//   g|p_i − S_i| / (|q_i| + |u_i − q_i| + g|p_i|),  S_i: the contact's solution at velocity u_i − g p_i        (C.17)
#pragma once

#include "slipset/contact/delassus.hpp"
#include "slipset/contact/sparse.hpp"

namespace slipset {

class MassDelassus final : public DelassusOperator {
 public:
  // M: positive definite, both triangles; with an implicit step, all of its matrix. Symmetric, up to 1e-4 of its size:
  // what files with few digits have is taken as it stands. H: one column per row of
  // a contact, three per contact or as the layout says. Throws InvalidInput where sizes do not fit or M is not
  // positive definite.
  MassDelassus(const SparseMatrix& mass, const SparseMatrix& directions);
  MassDelassus(const SparseMatrix& mass, const SparseMatrix& directions, const RowLayout& layout);

  const SparseMatrix& mass() const;
  double asymmetry() const;  // |M − Mᵀ| / |M|
  const SparseMatrix& directions() const;
  // Hᵀv: velocities of the contacts at velocities v of the system.
  Eigen::VectorXd contact_velocity(const Eigen::VectorXd& v) const;
  // M⁻¹x: velocities that impulses x on the masses give.
  Eigen::VectorXd velocity_by(const Eigen::VectorXd& x) const;
  // M⁻¹H p: what impulses add to the velocities of the system.
  Eigen::VectorXd effect(const Eigen::VectorXd& p) const;
  // tr(T'W T)/rows for block diagonal T = `coordinates` (as shifts are laid out), from random vectors of signs.
  double mean_mobility(const Eigen::VectorXd& coordinates) const;

  const RowLayout& layout() const override { return layout_; }
  void multiply_add(const Eigen::VectorXd& p, const Eigen::VectorXd& q, Eigen::VectorXd& result) const override;
  ContactMat diagonal(std::size_t i) const override;
  // Throws InvalidInput for more than 9000 rows.
  void assemble(BlockDelassus& to) const override;
  std::unique_ptr<ShiftedSolver> shifted_solver() const override;

 private:
  struct Matrices;  // M, H, and the factors of M
  RowLayout layout_;
  std::shared_ptr<const Matrices> matrices_;
};

}  // namespace slipset
