// The certificates of the library of contact problems: they hold, catch what was tampered with, and anybody can check them.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "problems/certify.hpp"
#include "problems/measure.hpp"
#include "slipset/contact/mass_delassus.hpp"
#include "slipset/core/error.hpp"
#include "slipset/io/files.hpp"
#include "slipset/io/hdf5_file.hpp"
#include "tests/support/near.hpp"
#include "tests/support/run_program.hpp"

using namespace slipset;
using namespace slipset::problems;
using namespace slipset::test;

namespace {

using Vector = Eigen::VectorXd;

const Recipe& recipe_of(const std::string& name) {
  static const std::vector<Recipe> all = all_recipes();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Recipe& r) { return r.name == name; });
  REQUIRE_MESSAGE(found != all.end(), name);
  return *found;
}

// Every form and law, with joints and without, with slip and stick.
constexpr std::array kSolved = {
    "pile-4-elliptic",    "pile-8-rolling",   "pile-20-superelliptic-moving", "arch-7-isotropic",
    "chute-4x1-elliptic", "snake-4-elliptic", "pad-6x4x2-nonconvex-fast",     "gripper-hold-ball-3-superelliptic"};
constexpr std::array kWithout = {"gripper-ball-2-isotropic", "gripper-ball-3-elliptic",
                                 "gripper-ball-4-nonconvex", "gripper-box-2-superelliptic",
                                 "gripper-press-3-elliptic", "gripper-weld-superelliptic"};

struct Written {
  TemporaryFolder folder;
  Certificate certificate;
  std::filesystem::path path;

  explicit Written(const std::string& name) {
    certificate = write_certified(recipe_of(name), folder.path());
    path = folder.path() / (name + ".hdf5");
  }
};

double error_of(const RawProblem& problem, const Vector& impulse) { return measure(problem, impulse, {}).error; }

}  // namespace

TEST_CASE("there are sixty problems, in seven families, by five kinds of laws") {
  std::set<std::string> names, families, laws;
  for (const Recipe& recipe : all_recipes()) {
    names.insert(recipe.name);
    families.insert(recipe.family);
    laws.insert(recipe.law);
    CHECK((recipe.name + recipe.about).find(',') == std::string::npos);
  }
  CHECK(names.size() == 60);
  CHECK(all_recipes().size() == 60);
  CHECK(families.size() == 7);
  CHECK(laws == std::set<std::string>{"isotropic", "elliptic", "superelliptic", "nonconvex", "rolling"});
}

TEST_CASE("P.1 a written solution is one, by numbers of the file alone") {
  for (const char* name : kSolved) {
    CAPTURE(std::string(name));
    const Written written(name);
    CHECK(written.certificate.status == "solved");
    const RawProblem raw = read_raw_problem(written.path);
    REQUIRE(raw.impulse.size() == raw.q.size());
    const Measured measured = measure(raw, raw.impulse, raw.velocity);
    CHECK(measured.error <= kCertified);
    CHECK(measured.equation <= kCertified);
    CHECK(measured.error == written.certificate.error);
    CHECK(measured.defects.size() == raw.laws.size());
    const Hdf5Reader file(written.path);
    CHECK(file.column("slipset/certificate/defect") == measured.defects);
    CHECK(file.text("slipset/certificate", "status") == "solved");
    CHECK(file.number("slipset/certificate", "error") == measured.error);
    CHECK(file.number("slipset/certificate", "residual") <= kCertified);
    CHECK(file.has("solution/l") == (written.certificate.joint_rows > 0));
    CHECK(file.has("solution/v") == (written.certificate.form != "local"));
    // A problem with its solution is still the problem.
    const ProblemFile read = read_problem(written.path);
    CHECK(read.problem.contacts.size() >= raw.laws.size());
    if (const auto* const masses = dynamic_cast<const MassDelassus*>(read.problem.delassus.get())) {
      const std::vector<double> v = file.column("solution/v");
      const Vector masses_move = Eigen::Map<const Vector>(v.data(), static_cast<Eigen::Index>(v.size()));
      const Vector u = masses->contact_velocity(masses_move) + read.problem.free_velocity;
      CHECK((u - raw.velocity).norm() < 1e-11 * raw.q.norm());
    }
  }
}

