// Values of a file that a command or a sweep changes.
#include <doctest/doctest.h>

#include "slipset/core/error.hpp"
#include "slipset/io/files.hpp"
#include "slipset/scenario/scenario.hpp"
#include "slipset/scenario/toml_table.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace slipset;

namespace {

constexpr const char* kText = "[system]\nmass = 2\naxes = [1, 2, 3]\n[system.belt]\nspeed = 0.5\n";

TomlTable with(const std::vector<std::string>& settings) { return TomlFile(kText, "file", settings).root(); }

TomlTable with_number(const std::string& key, double value) {
  const TomlFile file(kText, "file");
  return file.with_number(key, value, file.root(), "system").root();
}

}  // namespace

TEST_CASE("--set: a value is replaced, or added with its tables; the others stay") {
  const TomlTable root =
      with({"system.belt.speed=0.7", "system.axes[1]=5.5", "law.reservoir.radius=0.3", "title=\"a b\""});
  CHECK(root.table("system").number("mass") == 2);
  CHECK(root.table("system").table("belt").number("speed") == 0.7);
  CHECK(root.table("system").list("axes") == std::vector<double>{1, 5.5, 3});
  CHECK(root.table("law").table("reservoir").number("radius") == 0.3);
  CHECK(root.text("title") == "a b");
  for (const char* missing : {"system.axes[3]=1", "system.mass.x=1", "system.axes.x=1", "system.belt[0]=1"}) {
    CAPTURE(missing);
    CHECK_THROWS_WITH_AS(with({missing}), doctest::Contains(std::string(missing).substr(0, 11).c_str()), InvalidInput);
  }
}

TEST_CASE("a sweep puts a number in the place of another, whole or not, in tables and in lists") {
  CHECK(with_number("system.belt.speed", 2).table("system").table("belt").number("speed") == 2);
  CHECK(with_number("system.mass", 3).table("system").number("mass") == 3);
  CHECK(with_number("system.mass", 2.5).table("system").number("mass") == 2.5);
  CHECK(with_number("system.axes[2]", 7).table("system").list("axes") == std::vector<double>{1, 2, 7});
  CHECK(with_number("system.axes[1]", 2.5).table("system").list("axes") == std::vector<double>{1, 2.5, 3});
  CHECK_THROWS_AS(with_number("system.axes[3]", 1), InvalidInput);
  CHECK_THROWS_AS(with_number("system.belt", 1), InvalidInput);
}

TEST_CASE("the fingerprint of a scenario changes with its text, its settings and the files that it names") {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "s.toml", other = folder.path() / "law.csv";
  const std::string text = "[law]\nreservoir = { shape = \"polar\", file = \"law.csv\" }\n";
  const auto print = [&](const std::string& of, const std::string& named) {
    write_file(path, of);
    write_file(other, named);
    return Scenario(path).fingerprint();
  };
  const std::string first = print(text, "1,2\n");
  CHECK(print(text, "1,2\n") == first);
  CHECK(print(text, "1,3\n") != first);
  CHECK(print(text + "# a\n", "1,2\n") != print(text + "# b\n", "1,2\n"));  // of one length
  const std::vector<std::string> settings = {"title=\"a\""};
  CHECK(Scenario(path, settings).fingerprint() != Scenario(path).fingerprint());
}
