"""Systems that move, integrators, and a run of any system by any integrator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from . import _core
from ._core import Law, LuGre, SystemContact
from ._errors import InvalidInput
from ._progress import Progress, end_line, progress_function
from ._results import Run, checked, checked_threads

ArrayLike = npt.ArrayLike


class ContactAt:
    """One contact at (t, q, u): fill its arrays, or replace them."""

    __slots__ = ("gap", "normal", "normal_force", "surface_velocity", "tangents")
    gap: float  # [m]; unilateral only
    normal_force: float  # [N]; of one that is always closed
    normal: npt.NDArray[np.float64]  # (n,); unilateral only
    tangents: npt.NDArray[np.float64]  # (n, 2)
    surface_velocity: npt.NDArray[np.float64]  # (2,) [m/s]

    def __init__(self) -> None:
        self.gap = self.normal_force = 0.0


class SystemAt:
    """A system at (t, q, u): fill its arrays, or replace them."""

    __slots__ = ("contacts", "force", "mass", "potential_force")
    mass: npt.NDArray[np.float64]  # (n, n)
    force: npt.NDArray[np.float64]  # (n,)
    potential_force: npt.NDArray[np.float64]  # (n,), the part of force that has a potential
    contacts: tuple[ContactAt, ...]


class System:
    """A mechanical system with contacts. Derive one of your own: give `dofs` and `contacts`, and write `evaluate`.

    evaluate(t, q, u, at) fills the arrays at.mass (n, n), at.force and at.potential_force (n,), and of each of
    at.contacts: tangents (n, 2), surface_velocity (2,), and normal_force, or gap and normal (n,) of a unilateral one. They
    keep what they have from one call to the next.

    >>> import slipset as sl
    >>> class Puck(sl.System):
    ...     dofs = 2
    ...     contacts = [sl.SystemContact(sl.isotropic(0.5))]
    ...     def evaluate(self, t, q, u, at):
    ...         at.mass[0, 0] = at.mass[1, 1] = 2.0
    ...         at.contacts[0].normal_force = 20.0
    ...         at.contacts[0].tangents[0, 0] = at.contacts[0].tangents[1, 1] = 1.0
    >>> run = sl.simulate(Puck(), sl.Moreau(1e-3), u=[1.0, 0.0], duration=1.0)
    >>> round(float(run["q1"][-1]), 4)  # u²/(2·0.5·10) [m]
    0.1
    """

    dofs: int = 0
    contacts: Sequence[SystemContact] = ()
    coordinates: Sequence[str] = ()  # names; q1, q2, ... if there are none
    constant_mass: bool = False
    steady_surfaces: bool = False

    def evaluate(self, t: float, q: npt.NDArray[np.float64], u: npt.NDArray[np.float64], at: SystemAt) -> None:
        """Fills `at` with the system at (t, q, u)."""
        raise NotImplementedError("a system of your own needs evaluate(self, t, q, u, at)")

    def _handle(self) -> _core.SystemHandle:
        return _core.python_system(
            self, self.dofs, list(self.contacts), list(self.coordinates), self.constant_mass, self.steady_surfaces
        )

    def _law(self) -> Law | None:
        return getattr(self, "law", None)


class MassOnBelt(System):
    """A mass on springs and dampers on a moving belt [WL19 75, 76]. The belt runs at `speed` [m/s] at `angle` [rad]."""

    def __init__(
        self,
        law: Law,
        *,
        mass: float = 1.0,
        stiffness: ArrayLike = ((1.0, 0.0), (0.0, 1.0)),
        damping: ArrayLike = ((0.0, 0.0), (0.0, 0.0)),
        normal_force: float = 1.0,
        speed: float = 1.0,
        angle: float = 0.0,
    ) -> None:
        self.law = law
        self._arguments = (law, mass, stiffness, damping, normal_force)
        self.belt_velocity = (speed * np.cos(angle), speed * np.sin(angle))

    def _handle(self) -> _core.SystemHandle:
        return _core.mass_on_belt(*self._arguments, self.belt_velocity)


class SlidingBody(System):
    """A body that slides freely on a horizontal plane [WL16 Sect. 4.1]."""

    def __init__(self, law: Law, *, mass: float = 1.0, normal_force: float = 9.81) -> None:
        self.law = law
        self._arguments = (law, mass, normal_force)

    def _handle(self) -> _core.SystemHandle:
        return _core.sliding_body(*self._arguments)


class LinearSystem(System):
    """M q̈ + D q̇ + K q = f + contact forces. A contact is a dict: law, tangents (n, 2), surface_velocity, and
    normal_force, or normal (n,), gap and restitution of a unilateral one."""

    def __init__(
        self,
        mass: ArrayLike,
        damping: ArrayLike | None = None,
        stiffness: ArrayLike | None = None,
        contacts: Sequence[Mapping[str, Any]] = (),
        force: ArrayLike | None = None,
    ) -> None:
        if not all(isinstance(contact, Mapping) for contact in contacts):
            raise InvalidInput("contacts: expected a dict for each contact, as {'law': law, 'tangents': ..., 'normal_force': 1}")
        self._arguments = (mass, damping, stiffness, force, [dict(contact) for contact in contacts])
        self.law = contacts[0].get("law") if contacts else None

    def _handle(self) -> _core.SystemHandle:
        return _core.linear_system(*self._arguments)


class SpringSlider(System):
    """A block pulled by a spring whose end moves at `speed` [m/s]; limits in [N], `static_limit` 0: the same."""

    def __init__(
        self,
        *,
        mass: float = 1.0,
        stiffness: float = 1.0,
        damping: float = 0.0,
        friction_limit: float = 1.0,
        static_limit: float = 0.0,
        speed: float = 0.1,
    ) -> None:
        self._arguments = (mass, stiffness, damping, friction_limit, static_limit, speed)

    def _handle(self) -> _core.SystemHandle:
        return _core.spring_slider(*self._arguments)


class ForcedOscillator(System):
    """A block on a spring, driven by amplitude·cos(frequency t + phase) [Q04 Sect. 3.1]."""

    def __init__(
        self,
        *,
        mass: float = 1.0,
        stiffness: float = 1.0,
        damping: float = 0.0,
        friction_limit: float = 1.0,
        static_limit: float = 0.0,
        amplitude: float = 0.0,
        frequency: float = 1.0,
        phase: float = 0.0,
    ) -> None:
        self._arguments = (mass, stiffness, damping, friction_limit, static_limit, amplitude, frequency, phase)

    def _handle(self) -> _core.SystemHandle:
        return _core.forced_oscillator(*self._arguments)


class SnakeRobot(System):
    """A snake of `links` that undulates; angles in [rad], frequency in [Hz]."""

    def __init__(
        self,
        law: Law,
        *,
        links: int = 10,
        length: float = 1.0,
        mass: float = 1.0,
        gravity: float = 9.81,
        amplitude: float = 0.5,
        frequency: float = 0.5,
        phase: float = 0.7,
        steering: float = 0.0,
    ) -> None:
        self.law = law
        self._arguments = (law, links, length, mass, gravity, amplitude, frequency, phase, steering)

    def _handle(self) -> _core.SystemHandle:
        return _core.snake_robot(*self._arguments)


@dataclass(frozen=True)
class Regularized:
    """Friction as a function for ordinary integrators: sign, martins-oden, karnopp, arctan, quinn; epsilon [m/s]."""

    kind: str = "quinn"
    epsilon: float = 1e-3


@dataclass(frozen=True)
class Moreau:
    """Moreau's time-stepping [WL19 19, 20]: every system and law. None: as the system suggests."""

    kind: ClassVar[str] = "moreau"
    step: float = 1e-3  # [s]
    method: str | None = None
    tolerance: float | None = None
    max_iterations: int | None = None
    closing_distance: float | None = None  # [m]


