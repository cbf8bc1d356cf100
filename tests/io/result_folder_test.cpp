// A folder of results: sets of files that replace each other whole, beside files of other people.
#include "slipset/io/result_folder.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "slipset/core/error.hpp"
#include "slipset/io/file_series.hpp"
#include "slipset/io/files.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace slipset;
using namespace slipset::test;
namespace fs = std::filesystem;

namespace {

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}
using Names = std::vector<std::string>;

void put(const fs::path& folder, const std::string& set, const Names& names, const std::string& content) {
  ResultFolder results(folder, set);
  for (const std::string& name : names) write_file(results.path() / name, content);
  results.publish();
}

}  // namespace

TEST_CASE("F3: files of an earlier set that the new one does not have are gone") {
  const TemporaryFolder folder;
  const auto place = folder.path() / "a";
  put(place, "run", {"run.json", "run.csv", "path.png"}, "1");
  put(place, "law", {"law.json"}, "1");
  CHECK(names_in(place) == Names{".slipset", "law.json", "path.png", "run.csv", "run.json"});
  put(place, "run", {"run.json", "run.h5"}, "2");
  CHECK(names_in(place) == Names{".slipset", "law.json", "run.h5", "run.json"});
  CHECK(read_file(place / "run.json") == "2");
  CHECK(read_file(place / "law.json") == "1");
}

TEST_CASE("a set that cannot be published is kept, and the folder that has it is named") {
  const TemporaryFolder folder;
  const auto& place = folder.path();
  put(place, "run", {"a.csv", "b", "run.json"}, "1");
  {  // The list of files cannot be written: nothing was replaced.
    const fs::path blocked = place / fmt::format(".slipset.{}.part", ::getpid());
    fs::create_directories(blocked / "x");
    CHECK_THROWS_WITH_AS(put(place, "run", {"a.csv", "run.json"}, "2"), doctest::Contains("results are in"),
                         InvalidInput);
    CHECK(read_file(place / "run-results-1" / "a.csv") == "2");
    CHECK(read_file(place / "run-results-1" / "run.json") == "2");
    CHECK(read_file(place / "run.json") == "1");
    fs::remove_all(blocked);
    fs::remove_all(place / "run-results-1");
  }
  {  // A folder cannot replace a file: this fails after the first rename. The new set stays together.
    ResultFolder results(place, "run");
    write_file(results.path() / "a.csv", "3");
    fs::create_directory(results.path() / "b");
    write_file(results.path() / "run.json", "3");
    CHECK_THROWS_WITH_AS(results.publish(), doctest::Contains((place / "run-results-1").c_str()), InvalidInput);
  }
  CHECK(names_in(place) == Names{".slipset", "b", "run-results-1"});
  CHECK(names_in(place / "run-results-1") == Names{"a.csv", "b", "run.json"});
  CHECK(read_file(place / "run-results-1" / "a.csv") == "3");
}

TEST_CASE("a set that is not published changes nothing, and leaves nothing") {
  const TemporaryFolder folder;
  const auto place = folder.path() / "a";
  { const ResultFolder made(place / "b", "run"); }
  CHECK_FALSE(fs::exists(place / "b"));
  put(place, "run", {"one"}, "1");
  {
    const ResultFolder results(place, "run");
    write_file(results.path() / "one", "2");
  }
  CHECK(read_file(place / "one") == "1");
  CHECK(names_in(place) == Names{".slipset", "one"});
  CHECK_THROWS_AS(ResultFolder(place / "one" / "x", "run"), InvalidInput);
}

TEST_CASE("F13: a file of somebody else, or of another set, is not replaced; the results are kept apart") {
  const TemporaryFolder folder;
  const auto& place = folder.path();
  write_file(place / "run.csv", "mine");
  {
    const ResultFolder results(place, "run");
    CHECK_THROWS_WITH_AS(results.require_free({"run.json", "run.csv"}), doctest::Contains("not written by slipset"),
                         InvalidInput);
    results.require_free({"run.json", "path.png"});
  }
  CHECK_THROWS_WITH_AS(put(place, "run", {"run.csv", "run.json"}, "new"), doctest::Contains("run-results-1"),
                       InvalidInput);
  CHECK(names_in(place) == Names{"run-results-1", "run.csv"});
  CHECK(read_file(place / "run.csv") == "mine");
  CHECK(read_file(place / "run-results-1" / "run.csv") == "new");
  fs::remove(place / "run.csv");
  put(place, "run", {"run.csv", "run.json"}, "new");
  CHECK_THROWS_WITH_AS(put(place, "track", {"run.csv"}, "track's"), doctest::Contains("a result of \"slipset run\""),
                       InvalidInput);
  CHECK(read_file(place / "run.csv") == "new");
  // A folder where a file should go.
  fs::create_directory(place / "zzz");
  CHECK_THROWS_AS(put(place, "run", {"run.csv", "zzz"}, "3"), InvalidInput);
  CHECK(read_file(place / "run.csv") == "new");
}

