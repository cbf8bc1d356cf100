#include "slipset/contact/contact_derivative.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <Eigen/SparseLU>
#include <algorithm>
#include <optional>

#include "slipset/contact/block_delassus.hpp"
#include "slipset/contact/planar_contact_law.hpp"
#include "slipset/laws/law_parameters.hpp"

namespace slipset {
namespace {

using Sparse = Eigen::SparseMatrix<double>;
using Index = Eigen::Index;

constexpr Index kDense = 300;  // rows up to which a dense factorisation tells the rank

std::string list_of(const std::vector<std::size_t>& contacts) {
  const std::size_t shown = std::min<std::size_t>(contacts.size(), 8);
  return fmt::format("{}{}", fmt::join(contacts.begin(), contacts.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                     contacts.size() > shown ? ", ..." : "");
}

}  // namespace

struct ContactDerivative::Work {
  // A contact that slips.
  struct Slipping {
    Index row;              // of its normal
    std::size_t law;        // number in laws
    double normal_impulse;  // with the reservoir's factor
    Vec2 velocity;          // u_T
    std::size_t contact;
    Vec2 by_factor;  // p_N s: of p_N f s with respect to f
  };
  struct Given {  // a contact whose normal impulse is given
    Index row;
    std::size_t contact;
  };

  void add_contact(const ContactProblem& problem, const ContactSolution& solution, std::size_t i, Index row, int rows,
                   const DerivativeOptions& options);
  void add_slip(const Contact& contact, const Eigen::VectorXd& p, const Eigen::VectorXd& u, std::size_t i, Index row);
  void factorise(bool velocities_only);
  Eigen::VectorXd solve(const Eigen::VectorXd& rhs) const;
  Eigen::VectorXd solve_transposed(const Eigen::VectorXd& rhs) const;
  Index law_number(const ContactLaw* law) const { return std::find(laws.begin(), laws.end(), law) - laws.begin(); }

  Sparse w, a, b;  // W, A, B
  std::vector<Eigen::Triplet<double>> in_a, in_b;
  std::vector<const ContactLaw*> laws;
  std::vector<FrictionLaw> plain;  // the same without rate dependence
  std::vector<Slipping> slipping;
  std::vector<Given> given;
  Index contacts = 0;
  std::vector<std::size_t> on_border;
  double largest_velocity = 0, largest_impulse = 0;
  double mobility = 1;  // scales velocities to impulses, for the rank
  std::optional<Eigen::FullPivLU<Eigen::MatrixXd>> dense;
  std::unique_ptr<Eigen::SparseLU<Sparse>> sparse;
  mutable std::vector<Eigen::Matrix2Xd> by_parameters;  // of each slipping contact, once asked for

