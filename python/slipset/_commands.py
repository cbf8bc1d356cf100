"""The program's commands as functions: the same scenario, the same numbers."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from . import _core
from ._core import ContactProblem, ContactSolution, Law
from ._errors import InvalidInput
from ._progress import Progress, end_line, progress_function
from ._program import ProgramResult, run_program
from ._record import Record
from ._results import Cycle, Run, Stability, checked, checked_threads
from ._scenario import Scenario, settings_of, text_and_name


# A scenario is read once, as its text and name: it may be a pipe.
def _work(command: Any, text: str, name: str, changes: Mapping[str, Any] | None, threads: int, progress: Progress) -> Any:
    show = progress_function(progress)
    try:
        return checked(command(text, name, settings_of(changes), checked_threads(threads), show))
    finally:
        end_line(show)


def _law_of(text: str, name: str, changes: Mapping[str, Any] | None) -> Law | None:
    try:
        return _core.read_law(text, name, settings_of(changes))
    except InvalidInput:  # of several laws, or none
        return None


def run(
    scenario: Scenario, changes: Mapping[str, Any] | None = None, *, threads: int = 0, progress: Progress = False
) -> Run:
    """Simulates a scenario, as `slipset run` does.

    `scenario`: a path, TOML text, or a dict of tables. `changes`: other values, as {"system.mass": 2}. `threads`: 0 for
    all cores; the results have the same bits for any number. After Ctrl-C the results are those up to there.

    >>> import slipset
    >>> run = slipset.run({"law": {"reservoir": {"shape": "disk", "radius": 0.5}},
    ...                    "system": {"kind": "sliding-body", "mass": 1.0, "normal_force": 9.81},
    ...                    "initial": {"velocity": [2.0, 0.0]},
    ...                    "integrator": {"kind": "moreau", "step": 1e-3, "until": "stick"}})
    >>> round(float(run["x"][-1]), 3)  # v²/(2 μ g) [m]
    0.408
    """
    text, name = text_and_name(scenario)
    return Run(_work(_core.run, text, name, changes, threads, progress), _law_of(text, name, changes))


def stability(
    scenario: Scenario, changes: Mapping[str, Any] | None = None, *, threads: int = 0, progress: Progress = False
) -> Stability | ProgramResult:
    """Is steady sliding stable? As `slipset stability`; with [sweep] critical values, or a map.

    Structures (M, D, K of finite elements) are solved by the program, if it is installed: with SLEPc.
    """
    text, name = text_and_name(scenario)
    if _core.is_structure(text, name, settings_of(changes)):
        return run_program("stability", scenario, changes, threads)
    return Stability(_work(_core.stability, text, name, changes, threads, progress))


def cycle(
    scenario: Scenario, changes: Mapping[str, Any] | None = None, *, threads: int = 0, progress: Progress = False
) -> Cycle:
    """The periodic motion that sliding settles on, or with [sweep] branches of them. As `slipset cycle`."""
    return Cycle(_work(_core.cycle, *text_and_name(scenario), changes, threads, progress))


def read_law(scenario: Scenario, changes: Mapping[str, Any] | None = None) -> Law:
    """[law] of a scenario.

    >>> from slipset import read_law
    >>> read_law({"law": {"reservoir": {"shape": "ellipse", "semi_axes": [0.5, 0.2]}}})
    Law(Ellipse(0.5, 0.2, 0.0), Ellipse(0.5, 0.2, 0.0))
    """
    text, name = text_and_name(scenario)
    return _core.read_law(text, name, settings_of(changes))


def solve(
    problem: ContactProblem | str | os.PathLike[str],
    *,
    method: str = "automatic",
    tolerance: float = 1e-8,
    max_iterations: int = 20000,
    measure: str = "automatic",
    guess: Any = None,
    settled_contacts: int = 40,
    threads: int = 0,
) -> ContactSolution:
    """Solves a contact problem, or that of a file (Siconos .dat, FCLib .hdf5).

    `tolerance` is of the `measure`: "residual" (C.4), "full_error" of Siconos (isotropic laws only), or "automatic": the
    second where it exists. Whether it was solved, or has no solution, is `solution.status`; `guess` are impulses to begin
    with.

    >>> import numpy as np
    >>> from slipset import ContactProblem, solve
    >>> box = ContactProblem(np.eye(3), [-1.0, 0.5, 0.0], 0.3)  # falls on a plane, and slides
    >>> solution = solve(box)
    >>> solution.status, solution.modes
    ('solved', ['slip'])
    >>> solution.impulse
    array([ 1. , -0.3,  0. ])
    """
    if not isinstance(problem, ContactProblem):
        problem = ContactProblem.read(os.fspath(problem))
    return _core.solve_problem(
        problem, method, tolerance, max_iterations, measure, guess, settled_contacts, checked_threads(threads)
    )


def law_properties(law: Law, step: float = 15.0, velocity: Any = None) -> Record:
    """What a law is and does, each answer with its reason, and the coefficient in every direction (step in degrees)."""
    from ._record import record_of

    return record_of(law.report_json(step, velocity))
