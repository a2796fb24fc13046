"""Balance of litres that arrive as cubic metres."""
import sys

sys.path.insert(0, "..")
from references import *

rows = [(begin, end, value / 1000) for begin, end, value in spans_of(read_series(), 60)]
write_reference({"s.out (m3 s-1)": at_ends(rows)})
write_figures([("run", "balanced links", 1, 0)] + balance_rows("a.out -> s.in", "m3", amount(rows)))
