"""Derivatives of runs, and a law learned from trajectories: closed forms, differences, and intervals that hold."""

from __future__ import annotations

import os

import numpy as np
import pytest

import slipset as sl

TRUTH = sl.Law(sl.Superellipse(0.5, 0.3, 2.8, angle=0.3), sl.Ellipse(1.0, 0.6, angle=-0.2))
NUMBERS = {
    "reservoir.a": 0.5,
    "reservoir.b": 0.3,
    "reservoir.exponent": 2.8,
    "reservoir.angle": 0.3,
    "direction.b/direction.a": 0.6,
    "direction.angle": -0.2,
}


# By the event-driven integrator, which shares neither steps nor derivatives with the fit.
def exact_paths():
    paths = []
    for angle in 2 * np.pi * np.arange(5) / 5 + 0.4:
        u = 1.5 * np.array([np.cos(angle), np.sin(angle)])
        run = sl.simulate(sl.SlidingBody(TRUTH), sl.EventDriven(row_step=5e-3), u=u, duration=0.45)
        paths.append((run.t.copy(), np.stack([run["x"], run["y"]], axis=-1)))
    return paths


def noisy(paths, seed, sigma=2e-4):
    random = np.random.default_rng(seed)
    return [(t, q + sigma * random.standard_normal(q.shape)) for t, q in paths]


def test_derivative_of_a_slide_to_rest():
    mu, g, v = 0.4, 9.81, 1.3
    run = sl.differentiate(sl.SlidingBody(sl.isotropic(mu)), sl.Moreau(1e-4), u=[v, 0], duration=0.5)
    last = np.zeros_like(run.q)
    last[-1, 0] = 1
    q, u, (numbers,) = run.reverse(q=last)
    assert q == pytest.approx([1, 0], abs=1e-12)
    assert u[0] == pytest.approx(v / (mu * g), rel=1e-3)
    assert numbers == pytest.approx([-(v**2) / (2 * mu**2 * g), 0], rel=1e-3, abs=1e-12)


def test_reverse_forward_and_jacobian_agree_for_a_system_in_python():
    law = sl.Law(sl.Ellipse(0.5, 0.3, angle=0.2), sl.Ellipse(2, 1))

    class Swing(sl.System):
        dofs = 2
        contacts = [sl.SystemContact(law)]

        def evaluate(self, t, q, u, at):
            at.mass[0, 0], at.mass[1, 1] = 1 + 0.2 * q[0] ** 2, 2
            at.force[:] = [-3 * np.sin(q[0]), -2 * q[1] - 0.1 * u[1]]
            at.contacts[0].normal_force = 2.0 + 0.5 * q[1]
            at.contacts[0].tangents[0, 0] = at.contacts[0].tangents[1, 1] = 1.0

    def states(q, u):
        run = sl.differentiate(Swing(), sl.Moreau(0.01), q=q, u=u, duration=1.0, every=10)
        return run, np.stack([run.q, run.u])

    q0, u0 = np.array([0.8, -0.3]), np.array([0.1, 0.6])
    run, _ = states(q0, u0)
    assert run.parameters == [list(law.parameters())]
    random = np.random.default_rng(3)
    dq, du, numbers = random.standard_normal(2), random.standard_normal(2), random.standard_normal(6)
    found = np.stack(run.forward(q=dq, u=du))
    h = 1e-5
    expected = (states(q0 + h * dq, u0 + h * du)[1] - states(q0 - h * dq, u0 - h * du)[1]) / (2 * h)
    assert np.abs(found - expected).max() < 1e-7 * np.abs(expected).max()
    of_q, of_u = run.jacobian()
    with_law = run.forward(q=dq, u=du, laws=[numbers])
    assert of_q @ np.concatenate([dq, du, numbers]) == pytest.approx(with_law[0], rel=1e-10, abs=1e-12)
    by_q, by_u = random.standard_normal(run.q.shape), random.standard_normal(run.u.shape)
    g_q, g_u, (g_law,) = run.reverse(q=by_q, u=by_u)
    by_reverse = g_q @ dq + g_u @ du + g_law @ numbers
    assert by_reverse == pytest.approx(np.sum(by_q * with_law[0] + by_u * with_law[1]), rel=1e-9)


def test_what_has_no_derivative_is_refused():
    body = sl.SlidingBody(sl.two_sign(0.3, 0.2))
    with pytest.raises(sl.InvalidInput, match="step at t = 0 s"):
        sl.differentiate(body, sl.Moreau(1e-3), u=[1, 0], duration=0.01).jacobian()
    with pytest.raises(sl.InvalidInput, match="Moreau"):
        sl.differentiate(body, sl.RungeKutta4(), u=[1, 0])  # type: ignore[arg-type]
    run = sl.differentiate(sl.SlidingBody(TRUTH), u=[1, 0], duration=0.01)
    with pytest.raises(sl.InvalidInput, match="laws"):
        run.forward(laws=[[1.0, 2.0]])
    with pytest.raises(sl.InvalidInput, match="q"):
        run.reverse(q=np.zeros((2, 2)))


