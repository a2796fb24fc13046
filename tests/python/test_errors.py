"""Errors: their classes, their parts, what they leave."""

import pickle
import subprocess
import sys

import openmi
from support import Folder, spring_and_pond, wave


class Errors(Folder):
    def test_a_missing_file_is_an_error_of_the_family_and_of_python(self):
        with self.assertRaises(openmi.FileError) as caught:
            openmi.open(self.path("absent.xml"))
        error = caught.exception
        self.assertIsInstance(error, openmi.Error)
        self.assertIsInstance(error, OSError)
        self.assertEqual(error.file, self.path("absent.xml"))
        self.assertEqual(str(error), f"{error.file}: {error.problem}; {error.remedy}")

    def test_without_numpy_it_says_so(self):
        program = "import sys; sys.modules['numpy'] = None; import openmi; openmi.open('x.xml')"
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        self.assertIn("ImportError: openmi: expected NumPy in this Python, found none", done.stderr)

    def test_every_class_of_the_headers_is_there(self):
        for name in ("FileError", "FormatError", "ArgumentError", "UnitError", "LinkError", "RangeError", "TypeError",
                     "StateError", "LoadError", "ModelError", "DepthError"):
            error = getattr(openmi, name)("expected", "do", file="f", line=3, component="c", item="i")
            self.assertEqual(str(error), "f:3: c.i: expected; do")
            self.assertIsInstance(error, openmi.Error)

    def test_a_run_with_errors_says_all_of_them(self):
        made = spring_and_pond(self.folder).link("spring.x", "pond.y").observe("pond.z")
        for act in (made.run, made.start):
            with self.assertRaises(openmi.FormatError) as caught:
                act()
            self.assertGreaterEqual(len(caught.exception.problems.errors), 2)
            self.assertIsNone(caught.exception.results)

    def test_a_component_that_fails_leaves_what_was_computed(self):
        made = wave(self.folder, fail_at=5)
        with self.assertRaises(openmi.ModelError) as caught:
            made.run(self.path("r"))
        error = caught.exception
        self.assertEqual((error.component, error.problem, error.remedy),
                         ("wave", "expected a positive depth, found -0.125 m", "make the time step shorter"))
        self.assertEqual(len(error.results["wave.flow"]), 4)
        self.assertFalse(error.results.is_complete)
        self.assertEqual(len(openmi.results(self.path("r", "wave.nc"))["wave.flow"]), 4)
        self.assertIn("found -0.125 m", str(error.problems.errors))

    def test_results_that_are_there_are_not_replaced_unless_it_is_said(self):
        made = spring_and_pond(self.folder)
        made.run(self.path("r"))
        with self.assertRaisesRegex(openmi.FileError, "results"):
            made.run(self.path("r"))
        made.run(self.path("r"), overwrite=True)

    def test_calls_out_of_order_are_refused(self):
        run = spring_and_pond(self.folder).start()
        self.assertIs(run.end(), run.end())
        for act in (run.step, run.keep_state, lambda: run.disengage("pond"), lambda: run.request_end("now")):
            with self.assertRaisesRegex(openmi.StateError, "ended"):
                act()

    def test_unknown_names_are_answered_with_the_nearest(self):
        with spring_and_pond(self.folder).start() as run:
            with self.assertRaisesRegex(openmi.ArgumentError, "did you mean 'outflow'"):
                run["pond.outflaw"]
            with self.assertRaisesRegex(openmi.RangeError, "2"):
                run.set("pond.inflow", [1.0, 2.0])
            with self.assertRaisesRegex(openmi.ArgumentError, "reads only once"):
                run.set_argument("pond", "residence-time", 2)
            results = run.finish()
        with self.assertRaises(KeyError) as caught:
            results["pond.outflaw"]
        self.assertIsInstance(caught.exception, openmi.ArgumentError)
        self.assertIn("pond.outflow", str(caught.exception))

    def test_an_error_can_be_sent_to_another_process(self):
        error = openmi.FormatError("expected", "do", file="f", line=3)
        self.assertEqual(str(pickle.loads(pickle.dumps(error))), str(error))
