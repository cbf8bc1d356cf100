#include "slipset/report/mode_shape.hpp"

#include <complex>

namespace slipset {
namespace {

// The first of those that are the largest to rounding: the same node on any machine.
Eigen::Index first_largest(const Eigen::VectorXd& sizes) {
  const double most = sizes.maxCoeff();
  Eigen::Index i = 0;
  while (sizes[i] < (1 - 1e-9) * most) ++i;
  return i;
}

// Of length one: u times it has its largest displacement as its real part, with a positive largest component. On a circle
// every displacement is the largest, and the one along that component is taken.
std::complex<double> phase_of(const Eigen::Vector3cd& u) {
  const std::complex<double> square = u.cwiseProduct(u).sum();
  if (std::abs(square) < 1e-6 * u.squaredNorm()) {
    const std::complex<double> first = u[first_largest(u.cwiseAbs())];
    return std::conj(first) / std::abs(first);
  }
  const std::complex<double> turn = std::conj(std::sqrt(square / std::abs(square)));
  const Eigen::Vector3d turned = (u * turn).real();
  return turned[first_largest(turned.cwiseAbs())] < 0 ? -turn : turn;
}

}  // namespace

ModeShape mode_shape(const StructureMesh& mesh, const Eigen::VectorXcd& mode) {
  Eigen::Matrix3Xcd u = mesh.displacements(mode);
  ModeShape shape;
  shape.amplitude.resize(u.cols());
  for (Eigen::Index i = 0; i < u.cols(); ++i)
    shape.amplitude[i] = std::sqrt((u.col(i).squaredNorm() + std::abs(u.col(i).cwiseProduct(u.col(i)).sum())) / 2);
  const double largest = u.cols() == 0 ? 0 : shape.amplitude.maxCoeff();
  if (largest > 0) {
    u *= phase_of(u.col(first_largest(shape.amplitude))) / largest;
    shape.amplitude /= largest;
  }
  shape.real = u.real();
  shape.imaginary = u.imag();
  return shape;
}

std::string mode_shape_vtk(const StructureMesh& mesh, const ModeShape& shape) {
  const auto copy = [](const auto& matrix) {
    return std::vector<double>(matrix.data(), matrix.data() + matrix.size());
  };
  const std::vector<VtkPointData> data = {
      {"real", 3, copy(shape.real)}, {"imaginary", 3, copy(shape.imaginary)}, {"amplitude", 1, copy(shape.amplitude)}};
  return vtk_text(mesh.grid, data);
}

}  // namespace slipset
