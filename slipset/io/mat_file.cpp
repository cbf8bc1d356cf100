#include "slipset/io/mat_file.hpp"

#include <fmt/format.h>
#include <matio.h>

#include <memory>
#include <optional>

#include "slipset/core/error.hpp"
#include "slipset/io/internal/descriptor.hpp"
#include "slipset/io/internal/trial.hpp"

namespace slipset {
namespace {

// The numbers of a variable of any numeric class.
template <class T>
std::vector<double> as_doubles(const void* data, std::size_t count) {
  const T* const values = static_cast<const T*>(data);
  return {values, values + count};
}

std::vector<double> numbers_of(const matvar_t& variable) {
  if (variable.isComplex != 0 || variable.data == nullptr || variable.data_size <= 0) return {};
  const std::size_t count = variable.nbytes / static_cast<std::size_t>(variable.data_size);
  switch (variable.class_type) {
    case MAT_C_DOUBLE: return as_doubles<double>(variable.data, count);
    case MAT_C_SINGLE: return as_doubles<float>(variable.data, count);
    case MAT_C_INT64: return as_doubles<mat_int64_t>(variable.data, count);
    case MAT_C_UINT64: return as_doubles<mat_uint64_t>(variable.data, count);
    case MAT_C_INT32: return as_doubles<mat_int32_t>(variable.data, count);
    case MAT_C_UINT32: return as_doubles<mat_uint32_t>(variable.data, count);
    case MAT_C_INT16: return as_doubles<mat_int16_t>(variable.data, count);
    case MAT_C_UINT16: return as_doubles<mat_uint16_t>(variable.data, count);
    case MAT_C_INT8: return as_doubles<mat_int8_t>(variable.data, count);
    case MAT_C_UINT8: return as_doubles<mat_uint8_t>(variable.data, count);
    default: return {};
  }
}

std::map<std::string, std::vector<double>> read_arrays(const std::filesystem::path& path) {
  Mat_LogInitFunc("slipset", [](int, char*) {});  // matio would print
  const std::unique_ptr<mat_t, int (*)(mat_t*)> file(Mat_Open(path.c_str(), MAT_ACC_RDONLY), Mat_Close);
  if (!file) throw InvalidInput(fmt::format("{}: not a MATLAB file; save it with save -v7, or as CSV", path.string()));
  std::map<std::string, std::vector<double>> arrays;
  while (matvar_t* const raw = Mat_VarReadNext(file.get())) {
    const std::unique_ptr<matvar_t, void (*)(matvar_t*)> variable(raw, Mat_VarFree);
    std::vector<double> numbers = numbers_of(*variable);
    if (variable->name != nullptr && !numbers.empty()) arrays[variable->name] = std::move(numbers);
  }
  return arrays;
}

}  // namespace

// Files of version 7.3 are HDF5, whose library crashes on some damaged ones.
std::map<std::string, std::vector<double>> read_mat_file(const std::filesystem::path& path) {
  const std::optional<std::size_t> size = internal::open_input(path).size;
  if (!size)
    throw InvalidInput(fmt::format("{}: MATLAB files cannot be read from a pipe; name the file", path.string()));
  if (*size < 128) throw InvalidInput(fmt::format("{}: too short for a MATLAB file", path.string()));
  std::map<std::string, std::vector<double>> arrays =
      internal::after_trial(path.string(), [&] { return read_arrays(path); });
  if (arrays.empty()) throw InvalidInput(fmt::format("{}: no array of real numbers in it", path.string()));
  return arrays;
}

}  // namespace slipset
