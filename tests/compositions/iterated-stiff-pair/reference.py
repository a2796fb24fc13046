"""A stiff pair, iterated by Anderson acceleration."""
import sys

sys.path.insert(0, "..")
from references import *


def solve(a, b):
    """a x = b by elimination with row exchange."""
    rows = [list(row) + [right] for row, right in zip(a, b)]
    for k in range(len(rows)):
        pivot = max(range(k, len(rows)), key=lambda i: abs(rows[i][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for i in range(len(rows)):
            if i != k:
                factor = rows[i][k] / rows[k][k]
                rows[i] = [x - factor * y for x, y in zip(rows[i], rows[k])]
    return [row[-1] / row[k] for k, row in enumerate(rows)]


a, b = {0: 1.0}, {0: 0.0}
for minute in range(60, 6001, 60):
    a[minute], b[minute] = solve([[1 + 50, 3 * 50], [-2 * 20, 1 + 20]], [a[minute - 60] + 50, b[minute - 60] - 0.5 * 20])
write_reference({"a.out (m)": a, "b.out (m)": b})
write_figures([("a -> b -> a", "steps", 100, 0), ("a -> b -> a", "steps not converged", 0, 0)])
