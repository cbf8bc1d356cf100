#include "slipset/io/internal/fclib_file.hpp"

#include <fmt/format.h>

#include <Eigen/SparseCore>
#include <cmath>
#include <map>

#include "slipset/contact/block_delassus.hpp"
#include "slipset/contact/planar_contact_law.hpp"
#include "slipset/core/error.hpp"
#include "slipset/io/hdf5_file.hpp"
#include "slipset/io/internal/planar_problem.hpp"
#include "slipset/io/internal/set_numbers.hpp"
#include "slipset/io/internal/trial.hpp"

namespace slipset::internal {
namespace {

class FclibReader {
 public:
  FclibReader(const std::string& content, const std::string& name) : name_(name), file_(content, name) {}

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
    file.problem.delassus = std::make_shared<BlockDelassus>(n, read_matrix(dimension, rows));
    file.problem.free_velocity = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(3 * n));
    for (std::size_t i = 0; i < rows; ++i)
      file.problem.free_velocity[static_cast<Eigen::Index>(3 * (i / dimension) + i % dimension)] = q[i];
    try {
      set_isotropic_laws(file.problem, mu);
    } catch (const InvalidInput& error) {
      fail(fmt::format("mu: {}", error.what()));
    }
    if (file_.has("slipset")) read_extension(file.problem);
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
      fail(fmt::format("W is not {} x {}, the size that q and mu require", rows, rows));
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
    // Several entries of one block add up, and so do their second tangents.
    for (BlockDelassus::Entry& entry : entries)
      if (dimension == 2 && entry.row == entry.column) add_second_tangent(entry.values);
    return entries;
  }

  // Our group: laws, which contact has which, turned by how much; given normal impulses.
  void read_extension(ContactProblem& problem) const {
    const std::size_t n = problem.contacts.size();
    const std::vector<long> which = integers("slipset/law", -1, static_cast<double>(n) + 1e6);
    const std::vector<double> angles = finite("slipset/angle");
    if (which.size() != n || angles.size() != n)
      fail(fmt::format("slipset/law, slipset/angle: expected {} numbers", n));
    std::map<std::pair<long, double>, std::shared_ptr<const PlanarContactLaw>> laws;
    for (std::size_t i = 0; i < n; ++i) {
      if (which[i] < 0) continue;
      auto& law = laws[{which[i], angles[i]}];
      if (!law) {
        law = std::make_shared<const PlanarContactLaw>(read_law(which[i]).turned(radians(angles[i])));
        problem.owned.push_back(law);
      }
      problem.contacts[i].law = law.get();
    }
    if (!file_.has("slipset/normal_impulse")) return;
    const std::vector<double> impulses = file_.column("slipset/normal_impulse");  // NaN: unilateral
    if (impulses.size() != n) fail(fmt::format("slipset/normal_impulse: expected {} numbers", n));
    for (std::size_t i = 0; i < n; ++i) {
      if (std::isnan(impulses[i])) continue;
      if (!(impulses[i] >= 0) || !std::isfinite(impulses[i]))
        fail(fmt::format("slipset/normal_impulse: number {} is negative or infinite", i));
      problem.contacts[i].normal_impulse = impulses[i];
    }
  }

  FrictionLaw read_law(long index) const {
    const std::string law = fmt::format("slipset/laws/{}", index);
    try {
      return {read_set(law + "/reservoir"), read_set(law + "/direction")};
    } catch (const InvalidInput& error) {
      fail(fmt::format("{}: {}", law, error.what()));
    }
  }

  PlanarSet read_set(const std::string& where) const {
    return set_from_numbers(file_.text(where, "shape"), finite(where));
  }

  std::string name_;
  Hdf5Reader file_;
};

// Isotropic laws are numbers of plain FCLib.
bool is_isotropic(const Contact& contact) { return contact.law->as_planar()->isotropic_coefficient().has_value(); }

