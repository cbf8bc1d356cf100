// A fuzz target without libFuzzer: each seed as it is, cut short, and with bytes changed, the same on every run.
//   replay_NAME SEED_FILE_OR_FOLDER...
// Prints how many inputs were tried; a crash or abort() is the failure.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

long tried = 0;

void try_input(const std::string& content) {
  ++tried;
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(content.data()), content.size());
}

void replay(const std::string& seed) {
  try_input(seed);
  if (seed.empty()) return;
  std::mt19937 random(7);
  const auto place = [&] { return std::uniform_int_distribution<std::size_t>(0, seed.size() - 1)(random); };
  // What readers look at: digits, signs, ends, quotes.
  const std::string signs = "0123456789-+.eE,;[]{}=\"'#\n \t\0\xff";
  for (int k = 0; k < 10; ++k) {
    try_input(seed.substr(0, place()));
    std::string changed = seed;
    for (int changes = 0; changes <= k % 3; ++changes) changed[place()] = signs[random() % signs.size()];
    try_input(changed);
    const std::size_t from = place(), count = place() % 20;
    changed = seed;
    changed.erase(from, count);
    try_input(changed);
  }
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<std::filesystem::path> files;
  for (int i = 1; i < count; ++i) {
    if (!std::filesystem::is_directory(arguments[i]))
      files.emplace_back(arguments[i]);
    else
      for (const auto& entry : std::filesystem::recursive_directory_iterator(arguments[i]))
        if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const auto& file : files) {
    std::ifstream in(file, std::ios::binary);
    if (!in) {
      std::fprintf(stderr, "cannot read %s\n", file.c_str());
      return 1;
    }
    std::printf("%s\n", file.c_str());
    std::fflush(stdout);  // so that the last line names what crashed
    replay({std::istreambuf_iterator<char>(in), {}});
  }
  std::printf("%ld inputs of %zu seeds\n", tried, files.size());
  return files.empty() ? 1 : 0;
}
