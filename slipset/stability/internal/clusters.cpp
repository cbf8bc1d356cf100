#include "slipset/stability/internal/clusters.hpp"

#include <algorithm>
#include <numeric>

namespace slipset::internal {
namespace {

// Whether x, of unit length, is more than that apart from the span of the orthonormal columns; then appends what is new.
bool extends(std::vector<Eigen::VectorXcd>& basis, const Eigen::VectorXcd& x, double apart) {
  if (x.size() == 0) return false;  // far outside the box vectors are not kept
  Eigen::VectorXcd rest = x / x.norm();
  for (int pass = 0; pass < 2; ++pass)
    for (const Eigen::VectorXcd& b : basis) rest -= b * b.dot(rest);
  const double norm = rest.norm();
  if (!(norm > apart)) return false;
  basis.push_back(rest / norm);
  return true;
}

void conjugate(Eigenpair& pair) {
  pair.value = std::conj(pair.value);
  pair.right = pair.right.conjugate().eval();
  pair.left = pair.left.conjugate().eval();
}

}  // namespace

double separation(const Eigenpair& pair) {
  const double relative = 1e-6 * std::abs(pair.value);
  return pair.rounding > 0 ? std::max(relative, 8 * pair.rounding) : relative;
}

std::vector<std::vector<std::size_t>> clusters_of(const std::vector<const Eigenpair*>& pairs) {
  std::vector<std::size_t> order(pairs.size()), leader(pairs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::iota(leader.begin(), leader.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const double x = pairs[a]->value.imag(), y = pairs[b]->value.imag();
    return x != y ? x < y : a < b;
  });
  const auto top = [&](std::size_t i) {
    while (leader[i] != i) i = leader[i] = leader[leader[i]];
    return i;
  };
  double widest = 0;
  for (const Eigenpair* pair : pairs) widest = std::max(widest, separation(*pair));
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t j = i + 1; j < order.size(); ++j) {
      const Eigenpair &a = *pairs[order[i]], &b = *pairs[order[j]];
      if (b.value.imag() - a.value.imag() > widest) break;
      if (std::abs(a.value - b.value) <= std::max(separation(a), separation(b))) {
        const std::size_t p = top(order[i]), q = top(order[j]);
        leader[std::max(p, q)] = std::min(p, q);
      }
    }
  std::vector<std::vector<std::size_t>> groups;
  std::vector<std::size_t> group_of(pairs.size(), pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const std::size_t first = top(i);
    if (group_of[first] == pairs.size()) {
      group_of[first] = groups.size();
      groups.emplace_back();
    }
    groups[group_of[first]].push_back(i);
  }
  return groups;
}

std::vector<Found> merge(std::vector<Found> found, const QuadraticForm& form) {
  std::vector<const Eigenpair*> pairs;
  for (const Found& one : found) pairs.push_back(&one.pair);
  std::vector<Found> merged;
  for (const std::vector<std::size_t>& group : clusters_of(pairs)) {
    // The run that found most; of equals the one whose shift is nearest.
    int best = -1;
    long most = 0;
    double nearest = 0;
    for (std::size_t i : group) {
      const int run = found[i].run;
      const long count = std::count_if(group.begin(), group.end(), [&](std::size_t j) { return found[j].run == run; });
      if (best < 0 || count > most || (count == most && found[i].distance < nearest)) {
        best = run;
        most = count;
        nearest = found[i].distance;
      }
    }
    std::vector<Eigen::VectorXcd> basis;
    std::vector<std::size_t> taken;
    for (std::size_t i : group)
      if (found[i].run == best) {
        extends(basis, found[i].pair.right, 1e-3);
        taken.push_back(i);
      }
    bool mixed = false;
    for (std::size_t i : group)
      if (found[i].run != best && extends(basis, found[i].pair.right, 1e-3)) {
        taken.push_back(i);
        mixed = true;
      }
    const std::size_t first = merged.size();
    for (std::size_t i : taken) merged.push_back(std::move(found[i]));
    if (mixed) {
      std::vector<Eigenpair*> cluster;
      bool two_sided = true;
      for (std::size_t i = first; i < merged.size(); ++i) {
        cluster.push_back(&merged[i].pair);
        two_sided = two_sided && merged[i].pair.left.size() > 0;
      }
      if (two_sided) form.refine(cluster);
    }
  }
  return merged;
}

bool is_real(const Eigenpair& pair) {
  return std::abs(pair.value.imag()) <=
         std::max(1e-13 * std::abs(pair.value), pair.rounding > 0 ? 8 * pair.rounding : 0.0);
}

void settle_real_axis(std::vector<Found>& found) {
  std::vector<Found> settled;
  for (std::size_t i = 0; i < found.size(); ++i) {
    Eigenpair& pair = found[i].pair;
    if (is_real(pair)) {
      pair.value = pair.value.real();
    } else if (pair.value.imag() < 0) {
      const bool has_twin = std::any_of(found.begin(), found.end(), [&](const Found& other) {
        return other.pair.value.imag() > 0 && std::abs(std::conj(other.pair.value) - pair.value) <= separation(pair);
      });
      if (has_twin) continue;
      conjugate(pair);
    }
    settled.push_back(std::move(found[i]));  // its value stays readable
  }
  found = std::move(settled);
}

}  // namespace slipset::internal
