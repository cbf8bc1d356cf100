#include "slipset/io/internal/byte_stream.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <utility>

#include "slipset/core/error.hpp"
#include "slipset/io/files.hpp"

namespace slipset::internal {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 20;

}  // namespace

ByteStream::ByteStream(const std::filesystem::path& path)
    : name_(path.string()), input_(open_input(path)), buffer_(kBuffer, '\0') {}

std::size_t ByteStream::most_numbers() const { return input_.size.value_or(kLargestInput) / 2 + 1; }

void ByteStream::fail(const std::string& what) const {
  throw InvalidInput(fmt::format("{}: byte {}: {}", name_, position_ + 1, what));
}

bool ByteStream::fill() {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  while (end_ < buffer_.size()) {
    const ssize_t got = ::read(input_.file.number(), buffer_.data() + end_, buffer_.size() - end_);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw InvalidInput(fmt::format("{}: cannot be read: {}", name_, std::strerror(errno)));
    if (got == 0) return false;
    end_ += static_cast<std::size_t>(got);
    read_ += static_cast<std::uint64_t>(got);
    // A pipe need not end.
    if (!input_.size && read_ > kLargestInput)
      throw InvalidInput(
          fmt::format("{}: more than {} bytes from a pipe; write them to a file first", name_, kLargestInput));
    return true;
  }
  return true;
}

std::string_view ByteStream::peek(std::size_t count) {
  while (end_ - begin_ < count && fill()) {
  }
  return std::string_view(buffer_).substr(begin_, std::min(count, end_ - begin_));
}

std::string_view ByteStream::buffered() {
  if (begin_ == end_) peek(1);
  return std::string_view(buffer_).substr(begin_, end_ - begin_);
}

void ByteStream::take(std::size_t count) {
  begin_ += count;
  position_ += count;
}

void TextLines::fail_at(std::size_t line, const std::string& what) const {
  throw InvalidInput(fmt::format("{}:{}: {}", in_.name(), line, what));
}

std::optional<std::string_view> TextLines::next() {
  in_.take(std::exchange(pending_, 0));
  if (!at_end_) ++line_;
  line_text_.clear();
  while (true) {
    const std::string_view have = in_.buffered();
    if (have.empty()) {
      at_end_ = true;
      if (line_text_.empty()) return std::nullopt;
      if (last_ == LastLine::must_end)
        fail(
            "the last line has no end, so the file may have been cut off; if it is complete, end it with a "
            "newline");
      break;
    }
    const std::size_t end = have.find('\n');
    const std::string_view part = have.substr(0, end);
    if (part.find('\0') != std::string_view::npos)
      fail("a byte is zero, so this is not a text file; is this the right file?");
    if (end != std::string_view::npos && line_text_.empty()) {  // nearly always: no copy
      pending_ = end + 1;
      return part.ends_with('\r') ? part.substr(0, part.size() - 1) : part;
    }
    line_text_ += part;
    in_.take(part.size() + (end == std::string_view::npos ? 0 : 1));
    if (end != std::string_view::npos) break;
    if (line_text_.size() > kBuffer) fail("a line of more than 1 MiB: not a text file of numbers");
  }
  if (line_text_.ends_with('\r')) line_text_.pop_back();
  return line_text_;
}

Words words_of(std::string_view line) {
  constexpr std::string_view blanks = " \t\r\v\f";
  Words words;
  for (std::size_t at = line.find_first_not_of(blanks); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(blanks, at), line.size());
    if (words.count < words.word.size()) words.word[words.count] = line.substr(at, end - at);
    ++words.count;
    at = line.find_first_not_of(blanks, end);
  }
  return words;
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t most = 60;
  std::string out(text.substr(0, most));
  for (char& c : out)
    if (c < ' ' || c > '~') c = '?';
  return fmt::format("\"{}{}\"", out, text.size() > most ? "..." : "");
}

std::string upper_case(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return out;
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  if (text.starts_with('+') && text.size() > 1 && text[1] != '-') text.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace slipset::internal
