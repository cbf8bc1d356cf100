"""Calls the package with wrong input: fuzz.py --calls 2000, or --seconds 300; --seed N for the first call.

Every call is made in a child process. A signal, a call of more than 20 s, a result with NaN, and an exception other than
ValueError (InvalidInput is one) and TypeError are reported with the call. Arrays that numpy users have besides contiguous
float64 must give the same numbers.
"""

from __future__ import annotations

import argparse
import faulthandler
import multiprocessing as mp
import random
import sys
import time
import warnings
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

import slipset as sl

LIMIT = 20.0  # [s] for one call
NUMBERS: list[Any] = [0, -1, 1, 2, 0.5, -0.5, np.nan, np.inf, -np.inf, 1e-300, 1e300, 5e-324, 2**70, -(2**40), True,
                      np.float32(0.3), np.int8(3), 1j, "1", "", None, [], {}, object(), b"x", np.datetime64(1, "s")]  # fmt: skip
LAW = sl.Law(sl.Ellipse(0.5, 0.3, 0.4), sl.Ellipse(2, 1))
BELT: dict[str, Any] = {
    "law": {"reservoir": {"shape": "ellipse", "semi_axes": [30, 10], "angle": 30.0}},
    "system": {"kind": "mass-on-belt", "mass": 1.0, "stiffness": 1.0, "normal_force": 1.0, "belt": {"speed": 1.0, "angle": 50.0}},
    "integrator": {"kind": "moreau", "step": 0.01, "duration": 0.1},
}


def array(r: random.Random) -> Any:
    """An array of any shape and kind, mostly wrong."""
    shape = tuple(r.choice([0, 1, 2, 3, 4, 6]) for _ in range(r.choice([0, 1, 1, 2, 2, 3])))
    good = np.array(np.random.default_rng(r.randrange(2**32)).normal(size=shape) * r.choice([1, 1, 1, 1e-200, 1e150, 1e308]))
    kind = r.randrange(10)
    if kind == 0:
        return good.astype(object)
    if kind == 1:
        return good.astype(str).tolist()
    if kind == 2 and good.size:
        good.flat[r.randrange(good.size)] = r.choice([np.nan, np.inf])
    if kind == 3:
        return good.astype(r.choice(["float32", "int64", "complex128", "float16", "longdouble"]), copy=False)
    if kind == 4 and shape:
        return good.T[..., ::-1]
    if kind == 5:
        return good.tolist()
    return good


def anything(r: random.Random) -> Any:
    choices: list[Callable[[], Any]] = [
        lambda: r.choice(NUMBERS), lambda: r.choice(NUMBERS), lambda: array(r), lambda: array(r), lambda: LAW,
        lambda: sl.Disk(1), lambda: [anything(r) for _ in range(r.randrange(3))], lambda: {"law": r.choice(NUMBERS)},
        lambda: sl.Moreau(r.choice(NUMBERS)), lambda: scenario(r),
    ]  # fmt: skip
    return r.choice(choices)()


def scenario(r: random.Random) -> Any:
    """The belt with a key taken out, added or changed."""
    tables = {name: dict(table) for name, table in BELT.items()}
    table = tables[r.choice(list(tables))]
    key = r.choice([*table, "unknown"])
    if r.random() < 0.4:
        table.pop(key, None)
    else:
        table[key] = r.choice(NUMBERS) if r.random() < 0.7 else array(r)
    tables["integrator"].update({"duration": 0.1} if isinstance(tables["integrator"].get("step"), float) else {})
    return tables


# Right arguments of what is called; a call replaces one or more of them.
def problem() -> sl.ContactProblem:
    return sl.ContactProblem(np.eye(3), [-1.0, 0.5, 0.0], LAW)


def world(at: Any, velocity: Any, spin: Any, **body: Any) -> Any:
    made = sl.World()
    made.add(sl.Plane(LAW))
    name = made.add(sl.Box(**body), at, velocity=velocity, spin=spin)
    return sl.simulate(made, sl.Moreau(1e-2), duration=0.1)[f"{name}.x"]


