// What the tests stand on, tested in every test program: numbers that must not be equal are not, and counters count.
#include <doctest/doctest.h>

#include <Eigen/Core>
#include <cstdlib>
#include <limits>
#include <memory>
#include <sstream>

#include "tests/support/counting_allocations.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random.hpp"

using namespace slipset::test;

bool samples_are_right();  // main.cpp

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

class SamplesWanted {
 public:
  explicit SamplesWanted(const char* text) {
    if (const char* now = std::getenv("SLIPSET_SAMPLES")) before_ = now;
    text ? ::setenv("SLIPSET_SAMPLES", text, 1) : ::unsetenv("SLIPSET_SAMPLES");
  }
  ~SamplesWanted() { before_ ? ::setenv("SLIPSET_SAMPLES", before_->c_str(), 1) : ::unsetenv("SLIPSET_SAMPLES"); }
  SamplesWanted(const SamplesWanted&) = delete;
  SamplesWanted& operator=(const SamplesWanted&) = delete;

 private:
  std::optional<std::string> before_;
};

}  // namespace

TEST_CASE("support: near is relative, for small numbers and large ones") {
  for (const double x : {1e-300, -1e-12, 1e-3, 1.0, -7.0, 1e12, 1e300}) {
    CHECK(x == near(x, 1e-15));
    CHECK(x * (1 + 0.9e-6) == near(x, 1e-6));
    CHECK(x * (1 - 0.9e-6) == near(x, 1e-6));
    CHECK_FALSE(x * (1 + 1.1e-6) == near(x, 1e-6));
    CHECK_FALSE(x * (1 - 1.1e-6) == near(x, 1e-6));
    CHECK_FALSE(-x == near(x, 1e-6));
    CHECK_FALSE(0 == near(x, 1e-6));
  }
  CHECK_THROWS_AS(near(0, 1e-6), std::logic_error);
  CHECK_THROWS_AS(near(1, 0), std::logic_error);
  CHECK_THROWS_AS(near(1, kNan), std::logic_error);
}

TEST_CASE("support: within is absolute") {
  CHECK(1e-7 == within(0, 1.1e-7));
  CHECK_FALSE(1e-7 == within(0, 0.9e-7));
  CHECK(1000.5 == within(1000, 0.6));
  CHECK_FALSE(999.5 == within(1000, 0.4));
}

TEST_CASE("support: NaN and infinity are near nothing") {
  for (const double x : {kNan, -kNan, kInfinity, -kInfinity}) {
    for (const double y : {0.5, kNan, kInfinity}) {
      CHECK_FALSE(x == near(y, 1));
      CHECK_FALSE(x == within(y, 1));
      CHECK_FALSE(y == near(x, 1));
      CHECK_FALSE(y == within(x, 1));
    }
  }
}

TEST_CASE("support: a failed comparison tells the expected number and the difference") {
  const Near expected = near(0.25, 1e-9);
  CHECK_FALSE(0.2500001 == expected);
  std::ostringstream text;
  text << expected;
  CHECK(text.str() == "0.25 (off by 4e-07 relative, allowed 1e-09)");
}

TEST_CASE("support: the worst of samples keeps a NaN, wherever it came, and needs a sample") {
  const auto worst = [](std::initializer_list<double> samples) {
    Worst all;
    for (const double x : samples) all.add(x);
    CHECK(all.count() == static_cast<long>(samples.size()));
    return all.value();
  };
  CHECK(worst({1, 3, 2}) == 3);
  CHECK(worst({-3, -1, -2}) == -1);
  CHECK(worst({1, kInfinity, 2}) == kInfinity);
  CHECK(std::isnan(worst({kNan})));
  CHECK(std::isnan(worst({kNan, 1})));
  CHECK(std::isnan(worst({1, kNan, 2, kInfinity})));
  CHECK(std::isnan(worst({2, 1, kNan})));
  CHECK_THROWS_AS(worst({}), std::logic_error);
}

TEST_CASE("support: the least of samples keeps a NaN too") {
  Least least;
  CHECK_THROWS_AS(least.value(), std::logic_error);
  for (const double x : {2.0, -3.0, 1.0}) least.add(x);
  CHECK(least.value() == -3);
  least.add(kNan);
  least.add(-5);
  CHECK(std::isnan(least.value()));
}

TEST_CASE("support: SLIPSET_SAMPLES is a whole number of samples, at least 300, or is refused") {
  {
    const SamplesWanted none(nullptr);
    CHECK(samples_are_right());
    CHECK(sample_count() == 3000);
  }
  for (const char* wrong : {"x", "", "0", "-5", "299", "1000x", "1e6", "300.5", "99999999999999"}) {
    const SamplesWanted wanted(wrong);
    CHECK_FALSE(samples_are_right());
  }
  const SamplesWanted wanted("301");
  CHECK(samples_are_right());
  CHECK(sample_count() == 301);
}

// A sanitizer has its own malloc, and the counter stays at 0.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_CASE("support: the counter of allocations counts each way to memory") {
  const auto counted = [](auto&& allocate) {
    const std::size_t before = allocations();
    allocate();
    return allocations() - before;
  };
  // volatile: the compiler may leave out an allocation that nobody uses.
  void* volatile kept = nullptr;
  CHECK(counted([] {}) == 0);
  CHECK(counted([&] { kept = std::malloc(10); }) == 1);
  CHECK(counted([&] { kept = std::realloc(kept, 1000); }) == 1);
  std::free(kept);
  CHECK(counted([&] { kept = std::calloc(10, 3); }) == 1);
  std::free(kept);
  CHECK(counted([&] { kept = ::operator new(10); }) == 1);
  ::operator delete(kept);
  CHECK(counted([&] { kept = ::operator new(256, std::align_val_t(64)); }) == 1);
  ::operator delete(kept, std::align_val_t(64));
  std::vector<double> numbers;
  CHECK(counted([&] { numbers.resize(100); }) == 1);
  Eigen::VectorXd vector;
  CHECK(counted([&] { vector.resize(100); }) == 1);
}
#endif
