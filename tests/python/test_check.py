"""Checks, and what they find."""

import os

import openmi
from support import BASIN, PLUGINS, Folder, command, spring_and_pond


class Check(Folder):
    def test_finds_what_the_command_finds(self):
        said = command("check", BASIN).stdout.splitlines()
        for found in (openmi.open(BASIN).check(), openmi.check(BASIN, apart=False)):
            self.assertTrue(found.ok)
            self.assertEqual([f"{one.text} [{one.severity}]" for one in found], said[:-1])
            self.assertEqual(found.notes, found)

    def test_problems_have_place_and_remedy(self):
        text = spring_and_pond(self.folder).xml.replace('To="pond.inflow"', 'To="pond.inflaw"')
        path = self.write("wrong.xml", text)
        line = 1 + next(i for i, one in enumerate(text.splitlines()) if "inflaw" in one)
        found = openmi.open(path).check()
        self.assertFalse(found.ok)
        error = found.errors[0]
        self.assertEqual((error.severity, error.file, error.line), ("error", path, line))
        self.assertIn("found 'inflaw'", error.problem)
        self.assertIn("did you mean 'inflow'", error.remedy)
        self.assertEqual(found.summary, "2 errors")  # and an input without a link

    def test_what_was_built_has_the_lines_of_its_text(self):
        made = spring_and_pond(self.folder).link("spring.flow", "pond.inflaw")
        error = made.check().errors[0]
        self.assertIn("pond.inflaw", made.xml.splitlines()[error.line - 1])
        self.assertEqual([one.text for one in made.check(apart=False).errors], [one.text for one in made.check().errors])

    def test_an_id_that_is_there_twice_is_found(self):
        made = spring_and_pond(self.folder).add("pond", omi="pond.omi")
        self.assertIn("pond", made.check().errors[0].text)
        self.assertFalse(made.check(static=True).ok)

    def test_an_argument_that_was_changed_is_checked(self):
        path = spring_and_pond(self.folder).save()
        changed = openmi.open(path).set_argument("pond", "residence-time", -1)
        found = changed.check().errors[0]
        self.assertIn("residence-time", found.text)
        pond = next(one for one in changed.components if one.id == "pond")
        self.assertEqual(found.line, pond.arguments[0].line)

    def test_a_library_that_crashes_is_a_problem_and_no_more(self):
        made = spring_and_pond(self.folder)
        made.add("never", type="test.Never", assembly=os.path.join(PLUGINS, "libload_crash.so"))
        found = made.check()
        self.assertIn("signal 6", found.errors[0].text)
        self.assertEqual(found.errors[0].component, "never")

    def test_an_omi_file_is_checked_too(self):
        omi = os.path.join(os.path.dirname(BASIN), "river-basin-creek.omi")
        self.assertEqual([one.text for one in openmi.check(omi)], [one.text for one in openmi.check(omi, apart=False)])
        self.assertTrue(openmi.check(omi, static=True).ok)

    def test_adaptors_for_a_link_are_listed(self):
        offered = spring_and_pond(self.folder).adaptors("spring.flow", "pond.inflow")
        self.assertIn("linear", [one["id"] for one in offered["adaptors"]])
        with self.assertRaisesRegex(openmi.RangeError, "flaw"):
            spring_and_pond(self.folder).adaptors("spring.flaw", "pond.inflow")
