#!/usr/bin/env python3
"""Checks of the models against closed forms and second ways. `check.py` takes about a minute; `--long` adds `slipset
stability` and the convergence over size, about ten minutes. --program or $SLIPSET names slipset; without it the checks
that need it are left out."""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import scipy.sparse as sparse
import scipy.sparse.linalg as linalg
from scipy.optimize import brentq
from scipy.special import iv, ivp, jv, jvp, kv, kvp, yv, yvp
from skfem import Basis, ElementHex1, ElementHex2, ElementVector, MeshHex, asm
from skfem.models.elasticity import lame_parameters, linear_elasticity

import bricks
import compare
import models
from friction import LAWS, Interface, preload_by_pivoting, preload_by_program
from make import build

CHECKS = []


def check(function):
    CHECKS.append(function)
    return function


def small(what, value, limit):
    print(f"  {what}: {value:.2e} (limit {limit:.0e})", flush=True)
    assert value <= limit, f"{what}: {value} is above {limit}"


def relative(value, expected):
    return abs(value / expected - 1)


# ---- elements -------------------------------------------------------------------------------------------------------

TIMBER = bricks.Material(600, (11e9, 0.9e9, 0.5e9), (0.4, 0.45, 0.5), (0.1e9, 0.7e9, 0.6e9))


def distorted_box(material, sizes=(1.0, 0.6, 0.4)):
    """3 x 3 x 3 elements; what is inside is moved about, with curved edges."""
    body = bricks.box(*(np.linspace(0, a, 4) for a in sizes), material)
    x = body.mesh.doflocs
    inside = np.all((x > 1e-9) & (x < np.array(sizes)[:, None] - 1e-9), axis=0)
    x[:, inside] += 0.02 * np.random.default_rng(1).uniform(-1, 1, (3, inside.sum()))
    return body, inside


@check
def same_as_scikit_fem():
    """Our element matrices against scikit-fem's own assembly."""
    body = bricks.sector(np.linspace(0.1, 0.2, 3), np.linspace(0, 1, 4), np.array([0, 0.05]), [1],
                         [bricks.isotropic(7850, 2.1e11, 0.3)])
    _, stiffness = body.mass_and_stiffness()
    basis = Basis(body.mesh, ElementVector(ElementHex2()), intorder=bricks.ORDER)
    theirs = asm(linear_elasticity(*lame_parameters(2.1e11, 0.3)), basis)
    rng = np.random.default_rng(0)
    u = rng.normal(size=stiffness.shape[0])
    at = np.empty(len(u), int)  # scikit-fem numbers all unknowns of vertices, then edges, ...
    at[basis.element_dofs.reshape(27, 3, -1)] = (3 * body.dofs.element_dofs[:, None] + np.arange(3)[:, None])
    small("K u, relative", np.abs((theirs @ u[at]) - (stiffness @ u)[at]).max() / np.abs(stiffness @ u).max(), 1e-13)


@check
def patch_test():
    """Any uniform strain of an anisotropic distorted block: no forces inside, and the energy of the volume."""
    material = replace(TIMBER, angle=37.0)
    body, inside = distorted_box(material)
    mass, stiffness = body.mass_and_stiffness()
    small("mass", relative(mass.sum() / 3, 600 * 0.24), 1e-13)
    strains = np.random.default_rng(2).normal(size=(6, 6))
    c = bricks.rotated(material.stiffness(), np.radians(37.0))
    forces, energies = [], []
    for e in strains:
        gradient = np.array([[e[0], e[5] / 2, e[4] / 2], [e[5] / 2, e[1], e[3] / 2], [e[4] / 2, e[3] / 2, e[2]]])
        u = (body.nodes @ gradient).ravel()
        force = stiffness @ u
        forces.append(np.abs(force.reshape(-1, 3)[inside]).max() / np.abs(force).max())
        energies.append(relative(u @ force, e @ c @ e * 0.24))
    small("forces inside", max(forces), 1e-12)
    small("energy", max(energies), 1e-12)


