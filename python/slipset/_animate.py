"""Motions as pictures that play, by matplotlib: GIF, or HTML that needs nothing else."""

from __future__ import annotations

import base64
import io
import os
import uuid
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from ._errors import InvalidInput
from ._plot import BLUE, COLOURS, GREEN, GREY, ORANGE, label_of, plane_of, stick_of, xy
from ._results import Run, SavedAnswer

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = npt.NDArray[np.float64]

MOST_FRAMES = 600  # a GIF of some megabytes
_FEW_FRAMES, _SLOW = 10, 0.2  # fewer frames, or longer ones [s], show no motion


class _Drawing(Protocol):
    """What moves: it is drawn once, and then put where it is at each frame."""

    shape: float  # height over width

    def prepare(self, ax: Axes) -> None: ...
    def draw(self, frame: int) -> None: ...


class _Frames:
    """Rows of a table at the times of the frames, between two rows on a straight line."""

    def __init__(self, run: Run, times: Array) -> None:
        self.run, self.times = run, times
        t = run.t
        self.row: npt.NDArray[np.intp] = np.clip(np.searchsorted(t, times, side="right") - 1, 0, len(t) - 2)
        span = t[self.row + 1] - t[self.row]
        self.part: Array = np.clip((times - t[self.row]) / np.where(span > 0, span, 1), 0, 1)

    def at(self, values: Array) -> Array:
        part = self.part.reshape(-1, *[1] * (values.ndim - 1))
        return np.asarray((1 - part) * values[self.row] + part * values[self.row + 1])

    def __getitem__(self, column: str) -> Array:
        return self.at(self.run.column(column))

    def nearest(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return values[self.row + (self.part > 0.5)]


def scene_of(run: Run, times: Array) -> Any:
    """The rigid bodies of a run at given times."""
    from ._scene import Scene

    frames, bodies = _Frames(run, times), run._answer.bodies
    place, quaternion = np.empty((len(times), len(bodies), 3)), np.empty((len(times), len(bodies), 4))
    for b, body in enumerate(bodies):
        if body["listed"]:
            place[:, b] = np.stack([frames[f"{body['name']}.{axis}"] for axis in "xyz"], axis=-1)
            q = np.stack([run.column(f"{body['name']}.q{axis}") for axis in "wxyz"], axis=-1)
            after = frames.row + 1  # q and -q are one orientation: the nearer one
            nearer = np.where(np.sum(q[frames.row] * q[after], axis=-1) < 0, -1.0, 1.0)[:, None]
            part = frames.part[:, None]
            quaternion[:, b] = (1 - part) * q[frames.row] + part * nearer * q[after]
        else:
            place[:, b], quaternion[:, b] = body["position"], body["orientation"]
    return Scene(bodies, place, quaternion)


class _InPlane:
    """A point with its trail, or a body as a line."""

    def __init__(self, frames: _Frames, names: tuple[str, str]) -> None:
        self._names = names
        self._way = np.stack([frames.run.column(name) for name in names], axis=-1)
        self._now = np.stack([frames[name] for name in names], axis=-1)
        self._row = frames.row
        self._sticks = frames.nearest(stick_of(frames.run))
        outline = frames.run._answer.outline
        self._lines: list[Array] = []
        if len(outline(0)):
            ends = [(int(i), float(w)) for i, w in zip(frames.row, frames.part)]
            self._lines = [(1 - w) * outline(i) + w * outline(i + 1) for i, w in ends]
        every = np.concatenate([self._way, *self._lines])
        self._low: Array = every.min(axis=0)
        self._high: Array = every.max(axis=0)
        size = float((self._high - self._low).max()) or 1.0
        self._low, self._high = self._low - 0.06 * size, self._high + 0.06 * size
        self.shape = float(np.divide(*(self._high - self._low)[::-1]))

    def prepare(self, ax: Axes) -> None:
        thin = slice(None, None, max(1, len(self._way) // 4000))
        ax.plot(*xy(self._way[thin]), color=GREY, linewidth=0.8, alpha=0.35)
        self._trail = ax.plot([], [], color=BLUE, linewidth=1.3)[0]
        self._body = ax.plot([], [], color=GREEN, linewidth=4, solid_capstyle="round", solid_joinstyle="round", zorder=3)[0]
        self._point = ax.plot([], [], "o", color=BLUE, markersize=9, zorder=4)[0]
        if self._lines:
            self._point.set_markersize(4)
        elif self._sticks.any() and not self._sticks.all():
            for label, colour in (("slip", BLUE), ("stick", ORANGE)):
                ax.plot([], [], "o", color=colour, label=label)
            ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=2, frameon=False)
        ax.set_aspect("equal", adjustable="box")
        ax.set_xlim(self._low[0], self._high[0])
        ax.set_ylim(self._low[1], self._high[1])
        ax.set_xlabel(label_of(self._names[0]))
        ax.set_ylabel(label_of(self._names[1]))
        ax.grid(alpha=0.3)

    def draw(self, frame: int) -> None:
        now = self._now[frame]
        past = np.concatenate([self._way[: self._row[frame] + 1], now[None]])
        self._trail.set_data(*xy(past[:: max(1, len(past) // 4000)]))
        self._point.set_data(*now[:, None])
        self._point.set_color(ORANGE if self._sticks[frame] else BLUE)
        if self._lines:
            self._body.set_data(*xy(self._lines[frame]))


class _OverTime:
    """Coordinates over time, and where they are now."""

    shape = 0.55

    def __init__(self, frames: _Frames, names: list[str]) -> None:
        self._names = names
        self._run, self._times, self._row = frames.run, frames.times, frames.row
        self._now = [frames[name] for name in names]

    def prepare(self, ax: Axes) -> None:
        t = self._run.t
        thin = slice(None, None, max(1, len(t) // 4000))
        for name, colour in zip(self._names, COLOURS):
            ax.plot(t[thin], self._run.column(name)[thin], color=colour, linewidth=0.8, alpha=0.35)
        self._pasts = [ax.plot([], [], color=colour, label=name)[0] for name, colour in zip(self._names, COLOURS)]
        self._points = [ax.plot([], [], "o", color=colour, markersize=7)[0] for _, colour in zip(self._names, COLOURS)]
        ax.set_xlabel("t [s]")
        ax.set_ylabel(label_of(self._names[0]) if len(self._names) == 1 else "coordinates")
        if len(self._names) > 1:
            ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=4, frameon=False)
        ax.grid(alpha=0.3)

    def draw(self, frame: int) -> None:
        until, now = self._row[frame] + 1, self._times[frame]
        thin = slice(None, None, max(1, until // 4000))
        for name, values, past, point in zip(self._names, self._now, self._pasts, self._points):
            past.set_data(np.append(self._run.t[:until][thin], now), np.append(self._run.column(name)[:until][thin], values[frame]))
            point.set_data([now], [values[frame]])


class Animation:
    """A motion as pictures: `save("run.gif")` or `save("run.html")`; in a notebook it plays.

    `times` are those of the run at its frames [s]; each frame stays for `interval` [s].
    """

    def __init__(self, drawing: _Drawing, times: Array, interval: float, title: str, ax: Axes | None) -> None:
        self.times, self.interval = times, interval
        self._drawing, self._title = drawing, title
        self._own = ax is None
        self.ax = ax if ax is not None else _new_axes(drawing.shape)
        drawing.prepare(self.ax)
        step = float(times[-1] - times[0]) / max(1, len(times) - 1)
        self._decimals = int(np.clip(np.ceil(-np.log10(max(step, 1e-9))), 0, 6))
        self.draw(0)
        if self._own:  # laid out once: else every frame could have other margins
            self.ax.figure.canvas.draw()
            self.ax.get_figure(root=True).set_layout_engine("none")  # type: ignore[union-attr]
        self._html = ""

    def draw(self, frame: int) -> Axes:
        """Draws one frame, as a picture to keep: 0 is the first, -1 the last."""
        frame = range(len(self.times))[frame]
        self._drawing.draw(frame)
        time = f"t = {self.times[frame]:.{self._decimals}f} s"
        self.ax.set_title(f"{self._title}\n{time}" if self._title else time, fontsize=10)
        return self.ax

    def _pictures(self) -> Iterator[bytes]:
        from matplotlib import rc_context  # pyright: ignore[reportUnknownVariableType]

        figure = self.ax.get_figure(root=True)
        assert figure is not None
        for frame in range(len(self.times)):
            self.draw(frame)
            out = io.BytesIO()
            with rc_context({"savefig.bbox": None}):  # pictures of one size
                figure.savefig(out, format="png", dpi=figure.dpi)
            yield out.getvalue()

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the animation; the ending says how: .gif or .html, which is a page that needs nothing else."""
        path = checked_path(path)
        if path.suffix.lower() == ".gif":
            from PIL import Image

            first, *others = [Image.open(io.BytesIO(picture)).convert("RGB") for picture in self._pictures()]
            first.save(path, save_all=True, append_images=others, duration=round(1000 * self.interval), loop=0)
        else:
            head = f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{_escaped(self._title) or "slipset"}</title></head>'
            path.write_text(f"{head}\n<body>\n{self._repr_html_()}</body></html>\n", encoding="utf-8")
        return path

    def _repr_html_(self) -> str:
        if not self._html:
            frames = ",\n".join(f'"{base64.b64encode(picture).decode()}"' for picture in self._pictures())
            self._html = _PLAYER.replace("@MS@", str(round(1000 * self.interval))).replace("@FRAMES@", frames)
        return self._html.replace("@ID@", f"slipset{uuid.uuid4().hex}")  # a page may show it twice


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


# Ours, as that of matplotlib loads its buttons from the net.
_PLAYER = """<div id="@ID@" style="display:inline-block;font:13px sans-serif">
<img alt="animation" style="display:block;max-width:100%">
<div style="display:flex;align-items:center;gap:8px">
<button type="button" aria-label="play or pause" style="width:3em"></button>
<input type="range" min="0" value="0" aria-label="frame" style="flex:1">
</div></div>
<script>
(function () {
  var box = document.getElementById("@ID@"), image = box.querySelector("img"), button = box.querySelector("button");
  var slider = box.querySelector("input"), timer = null;
  var frames = [@FRAMES@];
  function show(k) { slider.value = k; image.src = "data:image/png;base64," + frames[k]; }
  function pause() { clearInterval(timer); timer = null; button.textContent = "\\u25b6"; }
  function play() {
    button.textContent = "\\u275a\\u275a";
    timer = setInterval(function () { show((Number(slider.value) + 1) % frames.length); }, @MS@);
  }
  slider.max = frames.length - 1;
  slider.oninput = function () { pause(); show(Number(slider.value)); };
  button.onclick = function () { if (timer === null) { play(); } else { pause(); } };
  show(0);
  play();
})();
</script>
"""


def checked_path(path: str | os.PathLike[str]) -> Path:
    made = Path(path)
    if made.suffix.lower() not in (".gif", ".html"):
        raise InvalidInput(f'path: found "{made}"; expected a name that ends in .gif or .html')
    return made


def _new_axes(shape: float) -> Axes:
    """In a figure that no notebook shows beside the animation."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise InvalidInput('pictures need matplotlib; install it with "pip install slipset[plot]"') from None
    figure = Figure(figsize=(6.0, float(np.clip(6.0 * shape, 2.2, 5.6)) + 0.6), dpi=100, layout="constrained")
    FigureCanvasAgg(figure)
    return figure.add_subplot()


def _positive(value: Any, name: str, unit: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = np.nan
    if not 0 < number < np.inf:
        raise InvalidInput(f"{name}: found {value!r}; expected a number above 0 [{unit}]")
    return number


def frame_times(t: Array, fps: float, seconds: float | None) -> tuple[Array, float]:
    """Times of the frames, and how long each stays [s]: hundredths of a second, as GIF knows no others, and two at least.

    They play as long as the run takes, or `seconds`. More than MOST_FRAMES are not made: then each stays longer.
    """
    fps = _positive(fps, "fps", "1/s")
    length = float(t[-1] - t[0]) if seconds is None else _positive(seconds, "seconds", "s")
    interval = max(2.0, np.round(100 / fps)) / 100
    interval = max(interval, float(np.ceil(100 * length / (MOST_FRAMES - 1) - 1e-9)) / 100)
    count = max(1, int(np.round(length / interval))) + 1
    if seconds is None and (count < _FEW_FRAMES or interval > _SLOW):
        warnings.warn(
            f"this run takes {length:.3g} s, which are {count} frames, {1 / interval:.3g} per second; for a better view say how "
            "long the animation shall take, as seconds=10",
            RuntimeWarning, stacklevel=4,
        )  # fmt: skip
    return np.linspace(float(t[0]), float(t[-1]), count), interval


def animate(run: Run, fps: float, seconds: float | None, ax: Axes | None) -> Animation:
    if isinstance(run._answer, SavedAnswer):
        raise InvalidInput("a run that was pickled or copied has no system left to animate; animate it before")
    if "t" not in run.columns or len(run.t) < 2 or not run.t[-1] > run.t[0]:
        raise InvalidInput("this run has no motion to animate: its table has no two times")
    times, interval = frame_times(run.t, fps, seconds)
    frames, plane = _Frames(run, times), plane_of(run)
    drawing: _Drawing
    if run._answer.bodies:
        drawing = scene_of(run, times)
    elif plane:
        drawing = _InPlane(frames, plane)
    elif run.coordinates:
        drawing = _OverTime(frames, run.coordinates[: len(COLOURS)])
    else:
        raise InvalidInput("this run has no coordinates to animate")
    title = run["title"] if "title" in run else ""
    return Animation(drawing, times, interval, str(title or ""), ax)
