"""An iterated loop goes on after a missing value from outside."""
import sys

sys.path.insert(0, "..")
from references import *

series = dict(read_series())
write_reference({f"{id}.out (m3 s-1)": {0: math.nan} | {minute: value + series[minute][0] for minute in range(60, 301, 60)}
                 for id, value in (("m0", 8 / 3), ("m1", 10 / 3))})
write_figures([("m0 -> m1 -> m0", "steps", 5, 0), ("m0 -> m1 -> m0", "steps with missing values", 1, 0)])
