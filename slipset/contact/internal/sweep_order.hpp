// Loops over many contacts on several threads, with the same bits on any number of them.  docs/theory/contact.md
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include "slipset/contact/block_delassus.hpp"
#include "slipset/contact/internal/threads.hpp"

namespace slipset {
class BodyDelassus;
}

namespace slipset::internal {

// Fewer contacts are swept one after the other: colours cost sweeps, and threads cost more than they bring.
inline constexpr std::size_t kManyContacts = 2000;
inline constexpr std::size_t kPiece = 256;  // contacts that one thread does at a time

inline bool in_parallel(std::size_t contacts, int threads) { return contacts >= kManyContacts && threads != 1; }

inline std::size_t pieces_of(std::size_t contacts) { return (contacts + kPiece - 1) / kPiece; }

// f(piece, first contact, one behind the last).
template <class Function>
void in_pieces(std::size_t contacts, int threads, Function&& f) {
  const auto piece = [&](std::size_t k) { f(k, k * kPiece, std::min(contacts, (k + 1) * kPiece)); };
  if (in_parallel(contacts, threads)) {
    const ThreadLimit limit(threads);
    for_each_in_parallel(pieces_of(contacts), std::ref(piece));
  } else {
    for (std::size_t k = 0; k < pieces_of(contacts); ++k) piece(k);
  }
}

// Contacts in an order in which neighbours of one colour do not touch: those of one colour can be solved at the same
// time, and the result does not depend on how many threads do it.                                               (C.9)
class SweepOrder {
 public:
  // One after the other.
  SweepOrder() = default;
  explicit SweepOrder(const BlockDelassus& w);
  explicit SweepOrder(const BodyDelassus& pairs);

  // The order of the contacts. Visits go by places from now on: place k is that of contact order[k].
  std::vector<std::uint32_t> take_order();

  // f(contact) for all `contacts`, colour by colour; returns how many were false.
  template <class Function>
  int visit(std::size_t contacts, bool backward, int threads, Function&& f) const;

 private:
  template <class Neighbours>
  void colour(std::size_t contacts, Neighbours&& neighbours);

  std::vector<std::uint32_t> order_;        // of the contacts; empty: as they are
  std::vector<std::size_t> colour_starts_;  // in order_
};

template <class Function>
int SweepOrder::visit(std::size_t contacts, bool backward, int threads, Function&& f) const {
  if (order_.empty() || !in_parallel(contacts, threads)) {
    int failed = 0;
    for (std::size_t k = 0; k < contacts; ++k) {
      const std::size_t i = backward ? contacts - 1 - k : k;
      failed += f(order_.empty() ? i : order_[i]) ? 0 : 1;
    }
    return failed;
  }
  const ThreadLimit limit(threads);
  std::atomic<int> failed = 0;
  const std::size_t colours = colour_starts_.size() - 1;
  for (std::size_t k = 0; k < colours; ++k) {
    const std::size_t c = backward ? colours - 1 - k : k;
    const std::size_t begin = colour_starts_[c], end = colour_starts_[c + 1];
    const auto piece = [&](std::size_t number) {
      int some = 0;
      for (std::size_t i = begin + number * kPiece; i < std::min(end, begin + (number + 1) * kPiece); ++i)
        some += f(order_[i]) ? 0 : 1;
      failed += some;
    };
    for_each_in_parallel(pieces_of(end - begin), std::ref(piece));
  }
  return failed;
}

}  // namespace slipset::internal
