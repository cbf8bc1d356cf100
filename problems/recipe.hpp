// A problem of the library: how it is made, and what is known of it before it is solved.       docs/problems.md
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "slipset/contact/contact_problem.hpp"

namespace slipset::problems {

struct Recipe {
  std::string name, family, law;  // of its file; of contact; of friction
  std::string about;              // in one line, without commas: it stands in the index
  std::function<ContactProblem()> make;
};

std::vector<Recipe> piles();
std::vector<Recipe> stacks();
std::vector<Recipe> arches();
std::vector<Recipe> chutes();
std::vector<Recipe> snakes();
std::vector<Recipe> pads();
std::vector<Recipe> grippers();
// All of them, in this order.
std::vector<Recipe> all_recipes();

}  // namespace slipset::problems
