"""Bodies of revolution from 27-node bricks, with anisotropic layers: mesh, mass, stiffness, springs on faces.

Unknown 3 i + c is displacement c (x, y, z) of node i, before anything is fixed. Units: m, kg, s, N.
Element: scikit-fem's ElementHex2 (triquadratic, curved edges). Trilinear bricks lock in shear when a thin disc bends;
20-node bricks do not, but a uniform pressure puts negative forces on the corners of their faces, which a contact
cannot carry. The 27-node brick does neither: its weights on a face are those of Simpson's rule, all positive.
"""

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sparse
from skfem import CellBasis, Dofs, ElementHex1, ElementHex2, MeshHex1, MeshHex2
from skfem.quadrature import get_quadrature
from skfem.refdom import RefQuad

LOCAL = ElementHex2.doflocs  # 27 places in the unit cube; local axes are r, theta, z (or x, y, z of a box)
ORDER = 5  # three Gauss points along each axis: exact for mass and stiffness of a box
AT_ONCE = 512  # elements whose matrices are formed together
GATHERED = 8192  # elements whose matrices are summed up together


@dataclass(frozen=True)
class Material:
    """Orthotropic: moduli along its axes 1, 2, 3 [Pa]; nu_ij is the strain along j that goes with one along i."""

    density: float
    moduli: tuple  # E1, E2, E3
    ratios: tuple  # nu12, nu13, nu23
    shear: tuple  # G23, G13, G12
    angle: float = 0.0  # from x (or the circumference) to axis 1, about z [degrees]
    follows: str = "fixed"  # or "circumference": angle is from the local direction of rising theta

    def stiffness(self):
        """6 x 6 in its own axes, order 11, 22, 33, 23, 13, 12 (shear strains are angles)."""
        (e1, e2, e3), (n12, n13, n23) = self.moduli, self.ratios
        compliance = np.diag([1 / e1, 1 / e2, 1 / e3, *(1 / g for g in self.shear)])
        compliance[0, 1] = compliance[1, 0] = -n12 / e1
        compliance[0, 2] = compliance[2, 0] = -n13 / e1
        compliance[1, 2] = compliance[2, 1] = -n23 / e2
        if np.linalg.eigvalsh(compliance)[0] <= 0:
            raise ValueError("the elastic constants of a material are not positive definite; lower its Poisson ratios")
        return np.linalg.inv(compliance)

    def angles(self, points):
        """Of axis 1 at points (3, ...) [rad]."""
        turn = np.radians(self.angle)
        if self.follows == "circumference":
            return np.arctan2(points[1], points[0]) + np.pi / 2 + turn
        return np.full(points.shape[1:], turn)


def isotropic(density, modulus, ratio):
    g = modulus / (2 * (1 + ratio))
    return Material(density, (modulus,) * 3, (ratio,) * 3, (g,) * 3)


def rotated(stiffness, angles):
    """Stiffness in x, y, z of a material whose axis 1 is at these angles from x: R C R^T, R turns stresses."""
    c, s = np.cos(angles), np.sin(angles)
    r = np.zeros(angles.shape + (6, 6))
    r[..., 0, 0] = r[..., 1, 1] = c * c
    r[..., 0, 1] = r[..., 1, 0] = s * s
    r[..., 0, 5], r[..., 1, 5] = -2 * c * s, 2 * c * s
    r[..., 5, 0], r[..., 5, 1] = c * s, -c * s
    r[..., 5, 5] = c * c - s * s
    r[..., 2, 2] = 1
    r[..., 3, 3] = r[..., 4, 4] = c
    r[..., 3, 4], r[..., 4, 3] = s, -s
    return r @ stiffness @ np.swapaxes(r, -1, -2)


