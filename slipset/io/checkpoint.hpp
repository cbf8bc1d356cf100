// Checkpoints of a long run on disk.
//   FOLDER/NAME.checkpoint        what the run needs to continue; text, numbers by their bits
//   FOLDER/NAME.checkpoint.rows   the rows of its table so far, as doubles
// New rows are appended and on the disk before the first file, which counts them, is replaced as a whole: a process
// that is killed at any moment leaves the last checkpoint or the one before it. Both files carry check sums.
#pragma once

#include <boost/crc.hpp>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "slipset/core/table.hpp"

namespace slipset {

namespace internal {
class Descriptor;
}

// CRC-64 of the ECMA-182 standard: detects accidents, not forgeries.
using CheckSum = boost::crc_optimal<64, 0x42F0E1EBA9EA3693, 0, 0, false, false>;

// What a checkpoint belongs to; it is resumed only where both are the same.
struct CheckpointOwner {
  std::string program;   // and version; one line
  std::string scenario;  // fingerprint; one line
};

struct Checkpoint {
  double t = 0;                           // [s], for messages
  std::vector<double> memory;             // of the run
  std::vector<std::vector<double>> rows;  // at that moment
};

class CheckpointStore {
 public:
  // `name`: of the command.
  CheckpointStore(const std::filesystem::path& folder, CheckpointOwner owner, const std::string& name = "run");
  CheckpointStore(CheckpointStore&&) noexcept;
  CheckpointStore& operator=(CheckpointStore&&) noexcept;
  ~CheckpointStore();

  const std::filesystem::path& path() const { return path_; }
  bool exists() const;
  // Throws InvalidInput, and changes nothing, if the checkpoint is damaged, of another owner, or in use.
  Checkpoint load();
  // `rows` are all rows; those since the last save or load are appended. The first save of a store that has not loaded
  // begins anew. Throws InvalidInput if it cannot be written; the checkpoint before, if any, is then still good.
  void save(double t, std::span<const double> memory, const Table& rows);
  // The same with the new rows alone, all of one length, also that of earlier ones.
  void append(double t, std::span<const double> memory, std::span<const std::vector<double>> new_rows);
  // When the results are there. Leaves the files of a run that is under way elsewhere.
  void remove();

 private:
  void write(double t, std::span<const double> memory, std::size_t new_rows, std::size_t columns,
             const std::string& bytes);
  void open_rows();
  void begin_anew();
  std::vector<std::vector<double>> load_rows(std::size_t count, std::size_t columns, const std::string& sum);

  std::filesystem::path path_, rows_path_;
  CheckpointOwner owner_;
  std::unique_ptr<internal::Descriptor> rows_;  // locked while open
  bool begun_ = false;                          // the files on disk are this run's
  std::size_t saved_rows_ = 0, saved_columns_ = 0, saved_bytes_ = 0;
  CheckSum rows_sum_;
};

}  // namespace slipset
