"""The package as it is installed: in a folder, and by pip in a virtual environment. Neither may need the build folder."""

import os
import subprocess
import sys

from support import BINARY, SOURCE, Folder

PROGRAM = """
import openmi, os, sys
assert not openmi.__file__.startswith({binary!r}), openmi.__file__
made = openmi.Composition("pond", folder=".")
made.add("spring", type="openmi.Constant", assembly="openmi-components", item="flow", unit="m3 s-1", value=2.0)
made.add("pond", type="openmi.NashCascade", assembly="openmi-components")
made.link("spring.flow", "pond.inflow").observe("pond.outflow")
made.run_from("2020-01-01T00:00Z", "2020-01-02T00:00Z")
assert made.check().ok, made.check()
print(float(made.run(isolate=True)["pond.outflow"].values[-1, 0]))
with open("/proc/self/maps") as maps:
    assert {binary!r} not in maps.read(), "a library of the build folder is loaded"
"""


class Installed(Folder):
    def try_in(self, python, **environment):
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "OPENMI"))}
        done = subprocess.run([python, "-c", PROGRAM.format(binary=BINARY)], cwd=self.folder, env={**kept, **environment},
                              capture_output=True, text=True, timeout=100)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertAlmostEqual(float(done.stdout), 2.0, places=6)

    def test_a_tree_that_was_installed_works_by_its_path(self):
        for part in ("libraries", "command", "python"):
            subprocess.run(["cmake", "--install", BINARY, "--prefix", self.path("tree"), "--component", part], check=True,
                           stdout=subprocess.DEVNULL)
        self.try_in(sys.executable, PYTHONPATH=self.path("tree", "lib", "python3", "dist-packages"))

    def test_pip_installs_it_in_a_virtual_environment(self):
        subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", "--without-pip", self.path("venv")],
                       check=True)
        python = self.path("venv", "bin", "python")
        made = subprocess.run([python, "-m", "pip", "install", "--no-index", "--no-build-isolation", "--config-settings",
                               f"build={os.path.relpath(BINARY, SOURCE)}", SOURCE], capture_output=True, text=True,
                              env={key: value for key, value in os.environ.items() if key != "PYTHONPATH"})
        self.assertEqual(made.returncode, 0, made.stdout + made.stderr)
        self.try_in(python)
        subprocess.run([python, "-m", "pip", "uninstall", "-y", "openmi2"], check=True, stdout=subprocess.DEVNULL)
        (site,) = [folder for folder, names, _ in os.walk(self.path("venv")) if os.path.basename(folder) == "site-packages"]
        self.assertNotIn("openmi", os.listdir(site))
