"""Components in Python: what they can do, in this process and in the command's."""

import json
import os
import re
import unittest

import numpy

from support import BASIN, BINARY, SOURCE, Folder, command, continued, openmi

TANK = """
from math import exp
import openmi

class Tank(openmi.SteppingComponent):
    \"\"\"A linear reservoir.\"\"\"

    def setup(self):
        self.k = self.argument("k", 2.0, unit="d", minimum=1e-6)
        self.inflow = self.input("inflow", "m3 s-1", over_step=True)
        self.outflow = self.output("outflow", "m3 s-1")

    def step(self, begin, end):
        decay = exp(-(end - begin).days / self.k.value)
        self.outflow.value = self.outflow.value * decay + self.inflow.value * (1 - decay)
"""

HELLO = os.path.join(SOURCE, "examples", "hello-python-component", "tank.py")


def rows(data):
    """The table without its head, which names the command."""
    return b"".join(line for line in data.splitlines(True) if not line.startswith(b"#"))


class WithFile(Folder):
    def composed(self, text, type="Model", name="model.py", step="PT1H", end="2020-01-03T00:00Z", feed=True, **arguments):
        """The class in a file, fed by a constant flow if it has the input inflow."""
        self.write(name, text)
        made = openmi.Composition("made", folder=self.folder)
        made.add("model", type=type, assembly=name, time_step=step, **arguments)
        if feed:
            made.add("spring", type="openmi.Constant", assembly="openmi-components", item="flow", unit="m3 s-1",
                     value=3.0)
            made.link("spring.flow", "model.inflow")
        return made.run_from("2020-01-01T00:00Z", end)


