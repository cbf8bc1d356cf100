// `slipset identify FILE.csv`: signals of a pin-on-disk tribometer → reservoir, direction set, law.   docs/identify.md
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "slipset/identification/fourier.hpp"
#include "slipset/identification/sets_from_data.hpp"
#include "slipset/identification/virtual_tribometer.hpp"
#include "slipset/io/figure.hpp"

namespace slipset {

// As typed: texts are checked by identify_pin and read_pin_record, with what is allowed.
struct PinOptions {
  std::vector<std::string> columns, units;  // "tangential=Ft", "angle=rad", "force=mN"
  std::optional<double> normal_force;       // where the file has none [N]
  std::string compensation, loads;          // files: the matrix; or known loads with readings
  SignalOptions signals;
  std::string sense = "1", offset = "0", misalignment = "0";  // each may be "auto"; the last two in degrees
  std::string reservoir = "auto", direction = "auto", axes = "common";
  bool hull = false;  // the convex, smoothed D of the data instead of a fitted one
  FitOptions fit;
};

PinRecord read_pin_record(const std::filesystem::path& file, const PinOptions& options);

struct PinIdentification {
  FoldedSignals signals;
  ModelChoice choice;
  FlowFit fit;  // the chosen one, with replications
  SetsFromData sets;
  AssociatedTest associated;
  PlanarSet reservoir, direction;
  double offset = 0, misalignment = 0;  // as used [rad]
  std::vector<std::string> warnings;

  std::string law_toml() const;  // the [law] table
};

PinIdentification identify_pin(PinRecord record, const PinOptions& options);

nlohmann::ordered_json pin_json(const PinIdentification& result);
std::string pin_text(const PinIdentification& result);
std::string pin_csv(const PinIdentification& result);  // folded signals, fit, points of C and D
// Forces over the slip angle, and the sets with their 95 % bands, as Figs. 23 to 26 of Walker & Leine 2019.
// `front` goes before their names, forces and sets.
std::vector<Figure> pin_figures(const PinIdentification& result, const std::string& title,
                                const std::string& front = "");

// The record as a table that read_pin_record reads.
std::string pin_record_csv(const PinRecord& record);

}  // namespace slipset
