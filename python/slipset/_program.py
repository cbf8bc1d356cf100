"""What needs libraries that the package does not carry is done by the program slipset, where it is installed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ._errors import InvalidInput
from ._record import Record
from ._scenario import Scenario, settings_of, text_and_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Made = TypeVar("Made", bound="ProgramResult")


class ProgramResult(Record):
    """The JSON of a command of the program; `exit_code` and what it wrote to standard error."""

    def __init__(self, data: Mapping[str, Any], exit_code: int = 0, messages: str = "") -> None:
        super().__init__(data)
        object.__setattr__(self, "exit_code", exit_code)
        object.__setattr__(self, "messages", messages)
        object.__setattr__(self, "_raw", data)

    @property
    def succeeded(self) -> bool:
        return bool(self.exit_code == 0)

    def to_json(self) -> str:
        return json.dumps(self._raw, indent=2)

    def __reduce__(self) -> Any:
        return (type(self), (self._raw, self.exit_code, self.messages))


class StructureStability(ProgramResult):
    """The modes of a structure that slides."""

    def plot(self, ax: Axes | None = None) -> Axes:
        """Growth rates of the modes over their frequencies."""
        from . import _plot_stability

        return _plot_stability.structure(self, ax)

    def _repr_svg_(self) -> str:
        from . import _plot, _plot_stability

        return _plot.svg(lambda ax: _plot_stability.structure(self, ax))


def program() -> Path:
    """The program: SLIPSET_PROGRAM, that of the package, or the first on the path."""
    named = os.environ.get("SLIPSET_PROGRAM")
    carried = Path(__file__).parent / "bin" / "slipset"
    found = named or (str(carried) if carried.exists() else shutil.which("slipset"))
    if not found:
        raise InvalidInput(
            "this needs the program slipset, which is not installed; build it with \"make program\" and put it on the "
            "path, or set SLIPSET_PROGRAM to it"
        )
    return Path(found)


def call(arguments: Sequence[str], cwd: str | None = None) -> ProgramResult:
    return called(ProgramResult, arguments, cwd)


def called(kind: type[Made], arguments: Sequence[str], cwd: str | None = None) -> Made:
    """Runs the program with --json. Exit code 2 is InvalidInput; Ctrl-C reaches it, too."""
    done = subprocess.run([str(program()), *arguments, "--json"], capture_output=True, text=True, cwd=cwd, check=False)
    if done.returncode == 2 or not done.stdout.strip():
        message = done.stderr.strip().removeprefix("slipset: ").removeprefix("error: ")
        raise InvalidInput(message or f"the program ended with code {done.returncode} and no result")
    return kind(json.loads(done.stdout), done.returncode, done.stderr)


def structure_stability(
    scenario: Scenario, changes: Mapping[str, Any] | None, threads: int, beside: Path | None = None
) -> StructureStability:
    """`slipset stability` of one scenario. Text and dicts go to a file, in the folder `beside` if its other files are there."""
    options = [*(part for setting in settings_of(changes) for part in ("--set", setting))]
    if threads:
        options += ["--threads", str(threads)]
    text, name = text_and_name(scenario)
    if name != "scenario":
        return called(StructureStability, ["stability", name, *options])
    with tempfile.TemporaryDirectory() as folder:
        path = (beside or Path(folder)) / "scenario.toml"
        path.write_text(text, encoding="utf-8")
        return called(StructureStability, ["stability", str(path), *options])
