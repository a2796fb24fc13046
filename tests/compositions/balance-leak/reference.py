"""Balance of an adaptor that loses a fiftieth."""
import sys

sys.path.insert(0, "..")
from references import *

given = source_spans(60, 1440)
write_reference({"s.out (m3 s-1)": {end: 0.98 * value for _, end, value in given}})
write_figures(balance_rows("a.out -> s.in", "m3", amount(given), arrived=0.98 * amount(given), difference=-0.02))
