#include "slipset/io/internal/siconos_dat.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "slipset/core/error.hpp"
#include "slipset/io/internal/siconos_matrix.hpp"

namespace slipset::internal {
namespace {

class SiconosReader {
 public:
  SiconosReader(const std::string& content, const std::string& name) : file_(content, name) {}

  ProblemParts read() {
    const std::size_t dimension = file_.count("the dimension", 5);
    if (dimension != 2 && dimension != 3 && dimension != 5)
      file_.fail(fmt::format("dimension {}; expected 2 (planar), 3, or 5 (rolling friction)", dimension));
    parts_.dimension = static_cast<int>(dimension);
    contacts_ = file_.count("the number of contacts", file_.most_left() / dimension);
    rows_ = dimension * contacts_;
    ProblemParts::Matrix first = read_siconos_matrix(file_, "the first matrix");
    parts_.global = is_second_matrix(first);
    if (parts_.global) {
      parts_.h = read_siconos_matrix(file_, "H");
      parts_.force = numbers("q", static_cast<std::size_t>(first.rows()));
      parts_.m = std::move(first);
      parts_.q = numbers("b", rows_);
    } else {
      if (first.rows() != static_cast<Eigen::Index>(rows_) || first.cols() != first.rows())
        file_.fail(
            fmt::format("the matrix is {} x {}, expected {} x {}, which is {} a contact; and no second matrix of {} "
                        "columns follows, "
                        "as in a global problem (M, H, q, b, mu)",
                        first.rows(), first.cols(), rows_, rows_, dimension, rows_));
      parts_.w = std::move(first);
      parts_.q = numbers("q", rows_);
    }
    const Eigen::VectorXd mu = numbers("mu", contacts_);
    parts_.mu.assign(mu.begin(), mu.end());
    if (dimension == 5) {
      const Eigen::VectorXd mu_r = numbers("mu_r", contacts_);
      parts_.mu_r.assign(mu_r.begin(), mu_r.end());
    }
    read_end();
    return std::move(parts_);
  }

 private:
  Eigen::VectorXd numbers(const char* what, std::size_t count) {
    if (count > file_.most_left()) file_.fail(fmt::format("the file ends before {} numbers of {}", count, what));
    Eigen::VectorXd x(static_cast<Eigen::Index>(count));
    for (std::size_t i = 0; i < count; ++i) x[static_cast<Eigen::Index>(i)] = file_.number(what, i);
    return x;
  }

  // Where q of a local problem begins, a global one has a second matrix: its storage, rows of M, columns of the contacts.
  // What a local problem has left is known: q, mu, mu_r, and a first guess.
  bool is_second_matrix(const ProblemParts::Matrix& first) const {
    SiconosTokens ahead = file_;
    const auto next = [&]() -> std::optional<std::size_t> {
      const std::string word = ahead.next();
      ahead.skip_word();
      if (word.empty() || word.size() > 9 || word.find_first_not_of("0123456789") != std::string::npos) return {};
      return std::stoul(word);
    };
    const auto storage = next(), rows = next(), columns = next();
    const bool looks_so =
        storage && *storage <= 2 && rows == static_cast<std::size_t>(first.rows()) && columns == rows_;
    return looks_so && file_.words_left() > 3 * rows_ + 2 * contacts_ + 1;
  }

  // Siconos' own files may end with 0, or with 1 and, perhaps, a first guess: impulses and velocities.
  void read_end() {
    const std::string flag = file_.next();
    const std::size_t left = file_.words_left();
    if (left == 0) return;
    if (parts_.dimension == 3 && left == contacts_ && !(contacts_ == 1 && (flag == "0" || flag == "1")))
      file_.fail(
          "as many numbers as contacts are left over behind mu: a planar problem with rolling friction (normal, "
          "tangent, rolling; mu and mu_r) is not supported");
    const std::size_t guess = left - 1, local = 2 * rows_, whole = local + static_cast<std::size_t>(parts_.m.rows());
    const bool fits = guess == 0 ? flag == "0" || flag == "1" : flag == "1" && (guess == local || guess == whole);
    if (!fits)
      file_.fail(
          fmt::format("{} numbers are left over behind {}: not a problem of this kind, or not of this many contacts",
                      left, parts_.dimension == 5 ? "mu_r" : "mu"));
    file_.skip_word();
    for (std::size_t i = 0; i + 1 < left; ++i) file_.number("the first guess", i);
  }

  SiconosTokens file_;
  ProblemParts parts_;
  std::size_t contacts_ = 0, rows_ = 0;
};

}  // namespace

ProblemFile parse_siconos_dat(const std::string& content, const std::string& name) {
  return problem_of(SiconosReader(content, name).read(), name);
}

std::string siconos_dat(const ProblemParts& parts) {
  fmt::memory_buffer out;
  const auto to = std::back_inserter(out);
  const auto line = [&](const auto& values) {
    for (const double value : values) fmt::format_to(to, "{:.17g} ", value);
    fmt::format_to(to, "\n");
  };
  fmt::format_to(to, "{}\n{}\n", parts.dimension, parts.mu.size());
  if (parts.global) {
    fmt::format_to(to, "{}{}", siconos_matrix(parts.m), siconos_matrix(parts.h));
    line(parts.force);
  } else {
    fmt::format_to(to, "{}", siconos_block_matrix(parts.w, parts.dimension));
  }
  line(parts.q);
  line(parts.mu);
  if (parts.dimension == 5) line(parts.mu_r);
  return fmt::to_string(out);
}

}  // namespace slipset::internal
