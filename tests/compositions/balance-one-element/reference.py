"""Balance of one element of several."""
import sys

sys.path.insert(0, "..")
from references import *

y = spans_of(read_series(), 60, 1)
write_reference({"s.out (m3 s-1)": at_ends(y)})
write_figures([("run", "balanced links", 1, 0)] + balance_rows("a.out -> s.in", "m3", amount(y)))
