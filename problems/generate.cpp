// Writes the library of contact problems, with certified solutions and an index.       docs/problems.md
//   generate_problems [FOLDER [PART]]
// FOLDER: build/problems if not given. PART: only problems with this in their names; the index then has only these.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>

#include "problems/certify.hpp"
#include "slipset/io/files.hpp"

int main(int argc, char** argv) {
  using namespace slipset::problems;
  if (argc > 3 || (argc > 1 && argv[1][0] == '-')) {
    fmt::print(stderr, "usage: generate_problems [FOLDER [PART]], PART of the names of the problems\n");
    return 2;
  }
  try {
    const std::filesystem::path folder = argc > 1 ? argv[1] : "build/problems";
    const std::string part = argc > 2 ? argv[2] : "";
    const auto is_asked = [&](const Recipe& recipe) { return recipe.name.find(part) != std::string::npos; };
    const std::vector<Recipe> recipes = all_recipes();
    if (std::none_of(recipes.begin(), recipes.end(), is_asked)) {
      fmt::print(stderr, "generate_problems: no problem has {} in its name\n", part);
      return 2;
    }
    std::filesystem::create_directories(folder);
    std::string index = index_header();
    for (const Recipe& recipe : recipes) {
      if (!is_asked(recipe)) continue;
      const Certificate certificate = write_certified(recipe, folder);
      index += index_line(recipe, certificate);
      fmt::print("{:<34} {:>5} contacts  {:<12} {:<8}", recipe.name, certificate.contacts, certificate.status,
                 certificate.difficulty);
      if (certificate.error >= 0)
        fmt::print(" error {:.1e}\n", certificate.error);
      else
        fmt::print(" closing {:.1e} m/s\n", certificate.closing);
      std::fflush(stdout);
    }
    slipset::write_file(folder / "index.csv", index);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "generate_problems: {}\n", error.what());
    return 1;
  }
}
