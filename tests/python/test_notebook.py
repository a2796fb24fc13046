"""What objects look like in a notebook, and the bars of progress."""

import base64
import io
import sys
import types
import unittest.mock
import xml.dom.minidom

import openmi
from openmi import progress
from support import BASIN, Folder, spring_and_pond, wave


def whole(html):
    """The HTML as a document, which has to be well-formed."""
    return xml.dom.minidom.parseString(f"<all>{html.replace('<br>', '<br/>')}</all>")


class Html(Folder):
    def test_a_composition_is_its_diagram(self):
        html = openmi.open(BASIN)._repr_html_()
        (picture,) = whole(html).getElementsByTagName("img")  # whose styles stay inside
        kind, data = picture.getAttribute("src").split(",")
        self.assertEqual(kind, "data:image/svg+xml;base64")
        drawn = xml.dom.minidom.parseString(base64.b64decode(data))
        self.assertIn("reservoir", drawn.toxml())
        self.assertIn("2024-03-01", html)

    def test_problems_are_a_table_and_texts_are_escaped(self):
        made = spring_and_pond(self.folder).add("<b>", omi="<i>&.omi")
        html = made.check(static=True)._repr_html_()
        document = whole(html)
        self.assertGreater(len(document.getElementsByTagName("tr")), 1)
        self.assertNotIn("<i>", html)
        self.assertIn("no problems", openmi.Problems()._repr_html_())

    def test_results_and_reports_are_shown(self):
        results = spring_and_pond(self.folder).run(self.path("r"))
        self.assertIn("pond.outflow", whole(results._repr_html_()).toxml())
        report = results.report
        self.assertEqual(report.path, self.path("r", "pond.html"))
        self.assertIn("srcdoc=", report._repr_html_())
        self.assertNotIn("</script>", report._repr_html_())
        self.assertIsNone(spring_and_pond(self.folder).run().report)

    def test_every_object_has_a_short_text(self):
        made = spring_and_pond(self.folder)
        results = made.run()
        for one, words in ((made, "pond"), (made.check(), "Problems"), (results, "complete"),
                           (results["pond.outflow"], "48 rows"), (openmi.Problem, "Problem")):
            self.assertIn(words, repr(one))


class Bars(Folder):
    def test_a_terminal_gets_one_line(self):
        screen = io.StringIO()
        screen.isatty = lambda: True
        with unittest.mock.patch.object(sys, "stderr", screen):
            wave(self.folder, pause=0.03).run()
        self.assertIn("100%", screen.getvalue())
        self.assertEqual(screen.getvalue().count("\n"), 1)

    def test_a_file_gets_nothing(self):
        screen = io.StringIO()
        with unittest.mock.patch.object(sys, "stderr", screen):
            wave(self.folder, pause=0.03).run()
        self.assertEqual(screen.getvalue(), "")

    def test_a_notebook_gets_a_bar_that_is_drawn_again(self):
        updates = []
        handle = types.SimpleNamespace(update=lambda html: updates.append(html))
        display = types.ModuleType("IPython.display")
        display.HTML = str
        display.display = lambda html, display_id: updates.append(html) or handle
        ipython = types.ModuleType("IPython")
        ipython.get_ipython = lambda: types.SimpleNamespace(kernel=1)
        ipython.display = display
        with unittest.mock.patch.dict(sys.modules, {"IPython": ipython, "IPython.display": display}):
            self.assertTrue(progress.is_notebook())
            wave(self.folder, pause=0.03).run()
        self.assertGreater(len(updates), 2)
        whole(updates[-1].replace("'", '"'))
        self.assertIn("100%", updates[-1])

    def test_what_a_component_waits_for_is_shown(self):
        screen = io.StringIO()
        with unittest.mock.patch.object(sys, "stderr", screen):
            bar = progress.Terminal("run")
            bar.wait("broker", "waits\x1b[31m for messages")
            bar.done()
        self.assertIn("broker: waits [31m for messages", screen.getvalue())
