"""Where the tests find the examples and the program; results without their clocks."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def program() -> str:
    """The program that was built with the module."""
    path = os.environ.get("SLIPSET_PROGRAM", str(ROOT / "build/release/slipset"))
    if not Path(path).exists():
        pytest.skip(f"{path} is not built")
    subprocess.run([path, "--version"], check=True, capture_output=True)
    return path


CLOCKS = {"seconds", "solver_seconds", "files", "factorisation_seconds"}


def without_clocks(value: Any) -> Any:
    """What two runs of the same must share."""
    if isinstance(value, dict):
        return {k: without_clocks(v) for k, v in value.items() if k not in CLOCKS}
    return [without_clocks(v) for v in value] if isinstance(value, list) else value
