"""A brake pad on a disc and a clutch facing on a flywheel, of any size, in steady sliding.

Both bodies of the brake have matching nodes at their interface. A contact's row in slipset's table has three
displacements, so the unknowns of a pad node at the interface are its displacements r relative to the disc's node:
    u_pad = u_disc + r,   i.e. u = T v,  M -> T^T M T,  K -> T^T K T                      (exact, no penalty)
The disc turns slowly: no gyroscopic or centrifugal terms, and its nodes stay where they are in space.
"""

from dataclasses import dataclass, replace

import numpy as np
import scipy.sparse as sparse

from bricks import Material, isotropic, ring, sector
from friction import Contacts

IRON = isotropic(7100, 1.1e11, 0.27)
STEEL = isotropic(7850, 2.1e11, 0.3)
# Axis 1 is the grain, axis 3 the thickness, which is softest: pressed fibres lie in the plane.
LINING = Material(2500, (8e9, 4e9, 1.5e9), (0.25, 0.3, 0.25), (0.6e9, 0.8e9, 2e9))
FACING = Material(1900, (12e9, 5e9, 2e9), (0.2, 0.3, 0.25), (0.7e9, 0.9e9, 2.5e9))


@dataclass(frozen=True)
class Settings:
    force: float  # sum of the contacts' normal forces [N]
    speed: float  # of the disc or flywheel about z [rad/s]
    grain: float  # angle of the lining's axis 1 and of the law's axes [degrees]
    layer_stiffness: float  # of the contact, per area [N/m3]
    damping: float  # times K: Rayleigh [s]
    band: tuple  # wanted frequencies [Hz]
    growth: tuple  # wanted growth rates [1/s]
    follows: str = "fixed"  # the grain: fixed in space, or "circumference"


@dataclass(frozen=True)
class Model:
    name: str
    nodes: np.ndarray  # places [m]
    cells: np.ndarray  # eight nodes each
    mass: sparse.csr_array
    stiffness: sparse.csr_array
    unknowns: np.ndarray  # of each node along x, y, z; -1: fixed
    added: np.ndarray  # second unknown whose displacement is added; -1: none
    contacts: Contacts
    load: np.ndarray  # of a pressing force of 1 N
    interface: tuple  # coordinates (r, theta) of the contacts, and whether theta is closed
    settings: Settings
    bodies: tuple | None  # for checks: M, K, springs within K, T (mass = T^T M T), first node of the body that slides

    @property
    def size(self):
        return self.mass.shape[0]


def turned_tangents(places, angle, follows):
    """Unit vectors along the grain in the plane."""
    angles = np.full(len(places), np.radians(angle))
    if follows == "circumference":
        angles += np.arctan2(places[:, 1], places[:, 0]) + np.pi / 2
    return np.stack([np.cos(angles), np.sin(angles), np.zeros(len(places))], axis=1)


def steady_contacts(unknowns, places, areas, settings):
    """The body stands, the surface turns about z; the normal is along z, the first tangent along the grain."""
    tangent = turned_tangents(places, settings.grain, settings.follows)
    normal = np.tile([0.0, 0.0, 1.0], (len(places), 1))
    velocity = -np.cross([0.0, 0.0, settings.speed], places)  # of the body against the surface
    second = np.cross(normal, tangent)
    slip = np.stack([np.sum(velocity * tangent, 1), np.sum(velocity * second, 1)], axis=1)
    return Contacts(unknowns, places, normal, tangent, settings.layer_stiffness * areas, slip)


def face_springs(matrix, totals, area):
    """Springs spread evenly over a face: stiffness along x, y, z of the whole face [N/m]."""
    return sparse.kron(matrix / area, sparse.diags_array(totals), format="csr")


def pressed(count, nodes, areas):
    """A pressure on a face along -z with a resultant of 1 N."""
    load = np.zeros(3 * count)
    load[3 * nodes + 2] = -areas / areas.sum()
    return load


def elements(scale, wanted, least):
    return max(least, round(scale * wanted))


