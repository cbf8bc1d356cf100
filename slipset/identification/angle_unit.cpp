#include "slipset/identification/angle_unit.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <complex>
#include <optional>
#include <vector>

#include "slipset/core/angle.hpp"
#include "slipset/core/error.hpp"
#include "slipset/core/internal/statistics.hpp"

namespace slipset {
namespace {

struct Candidate {
  const char* unit;
  double turn;  // one turn in this unit
};
const Candidate kCandidates[] = {{"deg", 360}, {"rad", 2 * kPi}, {"rev", 1}, {"gon", 400}};
constexpr int kHarmonics = 8;

struct Shares {
  double share = 0;  // of the forces' variance that harmonics of this period explain
  double ratio = 0;  // of what one harmonic explains to the noise: F statistic
  double turns = 0;
};

// Mean and line come off first: drift is no evidence for a long period.
std::optional<Shares> explained(std::span<const double> angle, std::span<const double> tangential,
                                std::span<const double> radial, double turn, std::size_t stride) {
  const auto [low, high] = std::minmax_element(angle.begin(), angle.end());
  const double turns = (*high - *low) / turn;
  const double each = static_cast<double>(angle.size()) / static_cast<double>(stride) / std::max(turns, 1e-300);
  // The last sample of a closed turn may be left out by the instrument.
  if (turns * (1 + 1.5 / static_cast<double>(angle.size() - 1)) < 1 || each < 8) return std::nullopt;
  const int harmonics = std::min(kHarmonics, static_cast<int>(each / 2) - 1);
  const Eigen::Index size = 2 + 2 * harmonics;
  Eigen::MatrixXd normal = Eigen::MatrixXd::Zero(size, size);
  Eigen::MatrixX2d right = Eigen::MatrixX2d::Zero(size, 2);
  Eigen::Vector2d square = Eigen::Vector2d::Zero();
  Eigen::VectorXd row(size);
  double samples = 0;
  for (std::size_t i = 0; i < angle.size(); i += stride) {
    row[0] = 1;
    row[1] = 2 * static_cast<double>(i) / static_cast<double>(angle.size()) - 1;
    const std::complex<double> e = std::polar(1.0, 2 * kPi * (angle[i] - *low) / turn);
    std::complex<double> power = e;
    for (int k = 0; k < harmonics; ++k, power *= e) {
      row[2 + 2 * k] = power.real();
      row[3 + 2 * k] = power.imag();
    }
    const Eigen::Vector2d y(tangential[i], radial[i]);
    normal.selfadjointView<Eigen::Lower>().rankUpdate(row);
    right += row * y.transpose();
    square += y.cwiseAbs2();
    samples += 1;
  }
  const Eigen::MatrixXd full = normal.selfadjointView<Eigen::Lower>();
  const auto residual = [&](Eigen::Index n) {
    const Eigen::MatrixXd solution = full.topLeftCorner(n, n).ldlt().solve(right.topRows(n));
    return (square.transpose() - (right.topRows(n).cwiseProduct(solution)).colwise().sum()).cwiseMax(0.0).eval();
  };
  const auto line = residual(2), all = residual(size);
  const double tiny = 1e-20 * square.sum();
  double before = 0, after = 0;
  for (const int k : {0, 1}) {
    before += line[k];
    after += std::min(all[k], line[k]);
  }
  if (!(before > tiny)) return Shares{0, 0, turns};
  const double noise = std::max(after, 1e-12 * before) / std::max(1.0, 2 * (samples - static_cast<double>(size)));
  return Shares{1 - after / before, (before - after) / (4 * harmonics) / noise, turns};
}

// The period of a sawtooth: its jumps back, plus a step.
std::optional<double> jump_of(std::span<const double> angle) {
  const auto [low, high] = std::minmax_element(angle.begin(), angle.end());
  std::vector<double> steps, jumps;
  for (std::size_t i = 1; i < angle.size(); ++i) {
    const double step = angle[i] - angle[i - 1];
    (std::abs(step) > 0.5 * (*high - *low) ? jumps : steps).push_back(std::abs(step));
  }
  if (jumps.empty() || steps.size() < 8) return std::nullopt;
  return internal::median(std::move(jumps)) + internal::median(std::move(steps));
}

}  // namespace

AngleUnit tell_angle_unit(std::span<const double> angle, std::span<const double> tangential,
                          std::span<const double> radial) {
  if (tangential.size() != angle.size() || radial.size() != angle.size())
    throw InvalidInput(
        fmt::format("angle unit: {} angles with {} tangential and {} radial forces; expected as many of each",
                    angle.size(), tangential.size(), radial.size()));
  for (const std::span<const double> signal : {angle, tangential, radial})
    for (std::size_t i = 0; i < signal.size(); ++i)
      if (!std::isfinite(signal[i]))
        throw InvalidInput(fmt::format("angle unit: row {} has {}; cut the record there", i + 1, signal[i]));
  if (angle.size() < 16) return {"", 0, "too few samples to tell"};
  if (const auto jump = jump_of(angle)) {
    for (const Candidate& c : kCandidates)
      if (std::abs(*jump / c.turn - 1) < 0.02)
        return {c.unit, 2 * kPi / c.turn, fmt::format("the column jumps by {:.4g}", *jump)};
    return {"", 0, fmt::format("the column jumps by {:.4g}, which is a turn in no unit known here", *jump)};
  }
  std::size_t stride = std::max<std::size_t>(1, angle.size() / 200'000);
  const auto [low, high] = std::minmax_element(angle.begin(), angle.end());
  for (const Candidate& c : kCandidates) {  // 20 samples a turn are enough, less are not
    const double each = static_cast<double>(angle.size()) * c.turn / std::max(*high - *low, 1e-300);
    if (each >= 20) stride = std::min(stride, std::max<std::size_t>(1, static_cast<std::size_t>(each / 20)));
  }
  std::string tried;
  const Candidate* best = nullptr;
  Shares first;
  double second = 0;
  for (const Candidate& c : kCandidates) {
    const auto shares = explained(angle, tangential, radial, c.turn, stride);
    if (!shares) continue;
    tried += fmt::format("{}{:.3g} turns in {}: {:.3g} %", tried.empty() ? "" : ", ", shares->turns, c.unit,
                         100 * shares->share);
    if (best == nullptr || shares->share > first.share) {
      if (best != nullptr) second = std::max(second, first.share);
      best = &c;
      first = *shares;
    } else {
      second = std::max(second, shares->share);
    }
  }
  if (best == nullptr) return {"", 0, "the column has less than one turn in every unit known here"};
  const std::string evidence = fmt::format("variation of the forces that repeats every turn: {}", tried);
  // Below two turns next to nothing repeats; whole turns in degrees are evidence of their own.
  const bool whole = first.turns < 2 && std::abs(first.turns - 1) < 0.01 && best->turn == 360;
  if (first.ratio > 30 && first.share > 5 * second && (first.turns >= 2 || whole))
    return {best->unit, 2 * kPi / best->turn, evidence};
  return {"", 0, evidence};
}

}  // namespace slipset
