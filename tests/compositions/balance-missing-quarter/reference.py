"""Balance where a quarter of an hour is missing."""
import sys

sys.path.insert(0, "..")
from references import *

quarters = spans_of(read_series(), 15)
write_reference({"s.out (m3 s-1)": at_ends(means(quarters, 60, 1440))})
kept = [span for span in quarters if not 60 <= span[0] < 120]
write_figures(balance_rows("a.out -> s.in", "m3", amount(kept), missing=2))
