#include "slipset/report/shape_text.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "slipset/core/angle.hpp"

namespace slipset {
namespace {

using Json = nlohmann::ordered_json;

std::string value_text(const Json& value) {
  if (value.is_string()) return fmt::format("\"{}\"", value.get<std::string>());
  if (value.is_array()) {
    std::string list;
    for (const Json& one : value) list += (list.empty() ? "" : ", ") + value_text(one);
    return "[" + list + "]";
  }
  return fmt::format("{}", value.get<double>());
}

}  // namespace

Json shape_json(const PlanarSet& set) {
  Json json;
  const auto with_angle = [&](Json own) {
    if (set.angle() != 0) own["angle"] = degrees(set.angle());
    return own;
  };
  if (const auto* disk = set.as<Disk>()) return {{"shape", "disk"}, {"radius", disk->radius(0)}};
  if (const auto* e = set.as<Ellipse>())
    return with_angle({{"shape", "ellipse"}, {"semi_axes", {e->semi_axes().x(), e->semi_axes().y()}}});
  if (const auto* e = set.as<Superellipse>())
    return with_angle({{"shape", "superellipse"},
                       {"semi_axes", {e->semi_axes().x(), e->semi_axes().y()}},
                       {"exponent", e->exponent()}});
  json["shape"] = "polar";
  json["angles"] = Json::array();
  json["radii"] = Json::array();
  if (const auto* curve = set.as<PolarCurve>()) {
    const std::vector<double> numbers = curve->parameters();
    for (std::size_t i = 0; i + 1 < numbers.size(); i += 2) {
      json["angles"].push_back(numbers[i]);
      json["radii"].push_back(numbers[i + 1]);
    }
    return with_angle(json);
  }
  constexpr int kPoints = 144;
  for (int i = 0; i < kPoints; ++i) {
    json["angles"].push_back(360.0 * i / kPoints);
    json["radii"].push_back(set.radius(2 * kPi * i / kPoints));
  }
  return json;
}

std::string shape_toml(const PlanarSet& set) {
  std::string text;
  const Json json = shape_json(set);
  for (const auto& [key, value] : json.items()) text += (text.empty() ? "" : ", ") + key + " = " + value_text(value);
  return "{ " + text + " }";
}

std::string undetermined_comment(const std::vector<std::string>& names) {
  if (names.empty()) return "";
  return fmt::format("# not determined by these data: {}\n# the values below are one choice of many that fit as well\n",
                     fmt::join(names, ", "));
}

}  // namespace slipset
