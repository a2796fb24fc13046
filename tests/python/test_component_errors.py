"""What goes wrong in a component in Python: each a message with its file and line, and the rest keeps its results."""

import os
import unittest

from support import COMMAND, Folder, openmi, subprocess

HEAD = """import openmi
class Model(openmi.SteppingComponent):
    def setup(self):
        self.inflow = self.input("inflow", "m3 s-1", over_step=True)
        self.outflow = self.output("outflow", "m3 s-1")
"""

#: The text of the file after HEAD (None: the whole file), whether the check finds it, its line, and words of the message.
CASES = {
    "a syntax error": ("    def step(self, begin, end)\n        pass\n", True, 6, "expected ':'"),
    "a wrong indentation": ("    def step(self, begin, end):\n    pass\n", True, 7, "expected an indented block"),
    "a missing module": ("    import not_there_at_all\n", True, 6, "not_there_at_all"),
    "an exception when the file is read": ("    VALUE = 1 / 0\n", True, 6, "ZeroDivisionError"),
    "sys.exit when the file is read": ("    import sys; sys.exit('enough')\n", True, 6, "sys.exit('enough')"),
    "no step": ("    def steps(self, begin, end): pass\n", True, 2, "did you mean steps?"),
    "a step without times": ("    def step(self): pass\n", True, 6, "step(self, begin, end)"),
    "a start without a time": ("    def start(self): pass\n    def step(self, begin, end): pass\n", True, 6, "start(self, begin)"),
    "an argument that is read too early": ("        self.argument('k', 1.0).value\n    def step(self, a, b): pass\n", True, 6,
                                           "read it in initialize"),
    "an unknown unit": ("        self.output('x', 'furlongs per moon')\n    def step(self, a, b): pass\n", True, 6, "furlongs"),
    "an error of the component in validate": ("    def validate(self): raise openmi.ArgumentError('expected rain', 'link it')\n"
                                              "    def step(self, a, b): pass\n", True, 6, "expected rain; link it"),
    "an exception in step": ("    def step(self, begin, end):\n        self.deep()\n    def deep(self):\n        [][3]\n", False, 9,
                             "IndexError: list index out of range (model.py:7 step > model.py:9 deep)"),
    "sys.exit in step": ("    def step(self, begin, end):\n        import sys; sys.exit(3)\n", False, 7, "sys.exit(3)"),
    "a row of a wrong length": ("    def step(self, begin, end):\n        self.outflow.values = [1.0, 2.0]\n", False, 7,
                                "found an array of the shape (2,)"),
    "a row of a wrong dtype": ("    def step(self, begin, end):\n        self.outflow.values = ['a']\n", False, 7, "dtype <U1"),
    "a text for a number": ("    def step(self, begin, end):\n        self.outflow.value = 'much'\n", False, 7, "found str"),
    "a changed input": ("    def step(self, begin, end):\n        self.inflow.values[0] = 1.0\n", False, 7, "values.copy()"),
    "an unknown attribute": ("    def step(self, begin, end):\n        self.outflwo.value = 1.0\n", False, 7, "outflwo"),
    "a balance of another kind": ("    def step(self, begin, end): pass\n    def balance(self): return 3\n", False, 7,
                                  "openmi.Balance"),
    "a file that is not there": ("    def start(self, begin):\n        open(self.path('none.txt'))\n    def step(self, a, b): pass\n",
                                 False, 7, "none.txt"),
    "endless recursion": ("    def step(self, begin, end): self.step(begin, end)\n", False, 6, "RecursionError"),
}


class Errors(Folder):
    def composed(self, text):
        self.write("model.py", HEAD + text)
        made = openmi.Composition("made", folder=self.folder)
        made.add("spring", type="openmi.Constant", assembly="openmi-components", item="flow", unit="m3 s-1", value=3.0)
        made.add("pond", type="openmi.NashCascade", assembly="openmi-components")
        made.add("model", type="Model", assembly="model.py", time_step="PT1H")
        made.link("spring.flow", "pond.inflow").link("pond.outflow", "model.inflow", adaptors=["mean-over-span"])
        made.observe("model.outflow").observe("pond.outflow")
        return made.run_from("2020-01-01T00:00Z", "2020-01-02T00:00Z")

    def test_each_has_its_line_and_is_found_as_early_as_it_can_be(self):
        for name, (text, is_early, line, words) in CASES.items():
            with self.subTest(name):
                made = self.composed(text)
                problems = [one for one in made.check() if one.severity == "error"]
                if is_early:
                    self.assertTrue(problems, "the check finds nothing")
                    self.assertIn(f"model.py:{line}: ", str(problems[0]))
                    self.assertIn(words, str(problems[0]))
                else:
                    self.assertFalse(problems, [str(one) for one in problems])
                with self.assertRaises(openmi.Error) as caught:
                    made.run()
                error = caught.exception
                self.assertIn(words, str(error))
                if not is_early:
                    self.assertEqual((os.path.basename(error.file), error.line), ("model.py", line), str(error))

    def test_the_rest_keeps_its_results(self):
        made = self.composed("    def step(self, begin, end):\n        if begin.seconds >= 36000: raise ValueError('dry')\n")
        with self.assertRaises(openmi.ModelError) as caught:
            made.run()
        pond = caught.exception.results["pond.outflow"]
        self.assertGreaterEqual(len(pond), 10)

    def test_the_command_says_the_same_and_ends_with_its_code(self):
        made = self.composed("    def step(self, begin, end):\n        print('seen', flush=True); raise ValueError('dry')\n")
        made.save(self.path("made.xml"))
        done = subprocess.run([COMMAND, "run", self.path("made.xml"), "--quiet", "--results", self.path("results")], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 6, done.stderr)
        self.assertIn("model.py:7: model: expected no exception in step, found ValueError: dry\n",
                      done.stderr)
        self.assertIn("seen", done.stdout)

    def test_an_endless_loop_ends_with_its_time_limit(self):
        made = self.composed("    def step(self, begin, end):\n        while True:\n            pass\n")
        made.save(self.path("made.xml"))
        text = self.read("made.xml").decode().replace('Id="model"', 'Id="model" Isolation="process" TimeLimit="PT5S"')
        self.write("made.xml", text)
        done = subprocess.run([COMMAND, "run", self.path("made.xml"), "--quiet", "--results", self.path("results")], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 6, done.stderr)
        self.assertRegex(done.stderr, r"model.py:[78]: model: .*5 s")


if __name__ == "__main__":
    unittest.main()
