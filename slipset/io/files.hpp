// Files, whole: written beside and renamed, so that no reader ever sees half of one.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace slipset {

// More than any scenario or table needs; a pipe need not end.
constexpr std::size_t kLargestInput = std::size_t{2} << 30;  // [bytes]
// A regular file or a pipe, opened and read once, as a whole. Throws InvalidInput, saying why, if it cannot be read, is
// a folder or a device such as /dev/zero, or has more than `limit` bytes.
std::string read_file(const std::filesystem::path& path, std::size_t limit = kLargestInput);
// Creates the folder of `path` if needed. Throws InvalidInput, saying why, if the file cannot be written; an
// older file of that name then stays as it was.
void write_file(const std::filesystem::path& path, std::string_view content);

// Files that replace those of a folder together: all or, where one cannot be written, none.
//   StagedFolder staged(folder);  write_file(staged.path() / "a.csv", ...);  ...;  staged.publish();
// They are written to a folder of their own inside it and renamed when all are there.
class StagedFolder {
 public:
  // Throws InvalidInput, saying why, if the folder cannot be made or written. What ended runs left behind is removed.
  explicit StagedFolder(const std::filesystem::path& folder);
  ~StagedFolder();  // removes what was not published
  StagedFolder(const StagedFolder&) = delete;
  StagedFolder& operator=(const StagedFolder&) = delete;

  const std::filesystem::path& path() const { return staged_; }
  // Renames every file into the folder, on the disk (fsync) before; their new paths, sorted.
  std::vector<std::filesystem::path> publish();

 private:
  std::filesystem::path folder_, staged_;
};

}  // namespace slipset
