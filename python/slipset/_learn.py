"""Derivatives of runs, and laws learned from trajectories with them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._core import Law, RunDerivative
from ._errors import InvalidInput
from ._systems import ArrayLike, Moreau, SlidingBody, System


Array = npt.NDArray[np.float64]


def differentiate(
    system: System,
    integrator: Moreau = Moreau(),
    *,
    duration: float = 1.0,
    q: ArrayLike | None = None,
    u: ArrayLike | None = None,
    t: float = 0.0,
    every: int = 1,
    difference: float = 1e-5,
    border: float = 1e-9,
) -> RunDerivative:
    """A run by Moreau's scheme that can be differentiated by its start and by the numbers of its laws (D.8, D.9).

    `difference`: of a coordinate or velocity x, over max(1, |x|), for the derivatives of evaluate(). `border`: how near to
    a border between modes counts as on it. The reverse run keeps checkpoints every √n steps.

    >>> import slipset as sl
    >>> body = sl.SlidingBody(sl.isotropic(0.4), mass=1.0, normal_force=9.81)
    >>> run = sl.differentiate(body, sl.Moreau(1e-4), u=[1.3, 0.0], duration=0.5)
    >>> dq, du = run.forward(u=[1.0, 0.0])
    >>> round(float(dq[-1, 0]), 3)  # of v²/(2 μ g) by v: v/(μ g) [s]
    0.331
    """
    if not isinstance(system, System):
        raise InvalidInput(f"system: found {type(system).__name__}; expected a slipset.System")
    if not isinstance(integrator, Moreau):
        raise InvalidInput(f"integrator: found {type(integrator).__name__}; derivatives of runs are those of Moreau(...)")
    return _core.differentiate(system._handle(), integrator, q, u, t, duration, every, difference, border)


@dataclass(frozen=True)
class LearnedParameter:
    """A number of the law, with its 95 % interval."""

    value: float
    sigma: float
    low: float
    high: float


@dataclass(frozen=True)
class Learned:
    """A law from trajectories. Intervals hold if the noise is independent and the surface follows a law of these shapes."""

    law: Law
    parameters: dict[str, LearnedParameter]
    rms: float  # of the positions, per coordinate [m]
    starts: list[tuple[Array, Array]]  # q and u of each trajectory
    residuals: list[Array]  # measured minus computed positions
    correlation: float  # of neighbouring residuals: far from 0 the law misses something, or the noise is correlated
    converged: bool
    evaluations: int

    def __repr__(self) -> str:
        lines = [f"{name:20s} {p.value:10.5g}  95 %: {p.low:.5g} to {p.high:.5g}" for name, p in self.parameters.items()]
        state = "converged" if self.converged else "NOT converged"
        return "\n".join([*lines, f"rms {self.rms:.3g} m, correlation of residuals {self.correlation:.2g}, {state}"])

    def _repr_svg_(self) -> str:
        return self.law._repr_svg_()  # type: ignore[attr-defined, no-any-return, unused-ignore]


_TURNED_BY_PI = {"Ellipse", "Superellipse", "Rectangle", "Stadium", "NormMix"}  # the same set


# Numbers are searched for without bounds: sizes by their logarithm, exponents by that of what is above 1.
class _Number:
    def __init__(self, name: str, value: float) -> None:
        self.name = name
        key = name.split(".")[-1].split("[")[0]
        self.kind = "plain" if key in ("angle", "x", "y", "w2", "w4", "slope") else "exponent" if key == "exponent" else "size"
        self.start = value

    def inward(self, value: float) -> float:
        return value if self.kind == "plain" else float(np.log(value - (self.kind == "exponent")))

    def nearest_turn(self, x: float, law: Law) -> float:
        """An angle of the same set, the one next to where the search began."""
        if not self.name.endswith(".angle"):
            return x
        shape = law.reservoir if self.name.startswith("reservoir") else law.direction
        period = np.pi if type(shape).__name__ in _TURNED_BY_PI else 2 * np.pi
        return float(self.start + np.remainder(x - self.start + period / 2, period) - period / 2)

    def outward(self, x: float) -> float:
        return x if self.kind == "plain" else float(np.exp(x)) + (self.kind == "exponent")

    def slope(self, value: float) -> float:
        return 1.0 if self.kind == "plain" else value - (self.kind == "exponent")


class _Trajectory:
    def __init__(self, number: int, t: ArrayLike, q: ArrayLike) -> None:
        where = f"trajectories[{number}]"
        try:
            self.t, self.q = np.asarray(t, dtype=float), np.asarray(q, dtype=float)
        except (TypeError, ValueError):
            raise InvalidInput(f"{where}: expected times and positions as numbers") from None
        if self.t.ndim != 1 or self.q.ndim != 2 or len(self.t) != len(self.q):
            raise InvalidInput(f"{where}: times of shape {self.t.shape}, positions of shape {self.q.shape}; expected (m,) and (m, n)")
        if len(self.t) < 5 or not np.all(np.isfinite(self.t)) or not np.all(np.isfinite(self.q)):
            raise InvalidInput(f"{where}: expected 5 points or more, all of them finite")
        if not np.all(np.diff(self.t) > 0):
            raise InvalidInput(f"{where}: the times do not increase")
        first = slice(0, max(6, len(self.t) // 8))
        fit: Array = np.linalg.lstsq(np.vander(self.t[first] - self.t[0], 3, increasing=True), self.q[first])[0]
        self.start: tuple[Array, Array] = (fit[0].copy(), fit[1].copy())

    def at(self, run: RunDerivative, values: Array, rates: Array) -> Array:
        """At the measured times, by cubics between rows: values and their rates, a row per time of the run."""
        rows = run.t
        i = np.clip(np.searchsorted(rows, self.t, side="right") - 1, 0, len(rows) - 2)
        h = rows[i + 1] - rows[i]
        s = np.clip((self.t - rows[i]) / h, 0, 1)
        shape = (-1,) + (1,) * (values.ndim - 1)
        h, s = h.reshape(shape), s.reshape(shape)
        return np.asarray(
            (1 + 2 * s) * (1 - s) ** 2 * values[i]
            + s**2 * (3 - 2 * s) * values[i + 1]
            + h * s * (1 - s) * ((1 - s) * rates[i] - s * rates[i + 1])
        )


def _pair(given: Any, where: str) -> tuple[Any, Any]:
    try:
        first, second = given
    except (TypeError, ValueError):
        raise InvalidInput(f"{where}: expected a pair of times and positions") from None
    return first, second


def _start(given: Any, where: str, dofs: int) -> tuple[Array, Array]:
    try:
        q, u = (np.array(x, dtype=float) for x in given)
    except (TypeError, ValueError):
        raise InvalidInput(f"{where}: expected a pair of position and velocity, {dofs} numbers each") from None
    for what, x in (("position", q), ("velocity", u)):
        if x.shape != (dofs,) or not np.all(np.isfinite(x)):
            raise InvalidInput(f"{where}: found a {what} of shape {x.shape}; expected {dofs} finite numbers")
    return q, u


class _Fit:
    """Residuals of all trajectories and their derivatives by x: the law's free numbers, then q and u of each start."""

    def __init__(self, law: Law, data: list[_Trajectory], system: Callable[[Law], System], integrator: Moreau,
                 extrapolate: bool, fixed: Sequence[str] | None) -> None:  # fmt: skip
        self.law, self.data, self.system, self.integrator, self.extrapolate = law, data, system, integrator, extrapolate
        names = list(law.parameters())
        if fixed is None:
            fixed = [name for name in names if name.startswith("direction.")][:1]
        for name in fixed:
            if name not in names:
                raise InvalidInput(f"fixed: the law has no {name!r}; it has {', '.join(names)}")
        self.values: Array = np.array(list(law.parameters().values()))
        self.free = [i for i, name in enumerate(names) if name not in fixed]
        if not self.free:
            raise InvalidInput("fixed: no number of the law is left to look for")
        self.numbers = [_Number(names[i], float(self.values[i])) for i in self.free]
        # A number of D that stays: the other sizes of D are given over it.
        self.size_of_d = next((name for name in names if name in fixed and name.startswith("direction.")), None)
        self.dofs = data[0].q.shape[1]
        self.begin: Array = np.concatenate(
            [np.array([number.inward(number.start) for number in self.numbers]), *(np.concatenate(one.start) for one in data)]
        )
        if sum(one.q.size for one in data) <= len(self.begin):
            raise InvalidInput("trajectories: fewer measured numbers than unknown ones")
        self._last: tuple[Array, Array, Array] | None = None

    def require_sensible_start(self) -> None:
        """Every number must change something where the search begins: the angle of a round ellipse does not."""
        made = self.system(self.law_at(self.begin))
        dofs = made._handle().dofs
        if dofs != self.dofs:
            raise InvalidInput(f"trajectories[0]: positions of {self.dofs} coordinates; the system has {dofs}")
        sizes: Array = np.linalg.norm(self.evaluate(self.begin)[1][:, : len(self.free)], axis=0)
        for number, size in zip(self.numbers, sizes):
            if size <= 1e-9 * float(sizes.max()):
                raise InvalidInput(
                    f"law: {number.name} changes nothing where the search begins; begin with a shape that is not round, or "
                    "name it in fixed"
                )

    def law_at(self, x: Array) -> Law:
        now: Array = np.array(self.values)
        now[self.free] = [number.outward(number.nearest_turn(float(xi), self.law)) for number, xi in zip(self.numbers, x)]
        return self.law.with_parameters(now)

    def start(self, x: Array, k: int) -> tuple[Array, Array]:
        first = len(self.free) + 2 * self.dofs * k
        return x[first : first + self.dofs], x[first + self.dofs : first + 2 * self.dofs]

    def residuals(self, x: Array) -> Array:
        return self.evaluate(x)[0]

    def jacobian(self, x: Array) -> Array:
        return self.evaluate(x)[1]

    def evaluate(self, x: Array) -> tuple[Array, Array]:
        """Computed minus measured positions, and their derivatives; the last ones are kept."""
        if self._last is not None and np.array_equal(self._last[0], x):
            return self._last[1], self._last[2]
        made = self.system(self.law_at(x))
        own, of_start = len(self.free), 2 * self.dofs
        slopes = np.array([number.slope(number.outward(float(xi))) for number, xi in zip(self.numbers, x)])
        rows: list[Array] = []
        jacobians: list[Array] = []
        for k, one in enumerate(self.data):
            q, by = self._positions(made, one, *self.start(x, k))
            rows.append((q - one.q).ravel())
            by = by.reshape(len(rows[-1]), -1)
            jacobian = np.zeros((len(by), len(x)))
            jacobian[:, :own] = by[:, of_start + np.array(self.free)] * slopes
            jacobian[:, own + of_start * k : own + of_start * (k + 1)] = by[:, :of_start]
            jacobians.append(jacobian)
        self._last = x.copy(), np.concatenate(rows), np.concatenate(jacobians)
        return self._last[1], self._last[2]

    def _positions(self, made: System, one: _Trajectory, q: Array, u: Array) -> tuple[Array, Array]:
        """At the measured times, and their derivatives by start and law."""
        sums: list[Array] = []
        for part, weight in ((1.0, -1.0), (0.5, 2.0)) if self.extrapolate else ((1.0, 1.0),):
            run = differentiate(
                made, replace(self.integrator, step=part * self.integrator.step), q=q, u=u, t=float(one.t[0]),
                duration=float(one.t[-1] - one.t[0]),
            )  # fmt: skip
            if len(run.parameters) != 1:
                raise InvalidInput(f"system: it has {len(run.parameters)} laws; expected the one that is looked for")
            terms = (weight * one.at(run, run.q, run.u), weight * one.at(run, *run.jacobian()))
            sums = [a + b for a, b in zip(sums, terms)] if sums else list(terms)
        return sums[0], sums[1]

    def sigmas(self, x: Array) -> Array:
        """Standard deviations of x, from the residuals' own size."""
        residuals, jacobian = self.evaluate(x)
        own = len(self.free)
        scale: Array = np.linalg.norm(jacobian, axis=0)
        scale[scale == 0] = 1
        _, singular, right = np.linalg.svd(jacobian / scale, full_matrices=False)
        if singular[-1] <= 1e-10 * singular[0]:
            weakest = np.abs(right[-1][:own])
            which = f"; {self.numbers[int(weakest.argmax())].name} counts for nothing: name it in fixed"
            raise InvalidInput(f"trajectories: they do not determine the law{which if weakest.max() > 1e-6 else ''}, or give more of them")
        rms = np.sqrt(float(residuals @ residuals) / (len(residuals) - len(x)))
        return np.asarray(rms * np.linalg.norm(right / singular[:, None], axis=0) / scale)

    @staticmethod
    def knows_angles(parameters: dict[str, LearnedParameter]) -> bool:
        """Not where the interval of an angle is wider than a quarter turn: the search ended far from any law."""
        return all(p.high - p.low < np.pi / 2 for name, p in parameters.items() if name.endswith(".angle"))

    def parameters(self, x: Array) -> dict[str, LearnedParameter]:
        from scipy.stats import t as student

        reach = float(student.ppf(0.975, len(self.residuals(x)) - len(x)))
        found: dict[str, LearnedParameter] = {}
        for number, at, sigma in zip(self.numbers, x, self.sigmas(x)):
            name, size = number.name, 1.0
            if self.size_of_d is not None and number.kind == "size" and name.startswith("direction."):
                name, size = f"{name}/{self.size_of_d}", float(self.law.parameters()[self.size_of_d])
            at = number.nearest_turn(float(at), self.law)
            value, low, high = (number.outward(float(at + k * reach * sigma)) / size for k in (0, -1, 1))
            found[name] = LearnedParameter(value, number.slope(value * size) / size * float(sigma), low, high)
        return found


