// Models of a law's flow, of every kind.
#include "slipset/identification/flow_model.hpp"

#include <doctest/doctest.h>

#include <Eigen/QR>
#include <cmath>

#include "slipset/core/angle.hpp"
#include "slipset/identification/internal/axis_order.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

constexpr int kAngles = 60;

std::vector<FlowModel> every_model() {
  std::vector<FlowModel> models;
  for (std::size_t c = 0; c < kReservoirKindNames.size(); ++c)
    for (std::size_t d = 0; d < kDirectionKindNames.size(); ++d)
      for (const AxesKind axes : {AxesKind::common, AxesKind::separate, AxesKind::fixed}) {
        FlowModelOptions options;
        options.reservoir = static_cast<ReservoirKind>(c);
        options.direction = static_cast<DirectionKind>(d);
        options.axes = axes;
        options.angle = 0.2;
        options.order = 3;
        if (options.direction == DirectionKind::associated && options.reservoir > ReservoirKind::superellipse) continue;
        models.push_back(make_flow_model(options));
      }
  return models;
}

// Sets that are not round, with exponents about 2.3 and angles up to `angle`.
Eigen::VectorXd some_parameters(Random& random, const FlowModel& model, double angle) {
  Eigen::VectorXd free(model.size());
  for (double& x : free) x = random.uniform(0.05, 0.1);
  for (const NamedParameter& p : model.parameters(free)) {
    if (p.name.ends_with("exponent")) free[p.index] = random.uniform(2.2, 2.5);
    if (p.name.ends_with("angle")) free[p.index] = random.uniform(-angle, angle);
    if (p.name.ends_with("semi_axes.1") || p.name.ends_with("ratio")) free[p.index] = random.uniform(0.3, 0.4);
  }
  return free;
}

double slip_angle(int i) { return 0.013 + 2 * kPi * i / kAngles; }

}  // namespace

TEST_CASE("I.5 flow models of every kind: derivatives are those of differences, and no parameter is without effect") {
  Random random(71);
  Worst off;
  for (const FlowModel& model : every_model()) {
    CAPTURE(model.name());
    const Eigen::VectorXd free = some_parameters(random, model, 0.5);
    Eigen::MatrixXd all(2 * kAngles, model.size());
    for (int i = 0; i < kAngles; ++i) {
      Eigen::Matrix2Xd derivatives;
      model.evaluate(slip_angle(i), free, &derivatives);
      all.middleRows(2 * i, 2) = derivatives;
      for (Eigen::Index k = 0; k < model.size(); ++k) {
        Eigen::VectorXd more = free, less = free;
        more[k] += 1e-6;
        less[k] -= 1e-6;
        const Vec2 difference = (model.evaluate(slip_angle(i), more) - model.evaluate(slip_angle(i), less)) / 2e-6;
        off.add((derivatives.col(k) - difference).norm());
      }
    }
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(all);
    qr.setThreshold(1e-8);
    CHECK(qr.rank() == model.size());
  }
  CHECK(off.value() < 1e-4);  // 5e-6 where a superellipse crosses its axes: powers of 1.2
  CHECK(off.count() > 10000);
}

TEST_CASE("the order of axes is a choice of names: angles within 45 degrees, the same flow") {
  Random random(72);
  int turned = 0;
  for (const FlowModel& model : every_model()) {
    CAPTURE(model.name());
    for (int repeat = 0; repeat < 8; ++repeat) {
      const Eigen::VectorXd free = some_parameters(random, model, 3);
      Eigen::VectorXd ordered = free;
      internal::order_axes(model, ordered);
      turned += (ordered - free).norm() > 0;
      for (const NamedParameter& p : model.parameters(ordered))
        if (p.name.ends_with("angle")) CHECK(std::abs(ordered[p.index]) <= kPi / 4 + 1e-15);
      for (int i = 0; i < kAngles; ++i)
        CHECK((model.evaluate(slip_angle(i), ordered) - model.evaluate(slip_angle(i), free)).norm() < 1e-12);
    }
  }
  CHECK(turned > 50);
}
