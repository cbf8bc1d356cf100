"""Pictures with matplotlib, in the design of the program's."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._core import Law, PlanarSet
from ._errors import InvalidInput

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ._results import Run

# Okabe and Ito's colours, which colour-blind people can tell apart.
BLUE, ORANGE, GREEN, RED, GREY = "#0072b2", "#e69f00", "#009e73", "#d55e00", "#7f7f7f"
COLOURS = (BLUE, ORANGE, GREEN, RED)


def axes(ax: Axes | None, size: tuple[float, float] = (5.0, 4.0)) -> Axes:
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise InvalidInput('pictures need matplotlib; install it with "pip install slipset[plot]"') from None
    return plt.subplots(figsize=size, layout="constrained")[1]


def svg(draw: Callable[[Axes], object], size: tuple[float, float] = (5.0, 4.0)) -> str:
    """A picture for a notebook, without touching the caller's figures."""
    try:
        from matplotlib.backends.backend_svg import FigureCanvasSVG
        from matplotlib.figure import Figure
    except ImportError:
        raise NotImplementedError("without matplotlib there is the text") from None  # which notebooks understand

    figure = Figure(figsize=size, layout="constrained")
    FigureCanvasSVG(figure)
    draw(figure.add_subplot())
    out = io.BytesIO()
    figure.savefig(out, format="svg", metadata={"Date": None})
    return out.getvalue().decode()


def svg_of_set(shape: PlanarSet) -> str:
    return svg(lambda ax: planar_set(shape, ax))


def svg_of_law(law: Law) -> str:
    return svg(lambda ax: law_sets(law, ax))


def plane_axes(ax: Axes, x: str, y: str) -> None:
    ax.set_aspect("equal", adjustable="datalim")
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    ax.grid(alpha=0.3)


def planar_set(shape: PlanarSet, ax: Axes | None = None, **style: Any) -> Axes:
    ax = axes(ax, (4.0, 4.0))
    boundary = shape.boundary(720)
    style.setdefault("color", BLUE)
    ax.plot(boundary[:, 0], boundary[:, 1], **style)
    ax.plot(0, 0, "+", color="black", markersize=5)
    plane_axes(ax, "along the first axis [-]", "along the second axis [-]")
    return ax


def law_sets(law: Law, ax: Axes | None = None) -> Axes:
    """C and D, resistances on C, and the slip that goes with each."""
    ax = axes(ax, (4.6, 4.2))
    planar_set(law.reservoir, ax, label="reservoir C", linewidth=1.8)
    planar_set(law.direction, ax, label="direction set D", color=ORANGE, linestyle="--")
    angles = np.arange(0, 2 * np.pi, np.pi / 12)
    slip = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    resistance = law.slip_resistance(slip)
    size = float(np.max(np.linalg.norm(law.reservoir.boundary(180), axis=-1)))
    ax.quiver(
        resistance[:, 0], resistance[:, 1], slip[:, 0], slip[:, 1],
        color=GREEN, angles="xy", scale_units="xy", scale=4 / size, width=0.005, label="slip",
    )
    tips = resistance + size / 4 * slip  # quiver leaves room for the places alone
    ax.plot(*xy(np.concatenate([resistance, 1.05 * tips])), linestyle="none")
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=3, frameon=False)
    return ax


def law_over_angle(
    law: Law, ax: Axes | None = None, what: str = "coefficient", color: str | None = None, label: str | None = None
) -> Axes:
    """Coefficient of friction, or the angle from slip to resistance, over the slip direction; unstable ones shaded."""
    ax = axes(ax, (5.0, 3.2))
    drawn = len(ax.lines)  # each law over the same axes has a colour of its own
    color = color or COLOURS[drawn % len(COLOURS)]
    angles = np.linspace(0, 2 * np.pi, 721)
    slip = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    resistance = law.slip_resistance(slip)
    if what == "coefficient":
        ax.plot(np.degrees(angles), np.linalg.norm(resistance, axis=-1), color=color, label=label)
        ax.set_ylabel("coefficient of friction [-]")
        ax.set_ylim(bottom=0)
    elif what == "deflection":
        cross = slip[:, 0] * resistance[:, 1] - slip[:, 1] * resistance[:, 0]
        ax.plot(np.degrees(angles), np.degrees(np.arctan2(cross, np.sum(slip * resistance, axis=-1))), color=color, label=label)
        ax.set_ylabel("from slip to resistance [degrees]")
    else:
        raise InvalidInput(f'what: found "{what}"; expected sets, coefficient or deflection')
    for number, (start, end) in enumerate(law.destabilising()):
        for turn in (-360, 0):
            left, right = np.degrees(start) + turn, np.degrees(end) + turn
            if right > 0 and left < 360:
                shown = "can be unstable" if number == 0 and turn == 0 else None
                shade = RED if drawn == 0 else color
                ax.axvspan(max(left, 0), min(right, 360), color=shade, alpha=0.15, linewidth=0, label=shown)
    if law.destabilising() or label:
        ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=3, frameon=False)
    ax.set_xlim(0, 360)
    ax.set_xticks(range(0, 361, 45))
    ax.set_xlabel("slip direction [degrees]")
    ax.grid(alpha=0.3)
    return ax


def law(law: Law, what: str = "sets", ax: Axes | None = None, color: str | None = None, label: str | None = None) -> Axes:
    if what == "sets":
        if color is not None or label is not None:
            raise InvalidInput('color, label: are for curves over the angle; use what="coefficient" or "deflection"')
        return law_sets(law, ax)
    return law_over_angle(law, ax, what, color, label)


