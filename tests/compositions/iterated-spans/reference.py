"""An iterated loop of means needs no first value."""
import sys

sys.path.insert(0, "..")
from references import *

write_reference({"a.out (m3 s-1)": dict.fromkeys((60, 120, 180), 8 / 3), "b.out (m3 s-1)": dict.fromkeys((60, 120, 180), 10 / 3)})
write_figures([("a -> b -> a", "steps", 3, 0), ("a -> b -> a", "steps not converged", 0, 0)])
