#include "slipset/io/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "slipset/core/error.hpp"
#include "slipset/io/internal/descriptor.hpp"

namespace slipset {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void cannot_write(const fs::path& path, const std::string& why) {
  throw InvalidInput(fmt::format("{}: cannot be written: {}; choose another folder", path.string(), why),
                     "output folder");
}

}  // namespace

std::string read_file(const fs::path& path, std::size_t limit) {
  return internal::read_all(internal::open_input(path), limit);
}

void write_file(const fs::path& path, std::string_view content) {
  const fs::path beside = path.string() + fmt::format(".{}.part", ::getpid());
  try {
    internal::Descriptor out(beside, O_WRONLY | O_CREAT | O_TRUNC);
    out.write_all(content);
    out.close();
    fs::rename(beside, path);
  } catch (const std::system_error& error) {
    std::error_code ignored;
    fs::remove(beside, ignored);
    cannot_write(path, error.code().message());
  }
}

}  // namespace slipset