def xy(points: npt.NDArray[np.float64]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Rows of points as the two arguments of a line."""
    return points[:, 0], points[:, 1]


def stick_of(run: Run) -> npt.NDArray[np.bool_]:
    """At which rows every contact sticks."""
    modes = [name for name in run.columns if name.endswith(".mode")]
    return np.all([run[name] == 2 for name in modes], axis=0) if modes else np.zeros(len(run.t), dtype=bool)


def label_of(coordinate: str) -> str:
    """With its unit, where the name tells it: not of systems whose coordinates are q1, q2, ..."""
    name = coordinate.split(".")[-1]
    if name.startswith(("angle", "pitch", "yaw", "heading", "turn")):
        return f"{coordinate} [rad]"
    return f"{coordinate} [m]" if name.rstrip("0123456789") in ("x", "y", "z") else coordinate


def plane_of(run: Run) -> tuple[str, str] | None:
    """The two coordinates that span the plane of the path; None if there are none."""
    names = getattr(run._answer, "plane", None) or run.coordinates[:2]
    if len(names) < 2 or names[0] == names[1] or any(label_of(name).endswith("[rad]") for name in names):
        return None
    return names[0], names[1]


def _bodies(run: Run) -> list[str]:
    """Names of the rigid bodies in the table."""
    return [name.removesuffix(".qw") for name in run.columns if name.endswith(".qw")]


def _path(run: Run, ax: Axes | None) -> Axes:
    plane = plane_of(run)
    if plane is None:
        raise InvalidInput('what: the path of this system is not in a plane; use "time"')
    ax = axes(ax)
    x, y, stick = run[plane[0]], run[plane[1]], stick_of(run)
    ax.plot(x, y, color=BLUE, label="slip")
    if stick.any():
        ax.plot(np.where(stick, x, np.nan), np.where(stick, y, np.nan), color=ORANGE, linewidth=2.5, label="stick")
        ax.legend(frameon=False)
    ax.plot(x[0], y[0], "o", color=GREY, markersize=4)
    plane_axes(ax, label_of(plane[0]), label_of(plane[1]))
    return ax


def _paths_of_bodies(run: Run, ax: Axes | None) -> Axes:
    """The bodies at the end and the way of each; of a run that was pickled, which has no shapes, the way from above."""
    if getattr(run._answer, "bodies", None) and len(run.t) > 1:
        from ._animate import scene_of

        scene = scene_of(run, np.linspace(float(run.t[0]), float(run.t[-1]), 400))
        ax = axes(ax, (6.0, float(np.clip(6.0 * scene.shape, 2.2, 5.6)) + 0.4))
        scene.prepare(ax)
        scene.draw(399)
        ax.set_title(f"t = {run.t[-1]:.4g} s", fontsize=10)
        return ax
    ax = axes(ax)
    for name in _bodies(run):
        ax.plot(run[f"{name}.x"], run[f"{name}.y"], color=BLUE, linewidth=1)
    plane_axes(ax, "x [m]", "y [m]")
    return ax


def _force(run: Run, ax: Axes | None) -> Axes:
    contact = next((n.removesuffix(".friction_1") for n in run.columns if n.endswith(".friction_1")), None)
    if contact is None:
        raise InvalidInput("what: this run has no friction forces in its table")
    ax = axes(ax)
    normal = run[f"{contact}.normal_force"]
    closed = normal > 0
    force = [-run[f"{contact}.friction_{i}"][closed] / normal[closed] for i in (1, 2)]
    if run._law is not None:
        boundary = run._law.reservoir.boundary(720)
        ax.plot(boundary[:, 0], boundary[:, 1], color=GREY, label="reservoir C")
    ax.plot(*force, color=BLUE, linewidth=0.8, label="resistance")
    ax.legend(frameon=False)
    plane_axes(ax, "first axis, over the normal force [-]", "second axis, over the normal force [-]")
    return ax


def _positions(run: Run, ax: Axes) -> None:
    bodies = _bodies(run)
    for name, colour in zip(bodies, COLOURS):
        way = [run[f"{name}.{axis}"] - run[f"{name}.{axis}"][0] for axis in "xyz"]
        ax.plot(run.t, np.linalg.norm(way, axis=0), color=colour, label=name)
    names = run.coordinates[: len(COLOURS)]
    for name, colour in zip(names, COLOURS):
        ax.plot(run.t, run[name], color=colour, label=name)
    units = {label_of(name).removeprefix(name) for name in names}
    ax.set_ylabel("distance from the start [m]" if bodies else f"position{units.pop()}" if len(units) == 1 else "position [m], angle [rad]")


def run(run: Run, what: str, ax: Axes | None = None) -> Axes:
    if what == "path":
        return _paths_of_bodies(run, ax) if _bodies(run) else _path(run, ax)
    if what == "force":
        return _force(run, ax)
    if what not in ("time", "energy"):
        raise InvalidInput(f'what: found "{what}"; expected path, force, time or energy')
    ax = axes(ax, (6.0, 3.2))
    if what == "time":
        _positions(run, ax)
    else:
        for name, colour in (("kinetic", BLUE), ("potential", ORANGE), ("dissipated", RED), ("input", GREEN)):
            if name in run.columns:
                ax.plot(run.t, run[name], color=colour, label=name)
        ax.set_ylabel("energy [J]")
    ax.set_xlabel("t [s]")
    if ax.lines:
        ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=4, frameon=False)
    ax.grid(alpha=0.3)
    return ax


def svg_of_run(given: Run) -> str:
    if _bodies(given) or plane_of(given):
        return svg(lambda ax: run(given, "path", ax), (6.0, 4.5))
    return svg(lambda ax: run(given, "time", ax), (6.0, 3.4))
