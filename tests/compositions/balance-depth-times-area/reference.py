"""Balance of a depth per time that becomes a flow."""
import sys

sys.path.insert(0, "..")
from references import *

flows = {element: [(begin, end, value * area / 3.6e6) for begin, end, value in spans_of(read_series(), 60, column)]
         for column, (element, area) in enumerate({"x": 2e6, "y": 5e6}.items())}
write_reference({f"s.out[{element}] (m3 s-1)": at_ends(rows) for element, rows in flows.items()})
write_figures([("run", "balanced links", 1, 0)] +
              balance_rows("a.out -> s.in", "m3", sum(amount(rows) for rows in flows.values())))
