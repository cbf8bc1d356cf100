"""A line of progress on the terminal or in a notebook."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Union

from ._errors import InvalidInput

ProgressFunction = Callable[[float, float, str], object]
Progress = Union[bool, ProgressFunction]


class _Line:
    def __init__(self) -> None:
        self.start = time.monotonic()

    def __call__(self, done: float, all_: float, unit: str) -> None:
        seconds = time.monotonic() - self.start
        if all_ > 0:
            part = min(done / all_, 1.0)
            left = f", {seconds * (1 - part) / part:.0f} s left" if part > 0 else ""
            bar = "#" * round(30 * part)
            text = f"{part:4.0%} |{bar:<30}| {done:g} of {all_:g} {unit}, {seconds:.0f} s{left}"
        else:
            text = f"{done:g} {unit}, {seconds:.0f} s"
        sys.stderr.write("\r" + text.ljust(79)[:110])
        sys.stderr.flush()


def progress_function(progress: Progress) -> ProgressFunction | None:
    """None for no progress, the function that was given, or a line on standard error."""
    if callable(progress):
        return progress
    if progress is not True and progress is not False and progress is not None:
        raise InvalidInput("progress: expected True, False or a function of (done, all, unit)")
    return _Line() if progress else None


def end_line(function: ProgressFunction | None) -> None:
    if isinstance(function, _Line):
        sys.stderr.write("\r" + " " * 110 + "\r")
        sys.stderr.flush()
