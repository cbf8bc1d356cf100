"""Pictures with matplotlib, in the design of the program's."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ._core import Law, PlanarSet
from ._errors import InvalidInput

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito's colours, which colour-blind people can tell apart.
BLUE, ORANGE, GREEN, RED, GREY = "#0072b2", "#e69f00", "#009e73", "#d55e00", "#7f7f7f"


def axes(ax: Axes | None, size: tuple[float, float] = (5.0, 4.0)) -> Axes:
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise InvalidInput('pictures need matplotlib; install it with "pip install slipset[plot]"') from None
    return plt.subplots(figsize=size, layout="constrained")[1]


def svg(draw: Callable[[Axes], object]) -> str:
    """A picture for a notebook, without touching the caller's figures."""
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5.0, 4.0), layout="constrained")
    FigureCanvasSVG(figure)
    draw(figure.add_subplot())
    out = io.BytesIO()
    figure.savefig(out, format="svg", metadata={"Date": None})
    return out.getvalue().decode()


def svg_of_set(shape: PlanarSet) -> str:
    return svg(lambda ax: planar_set(shape, ax))


def svg_of_law(law: Law) -> str:
    return svg(lambda ax: law_sets(law, ax))


def _plane(ax: Axes, x: str, y: str) -> None:
    ax.set_aspect("equal", adjustable="datalim")
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    ax.grid(alpha=0.3)


def planar_set(shape: PlanarSet, ax: Axes | None = None, **style: Any) -> Axes:
    ax = axes(ax, (4.0, 4.0))
    boundary = shape.boundary(720)
    ax.plot(boundary[:, 0], boundary[:, 1], **{"color": BLUE, **style})
    ax.plot(0, 0, "+", color="black", markersize=5)
    _plane(ax, "along the first axis [-]", "along the second axis [-]")
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
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=3, frameon=False)
    return ax


def law_over_angle(law: Law, ax: Axes | None = None, what: str = "coefficient") -> Axes:
    """Coefficient of friction, or the angle from slip to resistance, over the slip direction; unstable ones shaded."""
    ax = axes(ax, (5.0, 3.2))
    angles = np.linspace(0, 2 * np.pi, 721)
    slip = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    resistance = law.slip_resistance(slip)
    if what == "coefficient":
        ax.plot(np.degrees(angles), np.linalg.norm(resistance, axis=-1), color=BLUE)
        ax.set_ylabel("coefficient of friction [-]")
        ax.set_ylim(bottom=0)
    elif what == "deflection":
        cross = slip[:, 0] * resistance[:, 1] - slip[:, 1] * resistance[:, 0]
        ax.plot(np.degrees(angles), np.degrees(np.arctan2(cross, np.sum(slip * resistance, axis=-1))), color=BLUE)
        ax.set_ylabel("from slip to resistance [degrees]")
    else:
        raise InvalidInput(f'what: found "{what}"; expected sets, coefficient or deflection')
    for number, (start, end) in enumerate(law.destabilising()):
        for turn in (-360, 0):
            left, right = np.degrees(start) + turn, np.degrees(end) + turn
            if right > 0 and left < 360:
                label = "can be unstable" if number == 0 and turn == 0 else None
                ax.axvspan(max(left, 0), min(right, 360), color=RED, alpha=0.15, linewidth=0, label=label)
    if law.destabilising():
        ax.legend(frameon=False)
    ax.set_xlim(0, 360)
    ax.set_xticks(range(0, 361, 45))
    ax.set_xlabel("slip direction [degrees]")
    ax.grid(alpha=0.3)
    return ax


def law(law: Law, what: str = "sets", ax: Axes | None = None) -> Axes:
    return law_sets(law, ax) if what == "sets" else law_over_angle(law, ax, what)


def _stick(run: Any) -> np.ndarray[Any, Any]:
    modes = [name for name in run.columns if name.endswith(".mode")]
    return np.all([run[name] == 2 for name in modes], axis=0) if modes else np.zeros(len(run.t), dtype=bool)


