#include "slipset/contact/internal/sweep_order.hpp"

#include <numeric>

#include "slipset/contact/body_delassus.hpp"

namespace slipset::internal {

// neighbours(i, f): f(j) for all contacts j that share something with i, those before it at least. Each takes the first
// colour that none of them has.
template <class Neighbours>
void SweepOrder::colour(std::size_t n, Neighbours&& neighbours) {
  constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::vector<std::uint32_t> colour(n, kNone), seen;
  for (std::size_t i = 0; i < n; ++i) {
    neighbours(i, [&](std::size_t j) {
      if (colour[j] == kNone) return;
      if (seen.size() <= colour[j]) seen.resize(colour[j] + 1, kNone);
      seen[colour[j]] = static_cast<std::uint32_t>(i);
    });
    std::uint32_t c = 0;
    while (c < seen.size() && seen[c] == i) ++c;
    colour[i] = c;
  }
  const std::size_t colours = n == 0 ? 0 : 1 + *std::max_element(colour.begin(), colour.end());
  colour_starts_.assign(colours + 1, 0);
  for (const std::uint32_t c : colour) ++colour_starts_[c + 1];
  for (std::size_t c = 0; c < colours; ++c) colour_starts_[c + 1] += colour_starts_[c];
  order_.resize(n);
  std::vector<std::size_t> next(colour_starts_.begin(), colour_starts_.end() - 1);
  for (std::size_t i = 0; i < n; ++i) order_[next[colour[i]]++] = static_cast<std::uint32_t>(i);
}

std::vector<std::uint32_t> SweepOrder::take_order() {
  std::vector<std::uint32_t> taken = order_;
  std::iota(order_.begin(), order_.end(), 0U);
  return taken;
}

SweepOrder::SweepOrder(const BlockDelassus& w) {
  // Contacts whose rows have this column, and not the reverse.
  std::vector<std::vector<std::uint32_t>> touched_by(w.contacts());
  for (std::size_t i = 0; i < w.contacts(); ++i)
    for (const std::uint32_t column : w.columns(i))
      if (column > i) touched_by[column].push_back(static_cast<std::uint32_t>(i));
  colour(w.contacts(), [&](std::size_t i, const auto& f) {
    for (const std::uint32_t column : w.columns(i)) f(column);
    for (const std::uint32_t j : touched_by[i]) f(j);
  });
}

SweepOrder::SweepOrder(const BodyDelassus& pairs) {
  colour(pairs.contacts(), [&](std::size_t i, const auto& f) {
    for (const std::uint32_t body : {pairs.contact(i).first, pairs.contact(i).second})
      for (const std::uint32_t j : pairs.contacts_of(body)) f(j);
  });
}

}  // namespace slipset::internal
