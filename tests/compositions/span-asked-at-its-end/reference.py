"""An hourly mean asked for at the full hour."""
import sys

sys.path.insert(0, "..")
from references import *

write_reference({"s.out (m3 s-1)": {0: math.nan} | {60 * hour: 10.0 * hour + hour**2 for hour in range(1, 7)}})
