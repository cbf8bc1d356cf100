#include "slipset/scenario/mode_file.hpp"

#include <fmt/format.h>

#include <cmath>

#include "slipset/core/angle.hpp"

namespace slipset {
namespace {

constexpr const char* kFormat = "slipset modes 1";

// The names of what is in a group.
class Names {
 public:
  explicit Names(const std::string& group) : group_(group) {}
  const std::string& group() const { return group_; }
  std::string operator()(const std::string& name) const { return group_ == "/" ? name : group_ + "/" + name; }

 private:
  std::string group_;
};

using Vector = Eigen::VectorXcd Eigenpair::*;
struct NamedVector {
  const char* name;
  Vector vector;
};
constexpr NamedVector kVectors[] = {{"right", &Eigenpair::right}, {"left", &Eigenpair::left}};
constexpr const char* kParts[] = {"real", "imag"};

struct NamedNumber {
  const char *name, *unit;
  double Eigenpair::*number;
};
constexpr NamedNumber kNumbers[] = {{"backward_error", "1", &Eigenpair::backward_error},
                                    {"condition", "1", &Eigenpair::condition},
                                    {"rounding", "1/s", &Eigenpair::rounding}};

struct NamedCount {
  const char* name;
  int SpectrumReport::*count;
};
constexpr NamedCount kCounts[] = {{"factorisations", &SpectrumReport::factorisations},
                                  {"determinants", &SpectrumReport::determinants},
                                  {"solves", &SpectrumReport::solves}};

struct NamedOptionalCount {
  const char* name;
  std::optional<int> SpectrumReport::*count;
};
constexpr NamedOptionalCount kOptionalCounts[] = {{"count_proven", &SpectrumReport::count_proven},
                                                  {"count_listed", &SpectrumReport::count_listed}};

struct NamedMethod {
  const char* name;
  SpectrumMethod method;
};
constexpr NamedMethod kMethods[] = {
    {"automatic", SpectrumMethod::automatic}, {"dense", SpectrumMethod::dense}, {"sparse", SpectrumMethod::sparse}};

void add_numbers(Hdf5Writer& file, const std::string& name, const std::string& unit, const Spectrum& spectrum,
                 const std::function<double(const Eigenpair&)>& number) {
  std::vector<double> column;
  for (const Eigenpair& pair : spectrum.pairs) column.push_back(number(pair));
  file.add_column(name, column);
  file.add_attribute(name, "unit", unit);
}

void add_vectors(Hdf5Writer& file, const std::string& name, const std::vector<Eigenpair>& pairs, Vector vector) {
  const Eigen::Index size = pairs.empty() ? 0 : pairs.front().right.size();
  // Of a mode that has no left vector.
  const Eigen::VectorXcd none = Eigen::VectorXcd::Constant(size, {NAN, NAN});
  for (std::size_t part = 0; part < 2; ++part) {
    std::vector<Hdf5Row> rows;
    for (const Eigenpair& pair : pairs) {
      const Eigen::VectorXcd& x = (pair.*vector).size() == 0 ? none : pair.*vector;
      if (x.size() != size)
        throw InvalidInput(
            fmt::format("{} vectors of {} and of {} numbers; expected one length", name, size, x.size()));
      // An array of complex numbers is one of pairs of real ones, by the standard.
      rows.push_back({reinterpret_cast<const double*>(x.data()) + part, 2});
    }
    file.add_table(name + "/" + kParts[part], static_cast<std::size_t>(size), rows);
  }
}

void add_report(Hdf5Writer& file, const std::string& group, const SpectrumReport& report) {
  for (const NamedMethod& m : kMethods)
    if (m.method == report.method) file.add_attribute(group, "method", m.name);
  file.add_attribute(group, "complete", report.complete ? 1.0 : 0.0);
  file.add_attribute(group, "reason", report.reason);
  file.add_attribute(group, "stopped", report.stopped ? 1.0 : 0.0);
  for (const NamedCount& c : kCounts) file.add_attribute(group, c.name, static_cast<double>(report.*c.count));
  for (const NamedOptionalCount& c : kOptionalCounts)
    if (report.*c.count) file.add_attribute(group, c.name, static_cast<double>(*(report.*c.count)));
  const SpectrumBox& box = report.proven;
  file.add_attribute(group, "proven_growth", std::vector<double>{box.growth_from, box.growth_to});
  file.add_attribute(group, "proven_frequency", std::vector<double>{box.frequency_from, box.frequency_to});
  file.add_attribute(group, "largest_step", report.largest_step);
}

[[noreturn]] void fail(const Hdf5Reader& file, const std::string& what) {
  throw InvalidInput(fmt::format("{}: {}", file.name(), what));
}

int read_count(const Hdf5Reader& file, const std::string& group, const std::string& name) {
  const double number = file.number(group, name);
  if (!(std::abs(number) <= 1e9) || number != std::floor(number))
    fail(file, fmt::format("{} is {}; expected a whole number", name, number));
  return static_cast<int>(number);
}

std::vector<double> read_range(const Hdf5Reader& file, const std::string& group, const std::string& name) {
  const std::vector<double> ends = file.numbers(group, name);
  if (ends.size() != 2) fail(file, fmt::format("{} has {} numbers where 2 are expected", name, ends.size()));
  return ends;
}

SpectrumReport read_report(const Hdf5Reader& file, const std::string& group) {
  SpectrumReport report;
  const std::string method = file.text(group, "method");
  bool known = false;
  for (const NamedMethod& m : kMethods)
    if (m.name == method) report.method = m.method, known = true;
  if (!known) fail(file, fmt::format("unknown method \"{}\"", method));
  report.complete = read_count(file, group, "complete") == 1;
  report.reason = file.text(group, "reason");
  report.stopped = read_count(file, group, "stopped") == 1;
  for (const NamedCount& c : kCounts) report.*c.count = read_count(file, group, c.name);
  for (const NamedOptionalCount& c : kOptionalCounts)
    if (file.has_attribute(group, c.name)) report.*c.count = read_count(file, group, c.name);
  const std::vector<double> growth = read_range(file, group, "proven_growth");
  const std::vector<double> frequency = read_range(file, group, "proven_frequency");
  report.proven = {growth[0], growth[1], frequency[0], frequency[1]};
  report.largest_step = file.number(group, "largest_step");
  return report;
}

void read_vectors(const Hdf5Reader& file, const std::string& name, std::vector<Eigenpair>& pairs, Vector vector) {
  const Hdf5Reader::TableSize size = file.table_size(name + "/" + kParts[0]);
  if (size.rows != pairs.size())
    fail(file, fmt::format("{} vectors of {} modes where {} are expected", name, size.rows, pairs.size()));
  for (Eigenpair& pair : pairs) (pair.*vector).resize(static_cast<Eigen::Index>(size.columns));
  for (std::size_t part = 0; part < 2; ++part) {
    std::vector<Hdf5RowTarget> rows;
    for (Eigenpair& pair : pairs) rows.push_back({reinterpret_cast<double*>((pair.*vector).data()) + part, 2});
    file.read_table(name + "/" + kParts[part], size.columns, rows);
  }
  for (Eigenpair& pair : pairs)
    if (size.columns > 0 && std::isnan((pair.*vector)[0].real())) (pair.*vector).resize(0);
}

}  // namespace

void add_modes(Hdf5Writer& file, const Spectrum& spectrum, const std::string& group) {
  const Names in(group);
  add_numbers(file, in("growth_rate"), "1/s", spectrum, [](const Eigenpair& m) { return m.growth_rate(); });
  add_numbers(file, in("frequency"), "rad/s", spectrum, [](const Eigenpair& m) { return m.frequency(); });
  add_numbers(file, in("frequency_hz"), "Hz", spectrum, [](const Eigenpair& m) { return m.frequency() / (2 * kPi); });
  for (const NamedNumber& n : kNumbers)
    add_numbers(file, in(n.name), n.unit, spectrum, [&](const Eigenpair& m) { return m.*n.number; });
  for (const NamedVector& v : kVectors) add_vectors(file, in(v.name), spectrum.pairs, v.vector);
  file.add_attribute(group, "format", kFormat);
  add_report(file, group, spectrum.report);
}

Spectrum read_modes(const Hdf5Reader& file, const std::string& group) {
  const Names in(group);
  if (group != "/" && !file.has(group)) fail(file, fmt::format("no group {}", group));
  if (!file.has_attribute(group, "format") || file.text(group, "format") != kFormat)
    fail(file, fmt::format("not a file of modes; expected the attribute format = \"{}\"", kFormat));
  Spectrum spectrum;
  const std::vector<double> growth = file.column(in("growth_rate"));
  spectrum.pairs.resize(growth.size());
  const auto column = [&](const std::string& name) {
    std::vector<double> values = file.column(in(name));
    if (values.size() != growth.size())
      fail(file, fmt::format("{} has {} numbers where {} are expected", name, values.size(), growth.size()));
    return values;
  };
  const std::vector<double> frequency = column("frequency");
  for (std::size_t i = 0; i < growth.size(); ++i) spectrum.pairs[i].value = {growth[i], frequency[i]};
  for (const NamedNumber& n : kNumbers) {
    const std::vector<double> values = column(n.name);
    for (std::size_t i = 0; i < values.size(); ++i) spectrum.pairs[i].*n.number = values[i];
  }
  for (const NamedVector& v : kVectors) read_vectors(file, in(v.name), spectrum.pairs, v.vector);
  spectrum.report = read_report(file, group);
  return spectrum;
}

std::string modes_hdf5(const Spectrum& spectrum) {
  Hdf5Writer file;
  add_modes(file, spectrum);
  return file.bytes();
}

Spectrum read_modes_hdf5(const std::filesystem::path& path) { return read_modes(Hdf5Reader(path)); }

}  // namespace slipset
