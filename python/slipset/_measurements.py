"""Measurements to laws, videos to paths, and the figures of the literature: by the program, where it is installed."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Union, cast

from . import _core
from ._core import Law
from ._errors import InvalidInput
from ._program import ProgramResult, call
from ._tables import csv_text

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
            options += [name, ",".join(f"{k}={v}" for k, v in cast("Mapping[str, Any]", value).items())]
        elif isinstance(value, Sequence) and not isinstance(value, str):
            options += [name, ",".join(str(v) for v in cast("Sequence[Any]", value))]
        else:
            options += [name, str(value)]
    return options


def identify(*data: Data, model: str = "pin-on-disk", simulate: Any = None, **options: Any) -> Identified:
    """Measurements to a friction law, with its uncertainty, as `slipset identify`.

    `data`: files, DataFrames, or dicts of columns. `model`: pin-on-disk, stick-slip, stribeck, lugre, path or
    elastic-interface. `options` are the program's: normal_force=10, columns={"angle": "phi"}, no_fit=True. `simulate`: a
    scenario file whose law a virtual tribometer measures instead.
    """
    with tempfile.TemporaryDirectory() as folder:
        files: list[str] = []
        for number, one in enumerate(data):
            if isinstance(one, (str, os.PathLike)):
                files.append(os.fspath(one))
            elif isinstance(one, Mapping) or hasattr(one, "columns"):
                path = Path(folder) / f"data-{number + 1}.csv"
                path.write_text(csv_text(cast("Mapping[str, Any]", one), "data"), encoding="utf-8")
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
