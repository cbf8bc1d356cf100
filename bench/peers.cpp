#include "bench/peers.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>

namespace slipset::bench {
namespace {

constexpr unsigned kLongest = 600;  // [s], of a process, should its own limits fail

// Everything that a child writes to its pipe before it ends, on its own or not.
std::string bytes_from_child(const std::function<void(int)>& work) {
  int ends[2];
  if (pipe(ends) != 0) return {};
  const pid_t id = fork();
  if (id == 0) {
    close(ends[0]);
    alarm(kLongest);
    work(ends[1]);
    _exit(0);
  }
  close(ends[1]);
  std::string bytes;
  char buffer[1 << 16];
  for (ssize_t got = 0; id > 0 && (got = read(ends[0], buffer, sizeof buffer)) > 0;)
    bytes.append(buffer, static_cast<std::size_t>(got));
  close(ends[0]);
  if (id > 0) waitpid(id, nullptr, 0);
  return bytes;
}

std::string bytes_from_python(const std::string& python, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {python, std::string(SLIPSET_BENCH_SOURCE) + "/peers.py"});
  return bytes_from_child([&](int to) {
    std::vector<char*> words;
    for (std::string& argument : arguments) words.push_back(argument.data());
    words.push_back(nullptr);
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(to, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    execv(python.c_str(), words.data());
  });
}

std::vector<double> numbers_in(const std::string& bytes) {
  std::vector<double> numbers(bytes.size() / sizeof(double));
  if (!numbers.empty()) std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(double));
  return numbers;
}

}  // namespace

std::vector<double> numbers_from_child(const std::function<void(int)>& work) {
  return numbers_in(bytes_from_child(work));
}

void write_numbers(int pipe, const double* numbers, std::size_t count) {
  const char* at = reinterpret_cast<const char*>(numbers);
  for (std::size_t size = count * sizeof(double); size > 0;) {
    const ssize_t done = write(pipe, at, size);
    if (done <= 0) return;
    at += done;
    size -= static_cast<std::size_t>(done);
  }
}

PeerRun run_of(const std::vector<double>& numbers) {
  PeerRun run;
  if (numbers.size() < 2) return run;
  run.seconds = numbers[0];
  run.impulse = Eigen::Map<const Eigen::VectorXd>(numbers.data() + 1, static_cast<Eigen::Index>(numbers.size() - 1));
  return run;
}

std::vector<double> numbers_from_python(const std::string& python, const std::vector<std::string>& arguments) {
  return numbers_in(bytes_from_python(python, arguments));
}

std::vector<std::string> lines_from_python(const std::string& python, const std::vector<std::string>& arguments) {
  const std::string bytes = bytes_from_python(python, arguments);
  std::vector<std::string> lines;
  for (std::size_t begin = 0, end = 0; (end = bytes.find('\n', begin)) != std::string::npos; begin = end + 1)
    lines.push_back(bytes.substr(begin, end - begin));
  return lines;
}

std::vector<Peer> all_peers(const std::string& python, std::vector<std::string>& left_out) {
  std::vector<Peer> peers = siconos_peers();
  if (peers.empty()) left_out.push_back("Siconos: not found when this was configured (libsiconos-numerics-dev)");
  if (!std::filesystem::exists(python)) {
    left_out.push_back("Pinocchio: no interpreter for bench/peers.py (make peers)");
    return peers;
  }
  const std::vector<std::string> lines = lines_from_python(python, {"list", "solver"});
  if (lines.empty()) left_out.push_back("Pinocchio: bench/peers.py does not run (NumPy, SciPy; make peers)");
  for (const std::string& line : lines) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos) continue;
    const std::string name = line.substr(tab + 1);
    if (line.substr(0, tab) != "solver") {
      left_out.push_back(name);
      continue;
    }
    peers.push_back({name, true, [python, name](const std::string& file, double tolerance, double limit) {
                       return run_of(numbers_from_python(
                           python, {"solve", name, file, fmt::format("{}", tolerance), fmt::format("{}", limit)}));
                     }});
  }
  return peers;
}

}  // namespace slipset::bench
