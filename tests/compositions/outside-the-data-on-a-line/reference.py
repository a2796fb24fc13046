"""Values before and after the data, on a line."""
import sys

sys.path.insert(0, "..")
from references import *

write_reference({"s.out (m3 s-1)": {0: math.nan, 60: 9.0, 120: 24.0, 180: 39.0, 240: 56.0, 300: 73.0, 360: 90.0}})
