"""The JSON of a result as an object: keys are attributes, lists of numbers are arrays."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, cast

import numpy as np


class Record(Mapping[str, Any]):
    """A JSON object. `record.key` and `record["key"]` are the same; lists of numbers are numpy arrays, in
    which null is NaN; elsewhere it is None."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        object.__setattr__(self, "_data", {key: converted(value) for key, value in data.items()})

    def __getitem__(self, key: str) -> Any:
        return self._data[key]

    def __getattr__(self, key: str) -> Any:
        if key.startswith("__"):
            raise AttributeError(key)
        try:
            return self.__dict__["_data"][key]
        except KeyError:
            raise AttributeError(f"there is no {key!r}; there is {', '.join(self._data)}") from None

    def __setattr__(self, key: str, value: Any) -> None:
        raise AttributeError("results cannot be changed")

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._data]

    def __repr__(self) -> str:
        return "\n".join(f"{key}: {_short(value)}" for key, value in self._data.items())

    def __getstate__(self) -> dict[str, Any]:
        return dict(self._data)

    def __setstate__(self, state: dict[str, Any]) -> None:
        object.__setattr__(self, "_data", state)


def _short(value: Any) -> str:
    if isinstance(value, Record):
        return "{" + ", ".join(value) + "}"
    if isinstance(value, np.ndarray) and value.size > 8:
        return f"array of shape {value.shape}"
    if isinstance(value, list) and len(cast("list[Any]", value)) > 3:
        return f"list of {len(cast('list[Any]', value))}"
    return repr(cast(Any, value))


def _is_numbers(value: list[Any]) -> bool:
    numbers = [x for x in value if x is not None]
    return bool(numbers) and all(isinstance(x, (int, float)) and not isinstance(x, bool) for x in numbers)


def converted(value: Any) -> Any:
    """JSON's values as Python's: numbers in lists as arrays of float64."""
    if isinstance(value, Mapping):
        return Record(cast("Mapping[str, Any]", value))
    if isinstance(value, list):
        value = cast("list[Any]", value)
        if _is_numbers(value):
            return np.array(value, dtype=float)
        rows = [cast("list[Any]", row) for row in value if isinstance(row, list)]
        if rows and len(rows) == len(value) and all(_is_numbers(row) and len(row) == len(rows[0]) for row in rows):
            return np.array(value, dtype=float)
        return [converted(item) for item in value]
    return value


def record_of(text: str) -> Record:
    return Record(json.loads(text))
