"""Balance of a field that grows beyond its target."""
import sys

sys.path.insert(0, "..")
from references import *

x, y = source_spans(60, 1440), source_spans(60, 1440, element=1)
write_reference({"s.out[t] (mm h-1)": {end: (value + other) / 2 for (_, end, value), (_, _, other) in zip(x, y)}})
kept = 100 * (amount(x) + amount(y)) / 3.6e6
outside = 200 * amount(x, begin=720) / 3.6e6
write_figures(balance_rows("a.out -> s.in", "m3", kept + outside, outside=outside, near=1e-9))
