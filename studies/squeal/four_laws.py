#!/usr/bin/env python3
"""What four friction laws predict for one structure: growing modes of a pad, a brake and a clutch by `slipset stability`.

    isotropic       C and D disks
    associated      D = C
    collinear       D a disk
    non-associated  D an ellipse of its own

C is an ellipse for the last three. What is kept the same when only the law is changed: structure, preload and slip, and
    reservoir       C, of which the isotropic law has the area: radius sqrt(a b)
    drag            the mean over the contacts of s.g/|g|, weighted by preload: C is scaled (the non-associated law is not)

Usage: four_laws.py [--pad DATA] [--brake SIZE] [--clutch SIZE] [--sweep] --work DIR; DATA has M.mtx, B.mtx, K.mtx,
contacts.csv and law.toml. A model that is not asked for is skipped. Results that are in the table already are kept, and
not computed again: remove the table to start anew. --sweep: the pad over the friction factor, and the picture (gnuplot).
"""

import argparse
import datetime
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from scipy.optimize import brentq

from compare import read_contacts, read_law
from friction import LAWS, Ellipse, Law
from make import build, find_program

HERE = Path(__file__).parent
DISK = Ellipse((1.0, 1.0))
PAD_MODE = 8640.0  # [rad/s], the first to go unstable


def scaled(law, factor):
    c = law.reservoir
    return Law(Ellipse(tuple(float(factor * x) for x in c.semi_axes), c.angle), law.direction)


def drag(law, contacts):
    """Mean of s.g/|g| over the contacts, weighted by preload."""
    along = np.einsum("ci,ci->c", law.resistance(contacts.slip), contacts.slip) / np.linalg.norm(contacts.slip, axis=1)
    return float(contacts.force @ along / contacts.force.sum())


def four(base, contacts, kept):
    c = base.reservoir
    radius = float(np.sqrt(c.semi_axes[0] * c.semi_axes[1]))
    laws = {"isotropic": Law(Ellipse((radius, radius)), DISK), "associated": Law(c, c), "collinear": Law(c, DISK),
            "non-associated": base}
    if kept == "drag":
        laws = {name: scaled(law, drag(base, contacts) / drag(law, contacts)) for name, law in laws.items()}
    return laws


class Model:
    """A folder with the files of a structure, in which scenarios are written and run."""

    def __init__(self, name, folder, table, system, band, growth, base, program):
        self.name, self.folder, self.table, self.system = name, folder, table, system
        self.base, self.program = base, program
        self.band, self.growth = band, growth
        self.contacts = read_contacts(folder / "contacts.csv")

    def stability(self, law, factor=1.0):
        laws = f"[{self.table}]\nreservoir = {law.reservoir.toml()}\ndirection = {law.direction.toml()}\n"
        path = self.folder / "four-laws.toml"
        path.write_text(f'{laws}[system]\nkind = "structure"\n{self.system}contacts = "contacts.csv"\n'
                        f"friction_factor = {float(factor)!r}\n[modes]\nband = {self.band}\ngrowth = {self.growth}\n")
        run = subprocess.run([self.program, "stability", str(path), "--json", "--threads", "1"], capture_output=True,
                             text=True)
        if run.returncode != 0:
            sys.exit(f"four_laws.py: slipset stability failed with exit code {run.returncode}: {run.stderr}{run.stdout}")
        return json.loads(run.stdout)


def pad_model(data, work, program):
    folder = work / "pad"
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("M.mtx", "B.mtx", "K.mtx", "contacts.csv"):
        (folder / name).write_bytes((data / name).read_bytes())
    base = read_law(tomllib.loads((data / "law.toml").read_text())["law"])
    system = 'M = "M.mtx"\nK = "K.mtx"\nD = "B.mtx"\n'
    return Model("pad", folder, "law", system, [0, 10000], [-3000, 5000], base, program)


def made_model(name, size, work, program):
    folder = work / name
    build(name, size, folder, "non-associated", "slipset", program)
    scenario = tomllib.loads((folder / "scenario.toml").read_text())
    system, modes = scenario["system"], scenario["modes"]
    rayleigh = system["rayleigh"]
    lines = (f'M = "{system["M"]}"\nK = "{system["K"]}"\n'
             f'rayleigh = {{ mass = {rayleigh["mass"]!r}, stiffness = {rayleigh["stiffness"]!r} }}\n')
    return Model(name, folder, "laws.lining", lines, modes["band"], modes["growth"], LAWS["non-associated"], program)


def near(modes, value):
    return min(modes, key=lambda m: abs(complex(m["growth_rate"], m["frequency"]) - value))


def rows(model, known):
    """Of each law the modes that grow, or else the one nearest to growing; of the pad always the mode near PAD_MODE.
    known: (model, kept, law) that are left out."""
    for kept in ("reservoir", "drag"):
        for name, law in four(model.base, model.contacts, kept).items():
            if (model.name, kept, name) in known:
                continue
            result = model.stability(law)
            modes = result["modes"]
            chosen = [m for m in modes if m["grows"]] or modes[:1]
            if model.name == "pad":
                extra = near(modes, 1j * PAD_MODE)
                chosen += [extra] if extra not in chosen else []
            yield [row_of(model, kept, name, law, result, m) for m in chosen]


