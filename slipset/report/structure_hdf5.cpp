#include "slipset/report/structure_hdf5.hpp"

#include "slipset/core/angle.hpp"
#include "slipset/scenario/mode_file.hpp"

namespace slipset {
namespace {

// One number of each mode and contact.
void add_participation(Hdf5Writer& file, const std::string& name, const std::string& unit,
                       const StructureAnswer& answer, std::size_t contacts,
                       const std::function<double(const Participation&)>& number) {
  std::vector<double> values;
  std::vector<Hdf5Row> rows;
  values.reserve(answer.participation.size() * contacts);
  for (const std::vector<Participation>& mode : answer.participation) {
    rows.push_back({values.data() + values.size()});
    for (const Participation& p : mode) values.push_back(number(p));
  }
  file.add_table("participation/" + name, contacts, rows);
  file.add_attribute("participation/" + name, "unit", unit);
}

}  // namespace

std::string structure_hdf5(const StructureSetup& setup, const StructureAnswer& a) {
  Hdf5Writer file;
  add_modes(file, a.spectrum);
  std::vector<int> grows, multiplicity;
  for (std::size_t i = 0; i < a.spectrum.pairs.size(); ++i) {
    grows.push_back(a.spectrum.pairs[i].grows() ? 1 : 0);
    multiplicity.push_back(static_cast<int>(a.multiplicity[i]));
  }
  file.add_integers("grows", grows);
  file.add_integers("multiplicity", multiplicity);
  const SpectrumBox& box = setup.box();
  file.add_attribute("/", "title", setup.title());
  file.add_attribute("/", "box_band_hz",
                     std::vector<double>{box.frequency_from / (2 * kPi), box.frequency_to / (2 * kPi)});
  file.add_attribute("/", "box_growth", std::vector<double>{box.growth_from, box.growth_to});
  file.add_attribute("/", "dofs", static_cast<double>(setup.structure().dofs()));
  if (setup.structure().contacts.empty()) return file.bytes();
  std::vector<std::string> names;
  for (const StructureContact& contact : setup.structure().contacts) names.push_back(contact.name);
  file.add_texts("participation/contact", names);
  const auto add = [&](const std::string& name, const std::string& unit, const auto& number) {
    add_participation(file, name, unit, a, names.size(), number);
  };
  add("normal", "1", [](const Participation& p) { return p.normal; });
  add("tangential_1", "1", [](const Participation& p) { return p.tangential.x(); });
  add("tangential_2", "1", [](const Participation& p) { return p.tangential.y(); });
  add("growth", "1/s", [](const Participation& p) { return p.growth; });
  return file.bytes();
}

}  // namespace slipset
