"""Friction for scikit-fem: an elastic anisotropic interface between a body and a plane (E.3) [K07]. Needs scikit-fem."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import skfem
from scipy.sparse import coo_matrix

from ._core import ElasticInterface
from ._errors import InvalidInput

Array = npt.NDArray[np.float64]


def _vector(given: npt.ArrayLike, what: str, size: int) -> Array:
    try:
        numbers = np.asarray(given)
        if numbers.dtype.kind not in "fiu":
            raise InvalidInput(f"{what}: found an array of {numbers.dtype}; expected real numbers")
        result = numbers.astype(np.float64)
    except ValueError as error:
        raise InvalidInput(f"{what}: found no array of numbers ({error})") from None
    if result.shape != (size,):
        raise InvalidInput(f"{what}: found shape {result.shape}; expected ({size},)")
    if not np.all(np.isfinite(result)):
        raise InvalidInput(f"{what}: expected finite numbers [m]")
    return result


class Interface:
    """Contact of a body with a rigid plane below it, z = height, that may move; its axes are x and y.

    At every quadrature point of `basis`, with the displacements u of the body and w of the plane [m]:

        gap g = z + u_z - height - w_z,   pressure p = normal_stiffness max(0, -g)           (penalty)
        T [Pa], along x and y, from the increment of (u - w) since the last accept() under the pressure p      (E.3)

    Here T is per area, so `interface.stiffness` is, too [Pa/m]. Displacements are small: area and normal are those of the
    undeformed body; the plane is the same everywhere. A point that closes within an increment slides all of it.

    With K the body's stiffness matrix, an increment is

        contact = Interface(bottom, sl.ElasticInterface(law, stiffness=1e9 * np.eye(2)), normal_stiffness=1e10)
        residual, tangent = contact.assemble(u)     # (K + tangent) du = -(K u + residual) until that is small,
        contact.accept()                            # then keep the forces for the next increment

    A complete example: examples/python/rubber_block.py.
    """

    def __init__(self, basis: Any, interface: ElasticInterface, normal_stiffness: float, height: float = 0.0) -> None:
        """`basis`: a FacetBasis of a vector element in 3D on facets that face down, n = (0, 0, -1). `normal_stiffness`
        [Pa/m]: large against the body's modulus over its size; a penetration p / normal_stiffness remains. `height` [m]."""
        if not isinstance(basis, skfem.FacetBasis) or isinstance(basis, skfem.InteriorFacetBasis):
            raise InvalidInput("basis: expected a FacetBasis of skfem, on the facets that touch the plane")
        if basis.nelems == 0:
            raise InvalidInput("basis: found no facets; expected those that touch the plane")
        if basis.mesh.dim() != 3 or len(basis.basis[0]) != 1 or np.shape(basis.basis[0][0])[:-2] != (3,):
            raise InvalidInput("basis: expected a vector element in 3D, as ElementVector(ElementHex1())")
        if not np.all(np.asarray(basis.normals)[2] < -1 + 1e-9):
            raise InvalidInput("basis: expected facets that face down, with the normal (0, 0, -1): the plane is below")
        if not isinstance(interface, ElasticInterface):
            raise InvalidInput("interface: expected a slipset.ElasticInterface, its stiffness in Pa/m")
        for value, name, low in ((normal_stiffness, "normal_stiffness", 0.0), (height, "height", -np.inf)):
            if not isinstance(value, (int, float, np.number)) or not (np.isfinite(value) and value > low):
                raise InvalidInput(f"{name}: found {value!r}; expected a finite {'positive ' if low == 0 else ''}number")
        self.basis = basis
        self.interface = interface
        self.normal_stiffness = float(normal_stiffness)
        self.height = float(height)
        points = basis.dx.shape  # facets, quadrature points of each
        # Values of the shape functions, (function, component, facet, point), and their places in u. Forms of skfem would
        # call Python for each pair of them: most of the time of a small problem.
        self._functions: Array = np.stack([np.broadcast_to(np.array(f[0]), (3, *points)) for f in basis.basis])
        self._dofs = np.asarray(basis.element_dofs)
        self._z: Array = np.array(basis.global_coordinates())[2]
        self._before: tuple[Array, Array] = (np.zeros((*points, 2)), np.zeros((*points, 2)))  # u - w [m], T [Pa]
        self._after: tuple[Array, Array] | None = None
        #: Of the last assemble(), at (facet, quadrature point): T on the plane, along the slip [Pa], ...
        self.traction: Array = np.zeros((*points, 2))
        #: ... pressure [Pa], ...
        self.pressure: Array = np.zeros(points)
        #: ... whether it slips, else sticks (elastic) or, without pressure, is open, ...
        self.slips: npt.NDArray[np.bool_] = np.zeros(points, dtype=bool)
        #: ... and whether the tangent exists there; where not, that of the elastic side was assembled.
        self.tangent_exists: npt.NDArray[np.bool_] = np.ones(points, dtype=bool)

    def assemble(self, u: npt.ArrayLike, u_plane: npt.ArrayLike = (0.0, 0.0, 0.0)) -> tuple[Array, Any]:
        """What contact adds to the body's residual [N], and its derivative with respect to u [N/m], sparse: the consistent
        tangent, with ∂T/∂p. It is not symmetric. `u`: of the basis [m]; `u_plane`: displacement of the plane, x, y, z [m].
        Nothing is kept until accept()."""
        displacement = np.array(self.basis.interpolate(_vector(u, "u", self.basis.N)))
        plane = _vector(u_plane, "u_plane", 3)
        relative = np.moveaxis(displacement[:2], 0, -1) - plane[:2]
        gap = self._z + displacement[2] - self.height - plane[2]
        closed = gap < 0
        pressure = np.where(closed, -self.normal_stiffness * gap, 0.0)

        last, traction = self._before
        after = self.interface.update(traction, relative - last, pressure)
        tangent = after.tangent()
        self._after = relative, after.force
        self.traction, self.pressure = after.force, pressure
        self.slips = after.slips & closed
        self.tangent_exists = tangent.exists | (gap > 0)

        # Stress on the plane, and its derivative; ∂p/∂u_z = -normal_stiffness.
        stress = np.stack([after.force[..., 0], after.force[..., 1], -pressure])
        slope = np.where(closed, self.normal_stiffness, 0.0)
        k = np.zeros((3, 3, *gap.shape))
        k[:2, :2] = np.moveaxis(tangent.by_displacement, (-2, -1), (0, 1))
        k[:2, 2] = -np.moveaxis(tangent.by_normal_force, -1, 0) * slope
        k[2, 2] = slope
        return self._integral(stress), self._matrix(k)

    def _integral(self, stress: Array) -> Array:
        """Of stress times each shape function."""
        parts = np.einsum("iaeq,aeq->ie", self._functions, stress * self.basis.dx)
        return np.asarray(np.bincount(self._dofs.ravel(), parts.ravel(), self.basis.N), dtype=np.float64)

    def _matrix(self, k: Array) -> Any:
        parts = np.einsum("iaeq,abeq->ibeq", self._functions, k * self.basis.dx)
        parts = np.einsum("ibeq,jbeq->ije", parts, self._functions, optimize=True)
        rows, columns = np.broadcast_arrays(self._dofs[:, None], self._dofs[None])
        n = self.basis.N
        return coo_matrix((parts.ravel(), (rows.ravel(), columns.ravel())), shape=(n, n)).tocsr()

    def accept(self) -> None:
        """The increment is done: forces and displacements of the last assemble() are those before the next one."""
        if self._after is None:
            raise InvalidInput("accept: nothing was assembled since the last one; call assemble first")
        self._before, self._after = self._after, None

    def force(self) -> Array:
        """Force of the body on the plane in the last assemble(), x, y, z [N]: friction along the slip, pressure downwards."""
        stress = np.stack([self.traction[..., 0], self.traction[..., 1], -self.pressure])
        return np.asarray((stress * self.basis.dx).sum(axis=(1, 2)), dtype=np.float64)
