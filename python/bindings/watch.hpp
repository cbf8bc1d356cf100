// Long work called from Python: it runs without the interpreter, shows its progress and listens for Ctrl-C.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

namespace slipset::python {

namespace nb = nanobind;

class Watch {
 public:
  // `progress`: None, or a function of (done, all, unit), all = 0 if it is not known.
  explicit Watch(nb::object progress) : progress_(std::move(progress)) {}

  // From any thread, without the interpreter, as often as one likes: Python is asked twenty times a second. False once
  // the work is to end.
  bool show(double done, double all, const char* unit) { return look(&done, &all, unit); }
  bool go_on() { return look(nullptr, nullptr, nullptr); }
  bool stopped() const { return stopped_; }

  // Runs f without the interpreter. What `progress` raised is raised then.
  template <class Function>
  auto run(const Function& f) {
    caller_ = std::this_thread::get_id();
    auto result = [&] {
      const nb::gil_scoped_release free;
      return f();
    }();
    if (raised_) std::rethrow_exception(raised_);
    return result;
  }

 private:
  bool look(const double* done, const double* all, const char* unit) {
    if (stopped_) return false;
    // Signals are those of the thread that called; others only learn of the end.
    if (std::this_thread::get_id() != caller_) return true;
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(50)) return true;
    last_ = now;
    const nb::gil_scoped_acquire hold;
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      if (done && !progress_.is_none()) progress_(*done, *all, unit);
    } catch (nb::python_error& error) {
      stopped_ = true;
      // Ctrl-C ends the work, and what was done is kept.
      if (!error.matches(PyExc_KeyboardInterrupt)) raised_ = std::current_exception();
    }
    return !stopped_;
  }

  nb::object progress_;
  std::atomic<bool> stopped_ = false;
  std::thread::id caller_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  std::exception_ptr raised_;
};

}  // namespace slipset::python
