// Sliding paths → comparison with laws, and a law fitted to them.      docs/identify.md
#pragma once

#include "slipset/identification/sliding_paths.hpp"

namespace slipset {

struct NamedLaw {
  std::string name;
  FrictionLaw law;
};

struct PathIdentification {
  std::vector<std::string> names;  // of the paths
  std::vector<SlidingPath> paths;
  std::vector<SmoothedPath> smoothed;
  std::vector<NamedLaw> laws;
  std::vector<PathComparison> comparisons;  // of each path
  std::optional<PathFit> fit;
  SlideOptions slide;
};
// Compares every path with every law, and fits a law if `options` are given.
PathIdentification identify_paths(std::vector<std::string> names, std::vector<SlidingPath> paths,
                                  std::vector<NamedLaw> laws, const std::optional<PathFitOptions>& options,
                                  const SlideOptions& slide);

}  // namespace slipset