def nearest_scale(size, count):
    """The refinement whose number of unknowns is nearest to size."""
    scales = np.geomspace(0.1, 12, 4000)
    counts = np.array([count(s) for s in scales])
    return scales[np.argmin(np.abs(counts - size))]


# ---- brake ----------------------------------------------------------------------------------------------------------

DISC = (0.06, 0.14)  # radii; clamped at the inner one
DISC_THICKNESS = 0.012
PAD = (0.095, 0.14)
PAD_HALF_ANGLE = np.radians(28)
PAD_HEIGHTS = np.array([0, 0.010, 0.015])  # lining, back plate
PAD_SPRINGS = (2e7, 8e7, 1e7)  # radial, along the circumference, normal [N/m]


def brake_counts(s):
    return {"pad_angle": elements(s, 8, 2), "rest": elements(s, 16, 4), "inside": elements(s, 2, 1),
            "pad_radius": elements(s, 2.9, 1), "disc": elements(s, 1, 1), "lining": elements(s, 1.3, 1),
            "plate": elements(s, 0.7, 1)}


def brake_size(s):
    n = brake_counts(s)
    disc = 2 * (n["pad_angle"] + n["rest"]) * 2 * (n["inside"] + n["pad_radius"]) * (2 * n["disc"] + 1)
    pad = (2 * n["pad_angle"] + 1) * (2 * n["pad_radius"] + 1) * (2 * (n["lining"] + n["plate"]) + 1)
    return 3 * (disc + pad)


BRAKE = Settings(force=5000.0, speed=10.0, grain=30.0, layer_stiffness=5e11, damping=5e-8, band=(0, 6000),
                 growth=(-300, 1000))


def pad_on_disc(size, settings=BRAKE, keep_bodies=True):
    n = brake_counts(nearest_scale(size, brake_size))
    under = np.linspace(-PAD_HALF_ANGLE, PAD_HALF_ANGLE, n["pad_angle"] + 1)
    rest = np.linspace(PAD_HALF_ANGLE, 2 * np.pi - PAD_HALF_ANGLE, n["rest"] + 1)[1:]
    pad_radii = np.linspace(*PAD, n["pad_radius"] + 1)
    radii = np.concatenate([np.linspace(DISC[0], PAD[0], n["inside"] + 1)[:-1], pad_radii])
    disc = ring(radii, np.concatenate([under, rest]), [-DISC_THICKNESS, 0], [n["disc"]], [IRON])
    lining = replace(LINING, angle=settings.grain, follows=settings.follows)
    pad = sector(pad_radii, under, PAD_HEIGHTS, [n["lining"], n["plate"]], [lining, STEEL])

    back, back_areas, back_matrix = pad.face(PAD_HEIGHTS[-1])
    mass_p, stiffness_p = pad.mass_and_stiffness()
    springs_p = face_springs(back_matrix, PAD_SPRINGS, back_areas.sum())
    mass_d, stiffness_d = disc.mass_and_stiffness()

    nodes = np.concatenate([disc.nodes, pad.nodes])
    first = len(disc.nodes)
    held = np.zeros(len(nodes), bool)
    held[:first] = np.abs(np.hypot(disc.nodes[:, 0], disc.nodes[:, 1]) - DISC[0]) < 1e-9
    unknowns, free = numbered(held)
    mass = sparse.block_diag([mass_d, mass_p], format="csr")[free][:, free]
    stiffness = sparse.block_diag([stiffness_d, stiffness_p + springs_p], format="csr")[free][:, free]
    springs = sparse.block_diag([sparse.csr_array(stiffness_d.shape), springs_p], format="csr")[free][:, free]

    at_pad, areas, _ = pad.face(0.0)
    at_disc = matching(pad.nodes[at_pad], disc.nodes)
    at_pad = at_pad + first
    added = np.full_like(unknowns, -1)
    added[at_pad] = unknowns[at_disc]
    t = relative(unknowns[at_pad].ravel(), added[at_pad].ravel(), len(free))
    places = nodes[at_pad]
    contacts = steady_contacts(unknowns[at_pad], places, areas, settings)
    load = np.concatenate([np.zeros(3 * first), pressed(len(pad.nodes), back, back_areas)])[free]
    return Model("pad_on_disc", nodes, np.concatenate([disc.cells(), pad.cells() + first]),
                 (t.T @ mass @ t).tocsr(), (t.T @ stiffness @ t).tocsr(), unknowns, added, contacts, t.T @ load,
                 (polar_coordinates(places), False), settings,
                 (mass, stiffness, springs, t, first) if keep_bodies else None)


