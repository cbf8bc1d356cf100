#include <doctest/doctest.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <fstream>
#include <span>
#include <thread>

#include "slipset/core/error.hpp"
#include "slipset/io/checkpoint.hpp"
#include "slipset/io/csv.hpp"
#include "slipset/io/figure.hpp"
#include "slipset/io/files.hpp"
#include "slipset/io/internal/signal_table.hpp"
#include "slipset/io/mat_file.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace slipset;
using slipset::test::TemporaryFolder;

TEST_CASE("write_file replaces whole files and leaves nothing beside them") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "b.txt";
  write_file(path, "first, and longer");
  write_file(path, "second");
  CHECK(read_file(path) == "second");
  int files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(path.parent_path())) ++files;
  CHECK(files == 1);
  CHECK_THROWS_AS(write_file(path / "c.txt", "under a file"), InvalidInput);
  CHECK(read_file(path) == "second");
}

// F11: an input that does not end is refused, a pipe is opened and read once.
TEST_CASE("F11 inputs: devices are refused, pipes are read once, too much is refused") {
  const TemporaryFolder folder;
  for (const char* device : {"/dev/zero", "/dev/urandom", "/dev/null"}) {
    CHECK_THROWS_WITH_AS(read_file(device), doctest::Contains("this is a device; name a file or a pipe"), InvalidInput);
    CHECK_THROWS_WITH_AS(internal::SignalTable{device}, doctest::Contains("this is a device"), InvalidInput);
    CHECK_THROWS_WITH_AS(read_mat_file(device), doctest::Contains("this is a device"), InvalidInput);
  }
  // A second opening would wait for a second writer: in a thread of its own it would never end.
  std::signal(SIGPIPE, SIG_IGN);  // a writer whose reader has gone
  const std::string pipe = (folder.path() / "pipe").string();
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const auto written = [&](const std::string& text) {
    return std::thread([&pipe, text] { std::ofstream(pipe, std::ios::binary) << text; });
  };
  const std::string long_text(300'000, 'x');
  std::thread writer = written(long_text);
  CHECK(read_file(pipe) == long_text);
  writer.join();
  writer = written("a,b\n1,2\n3,4\n");
  CHECK(internal::SignalTable(pipe).read(std::vector<std::size_t>{1}).columns[0] == std::vector<double>{2, 4});
  writer.join();
  writer = written("MATLAB");
  CHECK_THROWS_WITH_AS(read_mat_file(pipe), doctest::Contains("cannot be read from a pipe"), InvalidInput);
  writer.join();
  write_file(folder.path() / "ten", "0123456789");
  CHECK(read_file(folder.path() / "ten", 10) == "0123456789");
  CHECK_THROWS_WITH_AS(read_file(folder.path() / "ten", 9), doctest::Contains("the file has 10 bytes; at most 9"),
                       InvalidInput);
  writer = written("0123456789");
  CHECK_THROWS_WITH_AS(read_file(pipe, 9), doctest::Contains("at most 9 bytes"), InvalidInput);
  writer.join();
}

TEST_CASE("read_file tells folders and missing files from empty ones") {
  const TemporaryFolder folder;
  write_file(folder.path() / "empty", "");
  CHECK(read_file(folder.path() / "empty").empty());
  CHECK_THROWS_WITH_AS(read_file(folder.path()), doctest::Contains("this is a folder"), InvalidInput);
  CHECK_THROWS_WITH_AS(read_file(folder.path() / "none"), doctest::Contains("No such file"), InvalidInput);
}

TEST_CASE("number tables: separators, names, comments; wrong fields are reported with their line") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "t.csv";
  for (const char* text :
       {"angle,radius\n0,1\n90,+2e0\n", "# c\n0;1\n90;2\n", "angle;radius\n0,0;1,0\n90;2,0\n", "0 1\n90   2\n",
        "0\t1\r\n90\t2 # end\r\n", "0,00 1,0\n90 2\n", "angle [deg] radius [mm]\n0 1,0\n9,0e1 2\n"}) {
    write_file(path, text);
    const NumberTable table = read_number_table(path);
    REQUIRE(table.columns.size() == 2);
    CHECK(table.columns[0] == std::vector<double>{0, 90});
    CHECK(table.columns[1] == std::vector<double>{1, 2});
  }
  for (const auto& [text, message] : {std::pair{"0,1\n90,x\n", "t.csv:2: \"x\" in column 2 is not a finite number"},
                                      {"0,1\n90\n", "t.csv:2: 1 fields where 2 are expected"},
                                      {"0,nan\n", "is not a finite number"},
                                      {"\"1,234\",\"2\"\n", "\"1,234\" in column 1 is not a finite number"},
                                      {"0.98 0,01\n1 2\n", "t.csv:1: \"0.98 0\" in column 1"},
                                      {"0.5;1\n0,5;2\n", "t.csv:2: both decimal points and decimal commas"},
                                      {"# nothing\n", "no row of numbers"}}) {
    write_file(path, text);
    CHECK_THROWS_WITH_AS(read_number_table(path), doctest::Contains(message), InvalidInput);
  }
}

