#include "python/bindings/arrays.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "slipset/core/error.hpp"

namespace slipset::python {
namespace {

std::string words_of(std::initializer_list<long> shape, bool leading) {
  std::string text = leading ? "..." : "";
  for (const long length : shape) text += (text.empty() ? "" : ", ") + (length < 0 ? "n" : std::to_string(length));
  return shape.size() == 0 && !leading ? "one number" : "shape (" + text + (shape.size() == 1 && !leading ? ",)" : ")");
}

std::string words_of(const Shape& shape) {
  if (shape.empty()) return "one number";
  return fmt::format("shape ({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

// As numpy sees it, whatever it is.
nb::object as_array(nb::handle given, const char* what) {
  const nb::object numpy = nb::module_::import_("numpy");
  try {
    return numpy.attr("asarray")(given);
  } catch (nb::python_error& error) {
    const std::string why = nb::cast<std::string>(nb::str(nb::handle(error.value())));
    throw InvalidInput(fmt::format("{}: found something that is no array ({}); expected numbers", what, why));
  }
}

}  // namespace

Numbers numbers(nb::handle given, const char* what, std::initializer_list<long> shape, bool leading) {
  Numbers result;
  const bool is_array = nb::isinstance(given, nb::module_::import_("numpy").attr("ndarray"));
  if (!is_array || !nb::try_cast(given, result, false)) {
    const nb::object array = as_array(given, what);
    const std::string kind = nb::cast<std::string>(array.attr("dtype").attr("kind"));
    if (kind != "f" && kind != "i" && kind != "u" && kind != "b")
      throw InvalidInput(fmt::format("{}: found an array of {}; expected real numbers", what,
                                     nb::cast<std::string>(array.attr("dtype").attr("name"))));
    result =
        nb::cast<Numbers>(nb::module_::import_("numpy").attr("ascontiguousarray")(array, nb::arg("dtype") = "float64"));
    // It makes one number an array of one.
    if (nb::cast<std::size_t>(array.attr("ndim")) == 0)
      result = nb::cast<Numbers>(
          nb::module_::import_("numpy").attr("array")(array, nb::arg("dtype") = "float64", nb::arg("order") = "C"));
  }
  const std::size_t wanted = shape.size();
  bool fits = leading ? result.ndim() >= wanted : result.ndim() == wanted;
  if (fits) {
    std::size_t i = result.ndim() - wanted;
    for (const long length : shape) {
      fits = fits && (length < 0 || result.shape(i) == static_cast<std::size_t>(length));
      ++i;
    }
  }
  if (!fits)
    throw InvalidInput(
        fmt::format("{}: found {}; expected {}", what, words_of(shape_of(result)), words_of(shape, leading)));
  return result;
}

Numbers finite_numbers(nb::handle given, const char* what, std::initializer_list<long> shape, bool leading) {
  const Numbers all = numbers(given, what, shape, leading);
  const std::span<const double> values = span_of(all);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      throw InvalidInput(fmt::format("{}: number {} is {}; expected finite numbers", what, i, values[i]));
  return all;
}

double number(nb::handle given, const char* what) {
  const double value = PyFloat_AsDouble(given.ptr());
  if (value == -1 && PyErr_Occurred()) {
    PyErr_Clear();
    throw InvalidInput(fmt::format("{}: found {}; expected a number", what,
                                   nb::cast<std::string>(nb::handle(given.type()).attr("__name__"))));
  }
  return value;
}

std::span<const double> span_of(const Numbers& numbers) { return {numbers.data(), numbers.size()}; }

Shape shape_of(const Numbers& numbers) {
  Shape shape;
  for (std::size_t i = 0; i < numbers.ndim(); ++i) shape.push_back(numbers.shape(i));
  return shape;
}

Vec2 vec2(nb::handle given, const char* what) {
  const Numbers two = finite_numbers(given, what, {2});
  return {two.data()[0], two.data()[1]};
}

Mat2 mat2(nb::handle given, const char* what) { return matrix(given, what, 2, 2); }

Eigen::VectorXd vector(nb::handle given, const char* what, long size) {
  const Numbers all = finite_numbers(given, what, {size});
  return Eigen::Map<const Eigen::VectorXd>(all.data(), static_cast<Eigen::Index>(all.size()));
}

Eigen::MatrixXd matrix(nb::handle given, const char* what, long rows, long columns) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Numbers all = finite_numbers(given, what, {rows, columns});
  return Eigen::Map<const RowMajor>(all.data(), static_cast<Eigen::Index>(all.shape(0)),
                                    static_cast<Eigen::Index>(all.shape(1)));
}

NewArray::NewArray(Shape shape) : data(nullptr) {
  nb::list lengths;
  for (const std::size_t length : shape) lengths.append(length);
  // By numpy, which asks for large pages.
  array = nb::cast<NumbersOut>(nb::module_::import_("numpy").attr("empty")(nb::tuple(lengths)));
  data = array.data();
}

NumbersOut array_of(std::span<const double> numbers) {
  NewArray result({numbers.size()});
  std::copy(numbers.begin(), numbers.end(), result.data);
  return result.array;
}

NumbersOut array_of(const Eigen::Ref<const Eigen::VectorXd>& x) {
  return array_of(std::span<const double>(x.data(), static_cast<std::size_t>(x.size())));
}

NumbersOut array_of_matrix(const Eigen::Ref<const Eigen::MatrixXd>& x) {
  NewArray result({static_cast<std::size_t>(x.rows()), static_cast<std::size_t>(x.cols())});
  for (Eigen::Index i = 0; i < x.rows(); ++i)
    for (Eigen::Index j = 0; j < x.cols(); ++j) result.data[i * x.cols() + j] = x(i, j);
  return result.array;
}

nb::ndarray<nb::numpy, const double> view_of(std::span<const double> numbers, nb::handle owner) {
  const std::size_t size = numbers.size();
  return nb::ndarray<nb::numpy, const double>(numbers.data(), 1, &size, owner);
}

}  // namespace slipset::python
