"""Studies: the same bytes in processes of this machine and behind an executor, whatever is killed; searches of others."""

import concurrent.futures
import os
import signal
import subprocess
import sys
import time
import unittest

import numpy

import openmi
from support import BINARY, COMMAND, Folder, command

try:
    import scipy.optimize
except ImportError:
    scipy = None

MOODY = os.path.join(BINARY, "tests", "study-plugins", "libstudy_components.so")


def children_of(process):
    with open(f"/proc/{process}/task/{process}/children") as file:
        return [int(word) for word in file.read().split()]


class StudyFolder(Folder):
    MOODS = """<Vary Id="mood" Argument="pond.mood"><Value Is="well"/><Value Is="throw"/><Value Is="segfault"/></Vary>"""

    def make(self, inside, pause=0.0, mood=MOODS):
        made = openmi.Composition("pond", folder=self.folder)
        made.add("pond", type="test.Moody", assembly=MOODY, time_step="P1D", pause=pause)
        made.observe("pond.flow")
        made.run_from("2020-01-01T00:00Z", "2020-12-31T00:00Z")
        made.save(self.path("pond.xml"))
        return openmi.Study(self.write("study.xml", f'''<Study xmlns="urn:openmi2:study:1" Id="s" Composition="pond.xml">
            <Vary Id="k" Argument="pond.k" From="0.5" To="50" Scale="log"/>
            {mood}
            <Objective Id="top" Item="pond.flow" Measure="maximum" Weight="1"/>
            {inside}</Study>'''))

    SWEEP = '<Design Method="latin-hypercube" Members="15" Seed="3"/>'
    SEARCH = '<Calibrate Method="dds" Budget="15" Seed="5"/>'
    ASKED = '<Design Method="program"/>'

    def bytes_of(self, folder):
        return {name: self.read(folder, name) for name in ("s-members.csv", "s.nc", "s.csv")}


class BehindExecutors(StudyFolder):
    def test_results_are_those_of_the_command(self):
        for inside in (self.SWEEP, self.SEARCH):
            study = self.make(inside)
            subprocess.run([COMMAND, "study", "run", self.path("study.xml"), "--results",
                            self.path("c"), "--overwrite", "--csv", "--quiet"], capture_output=True)
            expected = self.bytes_of("c")
            here = study.run(self.path("here"), overwrite=True, csv=True, report=False)
            self.assertEqual(self.bytes_of("here"), expected)
            self.assertEqual(len(here.ends), len(here))
            self.assertIn("died", here.ends)
            self.assertEqual(here.objectives.shape, (len(here), 1))
            self.assertTrue(numpy.isnan(here.costs[here.ends.index("died")]))
            self.assertEqual(here.best, int(numpy.nanargmin(here.costs)) + 1)
            for kind in (concurrent.futures.ProcessPoolExecutor, concurrent.futures.ThreadPoolExecutor):
                with kind(2) as executor:
                    study.run(self.path("p"), executor=executor, overwrite=True, csv=True, report=False)
                    self.assertEqual(self.bytes_of("p"), expected, kind)

    def test_a_worker_that_is_killed_loses_nothing(self):
        study = self.make(self.SWEEP)
        study.run(self.path("whole"), csv=True, report=False)
        study = self.make(self.SWEEP, pause=0.0005)
        killed = []

        with concurrent.futures.ProcessPoolExecutor(2) as executor:
            def kill(progress):
                if progress.done < 3 * (len(killed) + 1):
                    return
                for process in executor._processes:
                    for worker in children_of(process)[:1]:
                        os.kill(worker, signal.SIGKILL)
                        killed.append(worker)

            study.run(self.path("killed"), executor=executor, csv=True, report=False, progress=kill)
        self.assertGreater(len(killed), 1)
        self.assertEqual(self.bytes_of("killed"), self.bytes_of("whole"))

    def test_a_pool_that_breaks_can_be_replaced(self):
        study = self.make(self.SWEEP)
        study.run(self.path("whole"), csv=True, report=False)
        study = self.make(self.SWEEP, pause=0.0005)
        executor = concurrent.futures.ProcessPoolExecutor(2)
        executor.submit(os.getpid).result()

        def kill(progress):
            if progress.done >= 5:
                for process in list(executor._processes):
                    os.kill(process, signal.SIGKILL)

        with self.assertRaises(concurrent.futures.BrokenExecutor):
            study.run(self.path("broken"), executor=executor, progress=kill)
        executor.shutdown()
        left = study.results(self.path("broken"))
        self.assertIn("not-run", left.ends)
        self.assertIn("done", left.ends)
        with concurrent.futures.ProcessPoolExecutor(2) as another:
            study.run(self.path("broken"), executor=another, resume=True, csv=True, report=False)
        self.assertEqual(self.bytes_of("broken"), self.bytes_of("whole"))

    def test_a_manager_that_is_killed_leaves_no_lock(self):
        study = self.make(self.SWEEP)
        study.run(self.path("whole"), csv=True, report=False)
        self.make(self.SWEEP, pause=0.0005)
        program = self.write("manager.py", f'''
import concurrent.futures, openmi
with concurrent.futures.ProcessPoolExecutor(2) as executor:
    openmi.Study({self.path("study.xml")!r}).run({self.path("out")!r}, executor=executor)
''')
        manager = subprocess.Popen([sys.executable, program], stderr=subprocess.DEVNULL)
        journal = self.path("out", "s.study")
        while not os.path.exists(journal) or os.path.getsize(journal) < 20000:
            self.assertIsNone(manager.poll())
            time.sleep(0.005)
        pool = children_of(manager.pid)
        manager.kill()
        manager.wait()
        try:  # the processes of its pool may be there still
            study = openmi.Study(self.path("study.xml"))
            study.run(self.path("out"), resume=True, csv=True, report=False)
        finally:
            for process in pool:
                try:
                    os.kill(process, signal.SIGKILL)
                except ProcessLookupError:
                    pass
        self.assertEqual(self.bytes_of("out"), self.bytes_of("whole"))


