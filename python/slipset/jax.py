"""Contact problems and laws inside JAX: solutions that know their gradients (C.23, L.6). Needs jax, with 64-bit numbers on."""

from __future__ import annotations

from functools import partial
from typing import Any

import jax
import numpy as np

from ._commands import solve as _solve
from ._core import ContactDerivative, ContactProblem, ContactSolution, Law
from ._errors import InvalidInput


def _solved(law: Law, delassus: Any, free_velocity: Any, parameters: Any) -> tuple[ContactProblem, ContactSolution]:
    problem = ContactProblem(np.asarray(delassus), np.asarray(free_velocity), law.with_parameters(np.asarray(parameters)))
    solution = _solve(problem, tolerance=1e-12, measure="residual")
    if not solution.solved:
        raise InvalidInput(f"solve: {solution.status}: {solution.stop_reason}; there are no impulses to go on with")
    return problem, solution


def _forward(law: Law, delassus: Any, free_velocity: Any, parameters: Any) -> tuple[Any, Any]:
    _, solution = _solved(law, delassus, free_velocity, parameters)
    return np.array(solution.impulse), np.array(solution.velocity)


def _backward(law: Law, delassus: Any, free_velocity: Any, parameters: Any, of_p: Any, of_u: Any) -> tuple[Any, Any, Any]:
    problem, solution = _solved(law, delassus, free_velocity, parameters)
    of_q, of_laws = ContactDerivative(problem, solution).reverse(np.asarray(of_p), np.asarray(of_u))
    return np.outer(of_q, solution.impulse), of_q, of_laws[0]


@partial(jax.custom_vjp, nondiff_argnums=(0,))
def _differentiable(law: Law, delassus: Any, free_velocity: Any, parameters: Any) -> Any:
    shape = jax.ShapeDtypeStruct(free_velocity.shape, free_velocity.dtype)
    return jax.pure_callback(
        partial(_forward, law), (shape, shape), delassus, free_velocity, parameters, vmap_method="sequential"
    )


def _with_residuals(law: Law, delassus: Any, free_velocity: Any, parameters: Any) -> Any:
    return _differentiable(law, delassus, free_velocity, parameters), (delassus, free_velocity, parameters)


def _pull_back(law: Law, kept: Any, of_result: Any) -> Any:
    shapes = tuple(jax.ShapeDtypeStruct(x.shape, x.dtype) for x in kept)
    return jax.pure_callback(partial(_backward, law), shapes, *kept, *of_result, vmap_method="sequential")


_differentiable.defvjp(_with_residuals, _pull_back)


def _numbers(law: Law, parameters: Any, *others: Any) -> list[Any]:
    if not jax.config.read("jax_enable_x64"):
        raise InvalidInput('jax: slipset needs 64-bit numbers; call jax.config.update("jax_enable_x64", True) first')
    if law.stribeck is not None or law.elastic is not None:
        raise InvalidInput("law: derivatives are those of C and D; give a law without stribeck and elastic")
    values = list(law.parameters().values()) if parameters is None else parameters
    return [jax.numpy.asarray(x, dtype="float64") for x in (*others, values)]


def solve(delassus: Any, free_velocity: Any, law: Law, parameters: Any = None) -> Any:
    """(impulse, velocity) of u = W p + q with one law for all contacts, differentiable with respect to W, q and the law's
    parameters (the numbers of law.parameters(), in their order). Works under jax.jit, jax.grad and jax.vmap."""
    return _differentiable(law, *_numbers(law, parameters, delassus, free_velocity))


def _resistance(law: Law, velocity: Any, parameters: Any) -> Any:
    return law.with_parameters(np.asarray(parameters)).slip_resistance(np.asarray(velocity))


def _resistance_derivatives(law: Law, velocity: Any, parameters: Any) -> tuple[Any, Any]:
    given, v = law.with_parameters(np.asarray(parameters)), np.asarray(velocity)
    return given.slip_jacobian(v), given.resistance_by_parameters(v)


@partial(jax.custom_jvp, nondiff_argnums=(0,))
def _slip_resistance(law: Law, velocity: Any, parameters: Any) -> Any:
    shape = jax.ShapeDtypeStruct(velocity.shape, velocity.dtype)
    return jax.pure_callback(partial(_resistance, law), shape, velocity, parameters, vmap_method="sequential")


@_slip_resistance.defjvp
def _slip_resistance_jvp(law: Law, at: Any, change: Any) -> Any:
    velocity, parameters = at
    shapes = tuple(jax.ShapeDtypeStruct((*velocity.shape, n), velocity.dtype) for n in (2, len(parameters)))
    by_v, by_p = jax.pure_callback(partial(_resistance_derivatives, law), shapes, *at, vmap_method="sequential")
    dv, dp = change
    return _slip_resistance(law, velocity, parameters), jax.numpy.einsum("...ij,...j->...i", by_v, dv) + by_p @ dp


def slip_resistance(velocities: Any, law: Law, parameters: Any = None) -> Any:
    """law.slip_resistance(velocities), differentiable with respect to the velocities and to the law's parameters. Works
    under jax.jit, jax.grad, jax.jvp and jax.vmap."""
    return _slip_resistance(law, *_numbers(law, parameters, velocities))
