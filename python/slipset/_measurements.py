"""Measurements to laws, videos to paths, and the figures of the literature: by the program, where it is installed."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Union

import numpy as np

from . import _core
from ._core import Law
from ._errors import InvalidInput
from ._program import ProgramResult, call

# A file, or columns by name: a dict of arrays or a DataFrame.
Data = Union[str, "os.PathLike[str]", Mapping[str, Any], Any]


class Identified(ProgramResult):
    """What was identified, with intervals; `law` is ready to be used."""

    @property
    def law(self) -> Law:
        """The law that was found."""
        text = self._raw.get("law")
        if not isinstance(text, str):
            raise InvalidInput("there is no law in this result: the model has none, or it was not identified")
        return _core.read_law(text, "identified", [])

    def __reduce__(self) -> Any:
        return (Identified, (self._raw, self.exit_code, self.messages))


def _options(given: Mapping[str, Any]) -> list[str]:
    """normal_force=10 as --normal-force 10; True as the option alone; dicts as KEY=VALUE; lists with commas."""
    options: list[str] = []
    for key, value in given.items():
        name = "--" + key.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            options.append(name)
        elif isinstance(value, Mapping):
            options += [name, ",".join(f"{k}={v}" for k, v in value.items())]
        elif isinstance(value, Sequence) and not isinstance(value, str):
            options += [name, ",".join(str(v) for v in value)]
        else:
            options += [name, str(value)]
    return options


def _write_csv(path: Path, columns: Mapping[Any, Any]) -> None:
    names = [str(name) for name in columns]
    if not names:
        raise InvalidInput("data: there are no columns")
    arrays = []
    for name in columns:
        array = np.asarray(columns[name])
        if array.ndim != 1 or array.dtype.kind not in "fiub":
            raise InvalidInput(f"data: column {name!r} is {array.dtype} of shape {array.shape}; expected numbers, one per row")
        arrays.append(array.astype(float))
    if len({len(array) for array in arrays}) > 1:
        raise InvalidInput("data: columns have different lengths")
    lines = [",".join(names)]
    lines += [",".join(repr(float(x)) for x in row) for row in zip(*arrays)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def identify(*data: Data, model: str = "pin-on-disk", simulate: Any = None, **options: Any) -> Identified:
    """Measurements to a friction law, with its uncertainty, as `slipset identify`.

    `data`: files, DataFrames, or dicts of columns. `model`: pin-on-disk, stick-slip, stribeck, lugre, path or
    elastic-interface. `options` are the program's: normal_force=10, columns={"angle": "phi"}, no_fit=True. `simulate`: a
    scenario file whose law a virtual tribometer measures instead.
    """
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for number, one in enumerate(data):
            if isinstance(one, (str, os.PathLike)):
                files.append(os.fspath(one))
            elif isinstance(one, Mapping) or hasattr(one, "columns"):
                path = Path(folder) / f"data-{number + 1}.csv"
                _write_csv(path, one)
                files.append(str(path))
            else:
                raise InvalidInput(f"data: found {type(one).__name__}; expected a file, a DataFrame or a dict of columns")
        arguments = ["identify", *files, "--model", model, *_options(options)]
        if simulate is not None:
            arguments += ["--simulate", os.fspath(simulate)]
        result = call(arguments)
        return Identified(result._raw, result.exit_code, result.messages)


def calibrate(data: Data, **options: Any) -> Identified:
    """An elastic interface from pulled blocks [K07], as `slipset identify --model elastic-interface`."""
    return identify(data, model="elastic-interface", **options)


def track(video: str | os.PathLike[str], **options: Any) -> ProgramResult:
    """A sliding path from a video, as `slipset track`: needs the program with OpenCV."""
    return call(["track", os.fspath(video), *_options(options)])


def study(*names: str, **options: Any) -> ProgramResult:
    """Figures of the literature, computed and published side by side, as `slipset study`."""
    return call(["study", *names, *_options(options)])
