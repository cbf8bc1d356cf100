// The text of a Matrix Market file, entry by entry. For io's own use.   https://math.nist.gov/MatrixMarket/formats.html
//   %%MatrixMarket matrix coordinate|array real|integer general|symmetric|skew-symmetric
//   comments with %, a line of sizes, then one entry per line: "row column value", or values column by column
#pragma once

#include <Eigen/Core>

#include "slipset/io/internal/byte_stream.hpp"

namespace slipset::internal {

struct MatrixMarketSize {
  Eigen::Index rows = 0, columns = 0;
  Eigen::Index entries = 0;  // in the file: of a symmetric matrix those of the lower triangle
  bool coordinate = true;    // else every number is there, zeros, too
  int mirror = 0;            // of the other triangle: 0 none, 1 symmetric, -1 skew-symmetric
};

class MatrixMarketSink {
 public:
  virtual ~MatrixMarketSink() = default;
  virtual void begin(const MatrixMarketSize& size) = 0;
  // From 0. False if the entry is known to be there already.
  virtual bool add(Eigen::Index row, Eigen::Index column, double value) = 0;
};
// All of the file. Throws InvalidInput for all that is no such file of one whole matrix, but an entry that is there
// twice is for the sink to see.
void parse_matrix_market(TextLines& lines, MatrixMarketSink& sink);

}  // namespace slipset::internal
