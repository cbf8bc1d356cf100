"""Where the tests find the examples and the program."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

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
