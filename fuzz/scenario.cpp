// Any bytes as a scenario file: refused with InvalidInput, or a law whose properties are described, or a run.
#include <unistd.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "slipset/core/error.hpp"
#include "slipset/io/files.hpp"
#include "slipset/report/law_report.hpp"
#include "slipset/scenario/any_run.hpp"
#include "slipset/scenario/law_setup.hpp"
#include "slipset/scenario/scenario.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace slipset;
  static const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("slipset-fuzz-" + std::to_string(getpid()) + ".toml");
  write_file(path, std::string_view(reinterpret_cast<const char*>(data), size));
  try {
    const LawSetup scenario = read_law(Scenario(path).root());
    law_json(scenario.law, law_properties(scenario.law), {});
  } catch (const InvalidInput&) {
  }
  // A pile of a million spheres is no mistake, but takes a while.
  if (std::string_view(reinterpret_cast<const char*>(data), size).find("pile") != std::string_view::npos) return 0;
  try {
    read_any_run(Scenario(path));
  } catch (const InvalidInput&) {
  }
  return 0;
}
