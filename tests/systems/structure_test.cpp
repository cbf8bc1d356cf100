// What a structure refuses, with words that say where and what to do.
#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <Eigen/SparseCore>

#include "slipset/laws/classical.hpp"
#include "slipset/systems/structure.hpp"
#include "tests/support/near.hpp"
#include "tests/support/refused.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

SparseMatrix sparse(const Eigen::MatrixXd& dense) { return dense.sparseView(); }

Structure one_node() {
  Structure s;
  s.mass = std::make_shared<SparseMatrix>(sparse(Eigen::Matrix3d::Identity()));
  s.stiffness = std::make_shared<SparseMatrix>(sparse(2 * Eigen::Matrix3d::Identity()));
  s.laws.push_back({"law", isotropic(0.3), {}});
  s.contacts.push_back({"corner", {0, 1, 2}, Vec3(0, 0, 1), Vec3(1, 0, 0), 5, 7, Vec2(1, 2), 0});
  return s;
}

// one_node() after a change, checked.
template <class Change>
Refused refused(const std::string& what, const std::string& says, const Change& change) {
  return {what,
          [=] {
            Structure s = one_node();
            change(s);
            require_valid(s);
          },
          says};
}

Refused refused_mass(const std::string& what, const std::string& says, const Eigen::MatrixXd& mass) {
  return refused(what, says, [=](Structure& s) { s.mass = std::make_shared<SparseMatrix>(sparse(mass)); });
}

}  // namespace

TEST_CASE("a structure refuses what is out of range, and says where and what to do") {
  Structure good = one_node();
  CHECK_NOTHROW(require_valid(good));
  Eigen::Matrix3d skewed = Eigen::Matrix3d::Identity(), indefinite = Eigen::Matrix3d::Identity(), broken = skewed;
  skewed(0, 2) = 1e-3;
  indefinite(0, 1) = indefinite(1, 0) = 2;
  broken(1, 1) = kNan;
  Eigen::Matrix3d massless = Eigen::Matrix3d::Identity();
  massless(2, 2) = 0;
  require_refused({
      refused_mass("not symmetric", "row 3, column 1 is 0, but row 1, column 3 is 0.001", skewed),
      refused_mass("indefinite", "not positive definite", indefinite),
      refused_mass("NaN", "row 2, column 2 is nan", broken),
      refused_mass("massless", "row 3, column 3 is 0", massless),
      refused_mass("not square", "2 x 3", Eigen::MatrixXd::Ones(2, 3)),
      refused("sizes", "2 x 2, and M is 3 x 3",
              [](Structure& s) { s.stiffness = std::make_shared<SparseMatrix>(sparse(Eigen::Matrix2d::Identity())); }),
      refused("too high a number", "ux is 3; the structure has the displacements 0 to 2",
              [](Structure& s) { s.contacts[0].displacements[0] = 3; }),
      refused("negative number", "uz is -1", [](Structure& s) { s.contacts[0].displacements[2] = -1; }),
      refused("twice the same", "ux and uy are both 0", [](Structure& s) { s.contacts[0].displacements[1] = 0; }),
      refused("long normal", "has the length 1.0001", [](Structure& s) { s.contacts[0].normal = Vec3(0, 0, 1.0001); }),
      refused("NaN normal", "has the length nan", [](Structure& s) { s.contacts[0].normal = Vec3(0, 0, kNan); }),
      refused("tilted tangent", "not orthogonal",
              [](Structure& s) { s.contacts[0].first_tangent = Vec3(0.8, 0, 0.6); }),
      refused("stiffness", "the stiffness is -1", [](Structure& s) { s.contacts[0].stiffness = -1; }),
      refused("preload", "the force is nan", [](Structure& s) { s.contacts[0].preload = kNan; }),
      refused("no slip", "leave out contacts that stick", [](Structure& s) { s.contacts[0].slip = Vec2(0, 0); }),
      refused("no law", "its law is number 1 of 1", [](Structure& s) { s.contacts[0].law = 1; }),
      refused("speed 0", "coefficient times speed",
              [](Structure& s) {
                s.speed = 0;
                s.terms.push_back({"A", s.stiffness, TermPlace::damping, 1, -1});
              }),
      refused("negative mass with a term", "M with its terms: row 1, column 1",
              [](Structure& s) {
                s.terms.push_back({"A", s.mass, TermPlace::mass, -2, 0});
              }),
      refused("elastic", "use LuGre",
              [](Structure& s) {
                s.laws[0].law = isotropic(0.3).with_elastic(Adhesion{1, 1, 0});
              }),
  });
}

TEST_CASE("a normal and a tangent as files round them are made exact") {
  Structure s = one_node();
  s.contacts[0].normal = Vec3(0.6, 0, 0.8) * (1 + 4e-7);
  s.contacts[0].first_tangent = Vec3(0.8, 3e-7, -0.6);
  require_valid(s);
  const auto t = s.contacts[0].tangents();
  CHECK(s.contacts[0].normal.norm() == near(1, 3e-16));
  CHECK((t.transpose() * t - Eigen::Matrix2d::Identity()).norm() == within(0, 5e-16));
  CHECK((t.transpose() * s.contacts[0].normal).norm() == within(0, 3e-16));
  CHECK(s.contacts[0].normal.cross(t.col(0)).dot(t.col(1)) == near(1, 1e-15));
}
