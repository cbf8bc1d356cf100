// Which of the new items belongs to which of the old ones: the one-to-one assignment of least total cost.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace slipset::internal {

// For a square matrix cost(old, new): result[old] = new. Costs that are not finite are taken as very large.
std::vector<Eigen::Index> least_cost_assignment(const Eigen::MatrixXd& cost);

}  // namespace slipset::internal
