#include "bench/siconos.hpp"

#ifdef SLIPSET_HAS_SICONOS
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsVerbose.h>
#include <SolverOptions.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#endif

namespace slipset::bench {

#ifndef SLIPSET_HAS_SICONOS

std::vector<std::string> peer_solvers() { return {}; }
PeerRun run_peer(const std::string&, const std::string&, double, double) { return {}; }

#else

namespace {

struct Peer {
  std::string name;
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

std::function<void(SolverOptions&)> newton(int linear_solver) {
  return [linear_solver](SolverOptions& o) {
    o.iparam[SICONOS_IPARAM_MAX_ITER] = 1000;
    o.iparam[SICONOS_FRICTION_3D_NSN_LINEAR_SOLVER] = linear_solver;
  };
}

std::function<void(SolverOptions&)> iterations(int most) {
  return [most](SolverOptions& o) { o.iparam[SICONOS_IPARAM_MAX_ITER] = most; };
}

const std::vector<Peer>& peers() {
  static const std::vector<Peer> all = {
      {"NSGS", SICONOS_FRICTION_3D_NSGS, sweeps(0)},
      {"NSGS local iteration", SICONOS_FRICTION_3D_NSGS,
       sweeps(SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnConeWithLocalIteration)},
      {"NSGS quartic", SICONOS_FRICTION_3D_NSGS, sweeps(SICONOS_FRICTION_3D_ONECONTACT_QUARTIC)},
      {"NSN_AC", SICONOS_FRICTION_3D_NSN_AC, newton(SICONOS_FRICTION_3D_NSN_USE_CSLUSOL)},
      {"NSN_AC mumps", SICONOS_FRICTION_3D_NSN_AC, newton(SICONOS_FRICTION_3D_NSN_USE_MUMPS)},
      {"NSN_NM", SICONOS_FRICTION_3D_NSN_NM, newton(SICONOS_FRICTION_3D_NSN_USE_CSLUSOL)},
      {"ADMM", SICONOS_FRICTION_3D_ADMM, iterations(100000)},
      {"PROX", SICONOS_FRICTION_3D_PROX, iterations(1000)},
      {"VI_EG", SICONOS_FRICTION_3D_VI_EG, iterations(1000000)},
      {"VI_FPP", SICONOS_FRICTION_3D_VI_FPP, iterations(1000000)},
  };
  return all;
}

struct Outcome {
  double seconds;
  Eigen::VectorXd impulse;
};

Outcome solve_once(const Peer& peer, const std::string& file, double tolerance) {
  FrictionContactProblem* problem = frictionContact_new_from_filename(file.c_str());
  SolverOptions* options = solver_options_create(peer.id);
  peer.adjust(*options);
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

void write_all(int to, const void* data, std::size_t size) {
  const char* at = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t done = write(to, at, size);
    if (done <= 0) return;
    at += done;
    size -= static_cast<std::size_t>(done);
  }
}

// The child's whole answer, or nothing if it ended early.
std::vector<double> read_all(int from) {
  std::vector<double> numbers;
  double value = 0;
  std::size_t have = 0;
  for (ssize_t got = 0; (got = read(from, reinterpret_cast<char*>(&value) + have, sizeof value - have)) > 0;) {
    have += static_cast<std::size_t>(got);
    if (have < sizeof value) continue;
    numbers.push_back(value);
    have = 0;
  }
  return numbers;
}

[[noreturn]] void child(const Peer& peer, const std::string& file, double tolerance, double limit, int to) {
  alarm(static_cast<unsigned>(std::ceil(limit)));
  const int nowhere = open("/dev/null", O_WRONLY);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  numerics_set_verbose(0);
  Outcome best = solve_once(peer, file, tolerance);
  for (double spent = best.seconds; spent < 0.1;) {
    Outcome again = solve_once(peer, file, tolerance);
    spent += std::max(again.seconds, 2e-3);
    if (again.seconds < best.seconds) best = std::move(again);
  }
  write_all(to, &best.seconds, sizeof best.seconds);
  write_all(to, best.impulse.data(), sizeof(double) * static_cast<std::size_t>(best.impulse.size()));
  _exit(0);
}

}  // namespace

std::vector<std::string> peer_solvers() {
  std::vector<std::string> names;
  for (const Peer& peer : peers()) names.push_back(peer.name);
  return names;
}

PeerRun run_peer(const std::string& solver, const std::string& dat_file, double tolerance, double limit) {
  const auto peer = std::find_if(peers().begin(), peers().end(), [&](const Peer& p) { return p.name == solver; });
  int ends[2];
  if (peer == peers().end() || pipe(ends) != 0) return {};
  const pid_t id = fork();
  if (id == 0) child(*peer, dat_file, tolerance, limit, ends[1]);
  close(ends[1]);
  const std::vector<double> answer = read_all(ends[0]);
  close(ends[0]);
  waitpid(id, nullptr, 0);
  if (answer.size() < 2) return {};
  PeerRun run;
  run.seconds = answer[0];
  run.impulse = Eigen::Map<const Eigen::VectorXd>(answer.data() + 1, static_cast<Eigen::Index>(answer.size() - 1));
  return run;
}

#endif

}  // namespace slipset::bench
