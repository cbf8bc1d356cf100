// A scenario file, read and parsed once; every reader and command takes its tables from here.   docs/scenarios.md
#pragma once

#include "slipset/scenario/toml_table.hpp"

namespace slipset {

class Scenario {
 public:
  // Throws InvalidInput if it cannot be read, is not TOML, or has a table that no scenario has. Standard input and
  // named pipes ("/dev/stdin") are files, too: they are read once.
  explicit Scenario(const std::filesystem::path& path);

  TomlTable root() const { return file_.root(); }
  const TomlFile& file() const { return file_; }
  const std::filesystem::path& path() const { return file_.path(); }
  const std::string& text() const { return text_; }
  std::string title() const;  // the file's, or its name

  // Changes with the text of the file, and with the content of any file that it names.
  std::string fingerprint() const;

 private:
  std::string text_;
  TomlFile file_;
};

// `title` of a file, or the file's name.
std::string title_of(const TomlTable& root);

// Every table and key at the top of a scenario file.
std::span<const Entry> file_tables();

}  // namespace slipset
