#include "slipset/io/matrix_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "slipset/core/error.hpp"
#include "slipset/io/internal/fortran_numbers.hpp"
#include "slipset/io/internal/matrix_readers.hpp"

namespace slipset {
namespace internal {

bool NameChoice::take(std::string_view name) {
  found_.emplace_back(name);
  const bool wanted = wanted_.empty() ? found_.size() == 1 : upper_case(name) == upper_case(wanted_);
  taken_ += wanted;
  return wanted;
}

void NameChoice::check(const std::string& file) const {
  const auto refuse = [&](const std::string& why) {
    throw InvalidInput(fmt::format("{}: {}; it has {}", file, why, fmt::join(found_, ", ")));
  };
  if (found_.empty()) throw InvalidInput(fmt::format("{}: no matrix in it", file));
  if (wanted_.empty() && found_.size() > 1) refuse(fmt::format("{} matrices; name one of them", found_.size()));
  if (taken_ == 0) refuse(fmt::format("no matrix {}", in_quotes(wanted_)));
  if (taken_ > 1) refuse(fmt::format("{} matrices with the name {}", taken_, in_quotes(wanted_)));
}

void refuse_name(const std::string& file, const MatrixRequest& request, std::string_view format) {
  if (!request.name.empty())
    throw InvalidInput(fmt::format("{}: a {} file has one matrix, without a name; leave out {}", file, format,
                                   in_quotes(request.name)));
}

namespace {

using Reader = MatrixFile (*)(ByteStream&, const MatrixRequest&);

bool is_op4_binary(std::string_view start) {
  using namespace std::string_view_literals;
  return start.starts_with("\x18\0\0\0"sv) || start.starts_with("\0\0\0\x18"sv) || start.starts_with("\x30\0\0\0"sv) ||
         start.starts_with("\0\0\0\x30"sv);
}

// Four whole numbers in 8 columns each, then a name that begins with a letter.
bool is_op4_text(std::string_view line) {
  if (line.size() < 33) return false;
  for (std::size_t k = 0; k < 4; ++k)
    if (!whole_number(without_blanks_around(line.substr(8 * k, 8)))) return false;
  return upper_case(line.substr(32, 1))[0] >= 'A' && upper_case(line.substr(32, 1))[0] <= 'Z';
}

// Its third line begins with the type, and a fourth with two formats follows.
bool is_harwell_boeing(std::string_view start) {
  std::array<std::string_view, 4> line;
  for (std::string_view& one : line) {
    const std::size_t end = std::min(start.find('\n'), start.size());
    one = start.substr(0, end);
    start.remove_prefix(std::min(end + 1, start.size()));
  }
  const std::string type = upper_case(line[2].substr(0, 3));
  return type.size() == 3 && std::string_view("RCPIQ").find(type[0]) != std::string_view::npos &&
         std::string_view("USHZR").find(type[1]) != std::string_view::npos && (type[2] == 'A' || type[2] == 'E') &&
         without_blanks_around(line[3]).starts_with('(');
}

// By the beginning of the file; null if that is of no format that is read.
Reader reader_of(std::string_view start, const std::string& extension) {
  if (start.starts_with("%")) return read_matrix_market_file;
  if (is_op4_binary(start)) return read_op4_binary;
  if (is_harwell_boeing(start)) return read_harwell_boeing;
  while (!start.empty()) {  // the first line that has anything
    const std::size_t end = std::min(start.find('\n'), start.size());
    const std::string_view line = start.substr(0, end);
    start.remove_prefix(std::min(end + 1, start.size()));
    const std::string_view text = without_blanks_around(line.ends_with('\r') ? line.substr(0, line.size() - 1) : line);
    if (text.empty()) continue;
    if (text.starts_with('*')) return read_abaqus_matrix;
    if (text.starts_with('$') || upper_case(text).starts_with("DMIG")) return read_dmig;
    if (is_op4_text(line)) return read_op4_text;
    // Three or five numbers could be anything: only the extension tells that Abaqus wrote them.
    if (extension == ".MTX" && text.find_first_of("0123456789-+") == 0) return read_abaqus_matrix;
    if (extension == ".PCH" || extension == ".BDF" || extension == ".DAT") return read_dmig;
    return nullptr;
  }
  return nullptr;
}

MatrixFile read_once(const std::filesystem::path& path, const MatrixRequest& request) {
  using namespace std::string_view_literals;
  ByteStream in(path);
  const std::string extension = upper_case(path.extension().string());
  const std::string_view start = in.peek(4096);
  if (extension == ".MAT" || start.starts_with("MATLAB ") || start.starts_with("\x89HDF")) {
    // matio opens the file itself; a pipe would wait for a second writer.
    if (!in.size())
      throw InvalidInput(fmt::format("{}: MATLAB files cannot be read from a pipe; name the file", path.string()));
    return read_mat_matrix(path, request.name);
  }
  if (start.empty()) throw InvalidInput(fmt::format("{}: the file is empty", path.string()));
  if (start.starts_with("\x1f\x8b") || start.starts_with("PK\x03\x04"sv) || start.starts_with("BZh"))
    throw InvalidInput(fmt::format("{}: this file is compressed; unpack it", path.string()));
  const Reader reader = reader_of(start, extension);
  if (reader == nullptr)
    throw InvalidInput(fmt::format(
        "{}: not a matrix file that is read: it begins with {}; expected Matrix Market, MATLAB, Abaqus matrix output "
        "(named .mtx), Nastran DMIG or OP4, or Harwell-Boeing",
        path.string(), in_quotes(start.substr(0, start.find('\n')))));
  return reader(in, request);
}

}  // namespace
}  // namespace internal

MatrixFile read_matrix_file(const std::filesystem::path& path, std::string_view name) {
  internal::MatrixRequest request{std::string(name)};
  try {
    try {
      return internal::read_once(path, request);
    } catch (const internal::RepeatedEntry& repeated) {
      // Once more, for its line; a pipe cannot be read again.
      if (!std::filesystem::is_regular_file(path))
        throw InvalidInput(
            fmt::format("{}: an entry appears twice; write the file to a disk to see its line", path.string()));
      request.watched = repeated.place;
      return internal::read_once(path, request);
    }
  } catch (const std::bad_alloc&) {
    throw InvalidInput(fmt::format("{}: not enough memory for this matrix", path.string()));
  } catch (const internal::RepeatedEntry&) {
    throw InvalidInput(fmt::format("{}: the file changed while it was read", path.string()));
  }
}

Eigen::SparseMatrix<double> read_sparse_matrix(const std::filesystem::path& path, std::string_view name) {
  return read_matrix_file(path, name).matrix;
}

Eigen::Index index_of(const std::vector<DofLabel>& labels, const DofLabel& label) {
  const auto at = std::lower_bound(labels.begin(), labels.end(), label);
  if (at == labels.end() || *at != label)
    throw InvalidInput(fmt::format("no degree of freedom {} of node {} in the matrix, which has {} labels", label.dof,
                                   label.node, labels.size()));
  return at - labels.begin();
}

}  // namespace slipset
