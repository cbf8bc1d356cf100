// Where to act: how the eigenvalues of a sliding structure change with its parameters.   docs/theory/structures.md
//   dλ/dp = -yᴴ( λ D' + K' )x / yᴴ( 2λ M + D )x,   ' = ∂/∂p                                               (F.16)
// Of a multiple eigenvalue, with X and Y in place of x and y: the eigenvalues of that matrix.
// D' and K' are known by few numbers: those of α, β and the terms' factors, times large matrices that do not change, and
// those of the contacts' small blocks. They are central differences extrapolated to step 0, so that any parameter that
// makes a structure will do; no large matrix is built again.
#pragma once

#include <functional>

#include "slipset/stability/structure_sliding.hpp"

namespace slipset {

// Something that can be changed, as a key of a file.
struct StructureParameter {
  std::string name;
  std::string unit;
  double value = 0;
  bool is_angle = false;                  // in degrees: a change of one, where others change by 1 %
  std::function<Structure(double)> at{};  // the structure with another value; may throw InvalidInput
};

struct Sensitivity {
  std::string parameter;
  double value;
  std::complex<double> derivative;  // dλ/dp
  double change;                    // 1 % of the value, or one degree
  double effect;                    // of it on the growth rate, to first order [1/s]
};

// Refers to `sliding`, which must outlive it.
class StructureSensitivities {
 public:
  // The differences of all parameters, once for all modes. Parameters that have no value near their own, on either side,
  // are left out and named in `skipped`.
  StructureSensitivities(const StructureSliding& sliding, std::vector<StructureParameter> parameters);

  const std::vector<std::string>& skipped() const { return skipped_; }
  // Of each mode the largest effect first; none of a defective eigenvalue, which moves like a root. All modes of an
  // eigenvalue must be among them. Those that share one: the derivatives of each parameter, the largest growth for the
  // first mode.
  std::vector<std::vector<Sensitivity>> of(const std::vector<Eigenpair>& modes) const;

 private:
  // What a parameter changes.
  struct Parts {
    double rayleigh_mass = 0, rayleigh_stiffness = 0;
    std::vector<double> terms;
    std::vector<ContactBlock::Block> damping, stiffness;  // of each contact
  };
  static Parts parts_of(const Structure& structure);
  static Parts difference(const StructureParameter& parameter, const Structure& base);
  // yᴴ(2λM + D)x, then of each parameter yᴴ(λD' + K')x.
  Eigen::VectorXcd forms(const Eigenpair& of_left, const Eigenpair& of_right, std::complex<double> value) const;

  const StructureSliding& sliding_;
  std::vector<StructureParameter> parameters_;
  std::vector<Parts> slopes_;
  std::vector<std::string> skipped_;
};

}  // namespace slipset
