#include "slipset/scenario/scenario.hpp"

#include <fmt/format.h>

#include "slipset/io/checkpoint.hpp"
#include "slipset/io/files.hpp"

namespace slipset {
namespace {

void add(CheckSum& sum, const std::string& text) {
  const std::string length = fmt::format("{}:", text.size());  // so that no two lists of texts look alike
  sum.process_bytes(length.data(), length.size());
  sum.process_bytes(text.data(), text.size());
}

}  // namespace

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
    : settings_(std::move(settings)), text_(read_file(path)), file_(text_, path, settings_) {
  if (!settings_.empty()) text_ = file_.text();
  root().allow_only(names_of(file_tables()));
  if (!root().has("stability")) return;
  const TomlTable reserved = root().table("stability");
  for (const std::string& name : reserved.names()) reserved.fail(name, "[stability] has no keys yet; remove it");
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
    const std::filesystem::path named = path().parent_path() / name;
    if (std::filesystem::is_regular_file(named, none)) add(sum, read_file(named));
  }
  return fmt::format("{:016x}", sum.checksum());
}

}  // namespace slipset
