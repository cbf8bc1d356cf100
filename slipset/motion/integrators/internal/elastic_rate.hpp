// The right-hand side of a mechanical system on elastic interfaces, in rate form.          docs/theory/elastic.md
//   λ_T = -T,  Ṫ = B(γ - γ_sl),  T ∈ N C,  γ_sl = λ n_D                                              [K07 12-15] (E.1)
// It switches, so every contact has a mode, and in a mode the equations are smooth:
//   elastic   Ṫ = Bγ;  ends when k_C(T) rises to N
//   slip      λ of (E.1), T taken back to the boundary along its ray;  ends when λ falls to 0, or at a corner of C or D
//   corner    T held at a corner of D;  ends when what is left of γ leaves the fan of its normals (E.10)
// The functions of watch() are these ends. The state of a contact in y is T [N].
#pragma once

#include "slipset/motion/integrators/internal/state_rate.hpp"

namespace slipset::internal {

class ElasticRate final : public StateRate {
 public:
  // `forces`: T at the start, one per contact [N]; empty: zeros. Throws InvalidInput for contacts that can open, for
  // rigid ones, for rate dependence, and for forces outside the reservoir. `system` must outlive it.
  ElasticRate(const System& system, const State& start, const std::vector<Vec2>& forces = {});

  Vec2 slip(std::size_t i) const override { return slip_[i]; }  // γ_sl
  bool sticks(std::size_t i) const override { return contacts_[i].mode == Mode::elastic; }
  double stored_energy() const override;
  double state_rate() const override;  // of the force along the boundary: k|γ|/(μN) for disks

  int watched() const override { return static_cast<int>(kEnds * count_); }
  void watch(double t, const double* y, double* g) override;
  void take_modes(double t, double* y, const std::vector<char>& risen) override;
  std::string problem() const override { return problem_; }

 private:
  static constexpr std::size_t kEnds = 4;  // functions to watch per contact
  enum class Mode { elastic, slip, corner, loose };
  // A ray on which C or D has a corner.
  struct Corner {
    double angle;
    Vec2 on_reservoir;  // of C there
    Vec2 from, to;      // ends of D's fan there; equal if D has none
    bool holds;         // D has a corner there
  };
  struct Contact {
    std::vector<Corner> corners;  // by angle
    double no_pressure = 0;       // normal force that counts as none [N]
    Mode mode = Mode::elastic;
    std::size_t corner = 0;  // of mode corner; in slip the corner next before the force, counter-clockwise
  };
  // E.1 at a force on the boundary.
  struct Flow {
    Vec2 force_rate, slip;
    double excess;  // ∇k_C·Bγ - Ṅ
    bool exists;
  };

  void find_forces(const double* states) override;
  double find_rates(const double* states, double* ds, double& work) override;
  bool needs_normal_force_rate() const override;
  // `ray`: where the normals are taken.
  Flow flow(std::size_t i, const Vec2& ray) const;
  Vec2 held_slip(std::size_t i) const;
  void start_slip(std::size_t i, double* force);
  void leave_corner(std::size_t i, std::size_t corner, int heading, double* force);
  static double arc_width(const Contact& c);
  static double arc_place(const Contact& c, const Vec2& force);

  std::vector<Contact> contacts_;
  std::vector<Vec2> slip_, ray_;
  std::vector<double> gauge_;  // of the state, in slip; beyond a corner that of the side it is on, continued
  VectorX ends_;               // watch() of the last evaluation
  VectorX rates_;
  std::string problem_;
};

}  // namespace slipset::internal
