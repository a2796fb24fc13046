"""A loop that is fed from outside and tapped below."""
import sys

sys.path.insert(0, "..")
from references import *

m0, m1 = {0: math.nan}, {0: math.nan}
last = 3.0
for minute, (fed,) in read_series()[1:]:
    m1[minute] = 0.5 * last + 2
    last = m0[minute] = 0.5 * m1[minute] + fed + 1
write_reference({"m0.out (m3 s-1)": m0, "m1.out (m3 s-1)": m1, "s.out (m3 s-1)": m1})
write_figures([(id, "updates", 24, 0) for id in ("m0", "m1", "s")])
