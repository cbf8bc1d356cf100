// Structures beside the small systems: the same eigenvalues and mechanisms by a second route, whatever the laws.
#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <Eigen/QR>
#include <Eigen/SparseCore>
#include <map>

#include "slipset/laws/classical.hpp"
#include "slipset/stability/refine_eigenpair.hpp"
#include "slipset/stability/sensitivity.hpp"
#include "tests/support/near.hpp"
#include "tests/support/random_laws.hpp"

using namespace slipset;
using namespace slipset::test;

namespace {

using Complex = std::complex<double>;
using Index = Eigen::Index;

const SpectrumBox kAll{-1e12, 1e12, 0, 1e12};

MatrixX random_matrix(Random& random, Index n) {
  MatrixX a(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) a(i, j) = random.uniform(-1, 1);
  return a;
}

SharedMatrix shared_matrix(const MatrixX& a) { return std::make_shared<SparseMatrix>(a.sparseView()); }

Vec3 random_unit(Random& random) {
  return Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)).normalized();
}

// Some nodes with springs and dampers between all of them, a term, contacts that share a law or have their own. All laws
// have the same LuGre model, or none: the small systems know one.
Structure random_structure(Random& random, std::optional<LuGre> lugre) {
  const Index n = 3 * random.integer(2, 4);
  const MatrixX a = random_matrix(random, n), b = random_matrix(random, n), c = random_matrix(random, n);
  Structure s;
  s.mass = shared_matrix(a * a.transpose() / static_cast<double>(n) + MatrixX::Identity(n, n));
  s.stiffness = shared_matrix(40 * (b * b.transpose() + MatrixX::Identity(n, n)) + 3 * c);
  s.damping = shared_matrix(0.1 * c * c.transpose() + 0.3 * a);
  s.rayleigh_mass = 0.1;
  s.rayleigh_stiffness = 1e-3;
  s.speed = 3;
  s.terms.push_back({"A", shared_matrix(b), TermPlace::damping, 0.05, 1});
  s.terms.push_back({"B", shared_matrix(c), TermPlace::stiffness, 2, -1});
  s.terms.push_back({"C", shared_matrix(b * b.transpose()), TermPlace::mass, 0.02, 2});
  s.friction_factor = 0.8;
  s.stiffness_factor = 1.5;
  s.preload_factor = 0.5;
  const int contacts = random.integer(1, 3);
  while (static_cast<int>(s.contacts.size()) < contacts) {
    FrictionLaw law = random_law(random);
    if (random.coin())
      law = law.with_stribeck({random.uniform(0.8, 2), random.uniform(0.2, 2), 0.1 * random.integer(0, 1)});
    StructureContact contact;
    contact.name = std::to_string(s.contacts.size());
    const Index node = 3 * random.integer(0, static_cast<int>(n / 3) - 1);
    contact.displacements = {node, node + 2, node + 1};  // in no particular order
    contact.normal = random_unit(random);
    contact.first_tangent = contact.normal.cross(random_unit(random)).normalized();
    contact.stiffness = random.uniform(1, 50);
    contact.preload = random.uniform(1, 10);
    contact.slip = random.uniform(0.2, 2) * unit(random.uniform(0, 7));
    contact.law = s.laws.size();
    if (!slip_jacobian(law, contact.slip)) continue;
    s.laws.push_back({contact.name, law, lugre});
    s.contacts.push_back(contact);
  }
  require_valid(s);
  return s;
}

