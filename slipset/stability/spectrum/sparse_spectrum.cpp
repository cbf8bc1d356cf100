#include "slipset/stability/spectrum/sparse_spectrum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "slipset/stability/internal/proof.hpp"
#include "slipset/stability/spectrum/internal/cover.hpp"
#include "slipset/stability/spectrum/internal/krylov.hpp"
#include "slipset/stability/spectrum/internal/shift_run.hpp"
#include "slipset/stability/spectrum/parallel.hpp"

namespace slipset {
namespace {

using Complex = std::complex<double>;
using Clock = std::chrono::steady_clock;

constexpr Eigen::Index kDenseUpTo = 150, kAloneUpTo = 50000;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

double size_of(const SpectrumBox& box) {
  return std::hypot(std::max(std::abs(box.growth_from), std::abs(box.growth_to)), box.frequency_to);
}

int ranks_for(const QuadraticProblem& problem, const SpectrumOptions& options) {
  if (options.ranks_per_group > 0) return options.ranks_per_group;
  return problem.size() <= kAloneUpTo ? 1 : std::numeric_limits<int>::max();
}

int threads_for(const QuadraticProblem& problem, const SpectrumOptions& options) {
  if (options.threads > 0) return options.threads;
  if (problem.size() <= kAloneUpTo) return 1;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()) / parallel_size());
}

// The search in a box: its parts share the matrix of this rank's group.
class Search {
 public:
  Search(const QuadraticProblem& problem, const SpectrumBox& box, const SpectrumOptions& options)
      : box_(box),
        region_(internal::outermost(box, internal::kMargin)),
        options_(options),
        team_(ranks_for(problem, options)),
        form_(problem),
        matrix_(problem, team_.group(), size_of(region_)) {
    internal::use_threads(threads_for(problem, options));
    const auto n = static_cast<int>(problem.size());
    wanted_ = options.eigenvalues_per_shift > 0 ? options.eigenvalues_per_shift : 60;
    wanted_ = std::clamp(wanted_, 1, std::max(1, n / 3));
  }

  Spectrum run() {
    const Clock::time_point begin = Clock::now();
    report_.method = SpectrumMethod::sparse;
    cover();
    internal::settle_real_axis(found_);
    if (options_.prove && !report_.stopped) {
      prove();
    } else {
      report_.reason = report_.stopped ? "stopped" : "not counted, as asked for";
    }
    if (!uncovered_.empty() && !report_.complete)
      report_.reason = uncovered_ + (report_.reason.empty() ? "" : "; " + report_.reason);
    report_.factorisations = team_.sum_over_groups(matrix_.factorisations());
    report_.solves = team_.sum_over_groups(matrix_.solves());
    Spectrum spectrum;
    internal::put_pairs(box_, std::move(found_), options_.around, spectrum);
    report_.seconds = seconds_since(begin);
    spectrum.report = std::move(report_);
    return spectrum;
  }

 private:
  void cover() {
    internal::Cover cover(region_, team_.groups());
    while (!cover.done()) {
      if (stop_asked()) return;
      if (static_cast<int>(report_.shifts.size()) >= options_.most_shifts) {
        uncovered_ = fmt::format("{} shifts did not cover the box", options_.most_shifts);
        return;
      }
      std::vector<SpectrumBox> pieces;
      std::vector<Complex> shifts;
      while (!cover.done() && static_cast<int>(pieces.size()) < team_.groups()) {
        pieces.push_back(cover.next());
        shifts.push_back(internal::Cover::shift_for(pieces.back()));
      }
      const std::size_t first = report_.shifts.size();
      planned_ = static_cast<int>(first + shifts.size() + cover.pieces().size());
      shift_at(shifts, wanted_);
      for (std::size_t i = 0; i < pieces.size(); ++i)
        cover.finish(pieces[i], {report_.shifts[first + i].shift, report_.shifts[first + i].radius});
    }
  }

  // At most one shift per group.
  void shift_at(const std::vector<Complex>& shifts, int wanted) {
    const auto first = static_cast<int>(report_.shifts.size());
    internal::ShiftResult mine;
    if (static_cast<std::size_t>(team_.mine()) < shifts.size())
      mine = run_shift(matrix_, form_,
                       {.shift = shifts[static_cast<std::size_t>(team_.mine())],
                        .wanted = wanted,
                        .region = internal::with_vectors(box_, options_.around),
                        .tolerance = options_.tolerance,
                        .run = first + team_.mine()});
    std::string error;
    bool invalid_input = false;
    for (std::size_t i = 0; i < shifts.size(); ++i) {
      internal::ShiftResult result;
      const auto group = static_cast<int>(i);
      if (group == team_.mine()) result = std::move(mine);
      team_.share(result, group);
      if (!result.error.empty()) error = result.error;
      invalid_input = invalid_input || result.invalid_input;
      report_.shifts.push_back(result.report);
      for (internal::Found& one : result.found) found_.push_back(std::move(one));
    }
    // On all ranks alike.
    if (invalid_input) throw InvalidInput(error);
    if (!error.empty()) throw std::runtime_error(error);
    found_ = merge(std::move(found_), form_);
    tell();
  }

