#include "slipset/stability/spectrum/internal/team.hpp"

#include <algorithm>
#include <stdexcept>

#include "slipset/stability/spectrum/parallel.hpp"

namespace slipset::internal {
namespace {

void share_vector(Eigen::VectorXcd& x, int root, MPI_Comm comm) {
  auto size = static_cast<int>(x.size());
  MPI_Bcast(&size, 1, MPI_INT, root, comm);
  x.resize(size);
  MPI_Bcast(x.data(), 2 * size, MPI_DOUBLE, root, comm);
}

}  // namespace

Team::Team(int ranks_per_group) : world_((start_petsc(), PETSC_COMM_WORLD)) {
  MPI_Comm_rank(world_, &rank_);
  MPI_Comm_size(world_, &size_);
  int ranks = std::clamp(ranks_per_group, 1, size_);
  while (size_ % ranks != 0) ++ranks;
  groups_ = size_ / ranks;
  mine_ = rank_ / ranks;
  MPI_Comm_split(world_, mine_, rank_, &group_);
}

Team::~Team() { MPI_Comm_free(&group_); }

void Team::together(const std::function<void()>& f) const {
  std::string error;
  try {
    f();
  } catch (const std::exception& problem) {
    if (size_ == 1) throw;
    error = problem.what();
  }
  if (size_ == 1) return;
  int mine = error.empty() ? size_ : rank_, first = size_;
  MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, world_);
  if (first == size_) return;
  auto length = static_cast<int>(error.size());
  MPI_Bcast(&length, 1, MPI_INT, first, world_);
  error.resize(static_cast<std::size_t>(length));
  MPI_Bcast(error.data(), length, MPI_CHAR, first, world_);
  throw std::runtime_error(error);
}

bool Team::agreed(bool mine) const {
  int word = mine;
  MPI_Bcast(&word, 1, MPI_INT, 0, world_);
  return word != 0;
}

void Team::share(ShiftResult& result, int from_group) const {
  if (size_ == 1) return;
  const int root = from_group * (size_ / groups_);
  int counts[3] = {static_cast<int>(result.found.size()), static_cast<int>(result.error.size()), result.invalid_input};
  MPI_Bcast(counts, 3, MPI_INT, root, world_);
  result.found.resize(static_cast<std::size_t>(counts[0]));
  result.error.resize(static_cast<std::size_t>(counts[1]));
  result.invalid_input = counts[2] != 0;
  MPI_Bcast(result.error.data(), counts[1], MPI_CHAR, root, world_);
  double numbers[4] = {result.report.shift.real(), result.report.shift.imag(), result.report.radius,
                       result.report.seconds};
  MPI_Bcast(numbers, 4, MPI_DOUBLE, root, world_);
  MPI_Bcast(&result.report.found, 1, MPI_INT, root, world_);
  result.report.shift = {numbers[0], numbers[1]};
  result.report.radius = numbers[2];
  result.report.seconds = numbers[3];
  for (Found& one : result.found) {
    double own[6] = {one.pair.value.real(), one.pair.value.imag(), one.pair.backward_error,
                     one.pair.condition,    one.pair.rounding,     one.distance};
    MPI_Bcast(own, 6, MPI_DOUBLE, root, world_);
    MPI_Bcast(&one.run, 1, MPI_INT, root, world_);
    one.pair.value = {own[0], own[1]};
    one.pair.backward_error = own[2];
    one.pair.condition = own[3];
    one.pair.rounding = own[4];
    one.distance = own[5];
    share_vector(one.pair.right, root, world_);
    share_vector(one.pair.left, root, world_);
  }
}

void Team::share(std::vector<std::complex<double>>& values) const {
  if (groups_ == 1) return;
  int group_rank = 0;
  MPI_Comm_rank(group_, &group_rank);
  if (group_rank != 0) std::fill(values.begin(), values.end(), 0);
  MPI_Allreduce(MPI_IN_PLACE, values.data(), 2 * static_cast<int>(values.size()), MPI_DOUBLE, MPI_SUM, world_);
}

void Team::share(std::vector<double>& numbers, int from_group) const {
  if (size_ == 1) return;
  const int root = from_group * (size_ / groups_);
  auto size = static_cast<int>(numbers.size());
  MPI_Bcast(&size, 1, MPI_INT, root, world_);
  numbers.resize(static_cast<std::size_t>(size));
  MPI_Bcast(numbers.data(), size, MPI_DOUBLE, root, world_);
}

int Team::sum_over_groups(int value) const {
  int group_rank = 0, own = 0, sum = 0;
  MPI_Comm_rank(group_, &group_rank);
  if (group_rank == 0) own = value;
  MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, world_);
  return sum;
}

}  // namespace slipset::internal

namespace slipset {

void share_among_ranks(std::size_t count, const std::function<std::vector<double>(std::size_t)>& work,
                       const std::function<void(std::size_t, const std::vector<double>&)>& take) {
  const internal::Team team(1);
  const auto ranks = static_cast<std::size_t>(team.groups()), mine = static_cast<std::size_t>(team.mine());
  std::vector<std::vector<double>> results(count);
  team.together([&] {
    for (std::size_t i = mine; i < count; i += ranks) results[i] = work(i);
  });
  for (std::size_t i = 0; i < count; ++i) team.share(results[i], static_cast<int>(i % ranks));
  for (std::size_t i = 0; i < count; ++i) take(i, results[i]);
}

}  // namespace slipset
