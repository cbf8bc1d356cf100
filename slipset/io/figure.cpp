#include "slipset/io/figure.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <map>
#include <system_error>

#include "slipset/io/files.hpp"

namespace slipset {
namespace {

// Exit codes of the child where the program did not start, as a shell has them.
constexpr int kCannotStart = 126, kNotFound = 127;

struct Outcome {
  int status;
  std::string messages;
};

Outcome not_started(const char* step) {
  return {kCannotStart, std::string(step) + ": " + std::system_category().message(errno)};
}

// Runs a program in a folder, without a shell; its messages are kept, not printed.
Outcome run_in(const std::filesystem::path& folder, std::vector<std::string> command) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return not_started("pipe");
  std::vector<char*> arguments;
  for (std::string& part : command) arguments.push_back(part.data());
  arguments.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(ends[1], 1);
    ::dup2(ends[1], 2);
    if (::chdir(folder.c_str()) != 0) ::_exit(kCannotStart);
    ::execvp(arguments[0], arguments.data());
    ::_exit(errno == ENOENT ? kNotFound : kCannotStart);
  }
  Outcome outcome = child > 0 ? Outcome{kCannotStart, ""} : not_started("fork");
  ::close(ends[1]);
  if (child > 0) {
    char buffer[4096];
    for (ssize_t n; (n = ::read(ends[0], buffer, sizeof buffer)) > 0;)
      outcome.messages.append(buffer, static_cast<std::size_t>(n));
    int status = 0;
    ::waitpid(child, &status, 0);
    outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  }
  ::close(ends[0]);
  return outcome;
}

struct PictureKind {
  std::string ending;    // of the file's name
  std::string terminal;  // of gnuplot, with {0}, {1} for the size in pixels and {2}, {3} in inches
  std::string tail;      // of the content: gnuplot does not look whether all of it was written
};

const std::map<PictureFormat, PictureKind>& kinds() {
  static const std::map<PictureFormat, PictureKind> all = {
      {PictureFormat::png, {".png", "pngcairo size {0},{1} font 'DejaVu Sans,11' enhanced", "IEND\xae\x42\x60\x82"}},
      {PictureFormat::svg, {".svg", "svg size {0},{1} font 'DejaVu Sans,14' enhanced background 'white'", "</svg>"}},
      {PictureFormat::pdf, {".pdf", "pdfcairo size {2:.4g}in,{3:.4g}in font 'DejaVu Sans,11' enhanced", "%%EOF"}}};
  return all;
}

bool is_whole(const std::string& content, const PictureKind& kind) {
  const std::size_t last = content.find_last_not_of('\n');
  return last != std::string::npos && content.substr(0, last + 1).ends_with(kind.tail);
}

}  // namespace

std::string ending_of(PictureFormat format) { return kinds().at(format).ending; }

std::string gnuplot_string(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "''" : std::string(1, c == '\n' ? ' ' : c);
  return quoted + "'";
}

double round_step(double step) {
  const double power = std::pow(10, std::floor(std::log10(step)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= step * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

Figure::Figure(std::string name, int width, int height) : name_(std::move(name)), width_(width), height_(height) {}

std::string Figure::add_data(const std::string& what, const std::vector<std::vector<double>>& rows) {
  const std::string file = fmt::format("{}-{}.dat", name_, what);
  std::string text;
  for (const auto& row : rows) text += fmt::format("{:.10g}\n", fmt::join(row, " "));  // an empty row is a break
  data_.emplace_back(file, std::move(text));
  return file;
}

Figure::Saved Figure::save(const std::filesystem::path& folder, PictureFormat format) const {
  Saved saved;
  for (const auto& [file, text] : data_) {
    write_file(folder / file, text);
    saved.files.push_back(folder / file);
  }
  const PictureKind& kind = kinds().at(format);
  const std::filesystem::path script = folder / (name_ + ".gp"), picture = folder / (name_ + kind.ending);
  write_file(script,
             fmt::format("# gnuplot {0}.gp draws {0}{1}.\n"
                         "if (!exists(\"picture\")) picture = '{0}{1}'\n"
                         "set terminal {2}\n"
                         "set output picture\n"
                         "set grid lc rgb '#dddddd' lt 1\nset border lc rgb '#666666'\nset tics nomirror\n"
                         "set xlabel offset 0,0.3\nset key below center horizontal samplen 2 height 1\n",
                         name_, kind.ending,
                         fmt::format(fmt::runtime(kind.terminal), width_, height_, width_ / 96.0, height_ / 96.0)) +
                 script_);
  saved.files.push_back(script);

  const std::string part = fmt::format("{}.{}.part", name_, ::getpid());
  const Outcome outcome = run_in(folder, {"gnuplot", "-e", fmt::format("picture='{}'", part), name_ + ".gp"});
  std::error_code error;
  if (outcome.status == kNotFound) {
    saved.no_gnuplot = true;
    saved.problem = fmt::format(
        "gnuplot was not found; install it (Debian: gnuplot-nox) and run, in the folder of the results: gnuplot {}.gp",
        name_);
  } else if (outcome.status == kCannotStart) {
    saved.problem = fmt::format("gnuplot could not be started{}{}; run, in the folder of the results: gnuplot {}.gp",
                                outcome.messages.empty() ? "" : ": ", outcome.messages, name_);
  } else if (outcome.status != 0 || !std::filesystem::exists(folder / part)) {
    saved.problem = "gnuplot failed: " + outcome.messages;
  } else if (!is_whole(read_file(folder / part), kind)) {
    saved.problem = fmt::format("{} could not be written completely; is the disk full?", picture.filename().string());
  } else {
    std::filesystem::rename(folder / part, picture, error);
    if (error) saved.problem = picture.string() + ": " + error.message();
  }
  if (saved.problem.empty())
    saved.files.push_back(picture);
  else
    std::filesystem::remove(folder / part, error);
  return saved;
}

}  // namespace slipset
