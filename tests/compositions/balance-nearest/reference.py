"""Balance of the nearest place, which keeps no amount."""
import sys

sys.path.insert(0, "..")
from references import *

x, y, z = (spans_of(read_series(), 60, column) for column in range(3))
write_reference({"s.out[t] (m3 s-1)": at_ends(x), "s.out[u] (m3 s-1)": at_ends(x)})
left = amount(x) + amount(y) + amount(z)
write_figures(balance_rows("a.out -> s.in", "m3", left, arrived=2 * amount(x), difference=2 * amount(x) / left - 1,
                           difference_near=1e-9))
