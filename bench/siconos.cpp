// Siconos' solvers among the peers, where Siconos was found at configuration.
#include "bench/peers.hpp"

#ifdef SLIPSET_HAS_SICONOS
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsVerbose.h>
#include <SolverOptions.h>
#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <cmath>

#include "bench/timing.hpp"
#endif

namespace slipset::bench {

#ifndef SLIPSET_HAS_SICONOS

std::vector<Peer> siconos_peers() { return {}; }

#else

namespace {

// Named as in Siconos, without SICONOS_FRICTION_3D_.
struct Solver {
  const char* name;
  int id;
  std::function<void(SolverOptions&)> adjust;  // beyond Siconos' defaults
};

// Gauss-Seidel sees its full error every five sweeps: with the light test it can run 100 times longer than needed.
std::function<void(SolverOptions&)> sweeps(int local_solver) {
  return [local_solver](SolverOptions& o) {
    o.iparam[SICONOS_IPARAM_MAX_ITER] = 1000000;
    o.iparam[SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION] = SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_FULL;
    o.iparam[SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION_FREQUENCY] = 5;
    if (local_solver > 0) solver_options_update_internal(&o, 0, local_solver);
  };
}

std::function<void(SolverOptions&)> iterations(int most) {
  return [most](SolverOptions& o) { o.iparam[SICONOS_IPARAM_MAX_ITER] = most; };
}

const std::vector<Solver>& solvers() {
  static const std::vector<Solver> all = {
      {"NSGS", SICONOS_FRICTION_3D_NSGS, sweeps(0)},
      {"NSGS local iteration", SICONOS_FRICTION_3D_NSGS,
       sweeps(SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnConeWithLocalIteration)},
      {"NSGS quartic", SICONOS_FRICTION_3D_NSGS, sweeps(SICONOS_FRICTION_3D_ONECONTACT_QUARTIC)},
      // The choice of MUMPS (NSN_LINEAR_SOLVER) changes neither times nor digits in 4.4.
      {"NSN_AC", SICONOS_FRICTION_3D_NSN_AC, iterations(1000)},
      {"NSN_NM", SICONOS_FRICTION_3D_NSN_NM, iterations(1000)},
      {"ADMM", SICONOS_FRICTION_3D_ADMM, iterations(100000)},
      {"PROX", SICONOS_FRICTION_3D_PROX, iterations(1000)},
      {"VI_EG", SICONOS_FRICTION_3D_VI_EG, iterations(1000000)},
      {"VI_FPP", SICONOS_FRICTION_3D_VI_FPP, iterations(1000000)},
  };
  return all;
}

// The problem is read anew, so that no repetition finds what an earlier one prepared.
PeerRun solve_once(const Solver& solver, const std::string& file, double tolerance) {
  FrictionContactProblem* problem = frictionContact_new_from_filename(file.c_str());
  SolverOptions* options = solver_options_create(solver.id);
  solver.adjust(*options);
  options->dparam[SICONOS_DPARAM_TOL] = tolerance;
  const Eigen::Index n = 3 * problem->numberOfContacts;
  Eigen::VectorXd reaction = Eigen::VectorXd::Zero(n), velocity = Eigen::VectorXd::Zero(n);
  const auto start = std::chrono::steady_clock::now();
  fc3d_driver(problem, reaction.data(), velocity.data(), options);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  solver_options_delete(options);
  frictionContactProblem_free(problem);
  return {seconds, std::move(reaction)};
}

void solve_repeatedly(const Solver& solver, const std::string& file, double tolerance, double limit, int to) {
  const int nowhere = open("/dev/null", O_WRONLY);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  numerics_set_verbose(0);
  Repetitions repetitions;
  PeerRun run;
  while (!repetitions.enough()) {
    alarm(static_cast<unsigned>(std::ceil(limit)));  // ends this process, unless it is set again
    run = solve_once(solver, file, tolerance);
    if (run.seconds > limit) return;
    repetitions.add(run.seconds);
  }
  const double median = repetitions.median();
  write_numbers(to, &median, 1);
  write_numbers(to, run.impulse.data(), static_cast<std::size_t>(run.impulse.size()));
}

}  // namespace

std::vector<Peer> siconos_peers() {
  std::vector<Peer> peers;
  for (const Solver& solver : solvers())
    peers.push_back({std::string("Siconos ") + solver.name, false,
                     [&solver](const std::string& file, double tolerance, double limit) {
                       return run_of(
                           numbers_from_child([&](int to) { solve_repeatedly(solver, file, tolerance, limit, to); }));
                     }});
  return peers;
}

#endif

}  // namespace slipset::bench
