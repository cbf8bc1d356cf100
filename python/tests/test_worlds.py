"""Rigid bodies from Python: closed forms, the same bits as a scenario, and wrong input."""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path

import numpy as np
import pytest

import slipset as sl
from conftest import without_clocks

G = 9.81
ELLIPSE = sl.Law(sl.Ellipse(0.3, 0.15))


def box_on_plane(law: sl.Law | sl.RollingLaw | None, velocity: tuple[float, float, float]) -> sl.World:
    world = sl.World(gravity=(0, 0, -G))
    world.add(sl.Plane(law, name="floor"))
    world.add(sl.Box(size=(0.2, 0.2, 0.02), mass=1.2, name="puck"), at=(0, 0, 0.01), velocity=velocity)
    return world


def test_a_box_stops_where_it_should() -> None:
    v, mu = 2.0, 0.4
    for step in (2e-3, 1e-3, 5e-4):
        run = sl.simulate(box_on_plane(sl.isotropic(mu), (v, 0, 0)), sl.Moreau(step), duration=0.8)
        assert run.succeeded and abs(run["puck.y"][-1]) < 1e-9
        # Exact but for the step in which it stops, a part f of it: μ g Δt² f (1 − f)/2. Measured: 1.0e-6 for 2e-3.
        assert abs(run["puck.x"][-1] - v**2 / (2 * mu * G)) < mu * G * step**2 / 8 + 1e-9


def test_an_anisotropic_law_turns_the_box_and_an_isotropic_one_does_not() -> None:
    def turn(law: sl.Law) -> float:
        run = sl.simulate(box_on_plane(law, (1.0, 1.0, 0.0)), sl.Moreau(1e-3), duration=0.3)
        return float(np.arctan2(run["puck.vy"][-1], run["puck.vx"][-1]) - np.pi / 4)

    assert abs(turn(sl.isotropic(0.2))) < 1e-9
    # Friction of the point body with this law: the first axis is the rougher one.
    point = sl.simulate(sl.SlidingBody(ELLIPSE, mass=1.2, normal_force=1.2 * G), sl.Moreau(1e-3), u=[1.0, 1.0], duration=0.3)
    expected = np.arctan2(point["dy"][-1], point["dx"][-1]) - np.pi / 4
    assert expected > 0.1
    assert turn(ELLIPSE) == pytest.approx(expected, abs=1e-3)


def test_the_axis_of_a_surface_turns_the_law() -> None:
    def end(surface: sl.Surface) -> tuple[float, float]:
        world = sl.World()
        world.add(sl.Plane())
        world.add(sl.Box(size=(0.2, 0.2, 0.02), mass=1, surface=surface, name="b"), at=(0, 0, 0.01), velocity=(1, 0, 0))
        run = sl.simulate(world, sl.Moreau(1e-3), duration=1)
        return float(run["b.x"][-1]), float(run["b.y"][-1])

    along, across = end(sl.Surface(ELLIPSE, priority=1)), end(sl.Surface(ELLIPSE, priority=1, axis=(0, 1, 0)))
    assert along[0] == pytest.approx(1 / (2 * 0.3 * G), abs=1e-3)
    assert across[0] == pytest.approx(1 / (2 * 0.15 * G), abs=1e-3)


SCENARIO = {
    "title": "a box, a sphere and a hinge",
    "law": {"reservoir": {"shape": "ellipse", "semi_axes": [0.3, 0.15]}},
    "laws": {"steel": {"reservoir": {"shape": "disk", "radius": 0.1}}, "ball": {"rolling": 0.002, "drilling": 0.001, "reservoir": {"shape": "disk", "radius": 0.3}}},
    "system": {"kind": "rigid-bodies", "gravity": [0.1, 0.0, -9.8]},
    "body": [
        {"shape": "plane", "name": "table", "motion": {"amplitude": [0.0, 0.003, 0.0], "frequency": 30}},
        {"shape": "box", "name": "a", "size": [0.2, 0.2, 0.02], "mass": 1.2, "position": [0, 0, 0.01], "velocity": [1, 0.5, 0], "spin": [0, 0, 2]},
        {"shape": "box", "name": "b", "size": [0.2, 0.1, 0.02], "density": 800, "position": [0.3, 0, 0.01], "law": "steel", "priority": 1, "axis": [1, 1, 0]},
        {"shape": "sphere", "name": "c", "radius": 0.03, "mass": 0.5, "position": [0, 0.4, 0.2], "law": "ball", "priority": 2, "restitution": 0.5, "force": [0.1, 0, 0]},
    ],
    "pair": [{"first": "law", "second": "steel", "law": "steel"}],
    "joint": [{"kind": "hinge", "bodies": ["a", "b"], "point": [0.15, 0, 0.01], "axis": [0, 0, 1]}],
    "integrator": {"step": 1e-3, "duration": 0.5},
}  # fmt: skip


