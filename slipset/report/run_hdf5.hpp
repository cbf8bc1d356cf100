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

// One dataset a column, "contact1.mode" as contact1/mode, with its unit; what run.json has as single numbers and words,
// but for the time of computing, as attributes of the file.
std::string hdf5_bytes(const Run& run, const Hdf5Notes& notes);

// Of a column of a run's table: "m/s"; "1" for modes; empty where it depends on the system.
std::string column_unit(const std::string& column);

}  // namespace slipset