def pulled_bar(material):
    """A bar along x under uniform traction, held without constraint; its stiffness."""
    body = bricks.box([0, 0.3, 1.0], [0, 0.1, 0.2], [0, 0.15], material)
    _, stiffness = body.mass_and_stiffness()
    x = body.nodes
    traction = np.zeros(3 * len(x))
    for end, sign in ((1.0, 1), (0.0, -1)):
        # Simpson's weights of the 5 x 3 nodes of an end
        wy = {0: 1 / 12, 0.05: 4 / 12, 0.1: 2 / 12, 0.15: 4 / 12, 0.2: 1 / 12}
        wz = {0: 1 / 6, 0.075: 4 / 6, 0.15: 1 / 6}
        for i in np.flatnonzero(np.abs(x[:, 0] - end) < 1e-9):
            traction[3 * i] += sign * wy[round(x[i, 1], 9)] * wz[round(x[i, 2], 9)]
    rigid = rigid_modes(x)
    bordered = sparse.bmat([[stiffness, rigid * 1e9], [rigid.T * 1e9, None]], format="csc")
    u = linalg.spsolve(bordered, np.concatenate([traction, np.zeros(6)]))[:-6].reshape(-1, 3)
    ends = [u[np.abs(x[:, 0] - end) < 1e-9, 0].mean() for end in (0.0, 1.0)]
    return 1 / (ends[1] - ends[0])


def rigid_modes(x):
    """Displacements of six rigid motions, as columns."""
    modes = np.zeros((len(x), 3, 6))
    for i in range(3):
        modes[:, i, i] = 1
        modes[:, :, 3 + i] = np.cross(np.eye(3)[i], x)
    return modes.reshape(-1, 6)


@check
def stiffness_of_a_bar():
    """EA/L; and of an orthotropic one with its axes turned: 1/E = c4/E1 + (1/G12 - 2 nu12/E1) s2c2 + s4/E2."""
    area = 0.2 * 0.15
    small("isotropic", relative(pulled_bar(bricks.isotropic(7850, 2.1e11, 0.3)), 2.1e11 * area), 1e-10)
    for angle in (0.0, 25.0, 60.0, 90.0):
        c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
        e1, e2, g, nu = TIMBER.moduli[0], TIMBER.moduli[1], TIMBER.shear[2], TIMBER.ratios[0]
        modulus = 1 / (c**4 / e1 + (1 / g - 2 * nu / e1) * s * s * c * c + s**4 / e2)
        small(f"axes at {angle:g} degrees", relative(pulled_bar(replace(TIMBER, angle=angle)), modulus * area), 1e-10)


@check
def turned_axes():
    """A ring whose grain follows the circumference is the same after a turn: each sector has the same stiffness."""
    grain = replace(TIMBER, follows="circumference", angle=20.0)
    spectra = []
    for start in (0.0, 1.1):
        body = bricks.sector(np.linspace(0.1, 0.2, 2), np.linspace(start, start + 0.5, 2), np.array([0, 0.05]), [1], [grain])
        spectra.append(np.linalg.eigvalsh(body.mass_and_stiffness()[1].toarray()))
    small("eigenvalues of K", np.abs(spectra[0] - spectra[1]).max() / spectra[0].max(), 1e-13)


@check
def rigid_motions():
    """Six zero eigenvalues of a free pad and a free facing, and no more."""
    for model in (models.pad_on_disc(500), models.clutch_facing(500)):
        _, stiffness, springs, _, first = model.bodies
        body = model.unknowns[first:].ravel()
        free = (stiffness - springs)[body][:, body].toarray()
        values = np.linalg.eigvalsh(free)
        small(f"{model.name}: six smallest eigenvalues over the next", np.abs(values[:6]).max() / values[6], 1e-7)
        rigid = rigid_modes(model.nodes[first:])
        small("forces of rigid motions", np.abs(free @ rigid).max() / np.abs(free).max(), 1e-12)


@check
def total_mass():
    """Of both models against the volume, up to the error of arcs made of parabolas."""
    ring = lambda r: np.pi * (r[1] ** 2 - r[0] ** 2)
    pad = models.PAD_HALF_ANGLE / np.pi * ring(models.PAD)
    disc = models.IRON.density * models.DISC_THICKNESS * ring(models.DISC)
    lining = models.LINING.density * 0.010 + models.STEEL.density * 0.005
    facing = models.FACING.density * 0.0035 + models.STEEL.density * 0.0015
    model = models.pad_on_disc(10000)
    mass, _, _, _, first = model.bodies
    of_pad = model.unknowns[first:].ravel()
    small("pad", relative(mass[of_pad][:, of_pad].sum() / 3, pad * lining), 1e-6)
    # The disc's clamped nodes have mass but no unknowns: the whole disc with the model's angles.
    n = models.brake_counts(models.nearest_scale(10000, models.brake_size))
    angles = np.concatenate([np.linspace(-1, 1, n["pad_angle"] + 1) * models.PAD_HALF_ANGLE,
                             np.linspace(models.PAD_HALF_ANGLE, 2 * np.pi - models.PAD_HALF_ANGLE, n["rest"] + 1)[1:]])
    whole = bricks.ring(np.array(models.DISC), angles, [0, models.DISC_THICKNESS], [1], [models.IRON])
    small("disc", relative(whole.mass_and_stiffness()[0].sum() / 3, disc), 1e-4)
    small("facing and ring", relative(models.clutch_facing(10000).mass.sum() / 3, ring(models.RING) * facing), 1e-5)


