"""The notebooks of the manual run from top to bottom, and are kept without outputs."""

import functools
import glob
import json
import os
import re
import sys
import unittest

from support import SOURCE

try:
    import ipykernel  # noqa: F401
    import matplotlib  # noqa: F401
    import nbclient
    import nbformat
except ImportError:
    nbclient = None

PAGES = sorted(glob.glob(os.path.join(SOURCE, "docs", "notebooks", "*.ipynb")))


@functools.lru_cache(maxsize=None)
def run(path):
    """The notebook with its outputs; raises the error of a cell that fails."""
    from jupyter_client.kernelspec import KernelSpec, KernelSpecManager

    class ThisPython(KernelSpecManager):
        """The interpreter of this test, whatever kernels a machine has."""

        def get_kernel_spec(self, kernel_name):
            return KernelSpec(argv=[sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
                              env={"PYDEVD_DISABLE_FILE_VALIDATION": "1"}, language="python")

    notebook = nbformat.read(path, 4)
    client = nbclient.NotebookClient(notebook, timeout=60, resources={"metadata": {"path": os.path.dirname(path)}})
    client.create_kernel_manager()
    client.km.kernel_spec_manager = ThisPython()
    client.execute()
    return notebook


def outputs_of(notebook):
    return [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]


class Pages(unittest.TestCase):
    def test_there_are_some(self):
        self.assertIn("river-basin.ipynb", [os.path.basename(path) for path in PAGES])

    def test_they_are_kept_without_outputs_and_without_paths_of_a_machine(self):
        for path in PAGES:
            with self.subTest(path), open(path, encoding="utf-8") as file:
                text = file.read()
                for cell in json.loads(text)["cells"]:
                    self.assertIn(cell["cell_type"], ("markdown", "code"))
                    self.assertFalse(cell.get("outputs"), cell["source"])
                    self.assertIsNone(cell.get("execution_count"), cell["source"])
                self.assertIsNone(re.search(r'["\'( ]/(home|root|tmp|usr|work|Users)/', text))


@unittest.skipIf(nbclient is None, "needs nbclient, ipykernel and matplotlib (scripts/packages-test.txt)")
class Runs(unittest.TestCase):
    def test_every_notebook_runs_to_its_end(self):
        for path in PAGES:
            with self.subTest(path):
                self.assertTrue(outputs_of(run(path)))

    def test_the_river_basin_shows_what_it_says(self):
        notebook = run(os.path.join(SOURCE, "docs", "notebooks", "river-basin.ipynb"))
        shown = outputs_of(notebook)
        html = "\n".join(output.data["text/html"] for output in shown if "text/html" in output.get("data", {}))
        self.assertIn("1 error", html)
        self.assertIn("a day", html)
        self.assertIn("100%", html)  # the bar
        self.assertIn("complete, ", html)
        self.assertIn("srcdoc=", html)  # the report
        self.assertEqual(sum("image/png" in output.get("data", {}) for output in shown), 3)  # the plots
        peaks = [float(peak) for peak in re.findall(r"h: +([\d.]+) m3 s-1", str(shown))]
        self.assertEqual(len(peaks), 3)
        self.assertGreater(peaks[0], 2 * peaks[2])  # the large lake halves the peak of the small one
        self.assertFalse([output for output in shown if output.output_type == "stream" and output.name == "stderr"])
