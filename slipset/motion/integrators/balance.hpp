// How regularised laws find the balance forces of coupled contacts.   docs/theory/regularized.md
#pragma once

namespace slipset {

enum class BalanceRule {
  automatic,    // fixed_point where it can be, else partition
  fixed_point,  // quinn with contacts that are independent; along one line also the other continuous laws
  partition
};

struct BalanceOptions {
  BalanceRule rule = BalanceRule::automatic;  // one that the law cannot follow is refused
  // Karnopp's own scheme: a contact with |γ| < ε does not move, whatever its momentum; karnopp only.
  bool freeze_band = false;
  int max_sweeps = 2000;  // of the fixed point; its change falls below 4e-15 of the largest force or it is counted
};

}  // namespace slipset
