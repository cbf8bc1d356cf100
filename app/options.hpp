// Options that commands have in common: --json, --out, --quiet, --threads, --format; --set.
#pragma once

#include <string>
#include <vector>

#include "slipset/io/figure.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace slipset::app {

struct CommonOptions {
  bool json = false;
  bool quiet = false;
  std::string out;
  int threads = 0;
  PictureFormat format = PictureFormat::png;
  std::vector<std::string> set;  // "KEY=VALUE", of commands that read a scenario
};

// Of every command that computes.
void add_common_options(CLI::App& command, CommonOptions& options);
// Two of them, of commands that only print.
CLI::Option* add_json_option(CLI::App& command, bool& json);
CLI::Option* add_quiet_option(CLI::App& command, bool& quiet);
// --set, of commands that read a scenario.
void add_set_option(CLI::App& command, CommonOptions& options);

}  // namespace slipset::app
