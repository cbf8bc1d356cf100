#include "slipset/io/fclib_file.hpp"

#include <fmt/format.h>

#include <cmath>

#include "slipset/core/error.hpp"
#include "slipset/io/hdf5_file.hpp"

namespace slipset {
namespace {

class Reader {
 public:
  Reader(const std::string& content, const std::string& name) : name_(name), file_(content, name) {}

  ProblemFile read() {
    ProblemFile file;
    if (!file_.has("fclib_local"))
      fail(file_.has("fclib_global") ? "a global problem (M, H); only local problems (W, q, mu) are read"
                                     : "no group fclib_local: not a problem of FCLib");
    if (file_.has("fclib_local/V") || file_.has("fclib_local/R"))
      fail("the problem has a bilateral part (V, R, s), which is not supported; eliminate it into W and q");
    const std::size_t dimension = count("fclib_local/spacedim", 3);
    if (dimension < 2) fail(fmt::format("spacedim {}; expected 2 or 3", dimension));
    const std::vector<double> q = finite("fclib_local/vectors/q"), mu = finite("fclib_local/vectors/mu");
    const std::size_t n = mu.size(), rows = dimension * n;
    if (q.size() != rows) fail(fmt::format("q has {} numbers, {} contacts need {}", q.size(), n, rows));
    file.dimension = static_cast<int>(dimension);
    file.coefficient = mu;
    for (std::size_t i = 0; i < n; ++i)
      if (mu[i] < 0) fail(fmt::format("mu of contact {} is negative", i));
    file.problem.delassus = BlockDelassus(n, read_matrix(dimension, rows));
    file.problem.free_velocity = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(3 * n));
    for (std::size_t i = 0; i < rows; ++i)
      file.problem.free_velocity[static_cast<Eigen::Index>(3 * (i / dimension) + i % dimension)] = q[i];
    set_isotropic_laws(file.problem, mu);
    return file;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw InvalidInput(fmt::format("{}: {}", name_, what)); }

  std::vector<double> finite(const std::string& column) const {
    std::vector<double> values = file_.column(column);
    for (std::size_t i = 0; i < values.size(); ++i)
      if (!std::isfinite(values[i])) fail(fmt::format("{}: number {} is not finite", column, i));
    return values;
  }

  // A column of integers from `least` to `most`.
  std::vector<long> integers(const std::string& column, double least, double most) const {
    std::vector<long> result;
    for (const double value : finite(column)) {
      if (value != std::floor(value) || value < least || value > most)
        fail(fmt::format("{}: {} is not a whole number from {} to {}", column, value, least, most));
      result.push_back(static_cast<long>(value));
    }
    return result;
  }

  long integer(const std::string& column, double least, double most) const {
    const std::vector<long> values = integers(column, least, most);
    if (values.size() != 1) fail(fmt::format("{}: expected one number", column));
    return values[0];
  }
  std::size_t count(const std::string& column, std::size_t most) const {
    return static_cast<std::size_t>(integer(column, 0, static_cast<double>(most)));
  }

  std::vector<BlockDelassus::Entry> read_matrix(std::size_t dimension, std::size_t rows) const {
    const std::string w = "fclib_local/W/";
    const double r = static_cast<double>(rows);
    if (count(w + "m", rows) != rows || count(w + "n", rows) != rows)
      fail(fmt::format("W is not {} x {} as q and mu ask for", rows, rows));
    const std::vector<double> values = finite(w + "x");
    const long kind = integer(w + "nz", -2, static_cast<double>(values.size()));  // -1: by columns, -2: by rows
    const double most = kind >= 0 ? r - 1 : static_cast<double>(values.size());
    const std::vector<long> starts = integers(w + "p", 0, most), places = integers(w + "i", 0, r - 1);
    std::vector<BlockDelassus::Entry> entries;
    const auto add = [&](std::size_t row, std::size_t column, double value) {
      const auto d = static_cast<Eigen::Index>(dimension);
      if (entries.empty() || entries.back().row != row / dimension || entries.back().column != column / dimension)
        entries.push_back({row / dimension, column / dimension, Mat3::Zero()});
      entries.back().values(static_cast<Eigen::Index>(row) % d, static_cast<Eigen::Index>(column) % d) += value;
    };
    if (kind >= 0) {
      const auto nonzeros = static_cast<std::size_t>(kind);
      if (starts.size() < nonzeros || places.size() < nonzeros) fail("W: fewer places than numbers");
      for (std::size_t k = 0; k < nonzeros; ++k)
        add(static_cast<std::size_t>(starts[k]), static_cast<std::size_t>(places[k]), values[k]);
    } else {
      if (starts.size() != rows + 1) fail(fmt::format("W: {} starts for {} rows", starts.size(), rows));
      for (std::size_t outer = 0; outer < rows; ++outer) {
        const auto from = static_cast<std::size_t>(starts[outer]), to = static_cast<std::size_t>(starts[outer + 1]);
        if (from > to || to > places.size() || to > values.size()) fail(fmt::format("W: start {} is wrong", outer));
        for (std::size_t k = from; k < to; ++k) {
          const auto inner = static_cast<std::size_t>(places[k]);
          kind == -1 ? add(inner, outer, values[k]) : add(outer, inner, values[k]);
        }
      }
    }
    if (dimension == 2)
      for (std::size_t i = 0; i < rows / 2; ++i) entries.push_back({i, i, Mat3(Vec3(0, 0, 1).asDiagonal())});
    return entries;
  }

  std::string name_;
  Hdf5Reader file_;
};

}  // namespace

ProblemFile parse_fclib(const std::string& content, const std::string& name) { return Reader(content, name).read(); }

std::string fclib_bytes(const ContactProblem&, const std::string&) { return {}; }

}  // namespace slipset
