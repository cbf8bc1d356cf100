"""What commands give back."""

from __future__ import annotations

import json
import os
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._core import Law
from ._errors import InvalidInput
from ._record import Record

if TYPE_CHECKING:
    import pandas as pd  # type: ignore[import-untyped]
    from matplotlib.axes import Axes

    from ._animate import Animation

Array = npt.NDArray[np.float64]


class SavedAnswer:
    """What a result was made from, as far as it goes through pickle: all but its figures."""

    def __init__(self, answer: _core.Answer | SavedAnswer) -> None:
        self.json: str = answer.json
        self.text: str = answer.text
        self.succeeded: bool = answer.succeeded
        self.stopped: bool = answer.stopped
        self._columns = {name: np.array(answer.column(name)) for name in answer.columns}
        self._files = {name: bytes(answer.file(name)) for name in answer.files}

    @property
    def columns(self) -> list[str]:
        return list(self._columns)

    @property
    def files(self) -> list[str]:
        return list(self._files)

    def column(self, name: str) -> Array:
        return self._columns[name]

    def file(self, name: str) -> bytes:
        return self._files[name]

    def save(self, json: str, folder: str, format: str) -> tuple[list[str], list[str]]:
        raise InvalidInput("a result that was pickled or copied has no figures left; save it before")


class Result(Record):
    """The keys of the program's JSON as attributes; `text` for people; `save()` writes what the program writes."""

    def __init__(self, answer: _core.Answer | SavedAnswer, law: Law | None = None) -> None:
        super().__init__(json.loads(answer.json))
        object.__setattr__(self, "_answer", answer)
        object.__setattr__(self, "_law", law)
        if answer.stopped and not isinstance(answer, SavedAnswer):
            warnings.warn("stopped; the results are those up to there", RuntimeWarning, stacklevel=3)

    @property
    def text(self) -> str:
        """What the program prints."""
        return str(self._answer.text)

    @property
    def succeeded(self) -> bool:
        """Whether the program would end with exit code 0."""
        return bool(self._answer.succeeded)

    @property
    def stopped(self) -> bool:
        """Whether Ctrl-C ended it; then the results are those up to there."""
        return bool(self._answer.stopped)

    def to_json(self) -> str:
        """The program's JSON."""
        return str(self._answer.json)

    @property
    def files(self) -> list[str]:
        """Names of the tables and other files that `save` writes, besides JSON and figures."""
        return list(self._answer.files)

    def table(self, name: str) -> dict[str, Array]:
        """A CSV file of the results by columns: "sweep.csv", "cycle.csv", "branches.csv", ..."""
        return read_csv(bytes(self._answer.file(name)).decode())

    def save(self, folder: str | os.PathLike[str], format: str = "png") -> list[Path]:
        """Writes what the program writes: JSON, tables and figures (gnuplot), all of them or none."""
        names, problems = self._answer.save(self._answer.json, os.fspath(folder), format)
        for problem in problems:
            warnings.warn(problem, RuntimeWarning, stacklevel=2)
        return [Path(name) for name in names]

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        escaped = self.text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        return f"<pre>{escaped}</pre>"

    def __reduce__(self) -> Any:
        return (_restored, (type(self), SavedAnswer(self._answer), self._law))


class Run(Result):
    """A motion: `run["x"]` is a column of its table (an array, not a copy), `run.report` says how it went."""

    @property
    def columns(self) -> list[str]:
        return list(self._answer.columns)

    def column(self, name: str) -> Array:
        """A column of the table, read-only, without a copy."""
        return np.asarray(self._answer.column(name))

    def __getitem__(self, key: str) -> Any:
        return self.column(key) if key in self._answer.columns else super().__getitem__(key)

    @property
    def t(self) -> Array:
        """Times of the rows [s]."""
        return self.column("t")

    def to_dataframe(self) -> pd.DataFrame:
        """The table for pandas."""
        import pandas as pd

        return pd.DataFrame({name: self.column(name) for name in self.columns})

    def plot(self, what: str = "path", ax: Axes | None = None) -> Axes:
        """`what`: "path" in its plane (of rigid bodies: where they end, and their ways), "force" in its reservoir, "time",
        "energy"."""
        from . import _plot

        return _plot.run(self, what, ax)

    def animate(self, fps: float = 25.0, seconds: float | None = None, ax: Axes | None = None) -> Animation:
        """The motion as pictures that play: in a notebook, or `.save("run.gif")`, `.save("run.html")`.

        It plays as long as the motion took, or `seconds`, with `fps` pictures per second.
        """
        from . import _animate

        return _animate.animate(self, fps, seconds, ax)

    def _repr_svg_(self) -> str:
        from . import _plot

        return _plot.svg_of_run(self)

    @property
    def coordinates(self) -> list[str]:
        """Names of the coordinates: x has the velocity dx."""
        columns = self.columns
        return [name for name in columns if f"d{name}" in columns]


