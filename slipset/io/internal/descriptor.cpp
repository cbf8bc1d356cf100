#include "slipset/io/internal/descriptor.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace slipset::internal {
namespace {

[[noreturn]] void fail() { throw std::system_error(errno, std::generic_category()); }

}  // namespace

Descriptor::Descriptor(const std::filesystem::path& path, int flags)
    : number_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {
  if (number_ < 0) fail();
}

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

Descriptor::Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

void Descriptor::write_all(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t done = ::write(number_, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) fail();
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
}

void Descriptor::sync() {
  // Some file systems have no fsync for folders and pipes; that is no error of the content.
  if (::fsync(number_) != 0 && errno != EINVAL && errno != EROFS) fail();
}

void Descriptor::truncate(std::size_t size) {
  if (::ftruncate(number_, static_cast<off_t>(size)) != 0 || ::lseek(number_, 0, SEEK_END) < 0) fail();
}

bool Descriptor::lock() {
  if (::flock(number_, LOCK_EX | LOCK_NB) == 0) return true;
  return errno != EWOULDBLOCK;  // a file system without locks
}

void Descriptor::close() {
  if (number_ >= 0 && ::close(std::exchange(number_, -1)) != 0 && errno != EINTR) fail();
}

void sync_path(const std::filesystem::path& path) { Descriptor(path, O_RDONLY).sync(); }

}  // namespace slipset::internal
