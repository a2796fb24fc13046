"""Compositions that are opened, built, changed and saved."""

import datetime
import os

import numpy

import openmi
from support import BASIN, Folder, command, spring_and_pond


class Build(Folder):
    def test_what_was_built_is_what_the_file_of_it_holds(self):
        made = openmi.Composition("all", folder=self.folder, caption="A & B", description="all there is")
        made.add("a", omi="a.omi", caption="one", arguments={"exact_key": "x"}, time_step=datetime.timedelta(hours=1),
                 start_time=numpy.datetime64("2020-01-01"), whole=3, part=0.1, is_on=True, list=[1, 2.5])
        made.add("b", type="t.B", assembly="lib", isolation="process", time_limit=2.5, memory_limit=10**9,
                 on_failure="freeze", keep_state=True, initial_state="b.state", invented=True)
        made.link("a.out", "b.in", id="first", loop="extrapolate", balance=False,
                  adaptors=["linear", openmi.adaptor("delay", by="PT3H", factory="mine")])
        made.link("b.out", "a.in")
        made.iterate(["a", "b"], method="aitken", order="jacobi", relative_tolerance=1e-8, max_iterations=7,
                     tolerances=[openmi.ToleranceSpec(item="a.in", absolute=0.5)])
        made.observe("a.out", every="PT1H", kind="mean", elements=["e1", "e2"], id="seen")
        made.compare("a.out", "b.out", measures=["nse"], id="fit",
                     windows={"dry": ("2020-01-02T00:00Z", datetime.datetime(2020, 1, 3))})
        made.run_from("2020-01-01T01:00+01:00", numpy.datetime64("2020-02-01"), warm_up="P2D", trigger="b", mode="step",
                      threads=2, pace=10, late="fail", late_after=0.5)
        made.keep_checkpoints(every="P1D", every_seconds=60, keep=3, skips=True)
        made.name_results(csv="a.csv", netcdf="b.nc", report="c.html", geopackage="d.gpkg", compression=4)
        again = openmi.open(made.save())
        self.assertEqual(again.xml, made.xml)
        self.assertEqual(again.caption, "A & B")
        self.assertEqual({one.key: one.value for one in again.components[0].arguments},
                         {"exact_key": "x", "time-step": "3600 s", "start-time": "2020-01-01T00:00:00.000000Z",
                          "whole": "3", "part": "0.1", "is-on": "true", "list": "1 2.5"})
        self.assertEqual(again.components[1].apart.time_limit_seconds, 2.5)
        self.assertEqual(again.components[1].apart.on_failure, "freeze")
        self.assertEqual([one.id for one in again.links[0].adaptors], ["linear", "delay"])
        self.assertEqual(again.links[0].loop, "extrapolate")
        self.assertIs(again.links[0].balance, False)
        self.assertIsNone(again.links[1].balance)
        self.assertEqual(again.iterates[0].method, "aitken")
        self.assertEqual(again.iterates[0].tolerances[0].absolute, 0.5)
        self.assertEqual(again.observes[0].every, numpy.timedelta64(1, "h"))
        self.assertEqual(again.observes[0].elements, ("e1", "e2"))
        self.assertEqual(again.compares[0].windows[0].end, numpy.datetime64("2020-01-03"))
        self.assertEqual(again.run_settings.start, numpy.datetime64("2020-01-01T00:00"))
        self.assertEqual(again.run_settings.trigger, ("b",))
        self.assertEqual(again.run_settings.pace.late, "fail")
        self.assertEqual(again.checkpoint_settings.keep, 3)
        self.assertEqual(again.results_settings.compression, 4)
        self.assertEqual(again.results_settings.geopackage, "d.gpkg")

    def test_the_command_runs_what_was_saved(self):
        path = spring_and_pond(self.folder).save()
        self.assertIn("results:", command("run", path, "--results", self.path("r")).stdout)

    def test_an_argument_of_a_file_is_changed_and_lines_stay(self):
        basin = openmi.open(BASIN)
        before = basin.components[2].line
        self.assertEqual(basin.argument("reservoir", "crest-level"), "6")
        basin.set_argument("reservoir", "crest-level", 5.5).set_argument("reservoir", "crest-length", 30)
        self.assertEqual(basin.argument("reservoir", "crest-level"), "5.5")
        self.assertIsNone(basin.argument("reservoir", "nothing"))
        self.assertEqual(basin.components[2].line, before)
        self.assertGreater(before, 0)

    def test_relative_paths_stay_where_they_start(self):
        os.mkdir(self.path("elsewhere"))
        with self.assertRaisesRegex(openmi.ArgumentError, "relative paths start.*folder="):
            spring_and_pond(self.folder).save(self.path("elsewhere", "pond.xml"))

    def test_variables_are_given_to_what_is_opened(self):
        text = spring_and_pond(self.folder).xml.replace('Value="2.0"', 'Value="${flow}"')
        path = self.write("with.xml", text)
        with openmi.open(path, set={"flow": 5.0}).start() as run:
            run.step()
            self.assertEqual(run["spring.flow"].value, 5.0)
        problems = openmi.open(path, set={"flow": 5, "flaw": 6}).check()
        self.assertEqual([(one.severity, "${flaw}" in one.text) for one in problems.warnings], [("warning", True)])
        with self.assertRaisesRegex(openmi.FileError, "folder of data"):
            openmi.open(path, data=self.path("nowhere"))

    def test_specs_say_what_they_are(self):
        spec = openmi.LinkSpec(from_item="a.b", to_item="c.d")
        self.assertEqual(repr(spec), "LinkSpec(from_item='a.b', to_item='c.d')")
        with self.assertRaisesRegex(TypeError, "no argument 'form'"):
            openmi.LinkSpec(form="a.b")
        with self.assertRaises(AttributeError):
            spec.id = "fixed"

    def test_names_and_times_are_checked_where_they_are_given(self):
        made = openmi.Composition("wrong", folder=self.folder)
        with self.assertRaisesRegex(openmi.ArgumentError, "'mode'.*'pulled'.*did you mean 'pull'"):
            made.run_from("2020-01-01T00:00Z", "2020-01-02T00:00Z", mode="pulled")
        with self.assertRaisesRegex(openmi.FormatError, "state the zone"):
            made.run_from("2020-01-01T00:00", "2020-01-02T00:00Z")
        with self.assertRaisesRegex(openmi.TypeError, "expected a time, found '20200101'"):
            made.run_from(20200101, "2020-01-02T00:00Z")
        with self.assertRaisesRegex(openmi.ArgumentError, "component.item"):
            made.observe("discharge")

    def test_times_go_there_and_back_to_the_microsecond(self):
        made = openmi.Composition("times", folder=self.folder)
        for text in ("1858-11-16T23:59:59.999999", "1970-01-01T00:00:00.000001", "2024-02-29T12:34:56.789012"):
            time = numpy.datetime64(text, "us")
            made.run_from(time, "2030-01-01T00:00Z")
            self.assertEqual(made.run_settings.start, time)
        aware = datetime.datetime(2020, 1, 1, tzinfo=datetime.timezone(datetime.timedelta(hours=2)))
        made.run_from(aware, "2030-01-01T00:00Z")
        self.assertEqual(made.run_settings.start, numpy.datetime64("2019-12-31T22:00"))
        with self.assertRaisesRegex(openmi.RangeError, "NaT"):
            made.run_from(numpy.datetime64("NaT"), "2030-01-01T00:00Z")
