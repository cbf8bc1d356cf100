#include "problems/recipe.hpp"

#include <iterator>

namespace slipset::problems {

std::vector<Recipe> all_recipes() {
  std::vector<Recipe> all;
  for (const auto family : {piles, stacks, arches, chutes, snakes, pads, grippers}) {
    std::vector<Recipe> some = family();
    all.insert(all.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
  }
  return all;
}

}  // namespace slipset::problems
