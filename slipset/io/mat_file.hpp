// Arrays of real numbers in MATLAB files, by matio (versions 4, 5 and, with HDF5, 7.3).
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace slipset {

// Every real array with more than one number, column by column, under its name; single numbers have one element.
// Throws InvalidInput, with what to do, for a file that is none or is cut off.
std::map<std::string, std::vector<double>> read_mat_file(const std::filesystem::path& path);

}  // namespace slipset
