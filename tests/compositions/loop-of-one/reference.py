"""A component linked to itself."""
import sys

sys.path.insert(0, "..")
from references import *

write_reference({"m.out (m3 s-1)": {0: math.nan, 60: 2.5, 120: 2.25, 180: 2.125}})