TEST_CASE("P.1 has teeth: a tampered solution is none") {
  for (const char* name : kSolved) {
    CAPTURE(std::string(name));
    const Written written(name);
    RawProblem raw = read_raw_problem(written.path);
    const double honest = error_of(raw, raw.impulse);
    // Any impulse that carries something, by a millionth.
    Worst least;
    for (Eigen::Index k = 0; k < raw.impulse.size(); ++k) {
      if (std::abs(raw.impulse[k]) < 1e-3 * raw.impulse.lpNorm<Eigen::Infinity>()) continue;
      Vector wrong = raw.impulse;
      wrong[k] *= 1 + 1e-6;
      least.add(-error_of(raw, wrong));
    }
    CHECK(-least.value() > 1e-9);
    CHECK(-least.value() > 10 * honest);
    // All of them: what is not loaded is missed by its velocity.
    CHECK(error_of(raw, 0.99 * raw.impulse) > 1e-4);
    CHECK(error_of(raw, Vector::Zero(raw.impulse.size())) > 1e-3);
    Vector pulls = raw.impulse;
    pulls[0] = -std::abs(pulls[0]) - 1e-3 * pulls.lpNorm<Eigen::Infinity>();
    CHECK(error_of(raw, pulls) > 1e-6);
    Vector missing = raw.impulse;
    missing[missing.size() / 2] = std::nan("");
    CHECK_FALSE(error_of(raw, missing) <= kCertified);
    Vector velocity = raw.velocity;
    velocity[velocity.size() - 1] += 1e-6 * raw.q.lpNorm<Eigen::Infinity>();
    CHECK(measure(raw, raw.impulse, velocity).equation > 1e-9);
  }
}

TEST_CASE("P.1 has teeth: C and D are not the same") {
  for (const char* name : {"pile-20-superelliptic-moving", "pad-6x4x2-nonconvex-fast"}) {
    CAPTURE(std::string(name));
    const Written written(name);
    const RawProblem raw = read_raw_problem(written.path);
    CHECK(error_of(raw, raw.impulse) <= kCertified);
    RawProblem wrong = raw;
    // Where C is not convex its ellipse stands for it: as a direction set C would not be one.
    for (RawLaw& law : wrong.laws)
      if (law.reservoir.shape == "norm_mix")
        law.reservoir = law.direction;
      else
        std::swap(law.reservoir, law.direction);
    CHECK(error_of(wrong, wrong.impulse) > 1e-3);
    wrong = raw;
    for (RawLaw& law : wrong.laws) law.angle += 5;
    CHECK(error_of(wrong, wrong.impulse) > 1e-4);
  }
}

TEST_CASE("C.21 problems without a solution: the proof holds, and only there") {
  for (const char* name : kWithout) {
    CAPTURE(std::string(name));
    const Written written(name);
    CHECK(written.certificate.status == "no solution");
    const RawProblem raw = read_raw_problem(written.path);
    CHECK(raw.impulse.size() == 0);
    REQUIRE(raw.contradiction.size() == raw.q.size());
    const Vector& p = raw.contradiction;
    // With W as a full matrix, once more.
    const Eigen::MatrixXd w(raw.w);
    CHECK((w.transpose() * p).norm() <= 1e-11 * w.norm() * p.norm());
    CHECK(raw.q.dot(p) < -1e-3 * raw.q.norm() * p.norm());
    for (Eigen::Index k = 0; k < raw.contact_rows(); ++k) CHECK((k % 3 == 0 ? p[k] >= 0 : p[k] == 0));
    const Proof proof = check_proof(raw, p);
    CHECK(proof.holds);
    CHECK(proof.closing == near(-raw.q.dot(p) / p.lpNorm<1>(), 1e-12));

    CHECK_FALSE(check_proof(raw, -p).holds);
    CHECK_FALSE(check_proof(raw, Vector::Zero(p.size())).holds);
    Eigen::Index largest = 0;
    p.head(raw.contact_rows()).maxCoeff(&largest);
    Vector wrong = p;
    wrong[largest] *= 1.001;  // W p is not zero
    CHECK_FALSE(check_proof(raw, wrong).holds);
    wrong = p;
    wrong[largest + 1] = 1e-3 * p[largest];  // friction
    CHECK_FALSE(check_proof(raw, wrong).holds);
    RawProblem opening = raw;
    opening.q = -opening.q;
    CHECK_FALSE(check_proof(opening, p).holds);
  }
}

