#include "slipset/vision/mark.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <vector>

#include "slipset/core/angle.hpp"

namespace slipset {
namespace {

constexpr double kBeyond = 2.5;  // width of the ring beyond the edge that determines s [pixels]
constexpr double kInner = 5;  // width of the ring inside the edge that determines m: what is further in may be a label
constexpr double kQuantum = 25;  // variance that every direction of colours has at least

// f of (I.18) around a mark, as an array of its own.
class Mixture {
 public:
  Mixture(const cv::Mat& image, const Vec2& centre, double radius, double margin) {
    const double reach = radius + margin + kBeyond + 3;
    const cv::Rect wanted(static_cast<int>(std::floor(centre.x() - reach)),
                          static_cast<int>(std::floor(centre.y() - reach)), static_cast<int>(std::ceil(2 * reach)) + 1,
                          static_cast<int>(std::ceil(2 * reach)) + 1);
    box_ = wanted & cv::Rect(0, 0, image.cols, image.rows);
    Eigen::Vector3d mark = Eigen::Vector3d::Zero(), around = Eigen::Vector3d::Zero();
    Eigen::Matrix3d products = Eigen::Matrix3d::Zero();
    double inside = 0, outside = 0;
    const double well_inside = std::max({radius - margin, 0.5 * radius, 1.0});
    const auto each = [&](auto&& action) {
      for (int y = 0; y < box_.height; ++y) {
        const auto* row = image.ptr<cv::Vec3b>(y + box_.y);
        for (int x = 0; x < box_.width; ++x) {
          const cv::Vec3b& p = row[x + box_.x];
          action(Vec2(x + box_.x, y + box_.y), Eigen::Vector3d(p[0], p[1], p[2]));
        }
      }
    };
    each([&](const Vec2& at, const Eigen::Vector3d& p) {
      const double distance = (at - centre).norm();
      if (distance <= well_inside && distance >= well_inside - kInner) mark += p, inside += 1;
      if (distance > radius + margin && distance <= radius + margin + kBeyond) {
        around += p;
        products += p * p.transpose();
        outside += 1;
      }
    });
    if (!(inside > 0 && outside > 0)) return;
    mark /= inside;
    around /= outside;
    const Eigen::Vector3d way = mark - around;
    contrast_ = way.norm();
    if (!(contrast_ > 0)) return;
    const Eigen::Matrix3d spread =
        products / outside - around * around.transpose() + kQuantum * Eigen::Matrix3d::Identity();
    const Eigen::Vector3d best = spread.ldlt().solve(way), to = best / best.dot(way);
    values_.reserve(static_cast<std::size_t>(box_.area()));
    others_.reserve(static_cast<std::size_t>(box_.area()));
    each([&](const Vec2&, const Eigen::Vector3d& p) {
      const double share = (p - around).dot(to);
      values_.push_back(share);
      others_.push_back((p - around - share * way).norm());
    });
  }

  double contrast() const { return contrast_; }
  const cv::Rect& box() const { return box_; }
  double at(int x, int y) const { return values_[index(x, y)]; }     // of the box
  double other(int x, int y) const { return others_[index(x, y)]; }  // distance of the colour from every mixture

