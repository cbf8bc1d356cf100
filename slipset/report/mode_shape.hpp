// The shape of a mode on the nodes of a mesh, for ParaView.                                        docs/output.md
//   displacement of a node: u(t) = e^(σt) (r cos ωt - s sin ωt), r and s the real and imaginary part of its û
//   amplitude: the longest r cos φ - s sin φ, half of the ellipse's long axis: √((|û|² + |ûᵀû|) / 2)
#pragma once

#include "slipset/scenario/structure_mesh.hpp"

namespace slipset {

// Scaled so that the largest amplitude is one, at a node that is at its largest displacement at t = 0. All zero for a
// mode that moves no node.
struct ModeShape {
  Eigen::Matrix3Xd real, imaginary;  // r, s: a column for each node
  Eigen::VectorXd amplitude;         // of each node, up to 1
};
ModeShape mode_shape(const StructureMesh& mesh, const Eigen::VectorXcd& mode);
// The grid with real, imaginary and amplitude at its points.
std::string mode_shape_vtk(const StructureMesh& mesh, const ModeShape& shape);

}  // namespace slipset
