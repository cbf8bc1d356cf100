#include "app/ranks.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <optional>

#include "slipset/core/error.hpp"

namespace slipset::app {
namespace {

std::optional<int> number(const char* variable) {
  const char* const text = std::getenv(variable);
  if (!text) return std::nullopt;
  const std::string_view view(text);
  int value = 0;
  const auto [end, error] = std::from_chars(view.data(), view.data() + view.size(), value);
  if (error != std::errc() || end != view.data() + view.size()) return std::nullopt;
  return value;
}

}  // namespace

Ranks ranks() {
  // Open MPI; MPICH, Intel's and Slurm's.
  for (const auto& [mine, all] :
       {std::pair{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, {"PMI_RANK", "PMI_SIZE"}}) {
    const auto rank = number(mine), size = number(all);
    if (rank && size && *size > 0 && *rank >= 0 && *rank < *size) return {*rank, *size};
  }
  return {};
}

void require_one_rank(std::string_view work) {
  if (const int all = ranks().all; all > 1)
    throw InvalidInput(fmt::format("{}: works on one rank, and there are {}; start it without mpirun", work, all));
}

}  // namespace slipset::app