  const Eigen::Matrix2Xd& by_parameters_of(std::size_t i) const {
    if (by_parameters.empty()) by_parameters.resize(slipping.size());
    if (by_parameters[i].cols() == 0)
      by_parameters[i] =
          slipping[i].normal_impulse * resistance_by_parameters(plain[slipping[i].law], slipping[i].velocity);
    return by_parameters[i];
  }
};

void ContactDerivative::Work::add_slip(const Contact& contact, const Eigen::VectorXd& p, const Eigen::VectorXd& u,
                                       std::size_t i, Index row) {
  const auto number = static_cast<std::size_t>(law_number(contact.law));
  const Vec2 slip(u[row + 1], u[row + 2]);
  const std::optional<Mat2> jacobian = slip_jacobian(plain[number], slip);
  if (!jacobian) {
    on_border.push_back(i);
    return;
  }
  const Vec2 unscaled = slip_resistance(plain[number], slip), s = contact.reservoir_factor * unscaled;
  for (int k = 0; k < 2; ++k) {
    in_b.emplace_back(row + 1 + k, row, s[k]);
    in_b.emplace_back(row + 1 + k, row + 1 + k, 1);
    for (int j = 0; j < 2; ++j)
      in_a.emplace_back(row + 1 + k, row + 1 + j, p[row] * contact.reservoir_factor * (*jacobian)(k, j));
  }
  slipping.push_back({row, number, p[row] * contact.reservoir_factor, slip, i, p[row] * unscaled});
}

void ContactDerivative::Work::add_contact(const ContactProblem& problem, const ContactSolution& solution, std::size_t i,
                                          Index row, int rows, const DerivativeOptions& options) {
  const Contact& contact = problem.contacts[i];
  const Eigen::VectorXd &p = solution.impulse, &u = solution.velocity;
  const auto keep_impulse = [&](Index r) { in_b.emplace_back(r, r, 1); };              // dp = 0
  const auto keep_velocity = [&](Index r) { in_a.emplace_back(r, r, 1 / mobility); };  // du = 0
  const double small_velocity = options.border * largest_velocity, small_impulse = options.border * largest_impulse;
  if (contact.law && contact.law->keeps() == Keeps::still) {
    for (int k = 0; k < rows; ++k) keep_velocity(row + k);
    return;
  }
  const PlanarContactLaw* const planar = contact.law ? contact.law->as_planar() : nullptr;
  if (contact.law && !planar)
    throw InvalidInput(fmt::format(
        "contact {}: derivatives of laws with drilling or rolling, or along a line, are not there yet; this is {}", i,
        contact.law->description()));
  const bool is_given = contact.normal_impulse.has_value();
  // Without a law there is no mode to tell closed contacts from open ones.
  const bool open = !is_given && (contact.law ? solution.modes[i] == ContactMode::open : p[row] <= u[row] / mobility);
  if (open) {
    if (u[row] <= small_velocity) on_border.push_back(i);
    for (int k = 0; k < rows; ++k) keep_impulse(row + k);
    return;
  }
  if (p[row] <= small_impulse) on_border.push_back(i);
  if (is_given) {
    keep_impulse(row);
    given.push_back({row, i});
  } else {
    keep_velocity(row);
  }
  if (!planar) {
    for (int k = 1; k < rows; ++k) keep_impulse(row + k);
    return;
  }
  const Vec2 resistance = -Vec2(p[row + 1], p[row + 2]) / (p[row] * contact.reservoir_factor);
  const double fullness = p[row] > 0 ? planar->law().reservoir().gauge(resistance) : 1;
  const double speed = std::hypot(u[row + 1], u[row + 2]);
  if (solution.modes[i] == ContactMode::stick) {
    if (fullness >= 1 - options.border) on_border.push_back(i);
    keep_velocity(row + 1);
    keep_velocity(row + 2);
  } else if (speed <= small_velocity) {
    on_border.push_back(i);
  } else {
    add_slip(contact, p, u, i, row);
  }
}

void ContactDerivative::Work::factorise(bool velocities_only) {
  const auto refuse = [] {
    throw InvalidInput(
        "derivative: the impulses are not determined by the problem (more contacts than its bodies need, or two "
        "solutions that meet here), so they have none; make W regular, as with a little compliance on its diagonal");
  };
  const Sparse k = b + a * w;
  if (k.rows() <= kDense) {
    dense.emplace(Eigen::MatrixXd(k));
    dense->setThreshold(1e-12);
    if (dense->isInvertible()) return;
    // Impulses that move nothing may be open, if velocities are all that counts.
    const Eigen::MatrixXd open = dense->kernel();
    if (!velocities_only || !((w * open).norm() <= 1e-9 * mobility * open.norm())) refuse();
    return;
  }
  sparse = std::make_unique<Eigen::SparseLU<Sparse>>();
  sparse->compute(k);
  if (sparse->info() != Eigen::Success) refuse();
  // Two steps of inverse iteration: singular to working precision?
  Eigen::VectorXd x = Eigen::VectorXd::Ones(k.rows()).normalized();
  for (int step = 0; step < 2; ++step) {
    x = sparse->solve(x);
    const double size = x.norm();
    if (!(size < 1e12 / k.coeffs().abs().maxCoeff())) refuse();
    x /= size;
  }
}

Eigen::VectorXd ContactDerivative::Work::solve(const Eigen::VectorXd& rhs) const {
  if (dense) return dense->solve(rhs);
  return sparse->solve(rhs);
}

Eigen::VectorXd ContactDerivative::Work::solve_transposed(const Eigen::VectorXd& rhs) const {
  if (dense) return dense->transpose().solve(rhs);
  return sparse->transpose().solve(rhs);
}

ContactDerivative::ContactDerivative(const ContactProblem& problem, const ContactSolution& solution,
                                     const DerivativeOptions& options)
    : work_(std::make_unique<Work>()) {
  require_fit(problem);
  const Index rows = problem.free_velocity.size();
  if (solution.impulse.size() != rows || solution.velocity.size() != rows ||
      solution.modes.size() != problem.contacts.size())
    throw InvalidInput("derivative: the solution is of another problem, or there is none; solve it first");
  if (!solution.report.solved())
    throw InvalidInput(fmt::format("derivative: the problem is not solved ({}); there is nothing to differentiate",
                                   name_of(solution.report.status)));
  Work& work = *work_;
  if (rows == 0) return;
  BlockDelassus blocks;
  problem.delassus->assemble(blocks);
  work.w = blocks.sparse();
  work.mobility = std::max(work.w.diagonal().mean(), std::numeric_limits<double>::min());
  work.largest_velocity =
      std::max(solution.velocity.cwiseAbs().maxCoeff(), problem.free_velocity.cwiseAbs().maxCoeff());
  work.largest_impulse = solution.impulse.cwiseAbs().maxCoeff();
  if (!((work.w * solution.impulse + problem.free_velocity - solution.velocity).cwiseAbs().maxCoeff() <=
        1e-6 * work.largest_velocity))
    throw InvalidInput("derivative: the solution is of another problem; solve this one first");
  for (const Contact& contact : problem.contacts) {
    const PlanarContactLaw* const planar = contact.law ? contact.law->as_planar() : nullptr;
    if (!planar || static_cast<std::size_t>(work.law_number(contact.law)) < work.laws.size()) continue;
    work.laws.push_back(contact.law);
    const FrictionLaw& law = planar->law();
    work.plain.push_back(law.stribeck() ? FrictionLaw(law.reservoir(), law.direction()) : law);
  }
  const RowLayout& layout = problem.delassus->layout();
  work.contacts = static_cast<Index>(problem.contacts.size());
  for (std::size_t i = 0; i < problem.contacts.size(); ++i)
    work.add_contact(problem, solution, i, layout.offset(i), layout.rows(i), options);
  if (!work.on_border.empty())
    throw InvalidInput(fmt::format(
        "derivative: contact{} {} on a border between open, stick and slip, or at a corner of the law, where there is "
        "no "
        "derivative; move the data a little",
        work.on_border.size() > 1 ? "s" : "", list_of(work.on_border) + (work.on_border.size() > 1 ? " are" : " is")));
  work.a.resize(rows, rows);
  work.b.resize(rows, rows);
  work.a.setFromTriplets(work.in_a.begin(), work.in_a.end());
  work.b.setFromTriplets(work.in_b.begin(), work.in_b.end());
  work.factorise(options.velocities_only);
}

ContactDerivative::~ContactDerivative() = default;
ContactDerivative::ContactDerivative(ContactDerivative&&) noexcept = default;
ContactDerivative& ContactDerivative::operator=(ContactDerivative&&) noexcept = default;

const std::vector<const ContactLaw*>& ContactDerivative::laws() const { return work_->laws; }

ContactDerivative::Change ContactDerivative::forward(const Eigen::VectorXd& velocity,
                                                     const std::vector<Eigen::VectorXd>& law,
                                                     const OfContacts& contacts) const {
  const Work& work = *work_;
  for (const Eigen::VectorXd* const change : {&contacts.normal_impulse, &contacts.reservoir_factor})
    if (change->size() != 0 && change->size() != work.contacts)
      throw InvalidInput(
          fmt::format("derivative: {} numbers for {} contacts; give one each, or none", change->size(), work.contacts));
  if (velocity.size() != work.w.rows())
    throw InvalidInput("derivative: a velocity for each row of the problem is needed");
  if (!law.empty() && law.size() != work.laws.size())
    throw InvalidInput(
        fmt::format("derivative: {} lists for {} laws; give one each, or none", law.size(), work.laws.size()));
  Eigen::VectorXd rhs = work.a * velocity;
  if (!law.empty())
    for (std::size_t i = 0; i < work.slipping.size(); ++i) {
      const Eigen::VectorXd& change = law[work.slipping[i].law];
      if (change.size() == 0) continue;
      if (change.size() != work.by_parameters_of(i).cols())
        throw InvalidInput(fmt::format("derivative: {} changes for {} parameters of a law", change.size(),
                                       work.by_parameters_of(i).cols()));
      rhs.segment<2>(work.slipping[i].row + 1) += work.by_parameters_of(i) * change;
    }
  if (contacts.normal_impulse.size() > 0)
    for (const Work::Given& one : work.given) rhs[one.row] -= contacts.normal_impulse[static_cast<Index>(one.contact)];
  if (contacts.reservoir_factor.size() > 0)
    for (const Work::Slipping& one : work.slipping)
      rhs.segment<2>(one.row + 1) += contacts.reservoir_factor[static_cast<Index>(one.contact)] * one.by_factor;
  Change result;
  result.impulse = velocity.size() == 0 ? rhs : Eigen::VectorXd(-work.solve(rhs));
  result.velocity = work.w * result.impulse + velocity;
  if (work.dense && work.dense->rank() < rhs.size())
    result.misfit = work.mobility * (work.b * result.impulse + work.a * (work.w * result.impulse) + rhs).norm();
  return result;
}

ContactDerivative::Gradient ContactDerivative::reverse(const Eigen::VectorXd& impulse,
                                                       const Eigen::VectorXd& velocity) const {
  const Work& work = *work_;
  if (impulse.size() != work.w.rows() || velocity.size() != work.w.rows())
    throw InvalidInput("derivative: a number for each row of the problem is needed");
  Gradient gradient;
  for (const FrictionLaw& law : work.plain) {
    const bool numbers = law.reservoir().name() != UserSet::kName && law.direction().name() != UserSet::kName;
    gradient.law.emplace_back(Eigen::VectorXd::Zero(numbers ? static_cast<Index>(law_parameters(law).size()) : 0));
  }
  gradient.contacts.normal_impulse = gradient.contacts.reservoir_factor = Eigen::VectorXd::Zero(work.contacts);
  if (impulse.size() == 0) return gradient;
  const Eigen::VectorXd y = work.solve_transposed(impulse + work.w.transpose() * velocity);
  gradient.free_velocity = velocity - work.a.transpose() * y;
  for (std::size_t i = 0; i < work.slipping.size(); ++i) {
    Eigen::VectorXd& of_law = gradient.law[work.slipping[i].law];
    if (of_law.size() > 0) of_law -= work.by_parameters_of(i).transpose() * y.segment<2>(work.slipping[i].row + 1);
    gradient.contacts.reservoir_factor[static_cast<Index>(work.slipping[i].contact)] =
        -work.slipping[i].by_factor.dot(y.segment<2>(work.slipping[i].row + 1));
  }
  for (const Work::Given& one : work.given)
    gradient.contacts.normal_impulse[static_cast<Index>(one.contact)] = y[one.row];
  return gradient;
}

}  // namespace slipset
