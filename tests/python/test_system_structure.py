"""System structures and FMUs, opened as compositions."""

import gc
import os
import zipfile

import numpy
import openmi
from support import BINARY, Folder, command

FMUS = os.path.join(BINARY, "examples", "fmus", "2")

PAIR = """<SystemStructureDescription xmlns="http://ssp-standard.org/SSP1/SystemStructureDescription" version="1.0"
 name="pair"><System name="root"><Elements>
<Component name="first" source="resources/Linear.fmu"><Connectors>
<Connector name="u" kind="input"/><Connector name="y" kind="output"/></Connectors></Component>
<Component name="second" source="resources/{second}"><Connectors>
<Connector name="u" kind="input"/><Connector name="y" kind="output"/></Connectors></Component></Elements><Connections>
<Connection startElement="first" startConnector="y" endElement="second" endConnector="u"/></Connections></System>
<DefaultExperiment stopTime="10"/></SystemStructureDescription>"""


class Systems(Folder):
    def package(self, second="Linear.fmu"):
        path = self.path("pair.ssp")
        with zipfile.ZipFile(path, "w") as package:
            package.writestr("SystemStructure.ssd", PAIR.format(second=second))
            package.write(os.path.join(FMUS, "Linear.fmu"), "resources/Linear.fmu")
        return path

    def test_a_package_runs_as_it_does_by_the_command(self):
        system = openmi.open(self.package())
        self.assertEqual([one.id for one in system.components], ["first", "second"])
        self.assertTrue(system.check().ok, system.check())
        plain = system.run(self.path("python"))
        apart = system.run(isolate=True)
        for series in plain.values():
            self.assertEqual(series.values.tobytes(), apart[series.id].values.tobytes())
        command("run", "pair.ssp", "--results", "command", cwd=self.folder)
        rows = [[line for line in self.read(folder, "pair.csv").splitlines() if not line.startswith(b"#")]
                for folder in ("python", "command")]
        self.assertGreater(len(rows[0]), 10)
        self.assertEqual(*rows)

    def test_a_package_stays_unpacked_as_long_as_a_run_uses_it(self):
        run = openmi.open(self.package()).start()
        gc.collect()
        self.assertTrue(run.step())
        run.restore(run.keep_state())
        run.finish()
        run.end()
        self.assertEqual(str(run.time)[:19], "2000-01-01T00:00:10")

    def test_it_can_be_changed_and_checked_but_not_saved(self):
        system = openmi.open(self.package())
        system.set_argument("first", "time-step", "PT0.5S").set_argument("second", "time-step", "PT0.5S")
        self.assertTrue(system.check().ok, system.check())
        system.observe("first.y", id="again").run_from("2000-01-01T00:00Z", "2000-01-01T00:00:02Z")
        self.assertEqual(system.path, self.path("pair.xml"))
        self.assertTrue(system.check().ok, system.check())
        self.assertEqual(len(system.run()["again"]), 5)
        with self.assertRaisesRegex(openmi.ArgumentError, "made of 'pair.ssp'.*openmi new composition"):
            system.save()
        self.assertFalse(os.path.exists(self.path("pair.xml")))

    def test_problems_are_placed_in_the_description(self):
        problem = openmi.open(self.package(second="Linaer.fmu")).check().errors[0]
        self.assertEqual((problem.file, problem.line), (self.path("pair.ssp", "SystemStructure.ssd"), 5))
        with self.assertRaises(openmi.FileError):
            openmi.open(self.path("nowhere.ssp"))
        with self.assertRaises(openmi.FormatError):
            openmi.open(self.write("text.ssp", "no package"))

    def test_a_lone_fmu_is_a_composition_of_it(self):
        path = os.path.join(FMUS, "Integrator.fmu")
        alone = openmi.open(path)
        self.assertEqual(alone.id, "Integrator")
        self.assertTrue(alone.check().ok, alone.check())
        results = alone.run()
        command("fmu", "run", path, "-o", self.path("alone.csv"))
        rows = [line.split(",") for line in self.read("alone.csv").decode().splitlines()]
        (series,) = results.values()
        self.assertEqual(series.id, "Integrator." + rows[0][1].strip('"').split(" ")[0])
        self.assertAlmostEqual(series.values[-1, 0], float(rows[-1][1]), places=6)
        self.assertEqual(results.reached, numpy.datetime64("2000-01-01T00:00:01"))

    def test_times_of_an_fmu_are_seconds(self):
        results = openmi.open(os.path.join(FMUS, "Linear.fmu")).run()
        seconds = next(iter(results.values())).seconds
        self.assertEqual(seconds[0], 0.0)
        self.assertAlmostEqual(seconds[1], 0.1, places=9)

    def test_a_program_drives_a_lone_fmu(self):
        alone = openmi.open(os.path.join(FMUS, "Integrator.fmu"))
        with alone.start() as run:
            with self.assertRaisesRegex(openmi.ArgumentError, r"the input 'Integrator.u' without one.*start\(supply="):
                run.set("Integrator.u", 2.0)
            with self.assertRaisesRegex(openmi.ArgumentError, r"declare it when the run is started: start\(supply="):
                run.supply("Integrator.u", None, 1.0)
        with alone.start(supply={"Integrator.u": "previous"}) as run:
            run.supply("Integrator.u", "2000-01-01T00:00Z", 2.0)
            while run.step():
                run.supply("Integrator.u", run.time, 2.0)
            self.assertAlmostEqual(run["Integrator.x"].value, 2.0, places=9)
        with self.assertRaisesRegex(openmi.ArgumentError, "openmi new fmu-composition"):
            alone.save(self.path("x.xml"))
