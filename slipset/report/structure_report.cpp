#include "slipset/report/structure_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "slipset/report/json.hpp"
#include "slipset/report/mode_shape.hpp"
#include "slipset/report/structure_figures.hpp"
#include "slipset/report/structure_hdf5.hpp"

namespace slipset {
namespace {

using Json = nlohmann::ordered_json;

double in_hertz(double frequency) { return frequency / (2 * kPi); }

// -σ/|λ|; none for λ = 0.
std::optional<double> damping_ratio(const Eigenpair& mode) {
  return mode.value == 0.0 ? std::nullopt : std::optional(-mode.value.real() / std::abs(mode.value));
}

// Who a contribution comes from: a contact, the structure, a term.
std::string source_name(const StructureSetup& setup, const Contribution& c) {
  const Structure& s = setup.structure();
  if (c.contact < s.contacts.size()) return s.contacts[c.contact].name;
  return c.contact == s.contacts.size() ? "structure" : s.terms[c.contact - s.contacts.size() - 1].name;
}

// The contacts of each mechanism together; terms by themselves. Largest first.
std::vector<std::pair<std::string, double>> by_mechanism(const StructureSetup& setup,
                                                         const std::vector<Contribution>& parts) {
  std::map<std::pair<std::size_t, std::string>, double> sums;  // by term, or 0
  const std::size_t contacts = setup.structure().contacts.size();
  for (const Contribution& c : parts)
    sums[c.contact > contacts ? std::pair{c.contact, source_name(setup, c)}
                              : std::pair{std::size_t{0}, std::string(name_of(c.mechanism))}] += c.growth;
  std::vector<std::pair<std::string, double>> all;
  for (const auto& [key, growth] : sums) all.emplace_back(key.second, growth);
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return std::abs(a.second) > std::abs(b.second); });
  return all;
}

bool any_grows(const StructureAnswer& a) {
  return !a.spectrum.faster.empty() ||
         std::any_of(a.spectrum.pairs.begin(), a.spectrum.pairs.end(), [](const Eigenpair& m) { return m.grows(); });
}

// Why a list without growing modes does not say that the sliding is stable; "" if it does, as far as the band goes.
std::string why_unknown(const StructureSetup& setup, const StructureAnswer& a) {
  if (!(setup.box().growth_to > 0 && setup.box().growth_from <= 0))
    return fmt::format("the box has growth rates from {:.6g} to {:.6g} 1/s, and growing modes are above 0",
                       setup.box().growth_from, setup.box().growth_to);
  return a.spectrum.report.complete ? "" : "the list may lack modes";
}

std::vector<std::string> notes_of(const StructureSetup& setup, const StructureAnswer& a) {
  std::vector<std::string> notes = setup.notes();
  for (const std::complex<double> value : a.spectrum.faster)
    notes.push_back(
        fmt::format("a mode at {:.6g} Hz grows at {:.6g} 1/s, faster than the box has it; raise [modes] growth",
                    in_hertz(value.imag()), value.real()));
  return notes;
}

std::string verdict(const StructureSetup& setup, const StructureAnswer& a) {
  if (any_grows(a)) return "UNSTABLE";
  const std::string why = why_unknown(setup, a);
  return why.empty() ? fmt::format("no mode grows, by up to {:.6g} 1/s", setup.box().growth_to)
                     : "NOT KNOWN whether a mode grows: " + why;
}

Json stable_or_null(const StructureSetup& setup, const StructureAnswer& a) {
  if (any_grows(a)) return false;
  return why_unknown(setup, a).empty() ? Json(true) : Json(nullptr);
}

std::string_view name_of(StoredAs stored) {
  switch (stored) {
    case StoredAs::symmetric: return "symmetric";
    case StoredAs::skew_symmetric: return "skew-symmetric";
    case StoredAs::general: break;
  }
  return "general";
}

// In quotes where it would break a table.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

const char* method_name(const StructureAnswer& a) {
  return a.spectrum.report.method == SpectrumMethod::dense ? "dense" : "sparse";
}

// Whether the list is proven to have every eigenvalue of the box, and why.
std::string completeness(const StructureAnswer& a) {
  const SpectrumReport& r = a.spectrum.report;
  return r.complete ? "the count of eigenvalues by the argument principle agrees" : r.reason;
}

