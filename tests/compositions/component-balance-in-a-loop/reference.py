"""Balance of two tanks that flow into each other."""
import sys

sys.path.insert(0, "..")
from references import *

write_figures([("run", "balanced components", 2, 0), ("t1", "residual", 0.0, 1e-9), ("t2", "residual", -7.0, 1e-9),
               ("t2", "residual of the worst step", -7.0, 1e-9), ("t2", "end of the worst step", 4.0, 1e-7)])
