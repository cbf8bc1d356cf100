// A10: what a file says of the law is obeyed or refused, whatever the command, the integrator and the kind of system.
// The lists are the registries themselves: a new table, key, integrator or kind is looked at without being named here.
#include <doctest/doctest.h>

#include <map>

#include "slipset/scenario/any_run.hpp"
#include "slipset/scenario/cycle_setup.hpp"
#include "slipset/scenario/integrator.hpp"
#include "slipset/scenario/run_setup.hpp"
#include "slipset/scenario/stability_setup.hpp"
#include "slipset/stability/modes.hpp"
#include "slipset/systems/bodies/body_world.hpp"
#include "tests/scenario/scenario_file.hpp"

using namespace slipset;

namespace {

// A table of [law], and for each of its keys the same table with that key changed.
struct Tried {
  std::string plain;
  std::map<std::string, std::string> changed;
};

const std::map<std::string, Tried> kTables = {
    {"stribeck",
     {"stribeck = { static = 1.5, velocity = 0.5 }",
      {{"static", "stribeck = { static = 1.7, velocity = 0.5 }"},
       {"velocity", "stribeck = { static = 1.5, velocity = 0.3 }"},
       {"viscous", "stribeck = { static = 1.5, velocity = 0.5, viscous = 0.1 }"}}}},
    {"lugre",
     {"lugre = { sigma0 = 300, sigma1 = 0.2, sigma2 = 0.1 }",
      {{"sigma0", "lugre = { sigma0 = 200, sigma1 = 0.2, sigma2 = 0.1 }"},
       {"sigma1", "lugre = { sigma0 = 300, sigma1 = 0.1, sigma2 = 0.1 }"},
       {"sigma2", "lugre = { sigma0 = 300, sigma1 = 0.2, sigma2 = 0.2 }"}}}},
    {"elastic",
     {"elastic = { stiffness = [200, 100], angle = 10 }",
      {{"stiffness", "elastic = { stiffness = [150, 100], angle = 10 }"},
       {"angle", "elastic = { stiffness = [200, 100], angle = 30 }"}}}},
    {"regularize",
     {"regularize = { kind = \"quinn\", epsilon = 0.3 }",
      {{"kind", "regularize = { kind = \"arctan\", epsilon = 0.3 }"},
       {"epsilon", "regularize = { kind = \"quinn\", epsilon = 0.2 }"},
       {"width", "regularize = { kind = \"quinn\", epsilon = 0.3, width = \"half\" }"}}}}};

std::string belt(const std::string& law) {
  return "[law]\nreservoir = { shape = \"ellipse\", semi_axes = [0.4, 0.2], angle = 20 }\n" + law +
         "\n[system]\nkind = \"mass-on-belt\"\nmass = 1\nstiffness = 2\nnormal_force = 5\n"
         "belt = { speed = 0.2, angle = 30 }\n";
}

std::string by(std::string_view integrator, const std::string& keys = "") {
  return "[initial]\nposition = [0.1, 0.3]\nvelocity = [0.15, 0.2]\n[integrator]\nkind = \"" + std::string(integrator) +
         "\"\nstep = 1e-3\nduration = 0.2\n" + keys;
}

// Of kinds that the key = 1.0 of each required key does not describe: more of [law], and [system].
struct Described {
  std::string law, system;
};
const std::map<std::string, Described, std::less<>> kDescribed = {
    {"linear", {"", "M = [[1, 0], [0, 1]]\ncontacts = [{ tangents = [[1, 0], [0, 1]], normal_force = 5 }]\n"}},
    {"chain", {"", "blocks = 3\nforcing = { amplitude = 0.25, frequency = 0.5 }\n"}},
    {"two-blocks",
     {"", "stiffness_ratio = 2\nfriction_limits = [0.5, 0.25]\ndrive = { amplitude = 1, frequency = 0.5 }\n"}},
    {"snake-robot", {"", "links = 3\nlength = 1\nmass = 1\nwave = { amplitude = 35, frequency = 0.5, phase = 40 }\n"}},
    {"spinning-body", {"patch = { radius = 0.05 }\n", "shape = \"disk\"\nmass = 0.2\nradius = 0.05\n"}},
    {"rigid-bodies",
     {"",
      "[[body]]\nname = \"floor\"\nshape = \"plane\"\n[[body]]\nname = \"ball\"\nshape = \"sphere\"\nradius = 0.05\n"
      "mass = 1\nposition = [0, 0, 0.05]\n"}}};

// What a command makes of a file: empty if it refuses it.
using Answer = std::vector<double>;

template <class Read>
Answer answer_of(const std::string& text, const Read& read) {
  const test::ScenarioFile file(text);
  try {
    return read(file.scenario());
  } catch (const CannotGoOn& trouble) {  // taken, and then not followed
    FAIL_CHECK(trouble.what());
    return {};
  } catch (const InvalidInput&) {
    return {};
  }
}

Answer run(const Scenario& scenario) {
  const RunSetup setup = read_run(scenario.root(), scenario.root());
  const Run run = simulate(*setup.system, setup.start, setup.integrator, setup.options);
  return {run.end.q[0], run.end.q[1], run.end.u[0], run.end.u[1], run.energy.dissipated};
}

Answer stability(const Scenario& scenario) {
  Answer values;
  for (const Mode& mode : modes_of(read_sliding(scenario.root()).linearize())) {
    values.push_back(mode.value.real());
    values.push_back(mode.value.imag());
  }
  return values;
}

Answer cycle(const Scenario& scenario) {
  const CycleSetup setup = read_cycle(scenario.root());
  const Run run = simulate(*setup.system, setup.options.start, Moreau{.step = setup.options.step}, {.duration = 0.2});
  return {run.end.q[0], run.end.q[1]};
}

// Every table, and every key of it, changes the answer, or is refused. Returns how many changed it.
template <class Read>
int check_tables(const std::string& rest, const Read& read) {
  int obeyed = 0;
  const Answer without = answer_of(belt("") + rest, read);
  for (const auto& [name, table] : kTables) {
    INFO(name, "\n", rest);
    const Answer plain = answer_of(belt(table.plain) + rest, read);
    if (plain.empty()) continue;
    CHECK(plain != without);
    for (const auto& [key, text] : table.changed) {
      INFO(key);
      const Answer changed = answer_of(belt(text) + rest, read);
      CHECK(changed != plain);
      obeyed += !changed.empty();
    }
  }
  return obeyed;
}

// Whether the system and integrator that were read hold the table.
bool holds(const RunSetup& setup, const std::string& table) {
  const FrictionLaw* law = nullptr;
  for (const SystemContact& contact : setup.system->contacts())
    if (contact.law) law = &contact.law->law();
  if (const auto* world = dynamic_cast<const BodyWorld*>(setup.system.get()))
    law = &world->laws.at(0)->as_planar()->law();
  if (table == "stribeck") return law && law->stribeck();
  if (table == "elastic") return law && law->elastic();
  const SmoothFriction* friction = nullptr;
  if (const auto* rk4 = std::get_if<RungeKutta4>(&setup.integrator)) friction = &rk4->friction;
  if (const auto* adaptive = std::get_if<Adaptive>(&setup.integrator)) friction = &adaptive->friction;
  if (!friction) return false;
  return table == "lugre" ? std::holds_alternative<LuGre>(friction->form)
                          : std::holds_alternative<RegularizedCoulomb>(friction->form);
}

}  // namespace

