// The record of a pin-on-disk tribometer, as measured.                docs/theory/identification.md
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

namespace slipset {

// One entry per sample. All of one length.
struct PinRecord {
  std::vector<double> angle;                       // of the disk [rad], any turn
  std::vector<double> tangential, radial, normal;  // [N]; `normal` may be empty for a constant force
  double normal_force = 0;                         // [N], where `normal` is empty

  std::size_t size() const { return angle.size(); }
};

// λ = T F, order radial, tangential, normal.                                                    [WL19 Sect. 5.2]
void compensate(PinRecord& record, const Eigen::Matrix3d& matrix);
// T from known loads: rows (applied radial, tangential, normal, measured F_x, F_y, F_z), at least three; least squares.
// Throws InvalidInput where the loads do not span all three directions, are not finite or differ in number.
Eigen::Matrix3d compensation_from_loads(std::span<const std::vector<double>> columns);

// Throws InvalidInput unless there are enough samples, all signals finite and of one length, and a normal force. The
// functions below ask the same of what they take.
void require_valid(const PinRecord& record);

struct Turns {
  double revolutions;
  double samples_each;  // samples per revolution
};
// Takes the jumps from 360 to 0 degrees out of the angle.
void unwrap(std::span<double> angle);
// Of an unwrapped angle. Throws InvalidInput where it turns back, where it has less than one revolution, and where it
// cannot be followed.
Turns turns_of(std::span<const double> angle);

// When the amplifier's zero was right.
enum class ZeroAt { unknown, start, middle, end };
// The drift of a signal that repeats every turn of the unwrapped angle, from the first to the last sample: a line over the
// samples, from samples of equal angle. Throws InvalidInput for less than two revolutions.
constexpr double kDriftTurns = 1.99;
// `kept`: one entry per sample, 0 for those that do not count (outliers); empty: all count.
double drift_of(std::span<const double> signal, std::span<const double> angle, std::span<const char> kept = {});
// Takes it off and returns it. At `zero` (unknown: in the middle) the signal stays as it was.
double remove_drift(std::span<double> signal, std::span<const double> angle, ZeroAt zero,
                    std::span<const char> kept = {});

struct NormalForce {
  double mean, variation;          // [N], standard deviation over the mean
  std::size_t low = 0, first = 0;  // samples below 5 % of the mean, and the row of the first of them
};
// Makes pressing positive. Throws InvalidInput where the force is zero or changes its sign in more than 1 % of the
// samples.
NormalForce check_normal_force(std::vector<double>& normal);

}  // namespace slipset
