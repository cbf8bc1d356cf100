"""Systems and runs from Python: closed forms, twins in C++, and manners."""

from __future__ import annotations

import _thread
import copy
import pickle
import threading

import numpy as np
import pytest

import slipset as sl


class Puck(sl.System):
    """SlidingBody, written in Python."""

    dofs = 2
    coordinates = ("x", "y")
    constant_mass = True
    steady_surfaces = True

    def __init__(self, law: sl.Law, mass: float, normal_force: float) -> None:
        self.contacts = [sl.SystemContact(law)]
        self.mass, self.normal_force = mass, normal_force

    def evaluate(self, t, q, u, at):  # type: ignore[no-untyped-def]
        at.mass[0, 0] = at.mass[1, 1] = self.mass
        at.contacts[0].normal_force = self.normal_force
        at.contacts[0].tangents[0, 0] = at.contacts[0].tangents[1, 1] = 1


LAW = sl.Law(sl.Ellipse(0.5, 0.3, 0.4), sl.Ellipse(2, 1))


def test_a_system_in_python_has_the_bits_of_its_twin_in_cpp() -> None:
    options = {"duration": 0.5, "u": [1.0, 0.7]}
    mine = sl.simulate(Puck(LAW, 2.0, 9.0), sl.Moreau(1e-3), **options)
    twin = sl.simulate(sl.SlidingBody(LAW, mass=2.0, normal_force=9.0), sl.Moreau(1e-3), **options)
    assert mine.columns == twin.columns
    for name in mine.columns:
        np.testing.assert_array_equal(mine[name], twin[name])


def test_isotropic_sliding_stops_where_it_should() -> None:
    run = sl.simulate(sl.SlidingBody(sl.isotropic(0.4), mass=2, normal_force=20), sl.Moreau(1e-4), u=[3.0, 4.0],
                      duration=5, until_stick=True)
    assert run.report.status == "sticks" and run.succeeded
    assert np.hypot(run["x"][-1], run["y"][-1]) == pytest.approx(25 / (2 * 0.4 * 10), rel=1e-4)


def test_the_schemes_agree_and_moreau_is_of_first_order() -> None:
    system = sl.SlidingBody(LAW, mass=1, normal_force=10)
    exact = sl.simulate(system, sl.EventDriven(), u=[1.0, 0.5], duration=0.2)
    errors = []
    for step in (2e-3, 1e-3, 5e-4):
        run = sl.simulate(system, sl.Moreau(step), u=[1.0, 0.5], duration=0.2)
        errors.append(np.hypot(run["x"][-1] - exact["x"][-1], run["y"][-1] - exact["y"][-1]))
    assert errors[2] < 1e-4 and errors[0] / errors[2] == pytest.approx(4, rel=0.1)
    quinn = sl.simulate(system, sl.Adaptive(friction=sl.Regularized("quinn", 1e-4)), u=[1.0, 0.5], duration=0.1)
    at = sl.simulate(system, sl.EventDriven(), u=[1.0, 0.5], duration=0.1)
    assert quinn["x"][-1] == pytest.approx(at["x"][-1], abs=1e-6)


def test_a_block_on_a_spring_loses_the_same_in_every_half_swing() -> None:
    m, k, limit = 2.0, 8.0, 0.3
    system = sl.LinearSystem(np.diag([m, m]), stiffness=np.diag([k, k]),
                             contacts=[{"law": sl.isotropic(0.1), "tangents": np.eye(2), "normal_force": 3.0}])
    half = np.pi / np.sqrt(k / m)
    for swings in (1, 2, 3):
        run = sl.simulate(system, sl.Moreau(1e-4), q=[1.0, 0.0], duration=swings * half)
        assert run["q1"][-1] == pytest.approx((-1) ** swings * (1 - 2 * swings * limit / k), abs=1e-5)


def test_columns_are_views_and_tables_are_dataframes() -> None:
    run = sl.simulate(sl.SlidingBody(LAW), sl.Moreau(1e-3), u=[1.0, 0.0], duration=0.05)
    assert run["x"].base is not None and not run["x"].flags.writeable
    x = run["x"]
    frame = run.to_dataframe()
    assert list(frame.columns) == run.columns and len(frame) == len(run.t)
    del run
    np.testing.assert_array_equal(frame["x"], x)


