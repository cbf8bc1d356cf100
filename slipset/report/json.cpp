#include "slipset/report/json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace slipset {

using Json = nlohmann::ordered_json;

Json json_of(const Vec2& v) { return Json::array({v.x(), v.y()}); }
Json json_of(const Vec3& v) { return Json::array({v.x(), v.y(), v.z()}); }
Json json_of(const VectorX& v) { return std::vector<double>(v.begin(), v.end()); }
Json json_of(const Mat2& m) { return json_of(MatrixX(m)); }
Json json_of(const MatrixX& m) {
  Json rows = Json::array();
  for (Eigen::Index i = 0; i < m.rows(); ++i) rows.push_back(json_of(VectorX(m.row(i))));
  return rows;
}
Json json_or_null(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

}  // namespace slipset
