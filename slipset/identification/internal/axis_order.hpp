// One description of each law: the first axis of a superellipse is the one next to e1.
#pragma once

#include "slipset/identification/flow_model.hpp"

namespace slipset::internal {

// Turns angles by quarters to at most 45 degrees, and exchanges the axes with them: the same law, and semi-axes keep
// their meaning from file to file.
void order_axes(const FlowModel& model, Eigen::VectorXd& free);

}  // namespace slipset::internal
