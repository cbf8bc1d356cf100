"""Friction in scikit-fem: the tangent, the order of Newton's method, full sliding; the example."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import skfem as fem

import slipset as sl
from slipset.skfem import Interface


@pytest.fixture(scope="module")
def example(root: Path) -> Any:
    spec = importlib.util.spec_from_file_location("rubber_block", root / "examples/python/rubber_block.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def pressed_and_sheared(example: Any) -> tuple[Any, np.ndarray]:
    """A block with a history, and a displacement at which points are open, stick and slip."""
    block = example.Block(cells=(3, 3, 2))
    for to in ((0.0, 0.0, -4e-4), (1.2e-3, 4e-4, -4e-4)):
        block.move_top(to)
    u = block.u + np.random.default_rng(6).normal(scale=2e-5, size=block.basis.N)
    block.contact.assemble(u)
    is_open = block.contact.pressure == 0
    assert is_open.any() and (block.contact.slips & ~is_open).any() and (~block.contact.slips & ~is_open).any()
    assert block.contact.tangent_exists.all()
    return block, u


def test_the_tangent_is_the_difference_of_the_residual(example: Any) -> None:
    block, u = pressed_and_sheared(example)
    plane = np.array([1e-4, -2e-4, 1e-5])
    residual, tangent = block.contact.assemble(u, plane)
    found, h = tangent.toarray(), 1e-10
    difference = np.stack([(block.contact.assemble(u + h * e, plane)[0] - block.contact.assemble(u - h * e, plane)[0]) / (2 * h)
                           for e in np.eye(block.basis.N)], axis=1)  # fmt: skip
    scale = np.abs(found).max()
    assert np.abs(found - difference).max() < 1e-5 * scale  # measured: 7e-8
    # Teeth: friction that follows pressure is in it, and only that way round.
    z = np.concatenate([block.basis.get_dofs(block.contact.basis.find).all("u^3")])
    x = np.concatenate([block.basis.get_dofs(block.contact.basis.find).all("u^1")])
    assert np.abs(found[np.ix_(x, z)]).max() > 0.1 * scale
    np.testing.assert_array_equal(found[np.ix_(z, x)], 0)


def test_the_residual_is_the_force_and_moves_with_the_plane(example: Any) -> None:
    block, u = pressed_and_sheared(example)
    residual, _ = block.contact.assemble(u)
    # Of a rigid motion along each axis: the resultant.
    dofs = [block.basis.get_dofs(elements=True).all(name) for name in ("u^1", "u^2", "u^3")]
    np.testing.assert_allclose([residual[d].sum() for d in dofs], block.contact.force(), rtol=1e-12, atol=1e-12)
    assert block.contact.force()[2] < 0 < block.contact.force()[0]
    # Body and plane moved together: the same.
    together = u.copy()
    for d, by in zip(dofs, (3e-3, -2e-3, 1e-3)):
        together[d] += by
    np.testing.assert_allclose(block.contact.assemble(together, (3e-3, -2e-3, 1e-3))[0], residual, atol=1e-6)


def test_history_is_kept_by_accept_alone(example: Any) -> None:
    block, u = pressed_and_sheared(example)
    first = block.contact.assemble(u)[0]
    block.contact.assemble(2 * u)
    np.testing.assert_array_equal(block.contact.assemble(u)[0], first)
    block.contact.accept()
    with pytest.raises(sl.InvalidInput, match="accept"):
        block.contact.accept()
    slipped = block.contact.slips
    again = block.contact.assemble(u)[0]  # no increment: the same forces, at the border where it slipped
    np.testing.assert_allclose(again, first, atol=1e-9 * np.abs(first).max())
    assert not block.contact.tangent_exists[slipped].any() and block.contact.tangent_exists[~slipped].all()
    # Lifted, nothing is left.
    residual, tangent = block.contact.assemble(u, (0.0, 0.0, -1.0))
    assert not residual.any() and not abs(tangent).max() and not block.contact.slips.any()


def is_quadratic(residuals: list[float], factor: float = 1.0, floor: float = 1e-11) -> bool:
    """r' <= factor r² [1/N] from 0.1 N on, down to rounding; at least twice, so that it is no accident."""
    pairs = [(a, b) for a, b in zip(residuals, residuals[1:]) if floor < a < 0.1]
    return len(pairs) >= 2 and all(b <= max(factor * a * a, floor) for a, b in pairs)


def test_newtons_method_is_quadratic(example: Any) -> None:
    history = example.pull(example.Block(cells=(6, 6, 3)))
    assert 0.3 < max(step["slipping"] for step in history) and max(step["open"] for step in history) > 0.05
    assert all(step["residuals"][-1] <= 1e-9 for step in history)
    assert [step["x"] for step in history if not is_quadratic(step["residuals"])] == []


