"""Runs: to the end as the command, and step by step."""

import os
import threading
import time

import numpy

import openmi
from support import BASIN, Folder, command, spring_and_pond, wave


def without_history(text):
    """A file of results without the lines that say when and by which call it was made."""
    return b"\n".join(line for line in text.split(b"\n") if b"history" not in line)


class ToTheEnd(Folder):
    def test_the_river_basin_has_the_bytes_of_the_command(self):
        command("run", BASIN, "--results", self.path("command"))
        results = openmi.open(BASIN).run(self.path("python"))
        self.assertTrue(results.is_complete)
        self.assertEqual(without_history(self.read("python", "river-basin.csv")),
                         without_history(self.read("command", "river-basin.csv")))
        theirs = openmi.results(self.path("command", "river-basin.nc"))
        self.assertEqual(list(theirs), list(results))
        for name, series in results.items():
            self.assertEqual(series.values.tobytes(), theirs[name].values.tobytes(), name)
            self.assertEqual(series.times.tobytes(), theirs[name].times.tobytes(), name)
        self.assertEqual(sorted(os.path.basename(one) for one in results.files),
                         ["river-basin.csv", "river-basin.html", "river-basin.nc"])

    def test_threads_processes_and_single_steps_change_no_byte(self):
        basin = openmi.open(BASIN)
        plain = basin.run()
        with basin.start(threads=2) as run:
            while run.step():
                pass
            stepped = run.end()
        for other in (stepped, basin.run(threads=2), basin.run(isolate=True)):
            self.assertEqual(list(other), list(plain))
            for name in plain:
                self.assertEqual(other[name].values.tobytes(), plain[name].values.tobytes(), name)

    def test_what_was_built_equals_its_file(self):
        made = spring_and_pond(self.folder)
        made.run(self.path("built"))
        command("run", made.save(), "--results", self.path("file"))
        self.assertEqual(without_history(self.read("built", "pond.csv")), without_history(self.read("file", "pond.csv")))

    def test_a_linear_reservoir_fills_as_its_formula_says(self):
        outflow = spring_and_pond(self.folder).run()["pond.outflow"].values[:, 0]
        hours = numpy.arange(1, 49)
        ends = 2.0 * (1.0 - numpy.exp(-hours / 6.0))
        change = numpy.diff(numpy.concatenate([[0.0], ends]))
        numpy.testing.assert_allclose(outflow, 2.0 - 6.0 * change, rtol=1e-12)

    def test_a_run_is_resumed_from_its_checkpoint(self):
        made = spring_and_pond(self.folder).keep_checkpoints(every="PT6H")
        whole = made.run(self.path("whole"))
        with made.start(self.path("parts")) as run:
            run.step_until("2020-01-02T03:00Z")
            run.take_checkpoint()
            run.request_end("for the test")
        rest = made.run(self.path("parts"), resume=True)
        self.assertIsNotNone(rest.resumed)
        self.assertIn("checkpoint", rest.resumed_from)
        self.assertEqual(rest["pond.outflow"].values.tobytes(), whole["pond.outflow"].values.tobytes())

    def test_progress_is_told_and_an_exception_in_it_ends_the_run(self):
        told = []
        wave(self.folder, pause=0.05).run(progress=told.append)
        self.assertGreater(len(told), 2)
        self.assertEqual(told[-1].fraction, 1.0)
        self.assertEqual(told[-1].time, told[-1].end)

        def fail(progress):
            raise LookupError("no screen")

        with self.assertRaisesRegex(LookupError, "no screen"):
            wave(self.folder, pause=0.05).run(self.path("r"), progress=fail)
        self.assertGreater(len(openmi.results(self.path("r", "wave.csv"))["wave.flow"]), 0)

    def test_other_python_threads_go_on_meanwhile(self):
        counted = [0]
        is_over = threading.Event()

        def count():
            while not is_over.is_set():
                counted[0] += 1
                time.sleep(0.001)

        thread = threading.Thread(target=count)
        thread.start()
        wave(self.folder, pause=0.1).run(progress=False)
        is_over.set()
        thread.join()
        self.assertGreater(counted[0], 100)  # 24 steps of 100 ms: about 2 400

    def test_several_threads_run_at_the_same_time(self):
        begun = time.monotonic()
        threads = [threading.Thread(target=wave(self.folder, pause=0.1).run) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertLess(time.monotonic() - begun, 4 * 24 * 0.1)  # one after the other


class StepByStep(Folder):
    def test_values_are_looked_at_while_it_runs(self):
        with spring_and_pond(self.folder).start() as run:
            self.assertEqual(run["pond.outflow"].elements, [])
            self.assertTrue(run.step())
            self.assertEqual(run.time, numpy.datetime64("2020-01-01T01:00"))
            self.assertEqual(run.mjd, 58849.0 + 1.0 / 24.0)
            item = run["pond.outflow"]
            self.assertEqual((item.name, item.unit), ("pond.outflow", "m3 s-1"))
            self.assertEqual(item.time, run.time)
            self.assertEqual(item.duration, numpy.timedelta64(1, "h"))
            self.assertEqual(item.values.dtype, float)
            self.assertEqual(run["pond.inflow"].value, 2.0)
            kept = item.values
            run.step()
            self.assertLess(kept[0], item.value)  # what was looked at stays as it was
            self.assertEqual([one["steps"] for one in run.components if one["id"] == "pond"], [2])
            self.assertEqual(numpy.asarray(item).shape, (1,))

    def test_a_fixed_row_replaces_what_the_link_delivers(self):
        with spring_and_pond(self.folder).start() as run:
            run.step()
            run.set("pond.inflow", 10.0)
            self.assertTrue(run["pond.inflow"].is_overridden)
            run.step()
            high = run["pond.outflow"].value
            self.assertGreater(high, 1.0)
            run.free("pond.inflow")
            run.step()
            self.assertEqual(run["pond.inflow"].value, 2.0)
            item = run["pond.inflow"]
            item.values = numpy.ma.masked_array([3.0], mask=[True])
            self.assertTrue(numpy.isnan(item.value))
        self.assertIn("overridden", str(run.end().problems.notes))

    def test_a_kept_state_is_gone_back_to(self):
        made = spring_and_pond(self.folder)
        with made.start() as run:
            run.step_until("2020-01-01T12:00Z")
            state = run.keep_state()
            self.assertEqual((state.time, state.passes), (run.time, run.passes))
            ends = []
            for inflow in (2.0, 20.0, 2.0):
                run.restore(state)
                run.set("pond.inflow", inflow)
                while run.step():
                    pass
                ends.append(run["pond.outflow"].value)
            self.assertEqual(ends[0], ends[2])
            self.assertGreater(ends[1], 5.0)
            data = bytes(state)
            with made.start() as other:
                other.restore(other.state_from_bytes(data))
                self.assertEqual(other.time, state.time)
                other.step_until("2020-01-02T00:00Z")
                self.assertEqual(other["pond.outflow"].value, made.run()["pond.outflow"].values[23, 0])
                with self.assertRaisesRegex(openmi.FormatError, "."):
                    other.state_from_bytes(data[:-3])
        with made.start(self.path("r")) as run:
            run.step()
            with self.assertRaisesRegex(openmi.StateError, "results"):
                run.restore(run.keep_state())

    def test_an_input_is_supplied_by_this_program(self):
        made = openmi.Composition("supplied", folder=self.folder)
        made.add("pond", type="openmi.NashCascade", assembly="openmi-components", residence_time=6)
        made.observe("pond.outflow").run_from("2020-01-01T00:00Z", "2020-01-03T00:00Z")
        with made.start(supply={"pond.inflow": "previous"}) as run:
            with self.assertRaisesRegex(openmi.ArgumentError, "supplied"):
                run.supply("pond.outflow", "2020-01-01T00:00Z", 1.0)
            run.supply("pond.inflow", "2020-01-01T00:00Z", 2.0)
            for time in run:
                run.supply("pond.inflow", time, [2.0])
            got = run.end()
        self.assertEqual(got["pond.outflow"].values.tobytes(),
                         spring_and_pond(self.folder).run()["pond.outflow"].values.tobytes())
        with self.assertRaisesRegex(openmi.ArgumentError, "'supply'.*'before'"):
            made.start(supply={"pond.inflow": "before"})
        for wrong in (["pond.inflow"], "pond.inflow", {"pond.inflow": 1}):
            with self.assertRaisesRegex(TypeError, "write supply={'component.item': 'previous'}"):
                made.start(supply=wrong)

    def test_rows_are_supplied_for_the_present_time_or_many_at_once(self):
        made = openmi.Composition("supplied", folder=self.folder)
        made.add("pond", type="openmi.NashCascade", assembly="openmi-components", residence_time=6)
        made.observe("pond.outflow").run_from("2020-01-01T00:00Z", "2020-01-03T00:00Z")
        flows = numpy.arange(48.0)
        with made.start(supply={"pond.inflow": "previous"}) as run:
            with self.assertRaisesRegex(ValueError, "found none yet"):
                run["pond.outflow"].value
            for flow in flows:
                run.supply("pond.inflow", None, float(flow))
                run.step()
                self.assertEqual(run["pond.outflow"].value, run["pond.outflow"].values[0])
            stepped = run.end()
        times = numpy.datetime64("2020-01-01") + numpy.arange(48) * numpy.timedelta64(1, "h")
        with made.start(supply={"pond.inflow": "previous"}) as run:
            with self.assertRaisesRegex(openmi.RangeError, "a row for each of 48 times, found 47 values"):
                run.supply("pond.inflow", times, flows[1:])
            with self.assertRaisesRegex(openmi.RangeError, "NaT"):
                run.supply("pond.inflow", numpy.array(["NaT"], dtype="datetime64"), [1.0])
            run.supply("pond.inflow", times, flows)
            at_once = run.finish()
        self.assertEqual(stepped["pond.outflow"].values.tobytes(), at_once["pond.outflow"].values.tobytes())
        self.assertGreater(at_once["pond.outflow"].values[-1, 0], 30.0)

    def test_an_item_with_several_values_has_no_value(self):
        made = openmi.Composition("two", folder=self.folder)
        made.add("two", type="openmi.Constant", assembly="openmi-components", value=1.0, elements="a,b")
        made.observe("two.value").run_from("2020-01-01T00:00Z", "2020-01-03T00:00Z")
        with made.start() as run:
            run.step()
            self.assertEqual(list(run["two.value"].values), [1.0, 1.0])
            with self.assertRaisesRegex(ValueError, "found 2; see values"):
                run["two.value"].value

    def test_rows_are_given_to_functions_as_they_are_made(self):
        rows = []
        made = spring_and_pond(self.folder)
        with made.start(on_row={"pond.outflow": lambda *row: rows.append(row)}) as run:
            results = run.finish()
        self.assertEqual([time for time, _, _ in rows], list(results["pond.outflow"].times))
        self.assertEqual([values[0] for _, _, values in rows], list(results["pond.outflow"].values[:, 0]))
        self.assertEqual(rows[0][1], numpy.timedelta64(1, "h"))

    def test_a_function_that_fails_ends_the_run_and_one_that_calls_it_is_refused(self):
        def call(*row):
            run.step()

        run = spring_and_pond(self.folder).start(on_row={"pond.outflow": call})
        with self.assertRaisesRegex(openmi.StateError, "from within"):
            run.step()
        self.assertFalse(run.step())
        self.assertIn("raised StateError", str(run.end().problems.warnings))

    def test_a_family_leaves_and_comes_back(self):
        with spring_and_pond(self.folder).start() as run:
            run.step()
            before = run["pond.outflow"].value
            run.disengage("pond")
            self.assertEqual({one["status"] for one in run.families}, {"disengaged"})
            self.assertEqual(run["pond.outflow"].value, before)
            run.engage("pond")
            self.assertEqual({one["status"] for one in run.families}, {"engaged"})
            self.assertTrue(run.step())

    def test_components_and_the_diagram_are_described(self):
        with openmi.open(BASIN).start() as run:
            creek = run.describe("creek")
            self.assertIn("discharge", [one["id"] for one in creek["outputs"]])
            self.assertGreater(len(run["creek.discharge"].elements), 5)
            self.assertIn("<svg", run.diagram())
            with self.assertRaises(openmi.ArgumentError):
                run.describe("brook")

    def test_a_long_wait_is_seen_as_steps(self):
        with wave(self.folder).start() as run:
            times = list(run)
        self.assertEqual(len(times), 24)
        self.assertEqual(times[-1], numpy.datetime64("2020-01-02"))
        self.assertTrue(run.is_over)
        self.assertIn("Run", repr(run))
