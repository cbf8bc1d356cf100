"""Where modes of the pad begin to grow with more friction, for four laws: results/four-laws-critical.csv.

    critical.py PAD [--program build/release/slipset]

PAD is the folder with M.mtx, B.mtx, K.mtx and contacts.csv of the pad of 216 unknowns. Sweeps of `slipset stability`.
"""
import argparse
import csv
import json
import pathlib
import subprocess
import tempfile

ELLIPSE = 'reservoir = { shape = "ellipse", semi_axes = [0.6, 0.3], angle = 30 }'
LAWS = {
    "isotropic": 'reservoir = { shape = "disk", radius = 0.42426406871192851 }',
    "associated": ELLIPSE,
    "collinear": ELLIPSE + '\ndirection = "collinear"',
    "non-associated": ELLIPSE + '\ndirection = { shape = "ellipse", semi_axes = [3, 1] }',
}
SCENARIO = """[law]
{law}
[system]
kind = "structure"
M = "{pad}/M.mtx"
K = "{pad}/K.mtx"
D = "{pad}/B.mtx"
contacts = "{pad}/contacts.csv"
[modes]
band = [0, 5000]
growth = [-3000, 5000]
[sweep]
parameter = "system.friction_factor"
from = 0.02
to = 3
count = 150
"""


def critical_values(program, pad, law):
    with tempfile.TemporaryDirectory() as folder:
        scenario = pathlib.Path(folder) / "pad.toml"
        scenario.write_text(SCENARIO.format(law=law, pad=pad))
        run = subprocess.run([program, "stability", scenario, "--json"], capture_output=True, text=True, check=True)
    return json.loads(run.stdout)["critical"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pad", type=pathlib.Path)
    parser.add_argument("--program", default="build/release/slipset")
    options = parser.parse_args()
    results = pathlib.Path(__file__).parent / "results" / "four-laws-critical.csv"
    with results.open("w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["law", "friction_factor", "becomes", "frequency_rad_per_s"])
        for name, law in LAWS.items():
            for row in critical_values(options.program, options.pad.resolve(), law):
                out.writerow([name, row["value"], row["to"], row["frequency"]])


main()
