"""Contact problems through pickle and copy: by the bytes of their file, which keep all bits but the last ones of angles."""

from __future__ import annotations

import copyreg
import tempfile
from pathlib import Path
from typing import Any

from ._core import ContactProblem


def _problem(content: bytes) -> ContactProblem:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "problem.hdf5"
        path.write_bytes(content)
        return ContactProblem.read(path)


def _reduced(problem: ContactProblem) -> tuple[Any, ...]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "problem.hdf5"
        problem.save(path)
        return _problem, (path.read_bytes(),)


copyreg.pickle(ContactProblem, _reduced)