  void prove() {
    const internal::LogDeterminants determinants = [this](const internal::Points& points) {
      internal::Points logs(points.size(), 0);
      team_.together([&] {
        for (std::size_t i = 0; i < points.size(); ++i) {
          if (static_cast<int>(i) % team_.groups() != team_.mine()) continue;
          logs[i] = matrix_.factorise(points[i]) ? matrix_.log_determinant()
                                                 : Complex(std::numeric_limits<double>::quiet_NaN(), 0);
        }
      });
      team_.share(logs);
      report_.determinants += static_cast<int>(points.size());
      tell();
      return logs;
    };
    internal::RootCount count(determinants, options_.most_determinants, [this] { return stop_asked(); });
    for (int search = 0;; ++search) {
      internal::prove(count, box_, found_, report_);
      if (report_.complete || report_.stopped || search >= options_.searches) return;
      std::vector<Complex> shifts;
      for (const SpectrumGap& gap : report_.gaps)
        if (gap.missing > 0) shifts.push_back(internal::Cover::shift_for(gap.where));
      if (shifts.empty()) return;
      for (std::size_t i = 0; i < shifts.size(); i += static_cast<std::size_t>(team_.groups())) {
        if (stop_asked()) return;
        const std::size_t end = std::min(shifts.size(), i + static_cast<std::size_t>(team_.groups()));
        shift_at({shifts.begin() + static_cast<std::ptrdiff_t>(i), shifts.begin() + static_cast<std::ptrdiff_t>(end)},
                 wanted_);
      }
      internal::settle_real_axis(found_);
    }
  }

  bool stop_asked() {
    bool asked = report_.stopped;
    team_.together([&] { asked = asked || (team_.first() && options_.stop && options_.stop()); });
    report_.stopped = team_.agreed(asked);
    return report_.stopped;
  }

  void tell() {
    if (!options_.progress) return;
    team_.together([this] {
      if (team_.first()) show();
    });
  }
  void show() {
    SpectrumProgress progress;
    progress.shifts = static_cast<int>(report_.shifts.size());
    progress.shifts_known = std::max(planned_, progress.shifts);
    progress.found = static_cast<int>(std::count_if(
        found_.begin(), found_.end(), [this](const internal::Found& one) { return box_.contains(one.pair.value); }));
    progress.determinants = report_.determinants;
    options_.progress(progress);
  }

  SpectrumBox box_, region_;
  const SpectrumOptions& options_;
  internal::Team team_;
  internal::QuadraticForm form_;
  internal::ShiftedMatrix matrix_;
  int wanted_ = 0, planned_ = 0;
  std::vector<internal::Found> found_;
  std::string uncovered_;
  SpectrumReport report_;
};

}  // namespace

Spectrum eigenvalues_in_box(const QuadraticProblem& problem, const SpectrumBox& box, const SpectrumOptions& options) {
  require_valid(problem, box);
  require_valid(options);
  if (options.method == SpectrumMethod::dense ||
      (options.method == SpectrumMethod::automatic && problem.size() <= kDenseUpTo)) {
    SpectrumOptions alone = options;
    if (parallel_size() > 1) alone.stop = {};  // ranks that ask by themselves would stop at different places
    return eigenvalues_in_box_dense(problem, box, alone);
  }
  return Search(problem, box, options).run();
}

NearestEigenvalues eigenvalues_near(const QuadraticProblem& problem, std::complex<double> shift, int how_many,
                                    double tolerance) {
  require_valid(problem, {-1, 1, 0, 1});
  const Eigen::Index most = problem.size() - 1;
  if (how_many < 1 || how_many > most)
    throw InvalidInput(
        fmt::format("{} eigenvalues of a problem with {} rows; ask for 1 to {}", how_many, problem.size(), most));
  if (!(std::isfinite(shift.real()) && std::isfinite(shift.imag()) && std::abs(shift) > 0))
    throw InvalidInput("the shift must be finite and not zero", "shift");
  if (!(tolerance >= 1e-14 && tolerance <= 1e-4))
    throw InvalidInput(fmt::format("the tolerance of the eigenvalues is {}; choose 1e-14 to 1e-4", tolerance),
                       "tolerance");
  internal::start_petsc();
  const internal::Team team(std::numeric_limits<int>::max());
  NearestEigenvalues result;
  Clock::time_point begin = Clock::now();
  internal::ShiftedMatrix matrix(problem, team.group(), std::abs(shift));
  if (!matrix.factorise(shift))
    throw InvalidInput("the shift is an eigenvalue; choose another one, a little beside it", "shift");
  result.factorisation_seconds = seconds_since(begin);
  begin = Clock::now();
  internal::Nearest nearest =
      nearest_eigenvalues(matrix, shift, how_many, tolerance, false, 1000, [](Complex) { return false; });
  result.values = std::move(nearest.values);
  result.radius = nearest.radius;
  result.iteration_seconds = seconds_since(begin);
  return result;
}

}  // namespace slipset
