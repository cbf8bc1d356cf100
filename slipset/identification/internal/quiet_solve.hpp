// Ceres without its log: what it has to say is in the summary.
#pragma once

#include <ceres/ceres.h>
#include <glog/logging.h>
#if __has_include(<glog/flags.h>)  // from 0.7 on
#include <glog/flags.h>
#endif

namespace slipset::internal {

// A library does not print. Below "fatal" Ceres' log is off during the solution; then it is as the program has set it.
inline void quiet_solve(const ceres::Solver::Options& options, ceres::Problem& problem,
                        ceres::Solver::Summary& summary) {
  class Quiet {
   public:
    Quiet() { FLAGS_minloglevel = google::GLOG_FATAL; }
    ~Quiet() { FLAGS_minloglevel = before_; }
    Quiet(const Quiet&) = delete;
    Quiet& operator=(const Quiet&) = delete;

   private:
    int before_ = FLAGS_minloglevel;
  } quiet;
  ceres::Solve(options, &problem, &summary);
}

}  // namespace slipset::internal