class Components(WithFile):
    def test_the_example_of_the_manual_gives_the_bytes_of_the_one_in_cpp(self):
        for name, type, assembly in (("cpp", "LinearReservoir", f"{BINARY}/tests/python-plugins/libhello_reservoir.so"),
                                     ("python", "Tank", HELLO)):
            with open(BASIN, encoding="utf-8") as file:
                text = file.read()
            text = text.replace('  <Link Id="rain-to', f'''  <Component Id="tail" Type="{type}" Assembly="{assembly}">
    <Argument Key="k" Value="0.5"/>
  </Component>
  <Link From="reservoir.release" To="tail.inflow"/>
  <Observe Item="tail.outflow"/>
  <Observe Item="tail.mean-outflow"/>
  <Link Id="rain-to''', 1)
            made = self.write(f"{name}.xml", text)
            for plugin in os.listdir(os.path.dirname(BASIN)):
                if plugin.endswith(".omi") or plugin == "data":
                    link = self.path(plugin)
                    if not os.path.exists(link):
                        os.symlink(os.path.join(os.path.dirname(BASIN), plugin), link)
            command("run", made, "--results", self.path(name), "--quiet")
        cpp, python = (rows(self.read(name, "river-basin.csv")) for name in ("cpp", "python"))
        self.assertIn(b"tail.mean-outflow", cpp)
        self.assertEqual(cpp, python)

    def test_it_runs_alike_in_this_process_in_the_command_and_in_a_process_of_its_own(self):
        made = self.composed(TANK, "Tank").observe("model.outflow")
        made.save(self.path("made.xml"))
        here = made.run()["model.outflow"].values
        apart = made.run(isolate=True)["model.outflow"].values
        command("run", self.path("made.xml"), "--results", self.path("results"), "--quiet")
        there = openmi.results(self.path("results", "made.csv"))["model.outflow"].values
        numpy.testing.assert_array_equal(here, apart)
        numpy.testing.assert_array_equal(here, there)
        self.assertGreater(here[-1, 0], 1.8)

    def test_it_describes_itself(self):
        self.write("tank.py", TANK)
        self.write("tank.omi", '<LinkableComponent xmlns="http://www.openmi.org/v2_0" Type="Tank" Assembly="tank.py"/>')
        found = json.loads(command("describe", self.path("tank.omi"), "--json").stdout)
        text = json.dumps(found)
        for part in ("A linear reservoir.", "inflow", "outflow", '"k"', "m3 s-1"):
            self.assertIn(part, text)

    def test_it_passes_annex_a(self):
        self.write("tank.py", TANK)
        self.write("tank.omi", '<LinkableComponent xmlns="http://www.openmi.org/v2_0" Type="Tank" Assembly="tank.py"/>')
        text = command("check", "--component", self.path("tank.omi")).stdout
        self.assertRegex(text, r"\n2\d passed, 0 failed, \d not applicable, 1 checked at compile time, 0 not reached")
        self.assertIn("states went through bytes and back", text)

    def test_arguments_have_types_limits_and_paths(self):
        self.write("input.txt", "41")
        made = self.composed("""
import openmi
class Model(openmi.SteppingComponent):
    def setup(self):
        self.number = self.argument("number", 1.5, unit="m", minimum=0, maximum=10)
        self.whole = self.argument("whole", 3)
        self.flag = self.argument("flag", False)
        self.word = self.argument("word", "red", choices=["red", "green"])
        self.file = self.argument("file", type=str, meaning="path")
        self.none = self.argument("none", type=float, optional=True)
        self.out = self.output("out")
    def step(self, begin, end):
        assert self.none.value is None and self.is_set("number") and not self.is_set("whole")
        assert self.word.value == "green" and self.flag.value is True and type(self.whole.value) is int
        self.out.value = self.number.value + self.whole.value + int(self.file.path.read_text())
""", feed=False, number=2.5, flag=True, word="green", file="input.txt").observe("model.out")
        self.assertEqual(made.run()["model.out"].values[-1, 0], 2.5 + 3 + 41)
        with self.assertRaisesRegex(openmi.Error, "model.number"):
            self.composed(self.read("model.py").decode(), feed=False, number=11, file="input.txt").run()

    def test_elements_come_from_ids_points_and_geojson(self):
        made = self.composed("""
import numpy
import openmi
SQUARE = [[[0, 0], [0, 1], [1, 1], [1, 0], [0, 0]], [[.2, .2], [.4, .2], [.4, .4], [.2, .2]]]
class Model(openmi.SteppingComponent):
    def setup(self):
        self.a = self.output("a", elements=self.elements(["x", "y"]))
        self.b = self.output("b", elements=self.elements(geometry=numpy.array([[1, 2], [3, 4], [5, 6]])))
        fields = self.elements(geometry={"type": "FeatureCollection", "features": [
            {"type": "Feature", "properties": {"name": "n1"}, "geometry": {"type": "Polygon", "coordinates": SQUARE}},
            {"type": "Feature", "properties": {"name": "n2"}, "geometry": {"type": "MultiPolygon",
                                                                         "coordinates": [SQUARE, SQUARE[:1]]}}]}, id="name")
        fields.set_attribute("area", "m2", [1.0, numpy.nan])
        self.c = self.output("c", "m", elements=fields)
    def step(self, begin, end):
        self.a.values = [1, 2]
        numpy.multiply(self.b.last, 2, out=self.b.row())
        self.c.values += end.seconds
""", feed=False)
        for item in "abc":
            made.observe(f"model.{item}")
        results = made.run()
        self.assertEqual(list(results["model.a"].elements), ["x", "y"])
        self.assertEqual(list(results["model.c"].elements), ["n1", "n2"])
        numpy.testing.assert_array_equal(results["model.a"].values[-1], [1, 2])
        numpy.testing.assert_array_equal(results["model.c"].values[-1], [sum(3600.0 * (i + 1) for i in range(48))] * 2)

    def test_texts_bytes_and_missing_values_cross(self):
        made = self.composed("""
import math
import openmi
class Talker(openmi.SteppingComponent):
    def setup(self):
        self.word = self.output("word", type=str)
        self.data = self.output("data", type=bytes)
        self.gap = self.output("gap", initial=None)
    def start(self, begin):
        self.word.value, self.data.value = "é", b"\\0start"
    def step(self, begin, end):
        self.word.value, self.data.value, self.gap.value = f"at {end}", b"\\0\\1" * 3, None
class Model(openmi.SteppingComponent):
    def setup(self):
        self.word = self.input("word", type=str)
        self.data = self.input("data", type=bytes)
        self.gap = self.input("gap")
        self.out = self.output("out")
    def step(self, begin, end):
        assert self.word.value == f"at {end}", self.word.value
        assert self.data.value == b"\\0\\1" * 3 and math.isnan(self.gap.value)
        self.out.value = len(self.word.value) + len(self.data.value)
""", feed=False)
        made.add("talker", type="Talker", assembly="model.py", time_step="PT1H")
        for item in ("word", "data", "gap"):
            made.link(f"talker.{item}", f"model.{item}")
        made.observe("model.out")
        self.assertEqual(made.run()["model.out"].values[-1, 0], len("at 2020-01-03T00:00:00Z") + 6)

    def test_it_may_choose_its_steps_and_state_a_balance(self):
        made = self.composed("""
import openmi
class Model(openmi.SteppingComponent):
    def setup(self):
        self.inflow = self.input("inflow", "m3 s-1", over_step=True)
        self.out = self.output("out")
        self.lengths = []
        self.taken = 0.0
    def step_end(self, begin, end):
        return begin + openmi.Duration(0.25, 21600.0) if len(self.lengths) % 2 else end
    def step(self, begin, end):
        self.lengths.append((end - begin).hours)
        self.taken += self.inflow.value * (end - begin).seconds
        self.out.value = len(self.lengths)
    def balance(self):
        return openmi.Balance(self.taken, self.taken, 0.0)
    def finish(self):
        assert {round(length) for length in self.lengths[:-1]} == {1, 6}, self.lengths
""").observe("model.out")
        results = made.run()
        self.assertEqual(results["model.out"].values[-1, 0], 14)
        (balance,) = results.summary["components"]
        self.assertEqual(balance["component"], "model", balance)


