// A long record of a tribometer, from file to law, beside reading its numbers with from_chars.
//   bench_identify [SAMPLES=10000000] [FILE]   writes the file, unless it is there, and prints seconds and peak memory
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <utility>
#include <vector>

#include "bench/results.hpp"
#include "slipset/core/angle.hpp"
#include "slipset/identification/pin_on_disk.hpp"
#include "slipset/identification/virtual_tribometer.hpp"
#include "slipset/laws/classical.hpp"
#include "slipset/report/measurements/records.hpp"

using namespace slipset;

namespace {

struct Cost {
  double seconds = 0, processor = 0, megabytes = 0;  // processor: seconds of it, which other programs do not change
};

// In a process of its own, so that its peak of memory is its own. The seconds come back through a pipe.
Cost measured(const std::function<void()>& work) {
  int ends[2];
  if (::pipe(ends) != 0) return {};
  const pid_t child = ::fork();
  if (child == 0) {
    const auto began = std::chrono::steady_clock::now();
    work();
    Cost cost;
    cost.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    cost.megabytes = static_cast<double>(usage.ru_maxrss) / 1024;
    const auto seconds = [](const timeval& t) {
      return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    cost.processor = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    const ssize_t written = ::write(ends[1], &cost, sizeof cost);
    ::_exit(written == sizeof cost ? 0 : 1);
  }
  Cost cost;
  int status = 0;
  ::waitpid(child, &status, 0);
  if (::read(ends[0], &cost, sizeof cost) != sizeof cost) cost = {};
  ::close(ends[0]);
  ::close(ends[1]);
  return cost;
}

// All that from_chars needs: the file in memory, one number after the other.
void read_bare(const std::filesystem::path& path) {
  std::vector<char> text(std::filesystem::file_size(path));
  std::ifstream(path, std::ios::binary).read(text.data(), static_cast<std::streamsize>(text.size()));
  const char *end = text.data() + text.size(), *at = std::find(std::as_const(text).data(), end, '\n') + 1;
  double sum = 0, value = 0;
  while (at < end) {
    const auto [after, error] = std::from_chars(at, end, value);
    if (error != std::errc{}) break;
    sum += value;
    at = after + 1;
  }
  if (!std::isfinite(sum)) fmt::print("not finite\n");
}

void write_record(const std::filesystem::path& path, long samples) {
  TribometerOptions machine;
  machine.revolutions = static_cast<double>(samples) / machine.samples;
  const FrictionLaw law(Superellipse(4.99 / 9.3, 4.25 / 9.3, 2.94), Superellipse(1.84, 1.19, 2.51));
  const PinRecord r = simulate_tribometer(law, machine);
  std::ofstream out(path);
  out << "angle,tangential,radial,normal\n";
  for (std::size_t i = 0; i < r.size(); ++i)
    out << fmt::format("{:.4f},{:.6f},{:.6f},{:.5f}\n", std::fmod(degrees(r.angle[i]), 360.0), r.tangential[i],
                       r.radial[i], r.normal[i]);
}

}  // namespace

int main(int argc, char** argv) {
  const long samples = argc > 1 ? std::atol(argv[1]) : 10000000;
  const std::filesystem::path path =
      argc > 2 ? std::filesystem::path(argv[2]) : std::filesystem::temp_directory_path() / "slipset-record.csv";
  const bool own = !std::filesystem::exists(path);
  if (own) measured([&] { write_record(path, samples); });
  const double size = static_cast<double>(std::filesystem::file_size(path)) / (1024 * 1024);
  read_bare(path);  // into the cache
  const Cost bare = measured([&] { read_bare(path); });
  const Cost columns = measured([&] { read_pin_record(path, {}); });
  const Cost all = measured([&] { identify_pin(read_pin_record(path, {}).record, {}); });
  PinOptions filtered;
  filtered.signals.lowpass = 50;
  const Cost low = measured([&] { identify_pin(read_pin_record(path, {}).record, filtered); });
  fmt::print("file {:.0f} MB; seconds of the processor, of the clock, peak memory\n", size);
  bench::Results results("identify",
                         {"name", "cpu_seconds", "clock_seconds", "megabytes", "over_from_chars", "memory_over_file"});
  results.note(fmt::format("{} samples, a file of {:.0f} MB", samples, size));
  const auto line = [&](const char* what, const Cost& c) {
    results.add({what, fmt::format("{:.2f}", c.processor), fmt::format("{:.2f}", c.seconds),
                 fmt::format("{:.0f}", c.megabytes), fmt::format("{:.2f}", c.processor / bare.processor),
                 fmt::format("{:.2f}", c.megabytes / size)});
    fmt::print("{:<24} {:7.2f} s {:7.2f} s {:6.0f} MB  {:5.2f} x from_chars, {:.2f} x the file\n", what, c.processor,
               c.seconds, c.megabytes, c.processor / bare.processor, c.megabytes / size);
  };
  line("from_chars alone", bare);
  line("columns read", columns);
  line("record to law", all);
  line("with a low-pass", low);
  results.save();
  if (own) std::filesystem::remove(path);
  return 0;
}
