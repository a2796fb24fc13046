"""A pond in Python for the matrix, as those in Parts.cpp and CParts.c."""
import math

import numpy
import openmi


class SoftLimit(openmi.Adaptor):
    """Bends values softly below a limit."""

    id = "soft-limit"

    def setup(self):
        self.limit = self.argument("limit", 1.0, minimum=1e-12)

    def map(self, values, out, duration):
        out[:] = self.limit.value * numpy.tanh(values / self.limit.value)


class Pond(openmi.SteppingComponent):
    time_step = "PT1M"
    adaptors = [SoftLimit]

    def setup(self):
        self.inflow = self.input("in", default=0.5)
        self.back = self.input("back", default=0.0)
        self.outflow = self.output("out")
        self.gaps = self.output("gaps")
        self.kept = [1.0, 0]

    def start(self, begin):
        self.kept[:] = [1.0, 0]
        self.show()

    def step(self, begin, end):
        inflow, back = (self.known(value) for value in (self.inflow.value, self.back.value))
        self.kept[0] += 0.125 * (math.sin(inflow) - 0.25 * self.kept[0] - 0.125 * back)
        self.show()

    def known(self, value):
        if math.isfinite(value):
            return value
        self.kept[1] += 1
        return 0.0

    def show(self):
        self.outflow.value, self.gaps.value = self.kept
