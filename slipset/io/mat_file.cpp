#include "slipset/io/mat_file.hpp"

#include <fmt/format.h>

#include "slipset/core/error.hpp"
#include "slipset/io/internal/mat_variables.hpp"
#include "slipset/io/internal/trial.hpp"

namespace slipset {
namespace {

std::vector<double> numbers_of(const matvar_t& variable) {
  std::vector<double> numbers;
  if (variable.isComplex != 0 || variable.data == nullptr || variable.data_size <= 0) return numbers;
  internal::with_numbers(variable.class_type, variable.data,
                         variable.nbytes / static_cast<std::size_t>(variable.data_size),
                         [&](const auto& values) { numbers.assign(values.begin(), values.end()); });
  return numbers;
}

std::map<std::string, std::vector<double>> read_arrays(const std::filesystem::path& path) {
  const internal::MatFile file = internal::open_mat_file(path);
  std::map<std::string, std::vector<double>> arrays;
  while (const internal::MatVariable variable = internal::owned(Mat_VarReadNext(file.get()))) {
    std::vector<double> numbers = numbers_of(*variable);
    if (variable->name != nullptr && !numbers.empty()) arrays[variable->name] = std::move(numbers);
  }
  return arrays;
}

}  // namespace

std::map<std::string, std::vector<double>> read_mat_file(const std::filesystem::path& path) {
  internal::require_mat_file(path);
  std::map<std::string, std::vector<double>> arrays =
      internal::after_trial(path.string(), [&] { return read_arrays(path); });
  if (arrays.empty()) throw InvalidInput(fmt::format("{}: no array of real numbers in it", path.string()));
  return arrays;
}

}  // namespace slipset
