"""What a caller did wrong."""

from __future__ import annotations

import re

_PLACED = re.compile(r"^(?P<file>[^\n]*?):(?P<line>\d+):(?P<column>\d+): (?:(?P<key>[\w.\[\]\"'-]+): )?(?P<what>.*)$", re.S)


class InvalidInput(ValueError):
    """A mistake in the input, in words that say what was found and what to do.

    Where it is in a file, `file`, `line`, `column` and `key` say where; `remedy` is what comes behind the last semicolon.

    >>> import slipset
    >>> try:
    ...     slipset.run("[system]\\nkind = 'mass-on-bell'")
    ... except slipset.InvalidInput as error:
    ...     print(error.line, error.key)
    2 system.kind
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        placed = _PLACED.match(message)
        self.file: str | None = placed["file"] if placed else None
        self.line: int | None = int(placed["line"]) if placed else None
        self.column: int | None = int(placed["column"]) if placed else None
        self.key: str | None = placed["key"] if placed else None
        what = placed["what"] if placed else message
        self.remedy: str | None = what.rsplit("; ", 1)[1] if "; " in what else None
