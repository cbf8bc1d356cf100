"""Every example scenario gives the numbers of the program, bit by bit."""

from __future__ import annotations

import _thread
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import slipset as sl
from conftest import without_clocks
from slipset._scenario import toml_text

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "examples/scenarios").glob("*.toml"))
# Long ones, the same code with other numbers: by tools/check-all repetitions.
SLOW = set() if "SLIPSET_REPETITIONS" in os.environ else {
    "marble-heap", "sphere-pile", "chute", "rolling-marbles", "box-stack", "belt-cycle-branches"
}


def commands_of(path: Path) -> list[str]:
    if "stability" in path.stem or path.stem == "mode-coupling":
        return ["stability"]
    if path.stem == "belt-cycle-branches":
        return ["cycle"]
    has_system = "[system]" in path.read_text()
    return ["run", "cycle"] if path.stem == "belt-limit-cycle" else ["run"] if has_system else []


@pytest.mark.parametrize(("command", "path"), [
    pytest.param(command, path, id=f"{command}-{path.stem}") for path in EXAMPLES if path.stem not in SLOW
    for command in commands_of(path)
])
def test_same_bits_as_the_program(command: str, path: Path, program: str) -> None:
    done = subprocess.run([program, command, str(path), "--json"], capture_output=True, text=True, check=False)
    if done.returncode == 2:
        with pytest.raises(sl.InvalidInput):
            getattr(sl, command)(path)
        return
    result = getattr(sl, command)(path)
    assert without_clocks(json.loads(result.to_json())) == without_clocks(json.loads(done.stdout))
    assert result.succeeded == (done.returncode == 0)


@pytest.mark.parametrize("path", [p for p in EXAMPLES if p.stem in {"two-ellipses", "nonconvex", "xy-table", "wedge"}],
                         ids=lambda p: p.stem)
def test_properties_are_those_of_the_program(path: Path, program: str) -> None:
    done = subprocess.run([program, "law", str(path), "--json", "--step", "15"], capture_output=True, text=True, check=True)
    theirs = sl.Record(json.loads(done.stdout))
    mine = sl.read_law(path).properties(15)
    assert [row.coefficient for row in mine.directions] == [row.coefficient for row in theirs.directions]
    assert mine.monotone.why == theirs.monotone.why


BELT = {
    "law": {"reservoir": {"shape": "ellipse", "semi_axes": [30, 10], "angle": 30.0},
            "direction": {"shape": "ellipse", "semi_axes": [3, 1]}},
    "system": {"kind": "mass-on-belt", "mass": 1.0, "stiffness": 1.0, "normal_force": 1.0,
               "belt": {"speed": 1.0, "angle": 50.0}},
}


def test_a_path_a_text_and_a_dict_are_one_scenario(tmp_path: Path) -> None:
    text = """
[law]
reservoir = { shape = "ellipse", semi_axes = [30, 10], angle = 30.0 }
direction = { shape = "ellipse", semi_axes = [3, 1] }
[system]
kind = "mass-on-belt"
mass = 1.0
stiffness = 1.0
normal_force = 1.0
belt = { speed = 1.0, angle = 50.0 }
"""
    (tmp_path / "belt.toml").write_text(text)
    by = [sl.stability(BELT), sl.stability(text), sl.stability(tmp_path / "belt.toml"), sl.stability(str(tmp_path / "belt.toml"))]
    for other in by[1:]:
        np.testing.assert_array_equal(other.eigenvalues, by[0].eigenvalues)
    assert not by[0].stable and by[0].eigenvalues.real.max() == pytest.approx(0.3819273741937741, rel=1e-12)
    changed = sl.stability(BELT, {"system.belt.angle": 0.0})
    assert changed.eigenvalues.real.max() != by[0].eigenvalues.real.max()


