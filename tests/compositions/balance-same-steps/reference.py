"""Balance of a flow between equal steps."""
import sys

sys.path.insert(0, "..")
from references import *

hours = spans_of(read_series(), 60)
write_reference({"s.out (m3 s-1)": at_ends(hours)})
write_figures([("run", "balanced links", 1, 0)] + balance_rows("a.out -> s.in", "m3", amount(hours)))
