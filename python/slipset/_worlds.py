"""Rigid bodies with friction on every surface, as a system: spheres, boxes, planes and joints."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from . import _core
from ._core import Law, RollingLaw
from ._errors import InvalidInput
from ._systems import System

ArrayLike = npt.ArrayLike
ZERO = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Surface:
    """The law of a body's surface, None for no friction, in axes that turn with the body: `axis` is the first (x), and
    the second is to its left as seen from outside the body: on an underside the law looks mirrored from above.

    Of two surfaces that touch, the law and `restitution` (0 to 1) of that with the higher `priority` hold; else those of
    a plane; else of a body that is fixed or has a motion; else of the body added first (G.8).
    """

    law: Law | RollingLaw | None = None
    priority: float = 0.0
    restitution: float = 0.0
    axis: ArrayLike | None = None


@dataclass(frozen=True)
class Motion:
    """x(t) = x0 + velocity t + amplitude (sin(2π frequency t + phase) − sin phase), turning with `spin` [rad/s]."""

    velocity: ArrayLike = ZERO  # [m/s]
    spin: ArrayLike = ZERO  # along the axes of the world
    amplitude: ArrayLike = ZERO  # [m]
    frequency: float = 0.0  # [Hz]
    phase: float = 0.0  # [rad]


@dataclass(frozen=True)
class _Body:
    kind: ClassVar[str]


@dataclass(frozen=True, kw_only=True)
class _Solid(_Body):
    mass: float | None = None  # [kg]; or:
    density: float | None = None  # [kg/m³]; 1000 where neither is given
    surface: Surface | Law | RollingLaw | None = None
    fixed: bool = False
    motion: Motion | None = None  # prescribed: whatever touches it
    force: ArrayLike = ZERO  # [N], constant, at the centre, along the axes of the world
    torque: ArrayLike = ZERO  # [N m]
    name: str = ""  # in tables: "name.x"; box1, sphere2, ... where it is left out


@dataclass(frozen=True)
class Box(_Solid):
    """A homogeneous box; `size` are whole sides [m]."""

    kind: ClassVar[str] = "box"
    size: ArrayLike


@dataclass(frozen=True)
class Sphere(_Solid):
    """A homogeneous sphere; `radius` [m]."""

    kind: ClassVar[str] = "sphere"
    radius: float


@dataclass(frozen=True)
class Plane(_Body):
    """The half-space below: its normal is the third axis of the body. Fixed, or with a motion."""

    kind: ClassVar[str] = "plane"
    surface: Surface | Law | RollingLaw | None = None
    normal: ArrayLike | None = field(default=None, kw_only=True)  # instead of an orientation
    motion: Motion | None = field(default=None, kw_only=True)
    name: str = field(default="", kw_only=True)


class World(System):
    """Rigid bodies and joints, for `simulate` with Moreau. `margin` [m]: contacts with smaller gaps count; 0: a hundredth
    of the smallest radius or half side.

    >>> import slipset as sl
    >>> world = sl.World()
    >>> floor = world.add(sl.Plane(sl.isotropic(0.5)))
    >>> puck = world.add(sl.Box(size=(0.2, 0.2, 0.02), mass=1.2), at=(0, 0, 0.01), velocity=(1, 0, 0))
    >>> run = sl.simulate(world, sl.Moreau(1e-3), duration=0.5)
    >>> round(float(run[f"{puck}.x"][-1]), 3)  # v²/(2 μ g) [m]
    0.102
    """

    def __init__(self, gravity: ArrayLike = (0.0, 0.0, -9.81), *, margin: float = 0.0) -> None:
        self._world = _core.BodyWorld(gravity, margin)
        self._made = (gravity, margin)
        self._calls: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = []  # copies are made by these
        self._laws: list[tuple[Law | RollingLaw, int]] = []

    @property
    def bodies(self) -> list[str]:
        """Names of the bodies, in the order in which they were added."""
        return list(self._world.names)

    def add(
        self,
        body: Box | Sphere | Plane,
        at: ArrayLike = ZERO,
        *,
        orientation: ArrayLike | None = None,
        velocity: ArrayLike = ZERO,
        spin: ArrayLike = ZERO,
    ) -> str:
        """Adds a body and returns its name. `at`: of the centre [m]; `orientation`: a unit quaternion (w, x, y, z);
        `velocity` [m/s] and `spin` [rad/s] along the axes of the world."""
        if not isinstance(body, (Box, Sphere, Plane)):
            raise InvalidInput(f"body: found {type(body).__name__}; expected a Box, a Sphere or a Plane")
        surface = body.surface if isinstance(body.surface, Surface) else Surface(body.surface)
        _check(body, orientation, velocity, spin)
        law = self._number_of(surface.law, "surface")
        self._world.add(_Placed(body, surface), law, at, orientation, velocity, spin)
        self._calls.append(("add", (body, at), {"orientation": orientation, "velocity": velocity, "spin": spin}))
        return self.bodies[-1]

    def joint(
        self, kind: str, first: str, second: str, *, point: ArrayLike, axis: ArrayLike | None = None, name: str = ""
    ) -> str:
        """Connects two bodies, by their names, as they stand: "ball", "hinge" (turns about `axis`), "slider" (moves along
        it) or "fixed", at a `point` [m], along the axes of the world. The two do not touch each other. Returns its name."""
        made = self._world.add_joint(kind, self._place_of(first, "first"), self._place_of(second, "second"), point, axis, name)
        self._calls.append(("joint", (kind, first, second), {"point": point, "axis": axis, "name": name}))
        return made

    def pair(self, first: Law | RollingLaw, second: Law | RollingLaw, law: Law | RollingLaw | None) -> None:
        """The law where a surface of law `first` touches one of law `second`, in the axes of the first; None: none."""
        numbers = self._number_of(first, "first"), self._number_of(second, "second")
        if -1 in numbers:
            raise InvalidInput("first, second: a pair needs the laws of two surfaces")
        self._world.add_pair(*numbers, self._number_of(law, "law"))
        self._calls.append(("pair", (first, second, law), {}))

    def _place_of(self, name: str, what: str) -> int:
        if name not in self.bodies:
            raise InvalidInput(f'{what}: there is no body "{name}"; there is {", ".join(self.bodies) or "none yet"}')
        return self.bodies.index(name)

    # A law that the world has keeps its number: the bodies of one material share it.
    def _number_of(self, law: Law | RollingLaw | None, what: str) -> int:
        if law is None:
            return -1
        if not isinstance(law, (Law, RollingLaw)):
            raise InvalidInput(f"{what}: found {type(law).__name__}; expected a Law, a RollingLaw, a Surface or None")
        for known, number in self._laws:
            if known == law:
                return number
        number = int(self._world.add_law(law))
        self._laws.append((law, number))
        return number

    def _handle(self) -> _core.SystemHandle:
        return self._world.handle()

    def __reduce__(self) -> Any:
        return (_world_of, (self._made, self._calls))

    def __repr__(self) -> str:
        return f"World of {len(self.bodies)} bodies: {', '.join(self.bodies[:8])}{', ...' if len(self.bodies) > 8 else ''}"


def _world_of(made: tuple[Any, float], calls: list[tuple[str, tuple[Any, ...], dict[str, Any]]]) -> World:
    world = World(made[0], margin=made[1])
    for name, arguments, options in calls:
        getattr(world, name)(*arguments, **options)
    return world


class _Placed:
    """A body whose surface is a Surface, for the C++ part."""

    def __init__(self, body: Box | Sphere | Plane, surface: Surface) -> None:
        self._body = body
        self.surface = surface

    def __getattr__(self, name: str) -> Any:
        return getattr(self._body, name)


def _check(body: Box | Sphere | Plane, orientation: ArrayLike | None, velocity: ArrayLike, spin: ArrayLike) -> None:
    """What does not go together."""
    if body.motion is not None and not isinstance(body.motion, Motion):
        raise InvalidInput(f"motion: found {type(body.motion).__name__}; expected Motion(...)")
    if not isinstance(body.name, str):
        raise InvalidInput(f"name: found {type(body.name).__name__}; expected text")
    if isinstance(body, Plane):
        if body.normal is not None and orientation is not None:
            raise InvalidInput("normal: give the normal or the orientation, not both")
    else:
        if body.mass is not None and body.density is not None:
            raise InvalidInput("density: give the mass or the density, not both")
        if body.motion is not None and body.fixed:
            raise InvalidInput("fixed: a body with a motion is not fixed; remove fixed, or the motion")
    if isinstance(body, Plane) or body.fixed or body.motion is not None:
        given = {"velocity": velocity, "spin": spin}
        if not isinstance(body, Plane):
            given |= {"force": body.force, "torque": body.torque}
            given |= {name: ZERO if value is None else value for name, value in (("mass", body.mass), ("density", body.density))}
        for name, value in given.items():
            if np.any(np.asarray(value) != 0):
                remedy = f"; give motion=Motion({name}=...)" if name in ("velocity", "spin") else "; remove it"
                raise InvalidInput(f"{name}: is for bodies that are free{remedy}")
