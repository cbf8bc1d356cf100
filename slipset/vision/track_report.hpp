// `slipset track`: the path of a mark to text, JSON, CSV and pictures.                                docs/identify.md
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "slipset/io/figure.hpp"
#include "slipset/vision/track.hpp"

namespace slipset {

// time, x, y and more, as `slipset identify --model path` reads it; frames without a position are comments that say
// why. Without a scale there are no columns x and y.
std::string track_csv(const Track& track);
nlohmann::ordered_json track_json(const Track& track);
std::string track_text(const Track& track);
// The path, equal units on both axes, broken where frames are missing.
Figure track_figure(const Track& track);
// PNG files as bytes: the first and the last frame with the mark drawn over, the last one with the path.
struct NamedPicture {
  std::string name, bytes;
};
std::vector<NamedPicture> track_pictures(const Track& track);

}  // namespace slipset
