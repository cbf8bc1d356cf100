// Other people's solvers of contact problems, as one list: Siconos' (siconos.cpp), where it was found at configuration,
// and those that Python can start (peers.py), where they are installed. Each run is a process of its own, which may crash
// or take too long without harm. The time is that of the solver alone, the median of repetitions (timing.hpp), each from
// zero impulses and with a solver object of its own. A peer is judged by the error recomputed from its impulses.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <string>
#include <vector>

namespace slipset::bench {

struct PeerRun {
  double seconds = -1;      // negative: crashed, ran longer than the limit, or did not answer
  Eigen::VectorXd impulse;  // normal first
};

struct Peer {
  std::string name;
  // Whether it takes symmetric W only: then it gets (W + Wᵀ)/2 and is judged with that.
  bool symmetric = false;
  // The problem as a file of Siconos (.dat, sparse blocks); no repetition takes longer than `limit` seconds.
  std::function<PeerRun(const std::string& dat_file, double tolerance, double limit)> run;
};

// `python`: an interpreter with bench/requirements-peers.txt (make peers). `left_out`: which peers are missing, and why.
std::vector<Peer> all_peers(const std::string& python, std::vector<std::string>& left_out);
std::vector<Peer> siconos_peers();  // none without Siconos

// What `work` writes to a pipe in a process of its own, as numbers.
std::vector<double> numbers_from_child(const std::function<void(int pipe)>& work);
void write_numbers(int pipe, const double* numbers, std::size_t count);
PeerRun run_of(const std::vector<double>& numbers);  // seconds, then impulses
// What `python bench/peers.py arguments ...` writes, as numbers or as lines. It keeps its limits itself.
std::vector<double> numbers_from_python(const std::string& python, const std::vector<std::string>& arguments);
std::vector<std::string> lines_from_python(const std::string& python, const std::vector<std::string>& arguments);

}  // namespace slipset::bench
