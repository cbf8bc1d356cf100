// The scenario of a command, with what --set changes in it.
#pragma once

#include <string_view>
#include <vector>

#include "app/options.hpp"
#include "slipset/scenario/scenario.hpp"

namespace slipset::app {

// `tables`: those that the command reads; --set of another one would change nothing and is refused.
Scenario scenario_of(const CommonOptions& options, const std::string& file,
                     const std::vector<std::string_view>& tables);

// Every table that slipset run reads.
std::vector<std::string_view> tables_of_runs();

}  // namespace slipset::app
