// Which friction law for which accuracy? Error against CPU time of every law and integrator, for Quinn's forced
// oscillator and for his chain of 32 blocks, against the exact motion.       docs/which-law.md
//   bench_work_precision [FOLDER [oscillator | chain]]: work-precision.csv, work-precision.png with its script and data
// Error: largest distance of the positions from the exact ones at 64 times of the last cycle, over the largest exact
// position there.
#include <fmt/format.h>

#include <cmath>
#include <ctime>

#include "slipset/core/angle.hpp"
#include "slipset/dynamics/piecewise_linear.hpp"
#include "slipset/dynamics/simulate_ode.hpp"
#include "slipset/io/figure.hpp"
#include "slipset/io/files.hpp"
#include "slipset/laws/classical.hpp"
#include "slipset/models/chain.hpp"
#include "slipset/models/forced_oscillator.hpp"

namespace {

using namespace slipset;

constexpr int kSamples = 64;  // a cycle

struct Problem {
  const char* name;
  const char* title;
  LineSystem system;
  int cycles;
  double epsilon_over_step;                                    // of the fixed-step runs, as in the paper
  int first, last;                                             // steps between samples: 2^first … 2^last
  std::shared_ptr<const MechanicalSystem> in_plane = nullptr;  // the same for LuGre
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
class OscillatorInPlane : public MechanicalSystem {
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
  std::vector<std::string> coordinates() const override { return {"x"}; }

