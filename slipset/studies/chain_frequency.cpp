#include "slipset/studies/chain_frequency.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <array>
#include <cmath>

#include "slipset/core/angle.hpp"
#include "slipset/studies/curves.hpp"
#include "slipset/systems/chain.hpp"

namespace slipset {
namespace {

// By the matrices of the system that runs: the smallest eigenvalue of M⁻¹K, which the last row makes unsymmetric.
double lowest_by_matrices(Eigen::Index blocks) {
  ChainParameters p;
  p.blocks = blocks;
  const AxialSystem system = chain(p);
  const MatrixX matrix = system.inverse_mass().asDiagonal() * MatrixX(system.stiffness().to_sparse());
  const Eigen::EigenSolver<MatrixX> solver(matrix, false);
  return std::sqrt(solver.eigenvalues().real().minCoeff());
}

// By the wave u_j = cos((j - 1/2)θ), which the free end asks for: ω = 2n sin(θ/2), and the last row leaves
//   (4 - 4 sin²(θ/2)) cos((n - 1/2)θ) = 4/3 cos((n - 3/2)θ),   0 < θ < π/n.
double lowest_by_wave(double n) {
  const auto last_row = [n](double theta) {
    const double s = std::sin(theta / 2);
    return (4 - 4 * s * s) * std::cos((n - 0.5) * theta) - 4.0 / 3 * std::cos((n - 1.5) * theta);
  };
  double lo = 0, hi = kPi / n;
  for (int i = 0; i < 200; ++i) {
    const double middle = (lo + hi) / 2;
    (last_row(middle) > 0 ? lo : hi) = middle;
  }
  return 2 * n * std::sin((lo + hi) / 4);
}

}  // namespace

StudyResult quinn2004_sect32(const Study& study, const StudyProgress& progress) {
  constexpr std::array<std::string_view, 1> keys = {"blocks"};
  const TomlTable own = study.compute(keys);
  const std::vector<double> counts = own.list("blocks");
  if (counts.size() < 3) own.fail("blocks", "expected at least three numbers, each twice the one before");
  StudyResult result;
  Table table({"blocks", "by_matrices", "by_wave"});
  CurveRows curve, limit;
  double off = 0;
  for (const double n : counts) {
    if (!(n >= 2) || n != std::floor(n) || n > 2000) own.fail("blocks", "expected whole numbers from 2 to 2000");
    const double found = lowest_by_matrices(static_cast<Eigen::Index>(n)), wave = lowest_by_wave(n);
    result.add(fmt::format("lowest frequency, {} blocks [rad/s]", n), found);
    off = std::max(off, std::abs(found - wave));
    table.add_row({n, found, wave});
    curve.push_back({n, found});
    limit.push_back({n, kPi / 2});
    progress(static_cast<double>(curve.size()) / static_cast<double>(counts.size()));
  }
  const std::size_t last = curve.size() - 1;
  const double a = curve[last - 1][1], b = curve[last][1], before = curve[last - 2][1];
  const double ratio = (a - before) / (b - a);  // 4 where the error falls with the square of 1/n
  result.add("lowest frequency, extrapolated to infinitely many blocks [rad/s]", b + (b - a) / (ratio - 1));
  result.add("matrices off the wave, largest [rad/s]", off);
  result.tables.emplace_back("frequencies", std::move(table));
  Figure figure("frequency", 800, 520);
  figure.add(
      "set title 'Lowest natural frequency of the chain (Sect. 3.2)'\nset logscale x 2\nset xlabel 'blocks'\nset "
      "ylabel "
      "'frequency [rad/s]'\nset yrange [0.9:1.7]");
  CurveRows unity;
  for (const auto& row : curve) unity.push_back({row[0], 1});
  add_plot("c",
           {{"chain", curve, "linespoints lw 2 pt 7"},
            {"the paper: approaches 1", unity, "lines lw 2 dt 3"},
            {"rod: pi/2", limit, "lines lw 2 dt 2"}},
           figure);
  result.figures.push_back(std::move(figure));
  return result;
}

}  // namespace slipset
