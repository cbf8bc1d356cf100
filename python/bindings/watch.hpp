// Long work called from Python. Watch: in a thread of its own, while the caller's shows the progress and listens for Ctrl-C.
// Interrupt: on the caller's thread, for work that is mostly short.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

namespace slipset::python {

namespace nb = nanobind;

// Work on the caller's own thread, without the interpreter, that asks now and then whether Ctrl-C came.
class Interrupt {
 public:
  // Looks twenty times a second: a look needs the interpreter.
  bool came() {
    const auto now = std::chrono::steady_clock::now();
    if (came_ || now < next_) return came_;
    next_ = now + std::chrono::milliseconds(50);
    const nb::gil_scoped_acquire hold;
    if (PyErr_CheckSignals() == 0) return false;
    came_ = true;
    nb::python_error error;
    if (!error.matches(PyExc_KeyboardInterrupt)) raised_ = std::make_exception_ptr(std::move(error));
    return true;
  }
  // Call after the work, holding the interpreter: warns, or raises what a handler of the caller's raised.
  void warn(const char* message) const {
    if (raised_) std::rethrow_exception(raised_);
    if (came_ && PyErr_WarnEx(PyExc_RuntimeWarning, message, 1) != 0) throw nb::python_error();
  }

 private:
  bool came_ = false;
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
  std::exception_ptr raised_;
};

class Watch {
 public:
  // `progress`: None, or a function of (done, all, unit), all = 0 if it is not known.
  explicit Watch(nb::object progress) : progress_(std::move(progress)) {}

  // From any thread, as often as one likes. False once the work is to end.
  bool show(double done, double all, const char* unit) {
    done_ = done;
    all_ = all;
    unit_ = unit;
    return !stopped_;
  }
  bool go_on() const { return !stopped_; }
  bool stopped() const { return stopped_; }

  // f() without the interpreter. Ctrl-C ends it, and what was done is kept; what `progress` raised is raised then.
  template <class Function>
  auto run(const Function& f) {
    using Result = decltype(f());
    std::optional<Result> result;
    std::exception_ptr thrown;
    std::mutex mutex;
    std::condition_variable ended;
    bool done = false;
    std::thread worker([&] {
      try {
        // A state of this thread that stays: Python code that the work calls need not make one each time.
        const nb::gil_scoped_acquire hold;
        const nb::gil_scoped_release free;
        result.emplace(f());
      } catch (...) {
        thrown = std::current_exception();
      }
      const std::lock_guard lock(mutex);
      done = true;
      ended.notify_one();
    });
    bool is_done = false;
    while (!is_done) {
      {
        const nb::gil_scoped_release free;
        std::unique_lock lock(mutex);
        is_done = ended.wait_for(lock, std::chrono::milliseconds(50), [&] { return done; });
      }
      if (!is_done) look();
    }
    {
      const nb::gil_scoped_release free;  // its state of the interpreter is taken down
      worker.join();
    }
    if (raised_) std::rethrow_exception(raised_);
    if (thrown) std::rethrow_exception(thrown);
    return *std::move(result);
  }

 private:
  // By the caller's thread, with the interpreter.
  void look() {
    if (stopped_) return;
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      if (const char* const unit = unit_; unit && !progress_.is_none()) progress_(done_.load(), all_.load(), unit);
    } catch (nb::python_error& error) {
      stopped_ = true;
      if (!error.matches(PyExc_KeyboardInterrupt)) raised_ = std::current_exception();
    }
  }

  nb::object progress_;
  std::atomic<bool> stopped_ = false;
  std::atomic<double> done_ = 0, all_ = 0;
  std::atomic<const char*> unit_ = nullptr;
  std::exception_ptr raised_;
};

}  // namespace slipset::python