def run(run: Any, what: str, ax: Axes | None = None) -> Axes:
    names = run.coordinates
    if what == "path":
        if len(names) < 2:
            raise InvalidInput('what: this system has one coordinate; use "time"')
        ax = axes(ax)
        x, y, stick = run[names[0]], run[names[1]], _stick(run)
        ax.plot(x, y, color=BLUE, label="slip")
        if stick.any():
            ax.plot(np.where(stick, x, np.nan), np.where(stick, y, np.nan), color=ORANGE, linewidth=2.5, label="stick")
            ax.legend(frameon=False)
        ax.plot(x[0], y[0], "o", color=GREY, markersize=4)
        _plane(ax, f"{names[0]} [m]", f"{names[1]} [m]")
        return ax
    if what == "force":
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
        _plane(ax, "first axis, over the normal force [-]", "second axis [-]")
        return ax
    ax = axes(ax, (6.0, 3.2))
    if what == "time":
        for name, colour in zip(names[:4], (BLUE, ORANGE, GREEN, RED)):
            ax.plot(run.t, run[name], color=colour, label=name)
        ax.set_ylabel("position [m]")
    elif what == "energy":
        for name, colour in (("kinetic", BLUE), ("potential", ORANGE), ("dissipated", RED), ("input", GREEN)):
            if name in run.columns:
                ax.plot(run.t, run[name], color=colour, label=name)
        ax.set_ylabel("energy [J]")
    else:
        raise InvalidInput(f'what: found "{what}"; expected path, force, time or energy')
    ax.set_xlabel("t [s]")
    ax.legend(frameon=False)
    ax.grid(alpha=0.3)
    return ax


def stability(result: Any, ax: Axes | None = None) -> Axes:
    ax = axes(ax, (5.5, 3.8))
    ax.grid(alpha=0.3)
    if "map" in result:
        first, second, *_ = result.table("boundary.csv").values()
        ax.plot(first, second, ".", color=RED, markersize=3, label="limit of stability")
        ax.set_xlabel(result["map"]["first"])
        ax.set_ylabel(result["map"]["second"])
        ax.legend(frameon=False)
        return ax
    if "sweep" in result:
        data = result["sweep"]
        for column in result.growth.T:
            ax.plot(result.parameter, column, color=BLUE, linewidth=1)
        ax.axhline(0, color="black", linewidth=0.8)
        for critical in result["critical"]:
            ax.axvline(critical["value"], color=RED, linestyle="--", linewidth=1)
        ax.set_xlabel(data["parameter"])
        ax.set_ylabel("growth rate [1/s]")
        return ax
    values = result.eigenvalues
    grows = values.real > 0
    ax.plot(values.real[~grows], values.imag[~grows], "o", color=BLUE, label="decays")
    ax.plot(values.real[grows], values.imag[grows], "o", color=RED, label="grows")
    ax.axvline(0, color="black", linewidth=0.8)
    ax.set_xlabel("growth rate [1/s]")
    ax.set_ylabel("angular frequency [rad/s]")
    ax.legend(frameon=False)
    return ax


def cycle(result: Any, ax: Axes | None = None) -> Axes:
    if "cycle.csv" in result._answer.files:
        table = result.table("cycle.csv")
        names = [name for name in table if f"d{name}" in table]
        ax = axes(ax)
        if len(names) > 1:
            ax.plot(table[names[0]], table[names[1]], color=BLUE)
            _plane(ax, f"{names[0]} [m]", f"{names[1]} [m]")
        else:
            ax.plot(table[names[0]], table[f"d{names[0]}"], color=BLUE)
            ax.set_xlabel(f"{names[0]} [m]")
            ax.set_ylabel(f"d{names[0]} [m/s]")
            ax.grid(alpha=0.3)
        return ax
    raise InvalidInput("there is no cycle to draw: none was found")
