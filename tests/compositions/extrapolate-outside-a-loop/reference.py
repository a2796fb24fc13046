"""An extrapolated link outside every loop."""
import sys

sys.path.insert(0, "..")
from references import *

write_reference({"s.out (m3 s-1)": {0: math.nan} | {minute: values[0] for minute, values in read_series()[1:]}})
