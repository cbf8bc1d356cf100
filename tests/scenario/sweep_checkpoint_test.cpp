#include "slipset/scenario/sweep_checkpoint.hpp"

#include <doctest/doctest.h>

#include <cstring>

#include "slipset/io/files.hpp"
#include "tests/support/random.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

Eigenpair random_pair(Random& random, Eigen::Index size, bool with_left) {
  Eigenpair pair;
  pair.value = {random.uniform(-1, 1), random.uniform(0, 9)};
  pair.backward_error = 1e-17 / 3;
  pair.condition = random.coin() ? random.uniform(1, 10) : std::numeric_limits<double>::quiet_NaN();
  pair.rounding = -0.0;
  const auto vector = [&] {
    Eigen::VectorXcd x(size);
    for (std::complex<double>& entry : x) entry = {random.uniform(-1, 1), random.uniform(-1, 1) * 1e-310};
    return x;
  };
  pair.right = vector();
  if (with_left) pair.left = vector();
  return pair;
}

Spectrum random_list(Random& random, int inside, int around) {
  Spectrum list;
  for (int i = 0; i < inside; ++i) list.pairs.push_back(random_pair(random, 4, i != 1));
  for (int i = 0; i < around; ++i) list.around.push_back(random_pair(random, 4, true));
  list.report.complete = true;
  return list;
}

bool same_bits(const Eigen::VectorXcd& a, const Eigen::VectorXcd& b) {
  return a.size() == b.size() && (a.size() == 0 || std::memcmp(a.data(), b.data(), 16 * std::size_t(a.size())) == 0);
}

void check_same(const std::vector<Eigenpair>& a, const std::vector<Eigenpair>& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto numbers = [](const Eigenpair& pair) {
      return Eigen::VectorXcd(
          Eigen::Vector3cd(pair.value, {pair.backward_error, pair.condition}, {pair.rounding, 0.0}));
    };
    CHECK(same_bits(numbers(a[i]), numbers(b[i])));
    CHECK(same_bits(a[i].right, b[i].right));
    CHECK(same_bits(a[i].left, b[i].left));
  }
}

}  // namespace

TEST_CASE("lists of a sweep come back from the disk with their bits, each once, and the sweep adds to them") {
  const TemporaryFolder folder;
  const CheckpointOwner owner{"p", "s"};
  Random random(7);
  const std::vector<SweepPoint> points = {{0.1, {}}, {0.2, {}}, {0.1, 0.0}, {0.1, 3.0}, {0.3, {}}};
  std::vector<Spectrum> lists;
  for (const int inside : {3, 0, 2, 1, 4}) lists.push_back(random_list(random, inside, inside > 1 ? 2 : 0));

  const auto resumed = [&](CheckpointStore& store) {
    SweepCheckpoint sweep(&store, 0, {});
    for (const std::vector<double>& list : SweepCheckpoint::lists_of(store.load())) sweep.put(list);
    return sweep;
  };
  {
    CheckpointStore store(folder.path(), owner, "stability");
    SweepCheckpoint sweep(&store, 0, {});
    CHECK_FALSE(sweep.save());
    for (std::size_t i = 0; i < 3; ++i) sweep.keep(points[i], lists[i]);
    Spectrum incomplete = lists[4];
    incomplete.report.complete = false;
    sweep.keep({0.4, {}}, incomplete);
    CHECK(sweep.save());
  }
  {
    CheckpointStore store(folder.path(), owner, "stability");
    SweepCheckpoint sweep = resumed(store);
    CHECK_FALSE(sweep.take({0.4, {}}));
    CHECK_FALSE(sweep.take(points[3]));
    const std::optional<Spectrum> second = sweep.take(points[1]);
    CHECK(second.value().pairs.empty());
    CHECK(second->report.complete);
    for (std::size_t i = 3; i < 5; ++i) sweep.keep(points[i], lists[i]);
  }
  CheckpointStore store(folder.path(), owner, "stability");
  SweepCheckpoint sweep = resumed(store);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::optional<Spectrum> found = sweep.take(points[i]);
    REQUIRE(found);
    check_same(found->pairs, lists[i].pairs);
    check_same(found->around, lists[i].around);
    CHECK_FALSE(sweep.take(points[i]));
  }
}

TEST_CASE("a sweep whose checkpoints cannot be written says so once and goes on") {
  const TemporaryFolder folder;
  write_file(folder.path() / "file", "");
  CheckpointStore store(folder.path() / "file" / "x", {"p", "s"}, "stability");
  std::vector<std::string> told;
  SweepCheckpoint sweep(&store, 0, [&](const std::string& why) { told.push_back(why); });
  Random random(8);
  for (const double at : {1.0, 2.0}) sweep.keep({at, {}}, random_list(random, 2, 0));
  CHECK_FALSE(sweep.save());
  REQUIRE(told.size() == 1);
  CHECK(told[0].find("cannot be written") != std::string::npos);
}