def test_exact_paths_give_the_law_back():
    guess = sl.Law(sl.Superellipse(0.4, 0.4, 2.2, angle=0.0), sl.Ellipse(1.0, 0.9, angle=0.05))
    found = sl.learn_law(guess, exact_paths(), integrator=sl.Moreau(1e-3))
    assert found.converged
    # What is left is the integrator's error of second order: a tenth of that without extrapolation.
    assert found.rms < 2e-5
    for name, value in NUMBERS.items():
        assert found.parameters[name].value == pytest.approx(value, abs=3e-3 if "exponent" in name else 3e-4), name


# 200 seeds: tools/check-all repetitions; here as many as take a few seconds.
def test_intervals_hold_the_truth_at_their_rate():
    seeds = int(os.environ.get("SLIPSET_REPETITIONS", "6"))
    paths = exact_paths()
    inside = dict.fromkeys(NUMBERS, 0)
    for seed in range(seeds):
        found = sl.learn_law(TRUTH, noisy(paths, seed), integrator=sl.Moreau(2e-3))
        assert found.converged
        assert abs(found.correlation) < 0.2
        for name, value in NUMBERS.items():
            inside[name] += found.parameters[name].low <= value <= found.parameters[name].high
    print({name: f"{count} of {seeds}" for name, count in inside.items()})
    # 95 %: below these a binomial count falls once in a thousand times, for each number; six of six seeds are no proof.
    spread = 3.1 * np.sqrt(seeds * 0.95 * 0.05) + 0.5
    assert all(count >= 0.95 * seeds - spread for count in inside.values()), inside
    if seeds >= 200:  # intervals that are too wide hold the truth always
        assert all(count < seeds for count in inside.values()), inside


def test_angles_are_those_next_to_the_first_guess():
    found = sl.learn_law(
        sl.Law(sl.Superellipse(0.4, 0.399, 2.2, angle=0.1), sl.Ellipse(1.0, 0.999, angle=0.1)), exact_paths(), integrator=sl.Moreau(2e-3)
    )
    assert found.converged and found.rms < 1e-4
    for name in ("reservoir.angle", "direction.angle"):
        # An ellipse turned by a right angle with its axes exchanged is the same one.
        assert abs(found.parameters[name].value - 0.1) <= np.pi / 2 + 1e-9
        assert found.law.parameters()[name] == found.parameters[name].value
    v = np.random.default_rng(2).normal(size=(50, 2))
    np.testing.assert_allclose(found.law.slip_resistance(v), TRUTH.slip_resistance(v), atol=3e-3)


def test_a_round_start_is_refused():
    with pytest.raises(sl.InvalidInput, match="reservoir.angle changes nothing"):
        sl.learn_law(sl.Law(sl.Ellipse(0.3, 0.3), sl.Ellipse(1, 1)), exact_paths(), integrator=sl.Moreau(5e-3))
    with pytest.raises(sl.InvalidInput, match="3 coordinates; the system has 2"):
        sl.learn_law(TRUTH, [(np.linspace(0, 1, 12), np.ones((12, 3)))], integrator=sl.Moreau(5e-3))


def test_wrong_trajectories_are_refused():
    t, q = np.linspace(0, 1, 10), np.zeros((10, 2))
    for bad, word in [
        ([], "none"),
        ([(t, q[:5])], "shape"),
        ([(t[::-1], q)], "increase"),
        ([(t, q * np.nan)], "finite"),
        ([(t, [["a", "b"]] * 10)], "numbers"),
    ]:
        with pytest.raises(sl.InvalidInput, match=word):
            sl.learn_law(TRUTH, bad)
    with pytest.raises(sl.InvalidInput, match="stribeck"):
        sl.learn_law(TRUTH.with_stribeck(sl.Stribeck(1.5, 0.1)), [(t, q)])
    with pytest.raises(sl.InvalidInput, match="pair of times"):
        sl.learn_law(TRUTH, [(t, q, q)])  # type: ignore[list-item]
    with pytest.raises(sl.InvalidInput, match=r"starts\[0\]: found a position of shape"):
        sl.learn_law(TRUTH, [(t, q)], starts=[([0, 0, 0], [1.0])])
    with pytest.raises(sl.InvalidInput, match="Moreau"):
        sl.learn_law(TRUTH, [(t, q)], integrator=sl.EventDriven())  # type: ignore[arg-type]
    with pytest.raises(sl.InvalidInput, match="has no 'reservoir.c'"):
        sl.learn_law(TRUTH, [(t, q)], fixed=["reservoir.c"])
    # One path along a line says little of six numbers.
    u = np.array([1.0, 0.0])
    line = (t, 0.1 * t[:, None] * u)
    with pytest.raises(sl.InvalidInput, match="determine|changes nothing"):
        sl.learn_law(sl.Law(sl.Ellipse(0.5, 0.3), sl.Disk(1)), [(t[:6], line[1][:6] * 0)], integrator=sl.Moreau(0.01))
