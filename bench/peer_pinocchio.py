"""Pinocchio's solvers of contact problems (package pin).

They are made for robots, but take any symmetric W: DelassusOperatorDense, DelassusOperatorSparse. A contact is a
PointContactConstraintModel; of its model only the sizes are looked at. Tangents stand first, the normal last, and the
correction of de Saxcé is theirs (solve_ncp), so that they solve our problem and no relaxed one.

Their tolerances are absolute ones of impulses and velocities. Hence W is scaled to a mean diagonal of one and q to a largest
entry of one, and each solver gets the loosest of its own tolerances (10, 1, 0.1, ... times ours) whose impulses reach ours:
finding it takes no time in the table.
"""
import numpy as np
import pinocchio as pin
import scipy.sparse as sparse

import peer_problem
from peers import repeat, timed, within

# By default Lanczos takes as many steps as W has rows, only for a first penalty: 1 s with 276 contacts. With ten, ADMM iterates as often.
ADMM = {"lanczos_size": 10, "max_iterations": 10**6}
SOLVERS = {
    "Pinocchio ADMM dense": (pin.ADMMConstraintSolver, pin.ADMMSolverSettings, pin.ADMMSolverResult, ADMM, False),
    "Pinocchio ADMM": (pin.ADMMConstraintSolver, pin.ADMMSolverSettings, pin.ADMMSolverResult, ADMM, True),
    "Pinocchio ADMM spectral": (pin.ADMMConstraintSolver, pin.ADMMSolverSettings, pin.ADMMSolverResult,
                                ADMM | {"admm_update_rule": pin.ADMMUpdateRule.SPECTRAL}, True),
    "Pinocchio ADMM Anderson": (pin.ADMMConstraintSolver, pin.ADMMSolverSettings, pin.ADMMSolverResult,
                                ADMM | {"anderson_capacity": 10}, True),
    "Pinocchio PGS": (pin.PGSConstraintSolver, pin.PGSSolverSettings, pin.PGSSolverResult, {"max_iterations": 10**6}, False),
    "Pinocchio PGS damped": (pin.PGSConstraintSolver, pin.PGSSolverSettings, pin.PGSSolverResult,
                             {"max_iterations": 10**6, "over_relaxation": None}, False),
}


def solve(name, path, tolerance, limit):
    make_solver, make_settings, make_result, adjust, is_sparse = SOLVERS[name]
    tolerance, limit = float(tolerance), float(limit)
    W, q, mu = peer_problem.read(path)
    n = 3 * len(mu)
    order = np.arange(n).reshape(-1, 3)[:, [1, 2, 0]].ravel()
    w = W.diagonal().mean() or 1.0
    size = abs(q).max() or 1.0
    scaled, g = sparse.csc_matrix(W[order][:, order] / w), q[order] / size

    # PGS divides both tangents by the smaller of their diagonals, and goes round in circles where they differ much.
    tangents = W.diagonal().reshape(-1, 3)[:, 1:]
    damping = min(1.0, (tangents.min(axis=1) / tangents.max(axis=1)).min())

    model = pin.Model()
    model.addJoint(0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), "body")
    models, datas = pin.StdVec_ConstraintModel(), pin.StdVec_ConstraintData()
    for coefficient in mu:
        contact = pin.PointContactConstraintModel(model, 1)
        contact.setFriction(coefficient)
        models.append(contact)
        datas.append(contact.createData())

    def once(own):
        delassus = pin.DelassusOperatorSparse(scaled) if is_sparse else pin.DelassusOperatorDense(scaled.toarray(order="F"))
        solver, settings, result = make_solver(n), make_settings(), make_result()
        for key, value in adjust.items():
            setattr(settings, key, damping if value is None else value)
        settings.absolute_feasibility_tol = settings.relative_feasibility_tol = own
        settings.absolute_complementarity_tol = settings.relative_complementarity_tol = own
        seconds, _ = timed(lambda: solver.solve(delassus, g, models, datas, settings, result))
        r = np.empty(n)
        r[order] = result.retrieveConstraintImpulses()
        return seconds, (r * size / w, result.converged)

    for rung in range(1, -7, -1):
        own = tolerance * 10.0**rung
        _, (r, converged) = within(lambda: once(own), limit)
        if not converged or peer_problem.full_error(W, q, mu, r) <= tolerance:
            break
    seconds, (r, _) = repeat(lambda: once(own), limit)
    return [seconds, *r]
