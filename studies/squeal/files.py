"""The files of a model: matrices, contacts, mesh and scenario."""

import fast_matrix_market
import numpy as np
import scipy.io
import scipy.sparse as sparse


def write_matrix(path, matrix, comment):
    """Symmetric, all digits: Matrix Market, lower triangle; or MATLAB 5, both triangles, variable named as the file."""
    if path.suffix == ".mat":
        scipy.io.savemat(path, {path.stem: sparse.csc_matrix(matrix)}, do_compression=False)
    else:
        lower = sparse.tril(matrix, format="coo")
        fast_matrix_market.mmwrite(str(path), sparse.coo_matrix(lower), comment=comment, field="real",
                                   symmetry="symmetric", precision=17)


def write_contacts(path, contacts, law):
    columns = [contacts.normal, contacts.tangent, contacts.stiffness[:, None], contacts.force[:, None], contacts.slip]
    with open(path, "w") as file:
        file.write("ux,uy,uz,nx,ny,nz,tx,ty,tz,stiffness,force,slip1,slip2,name,law\n")
        for number, (at, row) in enumerate(zip(contacts.unknowns, np.concatenate(columns, axis=1)), 1):
            values = [*(str(i) for i in at), *(f"{x:.17g}" for x in row), str(number), law]
            file.write(",".join(values) + "\n")


def write_nodes(path, model):
    """Columns ux2, ... where the displacement of some nodes is the sum of two unknowns."""
    sums = bool((model.added >= 0).any())
    number = lambda i: "" if i < 0 else str(i)
    with open(path, "w") as file:
        file.write("x,y,z,ux,uy,uz" + (",ux2,uy2,uz2" if sums else "") + "\n")
        for place, first, second in zip(model.nodes.tolist(), model.unknowns.tolist(), model.added.tolist()):
            row = [repr(x) for x in place] + [number(i) for i in first] + ([number(i) for i in second] if sums else [])
            file.write(",".join(row) + "\n")


def write_cells(path, model):
    with open(path, "w") as file:
        file.write("type,n1,n2,n3,n4,n5,n6,n7,n8\n")
        for cell in model.cells.tolist():
            file.write("hexahedron," + ",".join(map(str, cell)) + "\n")


SCENARIO = """\
# {name}, {size} unknowns, by studies/squeal/make.py: {law_name} law, {force:g} N, {speed:g} rad/s.
title = "{title}"

[laws.lining]
reservoir = {reservoir}
direction = {direction}

[system]
kind = "structure"
M = {mass}
K = {stiffness}
rayleigh = {{ mass = 0.0, stiffness = {damping!r} }}
contacts = "contacts.csv"
mesh = {{ nodes = "nodes.csv", cells = "cells.csv" }}

[modes]
band = [{band[0]}, {band[1]}]
growth = [{growth[0]}, {growth[1]}]
"""

TITLES = {"pad_on_disc": "brake pad on a disc", "clutch_facing": "clutch facing on a flywheel"}


def write_model(folder, model, contacts, law, law_name, matrices):
    of = model.settings
    for stem, matrix, what in (("M", model.mass, "mass [kg]"), ("K", model.stiffness, "stiffness [N/m] without contacts")):
        write_matrix(folder / f"{stem}.{matrices}", matrix, f"{what} of {model.name}")
    write_contacts(folder / "contacts.csv", contacts, "lining")
    write_nodes(folder / "nodes.csv", model)
    write_cells(folder / "cells.csv", model)
    place = lambda stem: f'"{stem}.mtx"' if matrices == "mtx" else f'{{ file = "{stem}.mat", variable = "{stem}" }}'
    (folder / "scenario.toml").write_text(SCENARIO.format(
        name=model.name, size=model.size, title=TITLES[model.name], law_name=law_name, force=of.force,
        speed=of.speed, damping=of.damping, band=of.band, growth=of.growth,
        reservoir=law.reservoir.toml(), direction=law.direction.toml(), mass=place("M"), stiffness=place("K")))
