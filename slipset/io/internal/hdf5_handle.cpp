#include "slipset/io/internal/hdf5_handle.hpp"

#include <fmt/format.h>

#include "slipset/core/error.hpp"

namespace slipset::internal {
namespace {

// The innermost description of the last error.
std::string reason() {
  std::string text;
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_UPWARD,
      [](unsigned depth, const H5E_error2_t* error, void* out) -> herr_t {
        if (depth == 0 && error->desc) *static_cast<std::string*>(out) = error->desc;
        return 0;
      },
      &text);
  return text.empty() ? "no reason given" : text;
}

}  // namespace

hid_t checked(hid_t id, const std::string& what) {
  if (id < 0) throw InvalidInput(fmt::format("HDF5: {}: {}", what, reason()));
  return id;
}

Hdf5Handle text_type() {
  Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "text");
  checked(H5Tset_size(*type, H5T_VARIABLE), "text");
  checked(H5Tset_cset(*type, H5T_CSET_UTF8), "text");
  return type;
}

Hdf5Handle properties(hid_t kind) { return {H5Pcreate(kind), H5Pclose, "properties"}; }

Hdf5Handle without_times(hid_t kind) {
  Hdf5Handle creation = properties(kind);
  checked(H5Pset_obj_track_times(*creation, false), "times");
  return creation;
}

Hdf5Handle open_object(hid_t file, const std::string& name) {
  return {H5Oopen(file, name.c_str(), H5P_DEFAULT), H5Oclose, name};
}

Hdf5Handle open_image(const void* owner, const std::string* bytes) {
  const std::string name = fmt::format("{}.h5", fmt::ptr(owner));
  const Hdf5Handle access = properties(H5P_FILE_ACCESS);
  checked(H5Pset_fapl_core(*access, std::size_t{1} << 20, false), "memory");
  if (!bytes) {
    const Hdf5Handle creation = without_times(H5P_FILE_CREATE);
    return {H5Fcreate(name.c_str(), H5F_ACC_TRUNC, *creation, *access), H5Fclose, "new file"};
  }
  if (bytes->empty()) throw InvalidInput("HDF5: not an HDF5 file: it is empty");
  // It is copied from, and not changed.
  checked(H5Pset_file_image(*access, const_cast<char*>(bytes->data()), bytes->size()), "memory");
  return {H5Fopen(name.c_str(), H5F_ACC_RDONLY, *access), H5Fclose, "not an HDF5 file"};
}

Hdf5Handle strided_space(std::size_t count, std::size_t stride, const std::string& what) {
  const hsize_t size = stride * (count - 1) + 1, start = 0, step = stride, number = count;
  Hdf5Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose, what);
  checked(H5Sselect_hyperslab(*space, H5S_SELECT_SET, &start, &step, &number, nullptr), what);
  return space;
}

void select_row(hid_t space, std::size_t row, std::size_t columns, const std::string& what) {
  const hsize_t start[] = {row, 0}, count[] = {1, columns};
  checked(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, count, nullptr), what);
}

}  // namespace slipset::internal
