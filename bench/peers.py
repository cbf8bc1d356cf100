"""Solvers of others that can be had as Python packages, for bench_contact and bench_contact_engines.

    peers.py list KIND                             KIND solver or engine: lines `KIND<TAB>name`, `without<TAB>what and why`,
                                                   and with engines `scene<TAB>name`
    peers.py solve NAME FILE TOLERANCE LIMIT       one solver, one problem (Siconos .dat)
    peers.py step NAME SCENE FILE LIMIT            one step of an engine; writes the rigid contact problem of it to FILE

solve and step write doubles to standard output: seconds (the median of repetitions, of the solver alone), then impulses,
normal first. step writes first how far the engine's velocities are from those of its impulses. A solution that takes longer
than LIMIT seconds ends the process, and nothing is written. `pip install -r requirements-peers.txt`, or make peers.
"""
import importlib
import os
import signal
import statistics
import sys
import threading
import time

import numpy as np

# Modules beside this one, with the package that each needs. A peer's name begins with its module's.
MODULES = {"solver": {"peer_pinocchio": "pin"}, "engine": {"peer_mujoco": "mujoco", "peer_drake": "drake"}}


def within(once, limit):
    """What once() returns, its time first. Beyond the limit the process is ended, since a solver in C++ hears nothing else."""
    signal.setitimer(signal.ITIMER_REAL, limit)
    answer = once()
    signal.setitimer(signal.ITIMER_REAL, 0)
    return answer


def repeat(once, limit):
    """The median time of once(), and its last answer. bench/timing.hpp has the rule."""
    seconds = []
    while True:
        taken, answer = within(once, limit)
        seconds.append(taken)
        n, least = len(seconds), min(seconds)
        if n >= 200 or (sum(seconds) >= 0.1 and n >= (5 if least < 0.1 else 3 if least < 1 else 1)):
            return statistics.median(seconds), answer


def timed(call):
    start = time.perf_counter()
    answer = call()
    return time.perf_counter() - start, answer


def listing(kind):
    lines = []
    for name, package in MODULES[kind].items():
        try:
            module = importlib.import_module(name)
        except ImportError as problem:
            lines.append(f"without\t{package}: not installed ({problem}); make peers")
            continue
        lines += [f"{kind}\t{peer}" for peer in (module.SOLVERS if kind == "solver" else module.ENGINES)]
    if kind == "engine":
        lines += [f"scene\t{scene}" for scene in importlib.import_module("peer_scenes").SCENES]
    return "".join(line + "\n" for line in lines).encode()


def main():
    out = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what packages print
    command, arguments = sys.argv[1], sys.argv[2:]
    if command == "list":
        data = listing(arguments[0])
    else:
        module = importlib.import_module("peer_" + arguments[0].split()[0].lower())
        data = np.asarray(getattr(module, command)(*arguments), dtype=float).tobytes()
    while data:
        data = data[os.write(out, data):]


if __name__ == "__main__":
    # Pinocchio's Gauss-Seidel keeps a copy of W on the stack.
    threading.stack_size(1 << 30)
    thread = threading.Thread(target=main, daemon=True)
    thread.start()
    thread.join()
