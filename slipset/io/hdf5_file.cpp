#include "slipset/io/hdf5_file.hpp"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <utility>

#include "slipset/core/error.hpp"
#include "slipset/io/files.hpp"

namespace slipset {
namespace {

// HDF5 prints its error stack unless told not to; the setting is put back.
class Quiet {
 public:
  Quiet() {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Quiet() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

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

hid_t checked(hid_t id, const std::string& what) {
  if (id < 0) throw InvalidInput(fmt::format("HDF5: {}: {}", what, reason()));
  return id;
}

class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t), const std::string& what) : id_(checked(id, what)), close_(close) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  hid_t operator*() const { return id_; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

// Of variable length: the size of an attribute is otherwise limited to 64 kB.
Handle text_type() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "text");
  checked(H5Tset_size(*type, H5T_VARIABLE), "text");
  checked(H5Tset_cset(*type, H5T_CSET_UTF8), "text");
  return type;
}

Handle properties(hid_t kind) { return {H5Pcreate(kind), H5Pclose, "properties"}; }

Handle without_times(hid_t kind) {
  Handle creation = properties(kind);
  checked(H5Pset_obj_track_times(*creation, false), "times");
  return creation;
}

// The groups before the last slash of a name. HDF5 could make them on the way, but with their times.
void make_groups(hid_t file, const std::string& name) {
  const Handle creation = without_times(H5P_GROUP_CREATE);
  for (std::size_t slash = name.find('/', 1); slash != std::string::npos; slash = name.find('/', slash + 1)) {
    const std::string group = name.substr(0, slash);
    if (H5Lexists(file, group.c_str(), H5P_DEFAULT) > 0) continue;
    const Handle made(H5Gcreate2(file, group.c_str(), H5P_DEFAULT, *creation, H5P_DEFAULT), H5Gclose, name);
  }
}

Handle open_object(hid_t file, const std::string& name) {
  return {H5Oopen(file, name.c_str(), H5P_DEFAULT), H5Oclose, name};
}

// In memory, from these bytes if there are any. HDF5 identifies open files by name: `owner` makes them different.
Handle open_image(const void* owner, const std::string* bytes) {
  const std::string name = fmt::format("{}.h5", fmt::ptr(owner));
  const Handle access = properties(H5P_FILE_ACCESS);
  checked(H5Pset_fapl_core(*access, std::size_t{1} << 20, false), "memory");
  if (!bytes) {
    const Handle creation = without_times(H5P_FILE_CREATE);
    return {H5Fcreate(name.c_str(), H5F_ACC_TRUNC, *creation, *access), H5Fclose, "new file"};
  }
  if (bytes->empty()) throw InvalidInput("HDF5: not an HDF5 file: it is empty");
  std::string copy = *bytes;
  checked(H5Pset_file_image(*access, copy.data(), copy.size()), "memory");
  return {H5Fopen(name.c_str(), H5F_ACC_RDONLY, *access), H5Fclose, "not an HDF5 file"};
}

void write_attribute(hid_t file, const std::string& of, const std::string& name, hid_t type, hid_t space,
                     const void* data) {
  const Handle object = open_object(file, of);
  const Handle attribute(H5Acreate2(*object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, name);
  checked(H5Awrite(*attribute, type, data), name);
}

Handle scalar() { return {H5Screate(H5S_SCALAR), H5Sclose, "space"}; }

}  // namespace

struct Hdf5Writer::File {
  Handle handle;
};

Hdf5Writer::Hdf5Writer() {
  const Quiet quiet;
  file_ = std::make_unique<File>(File{open_image(this, nullptr)});
}

Hdf5Writer::~Hdf5Writer() {
  const Quiet quiet;
  file_.reset();
}

namespace {

void write_column(hid_t file, const std::string& name, hsize_t size, hid_t stored, hid_t native, const void* values) {
  constexpr hsize_t kSmall = 1024;   // below, the index of the chunks is larger than what is gained
  constexpr hsize_t kChunk = 16384;  // 128 kB
  const hsize_t chunk = std::min(size, kChunk);
  const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose, name);
  const Handle links = properties(H5P_LINK_CREATE), creation = without_times(H5P_DATASET_CREATE);
  checked(H5Pset_char_encoding(*links, H5T_CSET_UTF8), name);
  make_groups(file, name);
  if (size > kSmall) {
    checked(H5Pset_chunk(*creation, 1, &chunk), name);
    checked(H5Pset_shuffle(*creation), name);
    checked(H5Pset_deflate(*creation, 4), name);
  }
  const Handle data(H5Dcreate2(file, name.c_str(), stored, *space, *links, *creation, H5P_DEFAULT), H5Dclose, name);
  if (size > 0) checked(H5Dwrite(*data, native, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), name);
}

}  // namespace

void Hdf5Writer::add_column(const std::string& name, const std::vector<double>& values) {
  const Quiet quiet;
  write_column(*file_->handle, name, values.size(), H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values.data());
}

void Hdf5Writer::add_integers(const std::string& name, const std::vector<int>& values) {
  const Quiet quiet;
  write_column(*file_->handle, name, values.size(), H5T_STD_I32LE, H5T_NATIVE_INT, values.data());
}

