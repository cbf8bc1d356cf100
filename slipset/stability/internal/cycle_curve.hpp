// The two ways of a cycle (cycle_branch.hpp) as a curve of solutions.
#pragma once

#include "slipset/stability/belt_cycle.hpp"
#include "slipset/stability/cycle_branch.hpp"
#include "slipset/stability/internal/continuation.hpp"

namespace slipset::internal {

class CycleCurve : public CurveProblem {
 public:
  virtual std::optional<Cycle> describe(const CurvePoint& at) const = 0;
  virtual void accept(const CurvePoint& at) = 0;  // the next points are near this one
  virtual CurvePoint start() const = 0;
  // Cycles with stick are on another curve, which is the better one for them.
  virtual bool ends_with_stick() const { return false; }
};

// y = (w): the offset across the belt.
class BeltCurve : public CycleCurve {
 public:
  // Throws InvalidInput unless the system is a mass on a belt; `cycle.at` is where stick begins.
  BeltCurve(SystemAtParameter system_at, double parameter, const Cycle& cycle, std::function<bool()> go_on);

  bool residual(const VectorX& y, double p, VectorX& r) const override;
  bool derivative(const VectorX& y, double p, MatrixX& by_y) const override;
  std::optional<Cycle> describe(const CurvePoint& at) const override;
  void accept(const CurvePoint& at) override;
  CurvePoint start() const override { return start_; }

 private:
  struct Turn {
    double w, p;
    std::optional<BeltReturn> turn;
    BeltMotion motion;
    std::shared_ptr<const System> system;
  };
  const Turn& turn_at(double w, double p) const;

  SystemAtParameter system_at_;
  std::function<bool()> go_on_;
  double longest_ = 0;  // slip [s]
  Vec2 inside_;         // a place on the belt's line that the reservoir holds well
  CurvePoint start_;
  mutable Turn last_;
};

// y = (q, u T_0/2π, T size/T_0).
class ShootingCurve : public CycleCurve {
 public:
  ShootingCurve(SystemAtParameter system_at, double parameter, const Cycle& cycle, double size,
                std::function<bool()> go_on);

  bool residual(const VectorX& y, double p, VectorX& r) const override;
  bool derivative(const VectorX& y, double p, MatrixX& by_y) const override;
  std::optional<Cycle> describe(const CurvePoint& at) const override;
  void accept(const CurvePoint& at) override;
  CurvePoint start() const override { return start_; }
  bool ends_with_stick() const override { return without_stick_; }

 private:
  SystemAtParameter system_at_;
  std::function<bool()> go_on_;
  double size_, time_scale_, unit_time_;
  bool without_stick_ = false;
  VectorX reference_, along_;
  CurvePoint start_;
};

}  // namespace slipset::internal
