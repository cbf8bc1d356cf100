// Random contacts of a few rigid bodies: with a solution by construction, or without one.
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "slipset/contact/block_delassus.hpp"
#include "slipset/contact/contact_problem.hpp"
#include "slipset/contact/planar_contact_law.hpp"
#include "tests/support/random.hpp"

namespace slipset::test {

struct RandomHeap {
  enum class Kind { few, hyperstatic, crushed };

  Kind kind;
  ContactProblem problem;
  Eigen::MatrixXd w;
};

// W = HᵀM⁻¹H and q = Hᵀv, so that v = 0 keeps all contacts apart, and there is a solution whatever the laws. Of a
// crushed one two contacts hold a body from opposite sides and close: W p = 0 for their normals, and q·p < 0.
class RandomHeaps {
 public:
  explicit RandomHeaps(unsigned seed) : random_(seed) {
    for (const double mu : {0.1, 0.3, 0.6}) laws_.emplace_back(FrictionLaw(Disk(mu), Disk(mu)));
    laws_.emplace_back(FrictionLaw(Ellipse(0.5, 0.2, 0.4), Ellipse(0.5, 0.2, 0.4)));
    laws_.emplace_back(FrictionLaw(Ellipse(0.4, 0.25, 0.4), Disk(1)));
  }

  RandomHeap next() {
    RandomHeap heap;
    const double share = random_.uniform(0, 1);
    heap.kind = share < 0.1   ? RandomHeap::Kind::crushed
                : share < 0.4 ? RandomHeap::Kind::hyperstatic
                              : RandomHeap::Kind::few;
    const bool many = heap.kind == RandomHeap::Kind::hyperstatic;
    const int bodies = random_.integer(1, many ? 3 : 5);
    int contacts = many ? std::min(30, 2 * bodies + random_.integer(1, 8 * bodies)) : random_.integer(1, 2 * bodies);
    if (heap.kind == RandomHeap::Kind::crushed && contacts < 2) contacts = 2;
    h_ = Eigen::MatrixXd::Zero(6 * bodies, 3 * contacts);
    Eigen::VectorXd inverse_mass(6 * bodies), v(6 * bodies);
    for (int b = 0; b < bodies; ++b) {
      const double mass = random_.log_uniform(0.1, 10);
      inverse_mass.segment<3>(6 * b).setConstant(1 / mass);
      for (int k = 3; k < 6; ++k) inverse_mass[6 * b + k] = 1 / (mass * random_.uniform(0.1, 0.5));
    }
    for (double& x : v) x = normal();
    const bool legs = many && random_.coin();  // on a plane, so that exactly three carry any load
    for (int c = 0; c < contacts; ++c) {
      const int b = c < bodies ? c : random_.integer(0, bodies - 1), other = random_.integer(0, bodies - 1);
      const Mat3 frame = frame_of(legs ? Vec3(0, 0, 1) : Vec3(normal(), normal(), normal() + 1.5));
      push(c, b, Vec3(normal(), normal(), legs ? -1 : normal()), frame, 1);
      if (!legs && other != b && random_.uniform(0, 1) < 0.4)
        push(c, other, Vec3(normal(), normal(), normal()), frame, -1);
    }
    Eigen::VectorXd walls = Eigen::VectorXd::Zero(3 * contacts);
    if (heap.kind == RandomHeap::Kind::crushed) crush(walls);
    heap.w = h_.transpose() * inverse_mass.asDiagonal() * h_;
    heap.problem.delassus = std::make_shared<BlockDelassus>(heap.w);
    heap.problem.free_velocity = h_.transpose() * v + walls;
    for (int c = 0; c < contacts; ++c) {
      Contact contact;
      if (random_.uniform(0, 1) < 0.85)
        contact.law = &laws_[static_cast<std::size_t>(random_.integer(0, static_cast<int>(laws_.size()) - 1))];
      heap.problem.contacts.push_back(contact);
    }
    return heap;
  }

 private:
  double normal() {
    return std::sqrt(-2 * std::log(random_.uniform(1e-12, 1))) * std::cos(2 * kPi * random_.uniform(0, 1));
  }
  Mat3 frame_of(const Vec3& along) {
    const Vec3 n = along.normalized(), t = n.cross(Vec3(normal(), normal(), normal())).normalized();
    Mat3 frame;
    frame << n, t, n.cross(t);
    return frame;
  }
  void push(int contact, int body, const Vec3& arm, const Mat3& frame, double sign) {
    for (int k = 0; k < 3; ++k) {
      h_.block<3, 1>(6 * body, 3 * contact + k) += sign * frame.col(k);
      h_.block<3, 1>(6 * body + 3, 3 * contact + k) += sign * arm.cross(Vec3(frame.col(k)));
    }
  }
  void crush(Eigen::VectorXd& walls) {
    h_.leftCols<6>().setZero();
    const Vec3 n = Vec3(normal(), normal(), normal()).normalized(), through(normal(), normal(), normal());
    push(0, 0, through - random_.uniform(0.1, 1) * n, frame_of(n), 1);
    push(1, 0, through + random_.uniform(0.1, 1) * n, frame_of(-n), 1);
    const double closing = random_.log_uniform(1e-4, 1);
    walls[0] = -closing * random_.uniform(0, 1);
    walls[3] = -closing - walls[0];
  }

  Random random_;
  std::vector<PlanarContactLaw> laws_;
  Eigen::MatrixXd h_;
};

}  // namespace slipset::test
