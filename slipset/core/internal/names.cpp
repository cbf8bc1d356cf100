#include "slipset/core/internal/names.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

namespace slipset::internal {
namespace {

// Insertions, deletions, replacements and swaps of neighbours that lead from a to b.
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

std::string nearest_name(std::string_view name, std::span<const std::string_view> names) {
  std::string_view best;
  std::size_t least = name.size() / 3 + 2;  // a short name forgives fewer edits
  for (const std::string_view candidate : names) {
    const std::size_t distance = lower_case(name) == lower_case(candidate) ? 0 : edits(name, candidate);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return std::string(best);
}

}  // namespace slipset::internal
