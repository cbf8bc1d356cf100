// A file of the operating system: where fsync, truncation and locks are needed. For io's own use.
#pragma once

#include <filesystem>
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
  void write_all(std::string_view bytes);
  void sync();
  void truncate(std::size_t size);  // and go to the end
  bool lock();                      // for this process alone; false if another has it
  void close();

 private:
  int number_ = -1;
};

// Whole files on the disk, not only in its cache.
void sync_path(const std::filesystem::path& path);

}  // namespace slipset::internal