V = [[1.0, 0.2], [0.0, -1.0]]
ANGLES = np.linspace(0, 6, 12, endpoint=False)
LONG = {"duration", "every", "count", "links", "threads", "max_iterations"}  # large ones are no mistake, only slow
CALLS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "Disk": (sl.Disk, {"radius": 1.0}),
    "Ellipse": (sl.Ellipse, {"a": 0.5, "b": 0.3, "angle": 0.1}),
    "Superellipse": (sl.Superellipse, {"a": 0.5, "b": 0.3, "exponent": 2.5}),
    "Rectangle": (sl.Rectangle, {"a": 0.5, "b": 0.3}),
    "Stadium": (sl.Stadium, {"half_length": 0.5, "half_width": 0.3, "cap": 0.2}),
    "Polygon": (sl.Polygon, {"vertices": [[1, 0], [0, 1], [-1, 0], [0, -1]]}),
    "PolarCurve": (lambda a, b: sl.PolarCurve(a, b), {"a": ANGLES, "b": 0.5 + 0.05 * np.cos(ANGLES)}),
    "Wedge": (lambda a, b, c: sl.Wedge(a, b, c), {"a": 0.3, "b": 0.5, "c": 0.2}),
    "NormMix": (lambda a, b, c, d: sl.NormMix(a, b, c, d), {"a": 0.5, "b": 0.3, "c": 0.7, "d": 0.3}),
    "UserSet": (sl.UserSet, {"log_radius": lambda angle: (0.0, 0.0, 0.0), "angle": 0.1, "size": 2.0}),
    "Law": (lambda a, b: sl.Law(a, b), {"a": sl.Disk(1), "b": sl.Disk(1)}),
    "isotropic": (lambda a: sl.isotropic(a), {"a": 0.5}),
    "two_sign": (lambda a, b: sl.two_sign(a, b), {"a": 0.5, "b": 0.2}),
    "associated": (lambda a: sl.associated(a), {"a": sl.Disk(1)}),
    "collinear": (lambda a: sl.collinear(a), {"a": sl.Disk(1)}),
    "ContactProblem": (sl.ContactProblem, {"delassus": np.eye(3), "free_velocity": [-1.0, 0.5, 0.0], "laws": 0.3}),
    "solve": (lambda w, q, laws, **o: sl.solve(sl.ContactProblem(w, q, laws), **o),
              {"w": np.eye(3), "q": [-1.0, 0.5, 0.0], "laws": LAW, "tolerance": 1e-8, "method": "newton", "guess": np.ones(3),
               "max_iterations": 100, "measure": "residual"}),
    "derivative": (lambda border, **o: sl.ContactDerivative(problem(), sl.solve(problem()), border).reverse(**o),
                   {"border": 1e-9, "impulse": np.ones(3), "velocity": np.ones(3)}),
    "forward": (lambda **o: sl.ContactDerivative(problem(), sl.solve(problem())).forward(**o),
                {"free_velocity": np.ones(3), "delassus": np.eye(3), "laws": [None]}),
    "multiply": (lambda p: problem().multiply(p), {"p": np.ones(3)}),
    "residual": (lambda p: problem().residual(p), {"p": np.ones(3)}),
    "RegularizedLaw": (lambda k, e, v: sl.RegularizedLaw(LAW, k, e).resistance(v), {"k": "quinn", "e": 1e-3, "v": V}),
    "FrictionForce": (lambda n, v, f: sl.FrictionForce(LAW, n)(v, f), {"n": 10.0, "v": [1.0, 0.2], "f": [0.0, 1.0]}),
    "simulate": (sl.simulate, {"system": sl.SlidingBody(LAW), "integrator": sl.Moreau(1e-2), "duration": 0.1, "u": [1.0, 0.0],
                               "q": [0.0, 0.0], "every": 1, "threads": 1, "t": 0.0, "cycle": 0.0}),
    "MassOnBelt": (lambda **o: sl.simulate(sl.MassOnBelt(LAW, **o), sl.Moreau(1e-2), duration=0.1),
                   {"mass": 1.0, "stiffness": np.eye(2), "damping": np.eye(2), "normal_force": 1.0, "speed": 1.0, "angle": 0.1}),
    "LinearSystem": (lambda **o: sl.simulate(sl.LinearSystem(**o), sl.Moreau(1e-2), duration=0.1),
                     {"mass": np.eye(2), "stiffness": np.eye(2), "force": [1.0, 0.0],
                      "contacts": [{"law": LAW, "tangents": np.eye(2), "normal_force": 1.0}]}),
    "SnakeRobot": (lambda **o: sl.simulate(sl.SnakeRobot(LAW, **o), sl.Moreau(1e-2), duration=0.1),
                   {"links": 3, "length": 1.0, "mass": 1.0, "amplitude": 0.5, "frequency": 0.5}),
    "Interface": (lambda law, b, **o: sl.ElasticInterface(law, b).update(**o).tangent().by_displacement,
                  {"law": LAW, "b": np.eye(2), "before": [0.0, 0.0], "displacement": V, "normal_force": 1.0}),
    "World": (lambda **o: world(**o), {"size": (0.2, 0.2, 0.1), "mass": 1.0, "surface": LAW, "force": (1.0, 0.0, 0.0),
                                       "at": (0.0, 0.0, 0.05), "velocity": (1.0, 0.0, 0.0), "spin": (0.0, 0.0, 1.0)}),
    "differentiate": (lambda law, step, **o: sl.differentiate(sl.SlidingBody(law), sl.Moreau(step), duration=0.1, **o).jacobian()[0],
                      {"law": LAW, "step": 1e-2, "q": [0.0, 0.0], "u": [1.0, 0.3], "t": 0.0, "every": 1, "difference": 1e-5,
                       "border": 1e-9}),
    "learn_law": (lambda t, q, law, **o: sl.learn_law(law, [(t, q)], integrator=sl.Moreau(0.05), max_evaluations=3, **o).rms,
                  {"t": np.linspace(0, 0.5, 12), "q": np.outer(np.linspace(0, 0.5, 12), [1.0, 0.5]), "law": LAW,
                   "fixed": ["direction.a"], "starts": None}),
    "run": (sl.run, {"scenario": BELT, "changes": {"system.mass": 2.0}, "threads": 1}),
    "stability": (sl.stability, {"scenario": BELT, "changes": {"system.mass": 2.0}}),
    "read_law": (sl.read_law, {"scenario": BELT}),
    "law_properties": (sl.law_properties, {"law": LAW, "step": 15.0, "velocity": [1.0, 0.0]}),
}  # fmt: skip
POINTWISE = ["gauge", "gauge_gradient", "support", "support_point", "project", "contains"]
for _name in POINTWISE:
    CALLS[f"Ellipse.{_name}"] = (lambda p, name=_name: getattr(LAW.reservoir, name)(p), {"p": V})
    CALLS[f"Polygon.{_name}"] = (lambda p, name=_name: getattr(sl.Rectangle(1, 2), name)(p), {"p": V})
