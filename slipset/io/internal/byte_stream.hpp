// An input read once from front to back: bytes, or lines of text. For io's own use.
//   A file of any size passes through one buffer of 1 MiB; pipes are read as files are.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "slipset/io/internal/descriptor.hpp"

namespace slipset::internal {

class ByteStream {
 public:
  // Throws InvalidInput for what open_input refuses.
  explicit ByteStream(const std::filesystem::path& path);

  const std::string& name() const { return name_; }
  const std::optional<std::size_t>& size() const { return input_.size; }  // unknown for a pipe
  // More numbers than this cannot be in the file: each takes two bytes, at least.
  std::size_t most_numbers() const;
  std::uint64_t position() const { return position_; }  // [bytes] taken so far
  // The next `count` bytes (at most 1 MiB) without taking them; fewer only at the end. Valid until the next call.
  std::string_view peek(std::size_t count);
  void take(std::size_t count);  // which were seen by peek
  // All that the buffer has, at least one byte; empty at the end.
  std::string_view buffered();
  [[noreturn]] void fail(const std::string& what) const;  // InvalidInput with file and byte

 private:
  bool fill();  // false at the end

  std::string name_;
  Input input_;
  std::string buffer_;
  std::size_t begin_ = 0, end_ = 0;
  std::uint64_t position_ = 0, read_ = 0;
};

enum class LastLine {
  must_end,   // with a newline: what has none may be cut off within a number
  may_be_cut  // as people write small files by hand
};

// Lines without their ends (\n, \r\n). Zero bytes and lines of more than 1 MiB are no text, and throw InvalidInput.
class TextLines {
 public:
  explicit TextLines(ByteStream& in, LastLine last = LastLine::must_end) : in_(in), last_(last) {}

  std::optional<std::string_view> next();       // valid until the next call; none at the end
  std::size_t number() const { return line_; }  // of the line that next() gave, from 1; at the end one more
  const ByteStream& stream() const { return in_; }
  [[noreturn]] void fail(const std::string& what) const { fail_at(line_, what); }  // InvalidInput with file and line
  [[noreturn]] void fail_at(std::size_t line, const std::string& what) const;

 private:
  ByteStream& in_;
  LastLine last_;
  std::string line_text_;  // only of a line that ends in the next buffer
  std::size_t line_ = 0, pending_ = 0;
  bool at_end_ = false;
};

// The first words of a line, between blanks.
struct Words {
  std::array<std::string_view, 8> word;
  std::size_t count = 0;  // of all words of the line, may be more than 8
};
Words words_of(std::string_view line);

// In quotes, shortened, and without what a terminal would not print.
std::string in_quotes(std::string_view text);
std::string upper_case(std::string_view text);
std::optional<std::int64_t> whole_number(std::string_view text);  // with a sign, nothing around it

}  // namespace slipset::internal
