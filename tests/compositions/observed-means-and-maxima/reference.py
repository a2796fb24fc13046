"""Means and maxima over periods, of all elements or one."""
import sys

sys.path.insert(0, "..")
from references import *

rows = read_series()
columns = {"a.out[y] (m3 s-1)": at_ends(means(spans_of(rows, 60, 1), 180, 1440))}
for i, element in enumerate("xy"):
    columns[f"top[{element}] (m3 s-1)"] = {
        60 * end: max(values[i] for minute, values in rows if 60 * (end - 12) < minute <= 60 * end) for end in (12, 24)}
write_reference(columns)
