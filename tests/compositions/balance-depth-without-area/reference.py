"""Balance of a depth per time without an area."""
import sys

sys.path.insert(0, "..")
from references import *

rows = [(begin, end, value / 3.6e6) for begin, end, value in spans_of(read_series(), 60)]
write_reference({"s.out (m s-1)": at_ends(rows)})
write_figures([("run", "balanced links", 1, 0)] + balance_rows("a.out -> s.in", "m", amount(rows)))