void Hdf5Writer::add_text(const std::string& name, const std::string& text) {
  const Quiet quiet;
  make_groups(*file_->handle, name);
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, name), space = scalar();
  checked(H5Tset_size(*type, text.size() + 1), name);
  const Handle creation = without_times(H5P_DATASET_CREATE);
  const Handle data(H5Dcreate2(*file_->handle, name.c_str(), *type, *space, H5P_DEFAULT, *creation, H5P_DEFAULT),
                    H5Dclose, name);
  checked(H5Dwrite(*data, *type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.c_str()), name);
}

void Hdf5Writer::add_attribute(const std::string& of, const std::string& name, const std::string& text) {
  const Quiet quiet;
  const char* data = text.c_str();
  write_attribute(*file_->handle, of, name, *text_type(), *scalar(), static_cast<const void*>(&data));
}

void Hdf5Writer::add_attribute(const std::string& of, const std::string& name, const std::vector<std::string>& texts) {
  const Quiet quiet;
  std::vector<const char*> data;
  for (const std::string& text : texts) data.push_back(text.c_str());
  const hsize_t size = texts.size();
  const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose, name);
  write_attribute(*file_->handle, of, name, *text_type(), *space, static_cast<const void*>(data.data()));
}

void Hdf5Writer::add_attribute(const std::string& of, const std::string& name, double value) {
  const Quiet quiet;
  write_attribute(*file_->handle, of, name, H5T_NATIVE_DOUBLE, *scalar(), &value);
}

std::string Hdf5Writer::bytes() {
  const Quiet quiet;
  checked(H5Fflush(*file_->handle, H5F_SCOPE_GLOBAL), "flush");
  const ssize_t size = H5Fget_file_image(*file_->handle, nullptr, 0);
  checked(size, "size");
  std::string image(static_cast<std::size_t>(size), '\0');
  checked(H5Fget_file_image(*file_->handle, image.data(), image.size()), "image");
  return image;
}

struct Hdf5Reader::File {
  std::string path;
  std::size_t size;  // in bytes
  Handle handle;

  // f() with the file's name in its errors.
  template <class Function>
  auto read(Function&& f) const {
    const Quiet quiet;
    try {
      return f(*handle);
    } catch (const InvalidInput& error) {
      throw InvalidInput(fmt::format("{}: {}", path, error.what()));
    }
  }
};

Hdf5Reader::Hdf5Reader(const std::filesystem::path& path) : Hdf5Reader(read_file(path), path.string()) {}

Hdf5Reader::Hdf5Reader(const std::string& content, const std::string& name) {
  const Quiet quiet;
  try {
    file_ = std::make_unique<File>(File{name, content.size(), open_image(this, &content)});
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{}: {}", name, error.what()));
  }
}

Hdf5Reader::~Hdf5Reader() {
  const Quiet quiet;
  file_.reset();
}

bool Hdf5Reader::has(const std::string& name) const {
  return file_->read([&](hid_t file) {
    for (std::size_t slash = name.find('/', 1);; slash = name.find('/', slash + 1)) {
      if (H5Lexists(file, name.substr(0, slash).c_str(), H5P_DEFAULT) <= 0) return false;
      if (slash == std::string::npos) return true;
    }
  });
}

std::vector<double> Hdf5Reader::column(const std::string& name) const {
  return file_->read([&](hid_t file) {
    const Handle data(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose, name);
    const Handle space(H5Dget_space(*data), H5Sclose, name);
    if (H5Sget_simple_extent_ndims(*space) != 1)
      throw InvalidInput(fmt::format("HDF5: {}: not a column: it must have exactly one dimension", name));
    // Compression makes at most a thousand of one; more is no size, but damage.
    const hssize_t points = H5Sget_simple_extent_npoints(*space);
    if (points < 0 || static_cast<double>(points) > 1e6 + 1000.0 * static_cast<double>(file_->size))
      throw InvalidInput(
          fmt::format("HDF5: {}: {} numbers in a file of {} bytes: it is damaged", name, points, file_->size));
    std::vector<double> values(static_cast<std::size_t>(points));
    if (!values.empty()) checked(H5Dread(*data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), name);
    return values;
  });
}

std::vector<std::string> Hdf5Reader::texts(const std::string& of, const std::string& name) const {
  return file_->read([&](hid_t file) {
    const Handle object = open_object(file, of);
    const Handle attribute(H5Aopen(*object, name.c_str(), H5P_DEFAULT), H5Aclose, name);
    const Handle space(H5Aget_space(*attribute), H5Sclose, name), type = text_type();
    std::vector<char*> data(static_cast<std::size_t>(H5Sget_simple_extent_npoints(*space)), nullptr);
    checked(H5Aread(*attribute, *type, static_cast<void*>(data.data())), name);
    std::vector<std::string> texts;
    for (const char* text : data) texts.emplace_back(text ? text : "");
    H5Dvlen_reclaim(*type, *space, H5P_DEFAULT, static_cast<void*>(data.data()));
    return texts;
  });
}

std::string Hdf5Reader::text(const std::string& of, const std::string& name) const {
  const std::vector<std::string> all = texts(of, name);
  return all.empty() ? "" : all.front();
}

double Hdf5Reader::number(const std::string& of, const std::string& name) const {
  return file_->read([&](hid_t file) {
    const Handle object = open_object(file, of);
    const Handle attribute(H5Aopen(*object, name.c_str(), H5P_DEFAULT), H5Aclose, name);
    double value = 0;
    checked(H5Aread(*attribute, H5T_NATIVE_DOUBLE, &value), name);
    return value;
  });
}

}  // namespace slipset
