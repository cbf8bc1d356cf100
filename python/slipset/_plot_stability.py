"""Pictures of steady sliding, of cycles, and of how they change with a parameter."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ._errors import InvalidInput
from ._plot import BLUE, GREY, ORANGE, RED, axes, plane_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ._program import StructureStability
    from ._results import Cycle, Stability

Array = npt.NDArray[np.float64]


def stability(result: Stability, ax: Axes | None = None) -> Axes:
    if "map" in result:
        return _map(result, ax)
    if "sweep" in result:
        return _sweep(result, ax)
    if "eigenvalues" not in result:
        raise InvalidInput("there is nothing to draw: no steady sliding was found")
    values = result.eigenvalues
    # What rounding does not tell from neither is called neither.
    rounding = max((float(mode["rounding"]) for mode in result["modes"]), default=0.0)
    return _eigenvalues(values.real, values.imag, rounding, axes(ax, (5.5, 3.8)))


def _eigenvalues(growth: Array, frequency: Array, rounding: float, ax: Axes) -> Axes:
    grows, decays = growth > rounding, growth < -rounding
    ax.axvline(0, color="black", linewidth=0.8)
    ax.plot(growth[decays], frequency[decays], "o", color=BLUE, label="decays")
    neither = ~grows & ~decays
    if neither.any():
        ax.plot(growth[neither], frequency[neither], "s", color=GREY, label="neither grows nor decays")
    ax.plot(growth[grows], frequency[grows], "^", color=RED, label="grows")
    ax.set_xlabel("growth rate [1/s]")
    ax.set_ylabel("angular frequency [rad/s]")
    ax.margins(0.08)
    ax.grid(alpha=0.3)
    _legend_below(ax)
    return ax


def _legend_below(ax: Axes, columns: int = 3) -> None:
    """Under the axes, where it hides nothing."""
    if ax.get_legend_handles_labels()[0]:
        ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.18), ncols=columns, frameon=False)


def joined(boundary: Array, width: float, rows: Array) -> list[Array]:
    """Points of a boundary as lines: on to the nearest point of the next row that crosses the same way."""
    spacing = float(np.abs(np.diff(rows)).min())
    left = list(range(len(boundary)))
    lines: list[Array] = []
    while left:
        line = [left.pop(0)]
        while True:
            at = boundary[line[-1]]
            near = [
                k for k in left
                if 0.5 * spacing < abs(boundary[k, 1] - at[1]) < 1.5 * spacing and boundary[k, 2] == at[2]
                and abs(boundary[k, 0] - at[0]) < 0.1 * width
            ]  # fmt: skip
            if not near:
                break
            line.append(min(near, key=lambda k: abs(float(boundary[k, 0] - at[0]))))
            left.remove(line[-1])
        lines.append(boundary[line, :2])
    return lines


def _map(result: Stability, ax: Axes | None) -> Axes:
    from matplotlib.colors import LinearSegmentedColormap

    ax = axes(ax, (6.2, 4.4))
    data = result["map"]
    first, second, growth = result.growth_map
    most = float(np.nanmax(np.abs(growth), initial=1e-12)) if np.isfinite(growth).any() else 1.0
    stops = [(0.0, "#6baed6"), (0.5, "#ffffff"), (1.0, "#e8743b")]
    # NaN, not masked: the grey of what has no answer.
    colours = LinearSegmentedColormap.from_list("stability", stops).with_extremes(bad="#bbbbbb")
    mesh = ax.pcolormesh(first, second, growth, cmap=colours, vmin=-most, vmax=most, shading="nearest", rasterized=True)
    figure = ax.get_figure()
    assert figure is not None
    figure.colorbar(mesh, ax=ax, label="largest growth rate [1/s]\nstable below 0, unstable above", pad=0.02)
    boundary = np.asarray(data["boundary"], dtype=float).reshape(-1, 3)
    for number, line in enumerate(joined(boundary, float(np.ptp(first)), second)):
        style = {"marker": "."} if len(line) == 1 else {}
        ax.plot(*line.T, color="black", linewidth=1.6, label="limit of stability" if number == 0 else None, **style)  # type: ignore[arg-type]
    if np.isnan(growth).any():
        ax.plot([], [], "s", color="#bbbbbb", label="no steady sliding")
    ax.set_xlim(first.min(), first.max())
    ax.set_ylim(second.min(), second.max())
    ax.set_xlabel(data.get("first_label", data["first"]))
    ax.set_ylabel(data.get("second_label", data["second"]))
    _legend_below(ax)
    return ax


def _sweep(result: Stability, ax: Axes | None) -> Axes:
    ax = axes(ax, (5.8, 3.8))
    data, growth, frequency = result["sweep"], result.growth, result.frequency
    for mode in range(growth.shape[1]):
        ax.plot(result.parameter, growth[:, mode], color=BLUE, linewidth=1.2)
    ax.axhline(0, color="black", linewidth=0.8)
    # Modes that decay quickly would flatten those that matter.
    if np.isfinite(growth).any():
        floor = -2 * max(float(np.nanmax(growth)), 0.02 * float(np.nanmax(np.abs(frequency))))
        if np.nanmin(growth) < floor < 0:
            ax.set_ylim(bottom=floor)
    for number, critical in enumerate(result["critical"]):
        ax.axvline(critical["value"], color=RED, linestyle="--", linewidth=1, label="critical value" if number == 0 else None)
    ax.set_xlim(min(result.parameter), max(result.parameter))
    ax.set_xlabel(data.get("label", data["parameter"]))
    ax.set_ylabel("growth rate [1/s]")
    ax.grid(alpha=0.3)
    _legend_below(ax)
    return ax


def structure(result: StructureStability, ax: Axes | None = None) -> Axes:
    """Growth rates of the modes over their frequencies; those that grow with their frequency."""
    if not len(result["eigenvalues"]):
        raise InvalidInput("there is nothing to draw: the box of [modes] has no modes")
    ax = axes(ax, (6.0, 3.8))
    values = np.asarray(result["eigenvalues"], dtype=float).reshape(-1, 2)
    growth, hertz = values[:, 0], np.abs(values[:, 1]) / (2 * np.pi)
    grows = np.array([bool(mode["grows"]) for mode in result["modes"]])
    ax.axhline(0, color="black", linewidth=0.8)
    ax.plot(hertz[~grows], growth[~grows], "o", color=BLUE, label="decays")
    ax.plot(hertz[grows], growth[grows], "^", color=RED, label="grows")
    for k in np.flatnonzero(grows)[:8]:
        ax.annotate(f"{hertz[k]:.4g} Hz", (hertz[k], growth[k]), (6, 3), textcoords="offset points", fontsize=8)
    ax.set_xlabel("frequency [Hz]")
    ax.set_ylabel("growth rate [1/s]")
    ax.margins(0.08)
    ax.grid(alpha=0.3)
    _legend_below(ax)
    return ax


_WHAT = {"maximum": "", "period": "period [s]", "stick_time": "stick per period [s]"}
_MARKS = {"stick vanishes": "s", "fold": "^", "period doubling": "D", "torus": "v"}


def cycle(result: Cycle, what: str = "maximum", ax: Axes | None = None) -> Axes:
    if what not in _WHAT:
        raise InvalidInput(f'what: found "{what}"; expected {", ".join(_WHAT)}')
    if "branches.csv" in result.files and result["found"]:
        return _branches(result, what, ax)
    if "cycle.csv" not in result.files:
        raise InvalidInput("there is no cycle to draw: none was found")
    table = result.table("cycle.csv")
    names = [name for name in table if f"d{name}" in table]
    ax = axes(ax)
    x = table[names[0]]
    y = table[names[1] if len(names) > 1 else f"d{names[0]}"]
    ax.plot(x, y, color=BLUE, label="slip")
    if result["stick_time"] > 0:  # the table has the part that slips; the rest is straight
        ax.plot([x[-1], x[0]], [y[-1], y[0]], color=ORANGE, linewidth=2.5, label="stick")
        ax.legend(frameon=False)
    if len(names) > 1:
        plane_axes(ax, f"{names[0]} [m]", f"{names[1]} [m]")
    else:
        ax.set_xlabel(f"{names[0]} [m]")
        ax.set_ylabel(f"d{names[0]} [m/s]")
        ax.grid(alpha=0.3)
    return ax


def _stretches(stable: npt.NDArray[np.bool_]) -> list[tuple[int, int, bool]]:
    """[from, to) of one stability; each begins with the last point of the one before, so that the lines meet."""
    cuts = [0, *(int(k) + 1 for k in np.flatnonzero(stable[1:] != stable[:-1])), len(stable)]
    return [(max(start - 1, 0), end, bool(stable[start])) for start, end in zip(cuts, cuts[1:])]


def _branches(result: Cycle, what: str, ax: Axes | None) -> Axes:
    """Stable cycles as solid lines, unstable ones dashed, events marked; grey: where simulations settled."""
    ax = axes(ax, (6.4, 4.2))
    table = result.table("branches.csv")
    largest = next(name for name in table if name.startswith("max_"))
    column = largest if what == "maximum" else what
    parameter = table[result["parameter"]]
    if what == "maximum":
        settled = result.table("simulations.csv")
        if len(settled["maximum"]):
            ax.plot(settled[result["parameter"]], settled["maximum"], ".", color=GREY, alpha=0.6, markersize=4, label="simulation", zorder=1)
    named: set[str] = set()

    def once(label: str) -> str | None:
        new = label not in named
        named.add(label)
        return label if new else None

    for branch in np.unique(table["branch"]):
        rows = np.flatnonzero(table["branch"] == branch)
        for start, end, stable in _stretches(table["stable"][rows] == 1):
            part = rows[start:end]
            ax.plot(
                parameter[part], table[column][part], color=BLUE if stable else RED, linestyle="-" if stable else "--",
                linewidth=1.8, label=once("stable cycle" if stable else "unstable cycle"),
            )  # fmt: skip
    for event in result["events"]:
        value = event["max"][0] if what == "maximum" else event[what]
        ax.plot(
            event["value"], value, _MARKS.get(event["kind"], "o"), color=ORANGE, markeredgecolor="black", markeredgewidth=0.6,
            markersize=7, label=once(event["kind"]), zorder=4,
        )  # fmt: skip
    ax.set_xlabel(result.get("label", result["parameter"]))
    ax.set_ylabel(_WHAT[what] or f"largest {largest.removeprefix('max_')} of the cycle [m]")
    ax.grid(alpha=0.3)
    _legend_below(ax)
    return ax
