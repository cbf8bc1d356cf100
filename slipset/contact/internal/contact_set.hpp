// The contacts of a problem, prepared; those in a row with one law share what is prepared: in a pile nearly all.
#pragma once

#include <cstdint>
#include <vector>

#include "slipset/contact/contact_law.hpp"

namespace slipset::internal {

template <class Prepared>
class ContactSet {
 public:
  using State = typename Prepared::State;

  void clear(std::size_t room) {
    kinds_.clear();
    kind_.clear();
    states.clear();
    kind_.reserve(room);
    states.reserve(room);
    last_ = nullptr;
  }
  void add(const Contact& contact, int rows) {
    const bool same = last_ && last_->law == contact.law && last_rows_ == rows &&
                      last_->reservoir_factor == contact.reservoir_factor &&
                      last_->normal_impulse == contact.normal_impulse;
    if (!same) kinds_.emplace_back(contact, rows);
    last_ = &contact;
    last_rows_ = rows;
    kind_.push_back(static_cast<std::uint32_t>(kinds_.size() - 1));
    states.push_back(kinds_.back().first_state(contact));
  }

  std::size_t size() const { return kind_.size(); }
  const Prepared& operator[](std::size_t i) const { return kinds_[kind_[i]]; }

  std::vector<State> states;

 private:
  std::vector<Prepared> kinds_;
  std::vector<std::uint32_t> kind_;  // of each contact, in kinds_
  const Contact* last_ = nullptr;
  int last_rows_ = 0;
};

}  // namespace slipset::internal
