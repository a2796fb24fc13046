"""Balance of fields of which one grows."""
import sys

sys.path.insert(0, "..")
from references import *

x = [(b, e, value * (100 if e <= 720 else 300) / 3.6e6) for b, e, value in source_spans(60, 1440)]
y = [(b, e, value * 100 / 3.6e6) for b, e, value in source_spans(60, 1440, element=1)]
write_reference({"s.out[x] (m3 s-1)": at_ends(x), "s.out[y] (m3 s-1)": at_ends(y)})
write_figures(balance_rows("a.out -> s.in", "m3", amount(x) + amount(y)))
