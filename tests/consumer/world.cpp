// Rigid bodies, files and the contact solver: a box thrown onto a plane slides v²/(2 μ g), by the law of the plane.
#include <slipset/io/csv.hpp>
#include <slipset/io/problem_file.hpp>
#include <slipset/slipset.hpp>

#include <cmath>
#include <iostream>

using namespace slipset;

int main() {
  const FrictionLaw rubber{Superellipse(0.9, 0.6, 2.5, 20_deg), Ellipse(1.4, 1.0)};
  BodyWorld world;
  BodyState start = at(0, 0, 0.01);
  start.velocity = Vec3(1, 0, 0);
  world.add(Box{.size = {0.2, 0.2, 0.02}, .mass = 1.2, .surface = rubber}, start);
  world.add(Plane{.surface = isotropic(0.3)});

  const Run run = simulate(world, Moreau{.step = 1e-3}, {.duration = 1});
  std::cout << run.report << "\n";
  write_csv(run.table, "run.csv");
  const double way = run.table["box1.x"].back(), expected = 1 / (2 * 0.3 * 9.81);

  write_problem("box.hdf5", problem_of(world, 1e-3));
  const ContactProblem problem = read_problem("box.hdf5").problem;
  const ContactSolution solution = solve(problem, {.tolerance = 1e-8});
  std::cout << solution.report << "\n";

  const bool good = run.report.finished() && std::abs(way - expected) < 1e-3 * expected && solution.report.solved() &&
                    read_number_table("run.csv").rows() == run.table.size();
  std::cout << "slid " << way << " m, expected " << expected << " m\n";
  return good ? 0 : 1;
}
