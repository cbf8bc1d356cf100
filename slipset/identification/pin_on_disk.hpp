// Signals of a pin-on-disk tribometer → reservoir, direction set, law.   docs/identify.md
//   fold by slip angle, choose a model of C and D, fit it, test it: closure of D, convexity, maximum dissipation
#pragma once

#include "slipset/identification/fourier.hpp"
#include "slipset/identification/model_choice.hpp"
#include "slipset/identification/sets_from_data.hpp"
#include "slipset/identification/unseen.hpp"

namespace slipset {

struct PinOptions {
  SignalOptions signals;           // its offset and misalignment are not used where they are to be found
  bool find_offset = false;        // the angle of the surface's axes at angle zero, from the fitted axes
  bool find_misalignment = false;  // of the sensor, so that D closes
  ChoiceOptions model;             // its `fit` is the one below
  bool hull = false;               // the convex, smoothed D of the data instead of a fitted one
  FitOptions fit;
};

struct PinIdentification {
  FoldedSignals signals;
  ModelChoice choice;
  FlowFit fit;  // the chosen one, with replications
  SetsFromData sets;
  AssociatedTest associated;
  PlanarSet reservoir, direction;
  double offset = 0, misalignment = 0;  // as used [rad]
  Unseen unseen;                        // directions in which C has no data
  std::vector<Advice> warnings;
};

// Throws InvalidInput, with what to do.
PinIdentification identify_pin(PinRecord record, const PinOptions& options);

}  // namespace slipset
