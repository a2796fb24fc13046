"""A loop of three that answers with the last value."""
import sys

sys.path.insert(0, "..")
from references import *

m0, m1, m2 = {0: math.nan}, {0: math.nan}, {0: math.nan}
last = 10.0
for hour in range(1, 13):
    m1[60 * hour] = 0.5 * last + 2
    m2[60 * hour] = 0.5 * m1[60 * hour] + 3
    last = m0[60 * hour] = 0.5 * m2[60 * hour] + 1
write_reference({"m0.out (m3 s-1)": m0, "m1.out (m3 s-1)": m1, "m2.out (m3 s-1)": m2})