 private:
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(box_.width) + static_cast<std::size_t>(x);
  }
  cv::Rect box_;
  double contrast_ = 0;
  std::vector<double> values_, others_;
};

// The edge of a round mark: centre, mean radius and its second harmonics (a circle seen from aside), variance of the
// edge's blur and its second harmonics (blur by motion), level inside, level outside with its slope. (I.19)
constexpr int kSize = 12;
using Parameters = Eigen::Matrix<double, kSize, 1>;
enum Place {
  kX,
  kY,
  kRadius,
  kVariance,
  kRadiusCos,
  kRadiusSin,
  kVarianceCos,
  kVarianceSin,
  kInside,
  kOutside,
  kSlope
};
constexpr double kLeastVariance = 1.0 / 12;  // of a pixel itself

struct Predicted {
  double value;
  Parameters slope;
};
Predicted edge_model(const Parameters& p, const Vec2& at) {
  const Vec2 off = at - p.head<2>();
  const double r = std::max(off.norm(), 1e-9);
  const Vec2 e = off / r, left(-e.y(), e.x());
  const double c = e.x() * e.x() - e.y() * e.y(), s = 2 * e.x() * e.y();  // of twice the angle
  const double rho = p[kRadius] + p[kRadiusCos] * c + p[kRadiusSin] * s;
  const double wanted = p[kVariance] + p[kVarianceCos] * c + p[kVarianceSin] * s;
  const bool blurred = wanted > kLeastVariance;
  const double variance = blurred ? wanted : kLeastVariance, width = std::sqrt(variance);
  const double u = (rho - r) / width, share = 0.5 * std::erfc(-u / std::sqrt(2.0));
  const double outside = p[kOutside] + p.segment<2>(kSlope).dot(off), contrast = p[kInside] - outside;
  const double by_rho = contrast * std::exp(-0.5 * u * u) / (std::sqrt(2 * kPi) * width);
  const double by_variance = blurred ? -by_rho * u / (2 * width) : 0;
  const double turn =
      2 / r *
      (by_rho * (p[kRadiusSin] * c - p[kRadiusCos] * s) + by_variance * (p[kVarianceSin] * c - p[kVarianceCos] * s));
  Predicted out;
  out.value = outside + contrast * share;
  out.slope << by_rho * e - turn * left - (1 - share) * p.segment<2>(kSlope), by_rho, by_variance, by_rho * c,
      by_rho * s, by_variance * c, by_variance * s, share, 1 - share, (1 - share) * off;
  return out;
}

double tukey_weight(double r, double limit) {
  const double u = r / limit;
  return std::abs(u) >= 1 ? 0.0 : (1 - u * u) * (1 - u * u);
}
double tukey_loss(double r, double limit) {
  const double u = std::min(1.0, r * r / (limit * limit));
  return limit * limit / 6 * (1 - (1 - u) * (1 - u) * (1 - u));
}

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

struct Pixel {
  Vec2 at;
  double value, weight;
};

// Pixels between `from` and `to` from `about`; those whose colour is no mixture of the mark's and its surroundings
// count less.
std::vector<Pixel> pixels_near(const Mixture& f, const Vec2& about, double from, double to) {
  std::vector<Pixel> pixels;
  std::vector<double> others;
  for (int y = 0; y < f.box().height; ++y)
    for (int x = 0; x < f.box().width; ++x)
      if (const Vec2 at(x + f.box().x, y + f.box().y); (at - about).norm() <= to && (at - about).norm() >= from) {
        pixels.push_back({at, f.at(x, y), f.other(x, y)});
        others.push_back(f.other(x, y));
      }
  if (pixels.empty()) return pixels;
  // Noise of two directions (Rayleigh); in videos the colours are coarser than the light: off the line at every edge.
  const double limit = std::max(4 * median_of(others) / 1.18, 0.35 * f.contrast());
  for (Pixel& pixel : pixels) pixel.weight = tukey_weight(pixel.weight, limit);
  return pixels;
}

struct Fitted {
  Parameters parameters;
  double sigma = NAN, scatter = INFINITY;  // of the centre; of the residuals, robust
  bool converged = false;
};

// Levenberg and Marquardt's method; Tukey's loss beyond `limit`.
Fitted fit_edge(const std::vector<Pixel>& pixels, double reach, double limit, const Parameters& start) {
  using Normal = Eigen::Matrix<double, kSize, kSize>;
  Fitted fit;
  fit.parameters = start;
  const auto allowed = [&](const Parameters& p) {
    return p.allFinite() && p[kRadius] > 0.5 && p[kRadius] < reach && p[kVariance] > 0 &&
           p[kVariance] < reach * reach && p.segment<2>(kRadiusCos).norm() < 0.5 * p[kRadius] &&
           p.segment<2>(kVarianceCos).norm() < p[kVariance] + 0.1;
  };
  const auto cost_of = [&](const Parameters& p) {
    double sum = 0;
    for (const Pixel& pixel : pixels)
      sum += pixel.weight * tukey_loss(pixel.value - edge_model(p, pixel.at).value, limit);
    return sum;
  };
  double damping = 1e-3, cost = cost_of(start);
  for (int iteration = 0; iteration < 50; ++iteration) {
    Normal normal = Normal::Zero();
    Parameters right = Parameters::Zero();
    std::vector<double> sizes;
    double squares = 0, weights = 0;
    for (const Pixel& pixel : pixels) {
      const Predicted m = edge_model(fit.parameters, pixel.at);
      const double residual = pixel.value - m.value, w = pixel.weight * tukey_weight(residual, limit);
      normal.selfadjointView<Eigen::Lower>().rankUpdate(m.slope, w);
      right += w * residual * m.slope;
      squares += w * residual * residual;
      weights += w;
      if (pixel.weight > 0.5) sizes.push_back(std::abs(residual));
    }
    if (weights < 0.3 * static_cast<double>(pixels.size()) || sizes.empty()) return fit;
    normal = normal.selfadjointView<Eigen::Lower>();
    Normal safe = normal;
    safe.diagonal().array() += 1e-9;
    const Normal inverse = safe.ldlt().solve(Normal::Identity());
    fit.sigma = std::sqrt(squares / std::max(1.0, weights - kSize) * std::max(0.0, inverse(0, 0) + inverse(1, 1)) / 2);
    fit.scatter = 1.4826 * median_of(sizes);
    bool better = false;
    double moved = 0;
    for (int tries = 0; tries < 10 && !better; ++tries) {
      Normal damped = normal;
      damped.diagonal() *= 1 + damping;
      damped.diagonal().array() += 1e-9;
      const Parameters next = fit.parameters + damped.ldlt().solve(right);
      const double next_cost = allowed(next) ? cost_of(next) : INFINITY;
      better = next_cost <= cost;
      damping = better ? damping / 5 : damping * 5;
      if (!better) continue;
      moved = (next - fit.parameters).head<3>().norm();
      fit.parameters = next;
      cost = next_cost;
    }
    if (!better || moved < 1e-4) {  // no better: at the rounding of the sum
      fit.converged = true;
      return fit;
    }
  }
  return fit;
}

Mark not_found(std::string why) {
  Mark mark;
  mark.why = std::move(why);
  return mark;
}

Mark by_centroid(const cv::Mat& image, const Blob& blob) {
  const double round = std::sqrt(blob.area / kPi), reach = std::max(blob.box.width, blob.box.height) / 2.0;
  const Mixture f(image, blob.centre, std::max(reach, round), 2);
  if (!(f.contrast() > 0)) return not_found("the mark has no contrast with what is around it");
  const double radius = reach + 2.5;
  Mark mark;
  Vec2 centre = blob.centre;
  double area = 0, scatter = 0;
  int outside = 0;
  for (int iteration = 0; iteration < 20; ++iteration) {
    Vec2 sum = Vec2::Zero();
    area = scatter = 0;
    outside = 0;
    for (int y = 0; y < f.box().height; ++y)
      for (int x = 0; x < f.box().width; ++x) {
        const Vec2 at(x + f.box().x, y + f.box().y);
        const double distance = (at - centre).norm();
        if (distance > radius + 2) continue;
        const double edge = std::clamp(radius + 0.5 - distance, 0.0, 1.0), v = f.at(x, y);  // a window without steps
        sum += edge * v * (at - centre);
        area += edge * v;
        if (distance > radius) scatter += v * v, ++outside;
      }
    if (!(area > 0)) return not_found("the mark has no contrast with what is around it");
    centre += sum / area;
    if ((sum / area).norm() < 1e-4) break;
  }
  mark.found = true;
  mark.centre = centre;
  mark.radius = std::sqrt(area / kPi);
  // Noise of each pixel times its distance: Σσ²x²/A² over a disk of the window's radius.
  mark.sigma = std::sqrt(scatter / std::max(1, outside) * kPi * std::pow(radius, 4) / 4) / area;
  return mark;
}

}  // namespace

