// The tables of [system] kind = "rigid-bodies"; body_systems.cpp reads them.
#include "slipset/scenario/bodies_run.hpp"
#include "slipset/systems/bodies/piles.hpp"

namespace slipset {
namespace {

constexpr Key kName{"name", "", kOptional, "shown in tables and figures; must differ from all others"};
constexpr Key kLaw{"law", "", kOptional, "NAME of [laws.NAME], law ([law], the default) or none"};

}  // namespace

std::span<const Entry> body_tables() {
  static const SpherePileOptions pile;
  static const std::vector<Entry> all = {
      {"body",
       "one body, or a row of the same body",
       {{"shape", "", kRequired, "sphere, box or plane"},
        kName,
        {"radius", "m", kOptional, "of a sphere"},
        {"size", "m", kOptional, "[a, b, c], whole sides of a box"},
        {"mass", "kg", kOptional, "or:"},
        {"density", "kg/m3", 1000.0, "of a body that is free"},
        {"position", "m", kOptional, "[x, y, z]; zero"},
        {"orientation.axis", "", kRequired, "[x, y, z]; not turned without orientation"},
        {"orientation.angle", "degrees", kRequired, "about it"},
        {"normal", "", kOptional, "of a plane, instead of orientation; [0, 0, 1]"},
        {"velocity", "m/s", kOptional, "of a body that is free; zero"},
        {"spin", "rad/s", kOptional, "of a body that is free, in the axes of the world; zero"},
        {"force", "N", kOptional, "on a body that is free, constant, at its centre, in the axes of the world; zero"},
        {"torque", "N m", kOptional, "on a body that is free, constant, in the axes of the world; zero"},
        {"fixed", "", "false", "planes are always fixed"},
        {"motion.amplitude", "m", kOptional, "a of x0 + v t + a sin(2π f t + φ), of a body with a prescribed motion"},
        {"motion.frequency", "Hz", kOptional, "f"},
        {"motion.phase", "degrees", 0.0, "φ"},
        {"motion.velocity", "m/s", kOptional, "v"},
        {"motion.spin", "rad/s", kOptional, "constant, in the axes of the world"},
        kLaw,
        {"axis", "", kOptional, "first axis of the law, fixed in the body; [1, 0, 0]"},
        {"restitution", "", 0.0, "of impacts, 0 to 1; where two surfaces touch, that of the one whose law holds"},
        {"priority", "", 0.0, "where two surfaces touch, law and restitution of the higher one hold"},
        {"count", "", 1.0, "of a row of such bodies"},
        {"spacing", "m", kOptional, "[x, y, z], from body to body of the row"}}},
      {"pile",
       "spheres between a floor and four walls, infinite planes: nothing may be behind them",
       {{"spheres", "", kRequired, "how many"},
        kName,
        {"radius", "m", pile.radius, "mean of the spheres"},
        {"spread", "", pile.spread, "of the radii over their mean, 0 to 0.5"},
        {"density", "kg/m3", pile.density, "of the spheres"},
        {"width", "m", kOptional, "between the walls; the height of the pile"},
        {"centre", "m", kOptional, "[x, y, z] of the floor; zero"},
        {"seed", "", 1.0, "of the random radii and places"},
        kLaw,
        {"wall_law", "", kOptional, "of floor and walls; as law"}}},
      {"stack",
       "boxes on top of each other",
       {{"boxes", "", kRequired, "how many"},
        kName,
        {"size", "m", kRequired, "[a, b, c], whole sides"},
        {"density", "kg/m3", 1000.0, "of the boxes"},
        {"base", "m", kOptional, "[x, y, z] of the middle of the lowest face; zero"},
        kLaw}},
      {"joint",
       "connects two bodies, as they stand at the start; they do not touch each other",
       {{"kind", "", kRequired, "ball, hinge (turns about its axis), slider (moves along it) or fixed"},
        {"name", "", kOptional, "shown in messages; must differ from other joints"},
        {"bodies", "", kRequired, "[\"a\", \"b\"], names of bodies; at least one is free"},
        {"point", "m", kRequired, "[x, y, z] at the start, in the axes of the world"},
        {"axis", "", kOptional, "[x, y, z] at the start, in the axes of the world; required for hinge and slider"}}},
      {"pair",
       "the law where two surfaces touch, in the axes of the first",
       {{"first", "", kOptional, "name of the law of one surface; required"},
        {"second", "", kOptional, "and of the other; required"},
        {"law", "", kOptional, "the one that holds between them; required"}}}};
  return all;
}

}  // namespace slipset
