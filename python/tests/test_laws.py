"""Sets and laws: closed forms, properties over random inputs, conversion of what numpy users give."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import slipset as sl

SHAPES = [
    sl.Disk(0.4),
    sl.Ellipse(0.5, 0.2, 0.4),
    sl.Superellipse(0.9, 0.6, 2.5, 0.3),
    sl.Rectangle(0.5, 0.3, -0.2),
    sl.Stadium(0.5, 0.3, 0.2, 0.1),
    sl.Polygon([[1, 0], [0, 1], [-1, 0], [0, -1]]),
    sl.PolarCurve(np.linspace(0, 2 * np.pi, 12, endpoint=False), 0.5 + 0.05 * np.cos(2 * np.linspace(0, 2 * np.pi, 12, endpoint=False))),
    sl.Wedge(0.3, 0.5, 0.2),
    sl.NormMix(0.5, 0.3, 0.7, 0.3, 0.1),
]


def bump(angle: float) -> tuple[float, float, float]:
    return 0.1 * np.cos(2 * angle), -0.2 * np.sin(2 * angle), -0.4 * np.cos(2 * angle)


def unit(angles: np.ndarray) -> np.ndarray:
    return np.stack([np.cos(angles), np.sin(angles)], axis=-1)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda s: s.name)
def test_support_is_the_largest_product_over_the_boundary(shape: sl.PlanarSet) -> None:
    if not shape.is_convex:
        pytest.skip("supports are of convex sets")
    directions = unit(np.linspace(0, 6, 17))
    products = directions @ shape.boundary(20000).T
    np.testing.assert_allclose(shape.support(directions), products.max(axis=1), rtol=1e-6)
    np.testing.assert_allclose(np.sum(shape.support_point(directions) * directions, axis=1), shape.support(directions))


@pytest.mark.parametrize("shape", SHAPES, ids=lambda s: s.name)
def test_boundary_has_gauge_one_and_area_is_that_of_the_polygon(shape: sl.PlanarSet) -> None:
    points = shape.boundary(20000)
    np.testing.assert_allclose(shape.gauge(points), 1, rtol=1e-12)
    x, y = points[:-1].T
    x1, y1 = points[1:].T
    assert np.sum(x * y1 - x1 * y) / 2 == pytest.approx(shape.area, rel=1e-5)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda s: s.name)
def test_copies_are_the_same_set(shape: sl.PlanarSet) -> None:
    points = unit(np.linspace(0, 6, 50))
    for other in (copy.copy(shape), copy.deepcopy(shape), pickle.loads(pickle.dumps(shape))):
        assert type(other) is type(shape)
        np.testing.assert_allclose(other.gauge(points), shape.gauge(points), rtol=1e-15)
    assert pickle.loads(pickle.dumps(shape)) == shape or shape.name == "polar"
    assert shape != sl.Disk(7)
    np.testing.assert_allclose(shape.turned(0.3).radius(0.5), shape.radius(0.2), rtol=1e-12)
    np.testing.assert_allclose(shape.scaled(2).radius(0.5), 2 * shape.radius(0.5), rtol=1e-12)


def test_projection_is_the_closest_point() -> None:
    shape, rng = sl.Superellipse(0.9, 0.4, 3, 0.5), np.random.default_rng(1)
    points = rng.normal(size=(40, 2))
    boundary = shape.boundary(50000)
    for point, projected in zip(points, shape.project(points)):
        inside = shape.contains(point)
        closest = 0 if inside else np.min(np.linalg.norm(boundary - point, axis=1))
        assert np.linalg.norm(projected - point) == pytest.approx(closest, rel=1e-6, abs=1e-12)


def test_a_set_of_ones_own_is_the_curve_it_is_given_by() -> None:
    mine = sl.UserSet(bump, "a bump")
    angles = np.linspace(0, 6, 30)
    np.testing.assert_allclose(mine.radius(angles), np.exp(0.1 * np.cos(2 * angles)), rtol=1e-12)
    law = sl.Law(mine, sl.Disk(1))
    np.testing.assert_allclose(law.slip_resistance(unit(angles)), mine.radius(angles)[:, None] * unit(angles), rtol=1e-9)
    assert law.slip_resistance(unit(np.linspace(0, 6, 5000))).shape == (5000, 2)  # many: with the interpreter
    assert pickle.loads(pickle.dumps(mine)).radius(0.3) == mine.radius(0.3)


def test_an_exception_of_a_set_of_ones_own_comes_through() -> None:
    def broken(angle: float) -> tuple[float, float, float]:
        raise RuntimeError("no such boundary")

    with pytest.raises(RuntimeError, match="no such boundary"):
        sl.UserSet(broken)


def test_ellipses_have_the_resistance_of_their_formula() -> None:
    a, b, p, q = 0.6, 0.3, 2.0, 1.0
    law = sl.Law(sl.Ellipse(a, b), sl.Ellipse(p, q))
    v = np.random.default_rng(2).normal(size=(3, 5, 2))
    z = v * [p * p, q * q]
    expected = z / np.sqrt((z[..., 0] / a) ** 2 + (z[..., 1] / b) ** 2)[..., None]
    np.testing.assert_allclose(law.slip_resistance(v), expected, rtol=1e-13)
    jacobian = law.slip_jacobian(v)
    h = 1e-6
    for j in range(2):
        step = np.zeros(2)
        step[j] = h
        central = (law.slip_resistance(v + step) - law.slip_resistance(v - step)) / (2 * h)
        np.testing.assert_allclose(jacobian[..., j], central, rtol=1e-6, atol=1e-7)


def test_arrays_of_every_kind_are_converted() -> None:
    law = sl.isotropic(0.5)
    expected = law.slip_resistance(np.array([[3.0, 4.0], [1.0, 0.0]]))
    np.testing.assert_allclose(expected, [[0.3, 0.4], [0.5, 0.0]])
    wide = np.array([[3.0, 9.0, 4.0], [1.0, 9.0, 0.0]])
    read_only = np.array([[3.0, 4.0], [1.0, 0.0]])
    read_only.flags.writeable = False
    for given in ([[3, 4], [1, 0]], np.array([[3, 4], [1, 0]]), np.array([[3, 4], [1, 0]], dtype=np.float32),
                  wide[:, ::2], np.asfortranarray([[3.0, 4.0], [1.0, 0.0]]), read_only):
        np.testing.assert_array_equal(law.slip_resistance(given), expected)
    assert law.slip_resistance(np.zeros((0, 2))).shape == (0, 2)
    assert law.slip_resistance([3, 4]).shape == (2,)


@pytest.mark.parametrize("given", [
    [1.0, 2.0, 3.0], 5.0, [["a", "b"]], [[1.0, 2.0], [3.0]], np.array([[object(), 1]]), [np.nan, 0.0], [np.inf, 0.0],
    [1j, 0], np.datetime64(1, "s"), "ab", {}, np.zeros((2, 3)),
], ids=str)
def test_wrong_arrays_are_refused_in_words(given: object) -> None:
    with pytest.raises(sl.InvalidInput, match="velocities: "):
        sl.isotropic(0.5).slip_resistance(given)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda s: s.name)
def test_resistance_over_the_numbers_of_every_shape(shape: sl.PlanarSet) -> None:
    round_ = sl.Ellipse(1.3, 0.9, 0.2)
    smooth = shape.is_convex and shape.name not in ("rectangle", "polygon", "stadium")
    laws = [sl.Law(shape, round_)] + ([sl.Law(sl.Ellipse(0.6, 0.5, 0.3), shape)] if smooth else [])
    for law in laws:
        values = np.array(list(law.parameters().values()))
        for angle in (0.37, 1.9, 4.4):
            v = np.array([np.cos(angle), np.sin(angle)])
            found = law.resistance_by_parameters(v)
            for i in range(len(values)):
                step = np.zeros(len(values))
                step[i] = 1e-6
                more, less = (law.with_parameters(values + sign * step).slip_resistance(v) for sign in (1, -1))
                np.testing.assert_allclose(found[:, i], (more - less) / 2e-6, atol=2e-8, err_msg=list(law.parameters())[i])


def test_points_whose_squares_are_no_numbers_are_refused() -> None:
    for shape in SHAPES:
        with pytest.raises(sl.InvalidInput, match="1e150"):
            shape.gauge([1e300, 1.0])


def test_nothing_is_a_type_error() -> None:
    with pytest.raises(TypeError):
        sl.isotropic(0.5).slip_resistance(None)
    with pytest.raises(TypeError):
        sl.Ellipse("a", 1)  # type: ignore[arg-type]


def test_laws_keep_their_bits_through_pickle() -> None:
    law = sl.Law(sl.Superellipse(0.5, 0.2, 2.5, 0.4), sl.Ellipse(2, 1, 0.1), sl.Stribeck(1.4, 0.1, 0.01), (1e5, 2e5, 0.3))
    v = np.random.default_rng(3).normal(size=(100, 2))
    for other in (copy.deepcopy(law), pickle.loads(pickle.dumps(law))):
        np.testing.assert_array_equal(other.slip_resistance(v), law.slip_resistance(v))
        assert other == law and other.elastic == law.elastic and hash(other) == hash(law)
    assert repr(sl.isotropic(0.5)) == "Law(Disk(0.5,), Disk(0.5,))"


def test_properties_give_reasons() -> None:
    law = sl.Law(sl.Ellipse(0.6, 0.2, np.radians(30)), sl.Ellipse(3, 1))
    properties = law.properties()
    assert properties.can_destabilise.value and not properties.associated.value and properties.monotone.why
    (start, end), *_ = law.destabilising()
    inside = (start + end) / 2
    # [WL19 Theorem 2]: s turned by the slip is into the tangent cone of C.
    slip = unit(np.array(inside))
    assert law.reservoir.gauge_gradient(law.slip_resistance(slip)) @ slip < 0
    assert sl.isotropic(0.3).destabilising() == []


def test_the_coefficient_at_thirty_degrees() -> None:
    law = sl.associated(sl.Ellipse(0.4, 0.2))
    angle = np.radians(30)
    s = law.slip_resistance(unit(np.array(angle)))
    along = np.hypot(0.4 * np.cos(angle), 0.2 * np.sin(angle))
    assert s @ unit(np.array(angle)) == pytest.approx(along, rel=1e-14)
    assert law.dissipation(unit(np.array(angle))) == pytest.approx(along, rel=1e-14)


def test_quinns_law_holds_what_it_can() -> None:
    law = sl.RegularizedLaw(sl.isotropic(0.5), "quinn", 1e-3)
    np.testing.assert_allclose(law.resistance([0.0, 0.0], [0.3, 0.1]), [0.3, 0.1])
    np.testing.assert_allclose(law.resistance([0.0, 0.0], [3.0, 4.0]), [0.3, 0.4])
    np.testing.assert_allclose(law.resistance([1.0, 0.0], [-0.3, 0.1]), [0.5, 0.0], atol=1e-15)
    with pytest.raises(sl.InvalidInput, match="quinn"):
        sl.RegularizedLaw(sl.isotropic(0.5), "quin")


@pytest.mark.parametrize("make", [
    lambda: sl.Ellipse(-1, 2), lambda: sl.Disk(0), lambda: sl.Disk(float("nan")), lambda: sl.Superellipse(1, 1, 0),
    lambda: sl.Polygon([[1, 0], [0, 1]]), lambda: sl.PolarCurve([0, 1, 2], [1, 1, 1]),
    lambda: sl.Law(sl.Disk(1), sl.Superellipse(1, 1, 0.5)), lambda: sl.Stribeck(1.2, -1), lambda: sl.LuGre(-1),
    lambda: sl.UserSet(3), lambda: sl.Law(sl.Disk(1), elastic=[1.0]), lambda: sl.PolarCurve([0, 1], [1, 1, 1]),
])
def test_wrong_shapes_are_value_errors(make: object) -> None:
    with pytest.raises(ValueError) as error:
        make()  # type: ignore[operator]
    assert isinstance(error.value, sl.InvalidInput)