def learn_law(
    law: Law,
    trajectories: Iterable[tuple[ArrayLike, ArrayLike]],
    system: Callable[[Law], System] = SlidingBody,
    *,
    integrator: Moreau = Moreau(1e-3),
    extrapolate: bool = True,
    fixed: Sequence[str] | None = None,
    starts: Sequence[tuple[ArrayLike, ArrayLike]] | None = None,
    max_evaluations: int = 60,
) -> Learned:
    """A law from measured trajectories of any system, by least squares with the derivatives of its runs (D.8).

    `law`: where to begin; its shapes stay, their numbers are looked for. `trajectories`: pairs of times (m,) [s] and
    positions (m, n); start position and velocity of each are fitted, too. `system`: makes the system from a law. `fixed`:
    names of numbers, as in law.parameters(), that keep their value; by default the first of D, whose size counts for
    nothing: D's other sizes are then given over it. `starts`: first guesses (q, u) of each start. `extrapolate`: take
    each run with half the step, too, and from both what is of second order; without it the integrator's error, of first
    order in the step, is part of the result. Needs SciPy.
    """
    from scipy import optimize

    solver: Any = optimize
    if not isinstance(law, Law):
        raise InvalidInput(f"law: found {type(law).__name__}; expected a Law")
    if law.stribeck is not None or law.elastic is not None:
        raise InvalidInput("law: only the numbers of C and D are learned; give a law without stribeck and elastic")
    if not isinstance(integrator, Moreau):
        raise InvalidInput(f"integrator: found {type(integrator).__name__}; derivatives of runs are those of Moreau(...)")
    data = [_Trajectory(number, *_pair(pair, f"trajectories[{number}]")) for number, pair in enumerate(trajectories)]
    if not data:
        raise InvalidInput("trajectories: there are none")
    for number, one in enumerate(data):
        if one.q.shape[1] != data[0].q.shape[1]:
            raise InvalidInput(f"trajectories[{number}]: {one.q.shape[1]} coordinates, trajectories[0] has {data[0].q.shape[1]}")
    if starts is not None:
        if len(starts) != len(data):
            raise InvalidInput(f"starts: {len(starts)} for {len(data)} trajectories")
        for number, (one, pair) in enumerate(zip(data, starts)):
            one.start = _start(pair, f"starts[{number}]", one.q.shape[1])
    if not isinstance(max_evaluations, int) or max_evaluations < 1:
        raise InvalidInput(f"max_evaluations: found {max_evaluations!r}; expected a whole number above 0")
    fit = _Fit(law, data, system, integrator, extrapolate, fixed)
    fit.require_sensible_start()
    found = solver.least_squares(
        fit.residuals, fit.begin, jac=fit.jacobian, method="trf", x_scale="jac", xtol=1e-10, ftol=1e-12, gtol=1e-14,
        max_nfev=max_evaluations,
    )  # fmt: skip
    x = np.array(found.x, dtype=float)
    residuals = -fit.residuals(x)
    split = np.split(residuals, np.cumsum([one.q.size for one in data])[:-1])
    left = [part.reshape(-1, fit.dofs) for part in split]
    neighbours = sum(float((part[1:] * part[:-1]).sum()) for part in left)
    parameters = fit.parameters(x)
    return Learned(
        law=fit.law_at(x),
        parameters=parameters,
        rms=float(np.sqrt(np.mean(residuals**2))),
        starts=[fit.start(x, k) for k in range(len(data))],
        residuals=left,
        correlation=neighbours / max(float(residuals @ residuals), 1e-300),
        converged=bool(found.status > 0) and fit.knows_angles(parameters),
        evaluations=int(found.nfev),
    )
