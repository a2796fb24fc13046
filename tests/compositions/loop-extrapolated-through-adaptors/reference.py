"""An extrapolated loop with adaptors on its link."""
import sys

sys.path.insert(0, "..")
from references import *

m0, m1 = {0: 3.0}, {0: 3.0}
for minute in range(60, 13 * 60, 60):
    back = m0[minute - 60] + (m0[minute - 60] - m0.get(minute - 120, m0[minute - 60]))
    m1[minute] = 0.5 * back + 2
    m0[minute] = 0.5 * m1[minute] + 1
write_reference({"m0.out (m3 s-1)": m0, "m1.out (m3 s-1)": m1})
