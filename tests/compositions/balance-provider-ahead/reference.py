"""Balance of a provider whose last step ends after the run."""
import sys

sys.path.insert(0, "..")
from references import *

given = source_spans(420, 1260)
hours = means(given, 60, 1020)
write_reference({"s.out (m3 s-1)": at_ends(hours)})
write_figures([("run", "balanced links", 1, 0)] + balance_rows("a.out -> s.in", "m3", amount(hours)))
