#!/usr/bin/env python3
"""Makes a finite element model in steady sliding for `slipset stability`. See README.md."""

import argparse
import os
import shutil
import sys
import time
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # many small products: threads only get into each other's way

import numpy as np

from files import write_model
from friction import LAWS, Interface, preload_by_pivoting, preload_by_program
from models import MODELS


def preload(model, law, how, program, folder):
    """Normal forces of the contacts and a line that says how. Without initial gaps they are proportional to the load,
    so one solution is scaled to the sum wanted."""
    force = model.settings.force
    interface = Interface(model.stiffness, model.load * force, model.contacts)
    if how == "pivoting":
        normal, said = preload_by_pivoting(interface, law), "by pivoting"
    else:
        normal, report = preload_by_program(interface, law, program, folder)
        said = f"by slipset solve, {report['calls']} calls, last change {report['last_change']:.1e}"
    return normal * (force / normal.sum()), f"{said}; pressing force {force * force / normal.sum():.6g} N"


def interpolated(coarse, normal, fine):
    """Pressure of a coarse model at the contacts of a fine one, scaled to the force."""
    from scipy.interpolate import LinearNDInterpolator, NearestNDInterpolator

    (at, closed), (to, _) = coarse.interface, fine.interface
    pressure = normal / coarse.contacts.stiffness  # the same stiffness per area in both
    if closed:
        at = np.concatenate([at, at + [0, 2 * np.pi], at - [0, 2 * np.pi]])
        pressure = np.tile(pressure, 3)
    size = np.ptp(at, axis=0)
    value = LinearNDInterpolator(at / size, pressure)(to / size)
    outside = np.isnan(value)  # on the edge, by rounding
    value[outside] = NearestNDInterpolator(at / size, pressure)(to[outside] / size)
    result = value * fine.contacts.stiffness
    return result * (fine.settings.force / result.sum())


def find_program(given):
    name = given or os.environ.get("SLIPSET") or "slipset"
    found = shutil.which(name)
    if not found:
        sys.exit(f"make.py: program {name} not found; give --program, or set SLIPSET, or use --preload pivoting")
    return found


def build(name, size, out, law="non-associated", how="slipset", program=None, preload_size=12000, matrices="mtx",
          say=print, **changed):
    """Model and files; changed: other settings than the model's own. Returns the model, and its loaded contacts."""
    out = Path(out)
    out.mkdir(parents=True, exist_ok=True)
    make, settings = MODELS[name]
    settings = replace(settings, **changed)
    start = time.time()
    model = make(size, settings, keep_bodies=False)
    say(f"{name}: {model.size} unknowns, {model.stiffness.nnz} entries in K, {len(model.contacts)} contacts,"
        f" {time.time() - start:.1f} s")
    start = time.time()
    if size <= preload_size:
        normal, said = preload(model, LAWS[law], how, program, out)
    else:
        coarse = make(preload_size, settings, keep_bodies=False)
        normal, said = preload(coarse, LAWS[law], how, program, out)
        normal = interpolated(coarse, normal, model)
        said += f"; pressure of a model of {coarse.size} unknowns"
    model.contacts.force = normal
    loaded = model.contacts.subset(normal > 1e-9 * normal.max())
    say(f"preload {said}; {len(normal) - len(loaded)} contacts lift off; {time.time() - start:.1f} s")
    start = time.time()
    write_model(out, model, loaded, LAWS[law], law, matrices)
    say(f"written to {out}, {time.time() - start:.1f} s")
    return model, loaded


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", choices=MODELS)
    parser.add_argument("--size", type=int, default=1000, help="unknowns, about; 500 to 1000000")
    parser.add_argument("--out", required=True, help="folder for the files")
    parser.add_argument("--law", choices=LAWS, default="non-associated")
    parser.add_argument("--force", type=float, help="sum of the contacts' normal forces [N]")
    parser.add_argument("--speed", type=float, help="of the disc or flywheel [rad/s], negative: backwards")
    parser.add_argument("--grain", type=float, help="angle of the lining's and the law's first axis [degrees]")
    parser.add_argument("--follows", choices=("fixed", "circumference"), help="what the grain follows; default fixed")
    parser.add_argument("--layer-stiffness", type=float, help="of the contact [N/m3]")
    parser.add_argument("--preload", choices=("slipset", "pivoting"), default="slipset", help="which solver")
    parser.add_argument("--preload-size", type=int, default=12000, help="above it the pressure of a model of that size")
    parser.add_argument("--program", help="slipset; default: $SLIPSET, then the search path")
    parser.add_argument("--matrices", choices=("mtx", "mat"), default="mtx", help="Matrix Market or MATLAB 5 (below 2 GB)")
    a = parser.parse_args()
    changed = {key: getattr(a, key) for key in ("force", "speed", "grain", "follows", "layer_stiffness")
               if getattr(a, key) is not None}
    for key in ("force", "layer_stiffness"):
        if not changed.get(key, 1) > 0:
            parser.error(f"{key} must be positive")
    if a.size < 1 or a.preload_size < 1 or changed.get("speed") == 0:
        parser.error("sizes must be positive, the speed must not be zero")
    program = find_program(a.program) if a.preload == "slipset" else None
    build(a.model, a.size, a.out, a.law, a.preload, program, a.preload_size, a.matrices, **changed)


if __name__ == "__main__":
    main()
