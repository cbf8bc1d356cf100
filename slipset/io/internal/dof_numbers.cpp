#include "slipset/io/internal/dof_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace slipset::internal {

std::int32_t DofNumbers::number(const DofLabel& label) {
  const auto [at, is_new] = number_.try_emplace(label, static_cast<std::int32_t>(labels_.size()));
  if (is_new) labels_.push_back(label);
  return at->second;
}

std::vector<DofLabel> DofNumbers::sorted() const {
  std::vector<DofLabel> labels = labels_;
  std::sort(labels.begin(), labels.end());
  return labels;
}

std::vector<std::int32_t> DofNumbers::numbers_when_sorted() const {
  std::vector<std::int32_t> order(labels_.size()), numbers(labels_.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) { return label(a) < label(b); });
  for (std::size_t k = 0; k < order.size(); ++k)
    numbers[static_cast<std::size_t>(order[k])] = static_cast<std::int32_t>(k);
  return numbers;
}

std::string told(const DofLabel& label) { return fmt::format("node {}, dof {}", label.node, label.dof); }

}  // namespace slipset::internal
