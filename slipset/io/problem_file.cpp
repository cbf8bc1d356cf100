#include "slipset/io/problem_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "slipset/contact/block_delassus.hpp"
#include "slipset/contact/contact_measures.hpp"
#include "slipset/contact/planar_contact_law.hpp"
#include "slipset/io/files.hpp"
#include "slipset/io/internal/fclib_file.hpp"
#include "slipset/io/internal/siconos_dat.hpp"

namespace slipset {

ProblemFile read_problem(const std::filesystem::path& path) { return parse_problem(read_file(path), path.string()); }

ProblemFile parse_problem(const std::string& content, const std::string& name) {
  return content.starts_with("\x89HDF\r\n\x1a\n") ? internal::parse_fclib(content, name)
                                                  : internal::parse_siconos_dat(content, name);
}

void set_isotropic_laws(ContactProblem& problem, const std::vector<double>& coefficients) {
  std::map<double, std::shared_ptr<const PlanarContactLaw>> laws;
  problem.contacts.assign(coefficients.size(), {});
  for (std::size_t i = 0; i < coefficients.size(); ++i) {
    const double mu = coefficients[i];
    if (!(mu >= 0))
      throw InvalidInput(fmt::format("contact {}: a friction coefficient of {}; expected 0 or more", i, mu));
    if (mu == 0) continue;
    auto& law = laws[mu];
    if (!law) law = std::make_shared<const PlanarContactLaw>(FrictionLaw(Disk(mu), Disk(mu)));
    problem.contacts[i].law = law.get();
  }
  for (auto& [mu, law] : laws) problem.owned.push_back(std::move(law));
}

void write_problem(const std::filesystem::path& path, const ContactProblem& given, const std::string& title) {
  for (std::size_t i = 0; i < given.contacts.size(); ++i)
    if (given.delassus->rows(i) != 3 || (given.contacts[i].law && !given.contacts[i].law->as_planar()))
      throw InvalidInput(
          fmt::format("{}: contact {} has {} rows and a law other than sliding, which these file formats cannot store",
                      path.string(), i, given.delassus->rows(i)));
  ContactProblem problem = assembled(given);
  if (!problem.delassus) problem.delassus = std::make_shared<BlockDelassus>();  // no contacts
  const std::string ending = path.extension().string();
  if (ending == ".dat") {
    std::vector<double> coefficients;
    for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
      const Contact& contact = problem.contacts[i];
      const std::optional<FrictionCone> cone = cone_of(contact);
      if (!cone)
        throw InvalidInput(fmt::format("{}: contact {} is not isotropic, which a .dat file cannot store; write .hdf5",
                                       path.string(), i));
      coefficients.push_back(cone->sliding);
    }
    write_file(path, internal::siconos_dat(problem, coefficients));
  } else if (ending == ".hdf5" || ending == ".h5") {
    write_file(path, internal::fclib_bytes(problem, title));
  } else {
    throw InvalidInput(fmt::format("{}: contact problems are written as .dat or .hdf5", path.string()));
  }
}

}  // namespace slipset
