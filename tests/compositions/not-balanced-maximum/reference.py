"""A maximum cannot be balanced."""
import sys

sys.path.insert(0, "..")
from references import *

rows = [values[0] for _, values in read_series()]
write_reference({"s.out (m3 s-1)": {60 * (k + 1): max(rows[4 * k:4 * k + 4]) for k in range(24)}})
write_figures([("run", "balanced links", 0, 0), ("run", "links not balanced", 1, 0)])