class Arrays(WithFile):
    MODEL = """
import numpy
import openmi
class Model(openmi.SteppingComponent):
    def setup(self):
        self.inflow = self.input("inflow", "m3 s-1", over_step=True)
        self.out = self.output("out")
        self.kept = []
    def step(self, begin, end):
        {}
"""

    def run_step(self, code):
        return self.composed(self.MODEL.format(code)).observe("model.out").run()["model.out"].values[-1, 0]

    def test_an_array_that_is_kept_becomes_a_copy(self):
        self.assertEqual(self.run_step("self.kept.append(self.inflow.values)\n"
                                       "        self.out.value = sum(float(row[0]) for row in self.kept)"), 3.0 * 48)

    LONG = """
import numpy
import openmi
class Source(openmi.SteppingComponent):
    def setup(self):
        self.out = self.output("out", elements=self.elements(range(1000)))
    def step(self, begin, end):
        self.out.values = end.seconds
class Model(openmi.SteppingComponent):
    def setup(self):
        self.inflow = self.input("inflow", elements=self.elements(range(1000)))
        self.out = self.output("out")
        self.kept = []
    def step(self, begin, end):
        {}
"""

    def test_a_long_row_that_is_kept_in_any_way_is_refused_with_its_line(self):
        for code in ("self.kept.append(self.inflow.values)", "self.kept.append(self.inflow.values[3:9])",
                     "self.kept.append(numpy.ma.array(self.inflow.values))", "self.kept.append(memoryview(self.inflow.values))",
                     "self.kept.append(self.inflow.values.view(numpy.recarray))", "self.kept.append(self.out.values)",
                     "self.kept.append(numpy.lib.stride_tricks.sliding_window_view(self.inflow.values, 3)[:, 0])"):
            with self.subTest(code):
                made = self.composed(self.LONG.format(code), feed=False)
                made.add("source", type="Source", assembly="model.py", time_step="PT1H")
                made.link("source.out", "model.inflow").observe("model.out")
                with self.assertRaises(openmi.ModelError) as caught:
                    made.run()
                self.assertIn("keep a copy", caught.exception.remedy)
                self.assertEqual(os.path.basename(caught.exception.file), "model.py")

    def test_an_array_that_was_shown_or_reshaped_does_no_harm(self):
        self.assertEqual(self.run_step("values = self.inflow.values; values.shape = (1, 1)\n"
                                       "        self.out.show(numpy.array([end.seconds])); self.out.last\n"
                                       "        self.out.show(numpy.array([end.seconds + self.out.last[0] * 0]))"), 172800.0)

    def test_an_array_lies_over_the_row_of_the_provider(self):
        made = self.composed("""
import openmi
ADDRESSES = {}
class Source(openmi.SteppingComponent):
    def setup(self):
        self.out = self.output("out", elements=self.elements(range(1000)))
    def start(self, begin):
        self.out.row()[:] = 0.0
    def step(self, begin, end):
        row = self.out.row()
        row[:] = end.seconds
        ADDRESSES[end.seconds] = row.ctypes.data
class Model(openmi.SteppingComponent):
    def setup(self):
        self.inflow = self.input("inflow", elements=self.elements(range(1000)))
        self.same = self.output("same")
    def step(self, begin, end):
        values = self.inflow.values
        assert not values.flags.writeable and values[999] == end.seconds
        self.same.value = values.ctypes.data == ADDRESSES[end.seconds]
""", feed=False)
        made.add("source", type="Source", assembly="model.py", time_step="PT1H")
        made.link("source.out", "model.inflow").observe("model.same")
        self.assertTrue((made.run()["model.same"].values[1:] == 1.0).all())

    def test_an_item_of_a_component_that_is_gone_raises(self):
        made = self.composed(self.MODEL.format("KEPT.append(self)").replace("class Model", "KEPT = []\nclass Model") + """
    def finish(self):
        import sys
        sys.kept_of_test = self
""")
        made.observe("model.out").run()
        import sys
        kept = sys.kept_of_test
        del sys.kept_of_test
        for use in (lambda: kept.inflow.value, lambda: kept.out.values, lambda: setattr(kept.out, "value", 1.0),
                    lambda: kept.name, lambda: kept.input("more")):
            with self.assertRaises(openmi.StateError):
                use()


