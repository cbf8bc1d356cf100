"""A scenario as people give it: a path, TOML text, or a dict; and what changes it."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Union, cast

import numpy as np

from ._core import Law, PlanarSet
from ._errors import InvalidInput

Scenario = Union[str, "os.PathLike[str]", Mapping[str, Any]]


def toml_value(value: Any, where: str) -> str:
    """A value as TOML writes it on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if hasattr(value, "tolist"):  # numpy, whose long doubles stay what they are
        plain = value.tolist()
        return toml_value(float(plain) if hasattr(plain, "tolist") else plain, where)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise InvalidInput(f"{where}: found {value}; expected a finite number")
        return repr(value)
    if isinstance(value, (str, os.PathLike)):
        text = os.fspath(cast("str | os.PathLike[str]", value))
        escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
        return f'"{escaped}"'
    if isinstance(value, Law):
        value = law_table(value)
    if isinstance(value, Mapping):
        table = cast("Mapping[Any, Any]", value)
        inside = ", ".join(f"{toml_key(k, where)} = {toml_value(v, f'{where}.{k}')}" for k, v in table.items())
        return "{ " + inside + " }"
    if isinstance(value, Sequence):
        return "[" + ", ".join(toml_value(v, where) for v in cast("Sequence[Any]", value)) + "]"
    raise InvalidInput(f"{where}: found {type(value).__name__}; expected numbers, text, lists and dicts of these")


# Names of the arguments of each shape, in their order, as scenarios have them.
_SHAPES: dict[str, tuple[str, list[str]]] = {
    "Disk": ("disk", ["radius"]),
    "Ellipse": ("ellipse", ["semi_axes", "semi_axes", "angle"]),
    "Superellipse": ("superellipse", ["semi_axes", "semi_axes", "exponent", "angle"]),
    "Rectangle": ("rectangle", ["semi_axes", "semi_axes", "angle"]),
    "Stadium": ("stadium", ["half_length", "half_width", "cap", "angle"]),
    "NormMix": ("norm_mix", ["semi_axes", "semi_axes", "weights", "weights", "angle"]),
    "Polygon": ("polygon", ["vertices", "angle"]),
    "PolarCurve": ("polar", ["angles", "radii", "angle"]),
    "Wedge": ("wedge", ["friction", "slope", "angle"]),
}
_DEGREES = {"angle", "angles", "slope"}


def shape_table(shape: PlanarSet) -> dict[str, Any]:
    """A set as scenarios write it, angles in degrees."""
    kind = type(shape).__name__
    if kind not in _SHAPES:
        raise InvalidInput(f"{kind}: scenarios have no such shape; give a PolarCurve through its points")
    name, keys = _SHAPES[kind]
    arguments = shape.__reduce__()[1]
    if len(arguments) > len(keys) and arguments[len(keys)] != 1:  # the size of a scaled wedge
        raise InvalidInput(f"{kind}: scenarios have none of size {arguments[len(keys)]}; give a PolarCurve through its points")
    table: dict[str, Any] = {"shape": name}
    for key, value in zip(keys, arguments):
        if key in ("semi_axes", "weights"):
            table.setdefault(key, []).append(value)
        else:
            table[key] = np.degrees(value).tolist() if key in _DEGREES else value
    return table


def law_table(law: Law) -> dict[str, Any]:
    """[law] of a scenario: the law to paste. As `{"law": law, ...}` in scenarios that are dicts.

    >>> from slipset import Ellipse, Law
    >>> from slipset import law_table
    >>> law_table(Law(Ellipse(0.5, 0.2)))["reservoir"]
    {'shape': 'ellipse', 'semi_axes': [0.5, 0.2], 'angle': 0.0}
    """
    reservoir, direction, stribeck, elastic = law.__reduce__()[1]
    table: dict[str, Any] = {"reservoir": shape_table(reservoir), "direction": shape_table(direction)}
    if stribeck is not None:
        table["stribeck"] = {"static": stribeck.static_ratio, "velocity": stribeck.velocity, "viscous": stribeck.viscous}
    if elastic is not None:
        table["elastic"] = {"stiffness": list(elastic[:2]), "angle": float(np.degrees(elastic[2]))}
    return table


def toml_key(key: Any, where: str) -> str:
    if not isinstance(key, str):
        raise InvalidInput(f"{where}: found the key {key!r}; expected text")
    plain = key and all(c.isascii() and (c.isalnum() or c in "_-") for c in key)
    return key if plain else toml_value(key, where)


def toml_text(tables: Mapping[str, Any]) -> str:
    """A dict as a TOML file: a table for each dict in it, an array of tables for each list of dicts."""
    head: list[str] = []
    tail: list[str] = []

    def lines(name: str, table: Mapping[Any, Any]) -> list[str]:
        return [f"{toml_key(k, name)} = {toml_value(v, f'{name}.{k}')}" for k, v in table.items()]

    for name, value in tables.items():
        key = toml_key(name, "scenario")
        if isinstance(value, Law):
            value = law_table(value)
        if isinstance(value, Mapping):
            tail += [f"[{key}]", *lines(name, cast("Mapping[Any, Any]", value))]
        elif isinstance(value, Sequence) and not isinstance(value, str) and value and isinstance(value[0], Mapping):
            for one in cast("Sequence[Mapping[Any, Any]]", value):
                tail += [f"[[{key}]]", *lines(name, one)]
        else:
            head.append(f"{key} = {toml_value(value, name)}")
    return "\n".join(head + tail) + "\n"


def text_and_name(scenario: Scenario) -> tuple[str, str]:
    """The TOML text of a scenario, and the name that stands for it in messages."""
    if isinstance(scenario, Mapping):
        return toml_text(scenario), "scenario"
    if isinstance(scenario, os.PathLike) or (isinstance(scenario, str) and "\n" not in scenario and "=" not in scenario):
        path = Path(scenario)
        if not str(scenario):
            raise InvalidInput("scenario: found an empty text; expected a path, TOML text or a dict")
        try:
            return path.read_text(encoding="utf-8"), str(path)
        except (OSError, UnicodeDecodeError) as error:
            raise InvalidInput(f"{path}: cannot be read ({error}); expected a scenario file, TOML text or a dict") from None
    if isinstance(scenario, str):
        return scenario, "scenario"
    raise InvalidInput(f"scenario: found {type(scenario).__name__}; expected a path, TOML text or a dict")


def settings_of(changes: Mapping[str, Any] | None) -> list[str]:
    """{"system.mass": 2} as the program's --set writes it."""
    if changes is None:
        return []
    if not isinstance(changes, Mapping):
        raise InvalidInput(f'changes: found {type(changes).__name__}; expected a dict, as {{"system.mass": 2}}')
    return [f"{key}={toml_value(value, key)}" for key, value in changes.items()]