class Body:
    """A grid of bricks. materials: one for each layer along z."""

    def __init__(self, mesh, layer, materials):
        self.mesh, self.layer, self.materials = mesh, layer, materials
        self.dofs = Dofs(mesh, ElementHex2())

    @property
    def nodes(self):
        return self.mesh.doflocs.T

    def mass_and_stiffness(self):
        """Sparse symmetric matrices of all 3 x nodes unknowns, both triangles."""
        n = self.nodes.shape[0]
        mass, stiffness = sparse.csr_array((n, n)), sparse.csr_array((3 * n, 3 * n))
        for first in range(0, self.mesh.nelements, GATHERED):
            last = min(first + GATHERED, self.mesh.nelements)
            parts = [self._matrices(np.arange(i, min(i + AT_ONCE, last))) for i in range(first, last, AT_ONCE)]
            at = self.dofs.element_dofs[:, first:last].T
            mass = mass + gather(np.concatenate([p[0] for p in parts]), at, n)
            at = (3 * at[:, :, None] + np.arange(3)).reshape(last - first, 81)
            stiffness = stiffness + gather(np.concatenate([p[1] for p in parts]), at, 3 * n)
        return sparse.kron(mass, sparse.eye_array(3), format="csr"), stiffness

    def _matrices(self, elements):
        basis = CellBasis(self.mesh, ElementHex2(), intorder=ORDER, elements=elements, dofs=self.dofs,
                          disable_doflocs=True)
        value = np.array([b[0].value[0] for b in basis.basis])  # the same in each element
        gradient = np.array([b[0].grad for b in basis.basis]).transpose(2, 3, 1, 0)  # element, point, x, function
        weight = basis.dx
        density = np.array([m.density for m in self.materials])[self.layer[elements]]
        mass = np.einsum("eq,aq,bq->eab", weight * density[:, None], value, value, optimize=True)
        strain = np.zeros(weight.shape + (6, 27, 3))
        for row, (i, j) in enumerate([(0, 0), (1, 1), (2, 2), (1, 2), (0, 2), (0, 1)]):
            strain[:, :, row, :, j] = gradient[:, :, i]
            strain[:, :, row, :, i] = gradient[:, :, j]
        strain = strain.reshape(weight.shape + (6, 81))
        points = np.asarray(basis.global_coordinates())
        stress = np.empty_like(strain)
        for number, material in enumerate(self.materials):
            here = self.layer[elements] == number
            stress[here] = rotated(material.stiffness(), material.angles(points[:, here])) @ strain[here]
        stress *= weight[:, :, None, None]
        rows = len(elements), -1, 81
        return mass, np.swapaxes(strain.reshape(rows), 1, 2) @ stress.reshape(rows)

    def face(self, z):
        """The face at height z: its nodes, their areas (integral of each one's function) [m2], and the matrix of integrals
        of products of functions of all nodes [m2]."""
        points, weights = get_quadrature(RefQuad, ORDER)
        height = self.mesh.doflocs[2, self.dofs.element_dofs]
        side = [i for i in (0.0, 1.0) if np.abs(height[LOCAL[:, 2] == i] - z).max(axis=0).min() < 1e-9][0]
        elements = np.flatnonzero(np.abs(height[LOCAL[:, 2] == side] - z).max(axis=0) < 1e-9)
        points = np.vstack([points, np.full(len(weights), side)])
        basis = CellBasis(self.mesh, ElementHex2(), quadrature=(points, weights), elements=elements, dofs=self.dofs,
                          disable_doflocs=True)
        area = basis.dx / basis.mapping.DF(points, elements)[2, 2]  # z is straight: volume over height
        value = np.array([b[0].value for b in basis.basis])
        at = self.dofs.element_dofs[:, elements].T
        n = self.nodes.shape[0]
        matrix = gather(np.einsum("eq,aeq,beq->eab", area, value, value, optimize=True), at, n)
        areas = np.bincount(at.ravel(), np.einsum("eq,aeq->ea", area, value).ravel(), n)
        nodes = np.flatnonzero(np.abs(self.nodes[:, 2] - z) < 1e-9)
        return nodes, areas[nodes], matrix

    def cells(self):
        """Eight small bricks of eight nodes for each element, in the order of VTK's hexahedron."""
        place = np.rint(2 * LOCAL).astype(int)
        local = np.empty((3, 3, 3), int)
        local[tuple(place.T)] = np.arange(27)
        corner = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]])
        small = [local[tuple((corner + shift).T)] for shift in np.ndindex(2, 2, 2)]
        return self.dofs.element_dofs.T[:, np.array(small)].reshape(-1, 8)


def gather(local, at, n):
    """The sum of elements' matrices. local: element, row, column; at: element, row."""
    rows = np.broadcast_to(at[:, :, None], local.shape).astype(np.int32).ravel()
    columns = np.broadcast_to(at[:, None, :], local.shape).astype(np.int32).ravel()
    return sparse.coo_array((local.ravel(), (rows, columns)), shape=(n, n)).tocsr()


def grid(first, second, third, place, closed=False):
    """Mesh of bricks between the given coordinates; place maps (3, ...) of them to x, y, z.
    closed: the last of `second` is the first again. Returns the mesh and each element's number along `third`."""
    axes = [np.asarray(a, float) for a in (first, second, third)]
    na, nb, nc = (len(a) - 1 for a in axes)
    around = nb if closed else nb + 1
    if closed and nb < 3:
        raise ValueError("a closed ring needs three elements at least")
    i, j, k = (a.ravel() for a in np.meshgrid(np.arange(na), np.arange(nb), np.arange(nc), indexing="ij"))
    corner = np.rint(ElementHex1.doflocs).astype(int)
    at = [np.add.outer(corner[:, c], index) for c, index in enumerate((i, j, k))]  # 8 x elements, not yet closed
    t = (at[0] * around + at[1] % around) * (nc + 1) + at[2]
    trilinear = np.array([np.prod([x if c else 1 - x for x, c in zip(at_, corner_)])
                          for at_ in LOCAL for corner_ in corner]).reshape(27, 8)
    coordinates = np.array([trilinear @ a[index] for a, index in zip(axes, at)])  # 3 x 27 x elements
    straight = MeshHex1(np.zeros((3, (na + 1) * around * (nc + 1))), t, validate=False)
    dofs = Dofs(straight, ElementHex2())
    places = np.empty((3, dofs.N))
    places[:, dofs.element_dofs] = place(coordinates)
    return MeshHex2(places, t, validate=False), k


def polar(c):
    """(r, theta, z) to (x, y, z)."""
    return np.array([c[0] * np.cos(c[1]), c[0] * np.sin(c[1]), c[2]])


def layers(heights, counts):
    """Coordinates along z and the layer's number of each interval."""
    z = np.concatenate([np.linspace(a, b, n + 1)[:-1] for a, b, n in zip(heights, heights[1:], counts)] + [heights[-1:]])
    return z, np.repeat(np.arange(len(counts)), counts)


def ring(radii, angles, heights, counts, materials):
    """A closed ring of layers: heights of the layers' faces, elements in each."""
    z, of = layers(heights, counts)
    mesh, k = grid(radii, angles, z, polar, closed=True)
    return Body(mesh, of[k], materials)


def sector(radii, angles, heights, counts, materials):
    """A part of a ring."""
    z, of = layers(heights, counts)
    mesh, k = grid(radii, angles, z, polar)
    return Body(mesh, of[k], materials)


def box(x, y, z, material):
    mesh, _ = grid(x, y, z, lambda c: c)
    return Body(mesh, np.zeros(mesh.nelements, int), [material])
