"""What the tests of the Python package share."""

import contextlib
import os
import subprocess
import tempfile
import unittest

SOURCE = os.environ["OPENMI_SOURCE_DIR"]
BINARY = os.environ["OPENMI_BINARY_DIR"]
COMMAND = os.path.join(BINARY, "bin", "openmi")
PLUGINS = os.path.join(BINARY, "tests", "tool-plugins")
BASIN = os.path.join(SOURCE, "examples", "river-basin", "river-basin.xml")

import openmi  # noqa: E402


def spring_and_pond(folder, **run):
    """A constant flow into a linear reservoir, hourly for two days: all of it in the ready components."""
    made = openmi.Composition("pond", folder=folder)
    made.add("spring", type="openmi.Constant", assembly="openmi-components", item="flow", unit="m3 s-1", value=2.0)
    made.add("pond", type="openmi.NashCascade", assembly="openmi-components", residence_time=6)
    made.link("spring.flow", "pond.inflow")
    made.observe("pond.outflow")
    made.run_from("2020-01-01T00:00Z", "2020-01-03T00:00Z", **run)
    return made


def wave(folder, **arguments):
    """A wave of the tests' own, which may take its time (pause, s) or fail (fail_at), for a day."""
    made = openmi.Composition("wave", folder=folder)
    made.add("wave", type="test.Wave", assembly=os.path.join(PLUGINS, "libtool_components.so"), **arguments)
    made.observe("wave.flow")
    made.run_from("2020-01-01T00:00Z", "2020-01-02T00:00Z")
    return made


def continued(made, item):
    """The values of an item in a run that keeps its state, goes on, comes back to it, and goes to the end."""
    with made.start() as run:
        for _ in range(20):
            run.step()
        state = run.keep_state()
        for _ in range(9):
            run.step()
        run.restore(state)
        while run.step():
            pass
        return run.end()[item].values


class Folder(unittest.TestCase):
    """A test with a folder of its own, where it is."""

    def setUp(self):
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        self.folder = stack.enter_context(tempfile.TemporaryDirectory())

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def read(self, *names):
        with open(self.path(*names), "rb") as file:
            return file.read()

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)


def command(*arguments, **options):
    """Runs the command, which has to succeed."""
    return subprocess.run([COMMAND, *arguments], check=True, capture_output=True, text=True, **options)
