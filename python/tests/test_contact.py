"""Contact problems from arrays, sparse matrices and files."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

import slipset as sl


def random_problem(rng: np.random.Generator, contacts: int) -> tuple[np.ndarray, np.ndarray]:
    h = rng.normal(size=(3 * contacts, 3 * contacts + 2))
    q = rng.normal(size=3 * contacts)
    q[::3] = -abs(q[::3])
    return h @ h.T, q


def test_solutions_fulfil_the_law_in_its_own_words() -> None:
    rng = np.random.default_rng(1)
    for _ in range(50):
        w, q = random_problem(rng, 2)
        law = sl.associated(sl.Ellipse(0.5, 0.3, 0.4))
        solution = sl.solve(sl.ContactProblem(w, q, law), tolerance=1e-12)
        assert solution.solved
        np.testing.assert_allclose(w @ solution.impulse + q, solution.velocity, atol=1e-9)
        for i, mode in enumerate(solution.modes):
            p, u = solution.impulse[3 * i : 3 * i + 3], solution.velocity[3 * i : 3 * i + 3]
            assert p[0] >= 0 and u[0] >= -1e-9 and abs(p[0] * u[0]) < 1e-9
            if mode == "slip":
                np.testing.assert_allclose(-p[1:], p[0] * law.slip_resistance(u[1:]), atol=1e-8)
            elif mode == "stick":
                assert np.linalg.norm(u[1:]) < 1e-9 and law.is_admissible(-p[1:] / p[0], 1e-9)


def test_the_residual_of_impulses_of_any_size_is_a_number() -> None:
    problem = sl.ContactProblem(np.eye(3), [-1.0, 0.5, 0.0], sl.Law(sl.Ellipse(0.5, 0.3, 0.4), sl.Ellipse(2, 1)))
    for size in (1e-300, 1e-200, 1e-100, 1e-10):
        # Next to no impulse the body falls on at its speed: all of it is missing.
        assert problem.residual([8 * size, 7 * size, 8 * size]) == pytest.approx(1 / np.hypot(1, 0.5), rel=1e-6)


def test_problems_and_solutions_are_pickled_and_copied() -> None:
    rng = np.random.default_rng(8)
    law = sl.Law(sl.Ellipse(0.5, 0.3, 0.4), sl.Ellipse(2, 1))
    solvable = sl.ContactProblem(*random_problem(rng, 4), law)
    jammed = sl.ContactProblem(np.diag([0.0, 1.0, 1.0]), [-1.0, 0.0, 0.0], law)
    for problem, status in ((solvable, "solved"), (jammed, "no-solution")):
        solution = sl.solve(problem, tolerance=1e-10, max_iterations=123, threads=1)
        assert solution.status == status
        for again in (pickle.loads(pickle.dumps(solution)), copy.deepcopy(solution)):
            for name in (n for n in dir(solution) if not n.startswith("_") and not callable(getattr(solution, n))):
                np.testing.assert_equal(getattr(again, name), getattr(solution, name), err_msg=name)
            assert repr(again) == repr(solution)
        same = pickle.loads(pickle.dumps(problem))
        for made in (same, problem):  # angles went to degrees and back
            again = sl.solve(made, tolerance=1e-10, threads=1)
            np.testing.assert_allclose(again.impulse, solution.impulse, rtol=1e-12, atol=1e-15)


def test_dense_sparse_and_masses_are_one_problem() -> None:
    rng = np.random.default_rng(2)
    mass = sp.diags(rng.uniform(1, 2, 12)).tocsc()
    h = sp.random(12, 6, 0.9, random_state=3).tocsc()
    velocity = rng.normal(size=12)
    w = (h.T @ sp.linalg.spsolve(mass, h.tocsc())).toarray()
    q = h.T @ velocity
    laws = [sl.isotropic(0.3), None]
    by = [sl.ContactProblem(w, q, laws), sl.ContactProblem(sp.csr_matrix(w), q, laws),
          sl.ContactProblem.from_masses(mass, h, velocity, laws)]
    velocities = [sl.solve(p, tolerance=1e-12, measure="residual").velocity for p in by]
    np.testing.assert_allclose(velocities[1], velocities[0], atol=1e-8)
    np.testing.assert_allclose(velocities[2], velocities[0], atol=1e-6)
    np.testing.assert_allclose(by[2].delassus(), w, atol=1e-12)
    np.testing.assert_allclose(by[0].multiply(np.ones(6)), w @ np.ones(6) + q)


def test_files_come_back_with_the_same_bits(tmp_path: Path) -> None:
    w, q = random_problem(np.random.default_rng(4), 3)
    problem = sl.ContactProblem(w, q, [0.3, 0.5, 0.0])
    for name in ("p.dat", "p.hdf5"):
        problem.save(tmp_path / name)
        again = sl.ContactProblem.read(tmp_path / name)
        np.testing.assert_array_equal(again.free_velocity, q)
        np.testing.assert_array_equal(sl.solve(tmp_path / name).impulse, sl.solve(again).impulse)
    with pytest.raises(sl.InvalidInput, match="nothing"):
        sl.solve(tmp_path / "nothing.dat")


def test_no_solution_is_a_status_with_its_proof() -> None:
    # Two normals, opposite, of a body between walls that close.
    w = np.zeros((6, 6))
    w[0, 0] = w[3, 3] = 1
    w[0, 3] = w[3, 0] = -1
    w[1:3, 1:3] = w[4:6, 4:6] = np.eye(2)
    solution = sl.solve(sl.ContactProblem(w, [-1.0, 0, 0, -1.0, 0, 0], 0.3))
    assert solution.status == "no-solution" and not solution.solved
    assert solution.contradiction["contacts"] == [0, 1]


def test_arrays_are_views_that_outlive_their_owner() -> None:
    problem = sl.ContactProblem(np.eye(3), [-1.0, 0.5, 0.0], 0.3)
    impulse = sl.solve(problem).impulse
    del problem
    np.testing.assert_allclose(impulse, [1, -0.3, 0])
    with pytest.raises(ValueError):
        impulse[0] = 7


@pytest.mark.parametrize(("w", "q", "laws"), [
    (np.eye(4), np.zeros(4), 0.3), (np.eye(3), np.zeros(4), 0.3), (np.ones((3, 6)), np.zeros(3), 0.3),
    (np.full((3, 3), np.nan), np.zeros(3), 0.3), (np.eye(3), [0, 0, np.inf], 0.3), (np.eye(3), np.zeros(3), -0.3),
    (np.eye(3), np.zeros(3), [0.1, 0.2]), (np.eye(3), np.zeros(3), "steel"), (np.eye(3), np.zeros(3), [None, None]),
    ("W", np.zeros(3), 0.3), (sp.eye(4), np.zeros(4), 0.3), (-np.eye(3), np.zeros(3), 0.3),
], ids=str)
def test_wrong_problems_are_refused(w: object, q: object, laws: object) -> None:
    with pytest.raises(sl.InvalidInput):
        sl.solve(sl.ContactProblem(w, q, laws))


@pytest.mark.parametrize("options", [
    {"method": "magic"}, {"tolerance": 0}, {"tolerance": float("nan")}, {"max_iterations": 0}, {"threads": -1},
    {"measure": "miles"}, {"guess": [1.0]},
], ids=str)
def test_wrong_options_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(sl.InvalidInput):
        sl.solve(sl.ContactProblem(np.eye(3), [-1.0, 0.5, 0.0], 0.3), **options)  # type: ignore[arg-type]


def test_derivatives_against_central_differences() -> None:
    rng = np.random.default_rng(5)
    law = sl.Law(sl.Ellipse(0.5, 0.3, 0.4), sl.Superellipse(2, 1, 2.5, 0.1))
    compared = 0
    for _ in range(60):
        w, q = random_problem(rng, 2)
        problem = sl.ContactProblem(w, q, [law, law])
        options = {"tolerance": 1e-14, "measure": "residual", "method": "newton"}
        at = sl.solve(problem, **options)
        try:
            derivative = sl.ContactDerivative(problem, at, border=1e-3)
        except sl.InvalidInput as error:
            assert "border" in str(error) or "determined" in str(error)
            continue
        dq, dw = rng.normal(size=6), rng.normal(size=(6, 6))
        dw = dw + dw.T
        (names,) = derivative.parameters
        dtheta = 0.1 * rng.normal(size=len(names))
        theta = np.array(list(law.parameters().values()))

        def solution(t: float) -> sl.ContactSolution:
            changed = law.with_parameters(theta + t * dtheta)
            return sl.solve(sl.ContactProblem(w + t * dw, q + t * dq, [changed, changed]), guess=at.impulse, **options)

        h = 1e-6
        more, less = solution(h), solution(-h)
        dp, du = derivative.forward(dq, dw, [dtheta])
        scale = max(1.0, float(np.linalg.norm(dp)))
        np.testing.assert_allclose(dp, (more.impulse - less.impulse) / (2 * h), atol=2e-6 * scale)
        np.testing.assert_allclose(du, (more.velocity - less.velocity) / (2 * h), atol=2e-5 * scale)
        pbar, ubar = rng.normal(size=6), rng.normal(size=6)
        of_q, (of_law,) = derivative.reverse(pbar, ubar)
        backward = of_q @ dq + of_q @ dw @ at.impulse + of_law @ dtheta
        assert backward == pytest.approx(pbar @ dp + ubar @ du, rel=1e-9, abs=1e-9)
        compared += 1
    assert compared > 20


def test_a_solution_of_another_problem_has_no_derivative_here() -> None:
    problem, other = (sl.ContactProblem(np.eye(3), [-1.0, x, 0.0], 0.3) for x in (2.0, -2.0))
    with pytest.raises(sl.InvalidInput, match="another problem"):
        sl.ContactDerivative(other, sl.solve(problem))


def test_broken_sparse_matrices_are_refused() -> None:
    broken = sp.csc_matrix(np.eye(3))
    broken.indices[:] = [0, 1, 500000000]
    with pytest.raises(sl.InvalidInput, match="broken"):
        sl.ContactProblem(broken, [-1.0, 0, 0], 0.3)


def test_on_a_border_there_is_no_derivative() -> None:
    problem = sl.ContactProblem(np.eye(3), [-1.0, 0.3, 0.0], 0.3)
    with pytest.raises(sl.InvalidInput, match="contact 0 is on a border"):
        sl.ContactDerivative(problem, sl.solve(problem))