// The same as a small system: forces instead of blocks.
class SmallStructure : public System {
 public:
  explicit SmallStructure(const Structure& s) : s_(s), force_(VectorX::Zero(s.dofs())) {
    mass_ = MatrixX(*s.mass) + s.factor_of(s.terms[2]) * MatrixX(*s.terms[2].matrix);
    stiffness_ = MatrixX(*s.stiffness) + s.factor_of(s.terms[1]) * MatrixX(*s.terms[1].matrix);
    damping_ = MatrixX(*s.damping) + s.rayleigh_mass * MatrixX(*s.mass) + s.rayleigh_stiffness * MatrixX(*s.stiffness) +
               s.factor_of(s.terms[0]) * MatrixX(*s.terms[0].matrix);
    for (const StructureContact& c : s.contacts) {
      const FrictionLaw law = law_with_factor(s.laws[c.law].law, s.friction_factor);
      contacts_.push_back({c.name, std::make_shared<PlanarContactLaw>(law), false, 0});
      Vec2 resistance = slip_resistance(law, c.slip);
      if (s.laws[c.law].lugre) resistance += s.laws[c.law].lugre->sigma2 * c.slip;
      force_ -= s.preload_factor * c.preload * rows(c) * (c.normal - c.tangents() * resistance);
    }
  }

  Index dofs() const override { return s_.dofs(); }
  const std::vector<SystemContact>& contacts() const override { return contacts_; }
  void evaluate(double, const VectorX& q, const VectorX& u, SystemAt& at) const override {
    at.mass = mass_;
    at.force = force_ - stiffness_ * q - damping_ * u;
    for (std::size_t i = 0; i < s_.contacts.size(); ++i) {
      const StructureContact& c = s_.contacts[i];
      const VectorX normal = rows(c) * c.normal;
      const double pressed = s_.preload_factor * c.preload - s_.stiffness_factor * c.stiffness * normal.dot(q);
      at.force += pressed * normal;
      at.contacts[i].normal_force = pressed;
      at.contacts[i].tangents = rows(c) * c.tangents();
      at.contacts[i].surface_velocity = -c.slip;
    }
    at.potential_force.setZero();
  }

 private:
  MatrixX rows(const StructureContact& c) const {
    MatrixX r = MatrixX::Zero(s_.dofs(), 3);
    for (Index i = 0; i < 3; ++i) r(c.displacements[static_cast<std::size_t>(i)], i) = 1;
    return r;
  }

  const Structure& s_;
  VectorX force_;
  MatrixX mass_, stiffness_, damping_;
  std::vector<SystemContact> contacts_;
};

Spectrum all_modes(const Structure& s) { return eigenvalues_in_box_dense(linearize_structure(s).problem(), kAll); }

// The nearest eigenvalue's distance, over its size.
double distance(const Spectrum& spectrum, Complex value) {
  double least = INFINITY;
  for (const Eigenpair& pair : spectrum.pairs)
    if (const double off = std::abs(pair.value - value); !(off >= least)) least = off;
  return least / std::abs(value);
}

using Parts = std::map<std::pair<std::size_t, Mechanism>, double>;
Parts parts_of(const std::vector<Contribution>& list, std::size_t contacts) {
  Parts parts;
  for (const Contribution& c : list) parts[{std::min(c.contact, contacts), c.mechanism}] += c.growth;
  return parts;
}

}  // namespace

TEST_CASE("F.13, F.14 a structure has the eigenvalues and the contributions of the same small system") {
  for (const bool bristles : {false, true}) {
    Random random(bristles ? 7 : 8);
    Worst eigenvalues, contribution, sum;
    int falling = 0;
    for (int i = 0; i < 40; ++i) {
      std::optional<LuGre> lugre;
      if (bristles) lugre = LuGre{random.uniform(5, 50), random.uniform(0, 0.1), random.uniform(0, 0.2)};
      const Structure s = random_structure(random, lugre);
      LinearizeOptions options;
      options.lugre = lugre;
      const LinearSliding small = linearize_sliding(SmallStructure(s), options);
      REQUIRE(small.report.converged);
      const StructureSliding sliding = linearize_structure(s);
      const Spectrum spectrum = eigenvalues_in_box_dense(sliding.problem(), kAll);
      REQUIRE(spectrum.report.complete);
      std::size_t expected = 0;
      for (const Mode& mode : modes_of(small)) {
        if (mode.value.imag() < 0) continue;
        ++expected;
        eigenvalues.add(distance(spectrum, mode.value));
        for (const Eigenpair& pair : spectrum.pairs) {
          if (std::abs(pair.value - mode.value) > 1e-10 * std::abs(mode.value)) continue;
          const Parts known = parts_of(contributions(small, mode), s.contacts.size()),
                      found = parts_of(contributions(sliding, pair), s.contacts.size());
          double total = 0;
          for (const auto& [key, growth] : found) {
            const auto other = known.find(key);
            contribution.add(std::abs(growth - (other == known.end() ? 0 : other->second)) / std::abs(mode.value));
            falling += key.second == Mechanism::characteristic;
            total += growth;
          }
          if (!found.empty()) sum.add(std::abs(total - pair.value.real()) / std::abs(pair.value));
        }
      }
      CHECK(spectrum.pairs.size() == expected);
    }
    INFO("bristles ", bristles);
    show_worst("structure", "eigenvalues", eigenvalues.value());
    show_worst("structure", "contributions", contribution.value());
    show_worst("structure", "their sum", sum.value());
    CHECK(eigenvalues.value() < 1e-10);
    CHECK(contribution.value() < 1e-8);
    CHECK(sum.value() < 1e-10);
    CHECK(bristles == (falling == 0));
  }
}

