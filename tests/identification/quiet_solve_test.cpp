// A library does not print. The log has macros of the same names as doctest: the long ones here.
#include "slipset/identification/internal/quiet_solve.hpp"

#include <doctest/doctest.h>

#include <limits>

using namespace slipset;

DOCTEST_TEST_CASE("Ceres' log is off during a fit, and after it as the program has set it") {
  struct Broken : ceres::SizedCostFunction<1, 1> {
    explicit Broken(int& level) : level_(level) {}
    bool Evaluate(double const* const*, double* residuals, double** jacobians) const override {
      level_ = FLAGS_minloglevel;
      residuals[0] = std::numeric_limits<double>::quiet_NaN();  // of which Ceres would write twenty lines
      if (jacobians != nullptr && jacobians[0] != nullptr) jacobians[0][0] = 1;
      return true;
    }
    int& level_;
  };
  double x = 1;
  int level = -1;
  ceres::Problem problem;
  problem.AddResidualBlock(new Broken(level), nullptr, &x);
  ceres::Solver::Options options;
  options.logging_type = ceres::SILENT;
  ceres::Solver::Summary summary;
  for (const int before : {google::GLOG_INFO, google::GLOG_ERROR}) {
    FLAGS_minloglevel = before;
    internal::quiet_solve(options, problem, summary);
    DOCTEST_CHECK(level == google::GLOG_FATAL);
    DOCTEST_CHECK(FLAGS_minloglevel == before);
    DOCTEST_CHECK_FALSE(summary.IsSolutionUsable());
  }
  FLAGS_minloglevel = google::GLOG_INFO;
}
