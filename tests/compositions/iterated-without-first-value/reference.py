"""Iterated loops without a first value, by each method."""
import sys

sys.path.insert(0, "..")
from references import *

METHODS = ("quasi-newton", "anderson", "aitken", "relaxation", "fixed-point")
write_reference({f"{id}-{method}.out (m3 s-1)": {0: math.nan} | dict.fromkeys((60, 120, 180), value)
                 for method in METHODS for id, value in (("a", 8 / 3), ("b", 10 / 3))})
write_figures([(f"a-{method} -> b-{method} -> a-{method}", figure, value, 0) for method in METHODS
               for figure, value in (("steps", 3), ("steps not converged", 0), ("steps with missing values", 0))])
