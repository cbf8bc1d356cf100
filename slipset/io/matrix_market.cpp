#include "slipset/io/matrix_market.hpp"

#include <fmt/format.h>

#include <vector>

#include "slipset/io/internal/matrix_market_text.hpp"

namespace slipset {
namespace {

using Eigen::Index;

class DenseSink final : public internal::MatrixMarketSink {
 public:
  explicit DenseSink(const internal::TextLines& lines) : lines_(lines) {}

  void begin(const internal::MatrixMarketSize& size) override {
    constexpr Index most = 100'000'000;
    if (size.rows > most / size.columns)
      lines_.fail(fmt::format("{} x {} is more than 10^8 numbers", size.rows, size.columns));
    mirror_ = size.mirror;
    matrix = Eigen::MatrixXd::Zero(size.rows, size.columns);
    seen_.resize(static_cast<std::size_t>(size.rows * size.columns));
  }
  bool add(Index i, Index j, double x) override {
    const auto place = static_cast<std::size_t>(i * matrix.cols() + j);
    if (seen_[place]) return false;
    seen_[place] = true;
    matrix(i, j) = x;
    if (mirror_ != 0 && i != j) matrix(j, i) = mirror_ * x;
    return true;
  }

  Eigen::MatrixXd matrix;

 private:
  const internal::TextLines& lines_;
  int mirror_ = 0;
  std::vector<bool> seen_;
};

}  // namespace

Eigen::MatrixXd read_matrix_market(const std::filesystem::path& path) {
  internal::ByteStream in(path);
  internal::TextLines lines(in, internal::LastLine::may_be_cut);
  DenseSink sink(lines);
  internal::parse_matrix_market(lines, sink);
  return std::move(sink.matrix);
}

}  // namespace slipset
