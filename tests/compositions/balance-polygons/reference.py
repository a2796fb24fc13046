"""Balance of rain on two fields, of which the target takes one and a half."""
import sys

sys.path.insert(0, "..")
from references import *

x, y = (spans_of(read_series(), 60, column) for column in (0, 1))
target = {end: (2 * value + 0.5 * other) / 2.5 for (_, end, value), (_, _, other) in zip(x, y)}
write_reference({"s.out[t] (mm h-1)": target})
depth = 1e-3 / 3600
write_figures([("run", "balanced links", 1, 0)] +
              balance_rows("a.out -> s.in", "m3", depth * (2 * amount(x) + amount(y)), outside=depth * 0.5 * amount(y), near=1e-12) +
              [("a.out -> s.in", "note", "areas: geometry", 0)])
