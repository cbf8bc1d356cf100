// Anderson's acceleration of a fixed-point iteration s ← s + f(s).      docs/theory/contact.md
//   s ← s + f − (ΔS + ΔF) γ,   γ = argmin |f − ΔF γ|,   ΔS, ΔF: the last changes of s and f                      (C.14)
#pragma once

#include <Eigen/Core>

namespace slipset::internal {

class Anderson {
 public:
  explicit Anderson(Eigen::Index size) { resize(size); }

  void resize(Eigen::Index size);  // and restart
  void restart();
  // s, where f was evaluated, becomes the next place. Extrapolation that made |f| grow is taken back.
  void next(Eigen::VectorXd& s, const Eigen::VectorXd& f);

 private:
  static constexpr int kMemory = 10;

  Eigen::VectorXd last_s_, last_f_;
  Eigen::MatrixXd change_s_, change_f_;  // columns: the last kMemory changes
  Eigen::Matrix<double, kMemory, kMemory> products_ = Eigen::Matrix<double, kMemory, kMemory>::Zero();  // ΔFᵀΔF
  int kept_ = 0, next_ = 0;
  bool started_ = false, extrapolated_ = false;
};

}  // namespace slipset::internal
