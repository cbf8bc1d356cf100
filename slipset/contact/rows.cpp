#include "slipset/contact/rows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "slipset/core/error.hpp"

namespace slipset {
namespace {

void require_rows(int rows) {
  if (rows < 1 || rows > kMostRows)
    throw InvalidInput(fmt::format("contact problem: a contact of {} rows; a contact has 1 to {}", rows, kMostRows));
}

}  // namespace

void RowLayout::assign(std::size_t contacts, int rows) {
  require_rows(rows);
  contacts_ = contacts;
  same_ = rows;
  all_ = rows * static_cast<Eigen::Index>(contacts);
  offsets_.clear();
}

void RowLayout::assign(std::span<const int> rows) {
  for (const int r : rows) require_rows(r);
  if (rows.empty() || std::all_of(rows.begin(), rows.end(), [&](int r) { return r == rows.front(); }))
    return assign(rows.size(), rows.empty() ? 3 : rows.front());
  contacts_ = rows.size();
  same_ = 0;
  offsets_.assign(1, 0);
  for (const int r : rows) offsets_.push_back(offsets_.back() + r);
  all_ = offsets_.back();
}

}  // namespace slipset
