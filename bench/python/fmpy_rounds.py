"""One FMU, driven by the package openmi and by FMPy: the functions that bench/python measures in turn."""

import logging
import os
import sys

import numpy
import openmi

sys.path.insert(0, os.environ["OPENMI_FMPY"])
logging.disable()
from fmpy import extract, read_model_description, simulate_fmu  # noqa: E402
from fmpy.fmi2 import FMU2Slave  # noqa: E402

START = numpy.datetime64("2000-01-01T00:00:00", "us")


class Pair:
    """The same FMU on both sides.

    Args:
        path: an FMU of FMI 2.0 for co-simulation.
        given, taken: names of its input (empty: none) and its output.
        step: in seconds.
    """

    def __init__(self, path, given, taken, step):
        self.path, self.given, self.taken, self.step = path, given, taken, step
        self.description = read_model_description(path)
        self.references = {one.name: one.valueReference for one in self.description.modelVariables}
        self.id = openmi.open(path).components[0].id
        self.input = f"{self.id}.{given}"

    def ours(self, steps=None):
        """The composition of the FMU, as long as so many steps; None: ten years."""
        alone = openmi.open(self.path).set_argument(self.id, "time-step", f"PT{self.step}S")
        if self.given:
            alone.set_argument(self.id, "inputs", "begin")  # as FMPy gives them
        length = numpy.timedelta64(3650, "D") if steps is None else numpy.timedelta64(round(steps * self.step * 1e6), "us")
        return alone.run_from(START, START + length)

    def start_loops(self):
        """Starts one run on each side, to be stepped."""
        self.run = self.ours().start(supply={self.input: "previous"} if self.given else {})
        self.peer = FMU2Slave(guid=self.description.guid, unzipDirectory=extract(self.path),
                              modelIdentifier=self.description.coSimulation.modelIdentifier, instanceName="peer")
        self.peer.instantiate()
        self.peer.setupExperiment(startTime=0.0)
        self.peer.enterInitializationMode()
        self.peer.exitInitializationMode()
        self.time = 0.0

    def loop(self, steps):
        """A step with a value given and a value taken."""
        run, item, taken, value = self.run, self.input, self.run[f"{self.id}.{self.taken}"], 0.0
        for _ in range(steps):
            if self.given:
                run.supply(item, None, value)
            run.step()
            value = 0.5 * taken.value

    def peer_loop(self, steps):
        peer, taken, value = self.peer, [self.references[self.taken]], 0.0
        given = [self.references[self.given]] if self.given else None
        time, step = self.time, self.step
        for _ in range(steps):
            if given:
                peer.setReal(given, [value])
            peer.doStep(currentCommunicationPoint=time, communicationStepSize=step)
            time += step
            value = 0.5 * peer.getReal(taken)[0]
        self.time = time

    def start_whole(self, steps):
        """Prepares whole runs: a composition of the right length, and a series of inputs."""
        self.whole = self.ours(steps)
        seconds = numpy.arange(steps + 1) * self.step
        self.values = numpy.sin(seconds)
        self.times = START + (seconds * 1e6).round().astype("timedelta64[us]")
        self.series = numpy.array(list(zip(seconds, self.values)), dtype=[("time", float), (self.given, float)]
                                  if self.given else [("time", float), ("none", float)])

    def whole_run(self, steps):
        """A run with its outputs; inputs are given as a series."""
        if not self.given:
            return self.whole.run(progress=False)
        run = self.whole.start(supply={self.input: "previous"})
        run.supply(self.input, self.times, self.values)
        return run.finish()

    def peer_whole_run(self, steps):
        return simulate_fmu(self.path, stop_time=steps * self.step, step_size=self.step, output_interval=self.step,
                            fmi_type="CoSimulation", input=self.series if self.given else None, use_event_mode=False,
                            model_description=self.description)

    def check(self, steps):
        """Whether both sides compute the same at the end of a whole run."""
        ours = self.whole_run(steps)[f"{self.id}.{self.taken}"].values[:, 0]
        peer = self.peer_whole_run(steps)[self.taken]
        return len(ours) == len(peer) and bool(numpy.allclose(ours[-1], peer[-1], rtol=1e-9, atol=1e-9))
