#!/usr/bin/env python3
"""The error of modal projection on the public brake (4669 unknowns): eigenvalues projected onto undamped modes beside the
exact ones of `slipset stability`. Usage: projection.py DATA [--out FILE] [--program slipset], where DATA has BMLL00.mat
and the other seven files of github.com/nae9on/BrakeSqueal0.1. Without them nothing is done, and this is said.

    M = M1,  D = D1 + w DG + DR/w [- DR + D4/(2 pi 1600)],  K = K1 + KR + w^2 KGeo [- KGeo]

with [...] "full", without "docstring" (that of the repository's assemble.py). Projected onto the modes X of M1 and a
symmetric stiffness, lowest first: the eigenvalues of X^T (M l^2 + D l + K) X. Basis "frictionless": K1 + w^2 KGeo [- KGeo];
"symmetrised": (K + K^T)/2.
"""

import argparse
import datetime
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import scipy
import scipy.io
import scipy.sparse as sparse
import scipy.sparse.linalg as linalg

from make import find_program

FILES = {"M1": "BMLL", "D1": "BDLL", "DG": "BYLL", "DR": "BDIWLL", "D4": "BHLL", "K1": "BKLL", "KR": "BKQLL", "KGeo": "BWLL"}
SPEED = 4 * np.pi  # [rad/s]
COUNTS = (20, 50, 100, 200, 300)
HIGHEST = 42000.0  # [rad/s]
NEAR = {"docstring": 17460.0, "full": 17400.0}  # the mode of the table [rad/s]

# Of each formula: (matrix, in, coefficient, power of the speed); the first of K and of D are [system] K and D.
TERMS = {
    "docstring": [("DG", "D", 1.0, 1), ("DR", "D", 1.0, -1), ("KR", "K", 1.0, 0), ("KGeo", "K", 1.0, 2)],
}
TERMS["full"] = TERMS["docstring"] + [("DR", "D", -1.0, 0), ("D4", "D", 1 / (2 * np.pi * 1600), 0), ("KGeo", "K", -1.0, 0)]


def read(folder):
    return {key: sparse.csc_array(scipy.io.loadmat(folder / f"{name}00.mat")[name]) for key, name in FILES.items()}


def composed(of, formula):
    """D, K, and the symmetric K without friction."""
    total = {"D": of["D1"], "K": of["K1"], "symmetric": of["K1"]}
    for name, where, coefficient, power in TERMS[formula]:
        term = coefficient * SPEED**power * of[name]
        total[where] = total[where] + term
        if name == "KGeo":
            total["symmetric"] = total["symmetric"] + term
    return total["D"], total["K"], total["symmetric"]


def undamped_modes(mass, stiffness, count):
    """Lowest first, mass-normalised; the start of the iteration is fixed, so that a second run gives the same."""
    start = np.random.default_rng(0).normal(size=mass.shape[0])
    squares, modes = linalg.eigsh(stiffness, k=count, M=mass, sigma=0, which="LM", v0=start, tol=1e-12)
    order = np.argsort(squares)
    return np.sqrt(np.maximum(squares[order], 0)), modes[:, order]


def projected(mass, damping, stiffness, modes):
    n = modes.shape[1]
    m, d, k = (modes.T @ (a @ modes) for a in (mass, damping, stiffness))
    step = lambda a: -np.linalg.solve(m, a)
    values = np.linalg.eigvals(np.block([[np.zeros((n, n)), np.eye(n)], [step(k), step(d)]]))
    return values[values.imag > 0]


def exact(folder, formula, program):
    """Those of slipset in the band, growth rates from -20 up; the program's report."""
    at = lambda key: f'{{ file = "{(folder / (FILES[key] + "00.mat")).resolve()}", variable = "{FILES[key]}" }}'
    terms = ",\n          ".join(f'{{ matrix = {at(name)}, in = "{where}", coefficient = {coefficient!r}, power = {power} }}'
                                 for name, where, coefficient, power in TERMS[formula])
    scenario = f"""[system]
kind = "structure"
M = {at("M1")}
D = {at("D1")}
K = {at("K1")}
speed = {SPEED!r}
terms = [ {terms} ]
[modes]
band = [0, {HIGHEST / 2 / np.pi!r}]
growth = [-20, 1000]
"""
    with tempfile.TemporaryDirectory() as work:
        path = Path(work) / "brake.toml"
        path.write_text(scenario)
        run = subprocess.run([program, "stability", str(path), "--json"], capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"projection.py: slipset stability failed with exit code {run.returncode}: {run.stderr}{run.stdout}")
    result = json.loads(run.stdout)
    return np.array([complex(*x) for x in result["eigenvalues"]]), result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results/projection.csv")
    parser.add_argument("--program", help="slipset; default: $SLIPSET, then the search path")
    a = parser.parse_args()
    missing = [name for name in FILES.values() if not (a.data / f"{name}00.mat").exists()]
    if missing:
        print(f"projection.py: skipped, {a.data} lacks {', '.join(name + '00.mat' for name in missing)}"
              " (github.com/nae9on/BrakeSqueal0.1)")
        return
    program = find_program(a.program)
    version = subprocess.run([program, "--version"], capture_output=True, text=True).stdout.strip()
    of = read(a.data)
    lines = [f"# {datetime.date.today()}, {version}, numpy {np.__version__}, scipy {scipy.__version__};"
             " brake of github.com/nae9on/BrakeSqueal0.1, speed 4 pi rad/s, modes up to 42000 rad/s; projection.py",
             "formula,basis,modes,highest_mode,growth,frequency,growth_error,unstable,complete,growing"]
    for formula in TERMS:
        damping, stiffness, symmetric = composed(of, formula)
        values, report = exact(a.data, formula, program)
        nearest = lambda v: v[np.abs(v - (75 + 1j * NEAR[formula])).argmin()]
        growing = lambda v: sorted(v[(v.real > 1e-6) & (v.imag <= HIGHEST)], key=lambda x: x.imag)
        listed = lambda v: " ".join(f"{x:.6f}" for x in growing(v))
        truth = nearest(values)
        for basis, k in (("frictionless", symmetric), ("symmetrised", (stiffness + stiffness.T) / 2)):
            frequencies, modes = undamped_modes(of["M1"], k, max(COUNTS))
            for count in COUNTS:
                v = projected(of["M1"], damping, stiffness, modes[:, :count])
                x = nearest(v)
                lines.append(f"{formula},{basis},{count},{frequencies[count - 1]:.1f},{x.real:.6f},{x.imag:.6f},"
                             f"{x.real - truth.real:.6f},{len(growing(v))},,{listed(v)}")
                print(lines[-1])
        lines.append(f"{formula},,exact,,{truth.real:.9f},{truth.imag:.9f},0,{len(growing(values))},"
                     f"{str(report['complete']).lower()},{listed(values)}")
        print(lines[-1])
    a.out.parent.mkdir(parents=True, exist_ok=True)
    a.out.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
