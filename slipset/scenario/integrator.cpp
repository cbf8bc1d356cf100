#include "slipset/scenario/integrator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace slipset {
namespace {

constexpr double kMostSteps = 1e9;

constexpr Key kStep{"step", "s", kRequired, "of time; adaptive: the time between rows"};
constexpr Key kRows{"step", "s", kOptional, "time between rows; a thousandth of the duration"};
constexpr Key kDuration{"duration", "s", kOptional, "of the run; optional with until, then an upper limit"};
constexpr Key kOnlyDuration{"duration", "s", kOptional, "of the run"};
constexpr Key kForcingCycles{"cycles", "", kOptional,
                             "periods of the forcing, instead of duration; systems forced by a sine only"};
constexpr Key kUntil{"until", "", kOptional, "stick: ends when every contact sticks; not for rigid-bodies"};
constexpr Key kClosing{
    "closing_distance", "m", kOptional,
    "gaps up to it count as closed; a hundredth of the way that forces alone move a contact in a step"};
constexpr Key kMethod{"method", "", "bdf", "bdf, adams, erk or dirk"};
constexpr Key kRelative{"relative_tolerance", "", 1e-8, "of the error test"};
constexpr Key kAbsolute{"absolute_tolerance", "", 1e-10, "of the error test"};
constexpr Key kBalance{"balance", "", kOptional,
                       "of the laws quinn, karnopp and sign: fixed-point (default where quinn's contacts are "
                       "independent) or partition, as published"};
constexpr Key kBand{"band", "", "free", "of the law karnopp: free, or frozen, its own scheme"};

// The keys of all integrators.
const std::vector<Key>& integrator_keys() {
  static const std::vector<Key> keys = [] {
    std::vector<Key> all;
    for (const IntegratorKind& kind : integrators())
      for (const Key& key : kind.keys)
        if (!find_entry(all, key.name)) all.push_back(key);
    return all;
  }();
  return keys;
}

template <class Condition>
std::string kinds_where(std::string_view between, const Condition& condition) {
  std::vector<std::string_view> names;
  for (const IntegratorKind& kind : integrators())
    if (condition(kind)) names.push_back(kind.name);
  return fmt::format("{}", fmt::join(names, between));
}

void refuse_foreign_keys(const TomlTable& t, const IntegratorKind& kind, const IntegratorRules& rules) {
  for (const std::string_view name : {kBalance.name, kBand.name})
    if (t.has(name) && !rules.regularize) t.fail(name, "is for regularised laws only");
  if (t.has("until") && !rules.until_stick)
    t.fail("until", fmt::format("this system does not tell when every contact sticks; remove until{}",
                                t.has("duration") ? "" : ", and give a duration"));
  if (t.has("until") && kind.ordinary)
    t.fail("until", rules.regularize
                        ? fmt::format("a regularised law comes to rest only in the limit; give the duration, or choose "
                                      "{} without regularize",
                                      set_valued_integrators())
                        : fmt::format("{} run for a duration; give it",
                                      kinds_where(" and ", [](const IntegratorKind& k) { return k.ordinary; })));
  for (const std::string& name : t.names())
    if (name != "kind" && !find_entry(kind.keys, name))
      t.fail(name, fmt::format("is for kind = \"{}\" only", kinds_where("\" or \"", [&](const IntegratorKind& k) {
                                 return find_entry(k.keys, name) != nullptr;
                               })));
}

// Of [law], that this integrator takes.
std::vector<std::string_view> tables_of(const IntegratorKind& kind, bool along_line) {
  std::vector<std::string_view> names;
  for (const LawTable& table : law_tables())
    if ((table.along_line || !along_line) &&
        std::find(table.integrators.begin(), table.integrators.end(), kind.name) != table.integrators.end())
      names.push_back(table.name);
  return names;
}

void require_fitting_law(const TomlTable& t, const IntegratorKind& kind, const IntegratorRules& rules) {
  if (!rules.law_table) {
    if (kind.ordinary)
      t.fail("kind",
             fmt::format("{} needs friction that is a function of the state: give [law] {}, or choose {}", kind.name,
                         fmt::join(tables_of(kind, rules.along_line), " or "), set_valued_integrators()));
    return;
  }
  const LawTable& table = *rules.law_table;
  if (std::find(table.integrators.begin(), table.integrators.end(), kind.name) == table.integrators.end())
    rules.law->fail(table.name, fmt::format("{} {}; choose kind = \"{}\", or remove {}", kind.name, table.others,
                                            fmt::join(table.integrators, "\" or \""), table.name));
}

Adaptive read_adaptive(const IntegratorChoice& choice, const SmoothFriction& friction) {
  const TomlTable& t = choice.table;
  const std::string method = t.choice("method", kAdaptiveMethodNames);
  return {.method =
              static_cast<AdaptiveMethod>(std::find(kAdaptiveMethodNames.begin(), kAdaptiveMethodNames.end(), method) -
                                          kAdaptiveMethodNames.begin()),
          .row_step = choice.step,
          .relative_tolerance = t.positive("relative_tolerance"),
          .absolute_tolerance = t.positive("absolute_tolerance"),
          .friction = friction};
}

BalanceRule read_balance(const TomlTable& t, const std::string& word, const RegularizedCoulomb& law) {
  const bool uses_balance = law.visit([](const auto& force) { return std::decay_t<decltype(force)>::kUsesBalance; });
  if (!uses_balance) t.fail("balance", fmt::format("the law {} has no balance forces; remove it", law.name()));
  if (word == "partition") return BalanceRule::partition;
  if (law.kind() != Regularization::quinn)
    t.fail("balance", fmt::format("the law {} jumps, and has partition only; remove it", law.name()));
  return BalanceRule::fixed_point;
}

double read_duration(const TomlTable& t, const IntegratorRules& rules, const IntegratorChoice& choice) {
  if (t.has("cycles") && t.has("duration")) t.fail("cycles", "give either cycles or duration, not both");
  if (t.has("cycles") && rules.period == 0) t.fail("cycles", "this system is not forced by a sine; give the duration");
  if (t.has("cycles")) return t.positive("cycles") * rules.period;
  if (!choice.options.until_stick || t.has("duration")) return t.positive("duration");
  if (choice.step == 0) t.fail("until", "give the duration as an upper limit, or the step, the time between rows");
  return 0.1 * kMostSteps * choice.step;
}

}  // namespace

