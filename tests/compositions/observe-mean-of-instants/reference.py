"""The mean of instants."""
import sys

sys.path.insert(0, "..")
from references import *

write_reference({"a.out (m3 s-1)": at_ends(means(spans_of(read_series()[1:], 60), 180, 1440))})
