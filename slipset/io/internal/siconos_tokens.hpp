// Numbers of Siconos' text files, separated by white space, with the line they are in. For io's own use.
#pragma once

#include <cstddef>
#include <string>

namespace slipset::internal {

class SiconosTokens {
 public:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  SiconosTokens(const std::string& content, const std::string& name)
      : at_(content.data()), end_(content.data() + content.size()), name_(name) {}

  [[noreturn]] void fail(const std::string& what) const;

  // A finite number; `what` and `index` stand in messages.
  double number(const char* what, std::size_t index);
  std::size_t count(const char* what, std::size_t most, std::size_t index = kNone);
  void expect(const char* what, std::size_t value);
  // The same with other characters before it that are skipped, all of them among `skipped`.
  std::size_t count_after(const char* skipped, const char* what, std::size_t most);
  // The next word, without moving on; empty at the end.
  std::string next() const;
  void skip_line();  // what is left of this one
  void skip_word();

  // How many words are left.
  std::size_t words_left() const;
  // Every number takes two characters at least: what cannot be in the file is refused before it is allocated.
  std::size_t most_left() const { return static_cast<std::size_t>(end_ - at_) / 2; }
  bool at_end();

 private:
  template <class Value>
  Value token(const char* what, std::size_t index);
  void skip_space();

  const char *at_, *end_;
  const std::string& name_;
  std::size_t line_ = 1;
};

}  // namespace slipset::internal
