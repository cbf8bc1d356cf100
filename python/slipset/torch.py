"""Contact problems inside PyTorch: solutions that know their gradients (C.23). Needs torch."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from ._commands import solve as _solve
from ._core import ContactDerivative, ContactProblem, Law
from ._errors import InvalidInput


def _numbers(tensor: Any) -> Any:
    return tensor.detach().cpu().numpy().astype(np.float64)


class _Solve(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, delassus: Any, free_velocity: Any, parameters: Any, law: Law, tolerance: float) -> Any:
        given = law if parameters is None else law.with_parameters(_numbers(parameters))
        problem = ContactProblem(_numbers(delassus), _numbers(free_velocity), given)
        solution = _solve(problem, tolerance=tolerance, measure="residual")
        if not solution.solved:
            raise InvalidInput(f"solve: {solution.status}: {solution.stop_reason}; there are no impulses to go on with")
        ctx.problem, ctx.solution, ctx.like = problem, solution, free_velocity
        ctx.has_parameters = parameters is not None
        return torch.as_tensor(solution.impulse.copy()).to(free_velocity), torch.as_tensor(solution.velocity.copy()).to(
            free_velocity
        )

    @staticmethod
    def backward(ctx: Any, of_impulse: Any, of_velocity: Any) -> Any:
        derivative = ContactDerivative(ctx.problem, ctx.solution)
        of_q, of_laws = derivative.reverse(_numbers(of_impulse), _numbers(of_velocity))
        of_w = np.outer(of_q, ctx.solution.impulse)
        of_law = torch.as_tensor(of_laws[0]).to(ctx.like) if ctx.has_parameters else None
        return torch.as_tensor(of_w).to(ctx.like), torch.as_tensor(of_q).to(ctx.like), of_law, None, None


def solve(delassus: Any, free_velocity: Any, law: Law, parameters: Any = None, tolerance: float = 1e-12) -> Any:
    """(impulse, velocity) of u = W p + q with one law for all contacts, differentiable with respect to W, q and, if they
    are given, the law's parameters (the numbers of law.parameters(), in their order). On a border between modes there is no
    gradient: `slipset.InvalidInput` names the contacts."""
    return _Solve.apply(delassus, free_velocity, parameters, law, tolerance)
