#include "app/standard_output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "slipset/core/error.hpp"

namespace slipset::app {
namespace {

// 0, or the reason in errno's numbers.
int write_all(int stream, std::string_view text) {
  while (!text.empty()) {
    const ssize_t done = ::write(stream, text.data(), text.size());
    if (done >= 0) {
      text.remove_prefix(static_cast<std::size_t>(done));
    } else if (errno == EAGAIN) {  // a terminal or pipe that another process made not to wait
      pollfd ready{stream, POLLOUT, 0};
      ::poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

}  // namespace

std::string shown(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7f) {
      result += fmt::format("\\x{:02x}", c);
    } else if (c == 0xc2 && next >= 0x80 && next < 0xa0) {  // U+0080 to U+009F in UTF-8
      result += fmt::format("\\x{:02x}", next);
      ++i;
    } else {
      result += text[i];
    }
  }
  return result;
}

void print_exactly(std::string_view text) {
  if (const int why = write_all(1, text); why != 0)
    throw InvalidInput(fmt::format("standard output cannot be written: {}", std::strerror(why)));
}

void print(std::string_view text) { print_exactly(shown(text)); }

void tell(std::string_view text) { write_all(2, fmt::format("slipset: {}\n", shown(text))); }

void occupy_standard_streams() {
  for (const int stream : {0, 1, 2})
    if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF)
      ::open("/dev/null",
             stream == 2 ? O_WRONLY : O_RDONLY);  // the lowest free number; writing to 1 fails, as it should
}

}  // namespace slipset::app
