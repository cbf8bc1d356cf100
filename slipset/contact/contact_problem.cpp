#include "slipset/contact/contact_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "slipset/contact/block_delassus.hpp"
#include "slipset/contact/mass_delassus.hpp"
#include "slipset/core/error.hpp"

namespace slipset {
namespace {

constexpr double kMost = 1e100;      // squares and products of such numbers are still numbers
constexpr double kFewDigits = 1e-4;  // of files

[[noreturn]] void fail(std::size_t contact, const std::string& what) {
  throw InvalidInput(fmt::format("contact problem: contact {}: {}", contact, what));
}

[[noreturn]] void fail_at(const RowLayout& layout, Eigen::Index row, const char* what, double value) {
  std::size_t i = 0;
  while (layout.offset(i) + layout.rows(i) <= row) ++i;
  fail(i, fmt::format("{} {} in row {}; expected a finite number below {:g}, else choose other units", what, value,
                      row - layout.offset(i), kMost));
}

void require_numbers(const Contact& contact, std::size_t i) {
  if (contact.normal_impulse && !(*contact.normal_impulse >= 0 && *contact.normal_impulse <= kMost))
    fail(i, fmt::format("a given normal impulse of {}; expected 0 to {:g} N s", *contact.normal_impulse, kMost));
  if (!(contact.reservoir_factor > 0 && contact.reservoir_factor <= kMost))
    fail(i, fmt::format("a reservoir factor of {}; expected a positive number up to {:g}", contact.reservoir_factor,
                        kMost));
  if (!(contact.last_slip.squaredNorm() <= kMost * kMost))
    fail(i, "the slip before the step is not a number; leave it at zero if it is not known");
}

void require_numbers(const BlockDelassus& w) {
  if (w.largest() <= kMost) {
    for (std::size_t i = 0; i < w.contacts(); ++i) {
      const auto block = w.diagonal_of<Eigen::Dynamic>(i);
      for (Eigen::Index k = 0; k < block.rows(); ++k)
        if (block(k, k) < 0)
          fail(i, fmt::format("W({0}, {0}) = {1:.6g} of its own rows; what an impulse moves cannot be negative", k,
                              block(k, k)));
    }
    return;
  }
  for (std::size_t i = 0; i < w.contacts(); ++i)
    for (std::size_t k = 0; k < w.blocks(i); ++k) {
      const auto block = w.at(i, k);
      if (!(block.values.cwiseAbs().maxCoeff() <= kMost) || block.values.hasNaN())
        fail(i,
             fmt::format("its block of the Delassus operator with contact {} has a number that is not finite or above "
                         "{:g}; choose other units",
                         block.column, kMost));
    }
}

}  // namespace

void require_fit(const ContactProblem& problem) {
  static const RowLayout none;
  const RowLayout& layout = problem.delassus ? problem.delassus->layout() : none;
  const std::size_t n = problem.contacts.size(), operator_contacts = layout.contacts();
  const Eigen::Index rows = layout.rows();
  if (operator_contacts != n || problem.free_velocity.size() != rows)
    throw InvalidInput(
        fmt::format("contact problem: {} contacts, a Delassus operator of {} with {} rows, and a free velocity of {} "
                    "numbers; these "
                    "must fit each other",
                    n, operator_contacts, rows, problem.free_velocity.size()));
  for (std::size_t i = 0; i < n; ++i) {
    require_numbers(problem.contacts[i], i);
    const ContactLaw* law = problem.contacts[i].law;
    if (!law || (layout.rows(i) == 3 && law->as_planar())) continue;  // in every step: as few calls as will do
    if (law->rows() != layout.rows(i))
      fail(i, fmt::format("its law ({}) has {} rows, the Delassus operator {}", law->description(), law->rows(),
                          layout.rows(i)));
    if (problem.contacts[i].normal_impulse && !law->allows_given_normal_impulse())
      fail(i, fmt::format("a normal impulse is given, which its law ({}) does not have", law->description()));
  }
  const double* q = problem.free_velocity.data();
  for (Eigen::Index k = 0; k < rows; ++k)
    if (!(std::abs(q[k]) <= kMost)) fail_at(layout, k, "free velocity", q[k]);
  if (const BlockDelassus* w = problem.delassus ? problem.delassus->as_blocks() : nullptr) require_numbers(*w);
}

namespace {

// visit(i, j, W_ij, W_jiᵀ, own, other, most) of every block, with the diagonal blocks of both contacts and √(tr tr) of
// these.
template <class Visit>
void visit_pairs(const BlockDelassus& w, const Visit& visit) {
  for (std::size_t i = 0; i < w.contacts(); ++i)
    for (std::size_t k = 0; k < w.blocks(i); ++k) {
      const auto block = w.at(i, k);
      const std::size_t j = block.column;
      const auto columns = w.columns(j);
      const auto found = std::lower_bound(columns.begin(), columns.end(), i);
      ContactMat turned = ContactMat::Zero(block.values.rows(), block.values.cols());
      if (found != columns.end() && *found == i)
        turned = w.at(j, static_cast<std::size_t>(found - columns.begin())).values.transpose();
      const ContactMat own = w.diagonal(i), other = w.diagonal(j);
      // Their product may be too small a number.
      visit(i, j, block.values, turned, own, other, std::sqrt(own.trace()) * std::sqrt(other.trace()));
    }
}

}  // namespace

void require_sound(const ContactProblem& problem) {
  require_fit(problem);
  const BlockDelassus* w = problem.delassus ? problem.delassus->as_blocks() : nullptr;
  if (!w) return;  // by bodies and by masses it is, by how it is made
  visit_pairs(*w, [](std::size_t i, std::size_t j, const auto& block, const ContactMat& turned, const ContactMat& own,
                     const ContactMat& other, double most) {
    for (Eigen::Index r = 0; r < turned.rows(); ++r)
      for (Eigen::Index c = 0; c < turned.cols(); ++c)
        if (std::abs(block(r, c) + turned(r, c)) / 2 >
            std::sqrt(own(r, r)) * std::sqrt(other(c, c)) + kFewDigits * most)
          fail(i,
               fmt::format("the Delassus operator is not positive semi-definite: {:.6g} between its row {} and row {} "
                           "of contact {}, with {:.6g} and {:.6g} on the diagonal; impulses would gain energy",
                           block(r, c), r, c, j, own(r, r), other(c, c)));
  });
}

double asymmetry(const ContactProblem& problem) {
  if (const auto* const masses = dynamic_cast<const MassDelassus*>(problem.delassus.get())) return masses->asymmetry();
  const BlockDelassus* w = problem.delassus ? problem.delassus->as_blocks() : nullptr;
  double most = 0;
  if (w)
    visit_pairs(*w, [&](std::size_t, std::size_t, const auto& block, const ContactMat& turned, const ContactMat&,
                        const ContactMat&, double scale) {
      if (scale > 0) most = std::max(most, (block - turned).cwiseAbs().maxCoeff() / scale);
    });
  return most;
}

ContactProblem assembled(const ContactProblem& problem) {
  ContactProblem result = problem;
  if (!problem.delassus || problem.delassus->as_blocks()) return result;
  auto blocks = std::make_shared<BlockDelassus>();
  problem.delassus->assemble(*blocks);
  result.delassus = std::move(blocks);
  return result;
}

}  // namespace slipset
