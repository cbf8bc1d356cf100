// Eigenpairs of a structure in HDF5: written, and read back with the same bits.                     docs/output.md
//   growth_rate [1/s], frequency [rad/s], frequency_hz, backward_error, condition, rounding [1/s]: a number per mode
//   right/real, right/imag, left/real, left/imag: a row per mode, a column per unknown; NaN: it has no left vector
//   attributes: complete, method, reason, counts
// Of the report, times, shifts and gaps are left out: the same modes give the same bytes, and `reason` names the gaps.
#pragma once

#include "slipset/io/hdf5_file.hpp"
#include "slipset/stability/spectrum.hpp"

namespace slipset {

// Into a group of a file, as "point12" for one of many; "/" is the file itself. Throws InvalidInput where the vectors of
// two pairs have different lengths.
void add_modes(Hdf5Writer& file, const Spectrum& spectrum, const std::string& group = "/");
// Throws InvalidInput, with the file's name, where there are no modes, or not all of them.
Spectrum read_modes(const Hdf5Reader& file, const std::string& group = "/");

// A file of its own.
std::string modes_hdf5(const Spectrum& spectrum);
Spectrum read_modes_hdf5(const std::filesystem::path& path);

}  // namespace slipset
