"""Rigid bodies as seen from afar, from the front right and above: what lies behind is drawn first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._plot import BLUE, GREEN, ORANGE, RED

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = npt.NDArray[np.float64]

# Axes of the picture in those of the world; the third points at the viewer.
_AZIMUTH, _ELEVATION = np.radians(-62.0), np.radians(26.0)
RIGHT: Array = np.array([-np.sin(_AZIMUTH), np.cos(_AZIMUTH), 0.0])
VIEWER: Array = np.array([np.cos(_AZIMUTH) * np.cos(_ELEVATION), np.sin(_AZIMUTH) * np.cos(_ELEVATION), np.sin(_ELEVATION)])
UP: Array = np.cross(VIEWER, RIGHT)
_SCREEN: Array = np.stack([RIGHT, UP], axis=-1)
_PICTURE: Array = np.stack([RIGHT, UP])
_LIGHT: Array = np.array([0.35, -0.5, 0.8]) / np.linalg.norm([0.35, -0.5, 0.8])

_COLOURS = (BLUE, ORANGE, GREEN, RED, "#cc79a7", "#56b4e9")
_FIXED, _FLOOR, _LINES, _SHADOW = "#9aa7b4", "#f3f4f6", "#d5d9de", "#dcdfe3"
_MOST_TRAILS = 12  # more are a tangle
# Faces of a box: corners by the signs of their coordinates, counter-clockwise from outside.
_FACES: Array = np.array([
    [[s, -1, -s], [s, 1, -s], [s, 1, s], [s, -1, s]] for s in (1, -1)
] + [
    [[-s, s, -1], [-s, s, 1], [s, s, 1], [s, s, -1]] for s in (1, -1)
] + [
    [[-1, -s, s], [1, -s, s], [1, s, s], [-1, s, s]] for s in (1, -1)
], dtype=float)  # fmt: skip


def on_screen(points: Array) -> Array:
    """Points of the world in the picture."""
    return np.asarray(points @ _SCREEN)


def _rotations(q: Array) -> Array:
    """Matrices of unit quaternions (w, x, y, z)."""
    w, x, y, z = np.moveaxis(q / np.linalg.norm(q, axis=-1, keepdims=True), -1, 0)
    return np.stack([
        np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], axis=-1),
        np.stack([2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)], axis=-1),
        np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], axis=-1),
    ], axis=-2)  # fmt: skip


def _group(body: Mapping[str, Any]) -> str:
    """ "left" of "left12": bodies of one group have one colour."""
    return (body["name"].rstrip("0123456789") or "body") if body["free"] else "fixed"


def _shaded(colour: str, brightness: float) -> tuple[float, float, float]:
    """Towards white above 0, towards black below."""
    base = np.array([int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)])
    mixed = base + (1 - base) * brightness if brightness > 0 else base * (1 + brightness)
    return (float(mixed[0]), float(mixed[1]), float(mixed[2]))


def _clipped(polygon: Array, normal: Array, offset: float) -> Array:
    """The part of a convex polygon (or line) with normal · x ≥ offset."""
    height = polygon @ normal - offset
    kept: list[Array] = []
    for k in range(len(polygon)):
        a, b = k, (k + 1) % len(polygon)
        if height[a] >= 0:
            kept.append(polygon[a])
        if (height[a] >= 0) != (height[b] >= 0) and (len(polygon) > 2 or k == 0):
            kept.append(polygon[a] + (polygon[b] - polygon[a]) * height[a] / (height[a] - height[b]))
    return np.array(kept).reshape(-1, 3)


def _round_step(size: float) -> float:
    """1, 2 or 5 times a power of ten, at least `size`."""
    power = 10.0 ** np.floor(np.log10(size))
    return float(next(factor * power for factor in (1, 2, 5, 10) if factor * power >= size * (1 - 1e-9)))


class Scene:
    """Bodies at given frames: `place` and `turn` have a row per frame and body."""

    def __init__(self, bodies: Sequence[Mapping[str, Any]], place: Array, quaternion: Array) -> None:
        self.all_bodies = list(bodies)
        self._solid = [b for b, body in enumerate(bodies) if body["kind"] != "plane"]
        self._planes = [b for b, body in enumerate(bodies) if body["kind"] == "plane"]
        self.solids = [self.all_bodies[b] for b in self._solid]
        self.place, self.turn = place, _rotations(quaternion)
        self._is_box = np.array([body["kind"] == "box" for body in self.solids])
        self._half: Array = np.array([
            body["half"] if body["kind"] == "box" else [body["radius"]] * 3 for body in self.solids
        ]).reshape(-1, 3)  # fmt: skip
        groups = [_group(body) for body in self.solids]
        names = [name for name in dict.fromkeys(groups) if name != "fixed"]
        self.colours = {name: _COLOURS[k % len(_COLOURS)] for k, name in enumerate(names)}
        if "fixed" in groups:
            self.colours["fixed"] = _FIXED
        self._colour = [self.colours[name] for name in groups]
        self._measure()

    def _measure(self) -> None:
        """What the bodies reach, in the world and in the picture, over all frames."""
        centre, turn = self.place[:, self._solid], self.turn[:, self._solid]
        free = [k for k, body in enumerate(self.solids) if body["free"]] or list(range(len(self.solids)))
        reach = self._reach(turn, np.eye(3))
        self._low: Array = (centre - reach)[:, free].min(axis=(0, 1))
        self._high: Array = (centre + reach)[:, free].max(axis=(0, 1))
        size = float((self._high - self._low).max())
        margin = 0.12 * size
        # Planes are drawn under what moves, and some way around.
        self._corners: Array = np.array(np.meshgrid(*np.stack([self._low - margin, self._high + margin], axis=-1))).reshape(3, -1).T
        self._step = _round_step(size / 9)
        seen = on_screen(centre)
        wide = self._reach(turn, _PICTURE)
        ground = [on_screen(polygon) for polygon, _ in self._plane_polygons(0)]
        low = np.min([(seen - wide).min(axis=(0, 1)), *(g.min(axis=0) for g in ground)], axis=0)
        high = np.max([(seen + wide).max(axis=(0, 1)), *(g.max(axis=0) for g in ground)], axis=0)
        border = 0.03 * float((high - low).max())
        self.low: Array = low - border
        self.high: Array = high + border

    def _reach(self, turn: Array, axes: Array) -> Array:
        """How far bodies go from their centres along axes: (..., bodies, axes)."""
        along = np.abs(np.einsum("...ij,ki->...kj", turn, axes))
        return np.where(
            self._is_box[:, None], np.einsum("...bkj,bj->...bk", along, self._half), self._half[:, :1] * np.ones(len(axes))
        )

    # ---- planes

    def _plane(self, frame: int, body: int) -> tuple[Array, Array]:
        return self.place[frame, body], self.turn[frame, body]

    def _plane_polygons(self, frame: int) -> list[tuple[Array, list[Array]]]:
        """Planes that show their upper side, with the lines of a grid that moves with them; each where no other is above."""
        out: list[tuple[Array, list[Array]]] = []
        for b in self._planes:
            at, turn = self._plane(frame, b)
            if turn[:, 2] @ VIEWER <= 1e-9:
                continue
            local = (self._corners - at) @ turn[:, :2]
            low, high = local.min(axis=0), local.max(axis=0)
            if np.any(high - low > 100 * self._step):  # seen from far beside it: no grid
                continue

            def placed(points: Any, at: Array = at, turn: Array = turn) -> Array:
                return np.asarray(at + np.einsum("pj,ij->pi", np.asarray(points, dtype=float), turn[:, :2]))

            polygon = placed([[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]])
            lines: list[Array] = []
            for axis in (0, 1):
                for number in range(int(np.ceil(low[axis] / self._step)), int(np.floor(high[axis] / self._step)) + 1):
                    ends = np.array([low, high])
                    ends[:, axis] = number * self._step
                    lines.append(placed(ends))
            for other in self._planes:
                if other != b:
                    on, normal = self._plane(frame, other)[0], self._plane(frame, other)[1][:, 2]
                    polygon = _clipped(polygon, normal, float(on @ normal))
                    lines = [_clipped(line, normal, float(on @ normal)) for line in lines]
            if len(polygon) > 2:
                out.append((polygon, [line for line in lines if len(line) == 2]))
        return out

    def _shadows(self, frame: int) -> list[Array]:
        """Of light from straight above, on the highest plane under each body."""
        out: list[Array] = []
        for k, b in enumerate(self._solid):
            centre, turn = self.place[frame, b], self.turn[frame, b]
            best: tuple[float, Array, Array] | None = None
            for p in self._planes:
                at, normal = self._plane(frame, p)[0], self._plane(frame, p)[1][:, 2]
                if normal[2] > 0.5:
                    height = float(at[2] - normal[:2] @ (centre[:2] - at[:2]) / normal[2])
                    if height <= centre[2] and (best is None or height > best[0]):
                        best = (height, at, normal)
            if best is None:
                continue
            _, at, normal = best
            if self._is_box[k]:
                faces = centre + (_FACES * self._half[k]) @ turn.T
            else:
                angle = np.linspace(0, 2 * np.pi, 25)[:-1]
                ring = self._half[k, 0] * np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=-1)
                faces = (centre + ring)[None]
            flat = faces.copy()
            flat[..., 2] = at[2] - (faces[..., :2] - at[:2]) @ normal[:2] / normal[2]
            out += [on_screen(face) for face in flat]
        return out

    # ---- bodies

    def _is_before(self, frame: int, i: int, j: int) -> bool:
        """Whether solid j is nearer to the viewer than i: a plane between the two says so, as they are convex."""
        (a, b), (p, q) = (self.place[frame, self._solid[k]] for k in (i, j)), (self.turn[frame, self._solid[k]] for k in (i, j))
        if not self._is_box[i] and not self._is_box[j]:
            return bool((b - a) @ VIEWER > 0)
        if self._is_box[i] != self._is_box[j]:  # from the nearest point of the box to the ball
            box, turn, half, ball, sign = (a, p, self._half[i], b, 1) if self._is_box[i] else (b, q, self._half[j], a, -1)
            local = (ball - box) @ turn
            away = turn @ (local - np.clip(local, -half, half))
            return bool(sign * (away @ VIEWER) > 0) if np.any(away != 0) else bool((b - a) @ VIEWER > 0)
        # Of the faces of both boxes that which leaves most room between them.
        best, normal = -np.inf, b - a
        for turn, half, other, size, sign in ((p, self._half[i], q, self._half[j], 1), (q, self._half[j], p, self._half[i], -1)):
            local = sign * (b - a) @ turn
            gap = np.abs(local) - half - np.abs(turn.T @ other) @ size
            k = int(np.argmax(gap))
            if gap[k] > best:
                best, normal = float(gap[k]), sign * np.sign(local[k]) * turn[:, k]
        if best < -0.2 * float(min(self._half[i].min(), self._half[j].min())):  # they cross, or meet edge to edge
            normal = b - a
        return bool(normal @ VIEWER > 0)

    def order(self, frame: int) -> list[int]:
        """Numbers of the solids, those behind first."""
        centre = self.place[frame, self._solid]
        far_first = [int(k) for k in np.argsort(centre @ VIEWER, kind="stable")]
        if not self._is_box.any():
            return far_first
        at, wide = on_screen(centre), self._reach(self.turn[frame, self._solid], _PICTURE)
        apart = np.abs(at[:, None] - at[None]) > wide[:, None] + wide[None]
        behind: list[list[int]] = [[] for _ in far_first]
        for i, j in np.argwhere(~apart.any(axis=-1)):
            if i < j:
                back, front = (int(i), int(j)) if self._is_before(frame, int(i), int(j)) else (int(j), int(i))
                behind[front].append(back)
        done: list[int] = []
        seen: set[int] = set()
        for first in far_first:  # all that is behind a body comes before it; circles are cut by the depth
            stack = [(first, False)]
            while stack:
                k, ready = stack.pop()
                if ready:
                    done.append(k)
                elif k not in seen:
                    seen.add(k)
                    stack.append((k, True))
                    stack += [(other, False) for other in behind[k] if other not in seen]
        return done

    def _polygons(self, frame: int, k: int) -> list[tuple[Array, tuple[float, float, float]]]:
        """The visible faces of a solid, or a ball with one half darker, which shows how it turns."""
        centre, turn, half = self.place[frame, self._solid[k]], self.turn[frame, self._solid[k]], self._half[k]
        colour = self._colour[k]
        if self._is_box[k]:
            out: list[tuple[Array, tuple[float, float, float]]] = []
            for face in _FACES:
                normal = turn @ face.mean(axis=0)
                if normal @ VIEWER > 1e-9:
                    out.append((on_screen(centre + (face * half) @ turn.T), _shaded(colour, 0.62 * max(0.0, float(normal @ _LIGHT)))))
            return out
        at, radius = on_screen(centre), float(half[0])
        angle = np.linspace(0, 2 * np.pi, 33)[:-1]
        disk = at + radius * np.stack([np.cos(angle), np.sin(angle)], axis=-1)
        axis = turn[:, 2]
        pole = on_screen(axis)
        length = float(np.hypot(*pole))
        if length < 1e-9:
            return [(disk, _shaded(colour, 0.1 if axis @ VIEWER > 0 else 0.55))]
        pole /= length
        side, half_turn = np.array([-pole[1], pole[0]]), np.linspace(-np.pi / 2, np.pi / 2, 17)
        rim = np.cos(half_turn)[:, None] * pole + np.sin(half_turn)[:, None] * side
        equator = -float(axis @ VIEWER) * np.cos(half_turn)[::-1, None] * pole + np.sin(half_turn)[::-1, None] * side
        return [(disk, _shaded(colour, 0.55)), (at + radius * np.concatenate([rim, equator]), _shaded(colour, 0.1))]

    # ---- the picture

    def prepare(self, ax: Axes) -> None:
        """Empties for `draw`, axes, a scale and colours."""
        from matplotlib.collections import LineCollection, PolyCollection
        from matplotlib.patches import Patch

        ax.set_axis_off()
        ax.set_aspect("equal", adjustable="box")
        self._floor = PolyCollection([], facecolors=_FLOOR, edgecolors=_LINES, linewidths=1.0, zorder=1)
        self._shade = PolyCollection([], facecolors=_SHADOW, edgecolors=_SHADOW, linewidths=0.3, zorder=1.2)
        self._grid = LineCollection([], colors=_LINES, linewidths=0.6, zorder=1.4)
        self._trails = LineCollection([], linewidths=1.1, alpha=0.8, zorder=1.6)
        self._faces = PolyCollection([], linewidths=0.7, zorder=2, joinstyle="round")
        for collection in (self._floor, self._shade, self._grid, self._trails, self._faces):
            ax.add_collection(collection, autolim=False)
        free = [k for k, body in enumerate(self.solids) if body["free"]]
        self._with_trail = free if len(free) <= _MOST_TRAILS else []
        self._trails.set_color([_shaded(self._colour[k], -0.15) for k in self._with_trail])
        (left, low), (right, high) = self.low, self.high
        size = _round_step(0.12 * max(right - left, high - low))
        foot = low - 0.07 * max(right - left, high - low)
        ax.plot([left, left + size], [foot, foot], color="black", linewidth=1.5, solid_capstyle="butt", zorder=3)
        ax.annotate(f"{size:g} m", (left + size, foot), (5, 0), textcoords="offset points", va="center", fontsize=8)
        length = 0.055 * max(right - left, high - low)
        start = np.array([right - 1.6 * length, foot])
        for name, axis in zip("xyz", np.eye(3)):
            tip = on_screen(length * axis)
            ax.annotate("", tuple(start + tip), tuple(start), arrowprops={"arrowstyle": "->", "color": "#555555", "linewidth": 1, "shrinkA": 0, "shrinkB": 0})
            ax.annotate(name, tuple(start + 1.4 * tip), ha="center", va="center", fontsize=8, color="#555555")
        ax.set_xlim(left, right)
        ax.set_ylim(foot - 0.6 * length, high)
        if 1 < len(self.colours) <= 6:
            ax.legend(
                handles=[Patch(facecolor=_shaded(c, 0.3), edgecolor=_shaded(c, -0.3), label=name) for name, c in self.colours.items()],
                loc="upper center", bbox_to_anchor=(0.5, 0.0), ncols=len(self.colours), frameon=False,
            )  # fmt: skip

    def draw(self, frame: int) -> None:
        """Puts the bodies where they are at a frame."""
        planes = self._plane_polygons(frame)
        self._floor.set_verts([on_screen(polygon) for polygon, _ in planes])
        self._grid.set_segments([on_screen(line) for _, lines in planes for line in lines])
        self._shade.set_verts(self._shadows(frame))
        self._trails.set_segments([on_screen(self.place[: frame + 1, self._solid[k]]) for k in self._with_trail])
        polygons: list[Array] = []
        faces: list[tuple[float, float, float]] = []
        edges: list[tuple[float, float, float]] = []
        for k in self.order(frame):
            for polygon, colour in self._polygons(frame, k):
                polygons.append(polygon)
                faces.append(colour)
                edges.append(_shaded(self._colour[k], -0.4))
        self._faces.set_verts(polygons)
        self._faces.set_facecolor(faces)
        self._faces.set_edgecolor(edges)

    @property
    def shape(self) -> float:
        """Height of the picture over its width."""
        width, height = self.high - self.low
        return float((height + 0.11 * max(width, height)) / width)
