"""A consumer gets what the provider gives."""
import sys

sys.path.insert(0, "..")
from references import *

hours = spans_of(read_series(), 60)
write_reference({"a.out (m3 s-1)": at_ends(hours), "s.out (m3 s-1)": at_ends(hours)})
write_figures([("a", "updates", 24, 0), ("s", "updates", 24, 0)])
