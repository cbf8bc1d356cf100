#include "slipset/contact/contact_problem.hpp"

#include <fmt/format.h>

#include "slipset/contact/block_delassus.hpp"
#include "slipset/core/error.hpp"

namespace slipset {
namespace {

[[noreturn]] void fail(std::size_t contact, const std::string& what) {
  throw InvalidInput(fmt::format("contact problem: contact {}: {}", contact, what));
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
    const ContactLaw* law = problem.contacts[i].law;
    if (!law || (layout.rows(i) == 3 && law->as_planar())) continue;  // in every step: as few calls as will do
    if (law->rows() != layout.rows(i))
      fail(i, fmt::format("its law ({}) has {} rows, the Delassus operator {}", law->description(), law->rows(),
                          layout.rows(i)));
    if (problem.contacts[i].normal_impulse && !law->allows_given_normal_impulse())
      fail(i, fmt::format("a normal impulse is given, which its law ({}) does not have", law->description()));
  }
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