@check
def bending_of_a_strip():
    """A cantilever 100 times as long as thick, ten elements: trilinear bricks lock. Within a 27-node brick the moment is
    constant where it should be linear, which costs 1/(4 x 10^2) of the deflection."""
    length, width, thick, modulus = 1.0, 0.02, 0.01, 2.1e11
    material = bricks.isotropic(7850, modulus, 0.0)
    expected = length**3 / (3 * modulus * width * thick**3 / 12) + length / (5 / 6 * modulus / 2 * width * thick)
    body = bricks.box(np.linspace(0, length, 11), [0, width], [0, thick], material)
    _, stiffness = body.mass_and_stiffness()
    tip = tip_deflection(body.nodes, stiffness, length, simpson=True)
    small("27-node bricks", relative(tip, expected), 1 / 400)
    mesh = MeshHex.init_tensor(np.linspace(0, length, 11), np.array([0, width]), np.array([0, thick]))
    basis = Basis(mesh, ElementVector(ElementHex1()))
    trilinear = asm(linear_elasticity(*lame_parameters(modulus, 0.0)), basis)
    stiff = expected / tip_deflection(mesh.p.T, trilinear, length, simpson=False)
    print(f"  trilinear bricks are {stiff:.0f} times too stiff")
    assert stiff > 10


def tip_deflection(x, stiffness, length, simpson):
    free = np.flatnonzero(np.repeat(x[:, 0] > 1e-9, 3))
    load = np.zeros(3 * len(x))
    for i in np.flatnonzero(np.abs(x[:, 0] - length) < 1e-9):
        middle = [not np.isclose(x[i, c], x[:, c].min()) and not np.isclose(x[i, c], x[:, c].max()) for c in (1, 2)]
        load[3 * i + 2] = np.prod([(4 if m else 1) / 6 for m in middle]) if simpson else 0.25
    u = linalg.spsolve(sparse.csc_array(stiffness)[free][:, free], load[free])
    return load[free] @ u


def plate_parameter(n, ratio, nu):
    """Smallest k a of an annular plate, clamped at b = ratio a, free at a: Kirchhoff's theory, roots of the frequency
    determinant (Vogel and Skinner, Natural frequencies of transversely vibrating uniform annular plates,
    J. Appl. Mech. 32 (1965) 926-931): w = J, Y, I, K of order n."""
    kinds = ((jv, jvp, 1), (yv, yvp, 1), (iv, ivp, -1), (kv, kvp, -1))  # laplacian of each: -+ k^2 times itself

    def determinant(k):
        rows = [[f(n, k * ratio) for f, _, _ in kinds], [fp(n, k * ratio, 1) for _, fp, _ in kinds]]
        moment, shear = [], []
        for f, fp, sign in kinds:
            w, slope = f(n, k), k * fp(n, k, 1)
            laplacian, third = -sign * k * k * w, -sign * k * k * slope  # and its derivative, at r = a = 1
            moment.append(laplacian - (1 - nu) * (slope - n * n * w))
            shear.append(third - (1 - nu) * n * n * (slope - w))
        matrix = np.array([*rows, moment, shear])
        return np.linalg.det(matrix / np.abs(matrix).max(axis=0))

    grid = np.linspace(0.5, 12, 2000)
    values = [determinant(k) for k in grid]
    for a, b, va, vb in zip(grid, grid[1:], values, values[1:]):
        if va * vb < 0:
            return brentq(determinant, a, b, xtol=1e-13)
    raise AssertionError("no root")


