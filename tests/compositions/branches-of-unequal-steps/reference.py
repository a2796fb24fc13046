"""Two branches with steps of unequal length."""
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


first, _ = tank(means(spans_of(read_series("a.csv"), 20), 30, 1440))
second, _ = tank(means(first, 45, 1440))
hours = spans_of(read_series("b.csv"), 60)
write_reference({"t1.outflow (m3 s-1)": at_ends(first), "t2.outflow (m3 s-1)": at_ends(second),
                 "s.out (m3 s-1)": at_ends(means(second, 120, 1440)), "r.out (m3 s-1)": at_ends(hours)})
write_figures([("s", "updates", 12, 0), ("r", "updates", 24, 0)])
