"""Contact problems inside JAX: solutions that know their gradients (C.23). Needs jax, with 64-bit numbers on."""

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
    return jax.pure_callback(partial(_forward, law), (shape, shape), delassus, free_velocity, parameters)


def _with_residuals(law: Law, delassus: Any, free_velocity: Any, parameters: Any) -> Any:
    return _differentiable(law, delassus, free_velocity, parameters), (delassus, free_velocity, parameters)


def _pull_back(law: Law, kept: Any, of_result: Any) -> Any:
    shapes = tuple(jax.ShapeDtypeStruct(x.shape, x.dtype) for x in kept)
    return jax.pure_callback(partial(_backward, law), shapes, *kept, *of_result)


_differentiable.defvjp(_with_residuals, _pull_back)


def solve(delassus: Any, free_velocity: Any, law: Law, parameters: Any = None) -> Any:
    """(impulse, velocity) of u = W p + q with one law for all contacts, differentiable with respect to W, q and the law's
    parameters (the numbers of law.parameters(), in their order). Works under jax.jit and jax.grad."""
    if not jax.config.read("jax_enable_x64"):
        raise InvalidInput('jax: contact problems need 64-bit numbers; call jax.config.update("jax_enable_x64", True) first')
    values = list(law.parameters().values()) if parameters is None else parameters
    return _differentiable(law, *(jax.numpy.asarray(x, dtype="float64") for x in (delassus, free_velocity, values)))
