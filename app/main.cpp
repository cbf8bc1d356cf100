// slipset: arguments and exit codes. 0 done; 1 the answer is no; 2 bad input; 3 not converged.
#include <fmt/format.h>

#include <map>

#include "app/commands.hpp"
#include "slipset/core/error.hpp"

namespace slipset::app {

void add_common_options(CLI::App& command, CommonOptions& options) {
  command.add_flag("--json", options.json, "Print one JSON object on standard output, nothing else");
  command.add_option("--out", options.out, "Folder for the files")->type_name("DIR");
  command.add_flag("--quiet", options.quiet, "Print errors only");
  command.add_option("--threads", options.threads, "Threads to use; 0 means all cores")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber);
}

namespace {

int run(int argc, char** argv) {
  CLI::App app{"slipset: dry friction that depends on direction", "slipset"};
  app.set_version_flag("--version", "slipset " SLIPSET_VERSION);
  app.require_subcommand(1);
  app.footer("slipset COMMAND --help tells more, with an example.");
  std::map<std::string, Work> commands;
  commands["law"] = add_law_command(app);
  commands["list"] = add_list_command(app);
  try {
    app.parse(argc, argv);
    return commands.at(app.get_subcommands().front()->get_name())();
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::CallForVersion& version) {
    return app.exit(version);
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "slipset: {}\nslipset --help lists the commands and their options.\n", error.what());
  } catch (const InvalidInput& error) {
    fmt::print(stderr, "slipset: {}\n", error.what());
  }
  return 2;
}

}  // namespace
}  // namespace slipset::app

int main(int argc, char** argv) { return slipset::app::run(argc, argv); }
