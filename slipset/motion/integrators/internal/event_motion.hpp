// A motion in smooth pieces that end with events: what the loop of event-driven runs asks for. docs/theory/dynamics.md
// Between events every contact keeps its mode, and the motion is smooth. phase_motion.cpp integrates the phases of any
// system with rigid contacts by CVODE; taylor_motion.cpp those of piecewise linear systems exactly, by their series.
#pragma once

#include <memory>

#include "slipset/motion/integrators/integrator.hpp"
#include "slipset/systems/axial_system.hpp"

namespace slipset::internal {

class EventMotion {
 public:
  virtual ~EventMotion() = default;

  virtual std::vector<std::string> columns() const = 0;
  virtual long default_max_events() const = 0;
  // Whether rows are read from inside a piece; else pieces end at rows, and an event has a row before and one after.
  virtual bool rows_inside_pieces() const = 0;

  // Finds the modes at the start. False if none are consistent.
  virtual bool begin() = 0;
  virtual const State& state() const = 0;
  virtual bool all_stick() const = 0;

  // The next smooth piece, from the state on: it ends at `until`, at an event, or where the motion itself divides it.
  struct Piece {
    double end = 0;
    bool event = false;
  };
  virtual Piece next_piece(double until) = 0;
  // The row at t, inside the piece or, where rows are not read from inside, at its end.
  virtual void add_row(double t, Run& run) = 0;
  virtual double dissipated(double t) = 0;  // up to t
  // Goes to the piece's end.
  virtual void finish_piece() = 0;
  // After an event, at the state: takes the modes that follow. False if none are consistent.
  virtual bool change_modes() = 0;
  virtual EnergyBalance energy() = 0;  // at the state
  // False: `input` of the energies is taken from their balance, which then proves nothing.
  virtual bool integrates_input() const { return true; }
  virtual void complete(RunReport& report) const = 0;
};

// Events and counts go into `run`, which must outlive it. Throw InvalidInput for systems that they are not for.
std::unique_ptr<EventMotion> make_phase_motion(const System& system, const State& start, const EventDriven& options,
                                               const RunOptions& with, Run& run);
std::unique_ptr<EventMotion> make_taylor_motion(const AxialSystem& system, const State& start,
                                                const EventDriven& options, const RunOptions& with, Run& run);

}  // namespace slipset::internal
