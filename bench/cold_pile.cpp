// Piles of spheres from no impulses: the first step of a pile that has come to rest by geometry alone, to 1e-4, on two
// threads; the exponent of its time over the number of contacts, and the memory of the whole process.
//   bench_cold_pile [LARGEST]
// LARGEST: contacts of the largest pile, 1e5 if not given; six sizes from 10³ on of piles whose contacts slide, then six
// of piles whose contacts slide, drill and roll, up to 10⁵. Each pile is made and solved in a process of its own; the time
// is the solver's.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "bench/apart.hpp"
#include "bench/results.hpp"
#include "slipset/motion/moreau.hpp"
#include "slipset/systems/bodies/piles.hpp"

namespace slipset::bench {
namespace {

constexpr double kStep = 1e-3;  // [s]
constexpr double kFriction = 0.5, kRolling = 1e-4, kDrilling = 1e-4;
constexpr double kSmallest = 1e3, kMostRolling = 1e5;  // contacts
constexpr int kSizes = 6;

struct Measured {
  double contacts, seconds, sweeps, parts, residual, memory;
  bool solved, load_paths;
};

BodyWorld pile(std::size_t spheres, bool rolling) {
  if (!rolling) return make_sphere_pile(spheres, 1, kFriction);
  BodyWorld world;
  SpherePileOptions options;
  options.law = options.wall_law =
      world.add_law(RollingLaw::product(Disk(kFriction), Interval(kDrilling, kDrilling), Disk(kRolling)));
  add_sphere_pile(world, spheres, 1, options);
  return world;
}

Measured measure(double contacts, bool rolling) {
  const BodyWorld world = pile(static_cast<std::size_t>(contacts / 3), rolling);
  ContactChoice choice;
  choice.method = ContactMethod::automatic;
  choice.tolerance = 1e-4;
  choice.max_iterations = 100000;
  choice.threads = 2;
  MoreauStepper stepper(world, world.start(), choice);
  stepper.step(kStep);
  const ContactReport& report = stepper.solution().report;
  const auto n = static_cast<double>(stepper.problem().contacts.size());
  return {.contacts = n,
          .seconds = stepper.solver_seconds(),
          .sweeps = static_cast<double>(report.sweeps),
          .parts = static_cast<double>(report.parts),
          .residual = report.residual,
          .memory = largest_memory() / n,
          .solved = report.solved(),
          .load_paths = report.load_paths};
}

// Of seconds over contacts, by least squares over all sizes.
double exponent(const std::vector<Measured>& runs) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (const Measured& r : runs) {
    const double a = std::log(r.contacts), b = std::log(r.seconds);
    n += 1, x += a, y += b, xx += a * a, xy += a * b;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

int run(double largest) {
  Results results("cold-pile", {"law", "contacts", "seconds", "sweeps", "parts", "residual", "bytes_per_contact",
                                "load_paths", "status"});
  results.note("first step from no impulses to 1e-4, two threads; time of the solver, memory of the whole process");
  fmt::print("{:<8} {:>9} {:>10} {:>7} {:>6} {:>9} {:>10}\n", "law", "contacts", "seconds", "sweeps", "parts",
             "residual", "B/contact");
  for (const bool rolling : {false, true}) {
    const char* const law = rolling ? "rolling" : "sliding";
    std::vector<Measured> runs;
    for (int k = 0; k < kSizes; ++k) {
      const double most = rolling ? std::min(largest, kMostRolling) : largest;
      const double contacts = kSmallest * std::pow(most / kSmallest, k / (kSizes - 1.0));
      const auto r = run_apart([&] { return measure(contacts, rolling); });
      if (!r) {
        fmt::print("{:<8} {:>9.0f} ended early\n", law, contacts);
        continue;
      }
      runs.push_back(*r);
      const char* const status = r->solved ? "solved" : "not reached";
      fmt::print("{:<8} {:>9.0f} {:>10.4g} {:>7.0f} {:>6.0f} {:>9.1e} {:>10.0f}  {}\n", law, r->contacts, r->seconds,
                 r->sweeps, r->parts, r->residual, r->memory, status);
      std::fflush(stdout);
      results.add({law, fmt::format("{:.0f}", r->contacts), fmt::format("{:.4g}", r->seconds),
                   fmt::format("{:.0f}", r->sweeps), fmt::format("{:.0f}", r->parts),
                   fmt::format("{:.1e}", r->residual), fmt::format("{:.0f}", r->memory), r->load_paths ? "yes" : "no",
                   status});
    }
    if (runs.size() < 2) continue;
    const std::string fitted = fmt::format("{}: time grows with n^{:.2f}", law, exponent(runs));
    fmt::print("{}\n", fitted);
    results.note(fitted);
  }
  results.save();
  return 0;
}

}  // namespace
}  // namespace slipset::bench

int main(int argc, char** argv) {
  char* end = nullptr;
  const double largest = argc > 1 ? std::strtod(argv[1], &end) : 1e5;
  if (argc > 2 || (end && *end != 0) || !(largest > 1e3 && largest <= 1e7)) {
    fmt::print(stderr, "usage: bench_cold_pile [LARGEST], contacts of the largest pile: above 1e3, up to 1e7\n");
    return 2;
  }
  return slipset::bench::run(largest);
}
