"""A contact problem as peers of bench/peers.py need it: W sparse, q, mu; normal first. Read from and written to Siconos' .dat."""
import pathlib

import numpy as np
import scipy.sparse as sparse


def read(path):
    """Of the forms of docs/formats.md the one that slipset writes: dimension 3, W in sparse blocks."""
    numbers = iter(pathlib.Path(path).read_text().split())

    def integers(count):
        return np.array([int(next(numbers)) for _ in range(count)])

    def reals(count):
        return np.array([float(next(numbers)) for _ in range(count)])

    dimension, contacts, storage, rows, _ = integers(5)
    if dimension != 3 or storage != 1:
        raise SystemExit(f"{path}: dimension {dimension}, storage {storage}")
    blocks, block_rows, block_columns = integers(3)
    integers(block_rows + block_columns)
    starts_count, places_count = integers(2)
    starts, columns = integers(starts_count), integers(places_count)
    values = np.empty((blocks, 3, 3))
    for k in range(blocks):
        next(numbers)
        values[k] = reals(9).reshape(3, 3).T
    W = sparse.bsr_matrix((values, columns[:blocks], starts[: block_rows + 1]), shape=(rows, rows)).tocsc()
    return W, reals(rows), reals(contacts)


def write(path, W, q, mu):
    n = len(mu)
    blocks = sparse.bsr_matrix(W, blocksize=(3, 3))
    blocks.sort_indices()
    ends = " ".join(str(3 * (i + 1)) for i in range(n))
    lines = ["3", f"{n}", "1", f"{3 * n} {3 * n}", f"{len(blocks.indices)} {n} {n}", ends, ends,
             f"{n + 1} {len(blocks.indices)}", " ".join(map(str, blocks.indptr)), " ".join(map(str, blocks.indices))]
    for k, block in enumerate(blocks.data):
        lines.append(f"{k} " + " ".join(f"{x:.17g}" for x in block.T.ravel()))
    lines += [" ".join(f"{x:.17g}" for x in q), " ".join(f"{x:.17g}" for x in mu)]
    pathlib.Path(path).write_text("\n".join(lines) + "\n")


def full_error(W, q, mu, r):
    """(C.12), to choose how far a solver has to go. What is reported is computed in C++."""
    p, u = r.reshape(-1, 3), (W @ r + q).reshape(-1, 3)
    y = p - u
    y[:, 0] -= mu * np.linalg.norm(u[:, 1:], axis=1)
    tangential = np.linalg.norm(y[:, 1:], axis=1)
    outside = tangential > mu * y[:, 0]
    normal = np.where(outside, np.maximum((y[:, 0] + mu * tangential) / (1 + mu**2), 0), y[:, 0])
    y[:, 1:] *= np.where(outside, mu * normal / np.where(tangential > 0, tangential, 1), 1)[:, None]
    y[:, 0] = normal
    return np.linalg.norm(p - y) / max(np.linalg.norm(v) for v in (q, r, u))
