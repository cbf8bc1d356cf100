// A folder with a small structure, for slipset stability.
#pragma once

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/run_program.hpp"

namespace slipset::test {

inline constexpr const char* kScenario = R"([law]
reservoir = { shape = "disk", radius = 0.4 }
[laws.lining]
reservoir = { shape = "rectangle", semi_axes = [0.4, 0.2] }
[system]
kind = "structure"
M = "M.mtx"
K = "K.mtx"
contacts = "contacts.csv"
[modes]
band = [0, 100]
growth = [-10, 10]
)";
inline const std::string kHead = "%%MatrixMarket matrix coordinate real general\n";
inline const std::string kMass = kHead + "3 3 3\n1 1 1\n2 2 1\n3 3 1\n";
inline const std::string kStiffness = kHead + "3 3 5\n1 1 3e4\n2 2 4e4\n3 3 5e4\n1 3 1e3\n3 1 1e3\n";
inline const std::string kColumns = "ux,uy,uz,nx,ny,nz,tx,ty,tz,stiffness,force,slip1,slip2,name,law\n";

// A folder with a structure of one node, good as it stands.
class StructureFolder {
 public:
  StructureFolder() {
    set("s.toml", kScenario);
    set("M.mtx", kMass);
    set("K.mtx", kStiffness);
    set("contacts.csv", kColumns + "0,1,2,0,0,1,1,0,0,1000,10,1,0.5,corner,\n");
  }
  void set(const std::string& name, const std::string& text) const { write_file(folder_.path() / name, text); }
  const std::filesystem::path& path() const { return folder_.path(); }
  std::string get(const std::string& name) const { return read_file(folder_.path() / name); }
  bool has(const std::string& name) const { return std::filesystem::exists(folder_.path() / name); }
  Ran run(const std::string& arguments) const { return run_program(arguments, folder_.path()); }
#ifdef SLIPSET_MPIRUN
  Ran run_on(int ranks, const std::string& arguments) const {
    return run_program(fmt::format("--oversubscribe -n {} '{}' {}", ranks, SLIPSET_PROGRAM, arguments), folder_.path(),
                       SLIPSET_MPIRUN);
  }
#endif

 private:
  TemporaryFolder folder_;
};

// The program refuses the structure with this file in place of the good one, and says each of the words.
inline void check_refused(const StructureFolder& folder, const std::string& file, const std::string& text,
                          const std::vector<std::string>& words) {
  folder.set(file, text);
  const Ran ran = folder.run("stability s.toml --json");
  INFO(text, "\n", ran.err);
  CHECK(ran.exit_code == 2);
  CHECK(ran.out == "");
  CHECK(ran.err.find("s.toml:") != std::string::npos);
  for (const std::string& word : words) CHECK_MESSAGE(ran.err.find(word) != std::string::npos, word);
}

inline void check_refused(const std::string& file, const std::string& text, const std::vector<std::string>& words) {
  check_refused(StructureFolder(), file, text, words);
}

}  // namespace slipset::test