def test_a_world_has_the_bits_of_the_same_scenario() -> None:
    steel, ball = sl.isotropic(0.1), sl.RollingLaw(sl.Disk(0.3), drilling=0.001, rolling=0.002)
    world = sl.World(gravity=(0.1, 0, -9.8))
    world.add(sl.Plane(ELLIPSE, name="table", motion=sl.Motion(amplitude=(0, 0.003, 0), frequency=30)))
    world.add(sl.Box((0.2, 0.2, 0.02), mass=1.2, surface=ELLIPSE, name="a"), (0, 0, 0.01), velocity=(1, 0.5, 0), spin=(0, 0, 2))
    world.add(sl.Box((0.2, 0.1, 0.02), density=800, surface=sl.Surface(steel, priority=1, axis=(1, 1, 0)), name="b"), (0.3, 0, 0.01))
    world.add(sl.Sphere(0.03, mass=0.5, surface=sl.Surface(ball, priority=2, restitution=0.5), force=(0.1, 0, 0), name="c"), (0, 0.4, 0.2))
    world.pair(ELLIPSE, steel, sl.isotropic(0.1))
    world.joint("hinge", "a", "b", point=(0.15, 0, 0.01), axis=(0, 0, 1))
    mine, file = sl.simulate(world, sl.Moreau(1e-3), duration=0.5), sl.run(SCENARIO)
    assert mine.columns == file.columns and len(mine.t) == len(file.t) == 501
    for name in file.columns:
        np.testing.assert_array_equal(mine[name], file[name], err_msg=name)
    own, other = (without_clocks(json.loads(r.to_json())) | {"title": ""} for r in (mine, file))
    assert own == other
    assert np.ptp(mine["c.z"]) > 0.1 and np.ptp(mine["a.x"]) > 0.05  # it moved


def test_a_pendulum_on_a_hinge_keeps_its_energy_and_has_its_period() -> None:
    length, radius, angle = 0.5, 0.02, 0.1
    world = sl.World()
    world.add(sl.Box((0.02, 0.02, 0.02), fixed=True, name="bracket"), (0, 0, 1))
    world.add(sl.Sphere(radius, mass=2, name="bob"), (length * np.sin(angle), 0, 1 - length * np.cos(angle)))
    assert world.joint("hinge", "bracket", "bob", point=(0, 0, 1), axis=(0, 1, 0)) == "hinge1"
    run = sl.simulate(world, sl.Moreau(2e-4), duration=4)
    energy = run["kinetic"] + run["potential"]
    swing = 2 * G * length * (1 - np.cos(angle))
    assert np.ptp(energy) < 2e-3 * swing
    x = run["bob.x"]
    crossings = run.t[1:][(x[:-1] < 0) & (x[1:] >= 0)]
    period = 2 * np.pi * np.sqrt((length**2 + 0.4 * radius**2) / (G * length)) * (1 + angle**2 / 16)
    assert np.diff(crossings).mean() == pytest.approx(period, rel=1e-3)
    assert np.abs(np.hypot(x, run["bob.z"] - 1) - length).max() < 1e-5


