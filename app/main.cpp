// slipset and the programs next to it: arguments and exit codes. 0 done; 1 the answer is no; 2 bad input; 3 not
// converged.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <csignal>
#include <sstream>
#include <thread>

#include "app/commands.hpp"
#include "app/flags.hpp"
#include "app/ranks.hpp"
#include "app/standard_output.hpp"
#include "slipset/core/error.hpp"
#include "slipset/core/internal/names.hpp"

namespace slipset::app {

namespace {

// What all ranks find, the first one says. The others wait for it: a runner ends all once one of them has ended.
void tell_once(std::string_view text) {
  if (ranks().first())
    tell(text);
  else
    std::this_thread::sleep_for(std::chrono::seconds(1));
}
// What may be true of this rank alone.
void tell_of_rank(std::string_view text) {
  const Ranks at = ranks();
  tell(at.all == 1 ? std::string(text) : fmt::format("rank {} of {}: {}", at.mine, at.all, text));
}

// The library would only say that a command is required.
void check_command_name(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  if (std::find(names.begin(), names.end(), argv[1]) != names.end()) return;
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::string nearest = internal::nearest_name(argv[1], views);
  throw InvalidInput(fmt::format("unknown command \"{}\"; {}commands: {}", argv[1],
                                 nearest.empty() ? "" : fmt::format("did you mean \"{}\"? ", nearest),
                                 fmt::join(names, ", ")));
}

int run(int argc, char** argv) {
  CLI::App app{"slipset: dry friction that depends on direction", "slipset"};
  app.set_version_flag("--version", "slipset " SLIPSET_VERSION);
  app.require_subcommand(1);
  app.option_defaults()->disable_flag_override();  // else --quiet=2x is understood as --quiet
  app.footer("slipset COMMAND --help shows details and an example.");
  const Commands commands = add_commands(app);
  try {
    check_command_name(app, argc, argv);
    app.parse(argc, argv);
    const std::string name = app.get_subcommands().front()->get_name();
    if (name != "stability") require_one_rank(name);  // that command's structures run on many
    return commands.at(name)();
  } catch (const CLI::Success& help) {  // --help, --version
    std::ostringstream text;
    app.exit(help, text);
    print(text.str());
    return 0;
  } catch (const CLI::ParseError& error) {
    tell_once(fmt::format("{}\nslipset --help lists the commands and their options.", error.what()));
  }
  return 2;
}

int run_safely(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const InvalidInput& error) {
    tell_once(with_flag(error.what(), error.setting()));
  } catch (const std::bad_alloc&) {
    tell_of_rank("not enough memory");
  } catch (const std::exception& error) {
    tell_of_rank(error.what());
  }
  return 2;
}

}  // namespace
}  // namespace slipset::app

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on the size of files is reported like a full disk
  slipset::app::occupy_standard_streams();
  return slipset::app::run_safely(argc, argv);
}
