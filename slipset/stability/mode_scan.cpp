#include "slipset/stability/mode_scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "slipset/stability/internal/mode_critical.hpp"

namespace slipset {
namespace {

using Complex = std::complex<double>;
using Index = Eigen::Index;
using internal::ModeTrack;
using internal::SolvedPoint;

// Some points are solved and counted; between two of these modes are tracked. Where that is unclear, one more point is
// solved, and so on: each part of the sweep by itself, from left to right.
class ModeScan {
 public:
  ModeScan(const ProblemAt& problem_at, const FindModes& find_modes, const SpectrumBox& box, const ScanOptions& options,
           const ShareWork& share)
      : problem_at_(problem_at),
        find_modes_(find_modes),
        box_(box),
        options_(options),
        share_(share),
        count_(static_cast<std::size_t>(options.count)) {
    for (std::size_t i = 0; i < count_; ++i)
      scan_.parameter.push_back(options.from +
                                (options.to - options.from) * static_cast<double>(i) / static_cast<double>(count_ - 1));
    scan_.answered.assign(count_, false);
    scan_.stable.assign(count_, false);
  }

  StabilityScan run() {
    constexpr std::size_t kFewest = 6;  // points that it is worth it for
    const std::size_t stride = count_ < kFewest ? 1 : count_ / 2;
    std::vector<std::size_t> anchors;
    for (std::size_t i = 0; i + 1 < count_; i += stride) anchors.push_back(i);
    anchors.push_back(count_ - 1);
    for (const std::size_t i : anchors)
      if (!solve(i)) return ended();
    for (std::size_t k = 0; k + 1 < anchors.size(); ++k)
      if (!connect(anchors[k], anchors[k + 1])) return ended();
    if (critical_) {
      scan_.critical = std::move(critical_->found);
      scan_.critical_unknown = std::move(critical_->unknown);
    }
    put_columns();
    look_over_gaps();
    if (too_fast_)
      scan_.critical_unknown.push_back(fmt::format(
          "at some points a mode of the band grows faster than {:.6g} 1/s and is not in the list; raise [modes] growth",
          box_.growth_to));
    std::sort(scan_.critical.begin(), scan_.critical.end(), [&](const CriticalValue& a, const CriticalValue& b) {
      return options_.from < options_.to ? a.value < b.value : a.value > b.value;
    });
    return std::move(scan_);
  }

 private:
  StabilityScan ended() {
    scan_.ended_early = true;
    return std::move(scan_);
  }
  void tell(const std::string& why) {
    if (std::find(scan_.why.begin(), scan_.why.end(), why) == scan_.why.end() && scan_.why.size() < 10)
      scan_.why.push_back(why);
  }

  // False: stopped. A point without an answer is told and has no list.
  bool solve(std::size_t i) {
    if (solved_.contains(i) || unanswered_.contains(i)) return true;
    std::string why;
    try {
      QuadraticProblem problem = problem_at_(scan_.parameter[i]);
      const Spectrum spectrum = find_modes_(scan_.parameter[i], problem, Counting::counted);
      if (spectrum.report.stopped) return false;
      if (spectrum.report.complete) {
        if (!modes_) {
          modes_.emplace(std::move(problem), box_);
          critical_.emplace(problem_at_, find_modes_, box_, *modes_);
        }
        SolvedPoint& solved = solved_[i];
        solved.point = i;
        for (const Eigenpair& pair : spectrum.pairs) solved.inside.push_back(modes_->add(pair));
        for (const Eigenpair& pair : spectrum.around) solved.around.push_back(modes_->add(pair));
        ++scan_.counted;
      } else {
        why = spectrum.report.reason.empty() ? "the list is not proven complete" : spectrum.report.reason;
      }
    } catch (const InvalidInput& error) {
      why = error.what();
    }
    if (!why.empty()) unanswered_[i] = why;
    return true;
  }

  // The points between two that were visited. False: stopped.
  bool connect(std::size_t a, std::size_t b) {
    if (solved_.contains(a) && solved_.contains(b)) {
      internal::ModeTracks result = internal::track_modes(problem_at_, find_modes_, scan_.parameter, box_, *modes_,
                                                          solved_.at(a), solved_.at(b), share_);
      if (!result.unclear) {
        take(a, b, std::move(result.tracks));
        return progress(b);
      }
      return solve(*result.unclear) && connect(a, *result.unclear) && connect(*result.unclear, b);
    }
    if (b == a + 1) return progress(b);
    const std::size_t middle = (a + b) / 2;
    return solve(middle) && connect(a, middle) && connect(middle, b);
  }

