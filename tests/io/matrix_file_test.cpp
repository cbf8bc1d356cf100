// Matrices of finite element programs: what independent writers wrote comes back, bit by bit.
#include "slipset/io/matrix_file.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <csignal>
#include <fstream>
#include <thread>

#include "slipset/io/files.hpp"
#include "slipset/io/internal/fortran_numbers.hpp"
#include "slipset/io/matrix_market.hpp"
#include "tests/io/matrix_writers.hpp"
#include "tests/support/near.hpp"
#include "tests/support/refused.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

MatrixFile read(const std::string& name, const std::string& content, const std::string& matrix = "") {
  const TemporaryFolder folder;
  write_file(folder.path() / name, content);
  MatrixFile file = read_matrix_file(folder.path() / name, matrix);
  CHECK(file.matrix.isCompressed());
  return file;
}

// Sorted labels of n degrees of freedom, of nodes with three each, with gaps between their labels.
std::vector<DofLabel> labels_of(Random& random, int n) {
  std::vector<DofLabel> labels;
  for (std::int64_t node = random.integer(1, 50); static_cast<int>(labels.size()) < n; node += random.integer(1, 900))
    for (int dof = 1; dof <= 3 && static_cast<int>(labels.size()) < n; ++dof) labels.push_back({node, dof});
  return labels;
}

// Only those that have an entry: others are not in the file.
std::vector<DofLabel> used(const std::vector<DofLabel>& labels, const Eigen::MatrixXd& m) {
  std::vector<DofLabel> some;
  for (Eigen::Index i = 0; i < m.rows(); ++i)
    if (m.row(i).any() || m.col(i).any()) some.push_back(labels[static_cast<std::size_t>(i)]);
  return some;
}

struct Symmetry {
  const char *name, *type;
  Part part;
  int mirror;
  StoredAs stored_as;
};
constexpr Symmetry kSymmetries[] = {{"general", "RUA", Part::all, 0, StoredAs::general},
                                    {"symmetric", "RSA", Part::lower, 1, StoredAs::symmetric},
                                    {"skew-symmetric", "RZA", Part::strictly_lower, -1, StoredAs::skew_symmetric}};

}  // namespace

TEST_CASE("Matrix Market: sparse, in any order, as the dense reader reads it") {
  Random random(11);
  for (int repeat = 0; repeat < 20; ++repeat)
    for (const Symmetry& s : kSymmetries) {
      const int n = random.integer(1, 30);
      const Entries entries =
          random_entries(random, n, s.mirror == 0 ? random.integer(1, 30) : n, s.part).shuffled(random);
      const std::string text = matrix_market(entries, s.name);
      const MatrixFile file = read("m.mtx", text);
      CHECK(Eigen::MatrixXd(file.matrix) == entries.dense(s.mirror));
      CHECK(file.stored_as == s.stored_as);
      CHECK(file.format == "Matrix Market");
      CHECK(file.rows.empty());
      const TemporaryFolder folder;
      write_file(folder.path() / "m", text);
      CHECK(read_matrix_market(folder.path() / "m") == Eigen::MatrixXd(file.matrix));
      CHECK(Eigen::MatrixXd(read_sparse_matrix(folder.path() / "m")) == Eigen::MatrixXd(file.matrix));
    }
  const MatrixFile array = read("m", "%%MatrixMarket matrix array real general\n2 2\n1\n0\n0\n-4\n");
  CHECK(array.matrix.nonZeros() == 2);
  CHECK(array.matrix.coeff(1, 1) == -4);
}