std::string set_valued_integrators() {
  return kinds_where(" or ", [](const IntegratorKind& k) { return !k.ordinary; });
}

std::span<const IntegratorKind> integrators() {
  static const std::vector<IntegratorKind> all = {
      {{"moreau",
        "Moreau's midpoint time-stepping, the set-valued law solved exactly",
        {kStep, kDuration, kForcingCycles, kUntil, kClosing}},
       false,
       false,
       [](const IntegratorChoice& choice, const SmoothFriction&) -> Integrator {
         return Moreau{.step = choice.step, .closing_distance = choice.closing_distance};
       }},
      {{"event-driven",
        "the reference: phases, their ends by root finding; exact along a line, CVODE in a plane",
        {kRows, kDuration, kForcingCycles, kUntil}},
       false,
       true,
       [](const IntegratorChoice& choice, const SmoothFriction&) -> Integrator {
         return EventDriven{.row_step = choice.step, .throws = false};
       }},
      {{"rk4",
        "Runge-Kutta of order 4, for [law] regularize, lugre and elastic",
        {kStep, kOnlyDuration, kForcingCycles, kBalance, kBand}},
       true,
       false,
       [](const IntegratorChoice& choice, const SmoothFriction& friction) -> Integrator {
         return RungeKutta4{.step = choice.step, .friction = friction};
       }},
      {{"adaptive",
        "SUNDIALS, for [law] regularize, lugre and elastic",
        {kStep, kOnlyDuration, kForcingCycles, kMethod, kRelative, kAbsolute, kBalance, kBand}},
       true,
       false,
       [](const IntegratorChoice& choice, const SmoothFriction& friction) -> Integrator {
         return read_adaptive(choice, friction);
       }}};
  return all;
}

