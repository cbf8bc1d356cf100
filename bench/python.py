"""What calling slipset from Python costs, beside C++ in the same run: bench/results/python.csv.

    PYTHONPATH=build/release/python python bench/python.py [DATA]     DATA: the folder of contact problems

By the clock, one thread, the least of several rounds.
"""
import datetime
import json
import os
import pathlib
import subprocess
import sys
import time

import numpy as np

import slipset as sl

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUILD = ROOT / "build/release"


def least(f, rounds=7):
    best = np.inf
    for _ in range(rounds):
        begin = time.perf_counter()
        f()
        best = min(best, time.perf_counter() - begin)
    return best


rows = []


def add(what, python, cpp, unit):
    rows.append([what, f"{python:.4g}", f"{cpp:.4g}", f"{python / cpp:.2f}", unit])


v = np.random.default_rng(1).normal(size=(10**6, 2))
twin = subprocess.run([BUILD / "bench/bench_velocities"], capture_output=True, text=True, check=True).stdout.split()
for name, law, cpp in (
    ("ellipses", sl.Law(sl.Ellipse(0.6, 0.2, 0.5), sl.Ellipse(3, 1)), float(twin[0])),
    ("superellipses", sl.Law(sl.Superellipse(0.6, 0.2, 3.3, 0.5), sl.Superellipse(3, 1, 1.7)), float(twin[1])),
):
    add(f"slip_resistance of 10^6 velocities, {name}", 1e3 * least(lambda law=law: law.slip_resistance(v), 10), 1e3 * cpp, "ms")


class Puck(sl.System):
    dofs, constant_mass, steady_surfaces = 2, True, True

    def __init__(self, law):
        self.contacts = [sl.SystemContact(law)]

    def evaluate(self, t, q, u, at):
        at.mass[0, 0] = at.mass[1, 1] = 1.0
        contact = at.contacts[0]
        contact.normal_force = 9.81
        contact.tangents[0, 0] = contact.tangents[1, 1] = 1.0


ellipses = sl.Law(sl.Ellipse(0.6, 0.2, 0.5), sl.Ellipse(3, 1))
steps = [least(lambda s=s: sl.simulate(s, sl.Moreau(1e-5), u=[1.0, 0.5], duration=0.2, every=1000), 5) / 2e4
         for s in (Puck(ellipses), sl.SlidingBody(ellipses))]
add("a step of Moreau, the system written in Python", 1e6 * steps[0], 1e6 * steps[1], "µs")

folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else None
ratios = []
if folder and folder.is_dir():
    for path in sorted([*folder.glob("*.dat"), *folder.glob("*.hdf5")]):
        problem = sl.ContactProblem.read(path)
        python = least(lambda: sl.solve(problem, threads=1), 5)
        done = [json.loads(subprocess.run([BUILD / "slipset", "solve", path, "--json", "--threads", "1"], capture_output=True,
                                          text=True, check=False).stdout)["problems"][0]["seconds"] for _ in range(5)]
        ratios.append(max(python - 20e-6, 0) / min(done))
        add(f"solve {path.name}", 1e3 * python, 1e3 * min(done), "ms")

gradient = []
rng = np.random.default_rng(2)
for contacts in (3, 10, 30):
    h = rng.normal(size=(3 * contacts, 3 * contacts + 2))
    q = 3 * rng.normal(size=3 * contacts)
    q[::3] = -abs(q[::3])
    problem = sl.ContactProblem(h @ h.T, q, ellipses)
    solution = sl.solve(problem, threads=1)
    ones = np.ones(3 * contacts)
    try:
        python = least(lambda: sl.ContactDerivative(problem, solution).reverse(ones, ones))
    except sl.InvalidInput:
        continue
    add(f"a gradient of {contacts} contacts, over their solution", 1e3 * python,
        1e3 * least(lambda: sl.solve(problem, threads=1)), "ms")

commit = os.environ.get("SLIPSET_BENCH_COMMIT", "unknown")
model = next((line.split(": ")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "unknown")
lines = ["# benchmark: python", f"# date: {datetime.date.today()}", f"# commit: {commit}",
         f"# machine: {model}, {os.cpu_count()} cores", f"# compiler: Python {sys.version.split()[0]}, numpy {np.__version__}"]
if ratios:
    lines.append(f"# note: solve: (Python - 20 µs) over what the program tells, which has a cold start: at most {max(ratios):.2f}")
lines.append("what,python,beside,ratio,unit")
lines += [",".join(f'"{cell}"' if "," in cell else cell for cell in row) for row in rows]
text = "\n".join(lines) + "\n"
print(text)
if os.environ.get("SLIPSET_BENCH_RESULTS"):
    (pathlib.Path(os.environ["SLIPSET_BENCH_RESULTS"]) / "python.csv").write_text(text)
