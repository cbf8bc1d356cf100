#include <fmt/format.h>

#include <algorithm>

#include "slipset/core/error.hpp"
#include "slipset/io/hdf5_file.hpp"
#include "slipset/io/internal/hdf5_handle.hpp"

namespace slipset {
namespace {

using internal::checked;
using internal::Hdf5Handle;
using internal::Hdf5Quiet;
using internal::open_image;
using internal::open_object;
using internal::properties;
using internal::select_row;
using internal::strided_space;
using internal::text_type;
using internal::without_times;

// The groups before the last slash of a name. HDF5 could make them on the way, but with their times.
void make_groups(hid_t file, const std::string& name) {
  const Hdf5Handle creation = without_times(H5P_GROUP_CREATE);
  for (std::size_t slash = name.find('/', 1); slash != std::string::npos; slash = name.find('/', slash + 1)) {
    const std::string group = name.substr(0, slash);
    if (H5Lexists(file, group.c_str(), H5P_DEFAULT) > 0) continue;
    const Hdf5Handle made(H5Gcreate2(file, group.c_str(), H5P_DEFAULT, *creation, H5P_DEFAULT), H5Gclose, name);
  }
}

void write_attribute(hid_t file, const std::string& of, const std::string& name, hid_t type, hid_t space,
                     const void* data) {
  const Hdf5Handle object = open_object(file, of);
  const Hdf5Handle attribute(H5Acreate2(*object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, name);
  checked(H5Awrite(*attribute, type, data), name);
}

Hdf5Handle scalar() { return {H5Screate(H5S_SCALAR), H5Sclose, "space"}; }

}  // namespace

struct Hdf5Writer::File {
  Hdf5Handle handle;
};

Hdf5Writer::Hdf5Writer() {
  const Hdf5Quiet quiet;
  file_ = std::make_unique<File>(File{open_image(this, nullptr)});
}

Hdf5Writer::~Hdf5Writer() {
  const Hdf5Quiet quiet;
  file_.reset();
}

namespace {

void write_column(hid_t file, const std::string& name, hsize_t size, hid_t stored, hid_t native, const void* values) {
  constexpr hsize_t kSmall = 1024;   // below, the index of the chunks is larger than what is gained
  constexpr hsize_t kChunk = 16384;  // 128 kB
  const hsize_t chunk = std::min(size, kChunk);
  const Hdf5Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose, name);
  const Hdf5Handle links = properties(H5P_LINK_CREATE), creation = without_times(H5P_DATASET_CREATE);
  checked(H5Pset_char_encoding(*links, H5T_CSET_UTF8), name);
  make_groups(file, name);
  if (size > kSmall) {
    checked(H5Pset_chunk(*creation, 1, &chunk), name);
    checked(H5Pset_shuffle(*creation), name);
    checked(H5Pset_deflate(*creation, 4), name);
  }
  const Hdf5Handle data(H5Dcreate2(file, name.c_str(), stored, *space, *links, *creation, H5P_DEFAULT), H5Dclose, name);
  if (size > 0) checked(H5Dwrite(*data, native, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), name);
}

}  // namespace

void Hdf5Writer::add_column(const std::string& name, const std::vector<double>& values) {
  const Hdf5Quiet quiet;
  write_column(*file_->handle, name, values.size(), H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values.data());
}

void Hdf5Writer::add_integers(const std::string& name, const std::vector<int>& values) {
  const Hdf5Quiet quiet;
  write_column(*file_->handle, name, values.size(), H5T_STD_I32LE, H5T_NATIVE_INT, values.data());
}

void Hdf5Writer::add_text(const std::string& name, const std::string& text) {
  const Hdf5Quiet quiet;
  make_groups(*file_->handle, name);
  const Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose, name), space = scalar();
  checked(H5Tset_size(*type, text.size() + 1), name);
  const Hdf5Handle creation = without_times(H5P_DATASET_CREATE);
  const Hdf5Handle data(H5Dcreate2(*file_->handle, name.c_str(), *type, *space, H5P_DEFAULT, *creation, H5P_DEFAULT),
                        H5Dclose, name);
  checked(H5Dwrite(*data, *type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.c_str()), name);
}

void Hdf5Writer::add_texts(const std::string& name, const std::vector<std::string>& texts) {
  const Hdf5Quiet quiet;
  std::size_t length = 1;
  for (const std::string& text : texts) length = std::max(length, text.size());
  std::string padded;
  for (const std::string& text : texts) padded += text + std::string(length - text.size(), '\0');
  const Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose, name);
  checked(H5Tset_size(*type, length), name);
  checked(H5Tset_strpad(*type, H5T_STR_NULLPAD), name);
  checked(H5Tset_cset(*type, H5T_CSET_UTF8), name);
  write_column(*file_->handle, name, texts.size(), *type, *type, padded.data());
}

void Hdf5Writer::add_table(const std::string& name, std::size_t columns, const std::vector<Hdf5Row>& rows) {
  const Hdf5Quiet quiet;
  const hsize_t sizes[] = {rows.size(), columns};
  const Hdf5Handle space(H5Screate_simple(2, sizes, nullptr), H5Sclose, name);
  const Hdf5Handle creation = without_times(H5P_DATASET_CREATE);
  make_groups(*file_->handle, name);
  const Hdf5Handle data(
      H5Dcreate2(*file_->handle, name.c_str(), H5T_IEEE_F64LE, *space, H5P_DEFAULT, *creation, H5P_DEFAULT), H5Dclose,
      name);
  for (std::size_t i = 0; columns > 0 && i < rows.size(); ++i) {
    const Hdf5Handle memory = strided_space(columns, rows[i].stride, name);
    select_row(*space, i, columns, name);
    checked(H5Dwrite(*data, H5T_NATIVE_DOUBLE, *memory, *space, H5P_DEFAULT, rows[i].first), name);
  }
}

void Hdf5Writer::add_attribute(const std::string& of, const std::string& name, const std::string& text) {
  const Hdf5Quiet quiet;
  const char* data = text.c_str();
  write_attribute(*file_->handle, of, name, *text_type(), *scalar(), static_cast<const void*>(&data));
}

void Hdf5Writer::add_attribute(const std::string& of, const std::string& name, const std::vector<std::string>& texts) {
  const Hdf5Quiet quiet;
  std::vector<const char*> data;
  for (const std::string& text : texts) data.push_back(text.c_str());
  const hsize_t size = texts.size();
  const Hdf5Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose, name);
  write_attribute(*file_->handle, of, name, *text_type(), *space, static_cast<const void*>(data.data()));
}

void Hdf5Writer::add_attribute(const std::string& of, const std::string& name, double value) {
  const Hdf5Quiet quiet;
  write_attribute(*file_->handle, of, name, H5T_NATIVE_DOUBLE, *scalar(), &value);
}

void Hdf5Writer::add_attribute(const std::string& of, const std::string& name, const std::vector<double>& values) {
  const Hdf5Quiet quiet;
  const hsize_t size = values.size();
  const Hdf5Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose, name);
  write_attribute(*file_->handle, of, name, H5T_NATIVE_DOUBLE, *space, values.data());
}

std::string Hdf5Writer::bytes() {
  const Hdf5Quiet quiet;
  checked(H5Fflush(*file_->handle, H5F_SCOPE_GLOBAL), "flush");
  const ssize_t size = H5Fget_file_image(*file_->handle, nullptr, 0);
  checked(size, "size");
  std::string image(static_cast<std::size_t>(size), '\0');
  checked(H5Fget_file_image(*file_->handle, image.data(), image.size()), "image");
  return image;
}

}  // namespace slipset
