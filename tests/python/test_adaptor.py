"""Adaptors in Python: what they can do on links, and what goes wrong in them."""

import json
import os
import unittest

import numpy

from support import Folder, command, openmi, subprocess

#: A component with a wave of two elements in m, the second one missing at every fourth step, and its adaptors.
GAUGE = '''
import math
import numpy
import openmi


class SoftLimit(openmi.Adaptor):
    """Bends values softly below a limit."""
    id = "soft-limit"
    caption = "soft limit"

    def setup(self):
        self.limit = self.argument("limit", 1.0, minimum=1e-12, maximum=100.0, caption="what no value exceeds")

    def map(self, values, out, duration):
        numpy.divide(values, self.limit.value, out=out)
        numpy.tanh(out, out=out)
        out *= self.limit.value


class Rating(openmi.Adaptor):
    """Discharge from level."""
    def setup(self):
        self.unit_made = self.argument("unit", "m3 s-1")

    def initialize(self):
        assert self.unit == "m" and self.count == 2
        self.unit = self.unit_made.value

    def map(self, values, out, duration):
        assert duration.days == 0.0 and duration.seconds == 0.0
        out[:] = 10.0 * numpy.abs(values) ** 1.5


class Model(openmi.SteppingComponent):
    adaptors = [SoftLimit, Rating]

    def setup(self):
        self.level = self.output("level", "m", elements=self.elements(["a", "b"]))

    def step(self, begin, end):
        hour = round(end.seconds / 3600.0)
        if hour == 8 and self.path("stop").exists():
            raise openmi.ModelError("stopped by the test")
        self.level.values = [3.0 * math.sin(hour), math.nan if hour % 4 == 0 else hour]
'''

SINK = '''
import openmi


class Sink(openmi.SteppingComponent):
    def setup(self):
        places = self.elements(["a", "b"])
        self.ins = [self.input("in" + str(i), unit, elements=places, optional=True)
                    for i, unit in enumerate(("m", "cm", "m3 s-1"))]
        self.outs = [self.output("out" + str(i), one.unit, elements=places) for i, one in enumerate(self.ins)]

    def step(self, begin, end):
        for one, out in zip(self.ins, self.outs):
            out.values = one.values
'''


class WithGauge(Folder):
    def composed(self, *links, text=GAUGE, step="PT1H", end="2020-01-01T12:00Z"):
        """A gauge and a sink, with links from the level to its inputs: (number of the input, adaptors)."""
        self.write("gauge.py", text)
        self.write("sink.py", SINK)
        made = openmi.Composition("made", folder=self.folder)
        made.add("gauge", type="Model", assembly="gauge.py").add("sink", type="Sink", assembly="sink.py", time_step=step)
        made.observe("gauge.level")
        for number, adaptors in links:
            made.link("gauge.level", f"sink.in{number}", adaptors=adaptors).observe(f"sink.out{number}")
        return made.run_from("2020-01-01T00:00Z", end)

    def problem(self, made):
        with self.assertRaises(openmi.Error) as caught:
            made.run()
        return str(caught.exception)