@pytest.mark.parametrize("system", [sl.SpringSlider(), sl.ForcedOscillator(amplitude=2.0),
                                    sl.LinearSystem([[1.0]], stiffness=[[1.0]])], ids=lambda s: type(s).__name__)
def test_systems_along_a_line_and_without_contacts_run(system: sl.System) -> None:
    run = sl.simulate(system, sl.Moreau(1e-3), duration=0.1)
    assert run.succeeded and len(run.t) == 101


def test_a_motion_beyond_the_range_of_numbers_says_so() -> None:
    assert sl.simulate(sl.SlidingBody(LAW), u=[1e155, 1e155], duration=0.01).report.status == "left-range"


def test_arrays_that_evaluate_kept_stay_theirs_and_can_be_replaced() -> None:
    kept = []

    class Keeps(Puck):
        def evaluate(self, t, q, u, at):  # type: ignore[no-untyped-def]
            kept.append((q, at.mass))
            at.mass = self.mass * np.eye(2)
            at.contacts[0].tangents = np.eye(2)
            at.contacts[0].normal_force = np.float32(self.normal_force)

    options = {"duration": 0.1, "u": [1.0, 0.7]}
    mine = sl.simulate(Keeps(LAW, 2.0, 9.0), sl.Moreau(1e-3), **options)
    twin = sl.simulate(sl.SlidingBody(LAW, mass=2.0, normal_force=9.0), sl.Moreau(1e-3), **options)
    np.testing.assert_array_equal(mine["x"], twin["x"])
    assert kept[0][0][0] == 0 and kept[-1][0][0] > 0.05  # each call has an array of its own

    class Typo(Puck):
        def evaluate(self, t, q, u, at):  # type: ignore[no-untyped-def]
            at.forces = np.zeros(2)

    with pytest.raises(AttributeError, match="forces"):
        sl.simulate(Typo(LAW, 1, 1))

    class Pulls(Puck):
        def evaluate(self, t, q, u, at):  # type: ignore[no-untyped-def]
            super().evaluate(t, q, u, at)
            at.contacts[0].normal_force = 1 - 20 * t

    with pytest.raises(sl.InvalidInput, match="unilateral"):
        sl.simulate(Pulls(LAW, 1, 1), sl.RungeKutta4(1e-3, sl.Regularized()), u=[1.0, 0.0])


def test_ctrl_c_in_a_system_in_python_keeps_its_rows_too() -> None:
    threading.Timer(0.3, _thread.interrupt_main).start()
    with pytest.warns(RuntimeWarning, match="stopped"):
        run = sl.simulate(Puck(LAW, 1, 1), sl.Moreau(1e-6), u=[1.0, 0.0], duration=1e3, every=1000)
    assert run.stopped and run.t[-1] > 0


def test_runs_go_through_pickle_and_copy() -> None:
    run = sl.simulate(sl.SlidingBody(LAW), sl.Moreau(1e-3), u=[1.0, 0.0], duration=0.05)
    for other in (pickle.loads(pickle.dumps(run)), copy.deepcopy(run)):
        assert type(other) is sl.Run and other.text == run.text and other.succeeded
        np.testing.assert_array_equal(other["x"], run["x"])
        assert other.report.status == run.report.status


def test_an_exception_in_evaluate_comes_through() -> None:
    class Broken(Puck):
        def evaluate(self, t, q, u, at):  # type: ignore[no-untyped-def]
            if t > 0.01:
                raise RuntimeError("the spring broke")
            super().evaluate(t, q, u, at)

    with pytest.raises(RuntimeError, match="the spring broke"):
        sl.simulate(Broken(LAW, 1, 1), sl.Moreau(1e-3), u=[1.0, 0.0])


def test_what_evaluate_leaves_out_is_refused() -> None:
    class NaN(Puck):
        def evaluate(self, t, q, u, at):  # type: ignore[no-untyped-def]
            at.mass[:] = np.nan

    with pytest.raises(sl.InvalidInput, match="mass"):
        sl.simulate(NaN(LAW, 1, 1), sl.Moreau(1e-3))


def test_progress_is_told_and_its_exceptions_come_through() -> None:
    seen: list[float] = []
    sl.simulate(Puck(LAW, 1, 1), sl.Moreau(1e-5), u=[1.0, 0.0], duration=0.3, every=100,
                progress=lambda done, all_, unit: seen.append(done / all_))
    assert seen and seen == sorted(seen) and seen[-1] <= 1

    def broken(done: float, all_: float, unit: str) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        sl.simulate(Puck(LAW, 1, 1), sl.Moreau(1e-5), u=[1.0, 0.0], duration=1e3, every=100, progress=broken)


