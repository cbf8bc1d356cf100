// A contact problem of a file, solved, as text, JSON and table.      docs/output.md
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "slipset/contact/contact_solver.hpp"
#include "slipset/io/problem_file.hpp"

namespace slipset {

struct SolvedProblem {
  std::string name;  // of the file
  std::size_t contacts = 0, joints = 0;
  int dimension = 3;                                             // rows of a contact in the file
  bool global = false;                                           // solved as masses
  double full_error = std::numeric_limits<double>::quiet_NaN();  // Siconos' measure (C.12); NaN: not isotropic
  double asymmetry = 0;                                          // of W, over its mobilities
  double seconds = 0;                                            // of the solver alone
  ContactSolution solution;
  RowLayout layout;
  // Of each contact's rows: the column of solution_csv, in n, t1, t2, r1, r2, and the sixth of a joint.
  std::vector<std::vector<int>> columns;
};

// Tolerances are of Siconos' measure where it exists, else of (C.4).
SolvedProblem solve_problem(const ProblemFile& file, const std::string& name, ContactOptions options);

nlohmann::ordered_json solve_json(const SolvedProblem& solved);
// One row per problem.
std::string solve_table(const std::vector<SolvedProblem>& all);
// contact, mode, impulse [N s], velocity [m/s]; of rolling also [N m s], [rad/s]. Joints come behind the contacts.
std::string solution_csv(const SolvedProblem& solved);

// Throws InvalidInput, with the names there are, for an unknown one.
ContactMethod contact_method(const std::string& name);

}  // namespace slipset
