// Impulses of contacts between coupled masses, for the splitting: W is not at hand, only products with it.
#pragma once

#include "slipset/contact/internal/contact_set.hpp"
#include "slipset/contact/internal/measure_sums.hpp"
#include "slipset/contact/internal/prepared_general.hpp"
#include "slipset/contact/internal/prepared_planar.hpp"
#include "slipset/contact/internal/prepared_rolling.hpp"
#include "slipset/contact/internal/sweep_run.hpp"
#include "slipset/contact/mass_delassus.hpp"

namespace slipset::internal {

template <class Prepared>
class MassIterate final : public ContactIterate {
 public:
  static constexpr int kRows = Prepared::kRows;

  void begin(const MassDelassus& masses, const ContactProblem& problem, const ContactOptions& options,
             const Eigen::VectorXd& guess);

  int sweep(double, bool) override { return 0; }  // needs W in blocks
  double error() override;
  double residual();  // (C.17)
  // What adds up at a contact of the impulses that were looked at last.
  double sum(std::size_t i, const Eigen::VectorXd& velocity) const;

  ContactSet<Prepared> contacts;
  double mobility = 0;                         // mean, scaled
  std::vector<typename Prepared::Vec> metric;  // of ones, where contacts may have any rows

 private:
  double full_error() const;  // (C.12)
  const MassDelassus* masses_ = nullptr;
  const ContactProblem* problem_ = nullptr;
  const ContactOptions* options_ = nullptr;
  std::vector<typename Prepared::Block> blocks_;  // gI, one for each contact, or one for all of fixed size
  Limits limits_;
  Eigen::VectorXd velocity_;
};

}  // namespace slipset::internal
