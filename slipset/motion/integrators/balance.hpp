// How regularised laws find the balance forces of coupled contacts.   docs/theory/regularized.md
#pragma once

namespace slipset {

enum class BalanceRule { fixed_point, partition };

struct BalanceOptions {
  // fixed_point is for quinn with contacts that are independent; all other laws, and dependent contacts, take partition
  BalanceRule rule = BalanceRule::fixed_point;
  // Karnopp's own scheme: a contact with |γ| < ε does not move, whatever its momentum; karnopp only.
  bool freeze_band = false;
  int max_sweeps = 2000;  // of the fixed point; its change falls below 4e-15 of the largest force or it is counted
};

}  // namespace slipset
