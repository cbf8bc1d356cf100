// The table of a run as an HDF5 file.                                 docs/output.md
#pragma once

#include <string>

#include "slipset/motion/time_stepping.hpp"

namespace slipset {

struct Hdf5Notes {
  std::string title;
  std::string program;   // and version
  std::string scenario;  // text of the file
};

// One dataset per column, "contact1.mode" as contact1/mode, with its unit (column_unit()); single numbers and words of
// run_json(), but for computing times, as attributes of the file.
std::string hdf5_bytes(const Run& run, const Hdf5Notes& notes);

}  // namespace slipset
