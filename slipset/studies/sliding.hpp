// A body that slides until it sticks: by the event-driven integrator where it can, by Moreau's scheme beside it, and
// the figures of such paths. Shared by the studies of sliding paths.
#pragma once

#include <array>

#include "slipset/scenario/run_setup.hpp"
#include "slipset/studies/study.hpp"

namespace slipset {

// Where and when it came to rest.
struct Rest {
  double time = 0;          // [s]
  Vec2 end = Vec2::Zero();  // [m]
  double length = 0;        // of the path [m]
};

struct Slid {
  std::string name;  // of the case
  std::shared_ptr<RunSetup> scenario;
  Run run;                    // for curves
  bool event_driven = false;  // else `run` and `rest` are Moreau's with the smallest step
  Rest rest;
  std::array<Rest, 3> moreau;  // with the file's step h, with h/2 and h/4
  Rest extrapolated;           // Moreau's to h = 0, of first order, from the last two

  // log2 of the ratio of the changes of the end point from h to h/2 to h/4: 1 for a scheme of first order.
  double moreau_order() const;
};

// Every case of the study's file, in order: its [law] with the root's other tables.
std::vector<Slid> slide_all(const Study& study, const StudyProgress& progress);

// Largest distance of the path from the straight line between its ends, over the line's length [-].
double bend(const Slid& slid);

// The path of each case as a table, PREFIX-CASE.csv.
void add_path_tables(const std::vector<Slid>& all, StudyResult& result);
// Paths in the plane with their ends.
Figure sliding_paths_figure(const std::vector<Slid>& all, const std::string& title, const std::string& name = "paths");
// The same paths turned so that each starts along the first axis.
Figure paths_along_start_figure(const std::vector<Slid>& all, const std::string& title);
// Reservoirs and direction sets; each different reservoir once.
Figure sets_figure(const std::vector<Slid>& all, const std::string& title);

// Colours of figures, in order: '#rrggbb'.
std::string curve_colour(std::size_t index);

}  // namespace slipset