TEST_CASE("a structure that is turned in space, or whose rows are in another order, has the same modes") {
  Random random(3);
  Worst turned_off, permuted_off;
  for (int i = 0; i < 10; ++i) {
    const Structure s = random_structure(random, i % 2 ? std::optional(LuGre{20, 0.05, 0.1}) : std::nullopt);
    const Spectrum modes = all_modes(s);
    const Index n = s.dofs();
    const Eigen::Matrix3d turn = Eigen::AngleAxisd(random.uniform(0, 6), random_unit(random)).toRotationMatrix();
    MatrixX turns = MatrixX::Zero(n, n);
    std::vector<Index> order(static_cast<std::size_t>(n));
    for (Index k = 0; k < n; ++k) order[static_cast<std::size_t>(k)] = n - 1 - k;
    MatrixX exchange = MatrixX::Identity(n, n).rowwise().reverse();
    for (Index k = 0; k < n; k += 3) turns.block<3, 3>(k, k) = turn;
    const auto changed = [&](const MatrixX& by) {
      Structure other = s;
      const auto with = [&](const SharedMatrix& a) { return shared_matrix(by * MatrixX(*a) * by.transpose()); };
      other.mass = with(s.mass);
      other.stiffness = with(s.stiffness);
      other.damping = with(s.damping);
      for (StructureTerm& term : other.terms) term.matrix = with(term.matrix);
      return other;
    };
    Structure rotated = changed(turns), reversed = changed(exchange);
    for (StructureContact& c : rotated.contacts) {
      // Its displacements are in another order: node, node + 2, node + 1.
      const Eigen::Matrix3d swap = (Eigen::Matrix3d() << 1, 0, 0, 0, 0, 1, 0, 1, 0).finished();
      c.normal = swap * turn * swap * c.normal;
      // A reflection on both sides is a rotation: t2 = n × t1 turns along.
      c.first_tangent = swap * turn * swap * c.first_tangent;
    }
    for (StructureContact& c : reversed.contacts)
      for (Index& k : c.displacements) k = n - 1 - k;
    for (const Eigenpair& pair : modes.pairs) {
      turned_off.add(distance(all_modes(rotated), pair.value));
      permuted_off.add(distance(all_modes(reversed), pair.value));
    }
  }
  show_worst("structure", "turned", turned_off.value());
  CHECK(turned_off.value() < 1e-11);
  CHECK(permuted_off.value() < 1e-11);
}

