// The modes of a structure as an HDF5 file: modes.h5.                                        docs/output.md
#pragma once

#include "slipset/report/structure_report.hpp"

namespace slipset {

// What read_modes of slipset/scenario/mode_file.hpp reads, and beside it what modes.csv and participation.csv have.
std::string structure_hdf5(const StructureSetup& setup, const StructureAnswer& answer);

}  // namespace slipset
