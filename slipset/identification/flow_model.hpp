// Models of a law's flow: slip angle → resistance along the slip and to the left of it.  docs/theory/identification.md
//   s(φ) = r_C(θ) (cos δ, sin δ),  θ = φ + δ(φ)                                                      [WL19 84] (I.5)
// A reservoir model gives ρ = ln r_C at θ, a direction model δ at φ, each with derivatives to its parameters; a pair of
// them is a flow model, and a linear map from its free parameters ties, fixes or shares them (one angle for both sets,
// exponent 2, D = C).
//
// Superellipse family, with axes at α, τ = θ - α, ν = φ - α:
//   ρ = -(1/s) ln(|cos τ/a|^s + |sin τ/b|^s)            parameters ln a, ln b, s, α                             (I.6)
//   tan(δ + ν) = q^-(1+m) tan^m ν, m = 1/(s-1)          parameters ln q = ln(a/b), s, α                         (I.7)
// Series: ρ = Σ a_k cos kθ + b_k sin kθ, or a periodic cubic B-spline;
//   ln h_D a series without constant: tan δ = (ln h_D)'                                                       (I.8)
#pragma once

#include <Eigen/Core>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "slipset/core/vec.hpp"
#include "slipset/sets/planar_set.hpp"

namespace slipset {

class ReservoirModel {
 public:
  virtual ~ReservoirModel() = default;
  virtual int size() const = 0;
  virtual bool is_superellipse() const { return false; }
  // ρ(θ), its slope in θ, and the derivatives to the parameters.
  virtual double evaluate(double theta, const double* p, double& slope, double* derivatives) const = 0;
  virtual PlanarSet set(const double* p) const = 0;
};

class DirectionModel {
 public:
  virtual ~DirectionModel() = default;
  virtual int size() const = 0;
  virtual bool is_superellipse() const { return false; }
  // δ(φ), and its derivatives to the parameters.
  virtual double evaluate(double phi, const double* p, double* derivatives) const = 0;
  // The set, of any scale. Throws InvalidInput if it is not convex.
  virtual PlanarSet set(const double* p) const = 0;
};

std::shared_ptr<const ReservoirModel> superellipse_reservoir();
std::shared_ptr<const ReservoirModel> fourier_reservoir(int order);  // 2 order + 1 parameters
std::shared_ptr<const ReservoirModel> spline_reservoir(int pieces);  // one parameter a piece; at least 4
std::shared_ptr<const DirectionModel> superellipse_direction();
std::shared_ptr<const DirectionModel> series_direction(int order);  // 2 order parameters

// A free parameter as people read it: value(p) of the free vector, with the derivative for its uncertainty.
struct NamedParameter {
  std::string name;  // "reservoir.semi_axes.1"
  double value;
  double derivative;   // d value / d free parameter
  Eigen::Index index;  // of the free vector
  double (*value_of)(double);
};

class FlowModel {
 public:
  // Parameters of C and D, (pC, pD) = constant + map·free.
  FlowModel(std::string name, std::shared_ptr<const ReservoirModel> reservoir,
            std::shared_ptr<const DirectionModel> direction, Eigen::MatrixXd map, Eigen::VectorXd constant);

  const std::string& name() const { return name_; }
  Eigen::Index size() const { return map_.cols(); }
  // Resistance along the slip and to the left of it; derivatives to the free parameters, if wanted.
  Vec2 evaluate(double phi, const Eigen::VectorXd& free, Eigen::Matrix2Xd* derivatives = nullptr) const;
  double deflection(double phi, const Eigen::VectorXd& free) const;  // δ
  Eigen::VectorXd lower_bounds() const;                              // of the free parameters: exponents
  PlanarSet reservoir(const Eigen::VectorXd& free) const;
  PlanarSet direction(const Eigen::VectorXd& free) const;
  // Of the superellipse family: semi-axes, exponents, angles that are free; empty for series.
  std::vector<NamedParameter> parameters(const Eigen::VectorXd& free) const;
  bool has_superellipse_reservoir() const { return family_reservoir_; }
  bool has_superellipse_direction() const { return family_direction_; }

 private:
  Eigen::VectorXd all(const Eigen::VectorXd& free) const { return constant_ + map_ * free; }

  std::string name_;
  std::shared_ptr<const ReservoirModel> reservoir_;
  std::shared_ptr<const DirectionModel> direction_;
  Eigen::MatrixXd map_;
  Eigen::VectorXd constant_;
  struct Entry {
    Eigen::Index row, column;
    double factor;
  };
  std::vector<Entry> entries_;  // of the map that are not zero: few
  bool family_reservoir_, family_direction_;
};

enum class ReservoirKind { disk, ellipse, superellipse, fourier, spline };
enum class DirectionKind { disk, ellipse, superellipse, series, associated };
inline constexpr std::array<std::string_view, 5> kReservoirKindNames = {"disk", "ellipse", "superellipse", "fourier",
                                                                        "spline"};
inline constexpr std::array<std::string_view, 5> kDirectionKindNames = {"disk", "ellipse", "superellipse", "series",
                                                                        "associated"};
enum class AxesKind { common, separate, fixed };  // angles of C and D: one free angle, two, or given

struct FlowModelOptions {
  ReservoirKind reservoir = ReservoirKind::superellipse;
  DirectionKind direction = DirectionKind::superellipse;
  AxesKind axes = AxesKind::common;
  double angle = 0;  // of fixed axes [rad]
  int order = 6;     // of series; a spline has 4 times as many pieces
};
// Throws InvalidInput for an associated law with a series as reservoir.
FlowModel make_flow_model(const FlowModelOptions& options);
std::string name_of(ReservoirKind kind);
std::string name_of(DirectionKind kind);

}  // namespace slipset