def test_rolling_friction_stops_a_ball_that_rolls() -> None:
    radius, rolling, v = 0.05, 0.002, 0.5
    def way(law: sl.Law | sl.RollingLaw) -> float:
        world = sl.World()
        world.add(sl.Plane(law))
        world.add(sl.Sphere(radius, mass=1, name="ball"), at=(0, 0, radius), velocity=(v, 0, 0), spin=(0, v / radius, 0))
        return float(sl.simulate(world, sl.Moreau(1e-3), duration=3)["ball.x"][-1])

    # m v̇ (1 + 2/5) = −m g rolling/radius while it rolls.
    assert way(sl.RollingLaw(sl.Disk(0.5), rolling=rolling)) == pytest.approx(0.7 * v**2 * radius / (rolling * G), rel=5e-3)
    assert way(sl.isotropic(0.5)) == pytest.approx(3 * v, rel=1e-3)


def test_results_of_worlds_are_saved_pickled_and_started_elsewhere(tmp_path: Path) -> None:
    world = box_on_plane(ELLIPSE, (1, 0, 0))
    run = sl.simulate(world, sl.Moreau(1e-3), duration=0.1, title="puck")
    assert {path.name for path in run.save(tmp_path)} >= {"run.json", "path.gp", "snapshots.gp", "time.gp"}
    assert "puck" in run.text
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(run))["puck.x"], run["puck.x"])
    again = sl.simulate(world, sl.Moreau(1e-3), duration=0.1, q=[1, 0, 0.01, 1, 0, 0, 0], u=[0, 0, 0, 0, 0, 0])
    assert again["puck.x"][-1] == 1.0


WRONG = {
    "is for bodies that are free": lambda w: w.add(sl.Box((1, 1, 1), fixed=True), velocity=(1, 0, 0)),
    "mass: is for bodies that are free": lambda w: w.add(sl.Box((1, 1, 1), mass=1.0, fixed=True)),
    "not both": lambda w: w.add(sl.Box((1, 1, 1), mass=1, density=1)),
    "mass": lambda w: w.add(sl.Box((1, 1, 1), mass=-1)),
    "size": lambda w: w.add(sl.Box((1, 1), mass=1)),
    "positive": lambda w: w.add(sl.Box((1, 0, 1), mass=1)),
    "quaternion": lambda w: w.add(sl.Sphere(1), orientation=(2, 0, 0, 0)),
    "at: ": lambda w: w.add(sl.Sphere(1), at=(0, 0, np.nan)),
    "restitution": lambda w: w.add(sl.Sphere(1, surface=sl.Surface(restitution=2))),
    "surface: found float": lambda w: w.add(sl.Sphere(1, surface=0.3)),  # type: ignore[arg-type]
    "elastic": lambda w: w.add(sl.Sphere(1, surface=sl.Law(sl.Disk(1), elastic=(1, 1)))),
    "another body has the name": lambda w: [w.add(sl.Sphere(1, name="s"), (9, 9, k)) for k in range(2)],
    "normal": lambda w: w.add(sl.Plane(normal=(0, 0, 0))),
    "expected a Box": lambda w: w.add("box"),
    "there is no body": lambda w: w.joint("ball", "a", "b", point=(0, 0, 0)),
    "out of range; expected 1e12": lambda w: w.add(sl.Sphere(1, mass=1), (0, 0, 5), velocity=(0, 0, -7e307)),
    "frequency": lambda w: w.add(sl.Plane(motion=sl.Motion(amplitude=(1, 0, 0)))),
    "expected one of ball, hinge, fixed, slider": lambda w: w.joint("glue", "floor", "puck", point=(0, 0, 0)),
    "axis: a hinge needs one": lambda w: w.joint("hinge", "floor", "puck", point=(0, 0, 0)),
    "overlap by": lambda w: [w.add(sl.Sphere(0.1), (0, 0, -1)), sl.simulate(w, sl.Moreau(1e-3))],
    "moreau": lambda w: sl.simulate(w, sl.EventDriven()),
    "q: ": lambda w: sl.simulate(w, sl.Moreau(1e-3), q=[0, 0]),
}  # fmt: skip


@pytest.mark.parametrize("message", WRONG)
def test_wrong_input_says_what_to_do(message: str) -> None:
    world = box_on_plane(sl.isotropic(0.3), (1, 0, 0))
    with pytest.raises(sl.InvalidInput, match=message):
        WRONG[message](world)