// Eigenvalues of the box by the count, whose contour may reach beyond it; null if there was none.
Json count_or_null(const StructureAnswer& a) {
  const SpectrumReport& r = a.spectrum.report;
  if (!r.count_proven || !r.count_listed) return nullptr;
  return static_cast<int>(a.spectrum.pairs.size()) + *r.count_proven - *r.count_listed;
}

Json json_of(const StructureSetup& setup, const StructureAnswer& a, std::size_t i) {
  const Eigenpair& m = a.spectrum.pairs[i];
  Json json = {{"value", {m.value.real(), m.value.imag()}},
               {"growth_rate", m.growth_rate()},
               {"frequency", m.frequency()},
               {"frequency_hz", in_hertz(m.frequency())},
               {"damping_ratio", json_or_null(damping_ratio(m))},
               {"grows", m.grows()},
               {"multiplicity", a.multiplicity[i]},
               {"backward_error", json_or_null(m.backward_error)},
               {"condition", json_or_null(m.condition)},
               {"rounding", json_or_null(m.rounding)}};
  auto& mechanisms = json["mechanisms"] = Json::array();
  for (const auto& [name, growth] : by_mechanism(setup, a.contributions[i]))
    mechanisms.push_back({{"mechanism", name}, {"growth", growth}});
  auto& parts = json["contributions"] = Json::array();
  for (const Contribution& c : a.contributions[i])
    parts.push_back({{"contact", source_name(setup, c)},
                     {"mechanism", name_of(c.mechanism)},
                     {"growth", c.growth},
                     {"work_per_cycle", json_or_null(c.work_per_cycle)}});
  auto& act = json["sensitivities"] = Json::array();
  for (const Sensitivity& s : a.sensitivities[i])
    act.push_back({{"parameter", s.parameter},
                   {"value", s.value},
                   {"growth", s.derivative.real()},
                   {"derivative", {s.derivative.real(), s.derivative.imag()}},
                   {"change", s.change},
                   {"effect", s.effect}});
  return json;
}

std::vector<std::size_t> modes_with_shapes(const StructureSetup& setup, const StructureAnswer& a) {
  std::vector<std::size_t> numbers;
  if (!setup.mesh() || setup.shapes() == ModeShapes::none) return numbers;
  for (std::size_t i = 0; i < a.spectrum.pairs.size(); ++i)
    if (setup.shapes() == ModeShapes::all || a.spectrum.pairs[i].grows()) numbers.push_back(i);
  return numbers;
}

// By the number that the mode has in modes.csv.
std::string shape_file(std::size_t i) { return fmt::format("mode-{:03}.vtu", i + 1); }

std::string modes_csv(const StructureAnswer& a) {
  std::string text =
      "mode,growth_rate,frequency,frequency_hz,damping_ratio,grows,multiplicity,backward_error,condition,rounding\n";
  for (std::size_t i = 0; i < a.spectrum.pairs.size(); ++i) {
    const Eigenpair& m = a.spectrum.pairs[i];
    const auto ratio = damping_ratio(m);
    text += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", i + 1, m.growth_rate(), m.frequency(),
                        in_hertz(m.frequency()), ratio ? fmt::format("{}", *ratio) : "", m.grows() ? 1 : 0,
                        a.multiplicity[i], m.backward_error, m.condition, m.rounding);
  }
  return text;
}

std::string participation_csv(const StructureSetup& setup, const StructureAnswer& a) {
  std::string text = "mode,contact,name,normal,tangential_1,tangential_2,growth\n";
  for (std::size_t i = 0; i < a.participation.size(); ++i)
    for (std::size_t k = 0; k < a.participation[i].size(); ++k) {
      const Participation& p = a.participation[i][k];
      text += fmt::format("{},{},{},{},{},{},{}\n", i + 1, k + 1, setup.structure().contacts[k].name, p.normal,
                          p.tangential.x(), p.tangential.y(), p.growth);
    }
  return text;
}

std::string sensitivities_csv(const StructureAnswer& a) {
  std::string text = "mode,parameter,value,growth_derivative,frequency_derivative,change,effect\n";
  for (std::size_t i = 0; i < a.sensitivities.size(); ++i)
    for (const Sensitivity& s : a.sensitivities[i])
      text += fmt::format("{},{},{},{},{},{},{}\n", i + 1, csv_field(s.parameter), s.value, s.derivative.real(),
                          s.derivative.imag(), s.change, s.effect);
  return text;
}

}  // namespace