IntegratorChoice read_integrator(const TomlTable& root, const IntegratorRules& rules) {
  const TomlTable t =
      root.table("integrator", "a table [integrator] with step and duration").described_by(integrator_keys(), "kind");
  const std::string name = t.has("kind") ? t.choice("kind", rules.kinds) : std::string(rules.otherwise);
  IntegratorChoice choice{find_entry(integrators(), name), t, 0, {}, {}, {}};
  require_fitting_law(t, *choice.kind, rules);
  refuse_foreign_keys(t, *choice.kind, rules);

  constexpr std::array<std::string_view, 1> ends = {"stick"};
  constexpr std::array<std::string_view, 2> balances = {"fixed-point", "partition"}, bands = {"free", "frozen"};
  if (t.has("balance")) choice.balance.rule = read_balance(t, t.choice("balance", balances), *rules.regularize);
  choice.balance.freeze_band = t.choice("band", bands) == "frozen";
  if (choice.balance.freeze_band && rules.regularize->kind() != Regularization::karnopp)
    t.fail("band", "only the law karnopp has a band that can be frozen");
  const Key* const step = find_entry(choice.kind->keys, "step");
  const bool rows_only = step && !step->otherwise.required;
  if (!(rows_only && !t.has("step"))) choice.step = t.positive("step");
  choice.options.until_stick = t.has("until") && t.choice("until", ends) == "stick";
  choice.options.duration = read_duration(t, rules, choice);
  if (choice.step > choice.options.duration * (1 + 1e-9))
    t.fail("step", fmt::format("{:g} s is longer than the whole run, {:g} s; choose a shorter step", choice.step,
                               choice.options.duration));
  if (t.has("closing_distance")) {
    if (!rules.contacts_open) t.fail("closing_distance", "no contact of this system opens; remove it");
    choice.closing_distance = t.number("closing_distance");
    if (*choice.closing_distance < 0)
      t.fail("closing_distance", fmt::format("found {:g}; expected a length, 0 or above", *choice.closing_distance));
  }
  if (choice.options.duration > kMostSteps * choice.step && choice.step > 0)
    t.fail("duration", "more than 1e9 steps; choose a longer step or a shorter duration");
  return choice;
}

std::span<const Key> output_keys() {
  static const std::vector<Key> keys = {
      {"every", "", 1.0, "steps between rows"},
      {"formats", "", kOptional, "a list of csv, hdf5; [\"csv\"]"},
      {"figures", "", kOptional, "a list of path, force, time, of rigid bodies snapshots; all that the system has"}};
  return keys;
}

OutputChoice read_output(const TomlTable& root, const std::vector<std::string_view>& formats,
                         const std::vector<std::string_view>& figures) {
  OutputChoice choice{1, {"csv"}, std::vector<std::string>(figures.begin(), figures.end())};
  if (!root.has("output")) return choice;
  const TomlTable t = root.table("output").described_by(output_keys());
  choice.every = t.whole("every", 1, 1000000000);
  if (t.has("formats")) choice.formats = t.choices("formats", formats);
  if (choice.formats.empty())
    t.fail("formats", fmt::format("the list is empty; give one or more of {}, or remove it", fmt::join(formats, ", ")));
  if (t.has("figures")) choice.figures = t.choices("figures", figures);
  return choice;
}

void require_no_figure(const char* name, const TomlTable& root, const std::string& why, OutputChoice& output) {
  const auto at = std::find(output.figures.begin(), output.figures.end(), name);
  if (at == output.figures.end()) return;
  if (root.has("output") && root.table("output").has("figures")) root.table("output").fail("figures", why);
  output.figures.erase(at);
}

}  // namespace slipset
