"""Components whose class is in the program that runs, and not in a file of its own."""

import subprocess
import sys

from support import Folder

TANK = """
import signal
import openmi

class Tank(openmi.SteppingComponent):
    time_step = "PT1H"
    def setup(self):
        self.level = self.output("level", "m")
        self.is_interrupted = self.argument("is-interrupted", False)
    def step(self, begin, end):
        if self.is_interrupted.value and self.level.value == 2.0:
            signal.raise_signal(signal.SIGINT)
        self.level.value += 0.5

def made(**words):
    one = openmi.Composition("tank").add("tank", type=Tank, **words).observe("tank.level")
    return one.run_from("2020-01-01T00:00Z", "2020-01-02T00:00Z")
"""


class Program(Folder):
    def run_text(self, text, *, as_file=True):
        program = [self.write("program.py", text)] if as_file else ["-"]
        done = subprocess.run([sys.executable, *program], input=None if as_file else text, capture_output=True, text=True,
                              timeout=60, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_a_script_uses_the_class_that_it_defines_and_is_not_read_again(self):
        out = self.run_text(TANK + "print('read')\none = made()\nprint(one.check().ok, one.run()['tank.level'].values[-1])\n")
        self.assertEqual(out.split(), ["read", "True", "[12.]"])

    def test_a_class_that_was_typed_in_needs_no_file(self):
        out = self.run_text(TANK + """
one = made()
print(one.check().ok, one.run()["tank.level"].values[-1])
try:
    made(isolation="process")
except openmi.ArgumentError as error:
    print(error)
""", as_file=False)
        self.assertIn("True [12.]", out)
        self.assertIn("tank: expected a class in a file for a component in a process of its own, found 'Tank', which "
                      "was typed in; write the class into a file", out)

    def test_a_file_that_runs_when_it_is_read_says_how_to_prevent_it(self):
        self.write("model.py", TANK + "made().run()\n")
        for isolation in ("none", "process"):
            out = self.run_text(f"""
import openmi
one = openmi.Composition("one").add("tank", type="Tank", assembly="model.py", isolation="{isolation}")
try:
    one.run_from("2020-01-01T00:00Z", "2020-01-02T00:00Z").run()
except openmi.Error as error:
    print(error)
""")
            self.assertIn('found one that runs or checks a composition; put that under `if __name__ == "__main__":`', out)
            self.assertIn("model.py", out)

    def test_an_interrupt_within_a_step_keeps_the_results(self):
        out = self.run_text(TANK + """
try:
    made(is_interrupted=True).run("r")
except KeyboardInterrupt as interrupt:
    print(interrupt.results["tank.level"].values[-1], len(openmi.results("r/tank.nc")["tank.level"]))
    print(interrupt.results.problems.errors)
""")
        self.assertIn("[2.] 5\n", out)
        self.assertIn("interrupted in step", out)
