// Variables of a MATLAB file, by matio. For io's own use.
#pragma once

#include <matio.h>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

namespace slipset::internal {

// Throws InvalidInput, with what to do, for what can be no MATLAB file. Read it after_trial(): files of version 7.3 are
// HDF5, whose library crashes on some damaged ones.
void require_mat_file(const std::filesystem::path& path);

using MatFile = std::unique_ptr<mat_t, int (*)(mat_t*)>;
using MatVariable = std::unique_ptr<matvar_t, void (*)(matvar_t*)>;
// Throws InvalidInput if it is none, or is cut off.
MatFile open_mat_file(const std::filesystem::path& path);
MatVariable owned(matvar_t* variable);  // may be null

// use(numbers), a span of the type that `type` names; false if those are no real numbers.
template <class Use>
bool with_numbers(matio_classes type, const void* data, std::size_t count, const Use& use) {
  const auto as = [&]<class T>(const T*) {
    use(std::span<const T>(static_cast<const T*>(data), count));
    return true;
  };
  switch (type) {
    case MAT_C_DOUBLE: return as(static_cast<const double*>(nullptr));
    case MAT_C_SINGLE: return as(static_cast<const float*>(nullptr));
    case MAT_C_INT64: return as(static_cast<const mat_int64_t*>(nullptr));
    case MAT_C_UINT64: return as(static_cast<const mat_uint64_t*>(nullptr));
    case MAT_C_INT32: return as(static_cast<const mat_int32_t*>(nullptr));
    case MAT_C_UINT32: return as(static_cast<const mat_uint32_t*>(nullptr));
    case MAT_C_INT16: return as(static_cast<const mat_int16_t*>(nullptr));
    case MAT_C_UINT16: return as(static_cast<const mat_uint16_t*>(nullptr));
    case MAT_C_INT8: return as(static_cast<const mat_int8_t*>(nullptr));
    case MAT_C_UINT8: return as(static_cast<const mat_uint8_t*>(nullptr));
    default: return false;
  }
}

}  // namespace slipset::internal
