"""A friction element for other people's integrators, as scipy.integrate.solve_ivp."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from ._core import Law, RegularizedLaw
from ._errors import InvalidInput

Array = npt.NDArray[np.float64]


class FrictionForce:
    """Friction on a body that slides in a plane, as a function of its slip velocity and of the other forces on it.

    With Quinn's law [Q04 4] (R.12) it sticks truly: below the limit it holds what acts on the body, without creep. `epsilon`
    [m/s] is the half width of the ramp; other kinds are those of `RegularizedLaw`.

    >>> import numpy as np
    >>> from slipset import FrictionForce, isotropic
    >>> friction = FrictionForce(isotropic(0.5), normal_force=10.0)
    >>> friction([0.0, 0.0], applied=[3.0, 1.0])   # holds
    array([-3., -1.])
    >>> friction([0.0, 0.0], applied=[30.0, 0.0])  # as much as it can
    array([-5., -0.])
    """

    def __init__(self, law: Law, normal_force: float, kind: str = "quinn", epsilon: float = 1e-3) -> None:
        if not isinstance(normal_force, (int, float, np.number)) or not (np.isfinite(normal_force) and normal_force > 0):
            raise InvalidInput(f"normal_force: found {normal_force}; expected a positive number [N]")
        self.law = law
        self.normal_force = float(normal_force)
        self.regularized = RegularizedLaw(law, kind, epsilon)

    def __call__(self, slip_velocity: npt.ArrayLike, applied: npt.ArrayLike = (0.0, 0.0)) -> Array:
        """The force on the body [N]. `applied`: what else acts on it at this moment, as springs, loads, inertia [N]."""
        balance = np.asarray(applied, dtype=float) / self.normal_force
        return -self.normal_force * self.regularized.resistance(slip_velocity, balance)

    def events(self, slip_velocity: Callable[[float, Array], npt.ArrayLike]) -> Callable[[float, Array], float]:
        """An event of solve_ivp where the body enters or leaves the ramp: |v| = epsilon. `slip_velocity(t, y)` [m/s]."""
        epsilon = self.regularized.epsilon

        def distance(t: float, y: Array) -> float:
            v = np.asarray(slip_velocity(t, y), dtype=float)
            return float(np.hypot(*v) - epsilon)

        return distance

    def __repr__(self) -> str:
        return f"FrictionForce({self.law!r}, {self.normal_force}, {self.regularized.kind!r}, {self.regularized.epsilon})"

    def __reduce__(self) -> Any:
        return (FrictionForce, (self.law, self.normal_force, self.regularized.kind, self.regularized.epsilon))
