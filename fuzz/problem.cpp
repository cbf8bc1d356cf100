// Any bytes as a contact problem: refused with InvalidInput, or solved, or not converged; never a crash, a hang or a
// NaN that nobody tells.
#include <cstdint>
#include <cstdlib>

#include "slipset/contact/contact_measures.hpp"
#include "slipset/core/error.hpp"
#include "slipset/io/problem_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace slipset;
  try {
    const ProblemFile file = parse_problem(std::string(reinterpret_cast<const char*>(data), size), "fuzz");
    if (file.problem.contacts.size() > 60) return 0;  // to keep the rate up
    ContactOptions options;
    options.tolerance = 1e-8;
    options.max_iterations = 60;
    for (const ContactMethod method : {ContactMethod::automatic, ContactMethod::newton, ContactMethod::splitting}) {
      options.method = method;
      options.measure = has_full_error(file.problem.contacts) ? ContactMeasure::full_error : ContactMeasure::residual;
      const ContactSolution solution = solve(file.problem, options);
      if (solution.report.solved() && !(solution.impulse.allFinite() && solution.velocity.allFinite())) std::abort();
    }
  } catch (const InvalidInput&) {
  }
  return 0;
}
