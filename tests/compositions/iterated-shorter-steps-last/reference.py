"""An iterated loop whose last member makes shorter steps."""
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
s, r = 1 / 9, 1 / 5  # of T in a step
for hour in range(24):
    a0, b0 = a[60 * hour], b[60 * hour]
    x = solve([[1 + s, 0, 0, -s / 3], [-1, 1 + s, 0, -s * 2 / 3], [0, -1, 1 + s, -s], [0, 0, -r * 0.8, 1 + r]],
              [a0 + s * (2 + b0 * 2 / 3), s * (2 + b0 / 3), s * 2, b0])
    a |= {60 * hour + 20 * (k + 1): x[k] for k in range(3)}
    b[60 * hour + 60] = x[3]
write_reference({"a.out (m)": a, "b.out (m)": b})
