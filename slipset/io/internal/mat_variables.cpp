#include "slipset/io/internal/mat_variables.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>

#include "slipset/core/error.hpp"
#include "slipset/io/internal/descriptor.hpp"

namespace slipset::internal {
namespace {

// Reads numbers of either byte order at given places. matio itself takes a file that is cut off for a whole one, with
// whatever is in memory as the missing numbers.
class WholeCheck {
 public:
  explicit WholeCheck(const std::filesystem::path& path) : input_(open_input(path)) {}

  void version_5() {
    swap_ = bytes(126, 2) == "MI";
    for (std::uint64_t at = 128; at < size(); at += 8 + number(at + 4)) require(at, 8 + number(at + 4));
  }
  // type, rows, columns, imaginary, length of the name; name; numbers.
  void version_4() {
    swap_ = false;
    swap_ = number(0) > 4052;
    constexpr std::array<std::uint64_t, 6> width = {8, 4, 4, 2, 2, 1};
    for (std::uint64_t at = 0, length = 0; at < size(); at += length) {
      const std::uint64_t kind = number(at) / 10 % 10, count = std::uint64_t{number(at + 4)} * number(at + 8);
      if (kind >= width.size() || number(at + 12) > 1) damaged(at, "begins with a header that is none");
      if (count > size()) require(at, count);
      length = 20 + number(at + 16) + count * width[kind] * (1 + number(at + 12));
      require(at, length);
    }
  }

 private:
  std::uint64_t size() const { return *input_.size; }
  [[noreturn]] void damaged(std::uint64_t at, const std::string& what) const {
    throw InvalidInput(fmt::format("{}: the variable at byte {} {}; the file may have been cut off",
                                   input_.path.string(), at + 1, what));
  }
  void require(std::uint64_t at, std::uint64_t length) const {
    if (length > size() - at) damaged(at, fmt::format("has {} bytes, but {} are left", length, size() - at));
  }
  std::string bytes(std::uint64_t at, std::size_t count) const {
    std::string text(count, '\0');
    if (::pread(input_.file.number(), text.data(), count, static_cast<off_t>(at)) != static_cast<ssize_t>(count))
      damaged(at, "ends within its header");
    return text;
  }
  std::uint32_t number(std::uint64_t at) const {
    std::string text = bytes(at, 4);
    if (swap_ != (std::endian::native == std::endian::big)) std::reverse(text.begin(), text.end());
    std::uint32_t value = 0;
    std::memcpy(&value, text.data(), sizeof value);
    return value;
  }

  Input input_;
  bool swap_ = false;
};

}  // namespace

void require_mat_file(const std::filesystem::path& path) {
  const std::optional<std::size_t> size = open_input(path).size;
  if (!size)
    throw InvalidInput(fmt::format("{}: MATLAB files cannot be read from a pipe; name the file", path.string()));
  if (*size < 128) throw InvalidInput(fmt::format("{}: too short for a MATLAB file", path.string()));
}

MatFile open_mat_file(const std::filesystem::path& path) {
  Mat_LogInitFunc("slipset", [](int, char*) {});  // matio would print
  MatFile file(Mat_Open(path.c_str(), MAT_ACC_RDONLY), Mat_Close);
  if (!file) throw InvalidInput(fmt::format("{}: not a MATLAB file; save it with save -v7, or as CSV", path.string()));
  // Version 7.3 is HDF5, which sees it.
  if (Mat_GetVersion(file.get()) == MAT_FT_MAT5) WholeCheck(path).version_5();
  if (Mat_GetVersion(file.get()) == MAT_FT_MAT4) WholeCheck(path).version_4();
  return file;
}

MatVariable owned(matvar_t* variable) { return {variable, Mat_VarFree}; }

}  // namespace slipset::internal
