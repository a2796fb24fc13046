"""Balance of values at instants."""
import sys

sys.path.insert(0, "..")
from references import *

rows = read_series()
write_reference({"s.out (m3 s-1)": {0: math.nan} | {minute: values[0] for minute, values in rows[1:]}})
write_figures([("run", "balanced links", 1, 0)] + balance_rows("a.out -> s.in", "m3", amount(spans_of(rows[1:], 60))))
