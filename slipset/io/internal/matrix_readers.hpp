// What read_matrix_file() chooses from, one reader per format. For io's own use.
//   Each reads the whole file and throws InvalidInput, or RepeatedEntry for an entry that is there twice; reading again
//   with that place as `watched` then throws InvalidInput with its line.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "slipset/io/internal/byte_stream.hpp"
#include "slipset/io/internal/sparse_entries.hpp"
#include "slipset/io/matrix_file.hpp"

namespace slipset::internal {

struct MatrixRequest {
  std::string name;  // empty: the only one
  std::optional<Place> watched{};
};

MatrixFile read_matrix_market_file(ByteStream& in, const MatrixRequest& request);
MatrixFile read_abaqus_matrix(ByteStream& in, const MatrixRequest& request);
MatrixFile read_dmig(ByteStream& in, const MatrixRequest& request);
MatrixFile read_op4_text(ByteStream& in, const MatrixRequest& request);
MatrixFile read_op4_binary(ByteStream& in, const MatrixRequest& request);
MatrixFile read_harwell_boeing(ByteStream& in, const MatrixRequest& request);
MatrixFile read_mat_matrix(const std::filesystem::path& path, const std::string& name);

// Which of a file's named matrices is read.
class NameChoice {
 public:
  explicit NameChoice(std::string wanted) : wanted_(std::move(wanted)) {}
  // At the beginning of each matrix: whether to read this one.
  bool take(std::string_view name);
  // At the end of the file: InvalidInput, with all names, unless just one was taken and no other could have been.
  void check(const std::string& file) const;

 private:
  std::string wanted_;
  std::vector<std::string> found_;
  int taken_ = 0;
};
// Throws InvalidInput if a name is wanted of a format that has none.
void refuse_name(const std::string& file, const MatrixRequest& request, std::string_view format);

}  // namespace slipset::internal
