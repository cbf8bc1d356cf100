#include <fmt/format.h>

#include "slipset/core/error.hpp"
#include "slipset/io/files.hpp"
#include "slipset/io/hdf5_file.hpp"
#include "slipset/io/internal/hdf5_handle.hpp"

namespace slipset {
namespace {

using internal::checked;
using internal::Hdf5Handle;
using internal::Hdf5Quiet;
using internal::open_image;
using internal::open_object;
using internal::select_row;
using internal::strided_space;
using internal::text_type;

// A dataset, and its shape.
struct Dataset {
  Hdf5Handle data, space;
  hssize_t points;
};

// Of as many dimensions. Compression makes at most a thousand of one; more is no size, but damage.
Dataset open_dataset(hid_t file, std::size_t bytes, const std::string& name, int dimensions) {
  Hdf5Handle data(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose, name);
  Hdf5Handle space(H5Dget_space(*data), H5Sclose, name);
  if (H5Sget_simple_extent_ndims(*space) != dimensions)
    throw InvalidInput(dimensions == 1
                           ? fmt::format("HDF5: {}: not a column: it must have exactly one dimension", name)
                           : fmt::format("HDF5: {}: not a table: it must have exactly two dimensions", name));
  const hssize_t points = H5Sget_simple_extent_npoints(*space);
  if (points < 0 || static_cast<double>(points) > 1e6 + 1000.0 * static_cast<double>(bytes))
    throw InvalidInput(fmt::format("HDF5: {}: {} numbers in a file of {} bytes: it is damaged", name, points, bytes));
  return {std::move(data), std::move(space), points};
}

Hdf5Reader::TableSize size_of(const Dataset& table) {
  hsize_t sizes[2] = {0, 0};
  H5Sget_simple_extent_dims(*table.space, sizes, nullptr);
  return {sizes[0], sizes[1]};
}

}  // namespace

struct Hdf5Reader::File {
  std::string path;
  std::size_t size;  // in bytes
  Hdf5Handle handle;

  // f() with the file's name in its errors.
  template <class Function>
  auto read(Function&& f) const {
    const Hdf5Quiet quiet;
    try {
      return f(*handle);
    } catch (const InvalidInput& error) {
      throw InvalidInput(fmt::format("{}: {}", path, error.what()));
    }
  }
};

Hdf5Reader::Hdf5Reader(const std::filesystem::path& path) : Hdf5Reader(read_file(path), path.string()) {}

Hdf5Reader::Hdf5Reader(const std::string& content, const std::string& name) {
  const Hdf5Quiet quiet;
  try {
    file_ = std::make_unique<File>(File{name, content.size(), open_image(this, &content)});
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{}: {}", name, error.what()));
  }
}

Hdf5Reader::~Hdf5Reader() {
  const Hdf5Quiet quiet;
  file_.reset();
}

const std::string& Hdf5Reader::name() const { return file_->path; }

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
    const Dataset column = open_dataset(file, file_->size, name, 1);
    std::vector<double> values(static_cast<std::size_t>(column.points));
    if (!values.empty())
      checked(H5Dread(*column.data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), name);
    return values;
  });
}

std::vector<std::string> Hdf5Reader::text_column(const std::string& name) const {
  return file_->read([&](hid_t file) {
    const Dataset column = open_dataset(file, file_->size, name, 1);
    const Hdf5Handle type(H5Dget_type(*column.data), H5Tclose, name);
    if (H5Tget_class(*type) != H5T_STRING || H5Tis_variable_str(*type) != 0)
      throw InvalidInput(fmt::format("HDF5: {}: no strings of one length", name));
    const std::size_t length = H5Tget_size(*type), count = static_cast<std::size_t>(column.points);
    if (length > file_->size) throw InvalidInput(fmt::format("HDF5: {}: it is damaged", name));
    std::string padded(length * count, '\0');
    if (count > 0) checked(H5Dread(*column.data, *type, H5S_ALL, H5S_ALL, H5P_DEFAULT, padded.data()), name);
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < count; ++i) {
      texts.push_back(padded.substr(i * length, length));
      texts.back().erase(texts.back().find_last_not_of('\0') + 1);
    }
    return texts;
  });
}

Hdf5Reader::TableSize Hdf5Reader::table_size(const std::string& name) const {
  return file_->read([&](hid_t file) { return size_of(open_dataset(file, file_->size, name, 2)); });
}

void Hdf5Reader::read_table(const std::string& name, std::size_t columns,
                            const std::vector<Hdf5RowTarget>& rows) const {
  file_->read([&](hid_t file) {
    const Dataset table = open_dataset(file, file_->size, name, 2);
    const TableSize size = size_of(table);
    if (size.rows != rows.size() || size.columns != columns)
      throw InvalidInput(fmt::format("HDF5: {}: {} x {} numbers where {} x {} are expected", name, size.rows,
                                     size.columns, rows.size(), columns));
    for (std::size_t i = 0; columns > 0 && i < rows.size(); ++i) {
      const Hdf5Handle memory = strided_space(columns, rows[i].stride, name);
      select_row(*table.space, i, columns, name);
      checked(H5Dread(*table.data, H5T_NATIVE_DOUBLE, *memory, *table.space, H5P_DEFAULT, rows[i].first), name);
    }
  });
}

bool Hdf5Reader::has_attribute(const std::string& of, const std::string& name) const {
  return file_->read([&](hid_t file) { return H5Aexists(*open_object(file, of), name.c_str()) > 0; });
}

std::vector<std::string> Hdf5Reader::texts(const std::string& of, const std::string& name) const {
  return file_->read([&](hid_t file) {
    const Hdf5Handle object = open_object(file, of);
    const Hdf5Handle attribute(H5Aopen(*object, name.c_str(), H5P_DEFAULT), H5Aclose, name);
    const Hdf5Handle space(H5Aget_space(*attribute), H5Sclose, name), type = text_type();
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
  const std::vector<double> all = numbers(of, name);
  if (all.size() != 1)
    throw InvalidInput(fmt::format("{}: HDF5: {}: {} numbers where one is expected", file_->path, name, all.size()));
  return all.front();
}

std::vector<double> Hdf5Reader::numbers(const std::string& of, const std::string& name) const {
  return file_->read([&](hid_t file) {
    const Hdf5Handle object = open_object(file, of);
    const Hdf5Handle attribute(H5Aopen(*object, name.c_str(), H5P_DEFAULT), H5Aclose, name);
    const Hdf5Handle space(H5Aget_space(*attribute), H5Sclose, name);
    const hssize_t points = H5Sget_simple_extent_npoints(*space);
    if (points < 0 || points > 1000000) throw InvalidInput(fmt::format("HDF5: {}: it is damaged", name));
    std::vector<double> values(static_cast<std::size_t>(points));
    if (!values.empty()) checked(H5Aread(*attribute, H5T_NATIVE_DOUBLE, values.data()), name);
    return values;
  });
}

}  // namespace slipset
