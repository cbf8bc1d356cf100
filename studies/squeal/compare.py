#!/usr/bin/env python3
"""Eigenvalues of a model's folder by SciPy, composed from its files as in docs/theory/structures.md (F.13), and the
largest difference from those of `slipset stability --json`. Usage: compare.py DIR [RESULT.json] [--sparse]"""

import argparse
import json
import os
import tomllib
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import fast_matrix_market
import numpy as np
import scipy.io
import scipy.linalg
import scipy.sparse as sparse
import scipy.sparse.linalg as linalg

from friction import Contacts, Ellipse, Law


def read_matrix(folder, entry):
    if isinstance(entry, str):
        return sparse.csc_array(fast_matrix_market.mmread(str(folder / entry)))
    return sparse.csc_array(scipy.io.loadmat(folder / entry["file"])[entry["variable"]])


def read_contacts(path):
    table = np.genfromtxt(path, delimiter=",", names=True, usecols=range(13), ndmin=1)
    columns = lambda *names: np.stack([table[name] for name in names], axis=1)
    return Contacts(columns("ux", "uy", "uz").astype(int), None, columns("nx", "ny", "nz"), columns("tx", "ty", "tz"),
                    table["stiffness"], columns("slip1", "slip2"), table["force"])


def read_law(table):
    ellipse = lambda t: Ellipse(tuple(t["semi_axes"]), t.get("angle", 0.0))
    return Law(ellipse(table["reservoir"]), ellipse(table["direction"]))


def contact_terms(contacts, law):
    """D_c and K_c of each contact, 3 x 3 in x, y, z."""
    frames = contacts.frames()
    n, t = frames[:, 0], np.swapaxes(frames[:, 1:], 1, 2)
    s, derivative = law.resistance(contacts.slip), law.derivative(contacts.slip)
    damping = contacts.force[:, None, None] * (t @ derivative @ np.swapaxes(t, 1, 2))
    pushed = n - np.einsum("cij,cj->ci", t, s)
    return damping, contacts.stiffness[:, None, None] * pushed[:, :, None] * n[:, None, :]


def spread(blocks, at, size):
    """Blocks (one per contact) at the given unknowns, as a sparse matrix."""
    i = np.broadcast_to(at[:, :, None], blocks.shape).ravel()
    j = np.broadcast_to(at[:, None, :], blocks.shape).ravel()
    return sparse.csc_array((blocks.ravel(), (i, j)), shape=(size, size))


def matrices(folder):
    """M, D, K of steady sliding, and the box (growth from, to, frequency from, to) [1/s, rad/s]."""
    scenario = tomllib.loads((folder / "scenario.toml").read_text())
    system, modes = scenario["system"], scenario["modes"]
    mass, stiffness = read_matrix(folder, system["M"]), read_matrix(folder, system["K"])
    contacts = read_contacts(folder / system["contacts"])
    damping_c, stiffness_c = contact_terms(contacts, read_law(scenario["laws"]["lining"]))
    size = mass.shape[0]
    rayleigh = system["rayleigh"]
    damping = (rayleigh["mass"] * mass + rayleigh["stiffness"] * stiffness
               + spread(damping_c, contacts.unknowns, size))
    box = (*modes["growth"], *(2 * np.pi * f for f in modes["band"]))
    return mass, damping, stiffness + spread(stiffness_c, contacts.unknowns, size), box


def all_eigenvalues(mass, damping, stiffness):
    """Of mass l2 + damping l + stiffness, dense. With the Cholesky factor of the mass a standard problem, scaled."""
    factor = np.linalg.cholesky(mass.toarray())
    inner = lambda a: scipy.linalg.solve_triangular(
        factor, scipy.linalg.solve_triangular(factor, a.toarray(), lower=True).T, lower=True).T
    d, k = inner(damping), inner(stiffness)
    scale = np.sqrt(np.linalg.norm(k, 2))
    n = len(d)
    return scale * np.linalg.eigvals(np.block([[np.zeros((n, n)), np.eye(n)], [-k / scale**2, -d / scale]]))


def eigenvalues_near(mass, damping, stiffness, shift, count):
    """By shift and invert: Arnoldi with one sparse factorisation."""
    n = mass.shape[0]
    factors = linalg.splu((shift**2 * mass + shift * damping + stiffness).astype(complex).tocsc(),
                          permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.1, options={"SymmetricMode": True})
    rest = (shift * mass + damping).astype(complex)

    def step(z):  # (A - shift B)^-1 B z of the linear problem in (x, l x)
        x, y = z[:n], z[n:]
        u = -factors.solve(rest @ x + mass @ y)
        return np.concatenate([u, x + shift * u])

    values = linalg.eigs(linalg.LinearOperator((2 * n, 2 * n), step, dtype=complex), k=count, which="LM",
                         return_eigenvectors=False, tol=1e-12)
    return shift + 1 / values


def refined(mass, damping, stiffness, value):
    """An eigenvalue from an estimate on: inverse iteration on both sides, root of y^H Q(l) x (F.15). The error of the
    dense way is that of its largest eigenvalues; this one's is the rounding of the matrices."""
    x = np.random.default_rng(0).normal(size=mass.shape[0]).astype(complex)
    y = x.copy()
    for _ in range(6):
        at = value * (1 + 1e-12)
        factors = linalg.splu((at**2 * mass + at * damping + stiffness).astype(complex).tocsc())
        slope = 2 * at * mass + damping
        for _ in range(2):
            x, y = factors.solve(slope @ x), factors.solve(slope.T @ y.conj(), "T").conj()
            x, y = x / np.linalg.norm(x), y / np.linalg.norm(y)
        roots = np.roots([y.conj() @ (a @ x) for a in (mass, damping, stiffness)])
        before, value = value, roots[np.abs(roots - value).argmin()]
        if abs(value - before) < 1e-13 * abs(value):
            break
    return value


def in_box(values, box):
    keep = (values.real >= box[0]) & (values.real <= box[1]) & (values.imag >= box[2]) & (values.imag <= box[3])
    found = values[keep & (values.imag >= 0)]
    return found[np.argsort(-found.real)]


def all_in_box(mass, damping, stiffness, box):
    """Dense, then refined."""
    near = in_box(all_eigenvalues(mass, damping, stiffness), (box[0] - 1, box[1] + 1, box[2], box[3] + 1))
    return in_box(np.array([refined(mass, damping, stiffness, value) for value in near]), box)


def largest_difference(values, others):
    """Relative, each of `others` with the nearest of `values`."""
    return max(np.abs(values - o).min() / abs(o) for o in others)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("result", nargs="?", type=Path, help="of slipset stability --json")
    parser.add_argument("--sparse", action="store_true", help="only the 60 eigenvalues nearest to the middle of the box")
    a = parser.parse_args()
    mass, damping, stiffness, box = matrices(a.folder)
    if a.sparse:
        values = eigenvalues_near(mass, damping, stiffness, 1j * (box[2] + box[3]) / 2, min(60, mass.shape[0]))
    else:
        values = all_in_box(mass, damping, stiffness, box)
    inside = in_box(values, box)
    print(f"{len(inside)} eigenvalues in the box (growth rate [1/s], frequency [Hz]):")
    for value in inside:
        print(f"{value.real:12.4f} {value.imag / 2 / np.pi:12.3f}")
    if a.result:
        others = np.array([complex(*x) for x in json.loads(a.result.read_text())["eigenvalues"]])
        print(f"slipset: {len(others)} eigenvalues; largest relative difference {largest_difference(values, others):.1e}")


if __name__ == "__main__":
    main()
