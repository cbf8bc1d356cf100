#include "app/commands.hpp"

namespace slipset::app {

Commands add_commands(CLI::App& app) { return {{"track", add_track_command(app)}}; }

}  // namespace slipset::app
