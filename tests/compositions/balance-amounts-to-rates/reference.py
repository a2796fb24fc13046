"""Balance of amounts added up and divided by their time."""
import sys

sys.path.insert(0, "..")
from references import *

rows = [values[0] for _, values in read_series()]
write_reference({"s.out (m3 s-1)": {60 * (k + 1): math.fsum(rows[4 * k:4 * k + 4]) / 3600 for k in range(24)}})
write_figures([("run", "balanced links", 1, 0)] + balance_rows("a.out -> s.in", "m3", math.fsum(rows)))
