// A scenario file, read and parsed once; every reader and command takes its tables from here.   docs/scenarios.md
#pragma once

#include <new>
#include <system_error>

#include "slipset/scenario/toml_table.hpp"

namespace slipset {

class Scenario {
 public:
  // Throws InvalidInput if it cannot be read, is not TOML, or has a table that no scenario has. Standard input and
  // named pipes ("/dev/stdin") are files, too: they are read once.
  // `settings`, as "system.mass=2", change values first.
  explicit Scenario(const std::filesystem::path& path, std::vector<std::string> settings = {});
  // A text that is in no file: `name` stands for it in messages, and what it names is looked for beside `name`.
  static Scenario from_text(std::string text, const std::filesystem::path& name,
                            std::vector<std::string> settings = {});

  TomlTable root() const { return file_.root(); }
  const TomlFile& file() const { return file_; }
  const std::filesystem::path& path() const { return file_.path(); }
  const std::string& text() const { return text_; }  // with the settings, if there are any
  const std::vector<std::string>& settings() const { return settings_; }
  std::string title() const;  // the file's, or its name

  // Runs f; what it throws without a place gets that of [system], or of the file, and the numbers to look at.
  template <class Function>
  auto located(Function&& f) const {
    try {
      return f();
    } catch (const ScenarioError&) {
      throw;
    } catch (const InvalidInput& error) {
      if (!error.setting().empty()) throw;  // a mistake of an option, not of the file
      fail(error.what());
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::system_error&) {
      throw;
    } catch (const std::exception& error) {  // of a library that we use, in its own words
      fail(std::string("cannot be computed: some numbers may be out of range (") + error.what() + ")");
    }
  }
  [[noreturn]] void fail(const std::string& what) const;

  // Changes with the text of the file, and with the content of any file that it names.
  std::string fingerprint() const;

 private:
  Scenario(std::string text, const std::filesystem::path& name, std::vector<std::string> settings);

  std::vector<std::string> settings_;
  std::string text_;
  TomlFile file_;
};

// "brake.mat:M1" names the variable M1 of a file; a file that is called so, colon and all, goes first.
std::pair<std::filesystem::path, std::string> file_and_variable(const std::filesystem::path& name);

// `title` of a file, or the file's name.
std::string title_of(const TomlTable& root);

// Every table and key at the top of a scenario file.
std::span<const Entry> file_tables();

}  // namespace slipset
