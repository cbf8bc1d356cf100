#include "slipset/sets/disk.hpp"

#include <fmt/format.h>

#include "slipset/sets/internal/shape_numbers.hpp"

namespace slipset {

Disk::Disk(double radius) : Oriented(0), radius_(radius) { require_positive(radius, "disk: radius"); }

std::string Disk::own_description() const { return fmt::format("disk with radius {:.6g}", radius_); }

std::vector<double> Disk::parameters() const { return {radius_}; }

Disk Disk::from_parameters(std::span<const double> x) {
  internal::expect_numbers(kName, x, 1);
  return Disk(x[0]);
}

}  // namespace slipset
