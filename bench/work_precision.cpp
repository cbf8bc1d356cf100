// Which friction law for which accuracy? Error against CPU time of every law and integrator, for Quinn's forced
// oscillator and for his chain of 32 blocks, against the exact motion.       docs/which-law.md
//   bench_work_precision [FOLDER [oscillator | chain]]: work-precision.png with its script and data
// Error: largest distance of the positions from the exact ones at 64 times of the last cycle, over the largest exact
// position there.
#include <fmt/format.h>

#include <cmath>
#include <ctime>

#include "bench/results.hpp"
#include "slipset/core/angle.hpp"
#include "slipset/io/figure.hpp"
#include "slipset/laws/classical.hpp"
#include "slipset/motion/integrators/integrator.hpp"
#include "slipset/systems/chain.hpp"
#include "slipset/systems/forced_oscillator.hpp"

namespace {

using namespace slipset;

constexpr int kSamples = 64;  // a cycle

struct Problem {
  const char* name;
  const char* title;
  AxialSystem system;
  int cycles;
  double epsilon_over_step;                          // of the fixed-step runs, as in the paper
  int first, last;                                   // steps between samples: 2^first … 2^last
  std::shared_ptr<const System> in_plane = nullptr;  // the same for LuGre
};

struct Point {
  double step, epsilon, tolerance, seconds, error;
  long evaluations;
};

struct Curve {
  std::string name;
  std::vector<Point> points;
};

using Positions = std::vector<VectorX>;

// The forced oscillator once more, as a system in the plane of which one direction moves: LuGre is a law of the plane.
class OscillatorInPlane : public System {
 public:
  explicit OscillatorInPlane(const ForcedOscillatorParameters& parameters) : p_(parameters) {
    contacts_.push_back({"contact", std::make_shared<PlanarContactLaw>(isotropic(p_.friction_limit)), false, 0});
  }
  Eigen::Index dofs() const override { return 1; }
  const std::vector<SystemContact>& contacts() const override { return contacts_; }
  void evaluate(double t, const VectorX& q, const VectorX& u, SystemAt& at) const override {
    at.mass(0, 0) = p_.mass;
    at.potential_force[0] = -p_.stiffness * q[0];
    at.force[0] = at.potential_force[0] - p_.damping * u[0] + p_.amplitude * std::sin(p_.frequency * t + p_.phase);
    at.contacts[0].normal_force = 1;
    at.contacts[0].tangents << 1, 0;
  }
  double potential_energy(const VectorX& q) const override { return 0.5 * p_.stiffness * q[0] * q[0]; }
  bool has_constant_mass() const override { return true; }
  bool has_steady_surfaces() const override { return true; }
  std::vector<std::string> coordinates() const override { return {"x"}; }