@check
def frequencies_of_an_annular_plate():
    """Clamped inside at b = a/2, free outside, nu = 0.3, thickness a/100: against thin plate theory."""
    modulus, nu, density, outer, thick = 2.1e11, 0.3, 7850, 0.2, 0.002
    rigidity = modulus * thick**3 / (12 * (1 - nu**2))
    exact = sorted(plate_parameter(n, 0.5, nu) ** 2 for n in range(3))
    print("  frequency parameters omega a^2 sqrt(rho h/D): " + ", ".join(f"{x:.4f}" for x in exact))
    scale = outer**2 * np.sqrt(density * thick / rigidity)
    errors = []
    for along, around in ((6, 24), (12, 24), (24, 32)):
        body = bricks.ring(np.linspace(outer / 2, outer, along + 1), np.linspace(0, 2 * np.pi, around + 1),
                           [0, thick], [1], [bricks.isotropic(density, modulus, nu)])
        free = np.flatnonzero(np.repeat(np.hypot(*body.nodes[:, :2].T) > outer / 2 + 1e-9, 3))
        mass, stiffness = (a[free][:, free].tocsc() for a in body.mass_and_stiffness())
        omega = np.sqrt(linalg.eigsh(stiffness, 5, mass, sigma=0, which="LM", return_eigenvectors=False, tol=1e-10))
        found = np.sort(omega)[[0, 1, 3]] * scale  # with n = 1, 2 double
        errors.append(found / exact - 1)
        print(f"  {len(free)} unknowns: " + ", ".join(f"{e:+.2e}" for e in errors[-1]))
    worst = [np.abs(e).max() for e in errors]
    assert worst[2] < worst[1] < worst[0]
    small("worst, finest", worst[2], 3e-3)


# ---- models ---------------------------------------------------------------------------------------------------------


def rigid_sums(model, vector):
    """Resultant force and moment about the origin of forces on the body that slides."""
    first = model.bodies[4]
    return rigid_modes(model.nodes[first:]).T @ vector[model.unknowns[first:].ravel()]


@check
def relative_unknowns():
    """Sliding of two bodies in relative unknowns, and assembled in the displacements of both: the same eigenvalues."""
    model, law = models.pad_on_disc(500), LAWS["non-associated"]
    contacts = model.contacts
    contacts.force = np.linspace(50, 300, len(contacts))
    damping_c, stiffness_c = compare.contact_terms(contacts, law)
    size, beta = model.size, model.settings.damping
    relative_way = compare.all_eigenvalues(
        model.mass, beta * model.stiffness + compare.spread(damping_c, contacts.unknowns, size),
        model.stiffness + compare.spread(stiffness_c, contacts.unknowns, size))
    mass, stiffness, _, _, first = model.bodies
    pad = np.array([np.flatnonzero((model.unknowns == u).all(1))[0] for u in contacts.unknowns])
    distance = np.linalg.norm(model.nodes[None, :first] - model.nodes[pad][:, None], axis=2)
    both = np.concatenate([contacts.unknowns, model.unknowns[distance.argmin(1)]], axis=1)  # pad, disc
    pair = np.concatenate([np.eye(3), -np.eye(3)], axis=1)
    damping_b, stiffness_b = pair.T @ damping_c @ pair, pair.T @ stiffness_c @ pair
    absolute = compare.all_eigenvalues(mass, beta * stiffness + compare.spread(damping_b, both, size),
                                       stiffness + compare.spread(stiffness_b, both, size))
    low = relative_way[(np.abs(relative_way.imag) < 2 * np.pi * 20000) & (np.abs(relative_way) < 2e5)]
    small(f"{len(low)} eigenvalues below 20 kHz", compare.largest_difference(absolute, low), 1e-8)


@check
def preload_in_balance():
    """Forces and moments on the sliding body: pressure, contacts, friction and springs. Complementarity."""
    for make, size in ((models.pad_on_disc, 2000), (models.clutch_facing, 2000)):
        model = make(size)
        for name, law in LAWS.items():
            force = model.settings.force
            interface = Interface(model.stiffness, model.load * force, model.contacts)
            normal = preload_by_pivoting(interface, law)
            s = law.resistance(model.contacts.slip)
            p = (normal[:, None] * np.column_stack([np.ones(len(s)), -s])).ravel()
            displacement = interface.displacements(p)
            _, _, springs, t, _ = model.bodies
            on_body = model.load * force + interface.h @ p - springs @ (t @ displacement)
            sums = rigid_sums(model, on_body)
            scale = np.array([force] * 3 + [force * 0.14] * 3)
            small(f"{model.name}, {name}: forces and moments", np.abs(sums / scale).max(), 1e-9)
            gap = (interface.h.T @ displacement)[::3] + normal / model.contacts.stiffness
            assert normal.min() >= 0 and (gap[normal == 0] >= 0).all()
            small(f"  gap where pressed; {np.count_nonzero(normal == 0)} of {len(normal)} lift off",
                  np.abs(gap[normal > 0]).max() / np.abs(displacement).max(), 1e-9)


