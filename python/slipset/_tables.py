"""Columns by name as CSV files."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from ._errors import InvalidInput


def csv_text(columns: Mapping[Any, Any], what: str, text: Collection[str] = ()) -> str:
    """A dict of columns or a DataFrame: numbers with all digits; whole numbers stay whole. Columns named in `text` may be
    words."""
    names = [str(name) for name in columns]
    if not names:
        raise InvalidInput(f"{what}: there are no columns")
    cells: list[list[str]] = []
    for name in columns:
        array = np.asarray(columns[name])
        if array.ndim == 1 and name in text:
            cells.append([_word(x, f"{what}: column {name!r}") for x in array.tolist()])
        elif array.ndim == 1 and array.dtype.kind in "fiub":
            whole = array.dtype.kind in "iu"
            cells.append([str(x) if whole else repr(float(x)) for x in array.tolist()])
        else:
            raise InvalidInput(f"{what}: column {name!r} is {array.dtype} of shape {array.shape}; expected numbers, one per row")
    if len({len(column) for column in cells}) > 1:
        raise InvalidInput(f"{what}: columns have different lengths")
    return "\n".join([",".join(names), *(",".join(row) for row in zip(*cells))]) + "\n"


def _word(value: Any, what: str) -> str:
    word = str(value)
    if any(c in word for c in ',"\n\r'):
        raise InvalidInput(f"{what}: found {word!r}; expected a name without commas, quotes and line ends")
    return word