TEST_CASE("Abaqus coordinate: both triangles, either one, or neither symmetric") {
  Random random(12);
  for (int repeat = 0; repeat < 20; ++repeat) {
    Entries lower = random_entries(random, 12, 12, Part::lower).shuffled(random);
    Entries upper = lower, both = lower, unsymmetric = lower;
    for (Entry& e : upper.list) std::swap(e.row, e.column);
    for (const Entry& e : lower.list)
      if (e.row != e.column) {
        both.list.push_back({e.column, e.row, e.value});
        unsymmetric.list.push_back({e.column, e.row, 2 * e.value});
      }
    for (const Entries* entries : {&lower, &upper}) {
      const MatrixFile file = read("job_STIF1.mtx", abaqus_coordinate(*entries));
      CHECK(Eigen::MatrixXd(file.matrix) == lower.dense(1));
      CHECK(file.stored_as == StoredAs::symmetric);
      CHECK(file.format == "Abaqus coordinate");
    }
    CHECK(Eigen::MatrixXd(read("k.mtx", abaqus_coordinate(both)).matrix) == lower.dense(1));
    const MatrixFile file = read("k.mtx", abaqus_coordinate(unsymmetric.shuffled(random)));
    CHECK(Eigen::MatrixXd(file.matrix) == unsymmetric.dense());
    CHECK(file.stored_as == StoredAs::general);
  }
}

TEST_CASE("Abaqus matrix input: numbered by node label, then dof; halves in another order of nodes") {
  Random random(13);
  for (int repeat = 0; repeat < 20; ++repeat) {
    const int n = random.integer(2, 25);
    std::vector<DofLabel> labels = labels_of(random, n);
    labels[0].node = -7;  // a node of Abaqus' own
    Entries entries = random_entries(random, n, n, Part::lower);
    // Each entry on either side of the diagonal.
    for (Entry& e : entries.list)
      if (random.coin()) std::swap(e.row, e.column);
    const std::string text = abaqus_matrix_input(entries.shuffled(random), labels);
    for (const auto& [name, content] :
         {std::pair<std::string, std::string>{"job_MASS2.mtx", text},
          {"any.inp", "** a comment\n*Matrix Input, Name=K, type = symmetric\n" + text}}) {
      const MatrixFile file = read(name, content);
      CHECK(Eigen::MatrixXd(file.matrix) == entries.dense(1));
      CHECK(file.rows == labels);
      CHECK(file.columns == labels);
      CHECK(file.stored_as == (entries.dense().isDiagonal(0) ? StoredAs::general : StoredAs::symmetric));
    }
    const MatrixFile one_sided = read("k.inp", "*MATRIX INPUT, NAME=K, TYPE=UNSYMMETRIC, SCALE FACTOR=-2.\n" + text);
    CHECK(Eigen::MatrixXd(one_sided.matrix) == -2 * entries.dense());
  }
  const std::string two = "*MATRIX INPUT, NAME=K\n1,1,1,1,2.\n*MATRIX INPUT, NAME=M1\n4,1,4,1,5.\n*MATRIX ASSEMBLE\n";
  CHECK(read("two.inp", two, "m1").matrix.coeff(0, 0) == 5);
  CHECK(read("two.inp", two, "m1").rows == std::vector<DofLabel>{{4, 1}});
  CHECK(read("two.inp", two, "K").name == "K");
  CHECK_THROWS_WITH_AS(read("two.inp", two), doctest::Contains("2 matrices; name one of them; it has K, M1"),
                       InvalidInput);
  CHECK_THROWS_WITH_AS(index_of({{4, 1}}, {4, 2}), doctest::Contains("no degree of freedom 2 of node 4"), InvalidInput);
}