TEST_CASE("number tables: fields that may be empty are NaN, others are told; words and empty fields end a row early") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "t.csv";
  const std::vector<std::string_view> words = {"type"}, optional = {"n1", "n2", "ux"};
  write_file(path, "type,n1,n2\nvertex,7\nline,3,4\nvoid\n\"a\",,5\n");
  const NumberTable cells = read_number_table(path, words, optional);
  CHECK(cells.texts.at("type") == std::vector<std::string>{"vertex", "line", "void", "a"});
  REQUIRE(cells.rows() == 4);
  CHECK(cells.columns[1][0] == 7);
  CHECK(std::isnan(cells.columns[2][0]));
  CHECK(cells.columns[2][1] == 4);
  CHECK(std::isnan(cells.columns[1][2]));
  CHECK(std::isnan(cells.columns[1][3]));
  CHECK(cells.columns[2][3] == 5);
  CHECK(cells.lines == std::vector<std::size_t>{2, 3, 4, 5});
  write_file(path, "x;ux\n0,5;\n1,5;2\n");
  const NumberTable nodes = read_number_table(path, {}, optional);
  CHECK(nodes.columns[0] == std::vector<double>{0.5, 1.5});
  CHECK(std::isnan(nodes.columns[1][0]));
  CHECK(nodes.columns[1][1] == 2);
  for (const auto& [text, message] :
       {std::pair{"x,ux\n0,1\n,1\n", "t.csv:3: \"\" in column 1"},
        {"x,ux\n0,nan\n", "t.csv:2: \"nan\" in column 2"},
        {"x,ux\n0,1,2\n", "t.csv:2: 3 fields where 2"},
        {"x,ux,y\n0,1\n", "t.csv:2: 2 fields where 3 are expected; none in column 3, \"y\""}}) {
    write_file(path, text);
    CHECK_THROWS_WITH_AS(read_number_table(path, words, optional), doctest::Contains(message), InvalidInput);
  }
}

TEST_CASE("a table that is written as CSV is read back exactly") {
  const TemporaryFolder folder;
  Table table({"t", "box1.x"});
  table.add_row({0, 0.1});
  table.add_row({1e-3, -1.0 / 3});
  write_csv(table, folder.path() / "run.csv");
  const NumberTable read = read_number_table(folder.path() / "run.csv");
  CHECK(read.names == table.names());
  CHECK(read.columns == std::vector{table["t"], table["box1.x"]});
}

TEST_CASE("figures keep script and data beside the picture; a broken script leaves no half picture") {
  const TemporaryFolder folder;
  Figure figure("f", 200, 100);
  const std::string data = figure.add_data("line", {{0, 0}, {1, 2}, {}});
  figure.add("plot '" + data + "' with lines title " + gnuplot_string("it's"));
  const auto saved = figure.save(folder.path());
  CHECK(saved.problem == "");
  CHECK(std::filesystem::exists(folder.path() / "f.png"));
  CHECK(read_file(folder.path() / "f-line.dat") == "0 0\n1 2\n\n");
  CHECK(read_file(folder.path() / "f.png").substr(1, 3) == "PNG");

  Figure broken("g", 200, 100);
  broken.add("plot nonsense(");
  CHECK(broken.save(folder.path()).problem.find("gnuplot failed") == 0);
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    CHECK(entry.path().extension() != ".part");
  CHECK_FALSE(std::filesystem::exists(folder.path() / "g.png"));
}

