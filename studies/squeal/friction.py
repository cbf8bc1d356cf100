"""Friction laws of two ellipses, and the preload of contacts that slide in known directions.

Law: C = { t : t^T A^-1 t <= 1 } with semi-axes and an angle from the contact's first tangent, D likewise with B.
    s(g) = B g / h,  h = sqrt(g^T B A^-1 B g),  ds/dg = B/h - B g (B A^-1 B g)^T / h^3       (z = B g / sqrt(g^T B g),
s = z / gauge_C(z): docs/theory/laws.md.)

Preload: static equilibrium of an elastic structure whose contacts slide,
    K u = f + H p,  p = (N, -N s(g)),  0 <= N  orthogonal to  n.r + N/k >= 0,  r = H^T u
with k the contact's own stiffness. This is the contact problem of docs/formats.md with the compliance W = H^T K^-1 H
(and 1/k on the normals) as Delassus matrix and displacements as velocities.
"""

import csv
import json
import subprocess
from dataclasses import dataclass

import h5py
import numpy as np
import scipy.sparse as sparse
import scipy.sparse.linalg as linalg


@dataclass(frozen=True)
class Ellipse:
    semi_axes: tuple
    angle: float = 0.0  # [degrees]

    def matrix(self):
        c, s = np.cos(np.radians(self.angle)), np.sin(np.radians(self.angle))
        r = np.array([[c, -s], [s, c]])
        return r @ np.diag(np.square(self.semi_axes)) @ r.T

    def toml(self):
        a, b = self.semi_axes
        return f'{{ shape = "ellipse", semi_axes = [{a!r}, {b!r}], angle = {self.angle!r} }}'


@dataclass(frozen=True)
class Law:
    reservoir: Ellipse
    direction: Ellipse

    def _terms(self, slip):
        slip = np.atleast_2d(slip)
        b = self.direction.matrix()
        bg = slip @ b
        bab = b @ np.linalg.solve(self.reservoir.matrix(), b)
        return b, bg, slip @ bab, np.sqrt(np.einsum("ni,ij,nj->n", slip, bab, slip))

    def resistance(self, slip):
        """s(g), one row per slip velocity."""
        _, bg, _, h = self._terms(slip)
        return bg / h[:, None]

    def derivative(self, slip):
        """ds/dg, one 2 x 2 matrix per slip velocity."""
        b, bg, babg, h = self._terms(slip)
        return b / h[:, None, None] - bg[:, :, None] * babg[:, None, :] / (h**3)[:, None, None]


LINING = Ellipse((0.5, 0.3), 20.0)  # angles from the grain of the lining, which is the first tangent
LAWS = {
    "isotropic": Law(Ellipse((0.4, 0.4)), Ellipse((1.0, 1.0))),
    "associated": Law(LINING, LINING),
    "collinear": Law(LINING, Ellipse((1.0, 1.0))),
    "non-associated": Law(LINING, Ellipse((2.0, 1.0))),
}


@dataclass
class Contacts:
    """One row per contact. unknowns: 0-based numbers of its (relative) displacements along x, y, z."""

    unknowns: np.ndarray
    places: np.ndarray
    normal: np.ndarray  # from the surface into the body
    tangent: np.ndarray
    stiffness: np.ndarray  # [N/m]
    slip: np.ndarray  # of the body against the surface along tangent, normal x tangent [m/s]
    force: np.ndarray | None = None  # preload [N]

    def __len__(self):
        return len(self.unknowns)

    def frames(self):
        """n, t1, t2 as rows of a 3 x 3 matrix for each contact."""
        return np.stack([self.normal, self.tangent, np.cross(self.normal, self.tangent)], axis=1)

    def rows(self, size):
        """H: unknowns x (3 per contact: n, t1, t2)."""
        count = len(self)
        i = np.broadcast_to(self.unknowns[:, None, :], (count, 3, 3))
        j = np.broadcast_to(np.arange(3 * count).reshape(count, 3, 1), (count, 3, 3))
        return sparse.csc_array((self.frames().ravel(), (i.ravel(), j.ravel())), shape=(size, 3 * count))

    def subset(self, keep):
        pick = lambda a: None if a is None else a[keep]
        return Contacts(*(pick(getattr(self, name)) for name in self.__dataclass_fields__))


