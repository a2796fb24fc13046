"""Balance of elements matched by id, in another order."""
import sys

sys.path.insert(0, "..")
from references import *

x, y, z = (spans_of(read_series(), 60, column) for column in range(3))
write_reference({"s.out[z] (m3 s-1)": at_ends(z), "s.out[x] (m3 s-1)": at_ends(x)})
write_figures([("run", "balanced links", 1, 0)] +
              balance_rows("a.out -> s.in", "m3", amount(x) + amount(y) + amount(z), outside=amount(y)))
