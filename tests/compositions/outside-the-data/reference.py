"""Values before and after the data, by each kind of extrapolation."""
import sys

sys.path.insert(0, "..")
from references import *

rows = {minute // 60: values[0] for minute, values in read_series()}
known = {hour: rows.get(hour, math.nan) for hour in range(1, 7)}
hold = {hour: rows[min(max(hour, 2), 4)] for hour in range(1, 7)}
line = known | {1: rows[3] - 2 * (rows[3] - rows[2])} | {hour: rows[4] + (hour - 4) * (rows[4] - rows[3]) for hour in (5, 6)}
write_reference({f"{id}.out (m3 s-1)": {0: math.nan} | {60 * hour: value for hour, value in values.items()}
                 for id, values in {"unset": known, "missing": known, "hold": hold, "line": line}.items()})
