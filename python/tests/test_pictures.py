"""Pictures show the numbers of their results; animations end where the motion does."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import slipset as sl

pytest.importorskip("matplotlib")
LAW = sl.Law(sl.Ellipse(3, 1, angle=np.radians(30)), sl.Ellipse(3, 1))
BELT: dict[str, Any] = {
    "law": LAW,
    "system": {"kind": "mass-on-belt", "mass": 1, "stiffness": 1, "normal_force": 10, "belt": {"speed": 1, "angle": 50}},
}


def lines_of(ax: Any) -> list[np.ndarray]:
    return [np.asarray(line.get_xydata()) for line in ax.lines]


def test_a_map_has_the_growth_of_each_of_its_points() -> None:
    second = ("law.reservoir.angle", 0.0, 60.0, 3)
    result = sl.sweep(BELT, "system.belt.angle", 0, 90, 5, second=second)
    assert isinstance(result, sl.Stability)
    first, turns, growth = result.growth_map
    np.testing.assert_array_equal(first, [0, 22.5, 45, 67.5, 90])
    np.testing.assert_array_equal(turns, [0, 30, 60])
    for j, turn in enumerate(turns):
        for i, angle in enumerate(first):
            alone = sl.stability(BELT, {"system.belt.angle": angle, "law.reservoir.angle": turn})
            assert isinstance(alone, sl.Stability)
            assert growth[j, i] == alone.eigenvalues.real.max()
    ax = result.plot()
    (mesh, *_) = ax.collections
    np.testing.assert_array_equal(np.asarray(mesh.get_array()).reshape(growth.shape), growth)
    assert ax.get_xlabel() == "system.belt.angle [degrees]"
    frame = result.to_dataframe()
    assert list(frame["growth"]) == growth.ravel().tolist()


def test_a_sweep_shows_every_mode_and_each_critical_value() -> None:
    result = sl.sweep(BELT, "system.belt.angle", 0, 90, 31)
    assert isinstance(result, sl.Stability)
    drawn = lines_of(result.plot())
    for mode in range(result.growth.shape[1]):
        assert any(len(line) == 31 and np.array_equal(line[:, 1], result.growth[:, mode]) for line in drawn)
    for critical in result["critical"]:
        assert any(np.all(line[:, 0] == critical["value"]) for line in drawn)


def test_a_cycle_is_drawn_whole() -> None:
    result = sl.cycle(sl.MassOnBelt(LAW, normal_force=10, speed=1, angle=np.radians(50)))
    table = result.table("cycle.csv")
    slip, stick = lines_of(result.plot())
    np.testing.assert_array_equal(slip, np.stack([table["x"], table["y"]], axis=-1))
    np.testing.assert_array_equal(stick, slip[[-1, 0]])
    assert np.hypot(*(stick[1] - stick[0])) == pytest.approx(result["stick_time"], rel=1e-3)  # at the belt's 1 m/s
    with pytest.raises(sl.InvalidInput, match="maximum"):
        result.plot("colour")


def test_an_animation_goes_from_the_first_to_the_last_row(tmp_path: Path) -> None:
    from PIL import Image

    run = sl.simulate(sl.SlidingBody(sl.isotropic(0.5)), sl.Moreau(1e-3), u=[2.0, 0.5], duration=0.4)
    animation = run.animate(fps=10, seconds=1)
    assert animation.times[0] == 0 and animation.times[-1] == pytest.approx(0.4, abs=1e-12)
    points = [line for line in lines_of(animation.draw(-1)) if len(line) == 1]
    np.testing.assert_allclose(points[-1][0], [run["x"][-1], run["y"][-1]], atol=1e-12)
    assert animation.ax.get_title() == "t = 0.40 s"
    with Image.open(animation.save(tmp_path / "run.gif")) as picture:
        assert getattr(picture, "n_frames") == len(animation.times) == 11
        assert picture.info["duration"] == 100
    page = animation.save(tmp_path / "run.html").read_text()
    assert page.count("iVBOR") == 11 and "http" not in page  # pictures within, nothing from elsewhere
    for wrong in ({"fps": 0}, {"seconds": -1}, {"fps": float("nan")}, {"fps": "ten"}):
        with pytest.raises(sl.InvalidInput):
            run.animate(**wrong)  # type: ignore[arg-type]
    with pytest.raises(sl.InvalidInput, match=r"\.gif or \.html"):
        animation.save(tmp_path / "run.avi")
    with pytest.raises(sl.InvalidInput, match="animate it before"):
        pickle.loads(pickle.dumps(run)).animate()


def test_bodies_are_drawn_where_they_are() -> None:
    from slipset._animate import scene_of
    from slipset._scene import on_screen

    world = sl.World()
    world.add(sl.Plane(sl.isotropic(0.4)))
    world.add(sl.Box((0.2, 0.1, 0.05), mass=1, name="a"), at=(0, 0, 0.025), velocity=(1, 0, 0), spin=(0, 0, 3))
    world.add(sl.Sphere(0.05, mass=1, name="b"), at=(0, 0.5, 0.05))
    run = sl.simulate(world, sl.Moreau(1e-3), duration=0.3)
    scene = scene_of(run, np.array([0.0, 0.3]))
    end = np.array([run[f"a.{axis}"][-1] for axis in "xyz"])
    np.testing.assert_allclose(scene.place[1][1], end, atol=1e-14)
    # The floor is no solid; the corners of the box's faces are where its orientation puts them.
    w, z = run["a.qw"][-1], run["a.qz"][-1]
    turn = 2 * np.arctan2(z, w)
    half = np.array([0.1, 0.05, 0.025])
    corner = end + half * [0, 0, 1] + np.array([np.cos(turn) * 0.1 - np.sin(turn) * 0.05, np.sin(turn) * 0.1 + np.cos(turn) * 0.05, 0])
    drawn = np.concatenate([polygon for polygon, _ in scene._polygons(1, 0)])
    assert np.abs(drawn - on_screen(corner)).sum(axis=1).min() < 1e-4
    assert scene.low[0] < drawn[:, 0].min() and drawn[:, 0].max() < scene.high[0]
    run.plot()
    assert "svg" in run._repr_svg_() and "img" in run.animate(fps=5, seconds=0.6)._repr_html_()


def test_what_there_is_no_picture_of_is_refused() -> None:
    run = sl.simulate(sl.SlidingBody(sl.isotropic(0.5)), sl.Moreau(1e-3), u=[1.0, 0.0], duration=0.1)
    with pytest.raises(sl.InvalidInput, match="expected path"):
        run.plot("colour")
    assert copy.copy(run).plot("time").get_xlabel() == "t [s]"
