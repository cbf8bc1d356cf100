// What the contract promises of every command: --json, --out, --quiet, --threads.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace slipset::app {

struct CommonOptions {
  bool json = false;
  bool quiet = false;
  std::string out;
  int threads = 0;
};

void add_common_options(CLI::App& command, CommonOptions& options);

}  // namespace slipset::app