TEST_CASE("the same bytes each time") {
  for (const char* name : {"pile-20-superelliptic-moving", "gripper-ball-3-elliptic"}) {
    CAPTURE(std::string(name));
    const Written first(name), second(name);
    CHECK(read_file(first.path) == read_file(second.path));
    CHECK(index_line(recipe_of(name), first.certificate) == index_line(recipe_of(name), second.certificate));
  }
}

TEST_CASE("the index has as many entries as names of columns") {
  const auto count = [](const std::string& line) { return std::count(line.begin(), line.end(), ','); };
  Certificate certificate;
  CHECK(count(index_header()) == count(index_line(recipe_of("arch-7-isotropic"), certificate)));
}

TEST_CASE("the reader in C finds the same") {
  const Written written("pile-20-superelliptic-moving");
  const auto told = [](const Ran& ran, const std::string& name) {
    std::istringstream lines(ran.out);
    std::string word;
    double value = std::nan("");
    while (lines >> word)
      if (word == name) lines >> value;
    return value;
  };
  const RawProblem raw = read_raw_problem(written.path);
  const Ran ran = run_program(written.path.string(), written.folder.path());
  CAPTURE(ran.err);
  CHECK(ran.exit_code == 0);
  CHECK(told(ran, "contacts") == static_cast<double>(raw.laws.size()));
  CHECK(told(ran, "nonzeros") == static_cast<double>(raw.w.nonZeros()));
  CHECK(told(ran, "equation") <= 1e-12);
  CHECK(told(ran, "pull") == 0);
  Worst product, beyond;
  beyond.add(0);
  const std::vector<double> mu = Hdf5Reader(written.path).column("fclib_local/vectors/mu");
  for (Eigen::Index i = 0; i < raw.contact_rows(); i += 3) {
    product.add(std::abs(raw.velocity[i] * raw.impulse[i]));
    beyond.add(raw.impulse.segment<2>(i + 1).norm() - mu[static_cast<std::size_t>(i / 3)] * raw.impulse[i]);
  }
  CHECK(told(ran, "product") == within(product.value(), 1e-15 * raw.velocity.norm() * raw.impulse.norm()));
  CHECK(told(ran, "beyond") == within(beyond.value(), 1e-15 * raw.impulse.norm()));
  CHECK(ran.out.find("law 0, reservoir: superellipse") != std::string::npos);

  // It has teeth, too.
  const ContactProblem problem = recipe_of("pile-20-superelliptic-moving").make();
  FiledSolution wrong;
  wrong.impulse = raw.impulse;
  wrong.velocity = raw.velocity;
  wrong.impulse[0] += 1e-3 * raw.impulse.lpNorm<Eigen::Infinity>();
  write_problem(written.folder.path() / "wrong.hdf5", problem, wrong);
  CHECK(run_program("wrong.hdf5", written.folder.path()).exit_code == 1);
  CHECK(run_program("missing.hdf5", written.folder.path()).exit_code == 2);
  write_file(written.folder.path() / "text.hdf5", "no HDF5");
  CHECK(run_program("text.hdf5", written.folder.path()).exit_code == 2);
  const Written joints("snake-4-elliptic");
  CHECK(run_program(joints.path.string(), joints.folder.path()).exit_code == 2);
  const Written none("gripper-ball-3-elliptic");
  const Ran without = run_program(none.path.string(), none.folder.path());
  CHECK(without.exit_code == 0);
  CHECK(without.out.find("no solution:") != std::string::npos);
  CHECK(told(without, "imbalance") <= 1e-14);
  const RawProblem jammed = read_raw_problem(none.path);
  CHECK(told(without, "power") == near(jammed.q.dot(jammed.contradiction), 1e-12));
  FiledSolution weak;
  weak.contradiction = jammed.contradiction;
  weak.contradiction[0] *= 1.1;
  write_problem(none.folder.path() / "weak.hdf5", recipe_of("gripper-ball-3-elliptic").make(), weak);
  CHECK(run_program("weak.hdf5", none.folder.path()).exit_code == 1);
  write_problem(none.folder.path() / "alone.hdf5", recipe_of("gripper-ball-3-elliptic").make());
  CHECK(run_program("alone.hdf5", none.folder.path()).exit_code == 1);
}
