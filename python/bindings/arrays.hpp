// Numbers between Python and C++: whatever numpy takes for an array of numbers comes in, numpy arrays go out.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <Eigen/Core>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "slipset/core/vec.hpp"

namespace slipset::python {

namespace nb = nanobind;

using Numbers = nb::ndarray<const double, nb::numpy, nb::c_contig>;
using NumbersOut = nb::ndarray<nb::numpy, double>;
using Shape = std::vector<std::size_t>;

// Integers, float32, lists, read-only and strided arrays are converted; anything else, and shapes other than `shape`,
// throw InvalidInput that begins with `what`. In `shape` -1 is any length; `leading` allows any dimensions before it.
Numbers numbers(nb::handle given, const char* what, std::initializer_list<long> shape, bool leading = false);
// That, with every number finite.
Numbers finite_numbers(nb::handle given, const char* what, std::initializer_list<long> shape, bool leading = false);

// One number, finite or not; `what` stands in messages.
double number(nb::handle given, const char* what);

std::span<const double> span_of(const Numbers& numbers);
Shape shape_of(const Numbers& numbers);
Vec2 vec2(nb::handle given, const char* what);  // finite
Mat2 mat2(nb::handle given, const char* what);
Eigen::VectorXd vector(nb::handle given, const char* what, long size = -1);
Eigen::MatrixXd matrix(nb::handle given, const char* what, long rows = -1, long columns = -1);

// A new array, and where its numbers go.
struct NewArray {
  explicit NewArray(Shape shape);

  NumbersOut array;
  double* data;
};
NumbersOut array_of(std::span<const double> numbers);
NumbersOut array_of(const Eigen::Ref<const Eigen::VectorXd>& x);
NumbersOut array_of_matrix(const Eigen::Ref<const Eigen::MatrixXd>& x);
// A read-only view of numbers that `owner` keeps.
nb::ndarray<nb::numpy, const double> view_of(std::span<const double> numbers, nb::handle owner);

// f(0), ..., f(rows - 1); without the interpreter where there are many, unless they call Python.
constexpr std::size_t kMany = 1000;
template <class Function>
void for_each_row(std::size_t rows, bool python, const Function& f) {
  std::optional<nb::gil_scoped_release> free;
  if (rows >= kMany && !python) free.emplace();
  for (std::size_t i = 0; i < rows; ++i) f(i);
}

}  // namespace slipset::python
