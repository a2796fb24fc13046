"""A linear reservoir: storage = k outflow, so d(outflow)/dt = (inflow - outflow) / k. Each step is exact for an inflow
that is constant over it, whatever its length."""
from math import exp

import openmi

SECONDS_PER_DAY = 86400.0


class Tank(openmi.SteppingComponent):
    """A linear reservoir."""

    def setup(self):
        self.k = self.argument("k", 2.0, unit="d", minimum=1e-6, caption="storage coefficient")
        self.initial = self.argument("initial-outflow", 0.0, unit="m3 s-1", minimum=0.0)
        self.inflow = self.input("inflow", "m3 s-1", over_step=True)
        self.outflow = self.output("outflow", "m3 s-1", description="at the end of each step")
        self.mean = self.output("mean-outflow", "m3 s-1", over_step=True, description="over each step")
        self.taken = self.given = 0.0  # m3

    def start(self, begin):
        self.outflow.value = self.initial.value
        self.taken = self.given = 0.0

    def step(self, begin, end):
        inflow, before = self.inflow.value, self.outflow.value
        decay = exp(-(end - begin).days / self.k.value)
        outflow = before * decay + inflow * (1.0 - decay)
        seconds = (end - begin).days * SECONDS_PER_DAY
        mean = inflow - (self.storage(outflow) - self.storage(before)) / seconds
        self.outflow.value = outflow
        self.mean.value = mean
        self.taken += inflow * seconds
        self.given += mean * seconds

    def storage(self, outflow):
        """In m3."""
        return self.k.value * SECONDS_PER_DAY * outflow

    def balance(self):
        return openmi.Balance(self.storage(self.outflow.value), self.taken, self.given)
