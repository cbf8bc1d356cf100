#include "slipset/models/spinning_body.hpp"

#include <algorithm>

namespace slipset {
namespace {

constexpr double kConverged = 1e-12;  // residual of a step

std::vector<std::string> columns_of(const SpinningBody& body) {
  std::vector<std::string> names{"t"};
  for (const std::string& q : body.coordinates()) names.push_back(q);
  for (const std::string& q : body.coordinates()) names.push_back("d" + q);
  const RollingLaw& law = body.law();
  const auto add = [&](bool has, std::initializer_list<const char*> more) {
    if (!has) return;
    for (const char* name : more) names.push_back(std::string("contact.") + name);
  };
  add(true, {"normal_force"});
  add(law.has_sliding(), {"friction_1", "friction_2"});
  add(law.has_drilling(), {"drilling_torque"});
  add(law.has_rolling(), {"rolling_torque_1", "rolling_torque_2"});
  add(law.has_sliding(), {"slip_1", "slip_2"});
  add(law.has_drilling(), {"spin"});
  add(law.has_rolling(), {"rolling_1", "rolling_2"});
  add(true, {"mode"});
  for (const char* energy : {"kinetic", "potential", "dissipated", "input"}) names.push_back(energy);
  return names;
}

void add_row(const SpinningBodyStepper& stepper, double dt, Trajectory& table) {
  const State& s = stepper.state();
  const LocalSolution& c = stepper.contact();
  std::vector<double> row{s.t};
  row.insert(row.end(), s.q.begin(), s.q.end());
  row.insert(row.end(), s.u.begin(), s.u.end());
  for (Eigen::Index i = 0; i < c.impulse.size(); ++i) row.push_back(c.impulse[i] / dt);
  for (Eigen::Index i = 1; i < c.velocity.size(); ++i) row.push_back(c.velocity[i]);
  const EnergyBalance& e = stepper.energy();
  row.insert(row.end(), {static_cast<double>(c.mode), e.kinetic, e.potential, e.dissipated, e.input});
  table.rows.push_back(std::move(row));
}

}  // namespace

SpinningBody::SpinningBody(RollingLaw law, const SpinningBodyParameters& parameters)
    : law_(std::move(law)), p_(parameters) {
  require_positive(p_.mass, "spinning-body: mass");
  require_positive(p_.radius, "spinning-body: radius");
  require_positive(p_.gravity, "spinning-body: gravity");
  if (!(std::abs(p_.slope) < kPi / 2))
    throw InvalidInput("spinning-body: the slope must be between -90 and 90 degrees");
  if (p_.normal_force) require_positive(*p_.normal_force, "spinning-body: normal force");
  const bool sphere = p_.shape == BodyShape::sphere;
  if (!sphere && law_.law().has_rolling())
    throw InvalidInput("spinning-body: a disk lies flat and does not roll; take the rolling friction out, or a sphere");
  normal_ = p_.normal_force.value_or(p_.mass * p_.gravity * std::cos(p_.slope));
  const double inertia = (sphere ? 0.4 : 0.5) * p_.mass * p_.radius * p_.radius;
  const Eigen::Index n = sphere ? 5 : 3, yaw = n - 1;
  mass_.setConstant(n, inertia);
  mass_.head<2>().setConstant(p_.mass);
  force_.setZero(n);
  force_[0] = p_.mass * p_.gravity * std::sin(p_.slope);
  directions_.setZero(n, law_.law().size());
  if (law_.law().has_sliding()) {
    directions_(0, 0) = directions_(1, 1) = 1;
    if (sphere) {
      directions_(3, 0) = -p_.radius;
      directions_(2, 1) = p_.radius;
    }
  }
  if (law_.law().has_drilling()) directions_(yaw, law_.law().drilling_place()) = 1;
  if (law_.law().has_rolling())
    directions_(2, law_.law().rolling_place()) = directions_(3, law_.law().rolling_place() + 1) = 1;
}

std::vector<std::string> SpinningBody::coordinates() const {
  if (p_.shape == BodyShape::disk) return {"x", "y", "yaw"};
  return {"x", "y", "turn_x", "turn_y", "turn_z"};
}

SpinningBodyStepper::SpinningBodyStepper(const SpinningBody& body, const State& start, double dt)
    : body_(&body), dt_(dt), state_(start) {
  require_positive(dt, "step");
  if (start.q.size() != body.dofs() || start.u.size() != body.dofs() || !start.q.allFinite() || !start.u.allFinite())
    throw InvalidInput("spinning-body: position and velocity need " + std::to_string(body.dofs()) + " finite numbers");
  const MatrixX& b = body.directions();
  const Eigen::Index m = b.cols();
  by_impulse_ = body.mass().cwiseInverse().asDiagonal() * b;
  by_force_ = body.force().cwiseQuotient(body.mass()) * dt;
  problem_.delassus.setZero(m + 1, m + 1);
  problem_.delassus.bottomRightCorner(m, m) = b.transpose() * by_impulse_;
  problem_.free_velocity.setZero(m + 1);
  problem_.normal_impulse = body.normal_force() * dt;
  contact_.impulse.setZero(m + 1);
  contact_.velocity.setZero(m + 1);
  contact_.velocity.tail(m) = b.transpose() * start.u;
  guess_ = contact_.impulse;
  change_.resize(body.dofs());
  mean_.resize(body.dofs());
  energy_.kinetic = 0.5 * start.u.dot(body.mass().cwiseProduct(start.u));
  energy_.potential = body.potential_energy(start.q);
  energy_.initial = energy_.kinetic + energy_.potential;
}

void SpinningBodyStepper::step() {
  const MatrixX& b = body_->directions();
  const Eigen::Index m = b.cols();
  change_ = state_.u + by_force_;
  for (Eigen::Index i = 0; i < m; ++i) problem_.free_velocity[1 + i] = b.col(i).dot(change_);
  contact_ = solve_local(body_->contact_law(), problem_, &guess_);
  guess_ = contact_.impulse;
  change_ = by_force_;
  for (Eigen::Index i = 0; i < m; ++i) change_ += by_impulse_.col(i) * contact_.impulse[1 + i];
  mean_ = state_.u + 0.5 * change_;
  for (Eigen::Index i = 0; i < m; ++i) energy_.dissipated -= contact_.impulse[1 + i] * b.col(i).dot(mean_);
  state_.q += dt_ * mean_;
  state_.u += change_;
  state_.t += dt_;
  energy_.kinetic = 0.5 * state_.u.dot(body_->mass().cwiseProduct(state_.u));
  energy_.potential = body_->potential_energy(state_.q);
}

Simulation simulate(const SpinningBody& body, const State& start, const SimulationOptions& options) {
  require_positive(options.step, "step");
  require_positive(options.duration, "duration");
  if (options.every < 1) throw InvalidInput("steps between rows must be at least 1");
  const auto began = std::chrono::steady_clock::now();
  SpinningBodyStepper stepper(body, start, options.step);
  Simulation run;
  SimulationReport& report = run.report;
  report.options = options;
  report.options.contact.tolerance = kConverged;
  report.why = "duration";
  report.worst_residual = 0;
  run.trajectory.columns = columns_of(body);
  add_row(stepper, options.step, run.trajectory);
  const long steps = static_cast<long>(std::ceil(options.duration / options.step - 1e-9));
  while (report.steps < steps) {
    const Vec2 before = stepper.state().q.head<2>();
    const double t = stepper.state().t;
    stepper.step();
    ++report.steps;
    const LocalSolution& c = stepper.contact();
    run.path_length += (stepper.state().q.head<2>() - before).norm();
    report.worst_residual = std::max(report.worst_residual, c.residual);
    if (!(c.residual <= kConverged)) ++report.not_converged;
    if (c.mode == ContactMode::stick) {
      run.stick_time += options.step;
      // It came to rest within the step: it needed only that part of the impulse that friction could give.
      if (!run.stop_time)
        run.stop_time = t + options.step * std::min(1.0, body.law().gauge(-c.impulse.tail(body.law().size()) /
                                                                          (body.normal_force() * options.step)));
    } else {
      run.stop_time.reset();
    }
    const bool rest = options.until_stick && c.mode == ContactMode::stick, last = report.steps == steps;
    const bool finite = stepper.state().u.allFinite();
    if (report.steps % options.every == 0 || rest || last || !finite) {
      add_row(stepper, options.step, run.trajectory);
      if (options.progress && !options.progress(stepper.state().t, options.duration)) {
        report.why = "ended by the caller";
        break;
      }
    }
    if (!finite) {
      report.why = "the motion is no longer finite";
      report.finished = false;
      break;
    }
    if (rest) {
      report.why = "every contact sticks";
      break;
    }
    if (too_many_rows(run.trajectory, report)) break;
  }
  run.end = stepper.state();
  run.energy = stepper.energy();
  if (!std::isfinite(run.energy.residual()) || !std::isfinite(run.path_length)) {
    report.why = "the motion has outgrown the range of numbers";
    report.finished = false;
  }
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return run;
}

}  // namespace slipset
