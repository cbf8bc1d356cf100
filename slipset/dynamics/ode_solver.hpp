// Ordinary differential equations ẏ = f(t, y): Runge-Kutta 4 with fixed step, and SUNDIALS with error control.
// Used for every system with regularised friction; y is (q, u, dissipated energy, input energy).
#pragma once

#include <Eigen/Core>
#include <array>
#include <memory>
#include <string>
#include <string_view>

namespace slipset {

class OdeRate {
 public:
  virtual ~OdeRate() = default;
  // dy = f(t, y). No allocation. Where it does not exist the last number but one is NaN.
  virtual void operator()(double t, const double* y, double* dy) = 0;
};

enum class OdeMethod {
  rk4,    // classical Runge-Kutta of order 4, fixed step                                          [Q04 Sect. 3]
  bdf,    // CVODE, implicit, for stiff ramps
  adams,  // CVODE, not stiff
  erk,    // ARKODE, explicit Runge-Kutta of order 4 with error control
  dirk    // ARKODE, diagonally implicit Runge-Kutta of order 4 with error control
};
constexpr std::array<std::string_view, 5> kOdeMethodNames = {"rk4", "bdf", "adams", "erk", "dirk"};

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
  // Moves `y` along; both references must outlive it.
  SundialsSolver(OdeRate& rate, Eigen::VectorXd& y, double t, OdeMethod method, double relative_tolerance,
                 double absolute_tolerance);
  ~SundialsSolver();
  SundialsSolver(const SundialsSolver&) = delete;
  SundialsSolver& operator=(const SundialsSolver&) = delete;

  // No step of the whole run is longer than the first advance. False: the solver gave up, `problem` says why.
  bool advance(double to);
  const std::string& problem() const { return problem_; }
  OdeStatistics statistics() const;

 private:
  struct Handles;
  std::unique_ptr<Handles> handles_;
  std::string problem_;
};

}  // namespace slipset
