"""Solvers of others that can be had as Python packages, for bench_contact and bench_contact_engines.

    peers.py list                                  lines `solver<TAB>name`, `engine<TAB>name`, `without<TAB>what and why`
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

# Modules beside this one, with the package that each needs.
MODULES = {"peer_pinocchio": "pin", "peer_mujoco": "mujoco", "peer_drake": "drake"}


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


def available():
    """Modules that can be imported, and why the others cannot."""
    modules, left_out = [], []
    for name, package in MODULES.items():
        try:
            modules.append(importlib.import_module(name))
        except ImportError as problem:
            left_out.append(f"{package}: not installed ({problem}); make peers")
    return modules, left_out


def main():
    out = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what packages print
    command, arguments = sys.argv[1], sys.argv[2:]
    modules, left_out = available() if command == "list" else (None, None)
    if command == "list":
        lines = [f"solver\t{name}\n" for module in modules for name in getattr(module, "SOLVERS", {})]
        lines += [f"engine\t{name}\n" for module in modules for name in getattr(module, "ENGINES", {})]
        lines += [f"without\t{words}\n" for words in left_out]
        os.write(out, "".join(lines).encode())
        return
    family = arguments[0].split()[0].lower()
    module = importlib.import_module(f"peer_{family}")
    numbers = module.solve(*arguments) if command == "solve" else module.step(*arguments)
    data = np.asarray(numbers, dtype=float).tobytes()
    while data:
        data = data[os.write(out, data):]


if __name__ == "__main__":
    # Pinocchio's Gauss-Seidel keeps a copy of W on the stack.
    threading.stack_size(1 << 30)
    thread = threading.Thread(target=main, daemon=True)
    thread.start()
    thread.join()
