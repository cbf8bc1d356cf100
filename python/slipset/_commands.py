"""The program's commands as functions: the same scenario, the same numbers."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

from . import _core
from ._core import ContactProblem, ContactSolution, Law, LuGre
from ._errors import InvalidInput
from ._progress import Progress, end_line, progress_function
from ._program import StructureStability, structure_stability
from ._record import Record
from ._results import Cycle, Run, Stability, checked, checked_threads
from ._scenario import Scenario, settings_of, text_and_name
from ._structure import Structure
from ._systems import ArrayLike, System


# A scenario is read once, as its text and name: it may be a pipe.
def _work(command: Any, text: str, name: str, changes: Mapping[str, Any] | None, threads: int, progress: Progress) -> Any:
    try:
        return _shown(lambda show: command(text, name, settings_of(changes), checked_threads(threads), show), progress)
    except InvalidInput as error:
        if not str(error).startswith("--set "):
            raise
        raise InvalidInput("changes: " + str(error).removeprefix("--set ")) from None


def _shown(work: Callable[[Any], _core.Answer], progress: Progress) -> _core.Answer:
    show = progress_function(progress)
    try:
        return checked(work(show))
    finally:
        end_line(show)


def _only_scenarios(threads: int, changes: Any, *others: Any) -> None:
    if checked_threads(threads):
        raise InvalidInput("threads: is for scenarios with a [sweep] and for structures; leave it out")
    if changes is not None or any(other is not None for other in others):
        raise InvalidInput("changes, band, growth: are for scenarios and structures; make the system with other numbers")


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
    scenario: Scenario | System | Structure,
    changes: Mapping[str, Any] | None = None,
    *,
    q: ArrayLike | None = None,
    lugre: LuGre | None = None,
    band: tuple[float, float] | None = None,
    growth: tuple[float, float] | None = None,
    title: str = "",
    threads: int = 0,
    progress: Progress = False,
) -> Stability | StructureStability:
    """Is steady sliding stable? As `slipset stability`; with [sweep] critical values, or a map.

    `scenario`: a path, TOML text, a dict, or a System whose surfaces move: then `q` is a guess of the position of steady
    sliding, and `lugre` gives every contact bristles.

    >>> import slipset as sl
    >>> law = sl.Law(sl.Ellipse(3, 1, angle=0.5236), sl.Ellipse(3, 1))
    >>> sl.stability(sl.MassOnBelt(law, normal_force=10, speed=1, angle=0.87)).stable
    False

    Structures (M, D, K of finite elements) are solved by the program, if it is installed: with SLEPc. For a Structure,
    `band` [Hz] and `growth` [1/s] say which modes are wanted.
    """
    for given, what in ((q, "q"), (lugre, "lugre"), (title or None, "title")):
        if given is not None and not isinstance(scenario, System):
            raise InvalidInput(f"{what}: is for a System; in a scenario it is a key of its own")
    if isinstance(scenario, System):
        _only_scenarios(threads, changes, band, growth)
        return Stability(_shown(lambda show: _core.stability_of(scenario._handle(), q, lugre, title, show), progress))
    if isinstance(scenario, Structure):
        if band is None or growth is None:
            raise InvalidInput("band, growth: a structure needs both, as band=(0, 4000), growth=(-100, 1000)")
        return scenario.stability(changes, band=band, growth=growth, threads=threads)
    if band is not None or growth is not None:
        raise InvalidInput("band, growth: are for a Structure; in a scenario they are [modes]")
    text, name = text_and_name(scenario)
    if _core.is_structure(text, name, settings_of(changes)):
        return structure_stability(scenario, changes, threads)
    return Stability(_work(_core.stability, text, name, changes, threads, progress))


def sweep(
    scenario: Scenario | Structure,
    parameter: str,
    start: float,
    stop: float,
    count: int,
    *,
    second: tuple[str, float, float, int] | None = None,
    command: str = "stability",
    changes: Mapping[str, Any] | None = None,
    threads: int = 0,
    progress: Progress = False,
    **structure: Any,
) -> Stability | Cycle | StructureStability:
    """`stability` or `cycle` over a parameter, as if the scenario had this [sweep].

    `parameter`: dotted key of a number, as "system.belt.angle" or "law.reservoir.semi_axes[0]", in the scenario's units
    (angles in degrees). `second`: (parameter, start, stop, count) of a map of stability. `structure`: band and growth of a
    Structure.

    >>> import slipset as sl
    >>> belt = {"law": sl.Law(sl.Ellipse(3, 1, angle=0.5236), sl.Ellipse(3, 1)),
    ...         "system": {"kind": "mass-on-belt", "mass": 1, "stiffness": 1, "normal_force": 10,
    ...                    "belt": {"speed": 1, "angle": 50}}}
    >>> angles = sl.sweep(belt, "system.belt.angle", 0, 90, 91)
    >>> [round(critical["value"], 1) for critical in angles["critical"]]
    [44.1, 75.9]
    """
    if command not in ("stability", "cycle"):
        raise InvalidInput(f'command: found {command!r}; expected "stability" or "cycle"')
    keys = ("parameter", "from", "to", "count")
    table: dict[str, Any] = dict(zip(keys, (parameter, start, stop, count)))
    if second is not None:
        if len(second) != 4:
            raise InvalidInput("second: expected (parameter, start, stop, count)")
        table["second"] = dict(zip(keys, second))
    settings = {"sweep": table, **(changes or {})}
    if command == "stability":
        return stability(scenario, settings, threads=threads, progress=progress, **structure)
    if isinstance(scenario, Structure) or structure:
        raise InvalidInput("command: structures have no cycles here; use stability")
    return cycle(scenario, settings, threads=threads, progress=progress)


def cycle(
    scenario: Scenario | System,
    changes: Mapping[str, Any] | None = None,
    *,
    q: ArrayLike | None = None,
    u: ArrayLike | None = None,
    step: float | None = None,
    duration: float | None = None,
    title: str = "",
    threads: int = 0,
    progress: Progress = False,
) -> Cycle:
    """The periodic motion that sliding settles on, or with [sweep] branches of them. As `slipset cycle`.

    `scenario`: a path, TOML text, a dict, or a System. Of a System the motion that leads to the cycle begins beside steady
    sliding, or at q and u; then `step` [s] of it and its longest `duration` [s] are needed.
    """
    if isinstance(scenario, System):
        _only_scenarios(threads, changes)
        return Cycle(_shown(lambda show: _core.cycle_of(scenario._handle(), q, u, step, duration, title, show), progress))
    for given, what in ((q, "q"), (u, "u"), (step, "step"), (duration, "duration"), (title or None, "title")):
        if given is not None:
            raise InvalidInput(f"{what}: is for a System; in a scenario it is a key of its own")
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

    if not isinstance(law, Law):
        raise InvalidInput(f"law: found {type(law).__name__}; expected a Law")
    return record_of(law.report_json(step, velocity))
