#include "slipset/io/files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "slipset/core/error.hpp"

namespace slipset {

std::string read_file(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    throw InvalidInput(fmt::format("{}: this is a folder; name a file", path.string()));
  std::ifstream in(path, std::ios::binary);
  std::ostringstream content;
  if (in && in.peek() != std::ifstream::traits_type::eof()) content << in.rdbuf();
  if (!in && !in.eof()) throw InvalidInput(fmt::format("{}: cannot be read: {}", path.string(), std::strerror(errno)));
  return content.str();
}

void write_file(const std::filesystem::path& path, std::string_view content) {
  const auto fail = [&](const std::string& why) {
    throw InvalidInput(fmt::format("{}: cannot be written: {}; choose another folder with --out", path.string(), why));
  };
  std::error_code error;
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), error);
  if (error) fail(error.message());
  const std::filesystem::path beside = path.string() + fmt::format(".{}.part", ::getpid());
  {
    std::ofstream out(beside, std::ios::binary);
    out << content;
    out.close();
    if (!out) {
      const std::string why = std::strerror(errno);
      std::filesystem::remove(beside, error);
      fail(why);
    }
  }
  std::filesystem::rename(beside, path, error);
  if (!error) return;
  std::error_code ignored;
  std::filesystem::remove(beside, ignored);
  fail(error.message());
}

}  // namespace slipset
