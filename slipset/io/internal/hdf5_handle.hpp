// Handles of HDF5 that close themselves, and files in memory. For io's own use.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <string>
#include <utility>

namespace slipset::internal {

// HDF5 prints its error stack unless told not to; the setting is put back.
class Hdf5Quiet {
 public:
  Hdf5Quiet() {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Hdf5Quiet() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }
  Hdf5Quiet(const Hdf5Quiet&) = delete;
  Hdf5Quiet& operator=(const Hdf5Quiet&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

// The id, if it is one. Throws InvalidInput with HDF5's own reason.
hid_t checked(hid_t id, const std::string& what);

class Hdf5Handle {
 public:
  Hdf5Handle(hid_t id, herr_t (*close)(hid_t), const std::string& what) : id_(checked(id, what)), close_(close) {}
  ~Hdf5Handle() {
    if (id_ >= 0) close_(id_);
  }
  Hdf5Handle(const Hdf5Handle&) = delete;
  Hdf5Handle& operator=(const Hdf5Handle&) = delete;
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  hid_t operator*() const { return id_; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

// Of variable length: the size of an attribute is otherwise limited to 64 kB.
Hdf5Handle text_type();
Hdf5Handle properties(hid_t kind);
Hdf5Handle without_times(hid_t kind);
Hdf5Handle open_object(hid_t file, const std::string& name);
// In memory, from these bytes if there are any. HDF5 identifies open files by name: `owner` makes them different.
Hdf5Handle open_image(const void* owner, const std::string* bytes);
// Of `count` numbers in memory, one in `stride`.
Hdf5Handle strided_space(std::size_t count, std::size_t stride, const std::string& what);
// Of a space of two dimensions.
void select_row(hid_t space, std::size_t row, std::size_t columns, const std::string& what);

}  // namespace slipset::internal
