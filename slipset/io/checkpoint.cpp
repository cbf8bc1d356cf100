#include "slipset/io/checkpoint.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <sstream>
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

std::string bytes_of(const Table& rows, std::size_t from) {
  std::string bytes;
  for (std::size_t i = from; i < rows.size(); ++i) {
    const std::vector<double> row = rows.rows()[i].numbers();
    bytes.append(reinterpret_cast<const char*>(row.data()), row.size() * sizeof(double));
  }
  return bytes;
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

CheckpointStore::CheckpointStore(const std::filesystem::path& folder, CheckpointOwner owner)
    : path_(folder / "run.checkpoint"),
      rows_path_(folder / "run.checkpoint.rows"),
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
  const std::string bytes = bytes_of(rows, saved_rows_);
  CheckSum sum = rows_sum_;
  sum.process_bytes(bytes.data(), bytes.size());
  std::string text =
      fmt::format("{}\nprogram {}\nscenario {}\ntime {}\nrows {} {} {}\nmemory {}\n", kFormat, owner_.program,
                  owner_.scenario, t, rows.size(), rows.names().size(), hex(sum.checksum()), memory.size());
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
  saved_rows_ = rows.size();
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
  saved_rows_ = saved_bytes_ = 0;
  rows_sum_.reset();
}

}  // namespace slipset
