"""A scenario as people give it: a path, TOML text, or a dict; and what changes it."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Union

from ._errors import InvalidInput

Scenario = Union[str, "os.PathLike[str]", Mapping[str, Any]]


def toml_value(value: Any, where: str) -> str:
    """A value as TOML writes it on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if hasattr(value, "tolist"):  # numpy
        return toml_value(value.tolist(), where)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise InvalidInput(f"{where}: found {value}; expected a finite number")
        return repr(value)
    if isinstance(value, (str, os.PathLike)):
        text = os.fspath(value)
        escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
        return f'"{escaped}"'
    if isinstance(value, Mapping):
        inside = ", ".join(f"{toml_key(k, where)} = {toml_value(v, f'{where}.{k}')}" for k, v in value.items())
        return "{ " + inside + " }"
    if isinstance(value, Sequence):
        return "[" + ", ".join(toml_value(v, where) for v in value) + "]"
    raise InvalidInput(f"{where}: found {type(value).__name__}; expected numbers, text, lists and dicts of these")


def toml_key(key: Any, where: str) -> str:
    if not isinstance(key, str):
        raise InvalidInput(f"{where}: found the key {key!r}; expected text")
    plain = key and all(c.isascii() and (c.isalnum() or c in "_-") for c in key)
    return key if plain else toml_value(key, where)


def toml_text(tables: Mapping[str, Any]) -> str:
    """A dict as a TOML file: a table for each dict in it, an array of tables for each list of dicts."""
    head, tail = [], []
    for name, value in tables.items():
        key = toml_key(name, "scenario")
        if isinstance(value, Mapping):
            tail.append(f"[{key}]")
            tail += [f"{toml_key(k, name)} = {toml_value(v, f'{name}.{k}')}" for k, v in value.items()]
        elif isinstance(value, Sequence) and not isinstance(value, str) and value and isinstance(value[0], Mapping):
            for one in value:
                tail.append(f"[[{key}]]")
                tail += [f"{toml_key(k, name)} = {toml_value(v, f'{name}.{k}')}" for k, v in one.items()]
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
