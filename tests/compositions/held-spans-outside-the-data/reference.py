"""Held means before and after the data."""
import sys

sys.path.insert(0, "..")
from references import *

write_reference({"s.out (m3 s-1)": {0: math.nan} | {60 * hour: 39.0 if hour <= 3 else 56.0 for hour in range(1, 7)}})
