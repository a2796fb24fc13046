"""Balance of a link with a missing value in each step."""
import sys

sys.path.insert(0, "..")
from references import *

write_reference({"s.out (m3 s-1)": {60 * hour: math.nan for hour in range(1, 25)}})
write_figures([("a.out -> s.in", "is weighed", "false", 0), ("a.out -> s.in", "relative difference", math.nan, 0),
               ("a.out -> s.in", "note", "a value was missing in each step", 0)])
