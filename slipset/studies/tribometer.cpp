// Walker & Leine 2019, Sect. 5.2 and 5.3: friction forces of the pin-on-disk tribometer, sets and fits (Figs. 23 to 26,
// Table 1). The raw signals are not public: a virtual tribometer with the published parameters takes their place.
#include "slipset/studies/tribometer.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "slipset/core/angle.hpp"
#include "slipset/identification/virtual_tribometer.hpp"
#include "slipset/report/measurements/pin_report.hpp"
#include "slipset/scenario/law_setup.hpp"

namespace slipset {
namespace {

struct Setup {
  FrictionLaw law;
  TribometerOptions machine;
};

Setup read_setup(const Study& study) {
  constexpr std::array<std::string_view, 6> keys = {"normal_force", "noise",  "revolutions",
                                                    "samples",      "wobble", "seed"};
  const TomlTable own = study.compute(keys);
  Setup setup{read_law(study.root()).law, {}};
  setup.machine.normal_force = own.positive("normal_force");
  setup.machine.noise = own.number_or("noise", 0.01);
  setup.machine.revolutions = own.positive("revolutions");
  setup.machine.samples = own.whole("samples", 8, 100000);
  setup.machine.wobble = own.number_or("wobble", 0);
  setup.machine.seed = static_cast<unsigned>(own.whole("seed", 0, 1000000));
  return setup;
}

// Axes common to both sets and free, or along e1.
PinIdentification identify(const Setup& setup, std::optional<ReservoirKind> reservoir,
                           std::optional<DirectionKind> direction, AxesKind axes) {
  PinOptions options;
  options.model.reservoir = reservoir;
  options.model.direction = direction;
  options.model.axes = axes;
  return identify_pin(simulate_tribometer(setup.law, setup.machine), options);
}

const FittedParameter* find(const FlowFit& fit, std::string_view name) {
  for (const FittedParameter& p : fit.parameters)
    if (p.name == name) return &p;
  return nullptr;
}

std::string interval(const FittedParameter& p, double factor = 1) {
  return p.low ? fmt::format("95 % interval {:.5g} to {:.5g}.", factor * *p.low, factor * *p.high) : "";
}

// Maxima of λ_t above its mean over a turn of the fitted flow, and the slip angle of the largest, in [0, 180) degrees.
struct Maxima {
  int count = 0;
  double at = 0;
};
Maxima maxima_of(const FlowFit& fit) {
  Maxima m;
  double largest = 0;
  const auto force = [&](int i) { return fit.model.evaluate(radians(0.5 * i + 0.25), fit.free).x(); };
  double mean = 0;
  for (int i = 0; i < 720; ++i) mean += force(i) / 720;
  for (int i = 0; i < 720; ++i) {
    const double before = force(i - 1), here = force(i), after = force(i + 1);
    if (!(here > before && here >= after && here > mean)) continue;
    ++m.count;
    if (here > largest * (1 + 1e-9)) {
      largest = here;
      m.at = std::fmod(0.5 * i + 0.25 + 0.25, 180.0) - 0.25;
    }
  }
  return m;
}

void add_common(const PinIdentification& r, StudyResult& result) {
  result.add("p-value of the associated law [-]", r.associated.p_value);
  result.add("closure of D, absolute change of ln r_D per turn [-]", std::abs(r.sets.closure),
             fmt::format("Standard deviation from the noise {:.2g}.", r.sets.closure_sigma));
  result.add("friction coefficient, slip along e1 [-]", r.fit.model.evaluate(1e-7, r.fit.free).x());
  result.add("friction coefficient, slip along e2 [-]", r.fit.model.evaluate(kPi / 2 + 1e-7, r.fit.free).x());
}

// The folded signals with the model, for tables of numbers.
void add_table(const PinIdentification& r, StudyResult& result) {
  Table table({"slip_angle", "tangential", "radial", "model_tangential", "model_radial", "c1", "c2"});
  for (const DataPoint& p : r.sets.points) {
    const Vec2 n = unit(p.slip_angle), m = r.fit.model.evaluate(p.slip_angle, r.fit.free);
    table.add_row({degrees(p.slip_angle), p.reservoir.dot(n), cross(n, p.reservoir), m.x(), m.y(), p.reservoir.x(),
                   p.reservoir.y()});
  }
  result.tables.emplace_back("signals", std::move(table));
}

}  // namespace

StudyResult walker2019_fig23(const Study& study, const StudyProgress& progress) {
  const PinIdentification r = identify(read_setup(study), {}, {}, AxesKind::common);
  progress(0.5);
  StudyResult result;
  result.add("chosen reservoir is a disk [1 yes]", r.reservoir.as<Disk>() != nullptr ? 1 : 0,
             r.fit.model.name() + " has the least BIC.");
  if (const FittedParameter* radius = find(r.fit, "reservoir.radius"))
    result.add("friction coefficient [-]", radius->value, interval(*radius));
  else
    result.add("friction coefficient [-]", std::nan(""));
  const FlowFit ellipse =
      fit_flow(r.signals, make_flow_model({ReservoirKind::ellipse, DirectionKind::ellipse, AxesKind::fixed, 0, 4}), {});
  result.add("axis ratio of an ellipse fitted to C [-]",
             find(ellipse, "reservoir.semi_axes.1")->value / find(ellipse, "reservoir.semi_axes.2")->value);
  result.add("axis ratio of an ellipse fitted to D [-]", find(ellipse, "direction.axis_ratio")->value);
  add_common(r, result);
  add_table(r, result);
  result.figures = pin_figures(r, "Isotropic: steel on sandblasted steel, virtual tribometer (Fig. 23)");
  return result;
}

StudyResult walker2019_fig24(const Study& study, const StudyProgress& progress) {
  const PinIdentification r = identify(read_setup(study), {}, {}, AxesKind::fixed);
  progress(0.8);
  StudyResult result;
  const Maxima maxima = maxima_of(r.fit);
  result.add("maxima of the tangential force above its mean, per revolution [-]", maxima.count);
  result.add("slip angle of the largest tangential force, from e1 [degrees]", maxima.at);
  add_common(r, result);
  double largest = 0;
  int crossings = 0;
  double before = r.fit.model.evaluate(radians(-0.3), r.fit.free).y();
  for (int i = 0; i < 720; ++i) {
    const double radial = r.fit.model.evaluate(radians(0.5 * i + 0.2), r.fit.free).y();
    largest = std::max(largest, std::abs(radial));
    crossings += (radial > 0) != (before > 0);
    before = radial;
  }
  result.add("zero crossings of the radial force per revolution [-]", crossings);
  result.add("largest radial force over normal force [-]", largest);
  const ModelChoice& choice = r.choice;
  const auto bic_of = [&](const std::string& name) {
    for (const FlowFit& fit : choice.fits)
      if (fit.model.name() == name) return fit.bic - choice.fits[choice.best].bic;
    return std::nan("");
  };
  result.add("BIC of an ellipse as reservoir above the chosen one [-]", bic_of("ellipse + superellipse"),
             "The chosen one is " + r.fit.model.name() + ".");
  add_table(r, result);
  result.figures = pin_figures(r, study.title());
  return result;
}

StudyResult walker2019_table1(const Study& study, const StudyProgress& progress) {
  const Setup setup = read_setup(study);
  const PinIdentification r =
      identify(setup, ReservoirKind::superellipse, DirectionKind::superellipse, AxesKind::fixed);
  progress(0.5);
  StudyResult result;
  const double load = setup.machine.normal_force;
  const auto add = [&](const char* quantity, const char* name, double factor) {
    const FittedParameter* p = find(r.fit, name);
    result.add(quantity, p != nullptr ? factor * p->value : std::nan(""), p != nullptr ? interval(*p, factor) : "");
  };
  add("superellipsoidal C, semi-major [N]", "reservoir.semi_axes.1", load);
  add("superellipsoidal C, semi-minor [N]", "reservoir.semi_axes.2", load);
  add("superellipsoidal C, roundness [-]", "reservoir.exponent", 1);
  add("superellipsoidal D, semi-major over semi-minor [-]", "direction.axis_ratio", 1);
  add("superellipsoidal D, roundness [-]", "direction.exponent", 1);
  const FlowFit ellipse = fit_flow(
      r.signals, make_flow_model({ReservoirKind::ellipse, DirectionKind::superellipse, AxesKind::fixed, 0, 4}), {});
  result.add("ellipsoidal C by least squares, semi-major [N]", load * find(ellipse, "reservoir.semi_axes.1")->value,
             "The paper's ellipse goes through the two principal coefficients of the measurement instead.");
  result.add("ellipsoidal C by least squares, semi-minor [N]", load * find(ellipse, "reservoir.semi_axes.2")->value);
  add_common(r, result);
  add_table(r, result);
  result.figures = pin_figures(r, "Recovered sets of Table 1, virtual tribometer");
  return result;
}

StudyResult walker2019_fig26(const Study& study, const StudyProgress& progress) {
  const Setup setup = read_setup(study);
  StudyResult result;
  struct Case {
    const char* name;
    ReservoirKind reservoir;
    DirectionKind direction;
    const char* title;
  };
  constexpr std::array<Case, 4> cases = {
      {{"a-", ReservoirKind::ellipse, DirectionKind::associated, "Associated law, elliptic C (Fig. 26a)"},
       {"b-", ReservoirKind::superellipse, DirectionKind::associated, "Associated law, superelliptic C (Fig. 26b)"},
       {"b2-", ReservoirKind::superellipse, DirectionKind::disk, "Collinear law, superelliptic C (Fig. 26b)"},
       {"c-", ReservoirKind::superellipse, DirectionKind::superellipse, "Extended law (Fig. 26c)"}}};
  std::vector<PinIdentification> all;
  for (const Case& c : cases) {
    all.push_back(identify(setup, c.reservoir, c.direction, AxesKind::fixed));
    progress(static_cast<double>(all.size()) / 4);
  }
  const FlowFit& best = all.back().fit;
  constexpr std::array<const char*, 3> names = {"associated ellipse", "associated superellipse",
                                                "collinear superellipse"};
  for (std::size_t i = 0; i < 3; ++i) {
    result.add(fmt::format("BIC of the {} above the extended law [-]", names[i]), all[i].fit.bic - best.bic);
    result.add(fmt::format("misfit of the radial force, {}, over that of the extended law [-]", names[i]),
               all[i].fit.sigma_radial / best.sigma_radial);
  }
  add_common(all.back(), result);
  for (std::size_t i = 0; i < 4; ++i) result.figures.push_back(pin_figures(all[i], cases[i].title, cases[i].name)[1]);
  add_table(all.back(), result);
  return result;
}

}  // namespace slipset