TEST_CASE("Nastran DMIG: fields of 8 and 16 columns and between commas, every form") {
  Random random(14);
  for (int repeat = 0; repeat < 20; ++repeat)
    for (const DmigFields fields : {DmigFields::small, DmigFields::large, DmigFields::free}) {
      const int n = random.integer(2, 20);
      const bool brief = fields != DmigFields::free;
      const std::vector<DofLabel> labels = labels_of(random, n);
      const Entries square = random_entries(random, n, n, Part::all, brief).shuffled(random);
      const MatrixFile general = read("k.pch", dmig("KAAX", 1, square, labels, labels, fields), "kaax");
      CHECK(Eigen::MatrixXd(general.matrix) == square.dense());
      CHECK(general.rows == used(labels, square.dense()));
      CHECK(general.columns == general.rows);
      CHECK(general.name == "KAAX");
      Entries half = random_entries(random, n, n, Part::lower, brief).shuffled(random);
      for (Entry& e : half.list)
        if (random.coin()) std::swap(e.row, e.column);
      const MatrixFile symmetric = read("k.pch", dmig("KAAX", 6, half, labels, labels, fields));
      CHECK(Eigen::MatrixXd(symmetric.matrix) == half.dense(1));
      CHECK(symmetric.stored_as == StoredAs::symmetric);
      // Rectangular: one entry in each row and column, at least, for sizes to agree.
      Entries wide = random_entries(random, n, n + 3, Part::all, brief);
      for (int j = n; j < n + 3; ++j)
        if (wide.dense().col(j).isZero(0)) wide.list.push_back({0, j, 0.5});
      const std::vector<DofLabel> points = labels_of(random, n + 3);
      const MatrixFile rectangular = read("k.pch", dmig("PAX", 2, wide.shuffled(random), labels, points, fields));
      CHECK(Eigen::MatrixXd(rectangular.matrix) == wide.dense());
      CHECK(rectangular.rows == labels);
      CHECK(rectangular.columns == points);
      std::vector<DofLabel> numbers;
      for (int j = 0; j < n + 5; ++j) numbers.push_back({j + 1, 0});
      wide.columns = n + 5;  // the last two have no entry
      const MatrixFile numbered = read("k.pch", dmig("PAX", 9, wide, labels, numbers, fields));
      CHECK(Eigen::MatrixXd(numbered.matrix) == wide.dense());
      CHECK(numbered.columns == numbers);
    }
}

TEST_CASE("Nastran DMIG: continuations with several entries, scalar points, other entries beside it") {
  const std::string text =
      "$ punch\n"
      "BEGIN BULK\n"
      "GRID   *101             0               .18             -5.55467E-10    \n"
      "*       0.              0                                               \n"
      "SPOINT  9\n"
      "DMIG    STIF    0       1       2       0                               \n"
      "DMIG    STIF    27      1               101     3       3.+5    0.      +A      \n"
      "+A      101     4       2.5-10          9               -1.D2           \n"
      "DMIG*   STIF                          9               0\n"
      "*                    101               3   1.5\n"
      "*                      9               0   2.5                        $ comment\n"
      "ENDDATA\n"
      "what follows is not read\n";
  const MatrixFile file = read("stif.pch", text);
  CHECK(file.rows == std::vector<DofLabel>{{9, 0}, {27, 1}, {101, 3}, {101, 4}});
  Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(4, 4);
  expected(0, 0) = 2.5;
  expected(0, 1) = -100;
  expected(2, 0) = 1.5;
  expected(2, 1) = 3e5;
  expected(3, 1) = 2.5e-10;
  CHECK(Eigen::MatrixXd(file.matrix) == expected);
}

TEST_CASE("Nastran OP4: text and binary, dense and strings, single and double, both byte orders, both word sizes") {
  Random random(15);
  for (int repeat = 0; repeat < 10; ++repeat)
    for (const Op4Columns columns : {Op4Columns::dense, Op4Columns::strings, Op4Columns::big_strings})
      for (const int type : {1, 2}) {
        const Eigen::MatrixXd m =
            random_entries(random, random.integer(1, 30), random.integer(1, 30), Part::all, type == 1).dense();
        const Eigen::MatrixXd other = Eigen::MatrixXd::Ones(3, 2);
        const std::string text = op4_text("M0", other, 2, 2, columns) + op4_text("KGG", m, 2, type, columns);
        const MatrixFile file = read("k.op4", text, "kgg");
        CHECK(Eigen::MatrixXd(file.matrix) == m);
        CHECK(file.name == "KGG");
        CHECK(file.format == "Nastran OP4, text");
        CHECK_THROWS_WITH_AS(read("k.op4", text), doctest::Contains("2 matrices; name one of them; it has M0, KGG"),
                             InvalidInput);
        for (const bool big_endian : {false, true})
          for (const int word : {4, 8}) {
            const std::string bytes = op4_binary("STIFFNES", m, 2, type, columns, big_endian, word);
            const MatrixFile binary = read("k.op4", bytes);
            CHECK(Eigen::MatrixXd(binary.matrix) == m);
            CHECK(binary.name == "STIFFNES");
            CHECK(binary.format == "Nastran OP4, binary");
          }
      }
}