class Adaptors(WithGauge):
    def test_two_links_have_an_object_each_with_its_arguments_and_units_are_converted_behind_it(self):
        made = self.composed((0, [openmi.adaptor("soft-limit", limit=2.5)]), (1, ["soft-limit"]))
        results = made.run()
        level = results["gauge.level"].values
        self.assertTrue(numpy.isnan(level[4, 1]) and numpy.isfinite(level[5, 1]))
        numpy.testing.assert_array_equal(results["sink.out0"].values[1:], 2.5 * numpy.tanh(level[1:] / 2.5))
        numpy.testing.assert_allclose(results["sink.out1"].values[1:], 100.0 * numpy.tanh(level[1:]), rtol=1e-15)

    def test_a_unit_that_it_sets_is_that_of_the_link(self):
        results = self.composed((2, ["Rating"])).run()
        level = results["gauge.level"].values
        numpy.testing.assert_array_equal(results["sink.out2"].values[1:], 10.0 * numpy.abs(level[1:]) ** 1.5)
        text = self.problem(self.composed((0, ["Rating"])))
        self.assertIn("m3 s-1", text)
        text = self.problem(self.composed((0, [openmi.adaptor("Rating", unit="furlongs per moon")])))
        self.assertIn("furlongs", text)

    def test_arguments_have_limits(self):
        text = self.problem(self.composed((0, [openmi.adaptor("soft-limit", limit=-1)])))
        self.assertRegex(text, r"argument 'limit' of adaptor 'soft-limit': .*-1")
        text = self.problem(self.composed((0, [openmi.adaptor("soft-limit", limits=1)])))
        self.assertIn("did you mean 'limit'", text)

    def test_an_adaptor_in_time_reads_its_rows(self):
        results = self.composed((0, ["soft-limit", "linear"]), step="PT30M").run()
        made = numpy.tanh(results["gauge.level"].values)
        found = results["sink.out0"].values
        numpy.testing.assert_array_equal(found[2::2, 0], made[1:, 0])
        numpy.testing.assert_allclose(found[1::2, 0], (made[1:, 0] + made[:-1, 0]) / 2.0, atol=1e-9)

    def test_the_command_lists_it(self):
        made = self.composed((0, []))
        made.save(self.path("made.xml"))
        offers = json.loads(command("adaptors", self.path("made.xml"), "gauge.level", "sink.in0", "--json").stdout)
        own = {offer["id"]: offer for offer in offers["adaptors"] if offer["factory"] == "Model"}
        self.assertEqual(own["soft-limit"]["description"], "Bends values softly below a limit.")
        self.assertEqual(own["soft-limit"]["caption"], "soft limit")
        self.assertTrue(own["soft-limit"]["fits"])
        self.assertEqual(own["soft-limit"]["arguments"][0]["id"], "limit")
        self.assertFalse(own["Rating"]["fits"])
        self.assertIn("m3 s-1", own["Rating"]["reason"])

    def test_the_bytes_are_those_of_one_thread_and_of_a_run_that_is_continued(self):
        chain = ["soft-limit", "linear"]
        made = self.composed((0, [openmi.adaptor("soft-limit", limit=2.5)]), (1, chain), (2, ["Rating"]))
        made.save(self.path("made.xml"))

        def run(name, *options):
            command("run", self.path("made.xml"), "--results", self.path(name), "--quiet", *options)
            return b"".join(line for line in self.read(name, "made.csv").splitlines(True) if not line.startswith(b"#"))

        whole = run("whole")
        self.assertEqual(whole, run("threads", "--threads", "2"))
        self.write("stop", "")
        with self.assertRaises(subprocess.CalledProcessError):
            run("parts", "--checkpoint-every", "PT5H")
        os.remove(self.path("stop"))
        self.assertEqual(whole, run("parts", "--resume"))

    def test_a_component_with_adaptors_passes_annex_a(self):
        self.write("gauge.py", GAUGE)
        self.write("gauge.omi", '<LinkableComponent xmlns="http://www.openmi.org/v2_0" Type="Model" Assembly="gauge.py"/>')
        text = command("check", "--component", self.path("gauge.omi")).stdout
        self.assertIn(" 0 failed", text)

    def test_in_a_process_of_its_own_the_component_has_no_adaptors(self):
        made = self.composed((0, ["soft-limit"]))
        with self.assertRaisesRegex(openmi.Error, "soft-limit.*process of its own"):
            made.run(isolate=True)


#: The body of map, its line, and words of the message.
FAULTS = {
    "an exception": ("self.deep()", 13, "IndexError: list index out of range (gauge.py:11 map > gauge.py:13 deep)"),
    "a wrong length": ("out[:] = values[:1].repeat(3)", 11, "could not broadcast"),
    "a row that is returned": ("return values * 2.0", 6, "found that it returns a value of type numpy.ndarray; "
                                                         "fill it in place: out[:] = ..."),
    "a row that is not filled": ("out = values * 2.0", 6, "found values that it did not set"),
    "changed values": ("values *= 2.0", 11, "read-only"),
    "a row that is kept": ("out[:] = values; self.kept = out", 6, "keep a copy: values.copy()"),
    "an error with a remedy": ("raise openmi.ModelError('expected rain', 'link it')", 11, "expected rain; link it"),
    "a call that adaptors may not make": ("out[:] = values; self._host.warn('a', '', '', '', 0)", 11,
                                          "expected 'warn' to be called from"),
}


class Errors(WithGauge):
    def test_each_names_file_and_line(self):
        for name, (body, line, words) in FAULTS.items():
            with self.subTest(name):
                text = f"""import openmi


class Faulty(openmi.Adaptor):

    def map(self, values, out, duration):
        # what
        # is
        # wrong
        # here
        {body}
    def deep(self):
        [][3]


class Model(openmi.SteppingComponent):
    adaptors = [Faulty]
    def setup(self): self.level = self.output("level", "m", elements=self.elements(["a", "b"]))
    def step(self, begin, end): self.level.values = 1.0
"""
                found = self.problem(self.composed((0, ["Faulty"]), text=text))
                self.assertIn(words, found)
                self.assertIn(f"gauge.py:{line}: ", found)

    def test_declarations_are_checked_when_the_file_is_read(self):
        head = "import openmi\nclass Faulty(openmi.Adaptor):\n"
        tail = "class Model(openmi.SteppingComponent):\n    adaptors = [{}]\n    def step(self, begin, end): pass\n"
        for text, named, words in (
                ("    def maps(self, values, out, duration): pass\n", "Faulty", "found no map; define it; did you mean maps?"),
                ("    def map(self, values): pass\n", "Faulty", r"expected Faulty.map(self, values, out, duration), found map(self, values)"),
                ("    def map(self, values, out, duration): pass\n", "Faulty()", "expected classes derived from openmi.Adaptor"),
                ("    def map(self, values, out, duration): pass\n", "Faulty, Faulty", "found 'Faulty' twice")):
            with self.subTest(words):
                self.assertIn(words, self.problem(self.composed((0, []), text=head + text + tail.format(named))))


if __name__ == "__main__":
    unittest.main()
