#include "slipset/scenario/sweep_checkpoint.hpp"

namespace slipset {
namespace {

// A list as numbers: its head, then a row of numbers per mode.
//   head: at, whether there is a second parameter, its value or 0, modes of the box, modes around it, numbers per row
//   row: Re λ, Im λ, backward error, condition, rounding, whether there is a left vector, right vector, left vector or 0
constexpr std::size_t kHead = 6, kRow = 6;

using Numbers = std::vector<double>;

Numbers key_of(const SweepPoint& point) { return {point.at, point.second ? 1.0 : 0.0, point.second.value_or(0)}; }

void add(Numbers& row, const Eigen::VectorXcd& vector) {
  for (const std::complex<double>& entry : vector) {
    row.push_back(entry.real());
    row.push_back(entry.imag());
  }
}

Numbers row_of(const Eigenpair& pair) {
  Numbers row = {pair.value.real(), pair.value.imag(), pair.backward_error,
                 pair.condition,    pair.rounding,     pair.left.size() > 0 ? 1.0 : 0.0};
  row.reserve(kRow + 4 * static_cast<std::size_t>(pair.right.size()));
  add(row, pair.right);
  add(row, pair.left);
  row.resize(kRow + 4 * static_cast<std::size_t>(pair.right.size()), 0);
  return row;
}

Eigenpair pair_of(const double* row, std::size_t columns) {
  const auto size = static_cast<Eigen::Index>((columns - kRow) / 4);
  const auto vector = [&](const double* from) {
    Eigen::VectorXcd x(size);
    for (Eigen::Index i = 0; i < size; ++i) x[i] = {from[2 * i], from[2 * i + 1]};
    return x;
  };
  Eigenpair pair;
  pair.value = {row[0], row[1]};
  pair.backward_error = row[2];
  pair.condition = row[3];
  pair.rounding = row[4];
  pair.right = vector(row + kRow);
  if (row[5] != 0) pair.left = vector(row + kRow + 2 * size);
  return pair;
}

}  // namespace

SweepCheckpoint::SweepCheckpoint(CheckpointStore* store, double seconds,
                                 std::function<void(const std::string&)> trouble)
    : store_(store), seconds_(seconds), trouble_(std::move(trouble)) {}

std::vector<std::vector<double>> SweepCheckpoint::lists_of(const Checkpoint& checkpoint) {
  std::vector<Numbers> lists;
  std::size_t row = 0;
  for (std::size_t i = 0; i + kHead <= checkpoint.memory.size(); i += kHead) {
    const auto head = checkpoint.memory.begin() + static_cast<std::ptrdiff_t>(i);
    Numbers list(head, head + kHead);
    for (auto left = static_cast<std::size_t>(list[3] + list[4]); left > 0; --left, ++row)
      list.insert(list.end(), checkpoint.rows.at(row).begin(), checkpoint.rows.at(row).end());
    lists.push_back(std::move(list));
  }
  return lists;
}

void SweepCheckpoint::put(const std::vector<double>& list) {
  heads_.insert(heads_.end(), list.begin(), list.begin() + kHead);
  saved_ = store_ != nullptr;
  known_[Numbers(list.begin(), list.begin() + 3)] = list;
}

std::optional<Spectrum> SweepCheckpoint::take(const SweepPoint& point) {
  const auto found = known_.find(key_of(point));
  if (found == known_.end()) return std::nullopt;
  const Numbers list = std::move(found->second);
  known_.erase(found);
  const auto inside = static_cast<std::size_t>(list[3]), around = static_cast<std::size_t>(list[4]),
             columns = static_cast<std::size_t>(list[5]);
  Spectrum spectrum;
  for (std::size_t k = 0; k < inside + around; ++k)
    (k < inside ? spectrum.pairs : spectrum.around).push_back(pair_of(list.data() + kHead + k * columns, columns));
  spectrum.report.complete = true;
  return spectrum;
}

void SweepCheckpoint::keep(const SweepPoint& point, const Spectrum& list) {
  if (!store_ || !list.report.complete) return;
  for (const std::vector<Eigenpair>* pairs : {&list.pairs, &list.around})
    for (const Eigenpair& pair : *pairs) unsaved_.push_back(row_of(pair));
  const Numbers key = key_of(point);
  heads_.insert(heads_.end(), key.begin(), key.end());
  for (const std::size_t count : {list.pairs.size(), list.around.size(), unsaved_.empty() ? 0 : unsaved_.back().size()})
    heads_.push_back(static_cast<double>(count));
  if (std::chrono::duration<double>(std::chrono::steady_clock::now() - last_).count() >= seconds_) save();
}

bool SweepCheckpoint::save() {
  if (!store_ || heads_.empty()) return saved_;
  try {
    store_->append(static_cast<double>(heads_.size() / kHead), heads_, unsaved_);
    unsaved_.clear();
    saved_ = true;
  } catch (const InvalidInput& error) {
    if (trouble_ && !troubled_) trouble_(error.what());
    troubled_ = true;
  }
  last_ = std::chrono::steady_clock::now();
  return saved_;
}

}  // namespace slipset
