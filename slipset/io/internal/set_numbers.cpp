#include "slipset/io/internal/set_numbers.hpp"

#include <fmt/format.h>

#include "slipset/core/error.hpp"

namespace slipset::internal {
namespace {

template <class... Shapes>
PlanarSet shape_of_name(std::string_view name, std::span<const double> numbers,
                        std::type_identity<std::variant<Shapes...>>) {
  std::optional<PlanarSet> set;
  const bool known = ((name == Shapes::kName && (set.emplace(Shapes::from_parameters(numbers)), true)) || ...);
  if (!known) throw InvalidInput(fmt::format("unknown shape \"{}\"", name));
  return *std::move(set);
}

}  // namespace

std::vector<double> set_numbers(const PlanarSet& set) {
  return set.visit([](const auto& shape) { return shape.parameters(); });
}

PlanarSet set_from_numbers(std::string_view shape, const std::vector<double>& numbers) {
  return shape_of_name(shape, numbers, std::type_identity<PlanarSet::Shape>{});
}

}  // namespace slipset::internal
