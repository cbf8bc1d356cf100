#include "slipset/studies/bristles.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <complex>

#include "slipset/core/angle.hpp"
#include "slipset/laws/classical.hpp"
#include "slipset/scenario/law_setup.hpp"
#include "slipset/stability/modes.hpp"
#include "slipset/studies/curves.hpp"
#include "slipset/systems/block_on_belt.hpp"
#include "slipset/systems/mode_coupling.hpp"

namespace slipset {
namespace {

using Complex = std::complex<double>;

// The first harmonic of the bristles' deflection over the amplitude of the block's velocity, as an experiment gives it:
// their own equation, not linearised, integrated in time while the block oscillates on top of steady sliding.  [H07 2]
Complex measured_response(const FrictionLaw& law, const LuGre& lugre, double speed, double decay, double omega) {
  constexpr int samples = 256;  // a period; RK4's error is of their fourth power
  const double amplitude = 1e-4 * speed, period = 2 * kPi / omega;
  const double wait = std::ceil(25 / decay / period) * period;  // e^-25 of the start is left
  const int inner = std::max(1, static_cast<int>(std::ceil(period / samples * decay / 0.05)));
  const double h = period / samples / inner;
  const auto rate = [&](double t, double z) {
    return bristle_rate(law, lugre, Vec2(speed - amplitude * std::cos(omega * t), 0), Vec2(z, 0)).x();
  };
  const double steady = steady_deflection(law, lugre, Vec2(speed, 0)).x();
  double z = steady, t = -wait;
  Complex sum = 0;
  const long steps = std::lround(wait / h), all = steps + static_cast<long>(samples) * inner;
  for (long i = 0; i < all; ++i) {
    if (i >= steps && (i - steps) % inner == 0) sum += (z - steady) * std::exp(Complex(0, -omega * t));
    const double k1 = rate(t, z), k2 = rate(t + h / 2, z + h / 2 * k1), k3 = rate(t + h / 2, z + h / 2 * k2),
                 k4 = rate(t + h, z + h * k3);
    z += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    t = -wait + static_cast<double>(i + 1) * h;
  }
  return 2.0 * sum / static_cast<double>(samples) / amplitude;
}

LinearizeOptions options_of(const std::optional<LuGre>& lugre) {
  LinearizeOptions options;
  options.lugre = lugre;
  options.with_terms = false;
  return options;
}

// The largest growth rate and whether no mode oscillates.
struct Growth {
  double rate;
  bool overdamped;
};
Growth growth_of(const LinearSliding& sliding) {
  Growth g{-INFINITY, true};
  for (const Mode& mode : modes_of(sliding)) {
    g.rate = std::max(g.rate, mode.growth_rate());
    g.overdamped = g.overdamped && mode.frequency() == 0;
  }
  return g;
}

// One mode of frequency ω on a belt.                                                              [H07 4]
LinearSliding block_at(const std::shared_ptr<const PlanarContactLaw>& law, double omega, double speed,
                       const std::optional<LuGre>& lugre) {
  BlockOnBeltParameters p;
  p.stiffness = omega * omega;
  p.belt_speed = speed;
  return linearize_sliding(BlockOnBelt(law, p), options_of(lugre));
}
LinearSliding coupled_at(const std::shared_ptr<const PlanarContactLaw>& law, const Vec2& damping, double speed,
                         const std::optional<LuGre>& lugre) {
  ModeCouplingParameters p;
  p.c1 = damping.x();
  p.c2 = damping.y();
  p.belt_speed = speed;
  return linearize_sliding(ModeCoupling(law, p), options_of(lugre));
}

// Largest real part of the roots of λ³ + a λ² + b λ + c, all at once by Durand and Kerner.
double largest_root(double a, double b, double c) {
  Complex roots[3] = {{1, 0}, {0.4, 0.9}, {-0.65, 0.72}};
  const double size = 1 + std::max({std::abs(a), std::sqrt(std::abs(b)), std::cbrt(std::abs(c))});
  for (Complex& r : roots) r *= size;
  for (int i = 0; i < 400; ++i)
    for (int k = 0; k < 3; ++k) {
      const Complex r = roots[k], p = ((r + a) * r + b) * r + c;
      roots[k] -= p / ((r - roots[(k + 1) % 3]) * (r - roots[(k + 2) % 3]));
    }
  return std::max({roots[0].real(), roots[1].real(), roots[2].real()});
}

std::vector<double> powers(const Vec2& range, int count) {
  std::vector<double> all;
  for (int i = 0; i < count; ++i)
    all.push_back(range.x() * std::pow(range.y() / range.x(), static_cast<double>(i) / (count - 1)));
  return all;
}

}  // namespace

// G(ω) = σ01/(iω + σ02), the bristles' response to the velocity.                                     [H07 9, 11]
StudyResult hoffmann2007_fig2(const Study& study, const StudyProgress& progress) {
  constexpr std::array<std::string_view, 2> keys = {"speed", "frequencies"};
  const TomlTable own = study.compute(keys);
  const LawSetup law = read_law(study.root());
  if (!law.lugre()) study.root().table("law").fail("lugre", "missing; this study is about LuGre");
  const double speed = own.positive("speed");
  const auto jacobian = bristle_jacobian(law.law, *law.lugre(), Vec2(speed, 0));
  if (!jacobian) throw InvalidInput("hoffmann2007-fig2: the law has no derivative there");
  // The belt's speed less the block's is the slip: the block's velocity enters with a minus.
  const double s01 = -jacobian->by_slip(0, 0), s02 = -jacobian->by_deflection(0, 0);
  const auto formula = [&](double omega) { return s01 / Complex(s02, omega); };
  const auto measured = [&](double omega) { return measured_response(law.law, *law.lugre(), speed, s02, omega); };
  const auto g = [&](double v) { return slip_resistance(law.law, Vec2(v, 0)).x(); };
  const double d = 1e-4 * speed,
               slope = (8 * (g(speed + d) - g(speed - d)) - g(speed + 2 * d) + g(speed - 2 * d)) / (12 * d);
  StudyResult result;
  result.add("sigma01 [-]", s01, "-v g'/g: above 0 where the characteristic falls.");
  result.add("sigma02 [1/s]", s02, "sigma0 v/g.");
  result.add("sigma01 off -v g'/g by differences of g, relative [-]", std::abs(-speed * slope / g(speed) / s01 - 1));

  const Complex low = measured(1e-3 * s02), middle = measured(s02), high = measured(1e3 * s02);
  result.add("phase at a thousandth of sigma02, measured [degrees]", degrees(std::arg(low)));
  result.add("phase at sigma02, measured [degrees]", degrees(std::arg(middle)));
  result.add("phase at 1000 sigma02, measured [degrees]", degrees(std::arg(high)));
  result.add("amplitude at sigma02 over that at a thousandth of it, measured [-]", std::abs(middle) / std::abs(low));
  CurveRows points, phases, amplitudes, curve, curve_phase, locus;
  double off = 0;
  const std::vector<double> frequencies = own.list("frequencies");
  for (const double w : frequencies) {
    const Complex m = measured(w * s02), f = formula(w * s02);
    off = std::max(off, std::abs(m - f) / std::abs(f));
    points.push_back({(m / formula(0)).real(), (m / formula(0)).imag()});
    amplitudes.push_back({w, std::abs(m / formula(0))});
    phases.push_back({w, degrees(std::arg(m))});
    progress(static_cast<double>(points.size()) / static_cast<double>(frequencies.size()));
  }
  result.add("measured response off Eq. 11, relative, largest [-]", off);

  // And as `slipset stability` has it.
  BlockOnBeltParameters p;
  p.belt_speed = speed;
  const LinearSliding s =
      linearize_sliding(BlockOnBelt(std::make_shared<PlanarContactLaw>(law.law), p), options_of(law.lugre()));
  const double omega = 0.7 * s02;
  // The library's deflection points along the slip of the block, the paper's along the belt's.
  const Complex z = -s.system(2, 1) / (Complex(0, omega) - s.system(2, 2));
  result.add("linearised system off the measured response, relative [-]", std::abs(z - measured(omega)) / std::abs(z));

  Table table({"omega_over_sigma02", "re", "im", "amplitude", "phase"});
  for (int i = 0; i <= 400; ++i) {
    const double w = std::pow(10, -2 + 4.0 * i / 400);
    const Complex f = formula(w * s02) / formula(0);
    table.add_row({w, f.real(), f.imag(), std::abs(f), degrees(std::arg(f))});
    locus.push_back({f.real(), f.imag()});
    curve.push_back({w, std::abs(f)});
    curve_phase.push_back({w, degrees(std::arg(f))});
  }
  result.tables.emplace_back("response", std::move(table));
  Figure figure("response", 1200, 460);
  figure.add(
      "set multiplot layout 1,3 title 'Friction response to the velocity, G over G at frequency 0 (Fig. 2)'\nset size "
      "ratio -1\nset xlabel 'real part'\nset ylabel 'imaginary part'\nset xrange [0:1.1]\nset yrange [-0.6:0.1]");
  add_plot("locus", {{"Eq. 11", locus}, {"measured in time", points, "points pt 7"}}, figure);
  figure.add(
      "set size noratio\nset logscale x\nset xrange [0.01:100]\nset yrange [0:1.1]\nset xlabel 'frequency over "
      "sigma02'\nset ylabel 'amplitude'");
  add_plot("amplitude", {{"Eq. 11", curve}, {"measured in time", amplitudes, "points pt 7"}}, figure);
  figure.add("set yrange [-95:5]\nset ylabel 'phase [degrees]'");
  add_plot("phase", {{"Eq. 11", curve_phase}, {"measured in time", phases, "points pt 7"}}, figure);
  figure.add("unset multiplot");
  result.figures.push_back(std::move(figure));
  return result;
}

StudyResult hoffmann2007_overdamped(const Study& study, const StudyProgress& progress) {
  constexpr std::array<std::string_view, 4> keys = {"omega", "from", "to", "count"};
  const TomlTable own = study.compute(keys);
  const double omega = own.positive("omega"), from = own.positive("from"), to = own.positive("to");
  const int count = own.whole("count", 10, 100000);
  StudyResult result;
  std::vector<FigureCurve> growth, frequency;
  const auto cases = study.cases();
  for (const TomlTable& c : cases) {
    const std::string name = c.text("name");
    const LawSetup law = read_law(c);
    const auto shared = std::make_shared<PlanarContactLaw>(law.law);
    const auto overdamped = [&](double v) { return growth_of(block_at(shared, omega, v, law.lugre())).overdamped; };
    // The ends of the range of speeds without oscillation.
    const auto border = [&](double with, double without) {
      for (int i = 0; i < 100; ++i) ((overdamped((with + without) / 2)) ? with : without) = (with + without) / 2;
      return (with + without) / 2;
    };
    double first = NAN, last = NAN;
    CurveRows rates, frequencies;
    bool before = false;
    for (int i = 0; i < count; ++i) {
      const double v = from + (to - from) * i / (count - 1), step = (to - from) / (count - 1);
      const std::vector<Mode> modes = modes_of(block_at(shared, omega, v, law.lugre()));
      const bool now = overdamped(v);
      if (now && !before) first = i == 0 ? v : border(v, v - step);
      if (!now && before) last = border(v - step, v);
      before = now;
      rates.push_back({v, modes[0].growth_rate()});
      frequencies.push_back({v, modes[0].frequency()});
    }
    result.add(fmt::format("no oscillation from v, {} [m/s]", name), first);
    result.add(fmt::format("no oscillation up to v, {} [m/s]", name), last);
    result.add(fmt::format("range of speeds without oscillation, {} [m/s]", name), last - first);
    growth.push_back({name, rates});
    frequency.push_back({name, frequencies});
    progress(static_cast<double>(growth.size()) / static_cast<double>(cases.size()));
  }
  // With the frequencies of Fig. 3 nothing of the kind: the slope would have to exceed twice the frequency.
  const auto shared = std::make_shared<PlanarContactLaw>(read_law(cases.front()).law);
  int real = 0;
  for (int i = 0; i < count; ++i)
    real += growth_of(block_at(shared, 1, from + (to - from) * i / (count - 1), std::nullopt)).overdamped;
  result.add("speeds without oscillation, omega = 1, velocity-dependent", real);
  Figure figure("modes", 1000, 460);
  figure.add(
      "set multiplot layout 1,2 title 'Leading eigenvalue of the block on the belt'\nset xlabel 'v [m/s]'\nset ylabel "
      "'growth rate [1/s]'");
  add_plot("growth", growth, figure);
  figure.add("set ylabel 'frequency [rad/s]'");
  add_plot("frequency", frequency, figure);
  figure.add("unset multiplot");
  result.figures.push_back(std::move(figure));
  return result;
}

StudyResult hoffmann2007_worst_case(const Study& study, const StudyProgress& progress) {
  constexpr std::array<std::string_view, 5> keys = {"omega", "sigma0", "speed", "count", "damping"};
  const TomlTable own = study.compute(keys);
  const int count = own.whole("count", 3, 100);
  const auto omegas = powers(own.positive_pair("omega"), count), sigmas = powers(own.positive_pair("sigma0"), count),
             speeds = powers(own.positive_pair("speed"), count);
  const auto cases = study.cases();
  if (cases.size() != 2) throw InvalidInput("hoffmann2007-worst-case: expected two cases, one mode and two modes");
  const FrictionLaw one_law = read_law(cases[0]).law, two_law = read_law(cases[1]).law;
  const auto one = std::make_shared<PlanarContactLaw>(one_law), two = std::make_shared<PlanarContactLaw>(two_law);

  StudyResult result;
  double excess = -INFINITY, off = 0;
  CurveRows single, coupled;  // growth without memory, with bristles
  for (const double omega : omegas) {
    for (const double v : speeds) {
      const double plain = growth_of(block_at(one, omega, v, std::nullopt)).rate;
      const double g = slip_resistance(one_law, Vec2(v, 0)).x(), slope = (*slip_jacobian(one_law, Vec2(v, 0)))(0, 0);
      for (const double sigma0 : sigmas) {
        const double with = growth_of(block_at(one, omega, v, LuGre{sigma0, 0, 0})).rate;
        excess = std::max(excess, with - plain);
        // (λ² + ω²)(λ + σ02) = σ0 σ01 λ                                                              [H07 7, 9]
        const double s02 = sigma0 * v / g;
        const double root = largest_root(s02, omega * omega + s02 * slope, omega * omega * s02);
        off = std::max(off, std::abs(root - with));
        single.push_back({plain, with});
      }
    }
    progress(0.5 * static_cast<double>(single.size()) / std::pow(count, 3));
  }
  result.add("one mode: growth rate with bristles above that without, largest [1/s]", excess);
  result.add("one mode: growth rates off the roots of the characteristic polynomial, largest [1/s]", off);
  const Vec2 damping = own.positive_pair("damping");
  double more = -INFINITY;
  int less = 0;
  for (const double v : speeds)
    for (const double sigma0 : sigmas) {
      const double plain = growth_of(coupled_at(two, damping, v, std::nullopt)).rate,
                   with = growth_of(coupled_at(two, damping, v, LuGre{sigma0, 0, 0})).rate;
      more = std::max(more, with - plain);
      less += with <= plain;
      coupled.push_back({plain, with - plain});
    }
  result.add("two modes: share of speeds and stiffnesses where bristles grow less [-]",
             less / static_cast<double>(coupled.size()));
  result.add("two modes: growth rate with bristles above that without, largest [1/s]", more);
  Figure figure("growth", 1000, 500);
  figure.add(
      "set multiplot layout 1,2 title 'Growth rates with bristles and without memory'\nset xlabel "
      "'velocity-dependent law [1/s]'\nset ylabel 'LuGre [1/s]'\nset key left top\nset title 'one mode'");
  double largest = 0;
  for (const auto& row : single) largest = std::max(largest, row[0]);
  add_plot("one",
           {{"omega, sigma0, v of the grid", single, "points pt 7 ps 0.5"}, {"equal", {{0, 0}, {largest, largest}}}},
           figure);
  figure.add(
      "set title 'two modes, coupled'\nset ylabel 'LuGre less velocity-dependent law [1/s]'\nset xzeroaxis lt 1");
  add_plot("two", {{"sigma0, v of the grid", coupled, "points pt 7 ps 0.5"}}, figure);
  figure.add("unset multiplot");
  result.figures.push_back(std::move(figure));
  return result;
}

}  // namespace slipset
