#include "slipset/io/checkpoint.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include "slipset/core/error.hpp"
#include "slipset/io/files.hpp"
#include "slipset/io/internal/descriptor.hpp"

namespace slipset {
namespace {

constexpr const char* kFormat = "slipset checkpoint 6";

std::string hex(std::uint64_t bits) { return fmt::format("{:016x}", bits); }

std::string sum_of(std::string_view text) {
  CheckSum sum;
  sum.process_bytes(text.data(), text.size());
  return hex(sum.checksum());
}

void add_row(std::string& bytes, const std::vector<double>& row) {
  bytes.append(reinterpret_cast<const char*>(row.data()), row.size() * sizeof(double));
}

// The rest of a line that begins with this word; empty if it is another line.
std::optional<std::string> after(std::istream& in, std::string_view word) {
  std::string line;
  if (!std::getline(in, line) || !line.starts_with(std::string(word) + " ")) return std::nullopt;
  return line.substr(word.size() + 1);
}

struct Head {
  CheckpointOwner owner;
  Checkpoint checkpoint;
  std::size_t rows = 0, columns = 0;
  std::string rows_sum;
};

// Empty if anything is not as save() writes it.
std::optional<Head> parse(const std::string& text) {
  const std::size_t end = text.rfind("check ");
  if (end == std::string::npos || text.substr(end) != "check " + sum_of(text.substr(0, end)) + "\n")
    return std::nullopt;
  std::istringstream in(text);
  std::string line;
  std::getline(in, line);
  Head head;
  const auto program = after(in, "program"), scenario = after(in, "scenario"), time = after(in, "time"),
             rows = after(in, "rows"), memory = after(in, "memory");
  if (!program || !scenario || !time || !rows || !memory) return std::nullopt;
  head.owner = {*program, *scenario};
  std::size_t count = 0;
  if (!(std::istringstream(*time) >> head.checkpoint.t) || !(std::istringstream(*memory) >> count) ||
      !(std::istringstream(*rows) >> head.rows >> head.columns >> head.rows_sum))
    return std::nullopt;
  for (std::uint64_t bits = 0; head.checkpoint.memory.size() < count && in >> std::hex >> bits;)
    head.checkpoint.memory.push_back(std::bit_cast<double>(bits));
  if (head.checkpoint.memory.size() != count) return std::nullopt;
  return head;
}

constexpr const char* kRemedy = "it was left unchanged; a run without resuming starts from the beginning";

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& what) {
  throw InvalidInput(fmt::format("{}: {}", path.string(), what));
}

}  // namespace

CheckpointStore::CheckpointStore(const std::filesystem::path& folder, CheckpointOwner owner, const std::string& name)
    : path_(folder / (name + ".checkpoint")),
      rows_path_(folder / (name + ".checkpoint.rows")),
      owner_(std::move(owner)),
      rows_(std::make_unique<internal::Descriptor>()) {}
CheckpointStore::CheckpointStore(CheckpointStore&&) noexcept = default;
CheckpointStore& CheckpointStore::operator=(CheckpointStore&&) noexcept = default;
CheckpointStore::~CheckpointStore() = default;

bool CheckpointStore::exists() const {
  std::error_code ignored;
  return std::filesystem::exists(path_, ignored);
}

void CheckpointStore::open_rows() {
  if (rows_->is_open()) return;
  internal::Descriptor file(rows_path_, O_RDWR | O_CREAT);
  if (!file.lock()) fail(path_, "another run is writing its checkpoints here; give one of the two another folder");
  *rows_ = std::move(file);
}

Checkpoint CheckpointStore::load() {
  const std::string text = read_file(path_);
  if (!text.starts_with(std::string(kFormat) + "\n"))
    fail(path_, fmt::format("not a checkpoint that this program can read; {}", kRemedy));
  std::optional<Head> head = parse(text);
  if (!head) fail(path_, fmt::format("the checkpoint is damaged; {}", kRemedy));
  if (head->owner.program != owner_.program)
    fail(path_, fmt::format("the checkpoint was written by {}, and this is {}; {}", head->owner.program, owner_.program,
                            kRemedy));
  if (head->owner.scenario != owner_.scenario)
    fail(path_, fmt::format("the checkpoint belongs to another scenario, or the scenario file or a file that it names "
                            "has changed since; {}",
                            kRemedy));
  Checkpoint checkpoint = std::move(head->checkpoint);
  checkpoint.rows = load_rows(head->rows, head->columns, head->rows_sum);
  begun_ = true;
  return checkpoint;
}