for _name in ("slip_resistance", "slip_jacobian"):
    CALLS[f"Law.{_name}"] = (lambda v, name=_name: getattr(LAW, name)(v), {"v": V})


def call_of(seed: int) -> tuple[str, Callable[..., Any], dict[str, Any]]:
    r = random.Random(seed)
    name = r.choice(list(CALLS))
    function, right = CALLS[name]
    given = dict(right)
    for key in r.sample(list(given), r.choice([1, 1, 1, min(2, len(given))])):
        value = scenario(r) if key == "scenario" and r.random() < 0.8 else anything(r)
        if key in LONG and isinstance(value, (int, float)) and value > 1000:
            value = -value
        given[key] = value
    return name, function, given


def is_nan(result: Any) -> bool:
    if isinstance(result, (tuple, list)):
        return any(is_nan(part) for part in result)
    if isinstance(result, sl.Run):
        return any(is_nan(result.column(name)) for name in result.columns)
    if isinstance(result, sl.ContactSolution):
        return result.status == "solved" and (is_nan(result.impulse) or is_nan(result.velocity))
    if isinstance(result, (float, np.floating)):
        return bool(np.isnan(result))
    return isinstance(result, np.ndarray) and result.dtype.kind == "f" and bool(np.isnan(result).any())


def variants(r: random.Random) -> str | None:
    """The same numbers in other arrays give the same results; None, or what does not."""
    name = r.choice([n for n, (_, right) in CALLS.items() if list(right) in (["p"], ["v"])])
    function, right = CALLS[name]
    (key,) = right
    points = np.random.default_rng(r.randrange(2**32)).integers(-9, 9, np.shape(right[key])).astype(float) + 0.0
    try:
        expected = function(**{key: points})
    except sl.InvalidInput:  # no derivative at rest
        return None
    wide = np.zeros((*points.shape, 2))
    wide[..., 1] = points
    fixed = points.copy()
    fixed.flags.writeable = False
    for kind, other in {"float32": points.astype("f4"), "int": points.astype(int), "list": points.tolist(), "fixed": fixed,
                        "strided": wide[..., 1], "fortran": np.asfortranarray(points), "big-endian": points.astype(">f8")}.items():  # fmt: skip
        if not np.array_equal(function(**{key: other}), expected, equal_nan=True):
            return f"{name} of {kind} {points.tolist()}: {function(**{key: other})} instead of {expected}"
    return None


