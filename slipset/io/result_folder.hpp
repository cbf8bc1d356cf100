// A folder of results. The files of one command are a set: all of them are there, of one run, or none.
//   ResultFolder folder(DIR, "run");  write_file(folder.path() / "run.csv", ...);  ...;  folder.publish();
// They are written to a folder of their own inside DIR and renamed, under a lock, when all are there; files of an
// earlier set of that name that this one does not have are removed. Which files are slipset's stands in DIR/.slipset;
// others are never replaced.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace slipset {

namespace internal {
class Descriptor;
}

class ResultFolder {
 public:
  // Throws InvalidInput, saying why, if the folder cannot be made or written. What ended runs left behind is removed.
  ResultFolder(const std::filesystem::path& folder, std::string set);
  ~ResultFolder();  // removes what was not published, and the folder if it is empty and was made here
  ResultFolder(const ResultFolder&) = delete;
  ResultFolder& operator=(const ResultFolder&) = delete;

  // Where to write.
  const std::filesystem::path& path() const { return staged_; }
  // Throws InvalidInput if one of these names is taken, by a file of somebody else or of another set: publish() would.
  void require_free(const std::vector<std::string>& names) const;
  // Renames every file into the folder, on the disk (fsync) before, *.json last; their new paths, sorted. Where a name
  // is taken nothing is replaced. Then, and after any other failure, the files are all in a folder of their own, which
  // the InvalidInput names.
  std::vector<std::filesystem::path> publish();

 private:
  using Owners = std::map<std::string, std::string>;  // of a file's name: its set

  Owners read_owners() const;
  void write_owners(const Owners& owners) const;
  std::string taken(const std::vector<std::string>& names, const Owners& owners) const;  // a message, or ""
  std::filesystem::path keep_apart();
  void publish_in_order(const std::vector<std::string>& names);
  void replace(const std::vector<std::string>& names, Owners both);

  std::filesystem::path folder_, staged_;
  std::string set_;
  std::vector<std::filesystem::path> made_;      // the folder and those above it that were not there before
  std::unique_ptr<internal::Descriptor> alive_;  // the staged folder, locked: it is not abandoned
};

}  // namespace slipset