@pytest.mark.parametrize("wrong", ["elastic", "without ∂T/∂p"])
def test_newtons_method_is_not_quadratic_with_another_tangent(example: Any, wrong: str) -> None:
    class Wrong(example.Block):  # type: ignore[misc, name-defined]
        def linearised(self) -> tuple[Any, Any]:
            residual, tangent = super().linearised()
            contact = self.contact
            if wrong == "elastic":
                stuck = Interface(contact.basis, sl.ElasticInterface(sl.isotropic(1e9), example.STIFFNESS), example.PENALTY)
                return residual, self.stiffness + stuck.assemble(self.u)[1]
            z = self.basis.get_dofs(contact.basis.find).all("u^3")
            along = np.setdiff1d(self.basis.get_dofs(contact.basis.find).all(), z)
            tangent = tangent.tolil()
            tangent[np.ix_(along, z)] = self.stiffness[np.ix_(along, z)]
            return residual, tangent.tocsr()

    right = example.Block(cells=(4, 4, 2))
    right.move_top((0.0, 0.0, -1e-3))
    assert is_quadratic(right.move_top((4e-3, 0.0, -1e-3)))
    block = Wrong(cells=(4, 4, 2))
    block.move_top((0.0, 0.0, -1e-3), most=200)
    try:
        residuals = block.move_top((4e-3, 0.0, -1e-3), most=200)
    except RuntimeError as error:
        assert "no equilibrium in 200" in str(error)
    else:
        assert not is_quadratic(residuals) and len(residuals) > 8


@pytest.mark.parametrize("angle", [0.0, 1.0, 2.5])
def test_full_sliding_is_the_law(example: Any, angle: float) -> None:
    block = example.Block(cells=(4, 4, 2))
    v = np.array([np.cos(angle), np.sin(angle)])
    block.move_top((0.0, 0.0, -1e-3))
    for distance in (2e-3, 4e-3, 6e-3, 8e-3, 1.2e-2, 2e-2, 5e-2, 0.2, 0.7, 2.0):
        block.move_top((*(distance * v), -1e-3))
    # What the plate has to do, from the body alone.
    plate = np.array([(block.stiffness @ block.u)[dofs].sum() for dofs in block.top])
    normal = -plate[2]
    assert normal > 100
    closed = block.contact.pressure > 0
    assert block.contact.slips[closed].all() and not block.contact.slips[~closed].any()
    np.testing.assert_allclose(plate[:2], normal * example.LAW.slip_resistance(v), rtol=1e-3, atol=1e-3 * normal)
    np.testing.assert_allclose(block.contact.force()[:2], plate[:2], atol=1e-7)
    # Teeth: the friction does not oppose the motion.
    assert abs(np.cross([*plate[:2], 0], [*v, 0])[2]) > 0.02 * normal



def test_the_example_runs(example: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    history = example.main(str(tmp_path / "block.png"))
    assert (tmp_path / "block.png").stat().st_size > 20_000
    assert "residual of each iteration" in capsys.readouterr().out
    force = history[-1]["force"]
    np.testing.assert_allclose(force[:2] / -force[2], example.LAW.slip_resistance([1.0, 0.0]), atol=0.03)
    assert all(is_quadratic(step["residuals"]) for step in history)


def test_other_elements(example: Any) -> None:
    mesh = fem.MeshTet.init_tensor(*(np.linspace(0, 1e-2, 3),) * 3)
    for element in (fem.ElementTetP1(), fem.ElementTetP2()):
        basis = fem.FacetBasis(mesh, fem.ElementVector(element), facets=mesh.facets_satisfying(lambda x: x[2] == 0))
        contact = Interface(basis, sl.ElasticInterface(example.LAW, example.STIFFNESS), 1e9)
        residual, tangent = contact.assemble(np.zeros(basis.N), (0.0, 0.0, 1e-4))
        np.testing.assert_allclose(contact.force(), [0, 0, -1e9 * 1e-4 * 1e-4], atol=1e-9)
        assert tangent.shape == (basis.N, basis.N)


def test_wrong_input_is_refused(example: Any) -> None:
    mesh, vector = fem.MeshHex(), fem.ElementVector(fem.ElementHex1())
    down = fem.FacetBasis(mesh, vector, facets=mesh.facets_satisfying(lambda x: x[2] == 0))
    interface = sl.ElasticInterface(example.LAW, example.STIFFNESS)
    flat = fem.MeshTri()
    for basis, words in ((fem.Basis(mesh, vector), "FacetBasis"), (fem.FacetBasis(mesh, vector), "face down"),
                         (fem.FacetBasis(mesh, fem.ElementHex1()), "vector element"), (None, "FacetBasis"),
                         (fem.FacetBasis(mesh, vector, facets=np.array([], dtype=int)), "no facets"),
                         (fem.FacetBasis(flat, fem.ElementVector(fem.ElementTriP1())), "in 3D")):  # fmt: skip
        with pytest.raises(sl.InvalidInput, match=words):
            Interface(basis, interface, 1e9)
    for stiffness in (0.0, -1.0, np.nan, "1e9", None):
        with pytest.raises(sl.InvalidInput, match="normal_stiffness"):
            Interface(down, interface, stiffness)  # type: ignore[arg-type]
    with pytest.raises(sl.InvalidInput, match="height"):
        Interface(down, interface, 1e9, np.inf)
    with pytest.raises(sl.InvalidInput, match="ElasticInterface"):
        Interface(down, example.LAW, 1e9)
    contact = Interface(down, interface, 1e9)
    with pytest.raises(sl.InvalidInput, match="assemble first"):
        contact.accept()
    for u in (np.zeros(5), np.full(down.N, np.nan), ["a"] * down.N, None, [[1.0], [1.0, 2.0]], np.zeros((down.N, 1))):
        with pytest.raises(sl.InvalidInput, match="u: "):
            contact.assemble(u)  # type: ignore[arg-type]
    with pytest.raises(sl.InvalidInput, match="u_plane: found shape"):
        contact.assemble(np.zeros(down.N), (0.0, 0.0))