TEST_CASE("F.16 derivatives of eigenvalues are those of eigenvalues that are solved again") {
  Random random(5);
  Worst off;
  for (int i = 0; i < 12; ++i) {
    const Structure s = random_structure(random, i % 2 ? std::optional(LuGre{20, 0.05, 0.1}) : std::nullopt);
    std::vector<StructureParameter> parameters;
    const auto add = [&](const std::string& name, double value, const std::function<void(Structure&, double)>& set) {
      parameters.push_back({name, "", value, false, [s, set](double x) {
                              Structure changed = s;
                              set(changed, x);
                              return changed;
                            }});
    };
    add("friction", s.friction_factor, [](Structure& c, double x) { c.friction_factor = x; });
    add("stiffness", s.stiffness_factor, [](Structure& c, double x) { c.stiffness_factor = x; });
    add("preload", s.preload_factor, [](Structure& c, double x) { c.preload_factor = x; });
    add("rayleigh mass", s.rayleigh_mass, [](Structure& c, double x) { c.rayleigh_mass = x; });
    add("rayleigh stiffness", s.rayleigh_stiffness, [](Structure& c, double x) { c.rayleigh_stiffness = x; });
    add("speed", s.speed, [](Structure& c, double x) { c.speed = x; });
    add("coefficient", s.terms[1].coefficient, [](Structure& c, double x) { c.terms[1].coefficient = x; });
    add("slip", s.contacts[0].slip.x(), [](Structure& c, double x) { c.contacts[0].slip.x() = x; });
    add("angle", 0, [](Structure& c, double x) { c.laws[0].law = c.laws[0].law.turned(x / 100); });
    if (s.laws[0].lugre) add("sigma0", 20, [](Structure& c, double x) { c.laws[0].lugre->sigma0 = x; });
    const StructureSliding sliding = linearize_structure(s);
    const StructureSensitivities sensitivities(sliding, parameters);
    CHECK(sensitivities.skipped().empty());
    const Spectrum spectrum = eigenvalues_in_box_dense(sliding.problem(), kAll);
    const std::vector<std::vector<Sensitivity>> of_modes = sensitivities.of(spectrum.pairs);
    for (std::size_t m = 0; m < spectrum.pairs.size(); ++m) {
      const Eigenpair& mode = spectrum.pairs[m];
      if (mode.condition > 100) continue;  // two that nearly meet: the derivative holds for smaller steps only
      const std::vector<Sensitivity>& all = of_modes[m];
      CHECK(all.size() == parameters.size());
      for (const Sensitivity& found : all) {
        const auto p = std::find_if(parameters.begin(), parameters.end(),
                                    [&](const StructureParameter& q) { return q.name == found.parameter; });
        const double h = 1e-4 * (p->value != 0 ? std::abs(p->value) : 1);
        const auto at = [&](double x) {
          Eigenpair moved = mode;
          REQUIRE(refine_eigenpair(linearize_structure(p->at(x)).problem(), moved, 0.1 * std::abs(mode.value)));
          return moved.value;
        };
        const auto difference = [&](double step) { return (at(p->value + step) - at(p->value - step)) / (2 * step); };
        const Complex expected = (4.0 * difference(h) - difference(2 * h)) / 3.0;
        const double size = std::abs(mode.value) / (p->value != 0 ? std::abs(p->value) : 1);
        off.add(std::abs(found.derivative - expected) / size);
      }
      for (std::size_t k = 1; k < all.size(); ++k) CHECK(std::abs(all[k].effect) <= std::abs(all[k - 1].effect));
    }
  }
  show_worst("structure", "derivatives", off.value());
  CHECK(off.count() > 500);
  CHECK(off.value() < 1e-7);
}

