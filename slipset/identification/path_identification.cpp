#include "slipset/identification/path_identification.hpp"

#include <fmt/format.h>

#include "slipset/core/error.hpp"

namespace slipset {

PathIdentification identify_paths(std::vector<std::string> names, std::vector<SlidingPath> paths,
                                  std::vector<NamedLaw> laws, const std::optional<PathFitOptions>& options,
                                  const SlideOptions& slide) {
  if (names.size() != paths.size())
    throw InvalidInput(
        fmt::format("sliding paths: {} names for {} paths; expected one for each", names.size(), paths.size()));
  PathIdentification r{std::move(names), std::move(paths), {}, std::move(laws), {}, std::nullopt, slide};
  std::vector<FrictionLaw> all;
  for (const NamedLaw& law : r.laws) all.push_back(law.law);
  if (options) {
    r.fit = fit_paths(r.paths, *options);
    if (r.fit->law) {
      r.laws.push_back({"fitted", *r.fit->law});
      all.push_back(*r.fit->law);
    }
  }
  for (const SlidingPath& path : r.paths) {
    r.smoothed.push_back(smooth_path(path));
    r.comparisons.push_back(compare_path(path, all, slide));
  }
  return r;
}

}  // namespace slipset
