#include "bench/results.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <thread>

namespace slipset::bench {
namespace {

std::string quoted(const std::string& cell) {
  if (cell.find_first_of(",\"\n") == std::string::npos) return cell;
  std::string out = "\"";
  for (const char c : cell) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string line_of(const std::vector<std::string>& cells) {
  std::string line;
  for (const std::string& cell : cells) line += (line.empty() ? "" : ",") + quoted(cell);
  return line + "\n";
}

std::string from_environment(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value && *value ? value : otherwise;
}

std::string machine() {
  std::string model = "unknown processor";
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name")) {
      model = line.substr(line.find(": ") + 2);
      break;
    }
  return fmt::format("{}, {} cores", model, std::thread::hardware_concurrency());
}

}  // namespace

Results::Results(std::string benchmark, std::vector<std::string> columns)
    : name_(std::move(benchmark)), columns_(std::move(columns)) {}

void Results::add(std::vector<std::string> cells) {
  if (cells.size() != columns_.size())
    throw std::runtime_error(fmt::format("{}: {} cells for {} columns", name_, cells.size(), columns_.size()));
  rows_.push_back(std::move(cells));
}

std::string Results::text() const {
  std::string text =
      fmt::format("# benchmark: {}\n# date: {:%Y-%m-%d}\n# commit: {}\n# machine: {}\n", name_,
                  fmt::gmtime(std::time(nullptr)), from_environment("SLIPSET_BENCH_COMMIT", "unknown"), machine());
  text += fmt::format("# compiler: {}, {}\n", SLIPSET_BENCH_COMPILER, SLIPSET_BENCH_FLAGS);
  for (const std::string& note : notes_) text += fmt::format("# note: {}\n", note);
  text += line_of(columns_);
  for (const auto& row : rows_) text += line_of(row);
  return text;
}

void Results::save() const {
  const std::string folder = from_environment("SLIPSET_BENCH_RESULTS", "");
  if (folder.empty()) return;
  std::filesystem::create_directories(folder);
  const std::filesystem::path path = std::filesystem::path(folder) / (name_ + ".csv");
  std::ofstream out(path);
  out << text();
  if (!out.flush()) throw std::runtime_error("cannot write " + path.string());
  fmt::print("wrote {}\n", path.string());
}

}  // namespace slipset::bench
