#include "slipset/identification/flow_model.hpp"

#include <fmt/format.h>

#include <cmath>

#include "slipset/core/angle.hpp"
#include "slipset/core/error.hpp"

namespace slipset {
namespace {

constexpr int kMostParameters = 96;

}  // namespace

FlowModel::FlowModel(std::string name, std::shared_ptr<const ReservoirModel> reservoir,
                     std::shared_ptr<const DirectionModel> direction, Eigen::MatrixXd map, Eigen::VectorXd constant)
    : name_(std::move(name)),
      reservoir_(std::move(reservoir)),
      direction_(std::move(direction)),
      map_(std::move(map)),
      constant_(std::move(constant)) {
  if (!reservoir_ || !direction_) throw InvalidInput("flow model " + name_ + ": a shape is null");
  const Eigen::Index all = reservoir_->size() + direction_->size();
  if (map_.rows() != all || constant_.size() != all || !map_.allFinite() || !constant_.allFinite())
    throw InvalidInput(fmt::format(
        "flow model {}: a map of {} rows and {} constants; its shapes have {} parameters, and all must be finite",
        name_, map_.rows(), constant_.size(), all));
  family_reservoir_ = reservoir_->is_superellipse();
  family_direction_ = direction_->is_superellipse();
  for (Eigen::Index row = 0; row < map_.rows(); ++row)
    for (Eigen::Index column = 0; column < map_.cols(); ++column)
      if (map_(row, column) != 0) entries_.push_back({row, column, map_(row, column)});
  if (constant_.size() > kMostParameters)
    throw InvalidInput("a flow model may have at most 96 parameters; use a lower order");
}

// No allocation: the parameters of all models fit on the stack.
Vec2 FlowModel::evaluate(double phi, const Eigen::VectorXd& free, Eigen::Matrix2Xd* derivatives) const {
  constexpr int kMost = kMostParameters;
  Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMost, 1> p = constant_;
  for (const Entry& e : entries_) p[e.row] += e.factor * free[e.column];
  const Eigen::Index nc = reservoir_->size(), nd = direction_->size();
  Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMost, 1> dc(nc), dd(nd);
  const double delta = direction_->evaluate(phi, p.data() + nc, dd.data());
  double slope = 0;
  const double radius = std::exp(reservoir_->evaluate(phi + delta, p.data(), slope, dc.data()));
  const Vec2 s = radius * Vec2(std::cos(delta), std::sin(delta));
  if (derivatives != nullptr) {
    Eigen::Matrix<double, 2, Eigen::Dynamic, 0, 2, kMost> full(2, nc + nd);
    full.leftCols(nc) = s * dc.transpose();
    full.rightCols(nd) = (slope * s + turn_left(s)) * dd.transpose();
    derivatives->setZero(2, size());
    for (const Entry& e : entries_) derivatives->col(e.column) += e.factor * full.col(e.row);
  }
  return s;
}

double FlowModel::deflection(double phi, const Eigen::VectorXd& free) const {
  const Eigen::VectorXd p = all(free);
  Eigen::VectorXd unused(direction_->size());
  return direction_->evaluate(phi, p.data() + reservoir_->size(), unused.data());
}

Eigen::VectorXd FlowModel::lower_bounds() const {
  Eigen::VectorXd bounds = Eigen::VectorXd::Constant(size(), -INFINITY);
  const auto bound = [&](Eigen::Index row, double least) {
    for (Eigen::Index k = 0; k < size(); ++k)
      if (map_(row, k) == 1) bounds[k] = std::max(bounds[k], least);
  };
  if (family_reservoir_) bound(2, 0.1);
  if (family_direction_) bound(reservoir_->size() + 1, 1.02);
  return bounds;
}

PlanarSet FlowModel::reservoir(const Eigen::VectorXd& free) const { return reservoir_->set(all(free).data()); }
PlanarSet FlowModel::direction(const Eigen::VectorXd& free) const {
  return direction_->set(all(free).data() + reservoir_->size());
}

std::vector<NamedParameter> FlowModel::parameters(const Eigen::VectorXd& free) const {
  std::vector<NamedParameter> named;
  const Eigen::VectorXd p = all(free);
  const auto exponential = [](double x) { return std::exp(x); };
  const auto as_it_is = [](double x) { return x; };
  const auto in_degrees = [](double x) { return degrees(x); };
  // Each full parameter that depends on one free parameter alone, with factor 1.
  const auto add = [&](const char* name, Eigen::Index row, double (*value_of)(double), double derivative) {
    for (Eigen::Index k = 0; k < map_.cols(); ++k)
      if (map_(row, k) == 1 && map_.row(row).cwiseAbs().sum() == 1) {
        for (const NamedParameter& other : named)
          if (other.index == k) return;  // shared: named once
        named.push_back({name, value_of(p[row]), derivative, k, value_of});
      }
  };
  if (family_reservoir_) {
    const bool disk = map_.row(0) == map_.row(1);
    add(disk ? "reservoir.radius" : "reservoir.semi_axes.1", 0, exponential, std::exp(p[0]));
    if (!disk) add("reservoir.semi_axes.2", 1, exponential, std::exp(p[1]));
    add("reservoir.exponent", 2, as_it_is, 1);
    add("reservoir.angle", 3, in_degrees, degrees(1));
  }
  if (family_direction_) {
    const Eigen::Index at = reservoir_->size();
    add("direction.axis_ratio", at, exponential, std::exp(p[at]));
    add("direction.exponent", at + 1, as_it_is, 1);
    add("direction.angle", at + 2, in_degrees, degrees(1));
  }
  return named;
}

std::string name_of(ReservoirKind kind) { return std::string(kReservoirKindNames[static_cast<std::size_t>(kind)]); }
std::string name_of(DirectionKind kind) { return std::string(kDirectionKindNames[static_cast<std::size_t>(kind)]); }

FlowModel make_flow_model(const FlowModelOptions& o) {
  require_finite(o.angle, "angle of fixed axes");
  const bool family_c = o.reservoir <= ReservoirKind::superellipse;
  const bool associated = o.direction == DirectionKind::associated;
  if (associated && !family_c)
    throw InvalidInput("an associated law is fitted with a disk, an ellipse or a superellipse as reservoir");
  const bool family_d = o.direction != DirectionKind::series;
  auto c = family_c                                ? superellipse_reservoir()
           : o.reservoir == ReservoirKind::fourier ? fourier_reservoir(o.order)
                                                   : spline_reservoir(4 * o.order);
  auto d = family_d ? superellipse_direction() : series_direction(o.order);
  const Eigen::Index nc = c->size(), nd = d->size();
  std::vector<Eigen::VectorXd> columns;
  Eigen::VectorXd constant = Eigen::VectorXd::Zero(nc + nd);
  const auto free = [&](std::initializer_list<std::pair<Eigen::Index, double>> rows) {
    Eigen::VectorXd column = Eigen::VectorXd::Zero(nc + nd);
    for (const auto& [row, factor] : rows) column[row] = factor;
    columns.push_back(column);
  };
  if (!family_c) {
    for (Eigen::Index k = 0; k < nc; ++k) free({{k, 1.0}});
  } else {
    constant[2] = o.reservoir == ReservoirKind::superellipse ? 0 : 2;
    if (o.reservoir == ReservoirKind::disk)
      free({{0, 1}, {1, 1}});
    else if (associated) {  // ln q = ln a - ln b
      free({{0, 1}, {nc, 1}});
      free({{1, 1}, {nc, -1}});
    } else {
      free({{0, 1}});
      free({{1, 1}});
    }
    if (o.reservoir == ReservoirKind::superellipse && !associated) free({{2, 1}});
    if (o.reservoir == ReservoirKind::superellipse && associated) free({{2, 1}, {nc + 1, 1}});
  }
  const bool free_exponent_d =
      o.direction == DirectionKind::superellipse || (associated && o.reservoir == ReservoirKind::superellipse);
  if (family_d && !free_exponent_d) constant[nc + 1] = 2;
  const bool turned_c = family_c && o.reservoir != ReservoirKind::disk;
  const bool turned_d = family_d && o.direction != DirectionKind::disk && !(associated && !turned_c);
  if (family_d && !associated && o.direction != DirectionKind::disk) {
    free({{nc, 1}});
    if (o.direction == DirectionKind::superellipse) free({{nc + 1, 1}});
  }
  if (!family_d)
    for (Eigen::Index k = 0; k < nd; ++k) free({{nc + k, 1.0}});
  if (o.axes == AxesKind::fixed) {
    if (turned_c) constant[3] = o.angle;
    if (turned_d) constant[nc + 2] = o.angle;
  } else if (turned_c && turned_d && (o.axes == AxesKind::common || associated)) {
    free({{3, 1}, {nc + 2, 1}});
  } else {
    if (turned_c) free({{3, 1}});
    if (turned_d) free({{nc + 2, 1}});
  }
  Eigen::MatrixXd map(nc + nd, static_cast<Eigen::Index>(columns.size()));
  for (std::size_t k = 0; k < columns.size(); ++k) map.col(static_cast<Eigen::Index>(k)) = columns[k];
  const bool separate = turned_c && turned_d && o.axes == AxesKind::separate && !associated;
  return {name_of(o.reservoir) + " + " + name_of(o.direction) + (separate ? ", separate axes" : ""), c, d, map,
          constant};
}

}  // namespace slipset
