// A scenario file of a test, in a folder of its own.
#pragma once

#include <filesystem>
#include <string>

#include "slipset/core/error.hpp"
#include "slipset/io/files.hpp"
#include "slipset/scenario/scenario.hpp"
#include "tests/support/temporary_folder.hpp"

namespace slipset::test {

class ScenarioFile {
 public:
  explicit ScenarioFile(const std::string& text) : path_(folder_.path() / "s.toml") { write_file(path_, text); }

  const std::filesystem::path& path() const { return path_; }
  Scenario scenario() const { return Scenario(path_); }
  // What `read` says of it, from the line number on; "none" if it reads.
  template <class Read>
  std::string error(const Read& read) const {
    try {
      read(Scenario(path_));
    } catch (const InvalidInput& e) {
      const std::string what = e.what();
      return what.substr(what.find("s.toml") + 6);
    }
    return "none";
  }

 private:
  TemporaryFolder folder_;
  std::filesystem::path path_;
};

}  // namespace slipset::test
