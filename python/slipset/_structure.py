"""Structures of finite element programs whose contacts slide, from arrays; solved by the program slipset."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np

from ._core import Law
from ._errors import InvalidInput
from ._program import StructureStability, structure_stability
from ._tables import csv_text

COLUMNS = ("ux", "uy", "uz", "nx", "ny", "nz", "tx", "ty", "tz", "stiffness", "force", "slip1", "slip2")


def _matrix_file(given: Any, what: str) -> str:
    """A matrix, dense or of scipy.sparse, as the text of a Matrix Market file, with all digits."""
    if hasattr(given, "tocoo"):
        entries = given.tocsr().tocoo()  # entries of one place add up, as in assembly
        shape, rows, columns, values = entries.shape, entries.row, entries.col, entries.data
    else:
        dense = np.asarray(given)
        if dense.ndim != 2:
            raise InvalidInput(f"{what}: found shape {dense.shape}; expected a square matrix")
        rows, columns = np.nonzero(dense)
        shape, values = dense.shape, dense[rows, columns]
    if shape[0] != shape[1]:
        raise InvalidInput(f"{what}: found shape {shape}; expected a square matrix")
    if values.dtype.kind not in "fiu":
        raise InvalidInput(f"{what}: found numbers of type {values.dtype}; expected real ones")
    numbers = values.astype(float)
    if not np.all(np.isfinite(numbers)):
        raise InvalidInput(f"{what}: expected finite numbers")
    lines = ["%%MatrixMarket matrix coordinate real general", f"{shape[0]} {shape[1]} {len(numbers)}"]
    lines += [f"{i + 1} {j + 1} {x!r}" for i, j, x in zip(rows.tolist(), columns.tolist(), numbers.tolist())]
    return "\n".join(lines) + "\n"


class Structure:
    """M ü + D u̇ + K u = loads + contact forces: a structure that slides steadily at u = 0 (F.11).

    `mass`, `stiffness`, `damping`: dense or of scipy.sparse. `rayleigh`: (α, β), α M + β K is added to D. `contacts`: a
    DataFrame, a dict of columns or a list of dicts with a row per contact: ux, uy, uz (numbers of the displacements, from
    0), nx, ny, nz (unit normal into the body), tx, ty, tz (first tangent), stiffness [N/m], force [N], slip1, slip2
    (velocity of the body against the surface [m/s]), and if you like name and law. `law`: of the contacts that name none;
    `laws`: the others by name. `terms`: dicts with matrix, in ("M", "D" or "K"), coefficient and power: coefficient ×
    speed^power × matrix is added.

    slipset.stability(structure, band=(0, 4000), growth=(-100, 1000)) lists the modes.
    """

    def __init__(
        self,
        mass: Any,
        stiffness: Any,
        contacts: Any,
        law: Law | Mapping[str, Any],
        *,
        damping: Any = None,
        rayleigh: tuple[float, float] | None = None,
        speed: float | None = None,
        terms: Sequence[Mapping[str, Any]] = (),
        laws: Mapping[str, Law | Mapping[str, Any]] | None = None,
        friction_factor: float = 1.0,
    ) -> None:
        matrices = {"M": mass, "K": stiffness, "D": damping}
        self._files = {f"{name}.mtx": _matrix_file(given, name) for name, given in matrices.items() if given is not None}
        self._files["contacts.csv"] = csv_text(_contact_columns(contacts), "contacts", text=("name", "law"))
        system: dict[str, Any] = {"kind": "structure", "contacts": "contacts.csv", "friction_factor": friction_factor}
        system |= {name.removesuffix(".mtx"): name for name in self._files if name.endswith(".mtx")}
        if rayleigh is not None:
            system["rayleigh"] = {"mass": rayleigh[0], "stiffness": rayleigh[1]}
        if speed is not None:
            system["speed"] = speed
        listed: list[dict[str, Any]] = []
        for number, term in enumerate(terms):
            if "matrix" not in term:
                raise InvalidInput(f"terms[{number}]: has no matrix")
            name = f"term{number + 1}.mtx"
            self._files[name] = _matrix_file(term["matrix"], f"terms[{number}].matrix")
            listed.append({**term, "matrix": name})
        if listed:
            system["terms"] = listed
        self._tables: dict[str, Any] = {"law": law, "system": system}
        if laws:
            self._tables["laws"] = dict(laws)

    def stability(
        self,
        changes: Mapping[str, Any] | None = None,
        *,
        band: tuple[float, float],
        growth: tuple[float, float],
        threads: int = 0,
    ) -> StructureStability:
        """Every mode with a frequency in `band` [Hz] and a growth rate in `growth` [1/s], with proof that it is every one;
        what feeds it, and what would silence it. `changes`: as in slipset.stability, also {"sweep.parameter": ...}."""
        tables = {**self._tables, "modes": {"band": list(band), "growth": list(growth)}}
        with tempfile.TemporaryDirectory() as folder:
            for name, content in self._files.items():
                (Path(folder) / name).write_text(content, encoding="utf-8")
            return structure_stability(tables, changes, threads, Path(folder))


def _contact_columns(contacts: Any) -> Mapping[str, Any]:
    if isinstance(contacts, Sequence) and not isinstance(contacts, str):
        rows = [cast("Mapping[str, Any]", row) for row in cast("Sequence[Any]", contacts) if isinstance(row, Mapping)]
        if not rows or len(rows) != len(cast("Sequence[Any]", contacts)):
            raise InvalidInput("contacts: expected a DataFrame, a dict of columns, or a list with a dict for each contact")
        names = list(rows[0])
        for number, row in enumerate(rows):
            if list(row) != names:
                raise InvalidInput(f"contacts[{number}]: has {', '.join(row)}; contacts[0] has {', '.join(names)}")
        columns: Mapping[str, Any] = {name: [row[name] for row in rows] for name in names}
    elif isinstance(contacts, Mapping) or hasattr(contacts, "columns"):
        columns = cast("Mapping[str, Any]", contacts)
    else:
        raise InvalidInput(f"contacts: found {type(contacts).__name__}; expected a DataFrame, a dict of columns or a list of dicts")
    missing = [name for name in COLUMNS if name not in columns]
    if missing:
        raise InvalidInput(f"contacts: the columns {', '.join(missing)} are missing; expected {', '.join(COLUMNS)}")
    return columns
