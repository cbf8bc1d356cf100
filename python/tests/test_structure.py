"""Structures from arrays, sweeps, and stability and cycles of systems made in Python."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.io
import scipy.sparse

import slipset as sl

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
# Fig. 17 of Walker and Leine: C turned by 30 degrees, D not.
BELT_LAW = sl.Law(sl.Ellipse(30, 10, angle=np.radians(30)), sl.Ellipse(3, 1))


def block(**other: Any) -> sl.Structure:
    """The structure of examples/scenarios/structure-stability.toml, from arrays."""
    mass, stiffness = (scipy.sparse.csr_array(scipy.io.mmread(EXAMPLES / f"structure/{name}.mtx")) for name in "MK")
    with open(EXAMPLES / "structure/contacts.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    contacts = [{k: v if k in ("name", "law") else float(v) if k not in ("ux", "uy", "uz") else int(v) for k, v in row.items()} for row in rows]
    given: dict[str, Any] = {
        "law": sl.Law(sl.Ellipse(0.6, 0.3, angle=np.radians(30)), sl.Ellipse(3, 1)),
        "laws": {"chamfer": sl.isotropic(0.4).with_stribeck(sl.Stribeck(1.3, 1.0))},
        "rayleigh": (5.0, 2e-7),
    }
    return sl.Structure(mass, stiffness, contacts, **(given | other))


def test_a_structure_from_arrays_has_the_modes_of_its_files(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLIPSET_PROGRAM", program)
    mine = sl.stability(block(), band=(0, 4000), growth=(-200, 1000))
    file = sl.stability(EXAMPLES / "scenarios/structure-stability.toml")
    assert mine.complete and mine.dofs == file.dofs and len(mine.eigenvalues) == len(file.eigenvalues) > 2
    # Angles went to degrees and back; measured: 2e-16.
    np.testing.assert_allclose(mine.eigenvalues, file.eigenvalues, rtol=1e-12, atol=1e-9)
    # A dense eigenvalue problem as the second method: no friction, no dampers.
    free = block(friction_factor=1e-12, rayleigh=(0.0, 0.0), damping=np.zeros((36, 36)))
    mass, stiffness = (scipy.io.mmread(EXAMPLES / f"structure/{name}.mtx").toarray() for name in "MK")
    with open(EXAMPLES / "structure/contacts.csv", encoding="utf-8") as file_:
        for row in csv.DictReader(line for line in file_ if not line.startswith("#")):
            n = np.zeros(36)
            n[[int(row[k]) for k in ("ux", "uy", "uz")]] = [float(row[k]) for k in ("nx", "ny", "nz")]
            stiffness += float(row["stiffness"]) * np.outer(n, n)
    omega = np.sqrt(np.linalg.eigvals(np.linalg.solve(mass, stiffness)).real)
    expected = np.sort(omega[omega < 2 * np.pi * 4000])
    found = np.sort(sl.stability(free, band=(0, 4000), growth=(-200, 1000)).eigenvalues[:, 1])
    np.testing.assert_allclose(found, expected, rtol=1e-7)


def test_entries_of_one_place_add_up(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLIPSET_PROGRAM", program)
    whole = scipy.sparse.coo_array(scipy.io.mmread(EXAMPLES / "structure/M.mtx"))
    i, j = whole.coords if hasattr(whole, "coords") else (whole.row, whole.col)
    halves = scipy.sparse.coo_array((np.concatenate([whole.data / 2] * 2), (np.tile(i, 2), np.tile(j, 2))), whole.shape)
    mine = sl.stability(block(damping=1e-3 * halves), band=(0, 4000), growth=(-200, 1000))
    other = sl.stability(block(damping=1e-3 * whole.toarray()), band=(0, 4000), growth=(-200, 1000))
    np.testing.assert_array_equal(mine.eigenvalues, other.eigenvalues)
    assert isinstance(mine, type(sl.stability(EXAMPLES / "scenarios/structure-stability.toml")))
    mine.plot()


def test_a_structure_sweeps(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLIPSET_PROGRAM", program)
    mine = sl.sweep(block(), "system.friction_factor", 0.1, 2.0, 20, band=(0, 4000), growth=(-200, 1000))
    file = sl.sweep(EXAMPLES / "scenarios/structure-stability.toml", "system.friction_factor", 0.1, 2.0, 20)
    assert [c["value"] for c in mine["critical"]] == pytest.approx([c["value"] for c in file["critical"]], rel=1e-9)
    assert len(mine["critical"]) > 0


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"terms": [{"in": "D"}]}, "matrix"),
        ({"damping": np.ones((2, 3))}, "square"),
        ({"damping": np.full((36, 36), np.nan)}, "finite"),
        ({"damping": np.ones((36, 36)) * 1j}, "real"),
    ],
)
def test_wrong_structures_are_refused(change: dict[str, Any], word: str) -> None:
    with pytest.raises(sl.InvalidInput, match=word):
        block(**change)


def test_wrong_contacts_of_structures_are_refused(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    eye = np.eye(3)
    for contacts in (3, [], [1], {"ux": [0]}, "contacts.csv", [{"ux": 1}, {"uy": 2}]):
        with pytest.raises(sl.InvalidInput, match="contacts"):
            sl.Structure(eye, eye, contacts, sl.isotropic(0.3))
    with pytest.raises(sl.InvalidInput, match="band"):
        sl.stability(block())
    with pytest.raises(sl.InvalidInput, match="band"):
        sl.stability(EXAMPLES / "scenarios/belt-stability.toml", band=(0, 1), growth=(0, 1))
    monkeypatch.setenv("SLIPSET_PROGRAM", program)
    with pytest.raises(sl.InvalidInput, match="size|rows|M"):
        block(damping=eye).stability(band=(0, 4000), growth=(-200, 1000))


# Reference values of Fig. 17's law: an independent implementation, see docs/theory/stability.md.
def test_stability_of_a_system_is_that_of_its_scenario() -> None:
    belt = sl.MassOnBelt(BELT_LAW, speed=1.0, angle=np.radians(50))
    mine = sl.stability(belt)
    assert not mine.stable
    growth = np.sort_complex(mine.eigenvalues)[-1]
    assert growth.real == pytest.approx(0.3819273741938, abs=1e-10)
    assert abs(growth.imag) == pytest.approx(0.9241923397440, abs=1e-10)
    np.testing.assert_allclose(mine["equilibrium"], [20.2015502054, 2.6750300037], atol=1e-9)
    with_bristles = sl.stability(belt, lugre=sl.LuGre(1000.0, 0.0, 0.0))
    assert len(with_bristles.eigenvalues) > len(mine.eigenvalues)


def test_cycle_of_a_system_is_the_known_one() -> None:
    belt = sl.MassOnBelt(BELT_LAW, speed=1.0, angle=np.radians(50))
    for given in ({}, {"q": [20.3, 2.7], "step": 0.02, "duration": 400.0}):
        found = sl.cycle(belt, **given)
        assert found["period"] == pytest.approx(28.703449339, abs=1e-7)
        assert found["stick_time"] == pytest.approx(19.774333491, abs=1e-7)
    with pytest.raises(sl.InvalidInput, match="step, duration"):
        sl.cycle(belt, q=[20.3, 2.7])
    with pytest.raises(sl.InvalidInput, match="changes"):
        sl.cycle(belt, {"system.mass": 2})
    with pytest.raises(sl.InvalidInput, match="System"):
        sl.cycle(EXAMPLES / "scenarios/belt-limit-cycle.toml", step=0.1)


def test_stability_of_a_system_written_in_python() -> None:
    # Eq. 75 of Walker and Leine, written again.
    class Belt(sl.System):
        dofs = 2
        contacts = [sl.SystemContact(BELT_LAW)]
        constant_mass = steady_surfaces = True

        def evaluate(self, t: float, q: Any, u: Any, at: sl.SystemAt) -> None:
            at.mass[0, 0] = at.mass[1, 1] = 1.0
            at.force[:] = at.potential_force[:] = -q
            at.contacts[0].normal_force = 1.0
            at.contacts[0].tangents[0, 0] = at.contacts[0].tangents[1, 1] = 1.0
            at.contacts[0].surface_velocity[:] = [np.cos(np.radians(50)), np.sin(np.radians(50))]

    mine, own = sl.stability(Belt()), sl.stability(sl.MassOnBelt(BELT_LAW, speed=1.0, angle=np.radians(50)))
    np.testing.assert_allclose(mine.eigenvalues, own.eigenvalues, atol=1e-6)


def test_sweeps_find_the_known_angles() -> None:
    belt = {
        "law": BELT_LAW,
        "system": {"kind": "mass-on-belt", "mass": 1, "stiffness": 1, "normal_force": 1, "belt": {"speed": 1, "angle": 50}},
    }
    found = sl.sweep(belt, "system.belt.angle", 0, 180, 181)
    assert [c["value"] for c in found["critical"]] == pytest.approx([44.1058346915, 75.8941653085], abs=1e-6)
    with pytest.raises(sl.InvalidInput, match="command"):
        sl.sweep(belt, "system.belt.angle", 0, 180, 181, command="run")
    with pytest.raises(sl.InvalidInput, match="belt.angel"):
        sl.sweep(belt, "system.belt.angel", 0, 180, 181)


@pytest.mark.parametrize(
    "law",
    [
        BELT_LAW,
        sl.Law(sl.Superellipse(0.5, 0.3, 2.8, angle=0.3), sl.Disk(1)),
        sl.two_sign(0.4, 0.2),
        sl.Law(sl.Stadium(0.5, 0.2, 0.1, angle=0.2), sl.Disk(1)),
        sl.Law(sl.Polygon([[1, 0], [0, 1], [-1, 0], [0, -1]]), sl.Disk(1)),
        sl.Law(sl.PolarCurve(np.arange(8) * np.pi / 4, [1, 1.1, 1, 0.9, 1, 1.1, 1, 0.9]), sl.Disk(2)),
        sl.wedge_asperities(1.2, np.radians(36)),
        sl.Law(sl.NormMix(0.5, 0.3, 2.5, -1.5), sl.Ellipse(2, 1)),
        sl.isotropic(0.4).with_stribeck(sl.Stribeck(1.5, 0.1, 0.2)),
        sl.Law(sl.Disk(0.4), elastic=(1e4, 2e4, 0.3)),
    ],
    ids=lambda law: type(law.reservoir).__name__,
)
def test_a_law_in_a_scenario_is_that_law(law: sl.Law) -> None:
    back = sl.read_law({"law": law})
    v = np.random.default_rng(2).normal(size=(40, 2))
    np.testing.assert_allclose(back.slip_resistance(v), law.slip_resistance(v), rtol=1e-12, atol=1e-13)
    assert back.stribeck == law.stribeck and (law.elastic is None) == (back.elastic is None)


def test_a_set_of_your_own_is_in_no_scenario() -> None:
    with pytest.raises(sl.InvalidInput, match="PolarCurve"):
        sl.law_table(sl.Law(sl.UserSet(lambda angle: (0.0, 0.0, 0.0)), sl.Disk(1)))
