#include "slipset/io/internal/fclib_file.hpp"

#include <fmt/format.h>

#include <Eigen/SparseCore>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "slipset/contact/planar_contact_law.hpp"
#include "slipset/core/error.hpp"
#include "slipset/io/internal/set_numbers.hpp"
#include "slipset/io/internal/trial.hpp"

namespace slipset::internal {
namespace {

class FclibReader {
 public:
  FclibReader(const std::string& content, const std::string& name) : name_(name), file_(content, name) {}

  ProblemFile read() {
    constexpr std::array<std::string_view, 3> kinds = {"fclib_local", "fclib_global", "fclib_global_rolling"};
    for (const std::string_view kind : kinds)
      if (file_.has(std::string(kind))) {
        if (!group_.empty()) fail(fmt::format("both {} and {}: which of them is the problem?", group_, kind));
        group_ = kind;
      }
    if (group_.empty()) fail(fmt::format("no group {}: not a problem of FCLib", fmt::join(kinds, ", ")));
    const ProblemParts parts = group_ == "fclib_local" ? read_local() : read_global();
    ProblemFile file = problem_of(parts, name_);
    if (has_laws()) {
      if (parts.dimension != 3) fail(fmt::format("slipset: laws for contacts of {} rows; expected 3", parts.dimension));
      read_extension(file.problem, parts.mu.size());
    }
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

  Eigen::VectorXd vector(const std::string& what) const {
    const std::vector<double> values = finite(group_ + "/vectors/" + what);
    return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
  }
  bool has(const char* what) const { return file_.has(group_ + "/" + what); }

  // 2 or 3, and 5 with rolling friction: what the matrices have, since writers differ in what they call the dimension.
  int dimension(Eigen::Index rows, std::size_t contacts, bool rolling) const {
    const auto told = static_cast<int>(count(group_ + "/spacedim", 5));
    const auto n = static_cast<Eigen::Index>(contacts);
    if (rolling) {
      if (n > 0 && rows == 3 * n)
        fail("a planar problem with rolling friction (normal, tangent, rolling), which is not supported");
      return 5;
    }
    if (told != 2 && told != 3) fail(fmt::format("spacedim {}; expected 2 or 3", told));
    return told;
  }

  ProblemParts read_local() const {
    ProblemParts parts;
    parts.mu = finite(group_ + "/vectors/mu");
    parts.w = read_matrix("W");
    parts.dimension = dimension(parts.w.rows(), parts.mu.size(), false);
    parts.q = vector("q");
    if (has("V") != has("R")) fail("only one of V and R; a bilateral part has both");
    if (has("V")) {
      parts.v = read_matrix("V");
      parts.r = read_matrix("R");
      parts.s = vector("s");
    }
    return parts;
  }

  ProblemParts read_global() const {
    ProblemParts parts;
    const bool rolling = group_ == "fclib_global_rolling";
    parts.global = true;
    parts.mu = finite(group_ + "/vectors/mu");
    if (rolling) parts.mu_r = finite(group_ + (has("vectors/mu_r") ? "/vectors/mu_r" : "/vectors/mur"));
    parts.m = read_matrix("M");
    parts.h = read_matrix("H");
    parts.dimension = dimension(parts.h.cols(), parts.mu.size(), rolling);
    parts.force = vector("f");
    parts.q = vector("w");
    if (has("G")) {
      parts.g = read_matrix("G");
      parts.s = vector("b");
    }
    return parts;
  }

  // Compressed columns (nz = -1) or rows (-2), or so many triplets. Of triplets FCLib's words call p the rows and i the
  // columns; CSparse, and so what Siconos writes, has them the other way round: that is read, unless only the other fits.
  Eigen::SparseMatrix<double> read_matrix(const char* what) const {
    const std::string at = fmt::format("{}/{}/", group_, what);
    constexpr std::size_t most = 100'000'000;
    const std::size_t rows = count(at + "m", most), columns = count(at + "n", most);
    const std::vector<double> values = finite(at + "x");
    const auto size = static_cast<double>(values.size());
    const long kind = integer(at + "nz", -2, size);
    const double larger = std::max({static_cast<double>(std::max(rows, columns)) - 1, 0.0});
    std::vector<Eigen::Triplet<double>> entries;
    const auto add = [&](long row, long column, double value) {
      if (static_cast<std::size_t>(row) >= rows || static_cast<std::size_t>(column) >= columns)
        fail(fmt::format("{}: an entry at {}, {}; it is {} x {}", what, row, column, rows, columns));
      entries.emplace_back(static_cast<int>(row), static_cast<int>(column), value);
    };
    if (kind >= 0) {
      const auto nonzeros = static_cast<std::size_t>(kind);
      const std::vector<long> p = integers(at + "p", 0, larger), i = integers(at + "i", 0, larger);
      if (p.size() < nonzeros || i.size() < nonzeros) fail(fmt::format("{}: fewer places than numbers", what));
      const auto most_of = [&](const std::vector<long>& x) {
        return nonzeros == 0 ? -1 : *std::max_element(x.begin(), x.begin() + kind);
      };
      const bool swapped = most_of(i) >= static_cast<long>(rows) || most_of(p) >= static_cast<long>(columns);
      for (std::size_t k = 0; k < nonzeros; ++k) swapped ? add(p[k], i[k], values[k]) : add(i[k], p[k], values[k]);
    } else {
      const std::size_t outers = kind == -1 ? columns : rows;
      const std::vector<long> starts = integers(at + "p", 0, size), places = integers(at + "i", 0, larger);
      if (starts.size() != outers + 1)
        fail(fmt::format("{}: {} starts for {} {}", what, starts.size(), outers, kind == -1 ? "columns" : "rows"));
      for (std::size_t outer = 0; outer < outers; ++outer) {
        const auto from = static_cast<std::size_t>(starts[outer]), to = static_cast<std::size_t>(starts[outer + 1]);
        if (from > to || to > places.size() || to > values.size())
          fail(fmt::format("{}: start {} is wrong", what, outer));
        for (std::size_t k = from; k < to; ++k)
          kind == -1 ? add(places[k], static_cast<long>(outer), values[k])
                     : add(static_cast<long>(outer), places[k], values[k]);
      }
    }
    Eigen::SparseMatrix<double> matrix(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns));
    matrix.setFromTriplets(entries.begin(), entries.end());
    return matrix;
  }

