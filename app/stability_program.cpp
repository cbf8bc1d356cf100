#include "app/commands.hpp"

namespace slipset::app {

Commands add_commands(CLI::App& app) { return {{"stability", add_stability_command(app)}}; }

}  // namespace slipset::app