Mark locate_mark(const cv::Mat& image, const Blob& blob, MarkMethod method) {
  if (blob.at_border) return not_found("the mark touches the border of the image");
  const double radius = std::sqrt(blob.area / kPi);
  if (method == MarkMethod::centroid || radius < 1.9) return by_centroid(image, blob);
  Fitted fit;
  fit.parameters << blob.centre, radius, 1, 0, 0, 0, 0, 1, 0, 0, 0;
  double limit = 1;
  for (int pass = 0; pass < 3; ++pass) {
    Parameters start = fit.parameters;
    const double longest = start[kRadius] + start.segment<2>(kRadiusCos).norm(),
                 widest = std::sqrt(start[kVariance] + start.segment<2>(kVarianceCos).norm()),
                 margin = 2.5 * widest + 1.5;
    const Mixture f(image, start.head<2>(), longest, margin);
    if (!(f.contrast() > 0)) return not_found("the mark has no contrast with what is around it");
    start.tail<4>() << 1, 0, 0, 0;  // the mixture's colours are new
    const std::vector<Pixel> pixels =
        pixels_near(f, start.head<2>(), longest - 2 * (longest - start[kRadius]) - margin - kInner, longest + margin);
    fit = fit_edge(pixels, longest + margin, limit, start);
    limit = std::max(4.7 * fit.scatter, 0.3);
    if ((fit.parameters.head<2>() - blob.centre).norm() > 0.7 * fit.parameters[kRadius] + 1)
      return not_found("the circle leaves the blob: the mark is not round (use its centroid), or partly hidden");
  }
  if (!fit.converged || !std::isfinite(fit.sigma))
    return not_found("no circle fits: the mark is not round (use its centroid), or partly hidden");
  Mark mark;
  mark.found = true;
  mark.centre = fit.parameters.head<2>();
  mark.radius = fit.parameters[kRadius];
  mark.sigma = fit.sigma;
  mark.edge = std::sqrt(std::max(fit.parameters[kVariance], 0.0));
  return mark;
}

}  // namespace slipset