def test_sweeps_have_arrays_and_critical_values() -> None:
    swept = sl.stability({**BELT, "sweep": {"parameter": "system.belt.angle", "from": 0, "to": 90, "count": 91}})
    angles, growth, frequency = swept.parameter, swept.growth, swept.frequency
    np.testing.assert_allclose(angles, np.arange(91), atol=1e-12)
    assert growth.shape == frequency.shape and len(growth) == 91
    alone = sl.stability(BELT, {"system.belt.angle": 50.0}).eigenvalues
    assert growth[50].max() == alone.real.max() and frequency[50].max() == alone.imag.max()
    first, second = (critical.value for critical in swept.critical)
    unstable = growth.max(axis=1) > 1e-9
    np.testing.assert_array_equal(unstable, (angles > first) & (angles < second))


def test_a_sweep_replaces_that_of_the_file() -> None:
    mapped = {**BELT, "sweep": {"parameter": "system.mass", "from": 1, "to": 2, "count": 3,
                                "second": {"parameter": "system.belt.speed", "from": 1, "to": 2, "count": 3}}}
    result = sl.sweep(mapped, "system.belt.angle", 0, 90, 7)
    assert "map" not in result and result["sweep"]["parameter"] == "system.belt.angle"
    np.testing.assert_array_equal(result.growth, sl.sweep(BELT, "system.belt.angle", 0, 90, 7).growth)


def test_a_sweep_has_an_answer_where_the_files_own_numbers_have_none(program: str, tmp_path: Path) -> None:
    # A belt that stands still has no steady sliding; the sweep does not use that speed.
    still = {**BELT, "system": {**BELT["system"], "belt": {"speed": 0.0, "angle": 50.0}},
             "sweep": {"parameter": "system.belt.speed", "from": 0.5, "to": 1.0, "count": 3}}
    path = tmp_path / "still.toml"
    path.write_text(toml_text(still))
    done = subprocess.run([program, "stability", str(path), "--json"], capture_output=True, text=True, check=False)
    if done.returncode == 2:
        with pytest.raises(sl.InvalidInput):
            sl.stability(still)
    else:
        assert sl.stability(still).succeeded == (done.returncode == 0)


def test_ctrl_c_ends_a_long_sweep() -> None:
    seen: list[float] = []

    def press(done: float, all_: float, unit: str) -> None:
        seen.append(done)
        _thread.interrupt_main()

    whole = {"parameter": "system.belt.angle", "from": 0, "to": 90, "count": 300000}
    with pytest.warns(RuntimeWarning, match="stopped"):
        part = sl.stability({**BELT, "sweep": whole}, progress=press)
    assert 1 <= len(seen) <= 2
    # What was done is kept, and the same as in the whole sweep.
    assert part.stopped and not part.succeeded and part["sweep"]["ended_early"] and 0 < len(part.parameter) < 3000
    other = sl.sweep(BELT, "system.belt.angle", part.parameter[0], part.parameter[-1], len(part.parameter))
    np.testing.assert_allclose(part.growth, other.growth, atol=1e-9)


def test_mistakes_say_where_they_are(tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text('[law]\nreservoir = { shape = "elipse", semi_axes = [1, 2] }\n')
    with pytest.raises(sl.InvalidInput) as error:
        sl.read_law(path)
    assert error.value.file == str(path) and error.value.line == 2 and error.value.key == "law.reservoir.shape"
    assert "ellipse" in str(error.value)
    for wrong in ({"law": {"reservoir": {"shape": "disk", "radius": float("nan")}}}, {"law": object()}, 5, None,
                  "no-such-file.toml", {3: 4}, {"law": {"reservoir": [1, {}]}}):
        with pytest.raises(sl.InvalidInput):
            sl.read_law(wrong)  # type: ignore[arg-type]
    with pytest.raises(sl.InvalidInput, match="mass"):
        sl.stability(BELT, {"system.maas": 2})


def test_results_save_what_the_program_writes(tmp_path: Path) -> None:
    result = sl.stability(BELT)
    names = {path.name for path in result.save(tmp_path / "out")}
    assert "stability.json" in names
    assert json.loads((tmp_path / "out/stability.json").read_text()) == json.loads(result.to_json())
