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
    ElasticInterface,
    Ellipse,
    InterfaceTangent,
    InterfaceUpdate,
    Law,
    LuGre,
    NormMix,
    PlanarSet,
    PolarCurve,
    Polygon,
    Rectangle,
    RegularizedLaw,
    RollingLaw,
    RunDerivative,
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
from . import _pickle as _pickle  # contact problems can be pickled
from ._commands import cycle, law_properties, read_law, run, solve, stability, sweep
from ._friction import FrictionForce
from ._learn import Learned, LearnedParameter, differentiate, learn_law
from ._measurements import Identified, calibrate, identify, study, track
from ._program import ProgramResult
from ._record import Record
from ._results import Cycle, Result, Run, Stability
from ._scenario import law_table
from ._structure import Structure
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
    SystemAt,
    simulate,
)
from ._worlds import Box, Motion, Plane, Sphere, Surface, World

__version__ = "0.1.0"

__all__ = [
    "Adaptive", "Box", "ContactDerivative", "ContactProblem", "ContactSolution", "Cycle", "Disk", "ElasticInterface", "Ellipse", "EventDriven", "ForcedOscillator", "FrictionForce",
    "Identified", "InterfaceTangent", "InterfaceUpdate", "InvalidInput", "Law", "Learned", "LearnedParameter", "LinearSystem", "LuGre", "MassOnBelt", "Moreau", "Motion", "NormMix", "PlanarSet", "Plane", "PolarCurve",
    "Polygon", "ProgramResult", "Record", "Rectangle", "Regularized", "RegularizedLaw", "Result", "RollingLaw", "Run", "RunDerivative", "RungeKutta4",
    "SlidingBody", "SnakeRobot", "Sphere", "SpringSlider", "Stability", "Stadium", "Stribeck", "Structure", "Superellipse", "Surface", "System", "SystemAt",
    "SystemContact", "UserSet", "Wedge", "World", "associated", "calibrate", "collinear", "cycle", "differentiate", "identify", "isotropic", "law_properties", "law_table", "learn_law", "read_law",
    "run", "simulate", "solve", "stability", "study", "sweep", "track", "two_sign", "wedge_asperities",
]  # fmt: skip
