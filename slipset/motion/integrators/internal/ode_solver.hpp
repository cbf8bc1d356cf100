// Ordinary differential equations ẏ = f(t, y): Runge-Kutta 4 with fixed step, and SUNDIALS with error control.
// Used for every system with friction that is regularised or has a state; y is (q, u, states, dissipated energy, input
// energy).
#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "slipset/motion/integrators/integrator.hpp"

namespace slipset::internal {

class OdeRate {
 public:
  virtual ~OdeRate() = default;
  // dy = f(t, y). No allocation. Where it does not exist the last number but one is NaN.
  virtual void operator()(double t, const double* y, double* dy) = 0;
};

// Functions of (t, y) that are negative until they rise to zero: events.
class OdeEvents {
 public:
  virtual ~OdeEvents() = default;
  virtual int watched() const = 0;  // how many; the same during a run
  virtual void watch(double t, const double* y, double* g) = 0;
};

constexpr double kRk4RealAxis = 2.785;  // RK4 is stable for decay rates up to this over the step

class Rk4 {
 public:
  explicit Rk4(Eigen::Index size) : k_(size), at_(size), sum_(size) {}
  // The state after h; the reference holds until the next step.
  Eigen::VectorXd& step(OdeRate& rate, double t, double h, const Eigen::VectorXd& y);

 private:
  void stage(const Eigen::VectorXd& y, double weight, double ahead);

  Eigen::VectorXd k_, at_, sum_;
};

struct OdeStatistics {
  long steps = 0;
  long error_test_failures = 0;   // steps tried again
  long nonlinear_iterations = 0;  // implicit methods
};

// bdf, adams, erk, dirk. Implicit methods solve with a dense matrix up to 300 unknowns, by GMRES above.
class SundialsSolver {
 public:
  // Moves `y` along; the references must outlive it.
  SundialsSolver(OdeRate& rate, Eigen::VectorXd& y, double t, AdaptiveMethod method, double relative_tolerance,
                 double absolute_tolerance, OdeEvents* events = nullptr);
  ~SundialsSolver();
  SundialsSolver(const SundialsSolver&) = delete;
  SundialsSolver& operator=(const SundialsSolver&) = delete;

  // Up to `to`, or to the first event on the way: see `reached`. No step of the whole run is longer than the first
  // advance. False: the solver gave up, `problem` says why.
  bool advance(double to);
  double reached() const { return reached_; }
  bool at_event() const { return at_event_; }
  // Flags of the functions that have risen to zero there.
  const std::vector<char>& risen();
  // After an event: from the y of now, which may have been changed, with no memory of what was before.
  void restart();
  const std::string& problem() const { return problem_; }
  OdeStatistics statistics() const;

 private:
  struct Handles;
  std::unique_ptr<Handles> handles_;
  std::string problem_;
  double reached_ = 0;
  bool at_event_ = false;
  std::vector<char> risen_;
};

}  // namespace slipset::internal
