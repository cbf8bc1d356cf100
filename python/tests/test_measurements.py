"""Identification from arrays, by the program."""

from __future__ import annotations

import json
import pickle
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import slipset as sl


@pytest.fixture(autouse=True)
def with_identify(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if not Path(program + "-identify").exists():
        pytest.skip("slipset-identify is not built")
    monkeypatch.setenv("SLIPSET_PROGRAM", program)


def record(law: sl.Law, samples: int = 720, turns: int = 3) -> dict[str, np.ndarray]:
    """A pin on a disk: the disk turns, the slip turns against it; forces against the slip and across, in its frame."""
    rng = np.random.default_rng(4)
    angle = 2 * np.pi * turns * np.arange(samples) / samples
    slip = np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    s = law.slip_resistance(slip)
    across = np.stack([-slip[:, 1], slip[:, 0]], axis=-1)
    noise = 0.002 * rng.normal(size=(2, samples))
    return {"angle": np.degrees(angle), "tangential": 10 * np.sum(s * slip, axis=-1) + noise[0],
            "radial": 10 * np.sum(s * across, axis=-1) + noise[1], "normal": np.full(samples, 10.0)}


def test_arrays_and_dataframes_give_the_law_that_made_them(tmp_path: Path, program: str) -> None:
    truth = sl.Law(sl.Ellipse(0.5, 0.3), sl.Ellipse(1.4, 1.0))
    columns = record(truth)
    options = {"reservoir": "ellipse", "direction": "ellipse", "sense": 1, "offset": 0, "units": {"angle": "deg", "force": "N"}}
    found = sl.identify(columns, **options)
    v = np.random.default_rng(1).normal(size=(50, 2))
    np.testing.assert_allclose(found.law.slip_resistance(v), truth.slip_resistance(v), atol=2e-3)
    again = sl.identify(pd.DataFrame(columns), **options)
    assert again.reservoir.semi_axes.tolist() == found.reservoir.semi_axes.tolist()
    # The program, with the same file, has the same bits.
    path = tmp_path / "record.csv"
    pd.DataFrame(columns).to_csv(path, index=False)
    done = subprocess.run([program, "identify", str(path), "--reservoir", "ellipse", "--direction", "ellipse", "--sense", "1",
                           "--offset", "0", "--units", "angle=deg,force=N", "--json"], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["reservoir"]["semi_axes"] == found.reservoir.semi_axes.tolist()
    assert pickle.loads(pickle.dumps(found)).law.slip_resistance([1.0, 0.0])[0] == found.law.slip_resistance([1.0, 0.0])[0]


@pytest.mark.parametrize("data", [{}, {"angle": [1, 2], "tangential": [1]}, {"angle": ["a", "b"]}, 5, "no-such-file.csv",
                                  {"angle": [[1.0]]}], ids=str)
def test_wrong_data_are_refused(data: object) -> None:
    with pytest.raises(sl.InvalidInput):
        sl.identify(data)


def test_options_that_are_none_are_refused() -> None:
    with pytest.raises(sl.InvalidInput):
        sl.identify(record(sl.isotropic(0.3)), colour="blue")


def test_without_the_program_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SLIPSET_PROGRAM")
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(sl.InvalidInput, match="make program"):
        sl.study("walker2016-fig6")
