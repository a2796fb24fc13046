"""Components of bench/python/python-components.cpp."""
import openmi


class Empty(openmi.SteppingComponent):
    time_step = "PT1S"

    def setup(self):
        self.inflow = self.input("in", default=1.0)
        self.outflow = self.output("out", initial=1.0)

    def step(self, begin, end):
        pass


class Mixer(Empty):
    def step(self, begin, end):
        self.outflow.value = 0.9 * self.outflow.value + 0.1 * self.inflow.value


class LongRows(openmi.SteppingComponent):
    """Gives and takes long rows; `at` is where they lie: read, written, shown."""
    time_step = "PT1S"

    def setup(self):
        self.count = self.argument("count", 1)
        self.shows = self.argument("shows", False)

    def initialize(self):
        import numpy
        where = self.elements(range(1, self.count.value + 1))
        self.inflow = self.input("in", elements=where, default=1.0)
        self.outflow = self.output("out", elements=where)
        self.at = [self.output("read"), self.output("written")]
        self.own = numpy.zeros(self.count.value)

    def step(self, begin, end):
        self.at[0].value = self.inflow.values.ctypes.data
        row = self.own if self.shows.value else self.outflow.row()
        row[:] = end.mjd
        if self.shows.value:
            self.outflow.show(row)
        self.at[1].value = row.ctypes.data


class Heavy(openmi.SteppingComponent):
    """Computes in Python alone, for some milliseconds."""
    time_step = "PT1S"

    def setup(self):
        self.outflow = self.output("out")

    def step(self, begin, end):
        x = 0.5
        for _ in range(100_000):
            x = 3.9 * x * (1.0 - x)
        self.outflow.value = x