class Stability(Result):
    """Steady sliding and its modes; with [sweep] how they change, and critical values."""

    @property
    def eigenvalues(self) -> npt.NDArray[np.complex128]:
        """[1/s], of the file's own numbers."""
        pairs = np.asarray(super().__getitem__("eigenvalues"))
        return np.asarray(pairs[:, 0] + 1j * pairs[:, 1])

    @property
    def parameter(self) -> Array:
        """Values of the swept parameter."""
        return next(iter(self.table("sweep.csv").values()))

    @property
    def growth(self) -> Array:
        """Growth rates over the sweep [1/s]: a row per value, a column per mode, followed."""
        return self._modes("growth")

    @property
    def frequency(self) -> Array:
        """Angular frequencies over the sweep [rad/s]."""
        return self._modes("frequency")

    def _modes(self, what: str) -> Array:
        table = self.table("sweep.csv")
        return np.stack([table[name] for name in table if name.removeprefix(f"{what}_").isdigit()], axis=-1)

    @property
    def growth_map(self) -> tuple[Array, Array, Array]:
        """Of a map: values of the first parameter, of the second, and the largest growth rate [1/s], [second, first]; NaN
        where there is no steady sliding."""
        first, second, growth = self.table("map.csv").values()
        rows = int(self["map"]["rows"])
        return first.reshape(rows, -1)[0], second.reshape(rows, -1)[:, 0], growth.reshape(rows, -1)

    def to_dataframe(self) -> pd.DataFrame:
        """The sweep or the map for pandas."""
        import pandas as pd

        name = next((n for n in ("sweep.csv", "map.csv") if n in self.files), None)
        if name is None:
            raise InvalidInput("there is no table: the scenario has no [sweep]; see eigenvalues and modes")
        return pd.DataFrame(self.table(name))

    def plot(self, ax: Axes | None = None) -> Axes:
        """The map, the sweep, or the eigenvalues in the complex plane: what there is most of."""
        from . import _plot_stability

        return _plot_stability.stability(self, ax)

    def _repr_svg_(self) -> str:
        from . import _plot, _plot_stability

        return _plot.svg(lambda ax: _plot_stability.stability(self, ax))


class Cycle(Result):
    """A periodic motion, or branches of them."""

    def to_dataframe(self) -> pd.DataFrame:
        """One period, or the cycles of all branches, for pandas."""
        import pandas as pd

        name = next((n for n in ("branches.csv", "cycle.csv") if n in self.files), None)
        if name is None:
            raise InvalidInput("there is no table: no cycle was found")
        return pd.DataFrame(self.table(name))

    def plot(self, what: str = "maximum", ax: Axes | None = None) -> Axes:
        """One period in the plane, or branches over their parameter: `what` is "maximum", "period" or "stick_time"."""
        from . import _plot_stability

        return _plot_stability.cycle(self, what, ax)

    def _repr_svg_(self) -> str:
        from . import _plot, _plot_stability

        return _plot.svg(lambda ax: _plot_stability.cycle(self, "maximum", ax))


def read_csv(text: str) -> dict[str, Array]:
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    names = lines[0].split(",")
    rows = [line.split(",") for line in lines[1:]]

    def number(cell: str) -> float:
        try:
            return float(cell)
        except ValueError:
            return float("nan")

    return {name: np.array([number(row[i]) for row in rows]) for i, name in enumerate(names)}


def _restored(kind: type[Result], answer: SavedAnswer, law: Law | None) -> Result:
    return kind(answer, law)


def checked_threads(threads: int) -> int:
    if not isinstance(threads, (int, np.integer)) or threads < 0:
        raise InvalidInput(f"threads: found {threads!r}; expected 0 (all cores) or a whole number above")
    return int(threads)


def checked(answer: _core.Answer) -> _core.Answer:
    """Raises KeyboardInterrupt where Ctrl-C came before there was anything."""
    if answer.stopped and not answer.json:
        raise KeyboardInterrupt("stopped; there is no result yet")
    return answer