TEST_CASE("F.16 derivatives of a double eigenvalue: those of the modes that it splits into") {
  const auto matrix = [](const MatrixX& dense) { return shared_matrix(dense); };
  Structure s;
  s.mass = matrix(MatrixX::Identity(3, 3));
  s.stiffness = matrix(Vec3(100, 100, 400).asDiagonal());
  s.rayleigh_mass = 0.2;
  MatrixX gyroscopic = MatrixX::Zero(3, 3), coupling = MatrixX::Zero(3, 3);
  gyroscopic(0, 1) = 1;
  gyroscopic(1, 0) = -1;
  coupling(0, 1) = coupling(1, 0) = coupling(2, 2) = 1;
  s.speed = 0;
  s.terms = {{"G", matrix(gyroscopic), TermPlace::damping, 1, 1}, {"T", matrix(coupling), TermPlace::stiffness, 0, 0}};
  const StructureSliding sliding = linearize_structure(s);
  const StructureSensitivities sensitivities(sliding, {{"speed", "", 0, false,
                                                        [&](double x) {
                                                          Structure changed = s;
                                                          changed.speed = x;
                                                          return changed;
                                                        }},
                                                       {"coupling", "", 0, false, [&](double x) {
                                                          Structure changed = s;
                                                          changed.terms[1].coefficient = x;
                                                          return changed;
                                                        }}});
  const Spectrum spectrum = eigenvalues_in_box_dense(sliding.problem(), {-1, 1, 0, 15});
  REQUIRE(spectrum.pairs.size() == 2);
  const auto all = sensitivities.of(spectrum.pairs);
  const auto derivative = [&](std::size_t mode, const std::string& name) {
    for (const Sensitivity& one : all[mode])
      if (one.parameter == name) return one.derivative;
    return Complex(NAN, NAN);
  };
  // λ² + 0.2λ + 100 ± iwλ = 0 and λ² + 0.2λ + 100 ± c = 0.
  const Complex value = spectrum.pairs[0].value, by_speed = Complex(0, 1) * value / (2.0 * value + 0.2),
                by_coupling = 1.0 / (2.0 * value + 0.2);
  for (const auto& [name, expected] : {std::pair{"speed", by_speed}, {"coupling", by_coupling}}) {
    const Complex first = derivative(0, name), second = derivative(1, name);
    CHECK(std::min(std::abs(first - expected), std::abs(first + expected)) < 1e-9 * std::abs(expected));
    CHECK(std::abs(first + second) < 1e-9 * std::abs(expected));
  }
}

TEST_CASE("steady sliding far from zero, held by nothing but a normal force that depends on the position") {
  // N = 1 + q², 0.5 N = 2.5 at q = 2, of stiffness -2; no spring.
  class Wedge : public System {
   public:
    Wedge() { contacts_.push_back({"wedge", std::make_shared<PlanarContactLaw>(isotropic(0.5)), false, 0}); }
    Index dofs() const override { return 1; }
    const std::vector<SystemContact>& contacts() const override { return contacts_; }
    void evaluate(double, const VectorX& q, const VectorX&, SystemAt& at) const override {
      at.mass.setIdentity();
      at.force.setConstant(-2.5);
      at.contacts[0].normal_force = 1 + q[0] * q[0];
      at.contacts[0].tangents = Eigen::RowVector2d(1, 0);
      at.contacts[0].surface_velocity = Vec2(1, 0);
      at.potential_force.setZero();
    }

   private:
    std::vector<SystemContact> contacts_;
  };
  LinearizeOptions options;
  options.guess = VectorX::Constant(1, 1.5);
  const LinearSliding sliding = linearize_sliding(Wedge(), options);
  INFO(sliding.report.why);
  REQUIRE(sliding.report.converged);
  CHECK(sliding.position[0] == near(2, 1e-9));
  CHECK(sliding.stiffness(0, 0) == near(-2, 1e-6));
}

TEST_CASE("a law without a derivative, a structure that nothing holds and an empty box are refused") {
  Random random(2);
  Structure s = random_structure(random, std::nullopt);
  CHECK_NOTHROW(require_held(linearize_structure(s).problem()));
  Structure flat = s;
  flat.laws[0].law = FrictionLaw(Rectangle(0.3, 0.2), Rectangle(0.3, 0.2));
  flat.contacts[0].slip = Vec2(1, 0);
  CHECK_THROWS_WITH_AS(linearize_structure(flat), doctest::Contains("turn the slip a little"), InvalidInput);
  Structure loose = s;
  const MatrixX k = *s.stiffness;
  MatrixX singular = k;
  singular.row(4) = singular.row(3);  // two equal rows
  loose.stiffness = shared_matrix(singular);
  loose.terms.clear();
  loose.contacts.clear();
  CHECK_THROWS_WITH_AS(require_held(linearize_structure(loose).problem()), doctest::Contains("singular"), InvalidInput);
  CHECK_THROWS_AS(eigenvalues_in_box_dense(linearize_structure(s).problem(), {1, 0, 0, 1}), InvalidInput);
}
