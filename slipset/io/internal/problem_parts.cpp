#include "slipset/io/internal/problem_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "slipset/contact/block_delassus.hpp"
#include "slipset/contact/contact_measures.hpp"
#include "slipset/contact/joint_law.hpp"
#include "slipset/contact/line_contact_law.hpp"
#include "slipset/contact/mass_delassus.hpp"
#include "slipset/contact/planar_contact_law.hpp"
#include "slipset/contact/rolling_contact_law.hpp"
#include "slipset/core/error.hpp"

namespace slipset::internal {
namespace {

using Index = Eigen::Index;
using Matrix = ProblemParts::Matrix;
using Triplet = Eigen::Triplet<double>;

constexpr int kGone = -1;

// Where the rows of the file's contacts are in the problem.
struct Rows {
  std::vector<int> of_contact;  // how many
  std::vector<int> place;       // of each row of the file; kGone: it carries nothing
  std::vector<std::pair<int, int>>
      second_ones;  // tangents along which nothing moves, and the first tangents beside them
  int all = 0;
};

// A block of a matrix of the problem, from the file's rows and columns to the problem's.
void add_entries(const Matrix& from, const std::vector<int>* rows, int first_row, const std::vector<int>* columns,
                 int first_column, bool transposed, std::vector<Triplet>& to) {
  for (Index k = 0; k < from.outerSize(); ++k)
    for (Matrix::InnerIterator entry(from, k); entry; ++entry) {
      const auto row = static_cast<int>(entry.row()), column = static_cast<int>(entry.col());
      const int i = rows ? (*rows)[static_cast<std::size_t>(row)] : first_row + row;
      const int j = columns ? (*columns)[static_cast<std::size_t>(column)] : first_column + column;
      if (i == kGone || j == kGone) continue;
      transposed ? to.emplace_back(j, i, entry.value()) : to.emplace_back(i, j, entry.value());
    }
}

Matrix assembled_from(int rows, int columns, const std::vector<Triplet>& entries) {
  Matrix matrix(rows, columns);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

class Builder {
 public:
  Builder(const ProblemParts& parts, const std::string& name) : parts_(parts), name_(name) {}

  ProblemFile build() {
    check();
    place_rows();
    ProblemFile file;
    file.dimension = parts_.dimension;
    file.global = parts_.global;
    file.coefficient = parts_.mu;
    file.rolling_coefficient = parts_.mu_r;
    add_laws(file.problem);
    try {
      if (parts_.global)
        build_global(file.problem);
      else
        build_local(file.problem);
    } catch (const InvalidInput& error) {
      fail(error.what());
    }
    return file;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw InvalidInput(fmt::format("{}: {}", name_, what)); }

  void require_size(const Matrix& matrix, const char* what, Index rows, Index columns) const {
    if (matrix.rows() != rows || matrix.cols() != columns)
      fail(fmt::format("{} is {} x {}; expected {} x {}, for {} contacts with {} rows each", what, matrix.rows(),
                       matrix.cols(), rows, columns, parts_.mu.size(), parts_.dimension));
  }
  void require_size(const Eigen::VectorXd& x, const char* what, Index size) const {
    if (x.size() != size)
      fail(fmt::format("{} has {} numbers; expected {}, for {} contacts with {} rows each", what, x.size(), size,
                       parts_.mu.size(), parts_.dimension));
  }

  void check() const {
    const auto n = static_cast<Index>(parts_.mu.size()), rows = parts_.dimension * n;
    const Index joints = joint_rows();
    require_size(parts_.q, parts_.global ? "w" : "q", rows);
    for (const auto* values : {&parts_.mu, &parts_.mu_r})
      for (std::size_t i = 0; i < values->size(); ++i)
        if (!((*values)[i] >= 0))
          fail(fmt::format("{} of contact {} is negative: {}; expected 0 or more", values == &parts_.mu ? "mu" : "mu_r",
                           i, (*values)[i]));
    if (parts_.dimension == 5 && parts_.mu_r.size() != parts_.mu.size())
      fail(fmt::format("{} coefficients of rolling friction for {} contacts", parts_.mu_r.size(), parts_.mu.size()));
    if (parts_.global) {
      const Index dofs = parts_.m.rows();
      require_size(parts_.m, "M", dofs, dofs);
      require_size(parts_.h, "H", dofs, rows);
      if (joints > 0) require_size(parts_.g, "G", dofs, joints);
      require_size(parts_.force, "the force on the masses", dofs);
    } else {
      require_size(parts_.w, "W", rows, rows);
      if (joints > 0) require_size(parts_.v, "V", rows, joints);
      if (joints > 0) require_size(parts_.r, "R", joints, joints);
    }
    require_size(parts_.s, parts_.global ? "b of the bilateral part" : "s of the bilateral part", joints);
  }

  int joint_rows() const { return static_cast<int>(parts_.global ? parts_.g.cols() : parts_.v.cols()); }

  void place_rows() {
    const int d = parts_.dimension;
    for (std::size_t i = 0; i < parts_.mu.size(); ++i) {
      const int first = rows_.all;
      if (d == 2 && !parts_.global) {
        rows_.place.insert(rows_.place.end(), {first, first + 1});
        rows_.second_ones.emplace_back(first + 2, first + 1);
        rows_.of_contact.push_back(3);
      } else {
        const bool slides = d != 5 || parts_.mu[i] > 0 || parts_.mu_r[i] == 0, rolls = d == 5 && parts_.mu_r[i] > 0;
        int next = first;
        for (int k = 0; k < d; ++k) rows_.place.push_back(k == 0 || (k < 3 ? slides : rolls) ? next++ : kGone);
        rows_.of_contact.push_back(next - first);
      }
      rows_.all += rows_.of_contact.back();
    }
    contact_rows_ = rows_.all;
    for (int left = joint_rows(); left > 0; left -= slipset::kMostRows) {
      rows_.of_contact.push_back(std::min(left, int{slipset::kMostRows}));
      rows_.all += rows_.of_contact.back();
    }
  }

  // One object for equal coefficients; none where there is no friction.
  void add_laws(ContactProblem& problem) const {
    std::map<std::pair<double, double>, std::shared_ptr<const ContactLaw>> laws;
    for (std::size_t i = 0; i < parts_.mu.size(); ++i) {
      const double mu = parts_.mu[i], mu_r = parts_.dimension == 5 ? parts_.mu_r[i] : 0;
      problem.contacts.emplace_back();
      if (mu == 0 && mu_r == 0) continue;
      auto& law = laws[{mu, mu_r}];
      try {
        if (!law) law = make_law(mu, mu_r);
      } catch (const InvalidInput& error) {
        fail(fmt::format("mu: of contact {}: {}", i, error.what()));
      }
      problem.contacts.back().law = law.get();
    }
    for (std::size_t i = parts_.mu.size(); i < rows_.of_contact.size(); ++i)
      problem.contacts.push_back(Contact{&joint_law(rows_.of_contact[i])});
    for (auto& [coefficients, law] : laws) problem.owned.push_back(std::move(law));
  }

  std::shared_ptr<const ContactLaw> make_law(double mu, double mu_r) const {
    if (mu_r > 0)
      return std::make_shared<const RollingContactLaw>(
          RollingLaw::product(mu > 0 ? std::optional<PlanarSet>(Disk(mu)) : std::nullopt, std::nullopt, Disk(mu_r)));
    if (parts_.dimension == 2 && parts_.global) return std::make_shared<const LineContactLaw>(Interval(mu));
    return std::make_shared<const PlanarContactLaw>(FrictionLaw(Disk(mu), Disk(mu)));
  }

  Eigen::VectorXd placed(const Eigen::VectorXd& contacts, const Eigen::VectorXd& joints) const {
    Eigen::VectorXd all = Eigen::VectorXd::Zero(rows_.all);
    for (Index k = 0; k < contacts.size(); ++k)
      if (const int to = rows_.place[static_cast<std::size_t>(k)]; to != kGone) all[to] = contacts[k];
    all.tail(joints.size()) = joints;
    return all;
  }

  // [W V; Vᵀ R]
  void build_local(ContactProblem& problem) const {
    std::vector<Triplet> entries;
    add_entries(parts_.w, &rows_.place, 0, &rows_.place, 0, false, entries);
    if (joint_rows() > 0) {
      add_entries(parts_.v, &rows_.place, 0, nullptr, contact_rows_, false, entries);
      add_entries(parts_.v, &rows_.place, 0, nullptr, contact_rows_, true, entries);
      add_entries(parts_.r, nullptr, contact_rows_, nullptr, contact_rows_, false, entries);
    }
    // Nothing drives a second tangent; it has the mobility of the first, so that solvers that take the size of their
    // steps from W see one scale.
    if (!rows_.second_ones.empty()) {
      std::vector<double> mobility(static_cast<std::size_t>(rows_.all), 0.0);
      for (const Triplet& entry : entries)
        if (entry.row() == entry.col()) mobility[static_cast<std::size_t>(entry.row())] += entry.value();
      for (const auto& [second, first] : rows_.second_ones)
        entries.emplace_back(second, second, mobility[static_cast<std::size_t>(first)]);
    }
    problem.delassus =
        std::make_shared<BlockDelassus>(RowLayout(rows_.of_contact), assembled_from(rows_.all, rows_.all, entries));
    problem.free_velocity = placed(parts_.q, parts_.s);
  }

  // H and G side by side
  void build_global(ContactProblem& problem) const {
    std::vector<Triplet> entries;
    add_entries(parts_.h, nullptr, 0, &rows_.place, 0, false, entries);
    if (joint_rows() > 0) add_entries(parts_.g, nullptr, 0, nullptr, contact_rows_, false, entries);
    const auto masses = std::make_shared<MassDelassus>(
        parts_.m, assembled_from(static_cast<int>(parts_.m.rows()), rows_.all, entries), RowLayout(rows_.of_contact));
    problem.free_velocity = placed(parts_.q, parts_.s) + masses->contact_velocity(masses->velocity_by(parts_.force));
    problem.delassus = masses;
  }

  const ProblemParts& parts_;
  const std::string& name_;
  Rows rows_;
  int contact_rows_ = 0;
};

double largest_coefficient(const Contact& contact) {
  if (const std::optional<FrictionCone> cone = contact.law ? contact.law->cone() : FrictionCone{})
    return contact.reservoir_factor * cone->sliding;
  return contact.reservoir_factor * contact.law->as_planar()->largest_resistance();
}

bool is_joint(const Contact& contact) { return contact.law && contact.law->keeps() == Keeps::still; }

// The rows of all contacts, then those of all joints; kGone for the others.
std::vector<int> numbers_of(const ContactProblem& problem, bool joints) {
  std::vector<int> numbers;
  int next = 0;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i)
    for (int k = 0; k < problem.delassus->rows(i); ++k)
      numbers.push_back(is_joint(problem.contacts[i]) == joints ? next++ : kGone);
  return numbers;
}

Eigen::VectorXd picked(const Eigen::VectorXd& x, const std::vector<int>& numbers, int size) {
  Eigen::VectorXd part(size);
  for (Index k = 0; k < x.size(); ++k)
    if (const int to = numbers[static_cast<std::size_t>(k)]; to != kGone) part[to] = x[k];
  return part;
}

int count_of(const std::vector<int>& numbers) {
  return numbers.empty() ? 0 : 1 + *std::max_element(numbers.begin(), numbers.end());
}

}  // namespace

ProblemFile problem_of(const ProblemParts& parts, const std::string& name) { return Builder(parts, name).build(); }

SplitRows split_rows(const ContactProblem& problem, const Eigen::VectorXd& x) {
  const std::vector<int> contacts = numbers_of(problem, false), joints = numbers_of(problem, true);
  return {picked(x, contacts, count_of(contacts)), picked(x, joints, count_of(joints))};
}

ProblemParts parts_of(const ContactProblem& problem) {
  ProblemParts parts;
  parts.w = parts.v = parts.r = parts.m = parts.h = parts.g = Matrix(0, 0);
  if (!problem.delassus) return parts;
  parts.dimension = 0;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const Contact& contact = problem.contacts[i];
    if (is_joint(contact)) continue;
    const int rows = problem.delassus->rows(i);
    const std::optional<FrictionCone> cone = contact.law ? contact.law->cone() : FrictionCone{};
    if ((rows != 2 && rows != 3 && rows != 5) || (!cone && !(contact.law->as_planar() && rows == 3)))
      throw InvalidInput(fmt::format("contact {} has {} rows and {}, which these file formats cannot store", i, rows,
                                     contact.law ? "the law \"" + contact.law->description() + "\"" : "no friction"));
    if (parts.dimension != 0 && rows != parts.dimension)
      throw InvalidInput(fmt::format(
          "contact {} has {} rows, and the contacts before it {}; these file formats store contacts of one kind", i,
          rows, parts.dimension));
    parts.dimension = rows;
    parts.mu.push_back(largest_coefficient(contact));
    if (rows == 5) parts.mu_r.push_back(contact.reservoir_factor * cone->rolling);
  }
  if (parts.dimension == 0) parts.dimension = 3;
  const std::vector<int> contacts = numbers_of(problem, false), joints = numbers_of(problem, true);
  const int rows = count_of(contacts), joint_rows = count_of(joints);
  const auto cut = [](const Matrix& from, const std::vector<int>& of_rows, int size, const std::vector<int>& of_columns,
                      int columns) {
    std::vector<Triplet> entries;
    add_entries(from, &of_rows, 0, &of_columns, 0, false, entries);
    return assembled_from(size, columns, entries);
  };
  if (const auto* const masses = dynamic_cast<const MassDelassus*>(problem.delassus.get())) {
    parts.global = true;
    parts.m = masses->mass();
    std::vector<int> all(static_cast<std::size_t>(parts.m.rows()));
    for (std::size_t k = 0; k < all.size(); ++k) all[k] = static_cast<int>(k);
    parts.h = cut(masses->directions(), all, static_cast<int>(all.size()), contacts, rows);
    parts.g = cut(masses->directions(), all, static_cast<int>(all.size()), joints, joint_rows);
    parts.force = Eigen::VectorXd::Zero(parts.m.rows());
  } else {
    const ContactProblem in_blocks = assembled(problem);
    const Matrix w = in_blocks.delassus->as_blocks()->sparse();
    parts.w = cut(w, contacts, rows, contacts, rows);
    parts.v = cut(w, contacts, rows, joints, joint_rows);
    parts.r = cut(w, joints, joint_rows, joints, joint_rows);
  }
  parts.q = picked(problem.free_velocity, contacts, rows);
  parts.s = picked(problem.free_velocity, joints, joint_rows);
  return parts;
}

}  // namespace slipset::internal
