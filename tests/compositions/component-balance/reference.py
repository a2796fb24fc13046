"""Balance of a tank."""
import sys

sys.path.insert(0, "..")
from references import *


def tank(spans, k=5.0, lost=0.0, lose_at=0):
    """The outflow of a tank, its balance, and its storage: it gives 1 - exp(-dt / k) of what it holds, and a
    hundredth of the rest evaporates."""
    storage, taken, given, losses, flow = 5000.0, 0.0, 0.0, 0.0, []
    for step, (begin, end, value) in enumerate(spans, 1):
        seconds = 60.0 * (end - begin)
        held = storage + value * seconds
        out = held * (1.0 - math.exp(-seconds / (k * 3600.0)))
        evaporated = 0.01 * (held - out)
        storage = held - out - evaporated - (lost if step == lose_at else 0.0)
        taken, given, losses = taken + value * seconds, given + out, losses + evaporated
        flow.append((begin, end, out / seconds))
    return flow, {"start": 5000.0, "in": taken, "out": given, "losses": losses, "end": storage}


hours = spans_of(read_series(), 60)
flow, terms = tank(hours)
write_reference({"t.outflow (m3 s-1)": at_ends(flow), "s.out (m3 s-1)": at_ends(flow)})
write_figures([("run", "balanced links", 2, 0), ("run", "balanced components", 1, 0)] +
              [("t", name, value, 1e-3) for name, value in terms.items()] +
              [("t", "residual", 0.0, 2e-7), ("t", "residual of the worst step", 0.0, 1e-9)] +
              balance_rows("a.out -> t.inflow", "m3", amount(hours)) +
              balance_rows("t.outflow -> s.in", "m3", amount(flow), near=1e-3))
