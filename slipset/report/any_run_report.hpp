// The results of a run of any kind of system: run.json, run.csv, run.h5, figures.   docs/output.md
#pragma once

#include "slipset/report/results.hpp"
#include "slipset/report/run_hdf5.hpp"
#include "slipset/scenario/any_run.hpp"

namespace slipset {

// The files of its tables and pictures that the results will have.
std::vector<std::string> result_names(const AnyRun& run, PictureFormat format);
Results run_results(const AnyRun& run, const AnyOutcome& outcome, const Hdf5Notes& notes);

}  // namespace slipset
