#include "problems/raw_problem.hpp"

#include <fmt/format.h>

#include <Eigen/SparseCholesky>
#include <cmath>

#include "slipset/core/error.hpp"
#include "slipset/io/hdf5_file.hpp"

namespace slipset::problems {
namespace {

using Matrix = Eigen::SparseMatrix<double>;
using Vector = Eigen::VectorXd;

Vec2 turned(const Vec2& v, double degrees) {
  const double angle = degrees * std::acos(-1.0) / 180, c = std::cos(angle), s = std::sin(angle);
  return {c * v.x() - s * v.y(), s * v.x() + c * v.y()};
}

// ‖x‖_s
double norm(const Vec2& x, double s) {
  const double largest = x.lpNorm<Eigen::Infinity>();
  if (largest == 0) return 0;
  return largest * std::pow(std::pow(std::abs(x.x()) / largest, s) + std::pow(std::abs(x.y()) / largest, s), 1 / s);
}

Vector vector(const Hdf5Reader& file, const std::string& name, Eigen::Index size) {
  const std::vector<double> x = file.column(name);
  if (static_cast<Eigen::Index>(x.size()) != size)
    throw InvalidInput(fmt::format("{}: {} has {} numbers; expected {}", file.name(), name, x.size(), size));
  return Eigen::Map<const Vector>(x.data(), size);
}

// Compressed columns.
Matrix matrix(const Hdf5Reader& file, const std::string& name) {
  const auto number = [&](const char* what) { return static_cast<int>(file.column(name + what).at(0)); };
  if (number("/nz") != -1) throw InvalidInput(fmt::format("{}: {} is not in compressed columns", file.name(), name));
  const std::vector<double> p = file.column(name + "/p"), i = file.column(name + "/i"), x = file.column(name + "/x");
  Matrix m(number("/m"), number("/n"));
  std::vector<Eigen::Triplet<double>> entries;
  for (int column = 0; column < m.cols(); ++column)
    for (auto k = static_cast<std::size_t>(p.at(static_cast<std::size_t>(column)));
         k < static_cast<std::size_t>(p.at(static_cast<std::size_t>(column) + 1)); ++k) {
      if (!(i.at(k) >= 0 && i.at(k) < static_cast<double>(m.rows())))
        throw InvalidInput(fmt::format("{}: {} has an entry in row {}", file.name(), name, i.at(k)));
      entries.emplace_back(static_cast<int>(i.at(k)), column, x.at(k));
    }
  m.setFromTriplets(entries.begin(), entries.end());
  return m;
}

// [a b; c d]
Matrix put_together(const Matrix& a, const Matrix& b, const Matrix& c, const Matrix& d) {
  std::vector<Eigen::Triplet<double>> entries;
  const auto add = [&](const Matrix& m, Eigen::Index row, Eigen::Index column) {
    for (Eigen::Index k = 0; k < m.outerSize(); ++k)
      for (Matrix::InnerIterator e(m, k); e; ++e)
        entries.emplace_back(static_cast<int>(row + e.row()), static_cast<int>(column + e.col()), e.value());
  };
  add(a, 0, 0);
  add(b, 0, a.cols());
  add(c, a.rows(), 0);
  add(d, a.rows(), a.cols());
  Matrix whole(a.rows() + c.rows(), a.cols() + b.cols());
  whole.setFromTriplets(entries.begin(), entries.end());
  return whole;
}

void read_local(const Hdf5Reader& file, RawProblem& problem) {
  const std::string at = "fclib_local";
  const Matrix w = matrix(file, at + "/W");
  problem.q = vector(file, at + "/vectors/q", w.rows());
  problem.w = w;
  if (!file.has(at + "/V")) return;
  const Matrix v = matrix(file, at + "/V"), r = matrix(file, at + "/R");
  problem.w = put_together(w, v, v.transpose(), r);
  const Vector q = problem.q, s = vector(file, at + "/vectors/s", r.rows());
  problem.q.resize(q.size() + s.size());
  problem.q << q, s;
}

void read_global(const Hdf5Reader& file, const std::string& at, RawProblem& problem) {
  problem.global = true;
  const Matrix m = matrix(file, at + "/M"), h = matrix(file, at + "/H");
  if (file.has(at + "/G")) throw InvalidInput(fmt::format("{}: global problems with joints are not read", file.name()));
  const Eigen::SimplicialLDLT<Matrix> factors(m);
  if (factors.info() != Eigen::Success) throw InvalidInput(fmt::format("{}: M is singular", file.name()));
  problem.w = h.transpose() * Matrix(factors.solve(h));
  const Vector given = factors.solve(vector(file, at + "/vectors/f", m.rows()));
  problem.q = vector(file, at + "/vectors/w", h.cols()) + h.transpose() * given;
}

std::vector<RawLaw> read_laws(const Hdf5Reader& file, const std::vector<double>& mu) {
  std::vector<RawLaw> laws;
  for (const double friction : mu) laws.push_back({{"disk", {friction}}, {"disk", {friction}}});
  if (!file.has("slipset/law")) return laws;
  const auto size = static_cast<Eigen::Index>(mu.size());
  const Vector which = vector(file, "slipset/law", size), angle = vector(file, "slipset/angle", size);
  if (file.has("slipset/normal_impulse"))
    throw InvalidInput(fmt::format("{}: given normal impulses are not read", file.name()));
  for (std::size_t i = 0; i < mu.size(); ++i) {
    const auto number = static_cast<int>(which[static_cast<Eigen::Index>(i)]);
    if (number < 0) continue;
    const auto set = [&](const char* part) {
      const std::string name = fmt::format("slipset/laws/{}/{}", number, part);
      return RawSet{file.text(name, "shape"), file.column(name)};
    };
    laws[i] = {set("reservoir"), set("direction"), angle[static_cast<Eigen::Index>(i)]};
  }
  return laws;
}

}  // namespace

double RawSet::gauge(const Vec2& t) const {
  const std::vector<double>& n = numbers;
  if (shape == "disk") return n.at(0) > 0 ? t.norm() / n.at(0) : std::numeric_limits<double>::infinity() * t.norm();
  const Vec2 x = turned(t, -n.back()).cwiseQuotient(Vec2(n.at(0), n.at(1)));
  if (shape == "ellipse") return x.norm();
  if (shape == "superellipse") return norm(x, n.at(2));
  if (shape == "norm_mix") return n.at(2) * x.norm() + n.at(3) * norm(x, 4);
  throw InvalidInput("a set of the shape " + shape + ", which is not in the library");
}

Vec2 RawSet::support_point(const Vec2& v) const {
  const std::vector<double>& n = numbers;
  if (shape == "disk") return n.at(0) * v.normalized();
  const Vec2 axes(n.at(0), n.at(1)), x = turned(v, -n.back()).cwiseProduct(axes);
  double s = 2;
  if (shape == "superellipse")
    s = n.at(2) / (n.at(2) - 1);
  else if (shape != "ellipse")
    throw InvalidInput("a direction set of the shape " + shape + ", which is not in the library");
  const double h = norm(x, s);
  Vec2 point;
  for (int k = 0; k < 2; ++k) point[k] = std::copysign(axes[k] * std::pow(std::abs(x[k]) / h, s - 1), x[k]);
  return turned(point, n.back());
}

Vec2 RawSet::normal(const Vec2& t) const {
  const std::vector<double>& n = numbers;
  if (shape == "disk") return t.normalized();
  if (shape != "ellipse" && shape != "superellipse")
    throw InvalidInput("a direction set of the shape " + shape + ", which is not in the library");
  const Vec2 axes(n.at(0), n.at(1)), x = turned(t, -n.back()).cwiseQuotient(axes);
  const double s = shape == "ellipse" ? 2 : n.at(2), k = norm(x, s);
  Vec2 slope;
  for (int i = 0; i < 2; ++i) slope[i] = std::copysign(std::pow(std::abs(x[i]) / k, s - 1) / axes[i], x[i]);
  return turned(slope.normalized(), n.back());
}

Vec2 RawLaw::slip(const Vec2& t) const { return turned(direction.normal(turned(t, -angle)), angle); }

double RawLaw::gauge(const Vec2& t) const { return reservoir.gauge(turned(t, -angle)); }

Vec2 RawLaw::resistance(const Vec2& v) const {
  if (reservoir.shape == "disk" && reservoir.numbers.at(0) == 0) return Vec2::Zero();
  const Vec2 z = direction.support_point(turned(v, -angle));
  return turned(z / reservoir.gauge(z), angle);
}

RawProblem read_raw_problem(const std::filesystem::path& path) {
  const Hdf5Reader file(path);
  RawProblem problem;
  std::string at;
  for (const char* group : {"fclib_local", "fclib_global", "fclib_global_rolling"})
    if (file.has(group)) at = group;
  if (at.empty()) throw InvalidInput(fmt::format("{}: no problem of FCLib", file.name()));
  if (at == "fclib_local")
    read_local(file, problem);
  else
    read_global(file, at, problem);
  const std::vector<double> mu = file.column(at + "/vectors/mu");
  problem.laws = read_laws(file, mu);
  if (at == "fclib_global_rolling") {
    problem.dimension = 5;
    problem.rolling = file.column(at + "/vectors/mu_r");
    if (problem.rolling.size() != mu.size()) throw InvalidInput(fmt::format("{}: mu_r does not fit mu", file.name()));
  }
  const Eigen::Index rows = problem.contact_rows(), joints = problem.q.size() - rows;
  if (joints < 0 || (problem.global && joints > 0))
    throw InvalidInput(fmt::format("{}: {} rows for {} contacts", file.name(), problem.q.size(), mu.size()));
  const auto with_joints = [&](const std::string& contacts, const std::string& of_joints) {
    Vector whole(problem.q.size());
    whole.head(rows) = vector(file, contacts, rows);
    if (joints > 0) whole.tail(joints) = vector(file, of_joints, joints);
    return whole;
  };
  if (file.has("solution")) {
    problem.impulse = with_joints("solution/r", "solution/l");
    problem.velocity = vector(file, "solution/u", rows);
  }
  if (file.has("slipset/certificate/contradiction"))
    problem.contradiction =
        with_joints("slipset/certificate/contradiction", "slipset/certificate/contradiction_of_joints");
  return problem;
}

}  // namespace slipset::problems