TEST_CASE("A10 every table of [law] and every key of it has its change here") {
  for (const LawTable& table : law_tables()) CHECK_MESSAGE(kTables.count(std::string(table.name)) == 1, table.name);
  for (const Key& key : law_keys()) {
    const std::size_t dot = key.name.find('.');
    if (dot == std::string_view::npos) continue;
    const auto table = kTables.find(std::string(key.name.substr(0, dot)));
    REQUIRE_MESSAGE(table != kTables.end(), key.name);
    CHECK_MESSAGE(table->second.changed.count(std::string(key.name.substr(dot + 1))) == 1, key.name);
  }
}

TEST_CASE("A10 run, by every integrator: tables of [law] change the motion, or are refused") {
  const std::map<std::string_view, int> obeyed = {{"moreau", 5}, {"event-driven", 3}, {"rk4", 8}, {"adaptive", 8}};
  for (const IntegratorKind& integrator : integrators()) {
    INFO(integrator.name);
    CHECK(check_tables(by(integrator.name), run) == obeyed.at(integrator.name));
  }
}

TEST_CASE("A10 stability and cycle: tables of [law] change the answer, or are refused") {
  CHECK(check_tables("", stability) >= 5);
  CHECK(check_tables(by("moreau"), cycle) == 3);  // stribeck alone
  CHECK(check_tables(by("event-driven"), cycle) == 3);
}