def check_preload_by_program(program):
    """slipset solve and our own active set: the same normal forces."""
    cases = [(models.pad_on_disc, 1000, "non-associated"), (models.pad_on_disc, 2000, "isotropic"),
             (models.pad_on_disc, 2000, "associated"), (models.clutch_facing, 1000, "non-associated")]
    for make, size, name in cases:
        model = make(size)
        interface = Interface(model.stiffness, model.load * model.settings.force, model.contacts)
        mine = preload_by_pivoting(interface, LAWS[name])
        with tempfile.TemporaryDirectory() as folder:
            theirs, report = preload_by_program(interface, LAWS[name], program, Path(folder))
        small(f"{model.name}, {model.size} unknowns, {name}, {np.count_nonzero(mine == 0)} of {len(mine)} lift off, "
              f"{report['calls']} calls", np.abs(mine - theirs).max() / mine.max(), 1e-8)


def check_stability(program):
    """slipset stability and SciPy on the files of both models."""
    for name in models.MODELS:
        with tempfile.TemporaryDirectory() as folder:
            build(name, 1000, folder, program=program, say=lambda text: print("  " + text))
            run = subprocess.run([program, "stability", str(Path(folder) / "scenario.toml"), "--json"],
                                 capture_output=True, text=True, check=True)
            result = json.loads(run.stdout)
            theirs = np.array([complex(*x) for x in result["eigenvalues"]])
            mass, damping, stiffness, box = compare.matrices(Path(folder))
            mine = compare.all_in_box(mass, damping, stiffness, box)
        assert result["complete"] and len(mine) == len(theirs)
        small(f"{len(theirs)} eigenvalues, largest growth rate {theirs.real.max():.4f} 1/s, relative difference",
              compare.largest_difference(mine, theirs), 1e-10)


def check_convergence():
    """Frequencies without friction, and what grows with friction, over size. The preload is solved at each size. The
    frequencies converge from above; growth comes from pairs of near frequencies and needs finer meshes."""
    law = LAWS["non-associated"]
    for name, (make, settings) in models.MODELS.items():
        lowest = []
        for size in (1000, 2000, 5000, 10000, 20000):
            model = make(size)
            contacts, n = model.contacts, model.size
            normal = preload_by_pivoting(Interface(model.stiffness, model.load, contacts), law)
            contacts.force = normal * settings.force / normal.sum()
            loaded = contacts.subset(normal > 0)
            damping_c, stiffness_c = compare.contact_terms(loaded, law)
            springs = loaded.stiffness[:, None, None] * loaded.normal[:, :, None] * loaded.normal[:, None, :]
            held = (model.stiffness + compare.spread(springs, loaded.unknowns, n)).tocsc()
            lowest.append(np.sort(np.sqrt(linalg.eigsh(held, 8, model.mass.tocsc(), sigma=0, return_eigenvectors=False))))
            k = (model.stiffness + compare.spread(stiffness_c, loaded.unknowns, n)).tocsc()
            d = (settings.damping * model.stiffness + compare.spread(damping_c, loaded.unknowns, n)).tocsc()
            middle = 1j * np.pi * sum(settings.band)
            values = compare.eigenvalues_near(model.mass.tocsc(), d, k, middle, 80)
            assert (np.abs(values - middle) > abs(middle)).any(), "not all of the band was searched"
            grows = compare.in_box(values, (0, 1e9, *(2 * np.pi * f for f in settings.band)))
            print(f"  {name}, {n} unknowns, {len(loaded)} of {len(contacts)} contacts loaded: frequencies "
                  + ", ".join(f"{w / 2 / np.pi:.1f}" for w in lowest[-1][::2]) + " Hz; grow: "
                  + ", ".join(f"{v.real:.1f} 1/s at {v.imag / 2 / np.pi:.0f} Hz" for v in grows[:4]), flush=True)
        errors = [np.abs(f / lowest[-1] - 1).max() for f in lowest[:-1]]
        print("  eight lowest frequencies against the finest: " + ", ".join(f"{e:.1e}" for e in errors))
        assert errors[3] < errors[1] < errors[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default=os.environ.get("SLIPSET", "slipset"))
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--only", help="checks whose name has this in it")
    a = parser.parse_args()
    program = shutil.which(a.program)
    todo = [(f.__name__, f.__doc__, f) for f in CHECKS]
    if program:
        todo.append(("preload_by_program", check_preload_by_program.__doc__, lambda: check_preload_by_program(program)))
        if a.long:
            todo.append(("stability", check_stability.__doc__, lambda: check_stability(program)))
    if a.long:
        todo.append(("convergence", check_convergence.__doc__, check_convergence))
    failed = []
    for name, says, function in todo:
        if a.only and a.only not in name:
            continue
        print(f"{name}: {says}", flush=True)
        try:
            function()
        except AssertionError as error:
            print(f"  FAILED: {error}")
            failed.append(name)
    if not program:
        print("slipset was not found: checks that need it were left out")
    print(f"failed: {', '.join(failed)}" if failed else "all passed")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