 private:
  ForcedOscillatorParameters p_;
  std::vector<SystemContact> contacts_;
};

Positions last_cycle(const AxialSystem& system, const Table& table, double period, int cycles) {
  Positions out;
  std::size_t row = 0;
  const Table::Rows rows = table.rows();
  for (int k = (cycles - 1) * kSamples; k <= cycles * kSamples; ++k) {
    const double t = period * k / kSamples;
    while (row + 1 < rows.size() && rows[row][0] < t - 1e-6 * period / kSamples) ++row;
    const std::vector<double> numbers = rows[row].numbers();
    out.emplace_back(Eigen::Map<const VectorX>(numbers.data() + 1, system.dofs()));
  }
  return out;
}

double distance(const Positions& a, const Positions& exact) {
  double most = 0, size = 0;
  for (std::size_t k = 0; k < exact.size(); ++k) {
    most = std::max(most, (a[k] - exact[k]).lpNorm<Eigen::Infinity>());
    size = std::max(size, exact[k].lpNorm<Eigen::Infinity>());
  }
  return most / size;
}

// CPU time of one run: the least of three, or of one if it is long.
template <class Run>
double cpu_seconds(const Run& run) {
  double least = INFINITY;
  for (int k = 0; k < 3 && (k == 0 || least < 0.3); ++k) {
    const std::clock_t begin = std::clock();
    run();
    least = std::min(least, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  }
  return std::max(least, 1e-6);
}

std::vector<Curve> measure(const Problem& p, double& exact_seconds) {
  const double period = p.system.period();
  const State start{0, VectorX::Zero(p.system.dofs()), VectorX::Zero(p.system.dofs())};
  EventDriven by_events;
  RunOptions events;
  by_events.row_step = period / kSamples;
  events.duration = period * p.cycles;
  const Positions exact = last_cycle(p.system, simulate(p.system, start, by_events, events).table, period, p.cycles);
  exact_seconds = cpu_seconds([&] { simulate(p.system, start, by_events, events); });

  const auto point = [&](const System& system, const Integrator& integrator, double step, int every, double epsilon,
                         double tolerance) {
    Run run;
    const RunOptions options{.duration = period * p.cycles, .every = every};
    const double seconds = cpu_seconds([&] { run = simulate(system, start, integrator, options); });
    const bool good = run.report.finished() && run.end.q.allFinite();
    return Point{step,
                 epsilon,
                 tolerance,
                 seconds,
                 good ? distance(last_cycle(p.system, run.table, period, p.cycles), exact) : NAN,
                 run.report.evaluations};
  };
  const auto fixed_step = [&](int k) { return period / (kSamples * std::ldexp(1.0, k)); };
  std::vector<Curve> curves;
  const auto fixed = [&](const std::string& name, Regularization kind, bool frozen) {
    Curve curve{name, {}};
    for (int k = p.first; k <= p.last; ++k) {
      const double step = fixed_step(k), epsilon = p.epsilon_over_step * step;
      const RungeKutta4 rk4{.step = step, .friction = {RegularizedCoulomb(kind, epsilon), {.freeze_band = frozen}}};
      curve.points.push_back(point(p.system, rk4, step, 1 << k, epsilon, NAN));
    }
    curves.push_back(curve);
  };
  fixed("sign, RK4", Regularization::sign, false);
  fixed("Martins-Oden, RK4", Regularization::martins_oden, false);
  fixed("arctan, RK4", Regularization::arctan, false);
  fixed("Karnopp, RK4", Regularization::karnopp, false);
  fixed("Karnopp frozen, RK4", Regularization::karnopp, true);
  fixed("Quinn, RK4", Regularization::quinn, false);
  Curve moreau{"set-valued, Moreau", {}};
  for (int k = p.first; k <= p.last; ++k)
    moreau.points.push_back(point(p.system, Moreau{.step = fixed_step(k)}, fixed_step(k), 1 << k, NAN, NAN));
  curves.push_back(moreau);
  const auto adaptive = [&](const std::string& name, AdaptiveMethod method) {
    Curve curve{name, {}};
    for (int k = 3; k <= 9; ++k) {  // error of the ramp and of the integrator of one size: ε² of the tolerance
      const double tolerance = std::pow(10.0, -k), epsilon = std::sqrt(tolerance);
      const Adaptive by{.method = method,
                        .row_step = period / kSamples,
                        .relative_tolerance = tolerance,
                        .absolute_tolerance = tolerance / 100,
                        .friction = RegularizedCoulomb(Regularization::quinn, epsilon)};
      curve.points.push_back(point(p.system, by, by.row_step, 1, epsilon, tolerance));
    }
    curves.push_back(curve);
  };
  adaptive("Quinn, BDF", AdaptiveMethod::bdf);
  adaptive("Quinn, Adams", AdaptiveMethod::adams);
  if (!p.in_plane) return curves;
  // Bristles give way by μ/σ0 before they slip, which is the error of the law. rk4 must resolve their relaxation in
  // σ0|v|/μ; with error control both errors are of one size. The bristles' own oscillation is damped by half.
  const auto bristles = [](double sigma0) { return LuGre{sigma0, std::sqrt(sigma0), 0}; };
  Curve rk4{"LuGre, RK4", {}}, bdf{"LuGre, BDF", {}};
  for (int k = p.first; k <= p.last; ++k) {
    const double step = fixed_step(k);
    rk4.points.push_back(
        point(*p.in_plane, RungeKutta4{.step = step, .friction = bristles(1 / step)}, step, 1 << k, NAN, NAN));
  }
  for (int k = 2; k <= 7; ++k) {
    const double tolerance = std::pow(10.0, -k);
    const Adaptive by{.row_step = period / kSamples,
                      .relative_tolerance = tolerance,
                      .absolute_tolerance = tolerance / 100,
                      .friction = bristles(1 / tolerance)};
    bdf.points.push_back(point(*p.in_plane, by, by.row_step, 1, NAN, tolerance));
  }
  curves.push_back(rk4);
  curves.push_back(bdf);
  return curves;
}

}  // namespace

int main(int argc, char** argv) {
  const std::filesystem::path folder = argc > 1 ? argv[1] : ".";
  ForcedOscillatorParameters oscillator;
  oscillator.amplitude = 1.5;
  oscillator.frequency = 0.5;
  const Problem problems[] = {{"oscillator", "forced oscillator, 10 cycles", forced_oscillator(oscillator), 10, 2, 0,
                               12, std::make_shared<OscillatorInPlane>(oscillator)},
                              {"chain", "chain of 32 blocks, 4 cycles", chain({32, 1, 0.25, 0.5, false}), 4, 5, 4, 11}};
  bench::Results results("work-precision", {"problem", "method", "step", "epsilon", "tolerance", "evaluations",
                                            "cpu_seconds", "relative_error"});
  const auto number = [](double x) { return std::isnan(x) ? std::string() : fmt::format("{}", x); };
  Figure figure("work-precision", 1500, 760);
  figure.add(
      "set multiplot layout 1,2\nset bmargin 8\nset logscale xy\nset format y '10^{%L}'\nset format x '10^{%L}'\nset "
      "xlabel 'CPU time [s]' offset 0,0.4\nset "
      "ylabel 'largest "
      "error of a position in the last cycle, relative'\nset key at screen 0.5,0.07 center horizontal maxcols 5 "
      "samplen 2 noenhanced");
  constexpr const char* colours[] = {"#9aa7b4", "#e67e22", "#c9a227", "#c39bd3", "#8e44ad", "#1f4e79",
                                     "#2e8b57", "#c0392b", "#e59866", "#5d6d7e", "#17a589"};
  for (const Problem& p : problems) {
    if (argc > 2 && std::string_view(argv[2]) != p.name) continue;
    double exact_seconds = 0;
    const std::vector<Curve> curves = measure(p, exact_seconds);
    std::string plot = "plot ";
    int k = 0;
    for (const Curve& curve : curves) {
      std::vector<std::vector<double>> rows;
      for (const Point& q : curve.points) {
        results.add({p.name, curve.name, number(q.step), number(q.epsilon), number(q.tolerance),
                     fmt::format("{}", q.evaluations), number(q.seconds), number(q.error)});
        if (q.error < 10) rows.push_back({q.seconds, q.error});
      }
      plot += fmt::format("{}'{}' using 1:2 with linespoints lw 2 pt {} lc rgb '{}' title '{}'", k ? ", " : "",
                          figure.add_data(fmt::format("{}-{}", p.name, k), rows), 4 + k, colours[k], curve.name);
      ++k;
    }
    results.add({p.name, "event-driven", "", "", "", "", number(exact_seconds), "0"});
    figure.add(fmt::format("set title '{}' noenhanced", p.title));
    plot +=
        fmt::format(", '{}' using 1:2 with lines lw 2 dt 2 lc rgb '#000000' title 'event-driven: exact'",
                    figure.add_data(fmt::format("{}-exact", p.name), {{exact_seconds, 1e-10}, {exact_seconds, 10}}));
    figure.add("set yrange [1e-10:10]\n" + plot + "\nunset key");  // that of the first has all
  }
  figure.add("unset multiplot");
  const Figure::Saved saved = figure.save(folder);
  fmt::print("{}", results.text());
  results.save();
  if (!saved.problem.empty()) fmt::print(stderr, "no picture: {}\n", saved.problem);
  return 0;
}
