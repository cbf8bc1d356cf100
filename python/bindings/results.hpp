// The results of a command in Python: its JSON, text, table and files.
#pragma once

#include "python/bindings/arrays.hpp"
#include "slipset/core/table.hpp"
#include "slipset/report/results.hpp"
#include "slipset/systems/system.hpp"

namespace slipset::python {

struct Answer {
  explicit Answer(Results given) : results(std::move(given)) {}
  // Ended before there was anything.
  static Answer nothing() {
    Answer answer(Results{});
    answer.succeeded = false;
    answer.stopped = true;
    return answer;
  }

  Results results;
  bool succeeded = true;                   // exit code 0 of the program
  bool stopped = false;                    // by Ctrl-C
  const Table* table = nullptr;            // of a run
  std::shared_ptr<const System> system{};  // of the run; empty for others
  std::shared_ptr<const void> kept;        // what the results refer to
};

void bind_answer(nb::module_& m);

}  // namespace slipset::python
