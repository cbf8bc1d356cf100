#include "slipset/sets/disk.hpp"

namespace slipset {

Disk::Disk(double radius) : Oriented(0), radius_(radius) { require_positive(radius, "disk: radius"); }

}  // namespace slipset
