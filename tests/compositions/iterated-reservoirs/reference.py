"""Two coupled linear reservoirs, iterated."""
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


a, b = {0: 1.0}, {0: 4.0}
for minute in range(60, 6001, 60):
    a[minute], b[minute] = solve([[1 + 1 / 3, -1 / 3], [-0.8 / 5, 1 + 1 / 5]], [a[minute - 60] + 2 / 3, b[minute - 60]])
write_reference({"a.out (m)": a, "b.out (m)": b})
write_figures([("a -> b -> a", "steps", 100, 0), ("a -> b -> a", "steps not converged", 0, 0)])
