"""Values before and after the data, missing or held."""
import sys

sys.path.insert(0, "..")
from references import *

rows = {minute // 60: values[0] for minute, values in read_series()}
known = {hour: rows.get(hour, math.nan) for hour in range(1, 7)}
hold = {hour: rows[min(max(hour, 2), 4)] for hour in range(1, 7)}
write_reference({f"{id}.out (m3 s-1)": {0: math.nan} | {60 * hour: value for hour, value in values.items()}
                 for id, values in {"unset": known, "missing": known, "hold": hold}.items()})
