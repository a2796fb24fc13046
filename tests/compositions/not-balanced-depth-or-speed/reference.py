"""A length per time that may be a speed."""
import sys

sys.path.insert(0, "..")
from references import *

write_reference({"s.out (m s-1)": {minute: values[0] for minute, values in read_series()}})
write_figures([("run", "balanced links", 0, 0), ("run", "links not balanced", 1, 0)])
