#include "app/interrupt.hpp"

#include <csignal>
#include <initializer_list>

namespace slipset::app {
namespace {

volatile std::sig_atomic_t caught = 0;

void note(int number) {
  caught = number;
  std::signal(number, SIG_DFL);
}

}  // namespace

Interrupt::Interrupt() {
  for (const int number : {SIGINT, SIGTERM})
    if (std::signal(number, note) == SIG_IGN) std::signal(number, SIG_IGN);  // nohup, background jobs
}

Interrupt::~Interrupt() {
  for (const int number : {SIGINT, SIGTERM})
    if (std::signal(number, SIG_DFL) == SIG_IGN) std::signal(number, SIG_IGN);
}

bool Interrupt::asked() { return caught != 0; }

int Interrupt::exit_code() { return 128 + caught; }

}  // namespace slipset::app
