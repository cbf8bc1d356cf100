// Quinn 2004: regularised friction beside the classical laws and the exact motion.
#include <fmt/format.h>

#include <cmath>

#include "slipset/core/angle.hpp"
#include "slipset/motion/integrators/integrator.hpp"
#include "slipset/scenario/system_kinds.hpp"
#include "slipset/studies/chain_frequency.hpp"
#include "slipset/studies/curves.hpp"
#include "slipset/studies/registry.hpp"
#include "slipset/systems/axial_system.hpp"

namespace slipset {
namespace {

using Rows = CurveRows;
using Curve = FigureCurve;

Rows columns(const Table& table, const std::string& x, const std::string& y, double from = -1e300, double to = 1e300) {
  const std::size_t cx = table.column(x), cy = table.column(y);
  Rows rows;
  for (const auto& row : table.rows())
    if (row[cx] >= from && row[cx] <= to) rows.push_back({row[cx], row[cy]});
  return rows;
}

State at_rest(const AxialSystem& system, double first = 0) {
  State s{0, VectorX::Zero(system.dofs()), VectorX::Zero(system.dofs())};
  s.q[0] = first;
  return s;
}

Run run_rk4(const AxialSystem& system, const RegularizedCoulomb& law, const State& start, double step, double duration,
            int every = 1 << 30, bool freeze = false) {
  const RungeKutta4 rk4{.step = step, .friction = {law, {.freeze_band = freeze}}};
  return simulate(system, start, rk4, {.duration = duration, .every = every});
}

Run run_exact(const AxialSystem& system, const State& start, double duration, double row_step) {
  return simulate(system, start, EventDriven{.row_step = row_step}, {.duration = duration});
}

// Slope of a straight line through the logarithms.
double fitted_order(const Rows& rows) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  const auto n = static_cast<double>(rows.size());
  for (const auto& row : rows) {
    const double x = std::log(row[0]), y = std::log(row[1]);
    sx += x;
    sy += y;
    sxx += x * x;
    sxy += x * y;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

struct Unforced {
  AxialSystem system;
  double start, step, duration;
};

Unforced read_unforced(const Study& study) {
  constexpr std::array<std::string_view, 3> keys = {"start", "step", "duration"};
  const TomlTable t = study.compute(keys);
  return {read_axial_system(study.root().table("system")), t.number("start"), t.positive("step"),
          t.positive("duration")};
}

StudyResult fig5(const Study& study, const StudyProgress&) {
  const Unforced u = read_unforced(study);
  const double epsilon = 2 * u.step;
  const State start = at_rest(u.system, u.start);
  const auto run = [&](const RegularizedCoulomb& law, bool freeze = false) {
    return run_rk4(u.system, law, start, u.step, u.duration, 1, freeze);
  };
  const auto x_at = [&](const Run& r, double t) {
    return r.table.rows()[static_cast<std::size_t>(std::lround(t / u.step))][1];
  };
  const Run full = run({Regularization::quinn, epsilon}), half = run({Regularization::quinn, epsilon, RampWidth::half}),
            sign = run(RegularizedCoulomb::sign()), ramp = run({Regularization::martins_oden, epsilon}),
            band = run({Regularization::karnopp, epsilon}), frozen = run({Regularization::karnopp, epsilon}, true);
  StudyResult result;
  result.add("x at rest, exact [-]", run_exact(u.system, start, u.duration, u.duration).end.q[0]);
  result.add("x at rest, ramp of half width epsilon/2 [-]", half.end.q[0]);
  result.add("x at rest, Eq. 4 as printed [-]", full.end.q[0]);
  for (const double t : {10.0, 20.0, 50.0}) {
    result.add(fmt::format("x at t = {}, sign law [-]", t), x_at(sign, t));
    result.add(fmt::format("x at t = {}, Martins & Oden [-]", t), x_at(ramp, t));
  }
  result.add("change of x from t = 10 to 50, Karnopp's force law [-]", std::abs(x_at(band, 50) - x_at(band, 10)));
  result.add("change of x from t = 10 to 50, Karnopp's scheme with the band frozen [-]",
             std::abs(x_at(frozen, 50) - x_at(frozen, 10)));
  Figure figure("response", 1000, 900);
  figure.add("set key noenhanced");
  figure.add("set multiplot layout 3,1 title 'Unforced oscillator, RK4 (Fig. 5)'\nset lmargin 12\nset ylabel 'x [-]'");
  add_plot("a", {{"(a) sign law", columns(sign.table, "t", "x")}}, figure);
  add_plot("b", {{"(b) Martins & Oden", columns(ramp.table, "t", "x")}}, figure);
  figure.add("set xlabel 't [-]'\nset xrange [0:10]");
  add_plot("c",
           {{"(c) Eq. 4", columns(full.table, "t", "x", 0, 10)},
            {"half width epsilon/2", columns(half.table, "t", "x", 0, 10), "lines lw 2 dt 2"}},
           figure);
  figure.add("unset multiplot");
  result.figures.push_back(std::move(figure));
  result.tables.emplace_back("quinn", full.table);
  return result;
}

StudyResult fig6(const Study& study, const StudyProgress&) {
  const Unforced u = read_unforced(study);
  const State start = at_rest(u.system, u.start);
  const Run quinn = run_rk4(u.system, {Regularization::quinn, 2 * u.step}, start, u.step, u.duration, 1),
            sign = run_rk4(u.system, RegularizedCoulomb::sign(), start, u.step, u.duration, 1);
  // At rest the force must be the balance force, which is x.
  const auto off_balance = [](const Run& run) {
    return std::abs(columns(run.table, "t", "contact.friction_1", 0, 3.5001).back()[1] -
                    columns(run.table, "t", "x", 0, 3.5001).back()[1]);
  };
  StudyResult result;
  result.add("force off the balance force at t = 3.5, Eq. 4 [-]", off_balance(quinn));
  result.add("force off the balance force at t = 3.5, sign law [-]", off_balance(sign));
  const Rows forces = columns(quinn.table, "t", "contact.friction_1", 2.5, 3.5);
  result.add("force before the stop, Eq. 4 [-]", forces.front()[1]);
  result.add("force after the stop, Eq. 4 [-]", forces.back()[1]);
  Figure figure("force", 900, 600);
  figure.add("set key noenhanced");
  figure.add("set title 'Friction force near sticking, Eq. 4 (Fig. 6)'\nset xlabel 't [-]'\nset ylabel 'x, f [-]'");
  add_plot("c", {{"f", forces}, {"x", columns(quinn.table, "t", "x", 2.5, 3.5), "lines lw 2 dt 2"}}, figure);
  result.figures.push_back(std::move(figure));
  return result;
}

StudyResult eq6(const Study& study, const StudyProgress&) {
  constexpr std::array<std::string_view, 2> keys = {"start", "epsilons"};
  const TomlTable t = study.compute(keys);
  const AxialSystem system = read_axial_system(study.root().table("system"));
  const double x0 = t.number("start"), limit = system.limits()[0];
  StudyResult result;
  std::vector<Curve> curves;
  for (const RampWidth width : {RampWidth::full, RampWidth::half}) {
    Rows errors;
    double coefficient = 0;
    for (const double epsilon : t.list("epsilons")) {
      const double ramp = width == RampWidth::full ? epsilon : epsilon / 2;
      State start = at_rest(system, x0);
      start.u[0] = ramp / limit * (x0 - limit);  // the edge of the ramp
      const double ended =
          run_rk4(system, {Regularization::quinn, epsilon, width}, start, ramp / 100, 50 * ramp).end.q[0];
      const double error = run_exact(system, start, 10 * ramp, 10 * ramp).end.q[0] - ended;
      errors.push_back({epsilon, std::abs(error)});
      coefficient = error / (-epsilon * epsilon * (x0 - limit) / (limit * limit));
    }
    const std::string name = width == RampWidth::full ? "Eq. 4" : "half width epsilon/2";
    result.add("coefficient of -epsilon^2 (x0 - muN)/(muN)^2, " + name + " [-]", coefficient);
    result.add("order in epsilon, " + name + " [-]", fitted_order(errors));
    curves.push_back({name, errors, "linespoints lw 2 pt 7"});
  }
  Figure figure("error", 800, 600);
  figure.add("set key noenhanced");
  figure.add(
      "set title 'Error of the position at rest (Eq. 6)'\nset logscale xy\nset format '10^{%L}'\nset xlabel 'epsilon "
      "[-]'\nset ylabel '|error| [-]'");
  add_plot("c", curves, figure);
  result.figures.push_back(std::move(figure));
  return result;
}

StudyResult fig7(const Study& study, const StudyProgress& progress) {
  constexpr std::array<std::string_view, 1> keys = {"steps"};
  const std::vector<double> steps = study.compute(keys).list("steps");
  const std::pair<Regularization, const char*> laws[] = {{Regularization::quinn, "Eq. 4"},
                                                         {Regularization::martins_oden, "Martins & Oden"},
                                                         {Regularization::sign, "sign law"}};
  StudyResult result;
  Figure figure("error", 1100, 560);
  figure.add("set key noenhanced");
  figure.add(
      "set multiplot layout 1,2 title 'Error in the dissipation per cycle (Fig. 7)'\nset logscale xy\nset format "
      "'10^{%L}'\nset xlabel 'step [-]'\nset ylabel '|D/D_{exact} - 1|'");
  const std::vector<TomlTable> cases = study.cases();
  double done = 0;
  for (const TomlTable& c : cases) {
    const std::string name = c.text("name");
    const AxialSystem system = read_axial_system(c.table("system"));
    const double duration = 50 * system.period();
    const double exact = run_exact(system, at_rest(system), duration, duration).cycle_dissipation.at(49);
    result.add("D in cycle 50, exact, " + name + " [-]", exact);
    std::vector<Curve> curves;
    std::vector<double> mean;  // of the error's logarithm, of each law
    for (const auto& law : laws) {
      Rows errors;
      for (const double wanted : steps) {
        const double step = step_in_period(system.period(), wanted);
        const Run run = run_rk4(system, {law.first, 2 * step}, at_rest(system), step, duration);
        errors.push_back({step, std::abs(run.cycle_dissipation.at(49) / exact - 1)});
        done += 1;
        if (progress) progress(done / static_cast<double>(3 * steps.size() * cases.size()));
      }
      result.add(fmt::format("order of the error, {}, {} [-]", law.second, name), fitted_order(errors));
      result.add(fmt::format("error at the largest step, {}, {} [-]", law.second, name), errors.front()[1]);
      mean.push_back(0);
      for (const auto& row : errors) mean.back() += std::log(row[1]) / static_cast<double>(errors.size());
      curves.push_back({law.second, std::move(errors), "linespoints lw 2 pt 7"});
    }
    result.add(
        fmt::format("error of the sign law over the smaller of the others, geometric mean of the steps, {} [-]", name),
        std::exp(mean[2] - std::min(mean[0], mean[1])));
    figure.add(fmt::format("set title '{}' noenhanced", name));
    add_plot(&c == &cases.front() ? "a" : "b", curves, figure);
  }
  figure.add("unset multiplot");
  result.figures.push_back(std::move(figure));
  return result;
}

StudyResult fig9(const Study& study, const StudyProgress& progress) {
  constexpr std::array<std::string_view, 1> keys = {"steps"};
  const std::vector<double> steps = study.compute(keys).list("steps");
  const AxialSystem system = read_axial_system(study.root().table("system"));
  const double duration = 4 * system.period(), omega = 2 * kPi / system.period();
  StudyResult result;
  const Run exact = run_exact(system, at_rest(system), duration, duration);
  for (std::size_t k = 0; k < 4; ++k)
    result.add(fmt::format("D in cycle {}, exact [-]", k + 1), exact.cycle_dissipation.at(k));
  Eigen::Index slipped = 0;
  for (const FrictionEvent& e : exact.events) slipped = std::max(slipped, e.contact + 1);
  result.add("blocks that ever slip", static_cast<double>(slipped));
  std::vector<Curve> curves;
  double done = 0;
  const std::pair<Regularization, const char*> laws[] = {{Regularization::quinn, "Eq. 4"},
                                                         {Regularization::martins_oden, "Martins & Oden"},
                                                         {Regularization::sign, "sign law"}};
  for (const auto& law : laws) {
    Rows rows;
    for (const double wanted : steps) {
      const double step = step_in_period(system.period(), wanted);
      const Run run = run_rk4(system, {law.first, 10 * omega * step}, at_rest(system), step, duration);
      rows.push_back({step, run.cycle_dissipation.at(3)});
      result.add(fmt::format("D in cycle 4, step {:g}, {} [-]", wanted, law.second), rows.back()[1]);
      done += 1;
      if (progress) progress(done / static_cast<double>(3 * steps.size()));
    }
    curves.push_back({law.second, std::move(rows), "linespoints lw 2 pt 7"});
  }
  curves.push_back({"exact",
                    {{steps.front(), exact.cycle_dissipation[3]}, {steps.back(), exact.cycle_dissipation[3]}},
                    "lines lw 1 dt 2"});
  Figure figure("dissipation", 900, 640);
  figure.add("set key noenhanced");
  figure.add(
      "set title 'Dissipation of the chain in cycle 4 (Fig. 9)'\nset logscale x\nset format x '10^{%L}'\nset xlabel "
      "'step [-]'\nset ylabel 'D [-]'\nset yrange [0:*]");
  add_plot("c", curves, figure);
  result.figures.push_back(std::move(figure));
  return result;
}

StudyResult fig11(const Study& study, const StudyProgress&) {
  constexpr std::array<std::string_view, 2> keys = {"step", "duration"};
  const TomlTable t = study.compute(keys);
  const double step = t.positive("step"), duration = t.positive("duration");
  StudyResult result;
  std::optional<Run> first;
  for (const TomlTable& c : study.cases()) {
    const std::string name = c.text("name");
    const AxialSystem system = read_axial_system(c.table("system"));
    const Run exact = run_exact(system, at_rest(system), duration, 0.02);
    const Run quinn = run_rk4(system, {Regularization::quinn, 2 * step}, at_rest(system), step, duration);
    const auto& at_5 = exact.table.rows()[250];
    for (const int i : {1, 2})
      result.add(fmt::format("x{} at t = 5, {} [-]", i, name), at_5[static_cast<std::size_t>(i)]);
    for (const int i : {1, 2}) result.add(fmt::format("x{} at t = 20, {} [-]", i, name), exact.end.q[i - 1]);
    result.add("Eq. 4 off the exact motion at t = 20, " + name + " [-]", (quinn.end.q - exact.end.q).norm(),
               fmt::format("RK4, step {:g}, fixed point of the balance forces.", step));
    for (std::size_t k = 1; k <= 2; ++k) {
      const std::size_t mode = exact.table.column(fmt::format("contact{}.mode", k));
      double stick = 0;
      for (const auto row : exact.table.rows()) stick += row[mode] == 2;
      result.add(fmt::format("part of the time that contact {} sticks, {} [-]", k, name),
                 stick / static_cast<double>(exact.table.rows().size()));
    }
    if (!first) first = exact;
    result.tables.emplace_back(name == study.cases().front().text("name") ? "motion-a" : "motion-b", exact.table);
  }
  Figure figure("motion", 1000, 760);
  figure.add("set key noenhanced");
  figure.add(
      "set multiplot layout 2,1 title 'Two blocks on a moving belt (Fig. 11)'\nset lmargin 12\nset ylabel 'x [-]'");
  add_plot("x", {{"x1", columns(first->table, "t", "x1")}, {"x2", columns(first->table, "t", "x2"), "lines lw 2 dt 2"}},
           figure);
  figure.add("set ylabel 'slip velocity [-]'\nset xlabel 't [-]'");
  add_plot("z",
           {{"z1", columns(first->table, "t", "contact1.slip_1")},
            {"z2", columns(first->table, "t", "contact2.slip_1"), "lines lw 2 dt 2"}},
           figure);
  figure.add("unset multiplot");
  result.figures.push_back(std::move(figure));
  return result;
}

}  // namespace

std::vector<StudyEntry> quinn2004_studies() {
  return {{"quinn2004-fig5", fig5},
          {"quinn2004-fig6", fig6},
          {"quinn2004-eq6", eq6},
          {"quinn2004-fig7", fig7},
          {"quinn2004-fig9", fig9},
          {"quinn2004-fig11", fig11},
          {"quinn2004-sect32", quinn2004_sect32}};
}

}  // namespace slipset