// What is wrong with the system is not a gnuplot that is missing, which would be no error.
TEST_CASE("a gnuplot that cannot be started is told from one that is not there") {
  const TemporaryFolder folder;
  const std::string before = ::getenv("PATH");
  Figure figure("f", 200, 100);
  figure.add("plot x");
  write_file(folder.path() / "gnuplot", "no program, and not to be executed");
  ::setenv("PATH", folder.path().c_str(), 1);
  const auto denied = figure.save(folder.path());
  ::setenv("PATH", "/none", 1);
  const auto missing = figure.save(folder.path());
  ::setenv("PATH", before.c_str(), 1);
  CHECK_FALSE(denied.no_gnuplot);
  CHECK(denied.problem.find("gnuplot could not be started") == 0);
  CHECK(missing.no_gnuplot);
  CHECK(missing.problem.find("gnuplot was not found") == 0);

  // Files can be written one after the other; two ends of a pipe are too many.
  const int next = ::dup(0);
  ::close(next);
  rlimit limit{};
  REQUIRE(::getrlimit(RLIMIT_NOFILE, &limit) == 0);
  const rlimit small{static_cast<rlim_t>(next) + 1, limit.rlim_max};
  ::setrlimit(RLIMIT_NOFILE, &small);
  const auto no_pipe = figure.save(folder.path());
  ::setrlimit(RLIMIT_NOFILE, &limit);
  CHECK_FALSE(no_pipe.no_gnuplot);
  CHECK(no_pipe.problem.find("gnuplot could not be started: pipe: Too many open files") == 0);
}

TEST_CASE("a checkpoint store gives back what was saved last, bit by bit") {
  const TemporaryFolder folder;
  const std::vector<std::vector<double>> rows{{0, 1}, {-0.0, 1e-310}, {2, 5}, {3, 7}};
  const auto first = [&](std::size_t count) {
    Table table({"t", "x"});
    for (std::size_t i = 0; i < count; ++i) table.add_row(rows[i]);
    return table;
  };
  const std::vector<double> memory{0.1, std::numeric_limits<double>::quiet_NaN(), -0.0};
  const auto same = [](std::span<const double> a, std::span<const double> b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
  };
  const auto check = [&](std::size_t count) {
    CheckpointStore store(folder.path(), {"p 1", "s"});
    REQUIRE(store.exists());
    const Checkpoint read = store.load();
    CHECK(read.t == 1.5);
    CHECK(same(read.memory, memory));
    REQUIRE(read.rows.size() == count);
    for (std::size_t i = 0; i < count; ++i) CHECK(same(read.rows[i], rows[i]));
  };
  {
    CheckpointStore store(folder.path(), {"p 1", "s"});
    CHECK_FALSE(store.exists());
    store.save(0.5, memory, first(1));
    store.save(1.5, memory, first(3));
    CheckpointStore second(folder.path(), {"p 1", "s"});
    CHECK_THROWS_WITH_AS(second.load(), doctest::Contains("another run is writing"), InvalidInput);
    CHECK_THROWS_WITH_AS(second.save(2, memory, first(4)), doctest::Contains("another run is writing"), InvalidInput);
    second.remove();
    CHECK(second.exists());
  }
  check(3);
  // Rows that were appended by a run that was killed before it could count them are cut off.
  std::ofstream(folder.path() / "run.checkpoint.rows", std::ios::app | std::ios::binary) << "half a row";
  check(3);
  {
    CheckpointStore store(folder.path(), {"p 1", "s"});
    store.load();
    store.save(1.5, memory, first(4));
  }
  check(4);
  CHECK(std::filesystem::file_size(folder.path() / "run.checkpoint.rows") == 64);
  CHECK_THROWS_WITH_AS(CheckpointStore(folder.path(), {"p 2", "s"}).load(), doctest::Contains("was written by p 1"),
                       InvalidInput);
  CHECK_THROWS_WITH_AS(CheckpointStore(folder.path(), {"p 1", "z"}).load(), doctest::Contains("another scenario"),
                       InvalidInput);
  // Every damage of one bit is seen.
  for (const char* name : {"run.checkpoint", "run.checkpoint.rows"}) {
    const std::string good = read_file(folder.path() / name);
    for (std::size_t i = 0; i < good.size(); ++i) {
      std::string bad = good;
      bad[i] = static_cast<char>(bad[i] ^ (1 << (i % 8)));
      std::ofstream(folder.path() / name, std::ios::binary) << bad;
      CHECK_THROWS_AS(CheckpointStore(folder.path(), {"p 1", "s"}).load(), InvalidInput);
    }
    std::ofstream(folder.path() / name, std::ios::binary) << good;
  }
  check(4);
  // A store that has not loaded begins anew.
  {
    CheckpointStore store(folder.path(), {"p 1", "s"});
    store.save(1.5, memory, first(2));
  }
  check(2);
  CheckpointStore(folder.path(), {"p 1", "s"}).remove();
  CHECK(std::filesystem::is_empty(folder.path()));
}