class Interface:
    """Compliance of the contacts and displacements by the load: the structure, condensed to its interface."""

    def __init__(self, stiffness, load, contacts):
        self.factors = linalg.splu(stiffness.tocsc(), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0,
                                   options={"SymmetricMode": True})
        self.load, self.contacts = load, contacts
        self.h = contacts.rows(stiffness.shape[0])
        w = np.empty((self.h.shape[1],) * 2)
        for first in range(0, w.shape[1], 96):
            columns = self.h[:, first:first + 96].toarray()
            w[:, first:first + 96] = self.h.T @ self.factors.solve(columns)
        self.w = (w + w.T) / 2
        self.q = self.h.T @ self.factors.solve(load)

    def with_own_stiffness(self):
        w = self.w.copy()
        normals = np.arange(0, len(w), 3)
        w[normals, normals] += 1 / self.contacts.stiffness
        return w

    def displacements(self, p):
        return self.factors.solve(self.load + self.h @ p)


def preload_by_pivoting(interface, law):
    """Normal forces by an active set. The matrix is unsymmetric because of friction."""
    contacts = interface.contacts
    s = law.resistance(contacts.slip)
    w = interface.with_own_stiffness()
    a = w[::3, ::3] - w[::3, 1::3] * s[:, 0] - w[::3, 2::3] * s[:, 1]
    b = interface.q[::3]
    active = np.ones(len(contacts), bool)
    for _ in range(200):
        force = np.zeros(len(contacts))
        force[active] = np.linalg.solve(a[np.ix_(active, active)], -b[active])
        gap = a @ force + b
        change = (force < 0) | (~active & (gap < 0))
        if not change.any():
            return force
        active ^= change
    raise RuntimeError("the active set of the preload did not settle; use the program's solver")


def write_problem(path, w, q, law):
    """A local problem of FCLib with an anisotropic law (docs/formats.md)."""
    n = len(q) // 3
    with h5py.File(path, "w") as file:
        local = file.create_group("fclib_local")
        local["spacedim"] = np.array([3], np.int32)
        matrix = local.create_group("W")
        for name, value in {"m": 3 * n, "n": 3 * n, "nzmax": 9 * n * n, "nz": -2}.items():
            matrix[name] = np.array([value], np.int32)
        matrix["p"] = np.arange(0, 9 * n * n + 1, 3 * n, dtype=np.int32)
        matrix["i"] = np.tile(np.arange(3 * n, dtype=np.int32), 3 * n)
        matrix["x"] = w.ravel()
        local["vectors/q"] = q
        local["vectors/mu"] = np.full(n, max(law.reservoir.semi_axes))
        group = file.create_group("slipset")
        group.attrs["version"] = 1.0
        group["law"] = np.zeros(n, np.int32)
        group["angle"] = np.zeros(n)
        for name, shape in {"reservoir": law.reservoir, "direction": law.direction}.items():
            group[f"laws/0/{name}"] = np.array([*shape.semi_axes, shape.angle])
            group[f"laws/0/{name}"].attrs["shape"] = "ellipse"


def preload_by_program(interface, law, program, folder, tolerance=1e-12, largest_change=1e-10):
    """Normal forces by `slipset solve`, and a report. The program turns the resistance with the whole tangential
    displacement; the direction of sliding is that of the velocity alone. So the elastic part is subtracted from q in
    the next of a few calls: at the end the tangential displacement is along the slip velocity."""
    contacts, w = interface.contacts, interface.with_own_stiffness()
    way = np.zeros((len(contacts), 3))
    way[:, 1:] = contacts.slip / np.linalg.norm(contacts.slip, axis=1)[:, None]
    way = way.ravel() * 30 * np.abs(interface.q).max()  # well above the elastic displacements
    tangential = np.tile([False, True, True], len(contacts))
    elastic, before, path = np.where(tangential, interface.q, 0.0), None, folder / "preload.hdf5"
    for call in range(1, 21):
        write_problem(path, w, interface.q + way - elastic, law)
        run = subprocess.run([program, "solve", str(path), "--json", "--threads", "1", "--tolerance", repr(tolerance),
                              "--out", str(folder)], capture_output=True, text=True)
        if run.returncode != 0:
            raise RuntimeError(f"slipset solve failed with exit code {run.returncode}: {run.stderr}{run.stdout}")
        p, report = read_impulses(folder / "preload.hdf5.csv"), json.loads(run.stdout)
        elastic = np.where(tangential, w @ p + interface.q, 0.0)
        change = np.inf if before is None else np.abs(p - before).max() / np.abs(p).max()
        if change < largest_change:
            return p[::3], {"calls": call, "last_change": change, "report": report}
        before = p
    raise RuntimeError(f"the direction of sliding did not settle; last change {change:.1e}")


def read_impulses(path):
    with open(path, newline="") as file:
        rows = [[float(row[name]) for name in ("impulse_n", "impulse_t1", "impulse_t2")] for row in csv.DictReader(file)]
    return np.array(rows).ravel()
