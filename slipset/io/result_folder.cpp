#include "slipset/io/result_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "slipset/core/error.hpp"
#include "slipset/io/files.hpp"
#include "slipset/io/internal/descriptor.hpp"

namespace slipset {
namespace {

namespace fs = std::filesystem;
using internal::Descriptor;

constexpr const char* kOwners = ".slipset";
constexpr std::string_view kStagedFront = ".results-", kStagedBack = ".part";

[[noreturn]] void cannot_write(const fs::path& folder, const std::string& why) {
  throw InvalidInput(fmt::format("{}: cannot be written: {}; choose another folder", folder.string(), why),
                     "output folder");
}

// Whoever changes the folder waits for others that do.
Descriptor lock_of(const fs::path& folder) {
  Descriptor lock(folder, O_RDONLY | O_DIRECTORY);
  lock.wait_for_lock();
  return lock;
}

// A living process holds a lock on its own.
void remove_abandoned(const fs::path& folder) {
  std::vector<fs::path> abandoned;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(kStagedFront) || !name.ends_with(kStagedBack)) continue;
    try {
      if (Descriptor(entry.path(), O_RDONLY | O_DIRECTORY).try_lock()) abandoned.push_back(entry.path());
    } catch (const std::system_error&) {  // its process has just removed it
    }
  }
  std::error_code ignored;
  for (const fs::path& path : abandoned) fs::remove_all(path, ignored);
}

// A name that stays in the folder, whatever a changed list says.
bool is_plain(const std::string& name) {
  return !name.empty() && name.find('/') == std::string::npos && name[0] != '.';
}

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(path, ignored));
}

}  // namespace

ResultFolder::ResultFolder(const fs::path& folder, std::string set) : folder_(folder), set_(std::move(set)) {
  try {
    for (fs::path part = folder_; !part.empty() && !is_there(part); part = part.parent_path()) made_.push_back(part);
    fs::create_directories(folder_);
    const Descriptor lock = lock_of(folder_);
    remove_abandoned(folder_);
    for (int k = 0; staged_.empty() || !fs::create_directory(staged_); ++k)
      staged_ = folder_ / fmt::format("{}{}-{}{}", kStagedFront, ::getpid(), k, kStagedBack);
    alive_ = std::make_unique<Descriptor>(staged_, O_RDONLY | O_DIRECTORY);
    alive_->try_lock();
  } catch (const std::system_error& error) {
    cannot_write(folder_, error.code().message());
  }
}

ResultFolder::~ResultFolder() {
  std::error_code ignored;
  fs::remove_all(staged_, ignored);
  for (const fs::path& part : made_) fs::remove(part, ignored);  // refused by the system unless it is empty
}

ResultFolder::Owners ResultFolder::read_owners() const {
  Owners owners;
  if (!is_there(folder_ / kOwners)) return owners;
  const std::string text = read_file(folder_ / kOwners);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size()), space = text.find(' ', at);
    if (space < end && text[at] != '#')
      if (std::string name = text.substr(space + 1, end - space - 1); is_plain(name))
        owners.emplace(std::move(name), text.substr(at, space - at));
    at = end + 1;
  }
  return owners;
}

void ResultFolder::write_owners(const Owners& owners) const {
  std::string text = "# Files of this folder that slipset wrote, and may replace: the command, the file.\n";
  for (const auto& [name, set] : owners) text += fmt::format("{} {}\n", set, name);
  write_file(folder_ / kOwners, text);
}

std::string ResultFolder::taken(const std::vector<std::string>& names, const Owners& owners) const {
  for (const std::string& name : names) {
    if (!is_there(folder_ / name)) continue;
    const auto owner = owners.find(name);
    const std::string path = (folder_ / name).string();
    if (owner == owners.end() || fs::is_directory(fs::symlink_status(folder_ / name)))
      return fmt::format("{} was not written by slipset and is not replaced; choose another folder, or remove it",
                         path);
    if (owner->second != set_)
      return fmt::format("{} is a result of \"slipset {}\" and is not replaced; choose another folder, or remove it",
                         path, owner->second);
  }
  return "";
}

void ResultFolder::require_free(const std::vector<std::string>& names) const {
  if (const std::string why = taken(names, read_owners()); !why.empty()) throw InvalidInput(why, "output folder");
}

// Where that is not possible either they stay where they are; the next command in this folder removes them.
fs::path ResultFolder::keep_apart() {
  const fs::path staged = std::exchange(staged_, {});
  alive_.reset();
  try {
    fs::path apart;
    for (int k = 1; apart.empty() || is_there(apart); ++k) apart = folder_ / fmt::format("{}-results-{}", set_, k);
    fs::rename(staged, apart);
    return apart;
  } catch (const fs::filesystem_error&) {
    return staged;
  }
}

// A process that is killed here leaves a set without its JSON, and files that are known as ours.
void ResultFolder::replace(const std::vector<std::string>& names, Owners both) {
  const auto remove_file = [&](const std::string& name) {
    if (!fs::is_directory(fs::symlink_status(folder_ / name))) fs::remove(folder_ / name);
  };
  for (const std::string& name : names) both[name] = set_;
  write_owners(both);
  for (const auto& [name, set] : both)
    if (set == set_ && name.ends_with(".json")) remove_file(name);
  std::erase_if(both, [&](const auto& owned) {
    const auto& [name, set] = owned;
    if (set != set_ || std::find(names.begin(), names.end(), name) != names.end()) return false;
    remove_file(name);
    return true;
  });
  std::size_t moved = 0;
  try {
    for (; moved < names.size(); ++moved) fs::rename(staged_ / names[moved], folder_ / names[moved]);
  } catch (const fs::filesystem_error&) {  // the set stays together
    std::error_code ignored;
    while (moved-- > 0) fs::rename(folder_ / names[moved], staged_ / names[moved], ignored);
    throw;
  }
  try {
    write_owners(both);
  } catch (const InvalidInput&) {  // a disk that is full now: the longer list of above stays
  }
}

void ResultFolder::publish_in_order(const std::vector<std::string>& names) {
  for (const std::string& name : names) internal::sync_path(staged_ / name);
  const Descriptor lock = lock_of(folder_);
  const Owners owners = read_owners();
  if (const std::string why = taken(names, owners); !why.empty()) throw InvalidInput(why, "output folder");
  replace(names, owners);
}

std::vector<fs::path> ResultFolder::publish() {
  const auto kept = [&](const std::string& why) {
    return InvalidInput(fmt::format("{}; the results are in {}", why, keep_apart().string()), "output folder");
  };
  std::vector<std::string> names;
  try {
    for (const auto& entry : fs::directory_iterator(staged_)) names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    std::vector<std::string> order = names;
    std::stable_partition(order.begin(), order.end(), [](const std::string& name) { return !name.ends_with(".json"); });
    publish_in_order(order);
  } catch (const InvalidInput& error) {
    throw kept(error.what());
  } catch (const std::system_error& error) {
    throw kept(fmt::format("{}: cannot be written: {}", folder_.string(), error.code().message()));
  }
  try {
    internal::sync_path(folder_);
  } catch (const std::system_error& error) {
    cannot_write(folder_, error.code().message());
  }
  std::vector<fs::path> paths;
  for (const std::string& name : names) paths.push_back(folder_ / name);
  return paths;
}

}  // namespace slipset
