"""Balance of a loss between other adaptors."""
import sys

sys.path.insert(0, "..")
from references import *

x, y = source_spans(15, 1440), source_spans(15, 1440, element=1)
field = [(begin, end, 0.98 * (2 * value + other) / 3 / 3.6e6) for (begin, end, value), (_, _, other) in zip(x, y)]
write_reference({"s.out[t] (m s-1)": at_ends(means(field, 60, 1440))})
left = (2 * amount(x) + amount(y)) / 3.6e6
write_figures(balance_rows("a.out -> s.in", "m3", left, arrived=0.98 * left, difference=-0.02))
