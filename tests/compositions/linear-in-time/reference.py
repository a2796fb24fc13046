"""Instants every six hours asked for every hour."""
import sys

sys.path.insert(0, "..")
from references import *

rows = dict(read_series())
values = {0: math.nan}
for hour in range(1, 25):
    before = (hour - 1) // 6 * 6
    weight = (hour - before) / 6
    values[60 * hour] = (1 - weight) * rows[60 * before][0] + weight * rows[60 * (before + 6)][0]
write_reference({"s.out (m3 s-1)": values})