@dataclass(frozen=True)
class EventDriven:
    """The reference for set-valued laws: phases by an adaptive integrator, their ends by root finding."""

    kind: ClassVar[str] = "event-driven"
    row_step: float = 0.0  # [s]; 0: a thousandth of the duration
    relative_tolerance: float = 1e-12


@dataclass(frozen=True)
class RungeKutta4:
    """Classical Runge-Kutta with a fixed step [s] and smooth friction: Regularized, LuGre, or None for elastic laws."""

    kind: ClassVar[str] = "rk4"
    step: float = 1e-3
    friction: Regularized | LuGre | None = None


@dataclass(frozen=True)
class Adaptive:
    """SUNDIALS with error control: bdf, adams, erk or dirk."""

    kind: ClassVar[str] = "adaptive"
    method: str = "bdf"
    row_step: float = 1e-3  # [s]
    relative_tolerance: float = 1e-8
    absolute_tolerance: float = 1e-10
    friction: Regularized | LuGre | None = None


Integrator = Moreau | EventDriven | RungeKutta4 | Adaptive


def simulate(
    system: System,
    integrator: Integrator = Moreau(),
    *,
    duration: float = 1.0,
    q: ArrayLike | None = None,
    u: ArrayLike | None = None,
    t: float = 0.0,
    until_stick: bool = False,
    every: int = 1,
    cycle: float = 0.0,
    threads: int = 0,
    title: str = "",
    progress: Progress = False,
) -> Run:
    """The motion of a system from positions q and velocities u, for `duration` [s], by an integrator.

    `every`: steps between rows. `until_stick`: end when every contact sticks. What became of it is in `run.report`;
    a run that cannot go on, or cannot be trusted, says so there. After Ctrl-C the rows are those up to there.
    """
    if not isinstance(system, System):
        raise InvalidInput(f"system: found {type(system).__name__}; expected a slipset.System")
    if not isinstance(integrator, (Moreau, EventDriven, RungeKutta4, Adaptive)):
        raise InvalidInput(
            f"integrator: found {type(integrator).__name__}; expected Moreau(...), EventDriven(...), RungeKutta4(...) or "
            "Adaptive(...)"
        )
    checked_threads(threads)
    show = progress_function(progress)
    try:
        answer = _core.simulate(
            system._handle(), integrator, q, u, t, duration, until_stick, every, cycle, threads, title, show
        )
    finally:
        end_line(show)
    return Run(checked(answer), system._law())
