// Vectors, matrices and numbers that may be missing, as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "slipset/core/dense.hpp"
#include "slipset/core/vec.hpp"

namespace slipset {

nlohmann::ordered_json json_of(const Vec2& v);
nlohmann::ordered_json json_of(const Vec3& v);
nlohmann::ordered_json json_of(const VectorX& v);
nlohmann::ordered_json json_of(const Mat2& m);     // by rows
nlohmann::ordered_json json_of(const MatrixX& m);  // by rows
// null if it is missing, or no finite number.
nlohmann::ordered_json json_or_null(const std::optional<double>& value);

}  // namespace slipset
