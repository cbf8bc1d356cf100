"""Elastic interfaces for arrays: against closed forms, a search, differences; where there is no tangent; refusals."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

import slipset as sl

TWO_ELLIPSES = sl.Law(sl.Ellipse(0.9, 0.5, 0.5), sl.Ellipse(1.3, 1.0, 0.3))
B = np.array([[800.0, 200.0], [200.0, 500.0]])


def radial_return(trial: np.ndarray, limit: np.ndarray) -> np.ndarray:
    """Of a disk, with the same stiffness in all directions."""
    size = np.hypot(trial[..., 0], trial[..., 1])
    limit = np.maximum(limit, 0)
    return trial * np.where(size > limit, limit / np.maximum(size, 1e-300), 1.0)[..., None]


def test_a_path_of_a_disk_is_the_radial_return() -> None:
    rng = np.random.default_rng(1)
    mu, k, points = 0.6, 300.0, (40, 30)
    interface = sl.ElasticInterface(sl.isotropic(mu), k * np.eye(2))
    force = expected = np.zeros((*points, 2))
    seen = set()
    for _ in range(20):
        step, normal = rng.normal(scale=0.01, size=(*points, 2)), rng.normal(4.0, 3.0, size=points)  # some without pressure
        after = interface.update(force, step, normal)
        trial = expected + k * step
        expected = radial_return(trial, mu * normal)
        np.testing.assert_allclose(after.force, expected, rtol=1e-13, atol=1e-13)
        np.testing.assert_allclose(after.slip, (trial - expected) / k, atol=1e-15)
        np.testing.assert_array_equal(after.slips, (np.linalg.norm(trial, axis=-1) > mu * normal) | (normal <= 0))
        assert (after.solutions == 1).all()
        # Its tangent is known, too: k μN/|trial| (I - nnᵀ) and μ n.
        tangent, size = after.tangent(), np.linalg.norm(trial, axis=-1)
        n = trial / size[..., None]
        slips = after.slips & (normal > 0)
        across = np.eye(2) - n[..., :, None] * n[..., None, :]
        closed = np.where(slips[..., None, None], (k * mu * normal / size)[..., None, None] * across, k * np.eye(2))
        closed[normal <= 0] = 0
        np.testing.assert_allclose(tangent.by_displacement, closed, rtol=1e-11, atol=1e-9)
        np.testing.assert_allclose(tangent.by_normal_force, np.where(slips[..., None], mu * n, 0), atol=1e-12)
        assert tangent.exists.all()
        seen |= {(bool(a), bool(b)) for a, b in zip(after.slips.ravel(), normal.ravel() > 0)}
        force = after.force
    assert seen == {(True, True), (False, True), (True, False)}


def test_an_associated_return_is_the_closest_point_in_the_metric_of_the_compliance() -> None:
    rng = np.random.default_rng(2)
    c = sl.Ellipse(0.9, 0.3, 0.5)
    interface, compliance = sl.ElasticInterface(sl.associated(c), B), np.linalg.inv(B)
    before, step, normal = rng.normal(size=(20, 2)), rng.normal(scale=0.05, size=(20, 2)), rng.uniform(1, 5, 20)
    after = interface.update(before, step, normal)
    assert after.slips.sum() > 10
    for t, trial, n in zip(after.force[after.slips], (before + step @ B)[after.slips], normal[after.slips]):

        def on_boundary(angle: float) -> np.ndarray:
            direction = np.array([np.cos(angle), np.sin(angle)])
            return n * direction / c.gauge(direction)  # type: ignore[no-any-return]

        def distance(angle: float) -> float:
            gap = on_boundary(angle) - trial
            return float(gap @ compliance @ gap)

        angles = np.linspace(0, 2 * np.pi, 400)
        best = angles[np.argmin([distance(a) for a in angles])]
        found = minimize_scalar(distance, bounds=(best - 0.02, best + 0.02), method="bounded", options={"xatol": 1e-12})
        np.testing.assert_allclose(t, on_boundary(found.x), atol=1e-5)


@pytest.mark.parametrize("law", [TWO_ELLIPSES, sl.Law(sl.Superellipse(0.8, 0.5, 3.0), sl.Ellipse(2, 1)),
                                 sl.associated(sl.Rectangle(0.6, 0.4, 0.3))])  # fmt: skip
def test_tangents_are_differences_of_the_update(law: sl.Law) -> None:
    rng = np.random.default_rng(3)
    interface = sl.ElasticInterface(law, B)
    before, step, normal = 0.5 * rng.normal(size=(60, 2)), rng.normal(scale=0.01, size=(60, 2)), rng.uniform(1, 5, 60)
    after = interface.update(before, step, normal)
    tangent = after.tangent()
    assert tangent.exists.all() and 10 < after.slips.sum() < 60
    h = 1e-8
    for j in range(2):
        e = h * np.eye(2)[j]
        difference = (interface.update(before, step + e, normal).force - interface.update(before, step - e, normal).force) / (2 * h)
        np.testing.assert_allclose(tangent.by_displacement[..., j], difference, atol=1e-5 * B[0, 0])
    difference = (interface.update(before, step, normal + h).force - interface.update(before, step, normal - h).force) / (2 * h)
    np.testing.assert_allclose(tangent.by_normal_force, difference, atol=1e-5)


def test_where_there_is_no_tangent_the_elastic_one_stands_and_is_marked() -> None:
    disk = sl.ElasticInterface(sl.isotropic(0.5), 100.0 * np.eye(2))
    # Inside; on the border from a trial there; on it after slip, at rest; slips; just touches; open.
    steps = [[0.04, 0.0], [0.05, 0.0], [0.0, 0.0], [0.09, 0.0], [0.01, 0.0], [0.01, 0.0]]
    before = [[0.0, 0.0], [0.0, 0.0], disk.update([0.0, 0.0], [0.3, 0.4], 10.0).force, [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]]
    tangent = disk.update(before, steps, [10.0, 10.0, 10.0, 10.0, 0.0, -1.0]).tangent()
    np.testing.assert_array_equal(tangent.exists, [True, False, False, True, False, True])
    np.testing.assert_array_equal(tangent.by_displacement[[0, 1, 2]], [100 * np.eye(2)] * 3)
    np.testing.assert_array_equal(tangent.by_displacement[4:], 0)
    np.testing.assert_array_equal(tangent.by_normal_force[[1, 2, 4, 5]], 0)
    # A corner of C that D does not have, met exactly: sides on either hand.
    square = sl.ElasticInterface(sl.Law(sl.Rectangle(0.5, 0.5), sl.Disk(1.0)), 100.0 * np.eye(2))
    corner = square.update([0.0, 0.0], [1.0, 1.0], 10.0)
    np.testing.assert_allclose(corner.force, [5, 5])
    assert corner.slips and not corner.tangent().exists
    np.testing.assert_array_equal(corner.tangent().by_displacement, 100 * np.eye(2))
    # A corner that holds the force has one: it moves with N alone.
    held = sl.ElasticInterface(sl.associated(sl.Rectangle(0.5, 0.5)), 100.0 * np.eye(2)).update([0.0, 0.0], [1.0, 0.7], 10.0)
    assert held.tangent().exists
    np.testing.assert_array_equal(held.tangent().by_displacement, 0)
    np.testing.assert_allclose(held.tangent().by_normal_force, [0.5, 0.5])


def test_arrays_of_any_shape_go_together() -> None:
    interface = sl.ElasticInterface(TWO_ELLIPSES, B)
    steps = np.random.default_rng(4).normal(scale=0.02, size=(30, 50, 2))  # enough to run without the interpreter
    after = interface.update([0.1, 0.2], steps, 2)
    assert after.force.shape == (30, 50, 2) and after.slips.shape == (30, 50) and after.slips.dtype == bool
    assert after.tangent().by_displacement.shape == (30, 50, 2, 2)
    one = interface.update([0.1, 0.2], steps[3, 4], 2.0)
    assert one.force.shape == (2,) and one.slips.shape == ()
    np.testing.assert_array_equal(one.force, after.force[3, 4])
    np.testing.assert_array_equal(one.tangent().by_displacement, after.tangent().by_displacement[3, 4])
    columns = interface.update(np.zeros((30, 1, 2)), steps, np.linspace(1, 3, 50))
    np.testing.assert_array_equal(columns.force[7, 9], interface.update([0, 0], steps[7, 9], np.linspace(1, 3, 50)[9]).force)
    assert interface.update(np.zeros((0, 2)), np.zeros((0, 2)), []).tangent().exists.shape == (0,)


def test_a_set_of_ones_own_in_python() -> None:
    own = sl.associated(sl.UserSet(lambda angle: (np.log(0.5), 0.0, 0.0)))
    steps = np.random.default_rng(5).normal(scale=0.1, size=(1200, 2))
    got = sl.ElasticInterface(own, 100.0 * np.eye(2)).update([0.0, 0.0], steps, 10.0).force
    np.testing.assert_allclose(got, radial_return(100 * steps, np.full(1200, 5.0)), atol=1e-6)


def test_an_interface_keeps_what_it_was_made_from() -> None:
    interface = sl.ElasticInterface(TWO_ELLIPSES, B)
    copy = pickle.loads(pickle.dumps(interface))
    np.testing.assert_array_equal(copy.update([0, 0], [0.1, 0.3], 2).force, interface.update([0, 0], [0.1, 0.3], 2).force)
    assert copy.law == TWO_ELLIPSES and "ElasticInterface(Law(" in repr(interface)
    np.testing.assert_array_equal(interface.stiffness, B)
    # That of the law, by principal stiffnesses and angle.
    values, vectors = np.linalg.eigh(B)
    law = sl.Law(TWO_ELLIPSES.reservoir, TWO_ELLIPSES.direction, elastic=(*values, np.arctan2(vectors[1, 0], vectors[0, 0])))
    np.testing.assert_allclose(sl.ElasticInterface(law).update([0, 0], [0.1, 0.3], 2).force,
                               interface.update([0, 0], [0.1, 0.3], 2).force, rtol=1e-12)  # fmt: skip


@pytest.mark.parametrize(("arguments", "message"), [
    (([0.0, 0.0], [0.0, 0.0, 0.0], 1.0), "displacement: found shape (3,); expected shape (..., 2)"),
    ((0.0, [0.0, 0.0], 1.0), "before: found one number"),
    ((np.zeros((3, 2)), np.zeros((4, 2)), 1.0), "found shapes (3, 2), (4, 2), (); expected"),
    ((np.zeros((3, 2)), np.zeros((3, 2)), np.ones((3, 2))), "found shapes (3, 2), (3, 2), (3, 2)"),
    (([0.0, np.nan], [0.0, 0.0], 1.0), "before: number 1 is nan"),
    (([0.0, 0.0], [0.0, 0.0], np.inf), "normal_force: number 0 is inf"),
    (([0.0, 0.0], ["a", "b"], 1.0), "displacement: found an array of str"),
    (([0.0, 0.0], [0.0, 0.0], None), "normal_force: found an array of object"),
    (([0.0, 0.0], [[0.0], [0.0, 1.0]], 1.0), "displacement: found something that is no array"),
    (([0.0, 0.0], [1e308, 0.0], 1.0), "not a finite number"),
])  # fmt: skip
def test_wrong_increments_are_refused(arguments: tuple[Any, Any, Any], message: str) -> None:
    with pytest.raises(sl.InvalidInput) as refusal:
        sl.ElasticInterface(TWO_ELLIPSES, B).update(*arguments)
    assert message in str(refusal.value)


@pytest.mark.parametrize(("law", "stiffness", "message"), [
    (TWO_ELLIPSES, None, "the law is rigid"),
    (TWO_ELLIPSES, [1.0, 2.0], "stiffness: found shape (2,)"),
    (TWO_ELLIPSES, [[1.0, 0.5], [0.4, 2.0]], "expected a symmetric matrix"),
    (TWO_ELLIPSES, [[1.0, 2.0], [2.0, 1.0]], "expected positive ones"),
    (TWO_ELLIPSES, [[1.0, 0.0], [0.0, 0.0]], "expected positive ones"),
    (TWO_ELLIPSES, [[1.0, np.nan], [0.0, 1.0]], "stiffness: number 1 is nan"),
    (TWO_ELLIPSES.with_stribeck(sl.Stribeck(1.2, 0.1)), B, "without stribeck"),
])  # fmt: skip
def test_wrong_interfaces_are_refused(law: sl.Law, stiffness: Any, message: str) -> None:
    with pytest.raises(sl.InvalidInput) as refusal:
        sl.ElasticInterface(law, stiffness)
    assert message in str(refusal.value)
