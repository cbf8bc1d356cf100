// Checkpoints of commands that can be resumed: --resume and --checkpoint.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/options.hpp"
#include "slipset/io/checkpoint.hpp"

namespace slipset::app {

inline constexpr const char* kProgram = "slipset " SLIPSET_VERSION;

struct ResumeOptions {
  bool resume = false;
  std::string checkpoint;  // empty: every 5 s

  bool given() const { return resume || !checkpoint.empty(); }
  // Seconds between checkpoints; negative: never. Throws InvalidInput.
  double seconds() const;
};

// `unit`: after which there is one with --checkpoint 0.
void add_resume_options(CLI::App& command, ResumeOptions& options, const std::string& unit);
// Throws InvalidInput where they are given and cannot be obeyed; `why_not`: there are no checkpoints, for this reason.
void require_obeyed(const ResumeOptions& options, const CommonOptions& common, const std::string& why_not);

// The checkpoint to continue from, if it is asked for and there is one. Tells what is done with one that is there.
std::optional<Checkpoint> starting_point(const ResumeOptions& options, const CommonOptions& common,
                                         CheckpointStore& store);

// The command as it was given, with --resume; `more`: its own flags and their values.
std::string resume_command(const std::string& command, const std::string& file, const CommonOptions& common,
                           const ResumeOptions& options,
                           const std::vector<std::pair<std::string, std::string>>& more = {});

}  // namespace slipset::app
