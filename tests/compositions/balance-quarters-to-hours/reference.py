"""Balance of quarters of an hour averaged to hours."""
import sys

sys.path.insert(0, "..")
from references import *

given = spans_of(read_series(), 15)
write_reference({"s.out (m3 s-1)": at_ends(means(given, 60, 1440))})
write_figures([("run", "balanced links", 1, 0)] + balance_rows("a.out -> s.in", "m3", amount(given)))
