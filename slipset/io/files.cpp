#include "slipset/io/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
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

void make_folder(const fs::path& folder, const fs::path& of) {
  std::error_code error;
  if (!folder.empty()) fs::create_directories(folder, error);
  if (error) cannot_write(of, error.message());
}

constexpr std::string_view kStagedFront = ".results-", kStagedBack = ".part";

// The process that a staged folder belongs to, or 0.
pid_t owner_of(const std::string& name) {
  if (!name.starts_with(kStagedFront) || !name.ends_with(kStagedBack)) return 0;
  pid_t owner = 0;
  std::from_chars(name.data() + kStagedFront.size(), name.data() + name.size(), owner);
  return owner;
}

void remove_abandoned(const fs::path& folder) {
  std::error_code ignored;
  std::vector<fs::path> abandoned;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const pid_t owner = owner_of(entry.path().filename().string());
    if (owner > 0 && (owner == ::getpid() || (::kill(owner, 0) != 0 && errno == ESRCH)))
      abandoned.push_back(entry.path());
  }
  for (const fs::path& path : abandoned) fs::remove_all(path, ignored);
}

}  // namespace

std::string read_file(const fs::path& path, std::size_t limit) {
  return internal::read_all(internal::open_input(path), limit);
}

void write_file(const fs::path& path, std::string_view content) {
  make_folder(path.parent_path(), path);
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

StagedFolder::StagedFolder(const fs::path& folder)
    : folder_(folder), staged_(folder / fmt::format("{}{}{}", kStagedFront, ::getpid(), kStagedBack)) {
  make_folder(folder_, folder_);
  remove_abandoned(folder_);
  std::error_code error;
  fs::create_directory(staged_, error);
  if (error) cannot_write(folder_, error.message());
}

StagedFolder::~StagedFolder() {
  std::error_code ignored;
  fs::remove_all(staged_, ignored);
}

std::vector<fs::path> StagedFolder::publish() {
  std::vector<fs::path> names;
  try {
    for (const auto& entry : fs::directory_iterator(staged_)) names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    for (const fs::path& name : names) internal::sync_path(staged_ / name);
    for (const fs::path& name : names)
      if (fs::is_directory(folder_ / name))
        throw std::system_error(EISDIR, std::generic_category(), (folder_ / name).string());
    for (fs::path& name : names) {
      fs::rename(staged_ / name, folder_ / name);
      name = folder_ / name;
    }
    internal::sync_path(folder_);
  } catch (const std::system_error& error) {
    cannot_write(folder_, error.code().message());
  }
  return names;
}

}  // namespace slipset
