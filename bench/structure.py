"""The same as bench_structure with SciPy: seconds of splu, seconds of eigs, |λ - σ| of the last eigenvalue.

    structure.py DATA RE IM COUNT TOLERANCE
"""
import sys
import time

import numpy as np
import scipy.io
import scipy.sparse as sp
import scipy.sparse.linalg as sla

folder, shift = sys.argv[1], complex(float(sys.argv[2]), float(sys.argv[3]))
count, tolerance = int(sys.argv[4]), float(sys.argv[5])


def read(name):
    values = scipy.io.loadmat(f"{folder}/{name}.mat")
    return next(sp.csc_matrix(x) for key, x in values.items() if not key.startswith("__"))


w = 4 * np.pi
m = read("BMLL00")
d = read("BDLL00") + w * read("BYLL00") + (1 / w - 1) * read("BDIWLL00") + read("BHLL00") / (2 * np.pi * 1600)
k = read("BKLL00") + read("BKQLL00") + (w**2 - 1) * read("BWLL00")
n = m.shape[0]
begin = time.perf_counter()
lu = sla.splu(sp.csc_matrix(shift**2 * m + shift * d + k))
factorised = time.perf_counter()
slope = d + shift * m


def inverted(z):
    """((A - σB)⁻¹B) z of the companion pencil, z = (x, λx): one solve with Q(σ)."""
    x, y = z[:n], z[n:]
    top = -lu.solve(slope @ x + m @ y)
    return np.concatenate([top, x + shift * top])


operator = sla.LinearOperator((2 * n, 2 * n), matvec=inverted, dtype=complex)
values = sla.eigs(operator, k=count, which="LM", tol=tolerance, return_eigenvectors=False)
done = time.perf_counter()
print(factorised - begin, done - factorised, (1 / np.abs(values)).max())
