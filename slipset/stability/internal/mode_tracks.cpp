#include "slipset/stability/internal/mode_tracks.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "slipset/stability/internal/assignment.hpp"

namespace slipset::internal {
namespace {

using Complex = std::complex<double>;
using Index = Eigen::Index;

bool is_same(const SpectrumBox& box, const ReducedPair& a, const ReducedPair& b) {
  return std::abs(a.value - b.value) <= 1e-8 * size_in(box, a.value) && likeness(a, b) > 0.99;
}

// A pair as numbers, and back.
std::vector<double> numbers_of(const ReducedPair& pair) {
  std::vector<double> numbers = {pair.value.real(), pair.value.imag(), pair.rounding};
  for (const Eigen::VectorXcd* x : {&pair.right, &pair.left})
    for (const Complex& entry : *x) {
      numbers.push_back(entry.real());
      numbers.push_back(entry.imag());
    }
  return numbers;
}

ReducedPair pair_of(const std::vector<double>& numbers) {
  const auto size = static_cast<Index>(numbers.size() - 3) / 4;
  ReducedPair pair{{numbers[0], numbers[1]}, Eigen::VectorXcd(size), Eigen::VectorXcd(size), numbers[2]};
  const double* at = numbers.data() + 3;
  for (Eigen::VectorXcd* x : {&pair.right, &pair.left})
    for (Complex& entry : *x) {
      entry = {at[0], at[1]};
      at += 2;
    }
  return pair;
}

class Tracker {
 public:
  Tracker(const ProblemAt& problem_at, const FindModes& find_modes, const std::vector<double>& parameter,
          const SpectrumBox& box, ReducedModes& modes, const SolvedPoint& a, const SolvedPoint& b,
          const ShareWork& share)
      : problem_at_(problem_at),
        find_modes_(find_modes),
        parameter_(parameter),
        box_(box),
        modes_(modes),
        a_(a),
        b_(b),
        share_(share),
        known_{a.point, b.point} {
    // Beyond this a mode is of no interest.
    const double across = box.growth_to - box.growth_from, up = box.frequency_to - box.frequency_from;
    reach_ = {box.growth_from - across, INFINITY, std::max(0.0, box.frequency_from - 0.5 * up),
              box.frequency_to + 0.5 * up};
  }

  ModeTracks run() {
    for (std::size_t k = 0; k < a_.inside.size(); ++k) tracks_.push_back({a_.point, {a_.inside[k]}, k, {}});
    for (const ReducedPair& pair : a_.around) tracks_.push_back({a_.point, {pair}, {}, {}});
    activate_from(0);
    for (std::size_t i = a_.point + 1; i < b_.point; ++i)
      if (!step(i, true)) return {{}, unclear_};
    const std::size_t forward = tracks_.size();
    if (!meet()) return {{}, (a_.point + b_.point) / 2};
    first_back_ = forward;
    activate_from(forward);
    for (std::size_t i = b_.point; --i > a_.point && !active_.empty();)
      if (!step(i, false)) return {{}, unclear_};
    // One that would have been in the list of a.
    for (const std::size_t k : active_)
      if (has_points_between() && is_deep_inside(last(tracks_[k], false).value + heading(tracks_[k], false)))
        return {{}, (a_.point + b_.point) / 2};
    std::erase_if(tracks_, [](const ModeTrack& track) { return track.pairs.empty(); });
    return {std::move(tracks_), {}};
  }

 private:
  bool has_points_between() const { return b_.point > a_.point + 1; }
  bool is_inside(const ReducedPair& pair) const { return box_.contains(pair.value); }
  // What is expected here at a counted point cannot be missing there.
  bool is_deep_inside(Complex value) const { return smaller(box_, 0.02).contains(value); }

  void activate_from(std::size_t first) {
    active_.clear();
    for (std::size_t k = first; k < tracks_.size(); ++k) active_.push_back(k);
  }