class States(WithFile):
    def test_what_a_component_keeps_is_found(self):
        made = self.composed("""
import collections
import random
import numpy
import openmi
class Model(openmi.SteppingComponent):
    def setup(self):
        self.inflow = self.input("inflow", "m3 s-1", over_step=True)
        self.out = self.output("out")
        self.array = numpy.zeros((2, 3))
        self.days = numpy.array(["2020-01-01"], dtype="datetime64[D]")
        self.bits = numpy.random.default_rng(7)
        self.old = random.Random(3)
        self.last = collections.deque(maxlen=3)
        self.table = {"a": [1, (2, None)], 5: {1.5}, "b": b"\\0"}
        self.flag, self.single, self.time = True, numpy.float32(1.1), None
    def step(self, begin, end):
        self.array += self.bits.normal(size=(2, 3))
        self.last.append(self.old.random())
        self.table["a"][0] += 1
        self.days += 1
        self.single *= numpy.float32(1.01)
        self.time = end
        self.out.value = self.array.sum() + sum(self.last) + self.table["a"][0] + float(self.single)
""").observe("model.out")
        whole = made.run()["model.out"].values
        numpy.testing.assert_array_equal(continued(made, "model.out"), whole)

    def refused(self, line):
        made = self.composed(f"""
import numpy
import openmi
class Model(openmi.SteppingComponent):
    def setup(self):
        self.out = self.output("out")
        {line}
    def step(self, begin, end):
        pass
""", feed=False).observe("model.out")
        with made.start() as run:
            run.step()
            with self.assertRaises(openmi.Error) as caught:
                run.keep_state()
        return str(caught.exception)

    def test_what_cannot_be_kept_is_named(self):
        self.assertIn("function", self.refused("self.lookup = lambda x: x"))
        self.assertIn("share it", self.refused("self.a = numpy.zeros(4); self.b = self.a[1:]"))
        self.assertIn("the same object", self.refused("self.a = []; self.b = self.a"))
        self.assertIn("dtype object", self.refused("self.a = numpy.array([None])"))

    def test_a_state_is_what_was_saved_and_nothing_else(self):
        made = self.composed("""
import numpy
import openmi
class Model(openmi.SteppingComponent):
    def setup(self):
        self.inflow = self.input("inflow", "m3 s-1", over_step=True)
        self.out = self.output("out")
        self.state = 0.0
        self.exact = numpy.float64(1.0)
    def step(self, begin, end):
        self.state += 1.0
        if not hasattr(self, "late"):
            self.late = self.state if self.state > 25 else None
            if self.late is None:
                del self.late
        assert type(self.exact) is numpy.float64
        self.out.value = self.state + getattr(self, "late", 0.0)
""").observe("model.out")
        whole = made.run()["model.out"].values
        numpy.testing.assert_array_equal(continued(made, "model.out"), whole)

    def test_damaged_states_are_refused_and_run_no_code(self):
        from openmi import _state
        import struct
        bits = {"bit_generator": "MT19937", "state": {"key": numpy.zeros(624, dtype="uint32"), "pos": 100_000_000}}
        writer = _state._Writer()
        text = json.dumps({"openmi:": "generator", "of": writer.plain(bits, "state")}).encode()
        with self.assertRaises(openmi.FormatError):
            _state._Reader(struct.pack("<Q", len(text)) + text + b"".join(writer.parts)).value()
        def bytes_of(text, rest=b""):
            return struct.pack("<Q", len(text)) + text + rest
        for data in (b"", b"\0" * 7, bytes_of(b"{"), bytes_of(b'{"openmi:": "array", "size": 8, "type": "|O", "shape": [1]}', b"8" * 8),
                     bytes_of(b'{"openmi:": "array", "size": 99, "type": "<f8", "shape": [1]}'),
                     bytes_of(b'{"openmi:": "array", "size": -1, "type": "<f8", "shape": [1]}'),
                     bytes_of(b'{"openmi:": "generator", "of": {"openmi:": "dict", "of": [["bit_generator", "system"]]}}'),
                     bytes_of(b'{"openmi:": "os.system", "of": []}'), bytes_of(b"1", b"more"), bytes_of(b'{"no": 1}')):
            with self.assertRaises(openmi.FormatError, msg=data):
                _state._Reader(data).value()