def work(pipe: Connection) -> None:
    """Makes the calls whose seeds come; answers None, or what is wrong."""
    faulthandler.enable()
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    while True:
        seed = pipe.recv()
        if seed % 10 == 0:
            pipe.send(variants(random.Random(seed)))
            continue
        name, function, given = call_of(seed)
        wrong = None
        try:
            result = function(**given)
            if is_nan(result):
                wrong = "gives NaN in silence"
        except (ValueError, TypeError):
            pass
        except BaseException as error:
            wrong = f"raises {type(error).__name__}: {error}"
        pipe.send(f"seed {seed}: {name}(**{given!r}) {wrong}" if wrong else None)


def worker() -> tuple[mp.process.BaseProcess, Connection]:
    mine, theirs = mp.Pipe()
    process = mp.get_context("spawn").Process(target=work, args=(theirs,), daemon=True)
    process.start()
    theirs.close()
    return process, mine


def fuzz(seconds: float, most: float, seed: int) -> list[str]:
    found: list[str] = []
    end, calls = time.monotonic() + seconds, 0
    process, pipe = worker()
    while calls < most and time.monotonic() < end:
        pipe.send(seed)
        told: str | None = None
        try:
            told = pipe.recv() if pipe.poll(LIMIT + 20 * (calls == 0)) else f"seed {seed}: {call_of(seed)} hangs"
            gone = bool(told) and told.endswith("hangs")
        except EOFError:
            process.join()
            told, gone = f"seed {seed}: {call_of(seed)} ends the process ({process.exitcode})", True
        if told:
            found.append(told)
            print(told, flush=True)
        if gone:
            process.kill()
            process, pipe = worker()
        seed, calls = seed + 1, calls + 1
    process.kill()
    print(f"{calls} calls, {len(found)} findings")
    return found


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    length = options.add_mutually_exclusive_group(required=True)
    length.add_argument("--calls", type=int, default=np.inf)
    length.add_argument("--seconds", type=float, default=np.inf)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    sys.exit(1 if fuzz(chosen.seconds, chosen.calls, chosen.seed) else 0)
