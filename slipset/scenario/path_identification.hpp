// `slipset identify PATH.csv ... --model path`: sliding paths → comparison with laws, or a fitted law. docs/identify.md
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "slipset/identification/sliding_paths.hpp"
#include "slipset/io/figure.hpp"

namespace slipset {

// Columns time (t), x, y in metres, or with units.
SlidingPath read_sliding_path(const std::filesystem::path& file, const std::vector<std::string>& columns,
                              const std::vector<std::string>& units);

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

nlohmann::ordered_json paths_json(const PathIdentification& result);
std::string paths_text(const PathIdentification& result);
Figure paths_figure(const PathIdentification& result, const std::string& title);
// time, x, y as measured, smoothed x, y and velocities.
std::string path_csv(const SlidingPath& path, const SmoothedPath& smoothed);

}  // namespace slipset
