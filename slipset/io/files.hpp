// Files, whole: written beside and renamed, so that no reader ever sees half of one.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace slipset {

// More than any scenario or table needs; a pipe need not end.
constexpr std::size_t kLargestInput = std::size_t{2} << 30;  // [bytes]
// A regular file or a pipe, opened and read once, as a whole. Throws InvalidInput, saying why, if it cannot be read, is
// a folder or a device such as /dev/zero, or has more than `limit` bytes.
std::string read_file(const std::filesystem::path& path, std::size_t limit = kLargestInput);
// Throws InvalidInput, saying why, if the file cannot be written, as where its folder does not exist; an older file of
// that name then stays as it was.
void write_file(const std::filesystem::path& path, std::string_view content);

}  // namespace slipset
