// A file of the operating system: where fsync, truncation and locks are needed. For io's own use.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace slipset::internal {

class Descriptor {
 public:
  Descriptor() = default;
  // Flags of open(2); errors throw std::system_error, here and below.
  Descriptor(const std::filesystem::path& path, int flags);
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept;
  Descriptor& operator=(Descriptor&& other) noexcept;

  bool is_open() const { return number_ >= 0; }
  int number() const { return number_; }
  void write_all(std::string_view bytes);
  void sync();
  void truncate(std::size_t size);  // and go to the end
  bool lock();                      // for this process alone; false if another has it; true without locks
  bool try_lock();                  // the same, false where the file system has no locks
  void wait_for_lock();             // goes on without one where the file system has none
  void close();

 private:
  int number_ = -1;
};

// An input, opened once: a regular file, a pipe or a terminal. Throws InvalidInput, saying why, for what cannot be
// opened, for folders, and for devices, which need not end (/dev/zero).
struct Input {
  std::filesystem::path path;
  Descriptor file;
  std::optional<std::size_t> size;  // of a regular file; unknown for a pipe
};
Input open_input(const std::filesystem::path& path);
// All of it. Throws InvalidInput if it cannot be read, or has more than `limit` bytes.
std::string read_all(const Input& input, std::size_t limit);

// Whole files on the disk, not only in its cache.
void sync_path(const std::filesystem::path& path);

}  // namespace slipset::internal
