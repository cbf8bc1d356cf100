// Where to shift: discs that cover a box.
// A shift stands amid a piece of the box. If its disc does not reach the piece's corners, what is left becomes smaller
// pieces, of the size that a disc of this radius covers.
#pragma once

#include "slipset/stability/spectrum.hpp"

namespace slipset::internal {

struct Disc {
  std::complex<double> centre;
  double radius = 0;
  bool covers(const SpectrumBox& box) const;
};

class Cover {
 public:
  // In as many pieces along its longer side as can be worked on at a time.
  Cover(const SpectrumBox& box, int pieces);

  const std::vector<SpectrumBox>& pieces() const { return pieces_; }  // not covered yet
  bool done() const { return pieces_.empty(); }
  SpectrumBox next();  // takes a piece out
  static std::complex<double> shift_for(const SpectrumBox& piece);
  // The disc about the shift of the piece that next() gave; radius 0 if nothing was found.
  void finish(const SpectrumBox& piece, const Disc& disc);

 private:
  bool covered(const SpectrumBox& box, int depth) const;  // by all discs together, each part of it by one

  std::vector<SpectrumBox> pieces_;
  std::vector<Disc> discs_;
};

}  // namespace slipset::internal
