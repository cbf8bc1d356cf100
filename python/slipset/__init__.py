"""slipset: dry friction that depends on direction.

A law is two sets in the contact plane: the reservoir C of the forces that the contact can supply, and the direction set D,
which says which way it slips. From measured forces to a law, to the motion of a machine that has it, to the question
whether its steady sliding is stable.

Velocities, positions and forces are arrays in SI units, angles are in radians (in scenario files in degrees).
"""

from __future__ import annotations

from ._errors import InvalidInput  # before _core, which raises it
from ._core import (
    ContactDerivative,
    ContactProblem,
    ContactSolution,
    Disk,
    Ellipse,
    Law,
    LuGre,
    NormMix,
    PlanarSet,
    PolarCurve,
    Polygon,
    Rectangle,
    RegularizedLaw,
    Stadium,
    Stribeck,
    Superellipse,
    SystemContact,
    UserSet,
    Wedge,
    associated,
    collinear,
    isotropic,
    two_sign,
    wedge_asperities,
)
from ._commands import cycle, law_properties, read_law, run, solve, stability
from ._friction import FrictionForce
from ._measurements import Identified, calibrate, identify, study, track
from ._program import ProgramResult
from ._record import Record
from ._results import Cycle, Result, Run, Stability
from ._systems import (
    Adaptive,
    EventDriven,
    ForcedOscillator,
    LinearSystem,
    MassOnBelt,
    Moreau,
    Regularized,
    RungeKutta4,
    SlidingBody,
    SnakeRobot,
    SpringSlider,
    System,
    simulate,
)

__version__ = "0.1.0"

__all__ = [
    "Adaptive", "ContactDerivative", "ContactProblem", "ContactSolution", "Cycle", "Disk", "Ellipse", "EventDriven", "ForcedOscillator", "FrictionForce",
    "Identified", "InvalidInput", "Law", "LinearSystem", "LuGre", "MassOnBelt", "Moreau", "NormMix", "PlanarSet", "PolarCurve",
    "Polygon", "ProgramResult", "Record", "Rectangle", "Regularized", "RegularizedLaw", "Result", "Run", "RungeKutta4",
    "SlidingBody", "SnakeRobot", "SpringSlider", "Stability", "Stadium", "Stribeck", "Superellipse", "System",
    "SystemContact", "UserSet", "Wedge", "associated", "calibrate", "collinear", "cycle", "identify", "isotropic", "law_properties", "read_law",
    "run", "simulate", "solve", "stability", "study", "track", "two_sign", "wedge_asperities",
]  # fmt: skip
