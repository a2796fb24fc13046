"""A depth over places without an area."""
import sys

sys.path.insert(0, "..")
from references import *

rows = read_series()
write_reference({f"s.out[{target}] (mm h-1)": {minute: values[source] for minute, values in rows}
                 for source, target in enumerate("tu")})
write_figures([("run", "balanced links", 0, 0), ("run", "links not balanced", 1, 0)])
