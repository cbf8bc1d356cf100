#include "slipset/io/internal/descriptor.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "slipset/core/error.hpp"

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

bool Descriptor::try_lock() { return ::flock(number_, LOCK_EX | LOCK_NB) == 0; }

bool Descriptor::lock() { return try_lock() || errno != EWOULDBLOCK; }

void Descriptor::wait_for_lock() {
  while (::flock(number_, LOCK_EX) != 0 && errno == EINTR) {
  }
}

void Descriptor::close() {
  if (number_ >= 0 && ::close(std::exchange(number_, -1)) != 0 && errno != EINTR) fail();
}

Input open_input(const std::filesystem::path& path) {
  const auto refuse = [&](std::string_view why) { throw InvalidInput(fmt::format("{}: {}", path.string(), why)); };
  Input input{path, {}, {}};
  try {
    input.file = Descriptor(path, O_RDONLY);
  } catch (const std::system_error& error) {
    refuse(fmt::format("cannot be read: {}", error.code().message()));
  }
  struct stat about {};
  if (::fstat(input.file.number(), &about) != 0) refuse(fmt::format("cannot be read: {}", std::strerror(errno)));
  if (S_ISDIR(about.st_mode)) refuse("this is a folder; name a file");
  if (S_ISREG(about.st_mode)) {
    input.size = static_cast<std::size_t>(about.st_size);
  } else if (!S_ISFIFO(about.st_mode) && !S_ISSOCK(about.st_mode) && ::isatty(input.file.number()) == 0) {
    refuse("this is a device; name a file or a pipe");
  }
  return input;
}

std::string read_all(const Input& input, std::size_t limit) {
  const auto too_large = [&](const std::string& found) {
    throw InvalidInput(fmt::format("{}: {}; at most {} bytes are read as a whole; is this the right file?",
                                   input.path.string(), found, limit));
  };
  // Files of /proc claim a size of 0: what comes decides.
  if (input.size && *input.size > limit) too_large(fmt::format("the file has {} bytes", *input.size));
  std::string content;
  if (input.size) content.reserve(*input.size + 1);
  std::size_t filled = 0;
  while (true) {
    if (content.size() == filled)
      content.resize(std::max({content.capacity(), filled + filled / 2, std::size_t{65536}}));
    const ssize_t got = ::read(input.file.number(), content.data() + filled, content.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw InvalidInput(fmt::format("{}: cannot be read: {}", input.path.string(), std::strerror(errno)));
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
    if (filled > limit) too_large("it does not end there");
  }
  content.resize(filled);
  return content;
}

void sync_path(const std::filesystem::path& path) { Descriptor(path, O_RDONLY).sync(); }

}  // namespace slipset::internal