  // Or a certificate alone, beside isotropic laws.
  bool has_laws() const {
    for (const char* part : {"slipset/law", "slipset/laws", "slipset/angle", "slipset/normal_impulse"})
      if (file_.has(part)) return true;
    return file_.has("slipset") && !file_.has("slipset/certificate");
  }

  // Our group: laws, which contact has which, turned by how much; given normal impulses.
  void read_extension(ContactProblem& problem, std::size_t n) const {
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

  std::string name_, group_;
  Hdf5Reader file_;
};

// Isotropic laws are numbers of plain FCLib.
bool is_isotropic(const Contact& contact) { return contact.law->as_planar()->isotropic_coefficient().has_value(); }

void write_matrix(Hdf5Writer& file, const std::string& name, const Eigen::SparseMatrix<double>& given) {
  Eigen::SparseMatrix<double> sparse = given;
  sparse.makeCompressed();
  const int nonzeros = static_cast<int>(sparse.nonZeros());
  file.add_integers(name + "/nzmax", {nonzeros});
  file.add_integers(name + "/m", {static_cast<int>(sparse.rows())});
  file.add_integers(name + "/n", {static_cast<int>(sparse.cols())});
  file.add_integers(name + "/nz", {-1});  // compressed columns
  file.add_integers(name + "/p", {sparse.outerIndexPtr(), sparse.outerIndexPtr() + sparse.cols() + 1});
  file.add_integers(name + "/i", {sparse.innerIndexPtr(), sparse.innerIndexPtr() + nonzeros});
  file.add_column(name + "/x", {sparse.valuePtr(), sparse.valuePtr() + nonzeros});
}

void write_set(Hdf5Writer& file, const std::string& where, const PlanarSet& set) {
  file.add_column(where, set_numbers(set));
  file.add_attribute(where, "shape", std::string(set.name()));
}

// Of contacts in the order of the problem, without its joints.
void write_extension(Hdf5Writer& file, const std::vector<Contact>& contacts) {
  const std::size_t n = contacts.size();
  std::map<std::pair<const PlanarContactLaw*, double>, int> laws;
  std::vector<int> which(n, -1);
  std::vector<double> impulses(n, std::numeric_limits<double>::quiet_NaN());
  bool given = false;
  for (std::size_t i = 0; i < n; ++i) {
    const Contact& contact = contacts[i];
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

std::string fclib_bytes(const ContactProblem& problem, const ProblemParts& parts, const std::string& title,
                        const FiledSolution* solution) {
  Hdf5Writer file;
  const bool rolling = parts.dimension == 5;
  const std::string group = !parts.global ? "fclib_local" : rolling ? "fclib_global_rolling" : "fclib_global";
  file.add_integers(group + "/spacedim", {parts.dimension});
  const auto add = [&](const char* name, const auto& values) {
    file.add_column(group + "/vectors/" + name, {values.begin(), values.end()});
  };
  const bool joints = parts.s.size() > 0;
  if (parts.global) {
    write_matrix(file, group + "/M", parts.m);
    write_matrix(file, group + "/H", parts.h);
    if (joints) write_matrix(file, group + "/G", parts.g);
    add("f", parts.force);
    add("w", parts.q);
    if (joints) add("b", parts.s);
  } else {
    write_matrix(file, group + "/W", parts.w);
    if (joints) write_matrix(file, group + "/V", parts.v);
    if (joints) write_matrix(file, group + "/R", parts.r);
    add("q", parts.q);
    if (joints) add("s", parts.s);
  }
  add("mu", parts.mu);
  if (rolling) add("mu_r", parts.mu_r);
  if (!title.empty()) {
    file.add_text(group + "/info/title", title);
    file.add_text(group + "/info/description", "written by slipset");
    file.add_text(group + "/info/math_info", "-");
  }
  if (parts.dimension == 3) {
    std::vector<Contact> contacts;
    for (const Contact& contact : problem.contacts)
      if (!contact.law || contact.law->keeps() != Keeps::still) contacts.push_back(contact);
    write_extension(file, contacts);
  }
  if (solution) write_solution(file, problem, *solution);
  return file.bytes();
}

}  // namespace slipset::internal
