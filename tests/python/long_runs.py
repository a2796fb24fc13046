"""What takes minutes: components in Python killed and resumed, loaded and unloaded, and as FMUs, many times.

Called by scripts/soak: python3 long_runs.py kills | cycles | instances
"""

import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from support import COMMAND, command, openmi

MODEL = '''
import random
import numpy
import openmi


class Model(openmi.SteppingComponent):
    """Keeps an array, a generator and a list from step to step."""
    time_step = "PT1M"

    def setup(self):
        self.inflow = self.input("inflow", "m3 s-1", default=1.0)
        self.outflow = self.output("outflow", "m3 s-1", elements=self.elements(range(10)))
        self.storage = numpy.zeros(10)
        self.noise = numpy.random.default_rng(1)
        self.seen = []

    def step(self, begin, end):
        self.storage += self.inflow.value + self.noise.normal(size=10)
        self.seen = (self.seen + [float(self.storage[0])])[-5:]
        numpy.multiply(self.storage, sum(self.seen), out=self.outflow.row())
'''

COMPOSITION = '''<Composition xmlns="urn:openmi2:composition:1" Id="long">
  <Component Id="model" Type="Model" Assembly="model.py" {isolation}/>
  <Component Id="second" Type="Model" Assembly="model.py"/>
  <Link From="model.outflow" To="second.inflow"><Adaptor Id="one-value"><Argument Key="of" Value="sum"/></Adaptor></Link>
  <Observe Item="second.outflow"/>
  <Run From="2020-01-01T00:00Z" To="2020-02-15T00:00Z"/>
  <Checkpoints Every="P2D"/>
</Composition>
'''


def memory():
    """Resident, in MB, now."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 1e6


def rows(path):
    with open(path, "rb") as file:
        return b"".join(line for line in file if not line.startswith(b"#"))


def kills(folder):
    """50 runs that are killed at random and resumed: the bytes of the run that was not."""
    chance = random.Random(7)
    for isolation in ("", 'Isolation="process"'):
        with open("long.xml", "w", encoding="utf-8") as file:
            file.write(COMPOSITION.format(isolation=isolation))
        begin = time.monotonic()
        command("run", "long.xml", "--results", "whole", "--quiet", "--overwrite", "--no-report")
        seconds = time.monotonic() - begin
        killed = 0
        while killed < 25:
            shutil.rmtree("killed", ignore_errors=True)
            arguments = [COMMAND, "run", "long.xml", "--results", "killed", "--quiet", "--no-report"]
            while True:
                run = subprocess.Popen(arguments, stdout=subprocess.DEVNULL)
                try:
                    code = run.wait(timeout=chance.uniform(0.1, 0.8) * seconds)
                    break
                except subprocess.TimeoutExpired:
                    run.send_signal(signal.SIGKILL)
                    run.wait()
                    killed += 1
                    if os.path.isdir("killed") and os.listdir("killed"):
                        arguments = [*arguments[:7], "--resume"]
            assert code == 0, code
            assert rows("killed/long.csv") == rows("whole/long.csv"), "other bytes"
        print(f"{killed} kills{' of an isolated one' if isolation else ''}: the bytes of the whole run")


def cycles(folder):
    """1 000 times: loaded, run, unloaded."""
    made = openmi.Composition("cycle", folder=folder)
    made.add("model", type="Model", assembly="model.py")
    made.observe("model.outflow").run_from("2020-01-01T00:00Z", "2020-01-01T01:00Z")
    first = None
    for number in range(1000):
        assert made.run()["model.outflow"].values.shape == (61, 10)
        assert "model" not in sys.modules
        if number == 100:
            first = memory()
    last = memory()
    print(f"1000 cycles: {first:.1f} MB after 100, {last:.1f} MB after 1000")
    assert last < first + 2.0


def instances(folder):
    """1 000 instances of an exported FMU, one after another, in our importer."""
    with open("model.omi", "w", encoding="utf-8") as file:
        file.write('<LinkableComponent xmlns="http://www.openmi.org/v2_0" Type="Model" Assembly="model.py"/>')
    command("fmu", "export", "model.omi", "--output-file", "model.fmu")
    made = openmi.Composition("import", folder=folder)
    made.add("fmu", type="openmi.fmi.Fmu", assembly="openmi-fmi-bridge", fmu="model.fmu", time_step="PT1M")
    made.observe("fmu.outflow[1]").run_from("2020-01-01T00:00Z", "2020-01-01T00:05Z")
    first, value = None, None
    for number in range(1000):
        series = made.run()
        found = series[next(iter(series))].values[-1].tolist()
        assert value in (None, found), (value, found)
        value = found
        if number == 100:
            first = memory()
    last = memory()
    print(f"1000 instances: {first:.1f} MB after 100, {last:.1f} MB after 1000")
    assert last < first + 2.0


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        with open("model.py", "w", encoding="utf-8") as file:
            file.write(MODEL)
        {"kills": kills, "cycles": cycles, "instances": instances}[sys.argv[1]](folder)
