"""Scenes of rigid bodies for engines, and the rigid contact problem of a step (W, q; normal first).

A scene has bodies with spheres and boxes as surfaces, and planes. Boxes stand on four small spheres at their lower corners and
meet no other box: engines with one contact per pair of surfaces could not hold them otherwise. Surfaces overlap by 1e-9 m, so
that every engine sees contact, and none anything to push out. All friction coefficients are 0.5, gravity 9.81, restitution 0.
"""
import dataclasses

import numpy as np
import scipy.sparse as sparse

GRAVITY, FRICTION, STEP, OVERLAP = 9.81, 0.5, 0.01, 1e-9


@dataclasses.dataclass
class Body:
    mass: float
    inertia: np.ndarray  # principal, in the body's axes, which are those of the world at the beginning
    position: np.ndarray
    velocity: np.ndarray
    spheres: list  # (centre, radius)
    box: np.ndarray = None  # half lengths


def _box(position, velocity, half=(0.5, 0.4, 0.3), mass=1.0, foot=0.05):
    half = np.array(half)
    a, b, c = half - foot
    spheres = [(np.array([x, y, -c]), foot + OVERLAP) for x in (a, -a) for y in (b, -b)]
    square = (2 * half) ** 2
    return Body(mass, mass / 12 * (square.sum() - square), np.array(position, float), np.array(velocity, float), spheres, half)


def _pile(widest, layers):
    """Layers of widest² and (widest - 1)² spheres in turn, each on four of the layer below, in a box whose walls the wider
    layers touch; masses and velocities are random."""
    random = np.random.default_rng(1)
    radius, gap = 0.1, 0.21
    rise = np.sqrt((2 * radius) ** 2 - gap**2 / 2)
    bodies = []
    for layer in range(layers):
        n = widest - layer % 2
        for i in range(n):
            for j in range(n):
                mass = random.uniform(0.5, 2)
                place = np.array([(i - (n - 1) / 2) * gap, (j - (n - 1) / 2) * gap, radius + layer * rise])
                velocity = random.normal(size=3) * 0.05
                bodies.append(Body(mass, np.full(3, 0.4 * mass * radius**2), place, velocity,
                                   [(np.zeros(3), radius + OVERLAP)]))
    wall = (widest - 1) / 2 * gap + radius
    planes = [((0, 0, 0), (0, 0, 1)), ((-wall, 0, 0), (1, 0, 0)), ((wall, 0, 0), (-1, 0, 0)), ((0, -wall, 0), (0, 1, 0)),
              ((0, wall, 0), (0, -1, 0))]
    return bodies, planes


def _stack(boxes):
    random = np.random.default_rng(2)
    return [_box((0, 0, 0.3 + 0.6 * k), (*random.normal(size=2) * 0.05, 0), mass=random.uniform(0.5, 2)) for k in range(boxes)]


GROUND = [((0, 0, 0), (0, 0, 1))]
# name: (bodies, planes), steps of the engine's own before the one that is judged
SCENES = {
    "box at rest": (lambda: ([_box((0, 0, 0.3), (0, 0, 0))], GROUND), 0),
    "box sliding": (lambda: ([_box((0, 0, 0.3), (1, 0.3, 0))], GROUND), 0),
    "stack of 10 boxes": (lambda: (_stack(10), GROUND), 0),
    "stack of 10 boxes, 20 steps later": (lambda: (_stack(10), GROUND), 20),
    "pile of 107 spheres": (lambda: _pile(5, 5), 0),
    "pile of 107 spheres, 20 steps later": (lambda: _pile(5, 5), 20),
    "pile of 1015 spheres": (lambda: _pile(9, 14), 0),
}


def cross(r):
    return np.array([[0, -r[2], r[1]], [r[2], 0, -r[0]], [-r[1], r[0], 0]])


def frame(normal):
    """Rows: normal, two tangents."""
    least = np.eye(3)[np.argmin(abs(normal))]
    tangent = np.cross(normal, least)
    tangent /= np.linalg.norm(tangent)
    return np.array([normal, tangent, np.cross(normal, tangent)])


@dataclasses.dataclass
class State:
    """Of the bodies before a step, in world axes."""
    position: np.ndarray  # n x 3
    rotation: np.ndarray  # n x 3 x 3
    velocity: np.ndarray  # n x 3
    spin: np.ndarray  # n x 3


def contact_problem(bodies, state, contacts):
    """contacts: (body a, body b, point, frame, force on b), -1 for the world; world axes; the normal points from a to b.
    Returns W, q, mu, impulses, and the velocities (n x 6) that follow with these impulses."""
    rows, columns, values, impulses = [], [], [], []

    def put(row, column, block):
        for i in range(3):
            for j in range(3):
                rows.append(row + i), columns.append(column + j), values.append(block[i, j])

    for k, (a, b, point, axes, force) in enumerate(contacts):
        for body, sign in ((a, -1), (b, 1)):
            if body >= 0:
                put(3 * k, 6 * body, sign * axes)
                put(3 * k, 6 * body + 3, -sign * axes @ cross(point - state.position[body]))
        impulses.extend(STEP * axes @ force)
    J = sparse.csr_matrix((values, (rows, columns)), shape=(3 * len(contacts), 6 * len(bodies)))
    inverse, free = [], []
    for k, body in enumerate(bodies):
        R, w = state.rotation[k], state.spin[k]
        inertia_inverse = R @ np.diag(1 / body.inertia) @ R.T
        inverse += [np.eye(3) / body.mass, inertia_inverse]
        free.append(state.velocity[k] + STEP * np.array([0, 0, -GRAVITY]))
        free.append(w - STEP * inertia_inverse @ np.cross(w, R @ (body.inertia * (R.T @ w))))
    M_inverse = sparse.block_diag(inverse, format="csr")
    free, impulses = np.concatenate(free), np.array(impulses)
    W = (J @ M_inverse @ J.T).tocsr()
    after = free + M_inverse @ (J.T @ impulses)
    return W, J @ free, np.full(len(contacts), FRICTION), impulses, after.reshape(-1, 6)
