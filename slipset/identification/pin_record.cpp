#include "slipset/identification/pin_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "slipset/core/angle.hpp"
#include "slipset/core/dense.hpp"
#include "slipset/core/error.hpp"

namespace slipset {

namespace {

void require_finite_signal(std::span<const double> signal, const char* what) {
  for (std::size_t i = 0; i < signal.size(); ++i)
    if (!std::isfinite(signal[i]))
      throw InvalidInput(
          fmt::format("{}: row {} is {}; cut the record there, or name the right column", what, i + 1, signal[i]),
          "columns");
}

void require_one_length(const PinRecord& r) {
  if (r.tangential.size() != r.size() || r.radial.size() != r.size() ||
      (!r.normal.empty() && r.normal.size() != r.size()))
    throw InvalidInput("the signals differ in length");
}

}  // namespace

void compensate(PinRecord& record, const Eigen::Matrix3d& matrix) {
  if (record.normal.size() != record.size())
    throw InvalidInput("a compensation matrix needs the third channel, normal");
  require_one_length(record);
  if (!matrix.allFinite()) throw InvalidInput("compensation matrix: not finite");
  for (std::size_t i = 0; i < record.size(); ++i) {
    const Eigen::Vector3d force = matrix * Eigen::Vector3d(record.radial[i], record.tangential[i], record.normal[i]);
    record.radial[i] = force[0];
    record.tangential[i] = force[1];
    record.normal[i] = force[2];
  }
}

Eigen::Matrix3d compensation_from_loads(std::span<const std::vector<double>> columns) {
  if (columns.size() != 6)
    throw InvalidInput(fmt::format(
        "known loads: found {} columns; expected six: applied radial, tangential, normal, and the three channels",
        columns.size()));
  for (const std::vector<double>& column : columns) {
    if (column.size() != columns[0].size())
      throw InvalidInput(fmt::format("known loads: columns of {} and of {} rows; each load needs all six numbers",
                                     columns[0].size(), column.size()));
    require_finite_signal(column, "known loads");
  }
  const auto rows = static_cast<Eigen::Index>(columns[0].size());
  Eigen::MatrixX3d applied(rows, 3), measured(rows, 3);
  for (Eigen::Index k = 0; k < 3; ++k) {
    applied.col(k) = Eigen::VectorXd::Map(columns[static_cast<std::size_t>(k)].data(), rows);
    measured.col(k) = Eigen::VectorXd::Map(columns[static_cast<std::size_t>(k) + 3].data(), rows);
  }
  const auto span = [] {
    return InvalidInput("known loads: they do not span all three directions; load the sensor along each of them");
  };
  if (rows < 3) throw span();
  const PivotedQr qr(measured);
  if (qr.rank() < 3) throw span();
  return qr.solve(applied).transpose();
}

void unwrap(std::span<double> angle) {
  if (angle.empty()) return;
  require_finite_signal(angle, "angle");
  double turn = 0, before = angle[0];
  for (double& a : angle) {
    const double jump = a - before;
    before = a;
    if (std::abs(jump) > kPi) turn -= 2 * kPi * std::round(jump / (2 * kPi));
    a += turn;
  }
}

Turns turns_of(std::span<const double> angle) {
  const std::size_t n = angle.size();
  if (n < 2) throw InvalidInput(fmt::format("only {} samples; a revolution needs at least 8", n));
  require_finite_signal(angle, "angle");
  double back = 0, forth = 0, worst_back = 0, worst_forth = 0;
  std::size_t back_at = 0, forth_at = 0;
  for (std::size_t i = 1; i < n; ++i) {
    const double step = angle[i] - angle[i - 1];
    if (step < 0) {
      back -= step;
      if (step < worst_back) worst_back = step, back_at = i;
    } else {
      forth += step;
      if (step > worst_forth) worst_forth = step, forth_at = i;
    }
  }
  const bool grows = forth >= back;
  const double against = grows ? back : forth, along = grows ? forth : back;
  const double worst = grows ? -worst_back : worst_forth;
  if (against > 0.02 * along || worst > radians(10))
    throw InvalidInput(
        fmt::format("the angle is not monotone: at row {} it turns back by {:.4g} degrees, and {:.3g} % of all motion "
                    "is backwards; "
                    "give a record of one direction of rotation (cut starts and stops), and the angle's unit",
                    (grows ? back_at : forth_at) + 1, degrees(worst), 100 * against / std::max(along, 1e-300)),
        "angle unit");
  const double revolutions = std::abs(angle[n - 1] - angle[0]) / (2 * kPi);
  const double each = static_cast<double>(n - 1) / std::max(revolutions, 1e-300);
  // The last sample of a closed turn may be left out by the instrument.
  if (revolutions * (1 + 1.5 / static_cast<double>(n - 1)) < 1)
    throw InvalidInput(fmt::format("the record has {:.4g} revolutions, less than one: the sets need every slip "
                                   "direction; use a longer record, or give the angle's unit",
                                   revolutions),
                       "angle unit");
  if (each < 8)
    throw InvalidInput(fmt::format(
        "only {:.3g} samples per revolution: the angle cannot be followed; sample faster, 100 or more", each));
  return {revolutions, each};
}

double drift_of(std::span<const double> signal, std::span<const double> angle, std::span<const char> kept) {
  const std::size_t n = signal.size();
  if (angle.size() != n || n < 2)
    throw InvalidInput(
        fmt::format("drift: {} samples and {} angles; expected as many of each, at least 2", n, angle.size()));
  if (!kept.empty() && kept.size() != n)
    throw InvalidInput(fmt::format("drift: {} samples, and {} of them kept or not", n, kept.size()));
  require_finite_signal(signal, "force");
  require_finite_signal(angle, "angle");
  const double turns = std::abs(angle[n - 1] - angle[0]) / (2 * kPi);
  if (turns < kDriftTurns)
    throw InvalidInput(fmt::format(
        "the drift cannot be told from the surface in {:.3g} revolutions: it needs two or more; use a longer "
        "record, or do not remove the drift",
        turns));
  const double bins = std::clamp(std::floor(static_cast<double>(n) / turns / 2), 4.0, 720.0);
  struct Sum {
    double x = 0, y = 0, xx = 0, xy = 0, count = 0;
  };
  std::vector<Sum> sums(static_cast<std::size_t>(bins));
  const double middle = static_cast<double>(n - 1) / 2;
  for (std::size_t i = 0; i < n; ++i) {
    if (!kept.empty() && kept[i] == 0) continue;
    const double x = static_cast<double>(i) - middle, part = angle[i] / (2 * kPi);
    Sum& s = sums[std::min(sums.size() - 1, static_cast<std::size_t>((part - std::floor(part)) * bins))];
    s.x += x;
    s.y += signal[i];
    s.xx += x * x;
    s.xy += x * signal[i];
    s.count += 1;
  }
  double above = 0, below = 0;
  for (const Sum& s : sums) {
    if (s.count == 0) continue;
    above += s.xy - s.x * s.y / s.count;
    below += s.xx - s.x * s.x / s.count;
  }
  return below > 0 ? above / below * static_cast<double>(n - 1) : 0;
}

double remove_drift(std::span<double> signal, std::span<const double> angle, ZeroAt zero, std::span<const char> kept) {
  const double drift = drift_of(signal, angle, kept), last = static_cast<double>(signal.size() - 1);
  const double fixed = zero == ZeroAt::start ? 0 : zero == ZeroAt::end ? 1 : 0.5;
  for (std::size_t i = 0; i < signal.size(); ++i) signal[i] -= drift * (static_cast<double>(i) / last - fixed);
  return drift;
}

void require_valid(const PinRecord& r) {
  if (r.size() < 8) throw InvalidInput(fmt::format("only {} samples; a revolution needs at least 8", r.size()));
  require_one_length(r);
  require_finite_signal(r.angle, "angle");
  require_finite_signal(r.tangential, "tangential force");
  require_finite_signal(r.radial, "radial force");
  require_finite_signal(r.normal, "normal force");
  if (r.normal.empty() && !(r.normal_force > 0 && std::isfinite(r.normal_force)))
    throw InvalidInput("no normal force: give its column, or a constant force in newtons", "normal force");
}

NormalForce check_normal_force(std::vector<double>& normal) {
  if (normal.empty()) throw InvalidInput("no normal force: give its column, or a constant force in newtons");
  require_finite_signal(normal, "normal force");
  double sum = 0;
  for (const double f : normal) sum += f;
  double mean = sum / static_cast<double>(normal.size());
  if (mean < 0) {  // pressing counted as negative
    for (double& f : normal) f = -f;
    mean = -mean;
  }
  double square = 0;
  std::size_t low = 0, low_at = 0;
  for (std::size_t i = 0; i < normal.size(); ++i) {
    square += (normal[i] - mean) * (normal[i] - mean);
    if (!(normal[i] > 0.05 * mean)) {
      if (low++ == 0) low_at = i;
    }
  }
  if (!(mean > 0) || low > normal.size() / 100)
    throw InvalidInput(
        fmt::format("the normal force is zero or changes its sign ({} of {} samples are below 5 % of the mean {:.4g} "
                    "N, the first at "
                    "row {}): the pin was off the disk, or this is not the normal force's column; cut the record or "
                    "name the column",
                    low, normal.size(), mean, low_at + 1),
        "columns");
  return {mean, std::sqrt(square / static_cast<double>(normal.size())) / mean, low, low_at + 1};
}

}  // namespace slipset
