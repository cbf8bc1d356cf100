// Runs the slipset program as a person would, and keeps what it printed.
#pragma once

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>

#include "slipset/io/files.hpp"
#include "tests/support/temporary_folder.hpp"

namespace slipset::test {

struct Ran {
  int exit_code = -1;
  std::string out, err;
};

// `arguments` as typed in a shell, in the folder `in`.
inline Ran run_program(const std::string& arguments, const std::filesystem::path& in,
                       const std::string& program = SLIPSET_PROGRAM) {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string(), err = (folder.path() / "err").string();
  const std::string command = "cd '" + in.string() + "' && '" + program + "' >" + out + " 2>" + err + " " + arguments;
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128, read_file(out), read_file(err)};
}

}  // namespace slipset::test