class Asked(StudyFolder):
    def test_a_program_gets_objectives_of_its_points(self):
        study = self.make(self.ASKED)
        self.assertEqual((study.names, study.objectives), (("k", "mood"), ("top",)))
        with study.start(self.path("out"), workers=2) as run:
            found = run.evaluate([(2.0, "well"), (4.0, "well"), (2.0, "throw"), (2.0, "well")])
            self.assertEqual(found.shape, (4, 1))
            self.assertEqual(found[0], found[3])
            self.assertTrue(numpy.isnan(found[2, 0]))
            self.assertEqual(run.cost((4.0, "well")), found[1, 0])
            self.assertEqual(run.cost((2.0, "throw")), numpy.inf)
            with self.assertRaisesRegex(openmi.RangeError, "from 0.5 to 50 for the Vary 'k', found 51"):
                run.cost((51.0, "well"))
            with self.assertRaisesRegex(openmi.RangeError, "listed value of the Vary 'mood', found 'wel'.*well"):
                run.cost((5.0, "wel"))
            with self.assertRaisesRegex(openmi.ArgumentError, "2 in a point, found 1"):
                run.cost((5.0,))
        results = study.results(self.path("out"))
        self.assertEqual(results.values, (("2", "well"), ("4", "well"), ("2", "throw")))
        self.assertEqual(results.ends, ("done", "done", "failed"))
        self.assertTrue(os.path.exists(self.path("out", "s.nc")))
        shown = command("study", "show", self.path("study.xml"), "2", "--results", self.path("out")).stdout
        self.assertIn('Key="k" Value="4"', shown)
        self.assertIn("3 members, 2 done, 1 failed", command("study", "status", self.path("study.xml"), "--results",
                                                             self.path("out")).stdout)

    def test_what_was_asked_before_is_not_computed_again(self):
        study = self.make(self.ASKED)
        with self.assertRaises(ZeroDivisionError):
            with study.start(self.path("out")) as run:
                first = run.evaluate([(2.0, "well"), (4.0, "well")])
                raise ZeroDivisionError
        with study.start(self.path("out")) as run:
            self.assertEqual(run.evaluate([(2.0, "well"), (4.0, "well"), (8.0, "well")])[:2].tolist(), first.tolist())
        self.assertEqual(len(study.results(self.path("out"))), 3)
        with study.start(self.path("out"), overwrite=True) as run:
            run.evaluate((3.0, "well"))
        self.assertEqual(len(study.results(self.path("out"))), 1)

    def test_an_executor_computes_what_is_asked(self):
        study = self.make(self.ASKED)
        points = [(k, "well") for k in (1.0, 2.0, 3.0, 4.0)]
        with study.start(self.path("a")) as run:
            expected = run.evaluate(points)
        with concurrent.futures.ProcessPoolExecutor(2) as executor, study.start(self.path("b"), executor=executor) as run:
            self.assertEqual(run.evaluate(points).tolist(), expected.tolist())

    def test_the_wrong_call_is_refused(self):
        with self.assertRaisesRegex(openmi.ArgumentError, "whose members a program asks for.*start"):
            self.make(self.ASKED).run(self.path("out"))
        with self.assertRaisesRegex(openmi.ArgumentError, 'Method="program"'):
            self.make(self.SWEEP).start(self.path("out"))
        with self.assertRaisesRegex(openmi.ArgumentError, "listed values"):
            self.make(self.SWEEP).bounds
        self.make(self.ASKED)
        refused = subprocess.run([COMMAND, "study", "run", self.path("study.xml"), "--results", self.path("out")],
                                 capture_output=True, text=True)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("whose members a program asks for; run it from Python", refused.stderr)

    def test_problems_are_raised_all_at_once(self):
        study = self.make('<Vary Id="d" Argument="pond.depth" From="0" To="1"/>' + self.SWEEP)
        with self.assertRaisesRegex(openmi.FormatError, "expected an argument of 'pond', found 'depth'") as caught:
            study.run(self.path("out"))
        self.assertEqual(len(caught.exception.problems.errors), 1)
        self.assertFalse(study.check(self.path("out")).ok)

    @unittest.skipIf(scipy is None, "SciPy is not installed")
    def test_scipy_searches(self):
        study = self.make(self.ASKED, mood='<Vary Id="start" Argument="pond.pause" From="0" To="1e-9"/>')
        with study.start(self.path("out"), workers=2) as run:
            found = scipy.optimize.differential_evolution(
                lambda points: run.cost(points.T), study.bounds, maxiter=3, popsize=4, seed=1, polish=False,
                vectorized=True, updating="deferred")
        results = study.results(self.path("out"))
        self.assertEqual(found.fun, numpy.nanmin(results.costs))


if __name__ == "__main__":
    unittest.main()
