#include <fmt/format.h>

#include <algorithm>

#include "slipset/contact/mass_delassus.hpp"
#include "slipset/core/error.hpp"
#include "slipset/io/internal/fclib_file.hpp"

namespace slipset::internal {
namespace {

void require_size(const Eigen::VectorXd& x, const char* what, Eigen::Index rows) {
  if (x.size() != rows)
    throw InvalidInput(fmt::format("{} of the solution: {} numbers; expected {}, one for each row of the problem", what,
                                   x.size(), rows));
}

}  // namespace

void write_solution(Hdf5Writer& file, const ContactProblem& problem, const FiledSolution& solution) {
  const Eigen::Index rows = problem.delassus ? problem.delassus->rows() : 0;
  const auto add = [&](const std::string& name, const Eigen::VectorXd& x) {
    if (x.size() > 0) file.add_column(name, {x.begin(), x.end()});
  };
  if (solution.impulse.size() > 0 || solution.velocity.size() > 0) {
    require_size(solution.impulse, "impulse", rows);
    require_size(solution.velocity, "velocity", rows);
    const SplitRows impulse = split_rows(problem, solution.impulse), velocity = split_rows(problem, solution.velocity);
    add("solution/r", impulse.contacts);
    add("solution/u", velocity.contacts);
    add("solution/l", impulse.joints);
    if (const auto* const masses = dynamic_cast<const MassDelassus*>(problem.delassus.get()))
      add("solution/v", masses->effect(solution.impulse));  // f is 0 in what we write: w has its part
  }
  // A group is made by what is in it, and attributes stand at a group.
  const std::string group = "slipset/certificate";
  bool made = !solution.defects.empty();
  if (made) {
    const auto contacts =
        static_cast<std::size_t>(std::count_if(problem.contacts.begin(), problem.contacts.end(), [](const Contact& c) {
          return !c.law || c.law->keeps() != Keeps::still;
        }));
    if (solution.defects.size() != contacts)
      throw InvalidInput(fmt::format("defects of the solution: {} numbers; expected {}, one for each contact",
                                     solution.defects.size(), contacts));
    file.add_column(group + "/defect", solution.defects);
  }
  if (solution.contradiction.size() > 0) {
    require_size(solution.contradiction, "contradiction", rows);
    const SplitRows p = split_rows(problem, solution.contradiction);
    add(group + "/contradiction", p.contacts);
    add(group + "/contradiction_of_joints", p.joints);
    made = true;
  }
  if (!made && !(solution.numbers.empty() && solution.texts.empty()))
    throw InvalidInput("numbers and texts of a certificate: they need its defects or its contradiction beside them");
  for (const auto& [name, value] : solution.numbers) file.add_attribute(group, name, value);
  for (const auto& [name, text] : solution.texts) file.add_attribute(group, name, text);
}

}  // namespace slipset::internal
