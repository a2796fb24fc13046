"""A run that ends within a step of an adaptor."""
import sys

sys.path.insert(0, "..")
from references import *

until = 45 * 60
sixths = [(m, min(m + 360, until), mean(spans_of(read_series(), 60), m, min(m + 360, until))) for m in range(0, until, 360)]
fifths = means(sixths, 300, until)
write_reference({"s.out (m3 s-1)": at_ends(fifths), "long (m3 s-1)": at_ends(means(fifths, 1200, 2400))})