  // The last pair of a track on its way, and where it is heading.
  static const ReducedPair& last(const ModeTrack& track, bool forward) {
    return forward ? track.pairs.back() : track.pairs.front();
  }
  static Complex heading(const ModeTrack& track, bool forward) {
    if (track.pairs.size() < 2) return 0;
    const std::size_t n = track.pairs.size();
    return forward ? track.pairs[n - 1].value - track.pairs[n - 2].value : track.pairs[0].value - track.pairs[1].value;
  }

  // All active tracks to the next point. False: it is unclear.
  bool step(std::size_t i, bool forward) {
    try {
      modes_.move_to(problem_at_(parameter_[i]));
    } catch (const InvalidInput&) {  // told when it is solved
      return be_unclear(i, forward);
    }
    std::vector<std::size_t> still, lost;
    std::vector<ReducedPair> now;
    share_(
        active_.size(),
        [&](std::size_t m) {
          ReducedPair next;
          return follow(tracks_[active_[m]], forward, next) ? numbers_of(next) : std::vector<double>{};
        },
        [&](std::size_t m, const std::vector<double>& found) {
          const std::size_t k = active_[m];
          if (found.empty()) {
            const ReducedPair& before = last(tracks_[k], forward);
            if (is_inside(before)) lost.push_back(k);
            if (grows_too_fast(box_, before))
              escape(tracks_[k], forward ? i : a_.point, forward ? b_.point + 1 : i + 1);
            return;
          }
          ReducedPair next = pair_of(found);
          if (!reach_.contains(next.value)) return;
          now.push_back(std::move(next));
          still.push_back(k);
        });
    while (!lost.empty()) {
      const std::optional<Learned> learned = learn(i, forward);
      if (!learned) return be_unclear(i, forward);
      std::erase_if(lost, [&](std::size_t k) {
        ReducedPair next;
        if (learned->here ? !choose(tracks_[k], forward, learned->modes, next) : !follow(tracks_[k], forward, next))
          return false;
        if (reach_.contains(next.value)) {
          now.push_back(std::move(next));
          still.push_back(k);
        }
        return true;
      });
    }
    for (std::size_t m = 0; m < now.size(); ++m)
      for (std::size_t other = 0; other < m; ++other)
        if (is_same(box_, now[m], now[other])) return be_unclear(i, forward);
    active_.clear();
    for (std::size_t m = 0; m < now.size(); ++m) {
      ModeTrack& track = tracks_[still[m]];
      if (!forward) {
        bool joined = false;
        if (!join(track, now[m], i, joined)) return be_unclear(i, forward);
        if (joined) continue;
      }
      track.pairs.insert(forward ? track.pairs.end() : track.pairs.begin(), std::move(now[m]));
      if (!forward) track.first = i;
      active_.push_back(still[m]);
    }
    return true;
  }

  // A mode on its way back that meets one that was followed forward to here, outside the box, and then lost: they are one.
  bool join(ModeTrack& track, const ReducedPair& here, std::size_t i, bool& joined) {
    for (std::size_t k = 0; k < first_back_; ++k) {
      const ReducedPair* other = tracks_[k].at(i);
      if (!other || !is_same(box_, *other, here)) continue;
      if (tracks_[k].end() != i + 1) return false;
      tracks_[k].pairs.insert(tracks_[k].pairs.end(), std::make_move_iterator(track.pairs.begin()),
                              std::make_move_iterator(track.pairs.end()));
      tracks_[k].to = track.to;
      track.pairs.clear();
      joined = true;
      return true;
    }
    return true;
  }

  bool is_like(const ReducedPair& from, Complex expected, const ReducedPair& to) const {
    return difference(box_, from, expected, to) <= 2 * kUnmatched && likeness(from, to) >= 0.5;
  }
  double reach_of(Complex ahead, Complex expected) const {
    return 2 * std::abs(ahead) + 0.02 * size_in(box_, expected);
  }