class Files(WithFile):
    def test_a_family_comes_back_with_the_code_of_the_changed_file_and_its_state(self):
        model = """
import openmi
class Model(openmi.SteppingComponent):
    def setup(self):
        self.out = self.output("out")
        self.total = 0
    def step(self, begin, end):
        self.total += {}
        self.out.value = self.total
"""
        made = self.composed(model.format(1), feed=False, keep_state=True).observe("model.out")
        with made.start() as run:
            for _ in range(10):
                run.step()
            self.assertTrue(run.families[0]["key"].endswith("model.py"), run.families)
            run.disengage("model")
            self.write("model.py", model.format(100))
            run.engage("model")
            while run.step():
                pass
            values = run.end()["model.out"].values[:, 0]
        self.assertEqual((values[10], values[11], values[-1]), (10.0, 110.0, 10.0 + 38 * 100.0))

    def test_a_file_and_its_helpers_are_read_again_when_no_component_has_them(self):
        import sys
        model = """
import helper_of_test
import openmi
class Model(openmi.SteppingComponent):
    def setup(self):
        self.out = self.output("out", initial=None)
    def step(self, begin, end):
        self.out.value = helper_of_test.VALUE + {}
"""
        for number in range(3):
            self.write("helper_of_test.py", f"VALUE = {number}00\n")
            made = self.composed(model.format(number), feed=False).observe("model.out")
            self.assertEqual(made.run()["model.out"].values[-1, 0], number * 101)
            self.assertFalse([name for name in sys.modules if name in ("model", "helper_of_test")])

    def test_a_module_of_a_package_has_its_relative_imports(self):
        os.makedirs(self.path("basin", "parts"))
        self.write("basin/__init__.py", "")
        self.write("basin/parts/__init__.py", "from .factor import FACTOR\n")
        self.write("basin/parts/factor.py", "FACTOR = 7\n")
        made = self.composed("""
import openmi
from .parts import FACTOR
class Model(openmi.SteppingComponent):
    def setup(self):
        self.out = self.output("out")
    def step(self, begin, end):
        self.out.value = FACTOR
""", feed=False, name="basin/model.py").observe("model.out")
        self.assertEqual(made.run()["model.out"].values[-1, 0], 7.0)

    def test_an_installed_module_is_named_by_its_name(self):
        self.write("installed_tank.py", TANK)
        made = self.composed("import openmi\n", "Tank", feed=True)
        made.save(self.path("made.xml"))
        text = self.read("made.xml").decode().replace("model.py", "python:installed_tank").replace(
            "</Composition>", '  <Observe Item="model.outflow"/>\n</Composition>')
        self.write("made.xml", text)
        environment = {**os.environ, "PYTHONPATH": os.environ["PYTHONPATH"] + ":" + self.folder}
        command("run", self.path("made.xml"), "--results", self.path("results"), "--quiet", env=environment)
        self.assertGreater(openmi.results(self.path("results", "made.csv"))["model.outflow"].values[-1, 0], 1.8)

    def test_a_file_that_could_not_be_read_leaves_nothing_behind(self):
        for number, text in ((1, "import late_helper, not_there_at_all\n"), (2, "import late_helper\n")):
            self.write("late_helper.py", f"VALUE = {number}111\n")
            made = self.composed(text + """
import openmi
class Model(openmi.SteppingComponent):
    def setup(self):
        self.out = self.output("out", initial=None)
    def step(self, begin, end):
        import lazy_helper
        self.out.value = late_helper.VALUE + lazy_helper.VALUE
""", feed=False).observe("model.out")
            self.write("lazy_helper.py", "VALUE = 5\n")
            if number == 1:
                with self.assertRaises(openmi.Error):
                    made.run()
            else:
                self.assertEqual(made.run()["model.out"].values[-1, 0], 2116.0)

    def test_a_helper_of_a_helper_counts_too(self):
        for name, value in (("one", 1), ("two", 2)):
            os.makedirs(self.path(name))
            self.write(f"{name}/common_of_test.py", f"VALUE = {value}\n")
            self.write(f"{name}/mid_{name}.py", "from common_of_test import VALUE\n")
            self.write(f"{name}/model.py", f"""
import openmi
import mid_{name}
class Model(openmi.SteppingComponent):
    def step(self, begin, end):
        pass
""")
        both = openmi.Composition("both", folder=self.folder)
        both.add("one", type="Model", assembly="one/model.py").add("two", type="Model", assembly="two/model.py")
        both.run_from("2020-01-01T00:00Z", "2020-01-01T03:00Z")
        with self.assertRaisesRegex(openmi.Error, r"two/mid_two.py:1: .*common_of_test.*one/common_of_test.py"):
            both.run()

    def test_two_versions_of_a_helper_need_two_processes(self):
        for name in ("one", "two"):
            os.makedirs(self.path(name))
            self.write(f"{name}/shared_helper.py", f"VALUE = {len(name) + (name == 'two')}\n")
            self.write(f"{name}/model.py", """
import openmi
import shared_helper
class Model(openmi.SteppingComponent):
    def setup(self):
        self.out = self.output("out", initial=None)
    def step(self, begin, end):
        self.out.value = shared_helper.VALUE
""")
        def made(**isolation):
            both = openmi.Composition("both", folder=self.folder)
            both.add("one", type="Model", assembly="one/model.py", **isolation)
            both.add("two", type="Model", assembly="two/model.py", **isolation)
            return both.observe("one.out").observe("two.out").run_from("2020-01-01T00:00Z", "2020-01-01T03:00Z")
        with self.assertRaisesRegex(openmi.Error, r"two/model.py:3: .*shared_helper.*one/shared_helper.py.*Isolation"):
            made().run()
        results = made().run(isolate=True)
        self.assertEqual((results["one.out"].values[-1, 0], results["two.out"].values[-1, 0]), (3.0, 4.0))


class Exported(WithFile):
    def test_an_fmu_holds_the_file_and_what_it_imports(self):
        self.write("factor_of_test.py", "import numpy\nFACTOR = float(numpy.float64(2))\n")
        self.write("tank.py", TANK.replace("import openmi", "import openmi\nimport factor_of_test").replace(
            "(1 - decay)", "(1 - decay) * factor_of_test.FACTOR"))
        self.write("tank.omi", '<LinkableComponent xmlns="http://www.openmi.org/v2_0" Type="Tank" Assembly="tank.py"/>')
        command("fmu", "export", self.path("tank.omi"), "--output-file", self.path("tank.fmu"))
        os.remove(self.path("tank.py"))
        os.remove(self.path("factor_of_test.py"))
        done = command("fmu", "run", self.path("tank.fmu"), "--stop-time", "86400", "--step", "3600", "--set", "inflow=3")
        last = [float(cell) for cell in done.stdout.split("\n86400,")[1].split("\n")[0].split(",")]
        self.assertAlmostEqual(last[-1], 6.0 * (1 - numpy.exp(-0.5)), places=9)


if __name__ == "__main__":
    unittest.main()