StructureAnswer answer_structure(const StructureSetup& setup, Spectrum modes, int ranks) {
  StructureAnswer answer;
  answer.ranks = ranks;
  answer.spectrum = std::move(modes);
  const StructureSensitivities sensitivities(setup.sliding(), setup.parameters());
  answer.without_derivative = sensitivities.skipped();
  answer.sensitivities = sensitivities.of(answer.spectrum.pairs);
  answer.multiplicity.resize(answer.spectrum.pairs.size());
  for (const std::vector<std::size_t>& group : multiple_eigenvalues(answer.spectrum.pairs))
    for (const std::size_t i : group) answer.multiplicity[i] = group.size();
  for (const Eigenpair& mode : answer.spectrum.pairs) {
    answer.contributions.push_back(contributions(setup.sliding(), mode));
    answer.participation.push_back(participation(setup.sliding(), mode, answer.contributions.back()));
  }
  return answer;
}

Json structure_json(const StructureSetup& setup, const StructureAnswer& a) {
  const SpectrumBox& box = setup.box();
  Json json;
  json["title"] = setup.title();
  json["dofs"] = setup.structure().dofs();
  json["unknowns"] = setup.sliding().unknowns;
  json["contacts"] = setup.structure().contacts.size();
  json["ranks"] = a.ranks;
  json["box"] = {{"band", {in_hertz(box.frequency_from), in_hertz(box.frequency_to)}},
                 {"growth", {box.growth_from, box.growth_to}}};
  auto& matrices = json["matrices"] = Json::array();
  for (const StructureFiles::Input& input : setup.inputs())
    matrices.push_back({{"file", input.file},
                        {"variable", input.variable},
                        {"format", input.format},
                        {"stored_as", name_of(input.stored_as)}});
  json["notes"] = notes_of(setup, a);
  json["stable"] = stable_or_null(setup, a);
  json["method"] = method_name(a);
  json["complete"] = a.spectrum.report.complete;
  json["count"] = count_or_null(a);
  json["why"] = completeness(a);
  const SpectrumReport& report = a.spectrum.report;
  json["search"] = {{"shifts", report.shifts.size()},
                    {"factorisations", report.factorisations},
                    {"determinants", report.determinants},
                    {"solves", report.solves}};
  auto& values = json["eigenvalues"] = Json::array();
  for (const Eigenpair& m : a.spectrum.pairs) values.push_back({m.value.real(), m.value.imag()});
  auto& errors = json["backward_errors"] = Json::array();
  for (const Eigenpair& m : a.spectrum.pairs) errors.push_back(json_or_null(m.backward_error));
  auto& modes = json["modes"] = Json::array();
  for (std::size_t i = 0; i < a.spectrum.pairs.size(); ++i) modes.push_back(json_of(setup, a, i));
  auto& shapes = json["shapes"] = Json::array();
  for (const std::size_t i : modes_with_shapes(setup, a)) shapes.push_back(shape_file(i));
  json["without_derivative"] = a.without_derivative;
  return json;
}

