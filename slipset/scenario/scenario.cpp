#include "slipset/scenario/scenario.hpp"

#include <fmt/format.h>

#include <fstream>

#include "slipset/io/checkpoint.hpp"
#include "slipset/io/files.hpp"

namespace slipset {
namespace {

void add(CheckSum& sum, const std::string& text) {
  const std::string length = fmt::format("{}:", text.size());  // so that no two lists of texts look alike
  sum.process_bytes(length.data(), length.size());
  sum.process_bytes(text.data(), text.size());
}

// The same of a file of any size.
void add_file(CheckSum& sum, const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<char> part(std::size_t{1} << 20);
  std::size_t length = 0;
  do {
    file.read(part.data(), static_cast<std::streamsize>(part.size()));
    sum.process_bytes(part.data(), static_cast<std::size_t>(file.gcount()));
    length += static_cast<std::size_t>(file.gcount());
  } while (file);
  if (!file.eof()) throw InvalidInput(fmt::format("{}: cannot be read", path.string()));
  const std::string end = fmt::format(":{}", length);
  sum.process_bytes(end.data(), end.size());
}

}  // namespace

std::pair<std::filesystem::path, std::string> file_and_variable(const std::filesystem::path& name) {
  const std::string text = name.string();
  const std::size_t colon = text.rfind(':');
  std::error_code none;
  if (colon == std::string::npos || colon + 1 == text.size() || std::filesystem::exists(name, none)) return {name, ""};
  return {text.substr(0, colon), text.substr(colon + 1)};
}

std::span<const Entry> file_tables() {
  static const std::vector<Entry> all = {{"title", "one line, for figures", {}},
                                         {"law", "the friction law", {}},
                                         {"system", "what moves", {}},
                                         {"initial", "where it starts", {}},
                                         {"integrator", "time integration", {}},
                                         {"output", "rows, formats and figures", {}},
                                         {"sweep", "a scan over a parameter, of stability and cycle", {}},
                                         {"stability", "reserved", {}},
                                         {"modes", "which modes of a structure are wanted", {}},
                                         {"laws", "[laws.NAME]: further laws, of rigid bodies and structures", {}},
                                         {"body", "[[body]]: one rigid body, or a row of them", {}},
                                         {"pile", "[[pile]]: spheres in a box", {}},
                                         {"stack", "[[stack]]: boxes on top of each other", {}},
                                         {"joint", "[[joint]]: connects two bodies", {}},
                                         {"pair", "[[pair]]: the law between two surfaces", {}}};
  return all;
}

std::string title_of(const TomlTable& root) {
  return root.has("title") ? root.text("title") : std::filesystem::path(root.file()).stem().string();
}

Scenario::Scenario(const std::filesystem::path& path, std::vector<std::string> settings)
    : Scenario(read_file(path), path, std::move(settings)) {}

Scenario Scenario::from_text(std::string text, const std::filesystem::path& name, std::vector<std::string> settings) {
  return {std::move(text), name, std::move(settings)};
}

Scenario::Scenario(std::string text, const std::filesystem::path& name, std::vector<std::string> settings)
    : settings_(std::move(settings)), text_(std::move(text)), file_(text_, name, settings_) {
  if (!settings_.empty()) text_ = file_.text();
  root().allow_only(names_of(file_tables()));
  if (!root().has("stability")) return;
  const TomlTable reserved = root().table("stability");
  for (const std::string& key : reserved.names()) reserved.fail(key, "[stability] has no keys yet; remove it");
}

std::string Scenario::title() const { return title_of(root()); }

void Scenario::fail(const std::string& what) const {
  const std::string extremes = root().extreme_numbers(),
                    text = what + (extremes.empty() ? "" : "; look at " + extremes);
  if (root().has("system")) root().table("system").fail(text);
  root().fail(text);
}

std::string Scenario::fingerprint() const {
  CheckSum sum;
  add(sum, text_);
  // Any string of the file may name one; those that do are looked for beside the scenario.
  for (const std::string& name : root().all_texts()) {
    std::error_code none;
    const std::filesystem::path named = file_and_variable(path().parent_path() / name).first;
    if (std::filesystem::is_regular_file(named, none)) add_file(sum, named);
  }
  return fmt::format("{:016x}", sum.checksum());
}

}  // namespace slipset
