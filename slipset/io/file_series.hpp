// Files FRONT000001BACK, FRONT000002BACK, ... of a folder, written one by one while a run goes on. A hidden file beside
// them, .FRONTseries, says that they are slipset's, and is locked while somebody writes them.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

namespace slipset {

namespace internal {
class Descriptor;
}

class FileSeries {
 public:
  // Makes the folder. Removes the files of an earlier series, unless the run that wrote them continues. Throws
  // InvalidInput if the folder cannot be written, has such files of somebody else, or is in use.
  FileSeries(const std::filesystem::path& folder, std::string front, std::string back, bool continues);
  ~FileSeries();
  FileSeries(const FileSeries&) = delete;
  FileSeries& operator=(const FileSeries&) = delete;

  std::filesystem::path path(long number) const;

 private:
  std::filesystem::path folder_;
  std::string front_, back_;
  std::unique_ptr<internal::Descriptor> lock_;
};

}  // namespace slipset
