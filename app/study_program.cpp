#include "app/commands.hpp"

namespace slipset::app {

Commands add_commands(CLI::App& app) { return {{"study", add_study_command(app)}}; }

}  // namespace slipset::app
