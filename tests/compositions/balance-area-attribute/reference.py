"""Balance of a depth per time over elements with an attribute area."""
import sys

sys.path.insert(0, "..")
from references import *

x = [(b, e, value * 2e6 / 3.6e6) for b, e, value in source_spans(60, 1440)]
y = [(b, e, value * 5e6 / 3.6e6) for b, e, value in source_spans(60, 1440, element=1)]
write_reference({"s.out[x] (m3 s-1)": at_ends(x), "s.out[y] (m3 s-1)": at_ends(y)})
write_figures(balance_rows("a.out -> s.in", "m3", amount(x) + amount(y)) +
              [("a.out -> s.in", "note", "attribute 'area'", 0)])
