#include "slipset/io/problem_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>

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

namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& what) {
  throw InvalidInput(fmt::format("{}: {}", path.string(), what));
}

internal::ProblemParts parts_for(const std::filesystem::path& path, const ContactProblem& problem) {
  try {
    return internal::parts_of(problem);
  } catch (const InvalidInput& error) {
    fail(path, error.what());
  }
}

void write_fclib(const std::filesystem::path& path, const ContactProblem& problem, const std::string& title,
                 const FiledSolution* solution) {
  const internal::ProblemParts parts = parts_for(path, problem);
  if (parts.dimension == 5 && !parts.global)
    fail(path, "FCLib has rolling friction in global problems only (M and H); write .dat");
  write_file(path, internal::fclib_bytes(problem, parts, title, solution));
}

}  // namespace

void write_problem(const std::filesystem::path& path, const ContactProblem& problem, const FiledSolution& solution,
                   const std::string& title) {
  const std::string ending = path.extension().string();
  if (ending != ".hdf5" && ending != ".h5") fail(path, "contact problems with a solution are written as .hdf5");
  write_fclib(path, problem, title, &solution);
}

void write_problem(const std::filesystem::path& path, const ContactProblem& problem, const std::string& title) {
  const std::string ending = path.extension().string();
  if (ending != ".dat" && ending != ".hdf5" && ending != ".h5")
    fail(path, "contact problems are written as .dat or .hdf5");
  if (ending != ".dat") return write_fclib(path, problem, title, nullptr);
  const internal::ProblemParts parts = parts_for(path, problem);
  if (parts.s.size() > 0) fail(path, "joints, which a .dat file cannot store; write .hdf5");
  for (std::size_t i = 0; i < problem.contacts.size(); ++i)
    if (!cone_of(problem.contacts[i]))
      fail(path,
           fmt::format("contact {} is not isotropic, or has a given normal impulse, which a .dat file cannot store; "
                       "write .hdf5",
                       i));
  write_file(path, internal::siconos_dat(parts));
}

}  // namespace slipset