TEST_CASE("a list of files that somebody changed does not lead out of the folder") {
  const TemporaryFolder folder;
  const auto place = folder.path() / "a";
  put(place, "run", {"one"}, "1");
  write_file(folder.path() / "precious", "p");
  fs::create_directory(place / "inner");
  write_file(place / "inner" / "precious", "p");
  write_file(place / ".slipset", "run ../precious\nrun inner/precious\nrun .\nrun ..\nrun \nrun inner\nrun one");
  put(place, "run", {"two"}, "2");
  CHECK(fs::exists(folder.path() / "precious"));
  CHECK(fs::exists(place / "inner" / "precious"));
  CHECK(names_in(place) == Names{".slipset", "inner", "two"});
}

TEST_CASE("what a killed process left is removed; what a living one writes is not") {
  const TemporaryFolder folder;
  const auto& place = folder.path();
  const ResultFolder living(place, "run");
  write_file(living.path() / "one", "1");
  const pid_t child = ::fork();
  if (child == 0) {
    new ResultFolder(place, "law");  // never deleted: the process ends as if killed
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
  CHECK(names_in(place).size() == 2);
  const ResultFolder other(place, "law");
  CHECK(names_in(place).size() == 2);
  CHECK(fs::exists(living.path() / "one"));
}

TEST_CASE("F13: sets that are written at once do not mix") {
  const TemporaryFolder folder;
  const Names names = {"a", "b", "c", "d", "e", "f", "run.json"};
  std::vector<pid_t> children;
  for (int k = 0; k < 6; ++k) {
    children.push_back(::fork());
    if (children.back() == 0) {
      try {
        for (int i = 0; i < 10; ++i) put(folder.path(), "run", names, fmt::format("{} {}", k, i));
      } catch (...) {
        ::_exit(1);
      }
      ::_exit(0);
    }
  }
  for (const pid_t child : children) {
    int status = 1;
    ::waitpid(child, &status, 0);
    CHECK(status == 0);
  }
  for (const std::string& name : names) CHECK(read_file(folder.path() / name) == read_file(folder.path() / "a"));
}

TEST_CASE("F3: a series of files replaces an earlier one, unless it continues; others' files stay") {
  const TemporaryFolder folder;
  const auto place = folder.path() / "p";
  {
    const FileSeries series(place, "step-", ".hdf5", false);
    for (const long k : {1, 2, 3}) write_file(series.path(k), "1");
    CHECK_THROWS_WITH_AS(FileSeries(place, "step-", ".hdf5", false), doctest::Contains("another run"), InvalidInput);
  }
  write_file(place / "step-one.hdf5", "mine");
  write_file(FileSeries(place, "step-", ".hdf5", true).path(4), "2");
  CHECK(names_in(place).size() == 6);
  write_file(place / "step-.hdf5", "no number: somebody else's");
  write_file(FileSeries(place, "step-", ".hdf5", false).path(1), "3");
  CHECK(std::filesystem::remove(place / "step-.hdf5"));
  CHECK(names_in(place) == Names{".step-series", "step-000001.hdf5", "step-one.hdf5"});
  write_file(folder.path() / "step-000007.hdf5", "mine");
  CHECK_THROWS_WITH_AS(FileSeries(folder.path(), "step-", ".hdf5", false), doctest::Contains("not written by slipset"),
                       InvalidInput);
  CHECK(read_file(folder.path() / "step-000007.hdf5") == "mine");
}

TEST_CASE("files are written where a folder is, not where none is") {
  const TemporaryFolder folder;
  CHECK_THROWS_WITH_AS(write_file(folder.path() / "none" / "a.txt", "x"),
                       doctest::Contains("No such file or directory"), InvalidInput);
  CHECK_FALSE(fs::exists(folder.path() / "none"));
}
