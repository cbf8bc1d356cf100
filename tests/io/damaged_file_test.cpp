// F6: contact problems of HDF5 with one bit changed, anywhere: read or refused, whatever the library does.
#include <doctest/doctest.h>

#include <csignal>
#include <random>

#include "slipset/contact/block_delassus.hpp"
#include "slipset/core/error.hpp"
#include "slipset/io/files.hpp"
#include "slipset/io/internal/trial.hpp"
#include "slipset/io/problem_file.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace slipset;

namespace {

// So many numbers that they are compressed.
std::string problem_bytes() {
  constexpr std::size_t kContacts = 20;
  ContactProblem problem;
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto rows = static_cast<Eigen::Index>(3 * kContacts);
  const Eigen::MatrixXd factor = Eigen::MatrixXd::NullaryExpr(rows, rows, [&] { return number(random); });
  problem.delassus = std::make_shared<BlockDelassus>(factor * factor.transpose());
  problem.free_velocity = Eigen::VectorXd::NullaryExpr(rows, [&] { return number(random); });
  set_isotropic_laws(problem, std::vector<double>(kContacts, 0.5));
  const test::TemporaryFolder folder;
  write_problem(folder.path() / "p.hdf5", problem);
  return read_file(folder.path() / "p.hdf5");
}

}  // namespace

TEST_CASE("F6: one bit changed in an HDF5 problem does not end the process") {
  const std::string good = problem_bytes();
  REQUIRE(parse_problem(good, "good").problem.contacts.size() == 20);
  std::mt19937 random(7);
  int read = 0, refused = 0, crashed = 0;
  for (int k = 0; k < 1500; ++k) {
    std::string bad = good;
    // Half of them at the front, where the headers are.
    const std::size_t at = random() % (k % 2 == 0 ? std::min<std::size_t>(bad.size(), 8000) : bad.size());
    bad[at] = static_cast<char>(bad[at] ^ (1 << (random() % 8)));
    try {
      parse_problem(bad, "bad");
      ++read;
    } catch (const InvalidInput& error) {
      const std::string what = error.what();
      CHECK(what.starts_with("bad"));
      ++refused;
      crashed += what.find("crashes") != std::string::npos;
    }
  }
  CHECK(refused > 0);
  CHECK(read + refused == 1500);
  MESSAGE("HDF5's library crashed on ", crashed, " of 1500");
}

TEST_CASE("what ends a process is tried in another one") {
  CHECK(internal::try_apart([] {}).survived);
  CHECK(internal::try_apart([] {}).thrown == "");
  const std::string long_text(100000, 'x');
  const internal::Trial threw = internal::try_apart([&] { throw InvalidInput(long_text); });
  CHECK(threw.survived);
  CHECK(threw.thrown == long_text);
  CHECK_FALSE(internal::try_apart([] { std::abort(); }).survived);
  CHECK_FALSE(internal::try_apart([] { ::raise(SIGSEGV); }).survived);
  CHECK(internal::after_trial("name", [] { return 7; }) == 7);
  CHECK_THROWS_WITH_AS(internal::after_trial("name", [] { std::abort(); }),
                       doctest::Contains("name: the file is damaged"), InvalidInput);
}
