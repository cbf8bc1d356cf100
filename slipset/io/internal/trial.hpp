// Work of a library that may crash on a damaged file, tried in a process of its own first.
#pragma once

#include <functional>
#include <string>

namespace slipset::internal {

struct Trial {
  bool survived = true;  // false if f() ended its process: a crash, a loop that takes minutes, memory without end
  std::string thrown{};  // what f() threw, in words; "" if it returned
};
// What f() changes is lost. Where no process can be made, nothing is tried.
Trial try_apart(const std::function<void()>& f);

[[noreturn]] void throw_of(const Trial& trial, const std::string& name);

// f() in this process, if it ends well in one of its own; else throws InvalidInput: what f() threw, or that the file of
// this name is damaged. A library that met a damaged file may be left in disorder, which then is not here.
template <class Function>
auto after_trial(const std::string& name, Function&& f) {
  const Trial trial = try_apart([&] { f(); });
  if (!trial.survived || !trial.thrown.empty()) throw_of(trial, name);
  return f();
}

}  // namespace slipset::internal