  // The track's mode at the point that was moved to.
  bool follow(const ModeTrack& track, bool forward, ReducedPair& next) const {
    const ReducedPair& from = last(track, forward);
    const Complex ahead = heading(track, forward), expected = from.value + ahead;
    next = from;
    next.value = expected;
    return modes_.find(next, reach_of(ahead, expected)) && is_like(from, expected, next);
  }

  struct Learned {
    bool here;  // at the point itself
    std::vector<ReducedPair> modes;
  };
  // The vectors of a point ahead, half way to the next one that is known; in the end of this one. Nothing if all is known.
  std::optional<Learned> learn(std::size_t i, bool forward) {
    if (known_.contains(i)) return std::nullopt;
    const auto next = known_.upper_bound(i);
    const std::size_t at = forward ? i + (*next - i) / 2 : i - (i - *std::prev(next)) / 2;
    try {
      if (at != i) modes_.move_to(problem_at_(parameter_[at]));
      Learned learned{at == i, learn_modes(find_modes_, parameter_[at], modes_)};
      known_.insert(at);
      if (at != i) modes_.move_to(problem_at_(parameter_[i]));
      return learned;
    } catch (const InvalidInput&) {  // told when it is solved
      return std::nullopt;
    }
  }

  // The same among all modes that are there.
  bool choose(const ModeTrack& track, bool forward, const std::vector<ReducedPair>& all, ReducedPair& next) const {
    const ReducedPair& from = last(track, forward);
    const Complex ahead = heading(track, forward), expected = from.value + ahead;
    double least = INFINITY;
    for (const ReducedPair& one : all)
      if (const double cost = difference(box_, from, expected, one);
          cost < least && std::abs(one.value - expected) <= reach_of(ahead, expected) && is_like(from, expected, one)) {
        least = cost;
        next = one;
      }
    return least < INFINITY;
  }

  // At b: which of its modes have been followed to it; the others become tracks that begin there. False: one that should
  // be in its list is not.
  bool meet() {
    std::vector<ReducedPair> from, to = b_.inside;
    std::vector<Complex> expected;
    for (const std::size_t k : active_) {
      from.push_back(last(tracks_[k], true));
      expected.push_back(from.back().value + heading(tracks_[k], true));
    }
    to.insert(to.end(), b_.around.begin(), b_.around.end());
    const std::vector<Index> next = successors(box_, from, expected, to);
    std::vector<bool> taken(to.size(), false);
    const auto number = [&](std::size_t j) { return j < b_.inside.size() ? std::optional(j) : std::nullopt; };
    for (std::size_t m = 0; m < active_.size(); ++m) {
      if (next[m] < 0) {
        if (has_points_between() && is_inside(from[m]) && is_deep_inside(expected[m])) return false;
        if (grows_too_fast(box_, from[m])) escape(tracks_[active_[m]], b_.point, b_.point + 1);
        continue;
      }
      const auto j = static_cast<std::size_t>(next[m]);
      taken[j] = true;
      tracks_[active_[m]].pairs.push_back(to[j]);
      tracks_[active_[m]].to = number(j);
    }
    for (std::size_t j = 0; j < to.size(); ++j)
      if (!taken[j]) tracks_.push_back({b_.point, {to[j]}, {}, number(j)});
    return true;
  }

  static void escape(ModeTrack& track, std::size_t from, std::size_t to) {
    track.escaped_from = from;
    track.escaped_to = to;
  }

  // A little beyond, where there is room: vectors of a solved point reach to both sides.
  bool be_unclear(std::size_t i, bool forward) {
    const std::size_t done = forward ? i - a_.point : b_.point - i, left = forward ? b_.point - i : i - a_.point;
    const std::size_t beyond = std::min(done / 2, (left - 1) / 2);
    unclear_ = forward ? i + beyond : i - beyond;
    return false;
  }