double largest_coefficient(const Contact& contact) {
  if (!contact.law) return 0;
  const PlanarContactLaw& law = *contact.law->as_planar();
  return contact.reservoir_factor * law.isotropic_coefficient().value_or(law.largest_resistance());
}

void write_matrix(Hdf5Writer& file, const BlockDelassus& w) {
  const Eigen::SparseMatrix<double, Eigen::RowMajor> sparse = w.sparse();
  const int rows = static_cast<int>(sparse.rows()), nonzeros = static_cast<int>(sparse.nonZeros());
  const std::string name = "fclib_local/W/";
  file.add_integers(name + "nzmax", {nonzeros});
  file.add_integers(name + "m", {rows});
  file.add_integers(name + "n", {rows});
  file.add_integers(name + "nz", {-2});  // compressed rows
  file.add_integers(name + "p", {sparse.outerIndexPtr(), sparse.outerIndexPtr() + rows + 1});
  file.add_integers(name + "i", {sparse.innerIndexPtr(), sparse.innerIndexPtr() + nonzeros});
  file.add_column(name + "x", {sparse.valuePtr(), sparse.valuePtr() + nonzeros});
}

void write_set(Hdf5Writer& file, const std::string& where, const PlanarSet& set) {
  file.add_column(where, set_numbers(set));
  file.add_attribute(where, "shape", std::string(set.name()));
}

void write_extension(Hdf5Writer& file, const ContactProblem& problem) {
  const std::size_t n = problem.contacts.size();
  std::map<std::pair<const PlanarContactLaw*, double>, int> laws;
  std::vector<int> which(n, -1);
  std::vector<double> impulses(n, std::numeric_limits<double>::quiet_NaN());
  bool given = false;
  for (std::size_t i = 0; i < n; ++i) {
    const Contact& contact = problem.contacts[i];
    if (contact.normal_impulse) {
      impulses[i] = *contact.normal_impulse;
      given = true;
    }
    if (!contact.law || is_isotropic(contact)) continue;
    const PlanarContactLaw& sliding = *contact.law->as_planar();
    const auto [place, is_new] = laws.try_emplace({&sliding, contact.reservoir_factor}, static_cast<int>(laws.size()));
    which[i] = place->second;
    if (!is_new) continue;
    const std::string law = fmt::format("slipset/laws/{}", place->second);
    write_set(file, law + "/reservoir", sliding.law().reservoir().scaled(contact.reservoir_factor));
    write_set(file, law + "/direction", sliding.law().direction());
  }
  if (laws.empty() && !given) return;
  file.add_integers("slipset/law", which);
  file.add_column("slipset/angle", std::vector<double>(n, 0.0));
  file.add_attribute("slipset", "version", 1.0);
  if (given) file.add_column("slipset/normal_impulse", impulses);
}

}  // namespace

// HDF5's library crashes on some damaged files, as with one bit changed in a header.
ProblemFile parse_fclib(const std::string& content, const std::string& name) {
  return after_trial(name, [&] { return FclibReader(content, name).read(); });
}

std::string fclib_bytes(const ContactProblem& problem, const std::string& title) {
  Hdf5Writer file;
  file.add_integers("fclib_local/spacedim", {3});
  write_matrix(file, *problem.delassus->as_blocks());
  file.add_column("fclib_local/vectors/q", {problem.free_velocity.begin(), problem.free_velocity.end()});
  std::vector<double> coefficients;
  for (const Contact& contact : problem.contacts) coefficients.push_back(largest_coefficient(contact));
  file.add_column("fclib_local/vectors/mu", coefficients);
  if (!title.empty()) {
    file.add_text("fclib_local/info/title", title);
    file.add_text("fclib_local/info/description", "written by slipset");
    file.add_text("fclib_local/info/math_info", "-");
  }
  write_extension(file, problem);
  return file.bytes();
}

}  // namespace slipset::internal
