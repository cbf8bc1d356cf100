#include "app/resume.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>

#include "app/standard_output.hpp"
#include "slipset/core/error.hpp"

namespace slipset::app {
namespace {

// As a POSIX shell reads it back.
std::string shell_word(const std::string& text) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
  if (!text.empty() && text.find_first_not_of(plain) == std::string::npos) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

}  // namespace

double ResumeOptions::seconds() const {
  if (checkpoint.empty()) return 5;
  if (checkpoint == "never") return -1;
  double seconds = 0;
  const auto [end, error] = std::from_chars(checkpoint.data(), checkpoint.data() + checkpoint.size(), seconds);
  if (error != std::errc{} || end != checkpoint.data() + checkpoint.size() || !(seconds >= 0 && seconds <= 1e9))
    throw InvalidInput(
        fmt::format("--checkpoint: found \"{}\"; expected seconds, as in --checkpoint 60, or never", checkpoint));
  return seconds;
}

void add_resume_options(CLI::App& command, ResumeOptions& options, const std::string& unit) {
  command.add_flag("--resume", options.resume, "Continue from the checkpoint that an earlier run left in the folder");
  command
      .add_option("--checkpoint", options.checkpoint,
                  fmt::format("Seconds between checkpoints (default 5; 0: after every {}), or never. Removed when the "
                              "results are written",
                              unit))
      ->type_name("SECONDS");
}

void require_obeyed(const ResumeOptions& options, const CommonOptions& common, const std::string& why_not) {
  options.seconds();
  if (!options.given()) return;
  if (!why_not.empty()) throw InvalidInput("--resume and --checkpoint: " + why_not + "; remove the options");
  if (common.json && common.out.empty())
    throw InvalidInput("--resume and --checkpoint need a folder for the files; with --json, give --out");
}

std::optional<Checkpoint> starting_point(const ResumeOptions& options, const CommonOptions& common,
                                         CheckpointStore& store) {
  const auto say = [&](const std::string& what) {
    if (!common.quiet) tell(what);
  };
  if (!store.exists()) {
    if (options.resume)
      say(fmt::format("no checkpoint in {}; starting from the beginning", store.path().parent_path().string()));
    return std::nullopt;
  }
  if (!options.resume) {
    say(fmt::format("ignoring checkpoint {}; use --resume to continue from it", store.path().string()));
    return std::nullopt;
  }
  return store.load();
}

std::string resume_command(const std::string& command, const std::string& file, const CommonOptions& common,
                           const ResumeOptions& options, const std::vector<std::pair<std::string, std::string>>& more) {
  std::string words = fmt::format("slipset {} {} --resume", command, shell_word(file));
  const auto add = [&](const std::string& flag, const std::string& value) {
    if (!value.empty()) words += fmt::format(" {} {}", flag, shell_word(value));
  };
  add("--out", common.out);
  for (const std::string& setting : common.set) add("--set", setting);
  add("--checkpoint", options.checkpoint);
  for (const auto& [flag, value] : more) add(flag, value);
  add("--format", common.format == PictureFormat::png ? "" : ending_of(common.format).substr(1));
  add("--threads", common.threads == 0 ? "" : std::to_string(common.threads));
  if (common.json) words += " --json";
  if (common.quiet) words += " --quiet";
  return words;
}

}  // namespace slipset::app
