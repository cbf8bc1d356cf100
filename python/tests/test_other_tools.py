"""slipset inside SciPy's integrators, PyTorch and JAX."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import slipset as sl

LAW = sl.Law(sl.Ellipse(0.5, 0.3, 0.4), sl.Ellipse(2, 1))


def test_quinns_law_holds_a_block_on_a_slope_without_creep() -> None:
    friction = sl.FrictionForce(LAW, normal_force=10.0, epsilon=1e-3)
    load = np.array([1.5, -1.0])  # inside the reservoir
    assert LAW.reservoir.gauge(load / 10) < 1

    def rate(t: float, y: np.ndarray) -> np.ndarray:
        return np.concatenate([y[2:], (load + friction(y[2:], load)) / 2.0])

    held = solve_ivp(rate, (0, 100), np.zeros(4), rtol=1e-8, atol=1e-12)
    np.testing.assert_array_equal(held.y[:2, -1], 0)
    # The same with a law that is a ramp alone creeps at v = ε load/limit.
    creeping = sl.FrictionForce(LAW, 10.0, "martins-oden", 1e-3)
    crept = solve_ivp(lambda t, y: np.concatenate([y[2:], (load + creeping(y[2:], load)) / 2.0]), (0, 1), np.zeros(4),
                      method="BDF", rtol=1e-8, atol=1e-12)
    assert np.hypot(*crept.y[:2, -1]) > 1e-4


def test_a_block_on_a_spring_in_solve_ivp_is_that_of_the_event_driven_run() -> None:
    k, m, n = 50.0, 1.0, 10.0
    friction = sl.FrictionForce(LAW, n, epsilon=1e-5)

    def rate(t: float, y: np.ndarray) -> np.ndarray:
        spring = -k * y[:2]
        return np.concatenate([y[2:], (spring + friction(y[2:], spring)) / m])

    mine = solve_ivp(rate, (0, 0.3), [0.5, 0.2, 0, 0], method="LSODA", rtol=1e-9, atol=1e-11,
                     events=friction.events(lambda t, y: y[2:]))
    system = sl.LinearSystem(np.eye(2), stiffness=k * np.eye(2),
                             contacts=[{"law": LAW, "tangents": np.eye(2), "normal_force": n}])
    reference = sl.simulate(system, sl.EventDriven(), q=[0.5, 0.2], duration=0.3)
    np.testing.assert_allclose(mine.y[:2, -1], [reference["q1"][-1], reference["q2"][-1]], atol=2e-5)
    assert len(mine.t_events[0]) >= 1  # it left the ramp
    assert pickle.loads(pickle.dumps(friction))([1.0, 0.0])[0] == friction([1.0, 0.0])[0]


def problem() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(8)
    h = rng.normal(size=(6, 8))
    return h @ h.T, np.array([-1.0, 2.0, 0.5, -0.7, -1.0, 1.0]), np.array(list(LAW.parameters().values()))


def gradient_by_differences(w: np.ndarray, q: np.ndarray, theta: np.ndarray) -> np.ndarray:
    def value(changed: np.ndarray) -> float:
        solution = sl.solve(sl.ContactProblem(w, q, LAW.with_parameters(changed)), tolerance=1e-13, measure="residual")
        return float(np.sum(solution.velocity**2) + np.sum(solution.impulse))

    h = 1e-6
    return np.array([(value(theta + h * e) - value(theta - h * e)) / (2 * h) for e in np.eye(len(theta))])


def test_torch_gradients() -> None:
    torch = pytest.importorskip("torch")
    from slipset.torch import solve

    w, q, theta = (torch.tensor(x, requires_grad=True) for x in problem())
    p, u = solve(w, q, LAW, theta)
    ((u**2).sum() + p.sum()).backward()
    np.testing.assert_allclose(theta.grad.numpy(), gradient_by_differences(*problem()), rtol=1e-5, atol=1e-7)
    assert torch.autograd.gradcheck(lambda x: solve(w.detach(), x, LAW), (q,), atol=1e-6)


def test_jax_gradients() -> None:
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    from slipset.jax import solve

    def value(w, q, theta):  # type: ignore[no-untyped-def]
        p, u = solve(w, q, LAW, theta)
        return (u**2).sum() + p.sum()

    w, q, theta = problem()
    gradient = jax.jit(jax.grad(value, argnums=2))(w, q, theta)
    np.testing.assert_allclose(gradient, gradient_by_differences(w, q, theta), rtol=1e-5, atol=1e-7)


def test_jax_slip_resistance_and_vmap() -> None:
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    from slipset.jax import slip_resistance, solve

    v = np.random.default_rng(4).normal(size=(5, 2))
    theta = np.array(list(LAW.parameters().values()))
    np.testing.assert_array_equal(slip_resistance(v, LAW), LAW.slip_resistance(v))

    def power(v, theta):  # type: ignore[no-untyped-def]
        return (slip_resistance(v, LAW, theta) * v).sum()

    by_v, by_theta = jax.jit(jax.grad(power, argnums=(0, 1)))(v, theta)
    h = 1e-6
    for found, at, value in (
        (by_v, v, lambda x: np.sum(LAW.slip_resistance(x) * x)),
        (by_theta, theta, lambda x: np.sum(LAW.with_parameters(x).slip_resistance(v) * v)),
    ):
        expected = np.zeros_like(at)
        for k in np.ndindex(at.shape):
            e = np.zeros_like(at)
            e[k] = h
            expected[k] = (value(at + e) - value(at - e)) / (2 * h)
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-8)
    np.testing.assert_array_equal(jax.vmap(lambda x: slip_resistance(x, LAW))(v), LAW.slip_resistance(v))
    w, q, _ = problem()
    many = np.stack([q, 2 * q, -q])
    p, _ = jax.vmap(lambda x: solve(w, x, LAW))(many)
    for row, one in zip(p, many):
        np.testing.assert_array_equal(row, solve(w, one, LAW)[0])
    with pytest.raises(sl.InvalidInput, match="stribeck"):
        slip_resistance(v, LAW.with_stribeck(sl.Stribeck(1.5, 0.1)))
