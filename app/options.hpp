// What the contract promises of every command: --json, --out, --quiet, --threads, --format.
#pragma once

#include <string>
#include <vector>

#include "slipset/io/figure.hpp"

namespace CLI {
class App;
}

namespace slipset::app {

struct CommonOptions {
  bool json = false;
  bool quiet = false;
  std::string out;
  int threads = 0;
  PictureFormat format = PictureFormat::png;
  std::vector<std::string> set;  // "KEY=VALUE", of commands that read a scenario
};

void add_common_options(CLI::App& command, CommonOptions& options);
// --set, of commands that read a scenario.
void add_set_option(CLI::App& command, CommonOptions& options);

}  // namespace slipset::app
