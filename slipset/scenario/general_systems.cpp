// The general way in for small systems: any matrices and contacts.
#include <fmt/format.h>

#include "slipset/io/matrix_market.hpp"
#include "slipset/scenario/planar_kind.hpp"
#include "slipset/systems/linear_system.hpp"

namespace slipset {
namespace {

// Rows, or the name of a Matrix Market file.
MatrixX read_any_matrix(const TomlTable& t, std::string_view name, Eigen::Index size) {
  if (!t.has(name)) return MatrixX::Zero(size, size);
  if (t.is_text(name)) return t.located(name, [&] { return read_matrix_market(t.path(name)); });
  const auto rows = t.rows(name);
  MatrixX m(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(rows[0].size()));
  for (Eigen::Index i = 0; i < m.rows(); ++i)
    for (Eigen::Index j = 0; j < m.cols(); ++j)
      m(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  return m;
}

BuiltSystem build_linear(const TomlTable& t, const FrictionLaw& law) {
  if (!t.has("M"))
    t.fail("M", "missing; give the rows of the mass matrix, as in [[1, 0], [0, 1]], or a Matrix Market file");
  const MatrixX mass = read_any_matrix(t, "M", 0);
  const Eigen::Index n = mass.rows();
  std::vector<LinearContact> contacts;
  for (const TomlTable& c : t.tables("contacts")) {
    LinearContact contact{law, Eigen::MatrixX2d::Zero(n, 2), Vec2(0, 0), 0, {}, 0, 0};
    const auto tangents = c.rows("tangents");
    if (tangents.size() != 2 || static_cast<Eigen::Index>(tangents[0].size()) != n)
      c.fail("tangents", fmt::format("found {} rows of {}; expected two directions of {} numbers each", tangents.size(),
                                     tangents[0].size(), n));
    for (Eigen::Index k = 0; k < 2; ++k)
      contact.tangents.col(k) = Eigen::Map<const VectorX>(tangents[static_cast<std::size_t>(k)].data(), n);
    if (c.has("surface_velocity")) contact.surface_velocity = c.pair("surface_velocity");
    if (c.has("normal") == c.has("normal_force"))
      c.fail("give either normal (a contact that opens and closes) or normal_force (always closed)");
    if (c.has("normal")) contact.normal = c.vector("normal", n);
    if (c.has("normal_force")) {
      contact.normal_force = c.positive("normal_force");
      for (const char* key : {"gap", "restitution"})
        if (c.has(key)) c.fail(key, "is for a contact with a normal, which opens and closes; remove it");
    }
    contact.gap = c.number("gap");
    contact.restitution = c.number("restitution");
    contacts.push_back(std::move(contact));
  }
  if (contacts.empty()) t.fail("contacts", "found none; give at least one contact");
  const VectorX force = t.has("force") ? t.vector("force", n) : VectorX(VectorX::Zero(n));
  return {std::make_unique<LinearSystem>(mass, read_any_matrix(t, "D", n), read_any_matrix(t, "K", n), force,
                                         std::move(contacts)),
          {0, VectorX::Zero(n), VectorX::Zero(n)},
          std::nullopt};
}

}  // namespace

std::vector<SystemKind> general_systems() {
  return {belt_kind({"linear",
                     "any mass, damping and stiffness matrices, with any number of contacts",
                     {{"M", "", kRequired, "mass matrix: rows, or a Matrix Market file beside the scenario"},
                      {"D", "", kOptional, "damping matrix; zero"},
                      {"K", "", kOptional, "stiffness matrix; zero"},
                      {"force", "", kOptional, "constant; zero"},
                      {"contacts", "", kRequired, "a list of tables"},
                      {"contacts.tangents", "", kRequired, "two directions in the coordinates"},
                      {"contacts.normal_force", "N", kOptional, "of a contact that stays closed, or"},
                      {"contacts.normal", "", kOptional, "direction of one that opens and closes"},
                      {"contacts.surface_velocity", "m/s", kOptional, "[x, y] of the other surface; zero"},
                      {"contacts.gap", "m", 0.0, "of a contact with a normal, at q = 0"},
                      {"contacts.restitution", "", 0.0, "of impacts, 0 to 1"}}},
                    build_linear)};
}

}  // namespace slipset
