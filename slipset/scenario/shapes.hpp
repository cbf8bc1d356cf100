// The shapes of scenario files: { shape = "ellipse", semi_axes = [0.6, 0.3], angle = 30 }.
#pragma once

#include <span>

#include "slipset/scenario/toml_table.hpp"
#include "slipset/sets/planar_set.hpp"

namespace slipset {

struct ShapeKind : Entry {
  PlanarSet (*read)(const TomlTable&);
};

// Every shape that a scenario file can name. A new one: an entry in shapes.cpp, and its class in PlanarSet::Shape.
std::span<const ShapeKind> shape_kinds();

// The shape of a reservoir. Throws InvalidInput with file, line, column, key and remedy.
PlanarSet read_shape(const TomlTable& table);
// The shape of a direction set: convex, and `wedge` means its ellipse.             [WL19 52]
PlanarSet read_direction_shape(const TomlTable& table);

}  // namespace slipset