std::string structure_text(const StructureSetup& setup, const StructureAnswer& a) {
  constexpr std::size_t kShown = 5;  // parts and parameters of a mode
  const SpectrumBox& box = setup.box();
  const auto& pairs = a.spectrum.pairs;
  const auto growing = std::count_if(pairs.begin(), pairs.end(), [](const Eigenpair& m) { return m.grows(); });
  std::string text = fmt::format(
      "steady sliding: {}\n  {} degrees of freedom, {} contacts\n  {} modes from {:.6g} to {:.6g} Hz with growth rates "
      "from {:.6g} to {:.6g} 1/s, {} of them grow\n  {} matrices; the list is {}: {}\n",
      verdict(setup, a), setup.structure().dofs(), setup.structure().contacts.size(), pairs.size(),
      in_hertz(box.frequency_from), in_hertz(box.frequency_to), box.growth_from, box.growth_to, growing, method_name(a),
      a.spectrum.report.complete ? "proven complete" : "NOT proven complete", completeness(a));
  for (const StructureFiles::Input& input : setup.inputs())
    text += fmt::format("  {}{}: {}, {}\n", input.file, input.variable.empty() ? "" : ":" + input.variable,
                        input.format, name_of(input.stored_as));
  for (const std::string& note : notes_of(setup, a)) text += fmt::format("  note: {}\n", note);
  text +=
      "\n  growth rate     frequency       frequency       damping      backward   condition\n"
      "  [1/s]           [Hz]            [rad/s]         ratio [-]    error [-]  [-]\n";
  for (const Eigenpair& m : pairs)
    text += fmt::format("  {:<+15.9g} {:<15.9g} {:<15.9g} {:<+12.6g} {:<10.2g} {:<.3g}\n", m.growth_rate(),
                        in_hertz(m.frequency()), m.frequency(), damping_ratio(m).value_or(0), m.backward_error,
                        m.condition);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (!pairs[i].grows()) continue;
    text += fmt::format("\n{:.6g} Hz grows at {:.6g} 1/s. Energy comes from, and goes to [1/s]:\n ",
                        in_hertz(pairs[i].frequency()), pairs[i].growth_rate());
    std::string parts;
    for (const auto& [name, growth] : by_mechanism(setup, a.contributions[i]))
      parts += fmt::format("{}{} {:+.5g}", parts.empty() ? " " : ", ", name, growth);
    text += parts + "\n";
    std::string contacts;
    for (std::size_t k = 0; k < std::min(kShown, a.contributions[i].size()); ++k) {
      const Contribution& c = a.contributions[i][k];
      if (c.contact < setup.structure().contacts.size() && c.growth > 0)
        contacts += fmt::format("{}{} ({}) {:+.5g}", contacts.empty() ? "" : ", ", source_name(setup, c),
                                name_of(c.mechanism), c.growth);
    }
    if (!contacts.empty()) text += "  most at the contacts " + contacts + "\n";
    if (a.sensitivities[i].empty()) continue;
    text += "  what would silence it: change of the growth rate [1/s] for 1 % more, of angles one degree more\n";
    for (std::size_t k = 0; k < std::min(kShown, a.sensitivities[i].size()); ++k) {
      const Sensitivity& s = a.sensitivities[i][k];
      text += fmt::format("    {:<+12.5g} {} = {:.6g}\n", s.effect, s.parameter, s.value);
    }
  }
  return text;
}

Results structure_results(const StructureSetup& setup, const StructureAnswer& answer, const StabilityScan* scan,
                          const StabilityMap* map) {
  Json json = structure_json(setup, answer);
  add_sweep_json(json, setup.sweep(), scan, map);
  Results results{"stability", json.dump(2), structure_text(setup, answer) + sweep_text(setup.sweep(), scan, map)};
  results.files.emplace_back("modes.csv", modes_csv(answer));
  if (!setup.structure().contacts.empty())
    results.files.emplace_back("participation.csv", participation_csv(setup, answer));
  results.files.emplace_back("sensitivities.csv", sensitivities_csv(answer));
  results.late_files.emplace_back("modes.h5", [&setup, &answer] { return structure_hdf5(setup, answer); });
  for (const std::size_t i : modes_with_shapes(setup, answer))
    results.late_files.emplace_back(shape_file(i), [&mesh = *setup.mesh(), &mode = answer.spectrum.pairs[i]] {
      return mode_shape_vtk(mesh, mode_shape(mesh, mode.right));
    });
  std::vector<std::complex<double>> stable, growing;
  for (const Eigenpair& m : answer.spectrum.pairs) (m.grows() ? growing : stable).push_back(m.value);
  results.figures.push_back(eigenvalue_figure(setup.title(), stable, growing, setup.box()));
  results.figures.push_back(growth_figure(setup, answer));
  if (std::optional<Figure> contacts = participation_figure(setup, answer)) results.figures.push_back(*contacts);
  std::vector<Figure> figures;
  if (scan && scan->values.cols() > 0)
    figures = {mode_sweep_figure(*setup.sweep(), *scan), lock_in_figure(*setup.sweep(), *scan)};
  add_sweep_files(results, setup.sweep(), scan, map, std::move(figures));
  return results;
}

}  // namespace slipset
