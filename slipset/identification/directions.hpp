// Both directions of rotation in one record.                          docs/identify.md
//   Where the disk turns back, the slip points to φ + 180°, and both readings change their signs. Read backwards in time,
//   with the forces negated and the angle turned by 180°, such a part is a record of the first direction.
//   A zero offset o of a sensor does not change its sign: at equal slip angles the two directions differ by 2o, so that
//   it can be found, and is taken off.
#pragma once

#include "slipset/identification/pin_record.hpp"

namespace slipset {

struct Directions {
  std::size_t reversals = 0;
  std::size_t left_out = 0;  // samples near turning points, where the pin sticks and the frame is wound up
  double offset_tangential = 0, offset_radial = 0;  // taken off [N]
};

// The angle must be unwrapped. A record of one direction is left as it is. Throws InvalidInput where the angle goes to and
// fro by less than 45 degrees, and where the tangential force does not change its sign with the direction.
Directions join_directions(PinRecord& record);

}  // namespace slipset