TEST_CASE("Harwell-Boeing: every type, rows in any order") {
  Random random(16);
  for (int repeat = 0; repeat < 20; ++repeat)
    for (const Symmetry& s : kSymmetries) {
      const int n = random.integer(1, 40);
      const Entries entries = random_entries(random, n, n, s.part).shuffled(random);
      const MatrixFile file = read("k.rsa", harwell_boeing(s.type, entries));
      CHECK(Eigen::MatrixXd(file.matrix) == entries.dense(s.mirror));
      CHECK(file.stored_as == s.stored_as);
      CHECK(file.name == "KEY");
      const Entries wide = random_entries(random, n, n + 2);
      CHECK(Eigen::MatrixXd(read("k", harwell_boeing("RRA", wide)).matrix) == wide.dense());
    }
}

TEST_CASE("MATLAB: sparse and full, by name or as the only one") {
  Random random(17);
  for (int repeat = 0; repeat < 5; ++repeat) {
    const Entries entries = random_entries(random, random.integer(2, 30), random.integer(2, 30));
    MatWriter one, three;
    one.full("size", Eigen::MatrixXd::Constant(1, 1, 3));
    one.sparse("K", entries);
    CHECK(Eigen::MatrixXd(read("k.mat", one.text()).matrix) == entries.dense());
    CHECK(read("k", one.text()).name == "K");  // by its content
    three.full("K", entries.dense());
    three.sparse("M", entries);
    three.full("z", Eigen::MatrixXd::Ones(2, 2), true);
    CHECK(Eigen::MatrixXd(read("k.mat", three.text(), "K").matrix) == entries.dense());
    CHECK(Eigen::MatrixXd(read("k.mat", three.text(), "M").matrix) == entries.dense());
    require_refused({{"no name", [&] { read("k.mat", three.text()); }, "has 3 matrices: K, M, z; name one of them"},
                     {"another name", [&] { read("k.mat", three.text(), "k"); }, "no matrix \"k\"; it has K, M, z"},
                     {"a complex one", [&] { read("k.mat", three.text(), "z"); }, "z is complex"}});
  }
}

TEST_CASE("a pipe is read as a file is") {
  std::signal(SIGPIPE, SIG_IGN);
  const TemporaryFolder folder;
  const std::string pipe = (folder.path() / "pipe").string();
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  Random random(18);
  const Entries entries = random_entries(random, 300, 300);  // more than one buffer
  std::thread writer([&] { std::ofstream(pipe, std::ios::binary) << matrix_market(entries, "general"); });
  CHECK(Eigen::MatrixXd(read_sparse_matrix(pipe)) == entries.dense());
  writer.join();
  writer =
      std::thread([&] { std::ofstream(pipe, std::ios::binary) << "*MATRIX INPUT, NAME=K\n1,1,1,1,2\n1,1,1,1,2\n"; });
  CHECK_THROWS_WITH_AS(read_sparse_matrix(pipe), doctest::Contains("an entry appears twice"), InvalidInput);
  writer.join();
  writer = std::thread([&] { std::ofstream(pipe, std::ios::binary) << MatWriter().text(); });
  CHECK_THROWS_WITH_AS(read_sparse_matrix(pipe), doctest::Contains("cannot be read from a pipe"), InvalidInput);
  writer.join();
}

