#include "app/commands.hpp"

namespace slipset::app {

Commands add_commands(CLI::App& app) { return {{"identify", add_identify_command(app)}}; }

}  // namespace slipset::app
