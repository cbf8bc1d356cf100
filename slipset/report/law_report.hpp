// A law as a table of directions, its properties with reasons, JSON and a figure.   docs/output.md
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "slipset/laws/properties.hpp"
#include "slipset/report/results.hpp"
#include "slipset/scenario/law_setup.hpp"

namespace slipset {

// The resistance at one slip direction, in numbers that people ask for.
struct DirectionRow {
  double slip_angle;   // [degrees]
  Face resistance;     // its range: one point, unless D has a flat side there
  Vec2 middle;         // the resistance that slip_resistance takes
  double coefficient;  // |resistance|, friction force over normal force [-]
  double deflection;   // from slip direction to resistance, counter-clockwise [degrees]
  double along;        // component against the slip [-]: coefficient cos(deflection)
  double across;       // component to the left of the slip [-]: coefficient sin(deflection)
};

// At slip angles 0, step, 2 step, ... below 360 [degrees]; for rate-dependent laws at high speed.
std::vector<DirectionRow> direction_table(const FrictionLaw& law, double step);

struct LawReportOptions {
  double step = 5;               // of the table [degrees]
  std::optional<Vec2> velocity;  // resistance and Jacobian there [m/s]
};

// All of it: law.json, law.png.
Results law_results(const LawSetup& scenario, const LawReportOptions& options);
// Several laws side by side: laws.json, laws.png. `files` they are from, and `each` of their results.
Results laws_results(const std::vector<LawSetup>& laws, const std::vector<std::string>& files,
                     const std::vector<Results>& each);

// The stable keys of the JSON result.
nlohmann::ordered_json law_json(const FrictionLaw& law, const LawProperties& properties,
                                const LawReportOptions& options);
// The same for people.
std::string law_text(const FrictionLaw& law, const LawProperties& properties, const LawReportOptions& options);
// C, D, resistances and slip directions, and the coefficient and deflection over the slip angle.
Figure law_figure(const FrictionLaw& law, const LawProperties& properties, const std::string& title);
// The sets of several laws, and their coefficients and deflections over the slip angle.
Figure laws_figure(const std::vector<LawSetup>& laws);

}  // namespace slipset