def test_equal_laws_are_one_and_pairs_without_surfaces_are_refused() -> None:
    steel = sl.isotropic(0.1)

    def way(*pair: sl.Law | sl.RollingLaw | None) -> float:
        world = sl.World()
        world.add(sl.Plane(sl.RollingLaw(sl.Disk(0.5))))
        world.add(sl.Box(size=(0.2, 0.2, 0.02), mass=1, surface=steel, name="b"), at=(0, 0, 0.01), velocity=(1, 0, 0))
        if pair:
            world.pair(*pair)  # type: ignore[arg-type]
        return float(sl.simulate(world, sl.Moreau(1e-3), duration=0.3)["b.x"][-1])

    assert way() == pytest.approx(1 / (2 * 0.5 * G), abs=1e-3)
    assert way(sl.RollingLaw(sl.Disk(0.5)), sl.isotropic(0.1), None) == pytest.approx(0.3, abs=1e-6)
    with pytest.raises(sl.InvalidInput, match="pair: no body"):
        way(sl.RollingLaw(sl.Disk(0.51)), steel, None)
    with pytest.raises(sl.InvalidInput, match="out of range for these bodies"):
        way_with_large_torque()
    law = sl.RollingLaw(sl.Disk(0.3), drilling=(0.1, 0.2), rolling=sl.Ellipse(0.1, 0.2))
    again = pickle.loads(pickle.dumps(law))
    assert again == law and again.description == law.description and hash(again) == hash(law)
    assert sl.RollingLaw(sl.Disk(0.3), drilling=np.array(0.002)) == sl.RollingLaw(sl.Disk(0.3), drilling=0.002)
    for wrong in ({"drilling": 0.01, "pressure": "hertz"}, {"patch": 0.1, "coupling": "product"}, {"drilling": [1, 2, 3]}):
        with pytest.raises(sl.InvalidInput):
            sl.RollingLaw(sl.Disk(0.3), **wrong)  # type: ignore[arg-type]
    with pytest.raises(sl.InvalidInput, match="vibration"):
        sl.World().add(sl.Plane(motion=sl.Motion(frequency=-5, phase=1)))
    box = pickle.loads(pickle.dumps(sl.Box((1, 1, 1), fixed=True, surface=law)))
    sl.World().add(box, velocity=(0.0, 0.0, 0.0))


def way_with_large_torque() -> None:
    world = sl.World()
    world.add(sl.Sphere(0.1, surface=sl.RollingLaw(sl.Disk(0.3), drilling=1e12)))
    sl.simulate(world, sl.Moreau(1e-3))


def test_copies_of_worlds_are_worlds_of_their_own() -> None:
    world = box_on_plane(ELLIPSE, (1, 0, 0))
    world.add(sl.Sphere(0.05, mass=1, name="bob"), at=(0, 0.5, 1))
    world.joint("ball", "puck", "bob", point=(0, 0.5, 1))
    end = sl.simulate(world, sl.Moreau(1e-3), duration=0.1)["puck.x"]
    for again in (copy.copy(world), copy.deepcopy(world), pickle.loads(pickle.dumps(world))):
        np.testing.assert_array_equal(sl.simulate(again, sl.Moreau(1e-3), duration=0.1)["puck.x"], end)
        again.add(sl.Sphere(0.05, name="more"), at=(3, 0, 0.05))
        assert len(again.bodies) == len(world.bodies) + 1


def test_worlds_that_cannot_move_and_laws_that_are_none() -> None:
    with pytest.raises(sl.InvalidInput, match="free to move"):
        sl.simulate(sl.World(), sl.Moreau(1e-3))
    with pytest.raises(sl.InvalidInput, match="gravity"):
        sl.World(gravity=9.81)
    for wrong in ({}, {"rolling": -1.0}, {"drilling": 1.0, "patch": 0.1}, {"rolling": 1.0, "coupling": "glue"}):
        with pytest.raises(sl.InvalidInput):
            sl.RollingLaw(**wrong)
