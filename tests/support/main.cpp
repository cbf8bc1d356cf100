#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string_view>

// sample_count() is SLIPSET_SAMPLES. What is no count is refused, and fewer than 300: some tests take a hundredth of them,
// and a property of no samples holds.
bool samples_are_right() {
  const char* wanted = std::getenv("SLIPSET_SAMPLES");
  if (!wanted) return true;
  const std::string_view text(wanted);
  int count = 0;
  const auto [end, error] = std::from_chars(text.begin(), text.end(), count);
  return error == std::errc() && end == text.end() && count >= 300;
}

int main(int count, char** arguments) {
  if (!samples_are_right()) {
    std::fprintf(stderr, "SLIPSET_SAMPLES must be a whole number, at least 300, and is '%s'\n",
                 std::getenv("SLIPSET_SAMPLES"));
    return 2;
  }
  return doctest::Context(count, arguments).run();
}
