// Files, whole: written beside and renamed, so that no reader ever sees half of one.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace slipset {

// Throws InvalidInput, saying why, if the file cannot be read or is a folder.
std::string read_file(const std::filesystem::path& path);
// Creates the folder of `path` if needed. Throws InvalidInput, saying why, if the file cannot be written; an
// older file of that name then stays as it was.
void write_file(const std::filesystem::path& path, std::string_view content);

}  // namespace slipset