 private:
  ForcedOscillatorParameters p_;
  std::vector<SystemContact> contacts_;
};

Positions last_cycle(const LineSystem& system, const Trajectory& trajectory, double period, int cycles) {
  Positions out;
  std::size_t row = 0;
  const auto& rows = trajectory.rows;
  for (int k = (cycles - 1) * kSamples; k <= cycles * kSamples; ++k) {
    const double t = period * k / kSamples;
    while (row + 1 < rows.size() && rows[row][0] < t - 1e-6 * period / kSamples) ++row;
    out.emplace_back(Eigen::Map<const VectorX>(rows[row].data() + 1, system.dofs()));
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
  LineEventOptions events;
  events.row_step = period / kSamples;
  events.duration = period * p.cycles;
  const Positions exact = last_cycle(p.system, simulate_events(p.system, start, events).trajectory, period, p.cycles);
  exact_seconds = cpu_seconds([&] { simulate_events(p.system, start, events); });

  const auto point = [&](const RegularizedCoulomb& law, const LineOptions& options, double epsilon, double tolerance) {
    LineSimulation run;
    const double seconds = cpu_seconds([&] { run = simulate(p.system, law, start, options); });
    const bool good = run.report.finished && run.end.q.allFinite();
    return Point{options.step,
                 epsilon,
                 tolerance,
                 seconds,
                 good ? distance(last_cycle(p.system, run.trajectory, period, p.cycles), exact) : NAN,
                 run.report.evaluations};
  };
  std::vector<Curve> curves;
  const auto fixed = [&](const std::string& name, Regularization kind, LineMethod method, bool frozen) {
    Curve curve{name, {}};
    for (int k = p.first; k <= p.last; ++k) {
      LineOptions o;
      o.method = method;
      o.every = 1 << k;
      o.step = period / (kSamples * std::ldexp(1.0, k));
      o.duration = period * p.cycles;
      o.rate.freeze_band = frozen;
      const double epsilon = p.epsilon_over_step * o.step;
      curve.points.push_back(point({kind, epsilon}, o, method == LineMethod::moreau ? NAN : epsilon, NAN));
    }
    curves.push_back(curve);
  };
  fixed("sign, RK4", Regularization::sign, LineMethod::rk4, false);
  fixed("Martins-Oden, RK4", Regularization::martins_oden, LineMethod::rk4, false);
  fixed("arctan, RK4", Regularization::arctan, LineMethod::rk4, false);
  fixed("Karnopp, RK4", Regularization::karnopp, LineMethod::rk4, false);
  fixed("Karnopp frozen, RK4", Regularization::karnopp, LineMethod::rk4, true);
  fixed("Quinn, RK4", Regularization::quinn, LineMethod::rk4, false);
  fixed("set-valued, Moreau", Regularization::sign, LineMethod::moreau, false);
  const auto adaptive = [&](const std::string& name, Regularization kind, LineMethod method) {
    Curve curve{name, {}};
    for (int k = 3; k <= 9; ++k) {  // error of the ramp and of the integrator of one size: ε² of the tolerance
      LineOptions o;
      o.method = method;
      o.step = period / kSamples;
      o.duration = period * p.cycles;
      o.relative_tolerance = std::pow(10.0, -k);
      o.absolute_tolerance = o.relative_tolerance / 100;
      const double epsilon = std::sqrt(o.relative_tolerance);
      curve.points.push_back(point({kind, epsilon}, o, epsilon, o.relative_tolerance));
    }
    curves.push_back(curve);
  };
  adaptive("Quinn, BDF", Regularization::quinn, LineMethod::bdf);
  adaptive("Quinn, Adams", Regularization::quinn, LineMethod::adams);
  if (!p.in_plane) return curves;
  // Bristles give way by μ/σ0 before they slip, which is the error of the law. rk4 must resolve their relaxation in
  // σ0|v|/μ; with error control both errors are of one size. The bristles' own oscillation is damped by half.
  const auto bristles = [&](const std::string& name, OdeMethod method, int first, int last) {
    Curve curve{name, {}};
    for (int k = first; k <= last; ++k) {
      OdeOptions o;
      o.method = method;
      o.duration = period * p.cycles;
      const bool fixed_step = method == OdeMethod::rk4;
      if (fixed_step) {
        o.every = 1 << k;
        o.step = period / (kSamples * std::ldexp(1.0, k));
      } else {
        o.step = period / kSamples;
        o.relative_tolerance = std::pow(10.0, -k);
        o.absolute_tolerance = o.relative_tolerance / 100;
      }
      const double sigma0 = 1 / (fixed_step ? o.step : o.relative_tolerance);
      Simulation run;
      const double seconds = cpu_seconds([&] {
        run = simulate_ode(*p.in_plane, LuGre{sigma0, std::sqrt(sigma0), 0}, start, o);
      });
      const bool good = run.report.finished && run.end.q.allFinite();
      curve.points.push_back({o.step, NAN, fixed_step ? NAN : o.relative_tolerance, seconds,
                              good ? distance(last_cycle(p.system, run.trajectory, period, p.cycles), exact) : NAN,
                              run.report.evaluations});
    }
    curves.push_back(curve);
  };
  bristles("LuGre, RK4", OdeMethod::rk4, p.first, p.last);
  bristles("LuGre, BDF", OdeMethod::bdf, 2, 7);
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
  std::string csv = "problem,method,step,epsilon,tolerance,evaluations,cpu_seconds,relative_error\n";
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
        csv += fmt::format("{},\"{}\",{},{},{},{},{},{}\n", p.name, curve.name, q.step, q.epsilon, q.tolerance,
                           q.evaluations, q.seconds, q.error);
        if (q.error < 10) rows.push_back({q.seconds, q.error});
      }
      plot += fmt::format("{}'{}' using 1:2 with linespoints lw 2 pt {} lc rgb '{}' title '{}'", k ? ", " : "",
                          figure.add_data(fmt::format("{}-{}", p.name, k), rows), 4 + k, colours[k], curve.name);
      ++k;
    }
    csv += fmt::format("{},event-driven,,,,,{},0\n", p.name, exact_seconds);
    figure.add(fmt::format("set title '{}' noenhanced", p.title));
    plot +=
        fmt::format(", '{}' using 1:2 with lines lw 2 dt 2 lc rgb '#000000' title 'event-driven: exact'",
                    figure.add_data(fmt::format("{}-exact", p.name), {{exact_seconds, 1e-10}, {exact_seconds, 10}}));
    figure.add("set yrange [1e-10:10]\n" + plot + "\nunset key");  // that of the first has all
  }
  figure.add("unset multiplot");
  write_file(folder / "work-precision.csv", csv);
  const Figure::Saved saved = figure.save(folder);
  fmt::print("{}", csv);
  if (!saved.problem.empty()) fmt::print(stderr, "no picture: {}\n", saved.problem);
  return 0;
}
