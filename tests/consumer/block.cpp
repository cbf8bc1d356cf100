// A system of one's own, a law and a run: a block thrown onto a floor slides v²/(2 μ g).
#include <slipset/slipset.hpp>

using namespace slipset;

struct Block final : System {
  double friction = 0.3, gravity = 9.81, speed = 2;
  std::vector<SystemContact> floor{{"floor", std::make_shared<PlanarContactLaw>(isotropic(friction))}};

  Eigen::Index dofs() const override { return 2; }
  const std::vector<SystemContact>& contacts() const override { return floor; }
  void evaluate(double, const VectorX&, const VectorX&, SystemAt& at) const override {
    at.mass.setIdentity();
    at.contacts[0].tangents.setIdentity();
    at.contacts[0].normal_force = gravity;
  }
  State start() const override { return {0, Vec2(0, 0), speed * unit(30_deg)}; }
};

int main() {
  const Block block;
  const Run run = simulate(block, Moreau{.step = 1e-3}, {.duration = 5, .until_stick = true});
  const double expected = block.speed * block.speed / (2 * block.friction * block.gravity);
  return run.report.finished() && std::abs(run.path_length - expected) < 1e-6 * expected ? 0 : 1;
}
