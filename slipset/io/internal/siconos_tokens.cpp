#include "slipset/io/internal/siconos_tokens.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstring>

#include "slipset/core/error.hpp"

namespace slipset::internal {
namespace {

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

std::string printable(const char* from, const char* to) {
  std::string text(from, to);
  for (char& c : text)
    if (c < ' ' || c > '~') c = '?';
  return text;
}

}  // namespace

void SiconosTokens::fail(const std::string& what) const {
  throw InvalidInput(fmt::format("{}:{}: {}", name_, line_, what));
}

void SiconosTokens::skip_space() {
  for (; at_ != end_ && is_space(*at_); ++at_) line_ += *at_ == '\n';
}

bool SiconosTokens::at_end() {
  skip_space();
  return at_ == end_;
}

std::string SiconosTokens::next() const {
  const char* from = at_;
  while (from != end_ && is_space(*from)) ++from;
  const char* to = from;
  while (to != end_ && !is_space(*to)) ++to;
  return {from, to};
}

void SiconosTokens::skip_word() {
  skip_space();
  while (at_ != end_ && !is_space(*at_)) ++at_;
}

void SiconosTokens::skip_line() {
  while (at_ != end_ && *at_ != '\n') ++at_;
}

std::size_t SiconosTokens::words_left() const {
  std::size_t words = 0;
  bool within = false;
  for (const char* c = at_; c != end_; ++c) {
    words += !within && !is_space(*c);
    within = !is_space(*c);
  }
  return words;
}

template <class Value>
Value SiconosTokens::token(const char* what, std::size_t index) {
  skip_space();
  const std::string of = index == kNone ? std::string() : fmt::format(" number {}", index);
  if (at_ == end_) fail(fmt::format("the file ends before {}{}", what, of));
  if (*at_ == '+') ++at_;
  Value value{};
  const auto [after, error] = std::from_chars(at_, end_, value);
  if (error != std::errc{} || (after != end_ && !is_space(*after))) {
    const char* stop = at_;
    while (stop != end_ && !is_space(*stop) && stop - at_ < 30) ++stop;
    fail(fmt::format("{}{}: \"{}\" is not a number that fits here", what, of, printable(at_, stop)));
  }
  if (after == end_)
    fail(fmt::format(
        "{}{}: the file ends with this number, {}, and no new line: it may be cut off; if it is whole, add a new line",
        what, of, printable(at_, after)));
  at_ = after;
  return value;
}

double SiconosTokens::number(const char* what, std::size_t index) {
  const double value = token<double>(what, index);
  if (!std::isfinite(value)) fail(fmt::format("{} number {} is not finite", what, index));
  return value;
}

std::size_t SiconosTokens::count(const char* what, std::size_t most, std::size_t index) {
  const std::size_t value = token<std::size_t>(what, index);
  if (value > most) fail(fmt::format("{}: {} is too large; at most {} is possible here", what, value, most));
  return value;
}

void SiconosTokens::expect(const char* what, std::size_t value) {
  if (const std::size_t found = token<std::size_t>(what, kNone); found != value)
    fail(fmt::format("{}: found {}, expected {}", what, found, value));
}

std::size_t SiconosTokens::count_after(const char* skipped, const char* what, std::size_t most) {
  while (at_ != end_ && (is_space(*at_) || std::strchr(skipped, *at_))) line_ += *at_++ == '\n';
  std::size_t value = 0;
  const auto [after, error] = std::from_chars(at_, end_, value);
  if (error != std::errc{})
    fail(fmt::format("{}: found \"{}\", expected a whole number", what, printable(at_, std::min(end_, at_ + 20))));
  if (value > most) fail(fmt::format("{}: {} is too large; at most {} is possible here", what, value, most));
  at_ = after;
  return value;
}

}  // namespace slipset::internal
