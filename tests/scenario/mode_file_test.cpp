#include "slipset/scenario/mode_file.hpp"

#include <doctest/doctest.h>

#include <cstring>

#include "slipset/core/angle.hpp"
#include "slipset/io/files.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace slipset;

namespace {

using Complex = std::complex<double>;

// Two modes of three unknowns, with values that text would spoil.
Spectrum example() {
  Spectrum spectrum;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double sign : {1.0, -1.0}) {
    Eigenpair pair;
    pair.value = {sign * 0.1, 2 * kPi * 100 / 3};
    pair.right = Eigen::Vector3cd(Complex(sign, -0.0), Complex(1e-310, 0.3), Complex(0.1, sign / 3));
    if (sign > 0) pair.left = Eigen::Vector3cd(Complex(0.2, 1), Complex(-0.0, sign), Complex(1e-17, 0.7));
    pair.backward_error = 1e-17 / 3;
    pair.condition = sign > 0 ? 12.3 : nan;
    pair.rounding = 1e-12;
    spectrum.pairs.push_back(pair);
  }
  SpectrumReport& report = spectrum.report;
  report.method = SpectrumMethod::sparse;
  report.reason = "the list lacks 1 near 30 Hz";
  report.count_proven = 3;
  report.proven = {-1.0 / 3, 1, 0, 1e4};
  report.largest_step = 0.7;
  report.factorisations = 4;
  report.determinants = 50;
  report.solves = 600;
  return spectrum;
}

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }
bool same_bits(const Eigen::VectorXcd& a, const Eigen::VectorXcd& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), sizeof(Complex) * static_cast<std::size_t>(a.size())) == 0;
}

void check_same(const Spectrum& a, const Spectrum& b) {
  REQUIRE(a.pairs.size() == b.pairs.size());
  for (std::size_t i = 0; i < a.pairs.size(); ++i) {
    CHECK(same_bits(a.pairs[i].value.real(), b.pairs[i].value.real()));
    CHECK(same_bits(a.pairs[i].value.imag(), b.pairs[i].value.imag()));
    CHECK(same_bits(a.pairs[i].right, b.pairs[i].right));
    CHECK(same_bits(a.pairs[i].left, b.pairs[i].left));
    CHECK(same_bits(a.pairs[i].backward_error, b.pairs[i].backward_error));
    CHECK(same_bits(a.pairs[i].condition, b.pairs[i].condition));
    CHECK(same_bits(a.pairs[i].rounding, b.pairs[i].rounding));
  }
  CHECK(a.report.method == b.report.method);
  CHECK(a.report.complete == b.report.complete);
  CHECK(a.report.reason == b.report.reason);
  CHECK(a.report.stopped == b.report.stopped);
  CHECK(a.report.count_proven == b.report.count_proven);
  CHECK(a.report.count_listed == b.report.count_listed);
  CHECK(same_bits(a.report.proven.growth_from, b.report.proven.growth_from));
  CHECK(same_bits(a.report.proven.frequency_to, b.report.proven.frequency_to));
  CHECK(same_bits(a.report.largest_step, b.report.largest_step));
  CHECK(a.report.factorisations == b.report.factorisations);
  CHECK(a.report.determinants == b.report.determinants);
  CHECK(a.report.solves == b.report.solves);
}

}  // namespace

TEST_CASE("modes are read back from HDF5 with the same bits") {
  const test::TemporaryFolder folder;
  const auto there_and_back = [&](const Spectrum& spectrum) {
    write_file(folder.path() / "m.h5", modes_hdf5(spectrum));
    check_same(spectrum, read_modes_hdf5(folder.path() / "m.h5"));
  };
  Spectrum spectrum = example();
  there_and_back(spectrum);
  CHECK((modes_hdf5(spectrum) == modes_hdf5(spectrum)));
  spectrum.report.complete = spectrum.report.stopped = true;
  spectrum.report.reason = "";
  spectrum.report.count_listed = 0;
  spectrum.report.count_proven.reset();
  for (Eigenpair& pair : spectrum.pairs) pair.left.resize(0);
  there_and_back(spectrum);
  there_and_back(Spectrum());
  spectrum.pairs[1].right.resize(2);
  CHECK_THROWS_AS(modes_hdf5(spectrum), InvalidInput);
}

TEST_CASE("modes in HDF5: two-dimensional tables, a row per mode, with units; several lists in one file") {
  const test::TemporaryFolder folder;
  const Spectrum spectrum = example();
  Hdf5Writer file;
  add_modes(file, spectrum);
  add_modes(file, Spectrum(), "points/12");
  write_file(folder.path() / "m.h5", file.bytes());
  const Hdf5Reader read(folder.path() / "m.h5");
  check_same(read_modes(read), spectrum);
  CHECK(read_modes(read, "points/12").pairs.empty());
  CHECK_THROWS_WITH_AS(read_modes(read, "points/13"), doctest::Contains("m.h5: no group points/13"), InvalidInput);
  CHECK_THROWS_WITH_AS(read_modes(read, "points"), doctest::Contains("m.h5: not a file of modes"), InvalidInput);
  CHECK(read.column("growth_rate") == std::vector<double>{0.1, -0.1});
  CHECK(std::abs(read.column("frequency_hz")[0] - 100.0 / 3) < 1e-13);
  CHECK(read.text("growth_rate", "unit") == "1/s");
  CHECK(read.text("frequency", "unit") == "rad/s");
  CHECK(read.number("/", "complete") == 0);
  for (const std::string name : {"right/real", "right/imag", "left/real", "left/imag"}) {
    CHECK(read.table_size(name).rows == 2);
    CHECK(read.table_size(name).columns == 3);
  }
  std::vector<double> one(3), two(3);
  read.read_table("right/imag", 3, {{one.data()}, {two.data()}});
  CHECK(two == std::vector<double>{0, 0.3, -1.0 / 3});
}

TEST_CASE("damaged and foreign files of modes are refused with their name") {
  const test::TemporaryFolder folder;
  const auto refuse = [&](const std::string& content, const std::string& words) {
    write_file(folder.path() / "m.h5", content);
    INFO(words);
    CHECK_THROWS_WITH_AS(read_modes_hdf5(folder.path() / "m.h5"), doctest::Contains("m.h5: "), InvalidInput);
    CHECK_THROWS_WITH_AS(read_modes_hdf5(folder.path() / "m.h5"), doctest::Contains(words.c_str()), InvalidInput);
  };
  const std::string whole = modes_hdf5(example());
  for (const std::size_t size : {std::size_t{0}, std::size_t{100}, whole.size() / 2, whole.size() - 1})
    refuse(whole.substr(0, size), "not an HDF5 file");
  refuse("mode,growth_rate\n1,0\n", "not an HDF5 file");
  Hdf5Writer other;
  other.add_column("growth_rate", {1, 2});
  refuse(other.bytes(), "not a file of modes");
  Hdf5Writer half;
  half.add_column("growth_rate", {1, 2});
  half.add_column("frequency", {1});
  half.add_attribute("/", "format", "slipset modes 1");
  refuse(half.bytes(), "frequency has 1 numbers where 2 are expected");
  CHECK_THROWS_WITH_AS(read_modes_hdf5(folder.path() / "none.h5"), doctest::Contains("none.h5"), InvalidInput);
}