  bool progress(std::size_t point) {
    return !options_.progress || options_.progress(static_cast<int>(point) + 1) || point + 1 == count_;
  }

  // Modes of a part of the sweep that is clear.
  void take(std::size_t a, std::size_t b, std::vector<ModeTrack> tracks) {
    const auto list_at = [&](std::size_t i) {
      internal::ModeList list{scan_.parameter[i], {}};
      for (const ModeTrack& track : tracks)
        if (const auto* pair = track.at(i)) list.pairs.push_back(*pair);
      return list;
    };
    internal::ModeList before = list_at(a);
    for (std::size_t i = a; i < b; ++i) {
      internal::ModeList after = list_at(i + 1);
      std::vector<Index> next;
      Index place = 0;
      for (const ModeTrack& track : tracks) {
        const bool here = track.at(i), there = track.at(i + 1);
        if (here) next.push_back(there ? place : -1);
        if (there) ++place;
      }
      critical_->look(before, after, next);
      before = std::move(after);
    }
    for (std::size_t i = a; i <= b; ++i) scan_.answered[i] = true;
    connected_.insert(b);
    for (const ModeTrack& track : tracks) watch_fast_growth(track);
    for (ModeTrack& track : tracks) parts_.push_back({a, track.from, track.to, values_of(track)});
  }

  // What grows faster than the box has it grows.
  void grow_too_fast_at(std::size_t point) {
    growing_.insert(point);
    too_fast_ = true;
  }
  void watch_fast_growth(const ModeTrack& track) {
    for (std::size_t i = track.first; i < track.end(); ++i)
      if (internal::grows_too_fast(box_, *track.at(i))) grow_too_fast_at(i);
    if (track.escaped_from == track.escaped_to) return;
    tell(fmt::format("a mode that grows faster than {:.6g} 1/s was lost; raise [modes] growth", box_.growth_to));
    for (std::size_t i = track.escaped_from; i < track.escaped_to; ++i) escaped_.insert(i);
  }

  // Points without an answer, with one on both sides: the verdict may change there.
  void look_over_gaps() {
    std::size_t last = count_;
    for (std::size_t i = 0; i < count_; ++i) {
      if (!scan_.answered[i]) continue;
      if (last != count_ && i > last + 1 && scan_.stable[last] != scan_.stable[i])
        scan_.critical_unknown.push_back(
            fmt::format("between {:.9g} and {:.9g} it becomes {}, not known where: there is no answer between",
                        scan_.parameter[last], scan_.parameter[i], scan_.stable[i] ? "stable" : "unstable"));
      last = i;
    }
  }

  struct Value {
    std::size_t point;
    Complex value;
    bool grows;
  };
  std::vector<Value> values_of(const ModeTrack& track) const {
    std::vector<Value> values;
    for (std::size_t i = track.first; i < track.end(); ++i)
      if (const auto& pair = *track.at(i); box_.contains(pair.value) || is_listed(track, i))
        values.push_back({i, pair.value, pair.grows()});
    return values;
  }
  // On the edge to rounding, and in the list of a solved point.
  bool is_listed(const ModeTrack& track, std::size_t i) const {
    return (track.from && i == track.first) || (track.to && i + 1 == track.end());
  }

