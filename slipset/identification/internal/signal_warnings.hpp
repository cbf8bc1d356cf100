// What looks wrong in folded signals, with its causes.
#pragma once

#include "slipset/identification/signals.hpp"

namespace slipset::internal {

// Friction of many times the normal force: a unit, or thousands that were read as decimals.
void warn_of_size(FoldedSignals& signals);
// A few samples with hardly any normal force; more of them are refused.
void warn_of_normal_force(FoldedSignals& signals, const NormalForce& force);
// A cutoff that takes the anisotropy away.
void warn_of_lowpass(FoldedSignals& signals, const SignalOptions& options);
// What was done to join both directions of rotation.
void warn_of_directions(FoldedSignals& signals);
// A radial axis to the other side and an angle that counts the other way look the same, and their laws are mirror images
// of each other.
void warn_of_sense(FoldedSignals& signals, const SignalOptions& options);
// Forces that drift; and where the drift was removed, its mean: that is an offset of the zero unless somebody says when
// the zero was right.
void warn_of_drift(FoldedSignals& signals, const SignalOptions& options);

}  // namespace slipset::internal