TEST_CASE("A10 every kind of system, by every integrator: a table of [law] is in the run, or is refused") {
  for (const SystemKind& kind : system_kinds()) {
    if (kind.name == "pulled-block" || !kind.read_run) continue;  // has no integrator
    const auto described = kDescribed.find(kind.name);
    const auto text = [&](const std::string& law, std::string_view integrator) {
      std::string system = "[law]\n" +
                           std::string(kind.build_axial ? "" : "reservoir = { shape = \"disk\", radius = 0.3 }\n") +
                           (described != kDescribed.end() ? described->second.law : "") + law +
                           "\n[system]\nkind = \"" + std::string(kind.name) + "\"\n";
      if (described != kDescribed.end())
        system += described->second.system;
      else
        for (const Key& key : kind.keys)
          if (key.otherwise.required) system += std::string(key.name) + " = 1.0\n";
      return system + "[integrator]\nkind = \"" + std::string(integrator) + "\"\nstep = 1e-3\nduration = 0.01\n";
    };
    std::string why;  // it is not read by any integrator, without a table
    bool reads = false;
    for (const IntegratorKind& integrator : integrators()) {
      const test::ScenarioFile plain(text("", integrator.name));
      try {
        read_any_run(plain.scenario());
        reads = true;
      } catch (const InvalidInput& error) {
        why = error.what();
      }
      for (const auto& [name, table] : kTables) {
        INFO(kind.name, " ", integrator.name, " ", name);
        const test::ScenarioFile file(text(table.plain, integrator.name));
        try {
          const AnyRun any = read_any_run(file.scenario());
          const auto* const setup = std::get_if<RunSetup>(&any.scenario);
          if (setup) CHECK(holds(*setup, name));
        } catch (const InvalidInput&) {
        }
      }
    }
    CHECK_MESSAGE(reads, kind.name, ": ", why);
  }
}

TEST_CASE("keys of [integrator] for regularised laws are followed, or refused") {
  const std::string quinn = "regularize = { kind = \"quinn\", epsilon = 0.3 }";
  for (const std::string rule : {"fixed-point", "partition"}) {
    const test::ScenarioFile file(belt(quinn) + by("rk4", "balance = \"" + rule + "\"\n"));
    const RunSetup setup = read_run(file.scenario().root(), file.scenario().root());
    CHECK(simulate(*setup.system, setup.start, setup.integrator, setup.options).report.balance == rule);
  }
  const auto refused = [](const std::string& law, const std::string& keys) {
    return answer_of(belt(law) + by("rk4", keys), run).empty();
  };
  for (const std::string kind : {"martins-oden", "arctan", "karnopp"})
    CHECK(refused("regularize = { kind = \"" + kind + "\", epsilon = 0.3 }", "balance = \"fixed-point\"\n"));
  CHECK(refused("regularize = { kind = \"arctan\", epsilon = 0.3 }", "balance = \"partition\"\n"));
  CHECK(refused("regularize = { kind = \"sign\", epsilon = 0.3 }", ""));
  CHECK(refused("regularize = { kind = \"sign\", width = \"half\" }", ""));
  CHECK_FALSE(refused("regularize = { kind = \"sign\" }", ""));
  CHECK(refused(quinn, "band = \"frozen\"\n"));
  const auto adaptive = [&](const std::string& keys) { return answer_of(belt(quinn) + by("adaptive", keys), run); };
  CHECK(adaptive("method = \"erk\"\n") != adaptive(""));
  CHECK(adaptive("relative_tolerance = 1e-3\n") != adaptive(""));
  CHECK(adaptive("absolute_tolerance = 1e-3\n") != adaptive(""));
}

TEST_CASE("event-driven runs have rows of their own: step may be left out") {
  const auto rows = [](const std::string& integrator) {
    const test::ScenarioFile file(belt("") + "[integrator]\nkind = \"event-driven\"\n" + integrator);
    const RunSetup setup = read_run(file.scenario().root(), file.scenario().root());
    return simulate(*setup.system, setup.start, setup.integrator, setup.options).table.size();
  };
  CHECK(rows("duration = 0.01\n") == 1001);
  CHECK(rows("duration = 0.01\nstep = 1e-3\n") == 11);
  CHECK(rows("duration = 0.01\nstep = 1e-3\n[output]\nevery = 5\n") == 3);
  CHECK_THROWS_AS(rows("until = \"stick\"\n"), InvalidInput);
}