  // Parts that share a mode of a solved point are of one column.
  void put_columns() {
    std::vector<std::vector<Complex>> columns;
    std::vector<std::size_t> column_of;  // of each mode of the solved point that was met last
    const auto new_column = [&] {
      columns.emplace_back(count_, Complex(NAN, NAN));
      return columns.size() - 1;
    };
    const SolvedPoint* last = nullptr;
    for (const auto& [point, solved] : solved_) {
      if (!connected_.contains(point)) column_of = columns_after_gap(last, column_of, solved, new_column);
      const std::size_t next_point = next_connected(point);
      std::vector<std::size_t> next_columns(next_point == count_ ? 0 : solved_.at(next_point).inside.size());
      scan_.answered[point] = true;
      for (const internal::ReducedPair& pair : solved.around)
        if (internal::grows_too_fast(box_, pair)) grow_too_fast_at(point);
      for (std::size_t k = 0; k < solved.inside.size(); ++k)
        put({point, solved.inside[k].value, solved.inside[k].grows()}, columns[column_of[k]]);
      for (const Part& part : parts_) {
        if (part.a != point || (part.values.empty() && !part.to)) continue;
        const std::size_t column = part.from ? column_of[*part.from] : new_column();
        for (const Value& value : part.values) put(value, columns[column]);
        if (part.to) next_columns[*part.to] = column;
      }
      last = &solved;
      if (next_point != count_) column_of = std::move(next_columns);
    }
    for (const std::size_t i : escaped_)
      if (!growing_.contains(i)) scan_.answered[i] = false;
    for (std::size_t i = 0; i < count_; ++i) scan_.stable[i] = scan_.answered[i] && !growing_.contains(i);
    for (const auto& [i, why] : unanswered_) tell(why);
    scan_.values.resize(options_.count, static_cast<Index>(columns.size()));
    for (std::size_t k = 0; k < columns.size(); ++k)
      for (std::size_t i = 0; i < count_; ++i)
        scan_.values(static_cast<Index>(i), static_cast<Index>(k)) = columns[k][i];
  }

  void put(const Value& value, std::vector<Complex>& column) {
    column[value.point] = value.value;
    if (value.grows) growing_.insert(value.point);
  }
  // The solved point to which the one at `point` is connected; count_ if there is none.
  std::size_t next_connected(std::size_t point) const {
    const auto next = solved_.upper_bound(point);
    return next != solved_.end() && connected_.contains(next->first) ? next->first : count_;
  }
  // Over points without an answer the modes go on as those that are most like them.
  template <class NewColumn>
  std::vector<std::size_t> columns_after_gap(const SolvedPoint* before, const std::vector<std::size_t>& old,
                                             const SolvedPoint& after, const NewColumn& new_column) const {
    constexpr std::size_t none = static_cast<std::size_t>(-1);
    std::vector<std::size_t> columns(after.inside.size(), none);
    if (before) {
      const std::vector<Index> next = successors(box_, before->inside, after.inside);
      for (std::size_t k = 0; k < next.size(); ++k)
        if (next[k] >= 0) columns[static_cast<std::size_t>(next[k])] = old[k];
    }
    for (std::size_t& column : columns)
      if (column == none) column = new_column();
    return columns;
  }

  struct Part {
    std::size_t a;                        // the solved point that it begins at
    std::optional<std::size_t> from, to;  // numbers in the list there, and in that of the next solved point
    std::vector<Value> values;
  };

  const ProblemAt& problem_at_;
  const FindModes& find_modes_;
  SpectrumBox box_;
  const ScanOptions& options_;
  const ShareWork& share_;
  std::size_t count_;
  StabilityScan scan_;
  std::set<std::size_t> connected_;  // solved points to which modes were tracked from the one before
  std::set<std::size_t> growing_;    // points at which some mode grows
  bool too_fast_ = false;            // some mode grows faster than the box has it, at some point
  std::set<std::size_t> escaped_;    // points at which one may grow that was lost
  std::map<std::size_t, SolvedPoint> solved_;
  std::map<std::size_t, std::string> unanswered_;
  std::optional<internal::ReducedModes> modes_;
  std::optional<internal::CriticalSearch> critical_;
  std::vector<Part> parts_;
};

}  // namespace

StabilityScan scan_modes(const ProblemAt& problem_at, const FindModes& find_modes, const SpectrumBox& box,
                         const ScanOptions& options, const ShareWork& share) {
  if (options.count < 2) throw InvalidInput("sweep: count must be at least 2");
  if (!(std::isfinite(options.from) && std::isfinite(options.to) && options.from != options.to))
    throw InvalidInput("sweep: from and to must be finite and different");
  const ShareWork by_threads = [&](std::size_t count, const auto& work, const auto& take) {
    std::vector<std::vector<double>> results(count);
    for_each_parallel(static_cast<int>(count), options.threads,
                      [&](int i) { results[static_cast<std::size_t>(i)] = work(static_cast<std::size_t>(i)); });
    for (std::size_t i = 0; i < count; ++i) take(i, results[i]);
  };
  return ModeScan(problem_at, find_modes, box, options, share ? share : by_threads).run();
}

}  // namespace slipset
