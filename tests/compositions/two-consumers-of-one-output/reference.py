"""Two consumers of one output at different pace."""
import sys

sys.path.insert(0, "..")
from references import *

fine = spans_of(read_series(), 10)
write_reference({"coarse.out (m3 s-1)": at_ends(means(fine, 180, 1440)), "fine.out (m3 s-1)": at_ends(fine)})
write_figures([("fine", "updates", 144, 0), ("coarse", "updates", 8, 0)])