def row_of(model, kept, name, law, result, mode):
    by = {x["mechanism"]: x["growth"] for x in mode["mechanisms"]}
    c, d = law.reservoir, law.direction
    return (f"{model.name},{result['dofs']},{kept},{name},"
            f"{c.semi_axes[0]:.6f},{c.semi_axes[1]:.6f},{c.angle:g},{d.semi_axes[0]:.6f},{d.semi_axes[1]:.6f},"
            f"{d.angle:g},{drag(law, model.contacts):.6f},{mode['growth_rate']:.6f},{mode['frequency']:.6f},"
            f"{mode['frequency_hz']:.4f},{str(mode['grows']).lower()},{by.get('anisotropy', 0):.4f},"
            f"{by.get('mode coupling', 0):.4f},{by.get('structure', 0):.4f},{str(result['complete']).lower()}")


def sweep(model, out, note):
    """The pad over the friction factor: largest growth rate of all modes, and the mode near PAD_MODE, followed."""
    lines, critical = [note, "law,friction_factor,largest_growth,its_frequency,followed_growth,followed_frequency"], []
    for name, law in four(model.base, model.contacts, "reservoir").items():
        largest = lambda factor: model.stability(law, factor)["modes"][0]
        at, before = 1j * PAD_MODE, None
        for factor in np.arange(1, 26) / 10:
            modes = model.stability(law, factor)["modes"]
            top, mine = modes[0], near(modes, at)
            at = complex(mine["growth_rate"], mine["frequency"])
            lines.append(f"{name},{factor:.1f},{top['growth_rate']:.6f},{top['frequency']:.4f},{at.real:.6f},{at.imag:.4f}")
            if before is not None and before < 0 < top["growth_rate"] and not any(c[0] == name for c in critical):
                value = brentq(lambda f: largest(f)["growth_rate"], factor - 0.1, factor, xtol=1e-7)
                critical.append((name, value, largest(value)["frequency"]))
                print("first instability:", *critical[-1], flush=True)
            before = top["growth_rate"]
    lines[1:1] = [f"# first instability, {name}: friction factor {value:.6f}, {frequency:.2f} rad/s"
                  for name, value, frequency in critical]
    out.write_text("\n".join(lines) + "\n")


PLOT = """set terminal pngcairo size 1100,470 font "DejaVu Sans,11"
set output "{image}"
set datafile separator ","
set datafile commentschars "#"
set multiplot layout 1,2
set grid lc rgb "#dddddd"
set xlabel "factor on all friction"
set ylabel "growth rate [1/s]"
set xzeroaxis lt 1 lc rgb "black"
set arrow 1 from 1, graph 0 to 1, graph 1 nohead dt 3 lc rgb "#888888"
names = "isotropic associated collinear non-associated"
colour(i) = word("#888888 #1f77b4 #2ca02c #d95f02", i)
of(i) = sprintf("< grep '^%s,' {table}", word(names, i))
set key bottom left
set title "the mode near 8.6·10³ rad/s"
set yrange [-900:350]
plot for [i=1:4] of(i) using 2:5 with lines lw 2 lc rgb colour(i) title word(names, i)
set title "largest growth rate of all modes up to 10 kHz"
set yrange [-200:2500]
set key top left
plot for [i=1:4] of(i) using 2:3 with lines lw 2 lc rgb colour(i) title word(names, i)
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pad", type=Path, help="folder of the pad's files")
    parser.add_argument("--brake", type=int, help="unknowns, about")
    parser.add_argument("--clutch", type=int, help="unknowns, about")
    parser.add_argument("--sweep", action="store_true")
    parser.add_argument("--work", type=Path, required=True, help="folder for models and scenarios")
    parser.add_argument("--out", type=Path, default=HERE / "results")
    parser.add_argument("--image", type=Path, default=HERE / "../../docs/images/four-laws.png")
    parser.add_argument("--program", help="slipset; default: $SLIPSET, then the search path")
    a = parser.parse_args()
    program = find_program(a.program)
    version = subprocess.run([program, "--version"], capture_output=True, text=True).stdout.strip()
    note = f"# {datetime.date.today()}, {version}, numpy {np.__version__}; four_laws.py"
    a.out.mkdir(parents=True, exist_ok=True)
    models = []
    if a.pad and not (a.pad / "law.toml").exists():
        print(f"four_laws.py: pad skipped, {a.pad} has no law.toml")
    elif a.pad:
        models.append(pad_model(a.pad, a.work, program))
    models += [made_model(name, size, a.work, program)
               for name, size in (("pad_on_disc", a.brake), ("clutch_facing", a.clutch)) if size]
    table = a.out / "four-laws.csv"
    if not table.exists():
        table.write_text(note + "\nmodel,unknowns,kept,law,c1,c2,c_angle,d1,d2,d_angle,drag,growth,frequency,frequency_hz,grows,"
                         "anisotropy,mode_coupling,structure,complete\n")
    known = {tuple(line.split(",")[i] for i in (0, 2, 3)) for line in table.read_text().splitlines()[2:]}
    for model in models:
        for found in rows(model, known):
            with open(table, "a") as file:
                file.write("\n".join(found) + "\n")
            print(*found, sep="\n", flush=True)
    if a.sweep and models and models[0].name == "pad":
        swept = a.out / "four-laws-pad.csv"
        sweep(models[0], swept, note)
        subprocess.run(["gnuplot"], input=PLOT.format(image=a.image, table=swept), text=True, check=True)


if __name__ == "__main__":
    main()