TEST_CASE("numbers and formats of Fortran") {
  using internal::fortran_format, internal::fortran_real;
  const std::pair<const char*, double> numbers[] = {{"1.5", 1.5},         {"+1.5E+03", 1500},  {"-1.5D-3", -0.0015},
                                                    {"3.+5", 3e5},        {"2.5-10", 2.5e-10}, {"1.d2", 100},
                                                    {"1.5+103", 1.5e103}, {"-.5", -0.5},       {"7", 7}};
  for (const auto& [text, value] : numbers) {
    CAPTURE(text);
    CHECK(fortran_real(text).value_or(kNan) == value);
  }
  for (const char* text : {"", "+", "-", "E5", "1E", "1.5+", "1+2+3", "1.5E+3+3", "1 2", "nan", "inf", "1D999", "1.5F3",
                           "+-1", "1-E5", "--1", "0x10"}) {
    CAPTURE(text);
    CHECK_FALSE(fortran_real(text));
  }
  const auto format = fortran_format("(1P,5E16.8)");
  REQUIRE(format);
  CHECK(format->per_line == 5);
  CHECK(format->width == 16);
  CHECK(format->scaled);
  CHECK_FALSE(fortran_real("1.5", *format));  // Fortran would read 0.15
  CHECK(fortran_real("0.", *format) == 0.0);
  CHECK(fortran_real("1.5E0", *format) == 1.5);
  CHECK_FALSE(fortran_real("15", *fortran_format("(8F10.2)")));  // Fortran would read 0.15
  CHECK(fortran_format("(10I8)")->per_line == 10);
  CHECK_FALSE(fortran_format("(10I8)")->real);
  for (const char* text : {"(4D20.12)", "1P5E16.8E3", "(1P3D25.16)", "(E20.10)", "(8F10.4)"})
    CHECK(fortran_format(text));
  for (const char* text : {"", "()", "(10X)", "(0I8)", "(5I0)", "(10I8", "(5E16.8,I3)", "(99999I8)", "5A8"})
    CHECK_FALSE(fortran_format(text));
}

// Finite element models beside the repository. The numbers were computed from the same files by scipy.
TEST_CASE("finite element models: sizes, symmetry, traces") {
  const std::filesystem::path data = SLIPSET_DATA;
  struct Model {
    const char* file;
    Eigen::Index size, entries;
    double trace, sum;
    int symmetry;  // of the matrix: 1, -1, 0 neither
  };
  constexpr Model models[] = {{"pad/M.mtx", 216, 3360, 0.22222222222222221, 0.75, 1},
                              {"pad/K.mtx", 216, 8078, 5804444444.4444447, 8e7, 1},
                              {"pad/B.mtx", 216, 8078, 1172, 53.5, 1},
                              {"brake/BMLL00.mat", 4669, 93207, 0.013198625554010102, 0.038784545592637734, 1},
                              {"brake/BKLL00.mat", 4669, 280845, 6655733862.0056057, 42978642.509326003, 1},
                              {"brake/BYLL00.mat", 4669, 66643, 0, 0, -1},
                              {"brake/BKQLL00.mat", 4669, 21646, 6.8451738020190724, 0, 0}};
  for (const Model& model : models) {
    CAPTURE(model.file);
    if (!std::filesystem::exists(data / model.file)) {
      MESSAGE("skipped: no ", (data / model.file).string());
      continue;
    }
    const Eigen::SparseMatrix<double> m = read_sparse_matrix(data / model.file);
    CHECK(m.rows() == model.size);
    CHECK(m.cols() == model.size);
    CHECK(m.nonZeros() == model.entries);
    // Sums of up to 3·10⁵ numbers that cancel: ε times the sum of their sizes, with room for its growth.
    const double scale = m.cwiseAbs().sum();
    CHECK(Eigen::VectorXd(m.diagonal()).sum() == within(model.trace, 1e-13 * scale));
    CHECK(m.sum() == within(model.sum, 1e-13 * scale));
    const Eigen::SparseMatrix<double> transposed = m.transpose();
    CHECK(((m - transposed).norm() == 0) == (model.symmetry == 1));
    CHECK(((m + transposed).norm() == 0) == (model.symmetry == -1));
  }
}
