#include "slipset/io/file_series.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <vector>

#include "slipset/core/error.hpp"
#include "slipset/io/internal/descriptor.hpp"

namespace slipset {
namespace {

namespace fs = std::filesystem;

bool belongs(const std::string& name, const std::string& front, const std::string& back) {
  return name.size() > front.size() + back.size() && name.starts_with(front) && name.ends_with(back) &&
         std::all_of(name.begin() + static_cast<long>(front.size()), name.end() - static_cast<long>(back.size()),
                     [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

FileSeries::FileSeries(const fs::path& folder, std::string front, std::string back, bool continues)
    : folder_(folder), front_(std::move(front)), back_(std::move(back)) {
  try {
    fs::create_directories(folder_);
    std::vector<fs::path> earlier;
    for (const auto& entry : fs::directory_iterator(folder_))
      if (belongs(entry.path().filename().string(), front_, back_)) earlier.push_back(entry.path());
    const fs::path mark = folder_ / fmt::format(".{}series", front_);
    if (!earlier.empty() && !fs::exists(mark))
      throw InvalidInput(
          fmt::format("{} was not written by slipset and is not replaced; choose another folder, or remove it",
                      earlier.front().string()));
    lock_ = std::make_unique<internal::Descriptor>(mark, O_RDWR | O_CREAT);
    if (!lock_->lock())
      throw InvalidInput(
          fmt::format("{}: another run is writing its files there; choose another folder", folder_.string()));
    if (!continues)
      for (const fs::path& path : earlier) fs::remove(path);
  } catch (const std::system_error& error) {
    throw InvalidInput(
        fmt::format("{}: cannot be written: {}; choose another folder", folder_.string(), error.code().message()));
  }
}

FileSeries::~FileSeries() = default;

fs::path FileSeries::path(long number) const { return folder_ / fmt::format("{}{:06}{}", front_, number, back_); }

}  // namespace slipset