def test_ctrl_c_ends_a_run_and_keeps_its_rows() -> None:
    threading.Timer(0.3, _thread.interrupt_main).start()
    with pytest.warns(RuntimeWarning, match="stopped"):
        run = sl.simulate(sl.SlidingBody(LAW), sl.Moreau(1e-6), u=[1.0, 0.0], duration=1e3, every=1000)
    assert run.stopped and 0 < run.t[-1] < 1e3 and run.report.status == "stopped"


@pytest.mark.parametrize("call", [
    lambda: sl.simulate(sl.SlidingBody(LAW), sl.Moreau(-1)),
    lambda: sl.simulate(sl.SlidingBody(LAW), sl.Moreau(1e-3), u=[1.0]),
    lambda: sl.simulate(sl.SlidingBody(LAW), sl.Moreau(1e-3), u=[np.nan, 0]),
    lambda: sl.simulate(sl.SlidingBody(LAW), sl.Moreau(1e-3), duration=-1),
    lambda: sl.simulate(sl.SlidingBody(LAW), sl.Moreau(1e-3, method="magic")),
    lambda: sl.simulate(sl.SlidingBody(LAW), sl.RungeKutta4(1e-3)),
    lambda: sl.simulate(sl.SlidingBody(LAW), sl.Adaptive("bfd", friction=sl.Regularized())),
    lambda: sl.simulate(LAW),  # type: ignore[arg-type]
    lambda: sl.simulate(sl.SlidingBody(LAW, mass=-1)),
    lambda: sl.simulate(sl.MassOnBelt(LAW, stiffness=[1.0, 2.0])),
    lambda: sl.simulate(sl.LinearSystem([[1.0, 2.0], [0.0, 1.0]])),
    lambda: sl.simulate(sl.LinearSystem([[1.0]], contacts=[{"law": LAW}])),
    lambda: sl.simulate(sl.LinearSystem(np.eye(2), contacts=[{"law": LAW, "tangents": np.eye(2), "mu": 1}])),
    lambda: sl.simulate(sl.SlidingBody(LAW), threads=-2),
    lambda: sl.simulate(sl.SlidingBody(LAW), threads="1"),
    lambda: sl.simulate(sl.SlidingBody(LAW), sl.Moreau("a")),
    lambda: sl.simulate(sl.SlidingBody(LAW), sl.Moreau(1e-3, max_iterations=1.5)),
    lambda: sl.simulate(sl.SlidingBody(LAW), 1e-3),
    lambda: sl.simulate(sl.SlidingBody(LAW), sl.RungeKutta4(1e-3, "quinn")),
    lambda: sl.simulate(sl.SlidingBody(LAW), progress=3),
    lambda: sl.LinearSystem(np.eye(2), contacts=[[]]),
    lambda: sl.FrictionForce(LAW, [1.0, 2.0]),
    lambda: sl.simulate(sl.SlidingBody(LAW), cycle=float("inf")),
    lambda: sl.simulate(sl.LinearSystem(np.eye(2), contacts=[{"law": LAW, "tangents": np.eye(2), "normal_force": 1.0,
                                                              "restitution": 0.5}])),
])
def test_wrong_calls_are_value_errors(call: object) -> None:
    with pytest.raises(sl.InvalidInput):
        call()  # type: ignore[operator]


def test_pictures_draw_what_they_say() -> None:
    import matplotlib.pyplot

    matplotlib.use("Agg")
    run = sl.simulate(sl.MassOnBelt(LAW, angle=0.8), sl.Moreau(1e-2), duration=5)
    for what in ("path", "force", "time", "energy"):
        assert run.plot(what).lines
    np.testing.assert_array_equal(run.plot("path").lines[0].get_xdata(), run["x"])
    for what in ("sets", "coefficient", "deflection"):
        assert LAW.plot(what).lines
    assert LAW._repr_svg_().startswith("<?xml") and "<svg" in run._repr_svg_()
    with pytest.raises(sl.InvalidInput, match="expected path"):
        run.plot("colour")
    matplotlib.pyplot.close("all")