std::vector<std::vector<double>> CheckpointStore::load_rows(std::size_t count, std::size_t columns,
                                                            const std::string& sum) {
  std::error_code missing;
  const auto size = std::filesystem::file_size(rows_path_, missing);
  const std::size_t needed = count * columns * sizeof(double);
  if (missing || size < needed)
    fail(rows_path_, fmt::format("found {} of the {} bytes that {} expects; {}", missing ? 0 : size, needed,
                                 path_.filename().string(), kRemedy));
  try {
    open_rows();
  } catch (const std::system_error& error) {
    fail(rows_path_, fmt::format("cannot be opened for writing: {}", error.code().message()));
  }
  const std::string bytes = read_file(rows_path_, SIZE_MAX);  // of our own, as long as the run
  CheckSum check;
  check.process_bytes(bytes.data(), needed);
  if (bytes.size() < needed || hex(check.checksum()) != sum) {
    *rows_ = {};
    fail(rows_path_, fmt::format("the rows of the checkpoint are damaged; {}", kRemedy));
  }
  std::vector<std::vector<double>> rows(count, std::vector<double>(columns));
  for (std::size_t i = 0; i < count; ++i)
    std::memcpy(rows[i].data(), bytes.data() + i * columns * sizeof(double), columns * sizeof(double));
  saved_rows_ = count;
  saved_columns_ = columns;
  saved_bytes_ = needed;
  rows_sum_ = check;
  return rows;
}

// In this order: an older checkpoint never counts rows that are not its own.
void CheckpointStore::begin_anew() {
  std::filesystem::remove(path_);
  internal::sync_path(path_.parent_path());
  begun_ = true;
}

void CheckpointStore::save(double t, std::span<const double> memory, const Table& rows) {
  std::string bytes;
  for (std::size_t i = saved_rows_; i < rows.size(); ++i) add_row(bytes, rows.rows()[i].numbers());
  write(t, memory, rows.size() - saved_rows_, rows.names().size(), bytes);
}

void CheckpointStore::append(double t, std::span<const double> memory, std::span<const std::vector<double>> new_rows) {
  const std::size_t columns = saved_rows_ > 0 || new_rows.empty() ? saved_columns_ : new_rows.front().size();
  std::string bytes;
  for (const std::vector<double>& row : new_rows) {
    if (row.size() != columns)
      throw std::logic_error(fmt::format("a checkpoint's row of {} numbers among rows of {}", row.size(), columns));
    add_row(bytes, row);
  }
  write(t, memory, new_rows.size(), columns, bytes);
}

void CheckpointStore::write(double t, std::span<const double> memory, std::size_t new_rows, std::size_t columns,
                            const std::string& bytes) {
  const std::size_t rows = saved_rows_ + new_rows;
  CheckSum sum = rows_sum_;
  sum.process_bytes(bytes.data(), bytes.size());
  std::string text = fmt::format("{}\nprogram {}\nscenario {}\ntime {}\nrows {} {} {}\nmemory {}\n", kFormat,
                                 owner_.program, owner_.scenario, t, rows, columns, hex(sum.checksum()), memory.size());
  for (const double number : memory) text += hex(std::bit_cast<std::uint64_t>(number)) + "\n";
  text += "check " + sum_of(text) + "\n";

  const std::filesystem::path beside = path_.string() + ".part";
  try {
    std::filesystem::create_directories(path_.parent_path());
    open_rows();
    if (!begun_) begin_anew();
    rows_->truncate(saved_bytes_);
    rows_->write_all(bytes);
    rows_->sync();
    internal::Descriptor out(beside, O_WRONLY | O_CREAT | O_TRUNC);
    out.write_all(text);
    out.sync();
    out.close();
    std::filesystem::rename(beside, path_);
    internal::sync_path(path_.parent_path());
  } catch (const std::system_error& error) {
    std::error_code ignored;
    std::filesystem::remove(beside, ignored);
    fail(path_, fmt::format("the checkpoint cannot be written: {}", error.code().message()));
  }
  saved_rows_ = rows;
  saved_columns_ = columns;
  saved_bytes_ += bytes.size();
  rows_sum_ = sum;
}

void CheckpointStore::remove() {
  std::error_code ignored;
  if (!rows_->is_open() && !std::filesystem::exists(path_, ignored) && !std::filesystem::exists(rows_path_, ignored))
    return;
  try {
    open_rows();
  } catch (const std::exception&) {  // in use, or nothing may be written here: then nothing of ours is here, either
    return;
  }
  std::filesystem::remove(path_, ignored);
  std::filesystem::remove(path_.string() + ".part", ignored);
  std::filesystem::remove(rows_path_, ignored);
  *rows_ = {};
  begun_ = false;
  saved_rows_ = saved_columns_ = saved_bytes_ = 0;
  rows_sum_.reset();
}

}  // namespace slipset
