#include "slipset/systems/system.hpp"

#include <fmt/format.h>

#include <cmath>

#include "slipset/contact/line_contact_law.hpp"
#include "slipset/systems/internal/dense_step.hpp"

namespace slipset {

SystemAt sized_for(const System& system) {
  const Eigen::Index n = system.dofs();
  if (n < 0) throw InvalidInput(fmt::format("a system has {} degrees of freedom", n));
  for (const SystemContact& c : system.contacts()) {
    if (c.law && c.other_law)
      throw InvalidInput(fmt::format("contact \"{}\" has a law and another law; leave one of them out", c.name));
    if (const ContactLaw* law = c.other_law.get()) {
      if (law->rows() < 1 || law->rows() > kMostRows)
        throw InvalidInput(
            fmt::format("contact \"{}\": its law has {} rows; a contact has 1 to {}", c.name, law->rows(), kMostRows));
      if (law->rows() == 1 && dynamic_cast<const LineContactLaw*>(law))
        throw InvalidInput(fmt::format(
            "contact \"{}\": its law has no row for the normal direction, which the first of a contact of a system is; "
            "use LineContactLaw::Rows::normal_and_line",
            c.name));
    }
    if (!(c.restitution >= 0 && c.restitution <= 1))
      throw InvalidInput(
          fmt::format("contact \"{}\": restitution is {}; it must be from 0 to 1", c.name, c.restitution));
  }
  SystemAt at;
  at.mass = MatrixX::Zero(n, n);
  at.force = VectorX::Zero(n);
  at.potential_force = VectorX::Zero(n);
  at.contacts.resize(system.contacts().size());
  for (ContactAt& contact : at.contacts) {
    contact.normal = VectorX::Zero(n);
    if (system.has_steady_surfaces()) contact.surface_normal_velocity = 0;
    contact.tangents = Eigen::MatrixX2d::Zero(n, 2);
  }
  for (std::size_t i = 0; i < at.contacts.size(); ++i)
    if (const ContactLaw* law = system.contacts()[i].other_law.get())
      at.contacts[i].other_directions = MatrixX::Zero(n, law->rows() - 1);
  return at;
}

void require_fit(const System& system, const State& state) {
  if (state.q.size() != system.positions() || state.u.size() != system.dofs())
    throw InvalidInput(fmt::format("the start has {} positions and {} velocities; the system has {} and {}",
                                   state.q.size(), state.u.size(), system.positions(), system.dofs()));
  if (!state.q.allFinite() || !state.u.allFinite() || !std::isfinite(state.t))
    throw InvalidInput("the start must be finite");
}

void require_filled(const System& system, const SystemAt& at) {
  const Eigen::Index n = system.dofs();
  const auto check = [&](const std::string& what, const auto& m, Eigen::Index rows, Eigen::Index columns) {
    if (m.rows() != rows || m.cols() != columns)
      throw InvalidInput(fmt::format("evaluate() left {} with {} x {} numbers; the system needs {} x {}", what,
                                     m.rows(), m.cols(), rows, columns));
    if (!m.allFinite()) throw InvalidInput(fmt::format("evaluate() left numbers in {} that are not finite", what));
  };
  check("mass", at.mass, n, n);
  check("force", at.force, n, 1);
  check("potential_force", at.potential_force, n, 1);
  const std::vector<SystemContact>& contacts = system.contacts();
  if (at.contacts.size() != contacts.size())
    throw InvalidInput(
        fmt::format("evaluate() left {} contacts; the system has {}", at.contacts.size(), contacts.size()));
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const ContactAt& c = at.contacts[i];
    const auto of = [&](const char* what) { return fmt::format("{} of contact \"{}\"", what, contacts[i].name); };
    check(of("surface_velocity"), c.surface_velocity, 2, 1);
    if (contacts[i].unilateral) {
      check(of("normal"), c.normal, n, 1);
      if (!std::isfinite(c.gap)) throw InvalidInput(fmt::format("evaluate(): {} is not finite", of("gap")));
      if (std::isinf(c.surface_normal_velocity))
        throw InvalidInput(fmt::format("evaluate(): {} is infinite", of("surface_normal_velocity")));
    } else if (!(c.normal_force >= 0 && std::isfinite(c.normal_force))) {
      throw InvalidInput(fmt::format("evaluate(): {} is {}; it presses, so it must be 0 or above", of("normal_force"),
                                     c.normal_force));
    }
    if (contacts[i].other_law)
      check(of("other_directions"), c.other_directions, n, contacts[i].other_law->rows() - 1);
    else if (contacts[i].law)
      check(of("tangents"), c.tangents, n, 2);
  }
}

std::vector<std::string> System::coordinates() const {
  std::vector<std::string> names;
  for (Eigen::Index i = 0; i < positions(); ++i) names.push_back(fmt::format("q{}", i + 1));
  return names;
}

State System::start() const { return {0, VectorX::Zero(positions()), VectorX::Zero(dofs())}; }

std::unique_ptr<SystemStep> System::make_step() const { return internal::make_dense_step(*this); }

ContactOptions System::contact_options() const { return {}; }

}  // namespace slipset