  const ProblemAt& problem_at_;
  const FindModes& find_modes_;
  const std::vector<double>& parameter_;
  SpectrumBox box_, reach_;
  ReducedModes& modes_;
  const SolvedPoint &a_, &b_;
  const ShareWork& share_;
  std::vector<ModeTrack> tracks_;
  std::set<std::size_t> known_;  // points whose vectors are
  std::size_t first_back_ = 0;   // tracks from here on are on their way back
  std::vector<std::size_t> active_;
  std::optional<std::size_t> unclear_;
};

}  // namespace

SpectrumBox smaller(const SpectrumBox& box, double part) {
  const double across = part * (box.growth_to - box.growth_from), up = part * (box.frequency_to - box.frequency_from);
  return {std::min(box.growth_from + across, 0.0), box.growth_to - across,
          box.frequency_from > 0 ? box.frequency_from + up : 0, box.frequency_to - up};
}

bool grows_too_fast(const SpectrumBox& box, const ReducedPair& pair) {
  return pair.value.real() > box.growth_to && pair.value.imag() >= box.frequency_from &&
         pair.value.imag() <= box.frequency_to;
}

double difference(const SpectrumBox& box, const ReducedPair& from, Complex expected, const ReducedPair& to) {
  const double size = size_in(box, from.value) + size_in(box, to.value);
  return std::abs(to.value - expected) / size + 0.5 * (1 - likeness(from, to));
}

std::vector<Index> successors(const SpectrumBox& box, const std::vector<ReducedPair>& from,
                              const std::vector<ReducedPair>& to) {
  std::vector<Complex> expected;
  for (const ReducedPair& pair : from) expected.push_back(pair.value);
  return successors(box, from, expected, to);
}

std::vector<Index> successors(const SpectrumBox& box, const std::vector<ReducedPair>& from,
                              const std::vector<Complex>& expected, const std::vector<ReducedPair>& to) {
  const auto old = static_cast<Index>(from.size()), fresh = static_cast<Index>(to.size());
  std::vector<Index> result(from.size(), -1);
  if (old == 0 || fresh == 0) return result;
  Eigen::MatrixXd cost = Eigen::MatrixXd::Constant(old + fresh, old + fresh, kUnmatched);
  cost.bottomRightCorner(fresh, old).setZero();
  for (std::size_t i = 0; i < from.size(); ++i) {
    // Not far ahead: past a place where two modes met, the heading may be that of a jump.
    const Complex ahead = expected[i] - from[i].value;
    const double most = 0.25 * size_in(box, from[i].value), length = std::abs(ahead);
    const Complex at = from[i].value + ahead * (length > most ? most / length : 1.0);
    for (std::size_t j = 0; j < to.size(); ++j)
      cost(static_cast<Index>(i), static_cast<Index>(j)) = difference(box, from[i], at, to[j]);
  }
  const std::vector<Index> assigned = least_cost_assignment(cost);
  for (std::size_t i = 0; i < result.size(); ++i)
    if (assigned[i] < fresh) result[i] = assigned[i];
  return result;
}

std::vector<ReducedPair> learn_modes(const FindModes& find_modes, double at, ReducedModes& modes) {
  const Spectrum spectrum = find_modes(at, modes.here(), Counting::not_counted);
  std::vector<ReducedPair> all;
  for (const std::vector<Eigenpair>* pairs : {&spectrum.pairs, &spectrum.around})
    for (const Eigenpair& pair : *pairs) all.push_back(modes.add(pair));
  modes.project_again();
  return all;
}

ModeTracks track_modes(const ProblemAt& problem_at, const FindModes& find_modes, const std::vector<double>& parameter,
                       const SpectrumBox& box, ReducedModes& modes, const SolvedPoint& a, const SolvedPoint& b,
                       const ShareWork& share) {
  return Tracker(problem_at, find_modes, parameter, box, modes, a, b, share).run();
}

}  // namespace slipset::internal
