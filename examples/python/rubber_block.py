"""A rubber block is pressed onto a grooved plane and pulled over it, with scikit-fem. Newton's method, residuals printed.

    python examples/python/rubber_block.py [picture.png]

Its top is glued to a plate that goes down and then along x. The grooves are at 30 degrees, so that the block also pulls
sideways. Needs scikit-fem, scipy, and matplotlib for the picture.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import skfem as fem
from scipy.sparse.linalg import splu
from skfem.models.elasticity import lame_parameters, linear_elasticity

import slipset as sl
from slipset.skfem import Interface

SIZE = np.array([0.04, 0.04, 0.02])  # [m]
LAW = sl.Law(sl.Ellipse(0.9, 0.5, np.radians(30)), sl.Ellipse(1.3, 1.0, np.radians(30)))
STIFFNESS = np.array([[8e8, 2e8], [2e8, 5e8]])  # of the interface, before it slips [Pa/m]
PENALTY = 1e10  # [Pa/m]: penetration of about 1/100 mm


class Block:
    """Linear elasticity, 2 MPa, on an interface; every point of the top moves with a plate."""

    def __init__(self, law: sl.Law = LAW, stiffness: Any = STIFFNESS, cells: tuple[int, int, int] = (8, 8, 3)) -> None:
        mesh = fem.MeshHex.init_tensor(*(np.linspace(0, length, n + 1) for length, n in zip(SIZE, cells)))
        element = fem.ElementVector(fem.ElementHex1())
        self.basis = fem.Basis(mesh, element)
        self.stiffness = linear_elasticity(*lame_parameters(2e6, 0.45)).assemble(self.basis).tocsc()
        bottom = fem.FacetBasis(mesh, element, facets=mesh.facets_satisfying(lambda x: x[2] == 0))
        self.contact = Interface(bottom, sl.ElasticInterface(law, stiffness), PENALTY)
        top = self.basis.get_dofs(mesh.facets_satisfying(lambda x: x[2] == SIZE[2]))
        self.top = [top.all(name) for name in ("u^1", "u^2", "u^3")]
        self.free = np.setdiff1d(np.arange(self.basis.N), np.concatenate(self.top))
        self.u = np.zeros(self.basis.N)  # [m]

    def linearised(self) -> tuple[Any, Any]:
        """Residual [N] and tangent [N/m] of body and contact."""
        residual, tangent = self.contact.assemble(self.u)
        return self.stiffness @ self.u + residual, self.stiffness + tangent

    def move_top(self, to: Any, tolerance: float = 1e-9, most: int = 30) -> list[float]:
        """One increment: the top to `to` [m]. The norm of the residual [N] after each iteration."""
        change = np.zeros(self.basis.N)
        for dofs, value in zip(self.top, to):
            change[dofs] = value - self.u[dofs]
        _, tangent = self.linearised()
        load = (tangent @ change)[self.free]  # the first iteration starts from the last increment, moved elastically
        self.u += change
        self.u[self.free] -= splu(tangent[self.free][:, self.free].tocsc()).solve(load)
        norms: list[float] = []
        while len(norms) < most:
            residual, tangent = self.linearised()
            norms.append(float(np.linalg.norm(residual[self.free])))
            if norms[-1] <= tolerance:
                self.contact.accept()
                return norms
            self.u[self.free] -= splu(tangent[self.free][:, self.free].tocsc()).solve(residual[self.free])
        raise RuntimeError(f"no equilibrium in {most} iterations; residuals {norms}")


def pull(block: Block, press: float = 1e-3, distance: float = 12e-3, increments: int = 12) -> list[dict[str, Any]]:
    """Down by `press`, then along x by `distance` [m]."""
    steps = [(0.0, -press * i / 2) for i in (1, 2)] + [(distance * i / increments, -press) for i in range(1, increments + 1)]
    history = []
    for x, z in steps:
        norms = block.move_top((x, 0.0, z))
        contact = block.contact
        history.append({"x": x, "z": z, "force": contact.force(), "residuals": norms, "traction": contact.traction,
                        "pressure": contact.pressure, "slips": contact.slips, "slipping": contact.slips.mean(),
                        "open": (contact.pressure == 0).mean()})  # fmt: skip
    return history


def draw(block: Block, history: list[dict[str, Any]], path: str) -> None:
    import matplotlib.pyplot as plt

    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(15, 4.6), layout="constrained")
    shown = min(history, key=lambda step: abs(step["slipping"] - 0.5))
    x, y = 1e3 * np.array(block.contact.basis.global_coordinates())[:2].mean(axis=2)  # means over each facet
    rows = (len(np.unique(y.round(6))), -1)
    order = np.lexsort((x.round(6), y.round(6)))
    x, y, slips = x[order], y[order], shown["slips"].any(axis=1)[order]
    pascal = shown["pressure"].mean(axis=1)[order]
    pressure = left.pcolormesh(x.reshape(rows), y.reshape(rows), pascal.reshape(rows) / 1e3, cmap="Blues")
    left.plot(x[slips], y[slips], "o", color="tab:red", markersize=4, label="slips, at least in part")
    left.quiver(x, y, *shown["traction"].mean(axis=1)[order].T, color="black", width=0.004, scale=3e6)
    figure.colorbar(pressure, ax=left, label="pressure [kPa]")
    left.set(xlabel="x [mm]", ylabel="y [mm]", aspect="equal", title=f"stress on the plane, top at {shown['x'] * 1e3:.1f} mm")
    left.legend(loc="lower center", bbox_to_anchor=(0.5, 1.08))

    pulled = [step for step in history if step["z"] == history[-1]["z"]]
    normal = np.array([-step["force"][2] for step in pulled])
    sliding = LAW.slip_resistance([1.0, 0.0])
    for i, (name, color) in enumerate((("along x", "tab:blue"), ("along y", "tab:orange"))):
        ratio = np.array([step["force"][i] for step in pulled]) / normal
        middle.plot([step["x"] * 1e3 for step in pulled], ratio, "o-", color=color, label=f"force {name}")
        middle.axhline(sliding[i], color=color, linestyle=":", label=f"law, sliding along x: {sliding[i]:.3f}")
    middle.set(xlabel="displacement of the top [mm]", ylabel="friction force / normal force", title="from stick to sliding")
    middle.legend()

    for step in history[::2]:
        right.semilogy(range(len(step["residuals"])), step["residuals"], "o-", label=f"{step['x'] * 1e3:.1f} mm")
    right.set(xlabel="iteration", ylabel="residual [N]", title="Newton's method, every second increment")
    right.xaxis.get_major_locator().set_params(integer=True)
    right.legend(title="top at", fontsize="small")
    figure.savefig(path, dpi=100)


def main(picture: str | None = None) -> list[dict[str, Any]]:
    block = Block()
    history = pull(block)
    print("   x mm   z mm  friction x, y [N]  normal [N]  slips  open  residual of each iteration [N]")
    for step in history:
        fx, fy, fz = step["force"]
        print(f"{step['x'] * 1e3:7.2f}{step['z'] * 1e3:7.2f}{fx:10.3f}{fy:9.3f}{-fz:12.3f}{step['slipping']:7.2f}"
              f"{step['open']:6.2f}  " + " ".join(f"{r:.1e}" for r in step["residuals"]))  # fmt: skip
    print("friction over normal force:", np.round(history[-1]["force"][:2] / -history[-1]["force"][2], 4),
          " law, sliding along x:", np.round(LAW.slip_resistance([1.0, 0.0]), 4))  # fmt: skip
    if picture:
        draw(block, history, picture)
    return history


if __name__ == "__main__":
    main(*sys.argv[1:2])