# ---- clutch ---------------------------------------------------------------------------------------------------------

RING = (0.075, 0.115)
RING_HEIGHTS = np.array([0, 0.0035, 0.005])  # facing, steel ring
RING_SPRINGS = (6e7, 6e7, 2e7)  # along x, y, z [N/m]


def clutch_counts(s):
    return {"angle": elements(s, 20, 6), "radius": elements(s, 3, 1), "facing": elements(s, 1, 1),
            "ring": elements(s, 0.6, 1)}


def clutch_size(s):
    n = clutch_counts(s)
    return 3 * 2 * n["angle"] * (2 * n["radius"] + 1) * (2 * (n["facing"] + n["ring"]) + 1)


CLUTCH = Settings(force=2000.0, speed=100.0, grain=0.0, layer_stiffness=1e10, damping=1e-6, band=(0, 6000),
                  growth=(-300, 1000))


def clutch_facing(size, settings=CLUTCH, keep_bodies=True):
    """The flywheel is rigid, so the contacts' unknowns are the nodes' own displacements."""
    n = clutch_counts(nearest_scale(size, clutch_size))
    facing = replace(FACING, angle=settings.grain, follows=settings.follows)
    body = ring(np.linspace(*RING, n["radius"] + 1), np.linspace(0, 2 * np.pi, n["angle"] + 1), RING_HEIGHTS,
                [n["facing"], n["ring"]], [facing, STEEL])
    back, back_areas, back_matrix = body.face(RING_HEIGHTS[-1])
    mass, stiffness = body.mass_and_stiffness()
    springs = face_springs(back_matrix, RING_SPRINGS, back_areas.sum())
    stiffness = stiffness + springs
    unknowns, _ = numbered(np.zeros(len(body.nodes), bool))
    at, areas, _ = body.face(0.0)
    places = body.nodes[at]
    contacts = steady_contacts(unknowns[at], places, areas, settings)
    return Model("clutch_facing", body.nodes, body.cells(), mass, stiffness, unknowns, np.full_like(unknowns, -1),
                 contacts, pressed(len(body.nodes), back, back_areas), (polar_coordinates(places), True), settings,
                 (mass, stiffness, springs, sparse.eye_array(mass.shape[0], format="csr"), 0) if keep_bodies else None)


MODELS = {"pad_on_disc": (pad_on_disc, BRAKE), "clutch_facing": (clutch_facing, CLUTCH)}

# ---- numbers of unknowns --------------------------------------------------------------------------------------------


def numbered(held):
    """Unknowns of each node, -1 for those of held nodes; and the kept ones among 3 x nodes."""
    free = np.flatnonzero(np.repeat(~held, 3))
    unknowns = np.full(3 * len(held), -1)
    unknowns[free] = np.arange(len(free))
    return unknowns.reshape(-1, 3), free


def matching(places, among):
    """For each place the node there."""
    key = lambda x: [tuple(row) for row in np.rint(x * 1e9).astype(np.int64)]
    near = np.flatnonzero(np.abs(among[:, 2] - places[0, 2]) < 1e-9)
    number = dict(zip(key(among[near]), near))
    return np.array([number[k] for k in key(places)])


def relative(pad, disc, size):
    """T: each unknown itself, and to those of the pad at the interface those of the disc are added."""
    return (sparse.eye_array(size, format="csr")
            + sparse.csr_array((np.ones(len(pad)), (pad, disc)), shape=(size, size)))


def polar_coordinates(places):
    return np.stack([np.hypot(places[:, 0], places[:, 1]), np.arctan2(places[:, 1], places[:, 0])], axis=1)
