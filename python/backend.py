"""Builds the wheel of the Python package, for pip (PEP 517). It needs CMake, ninja, and the Debian packages of the build.

The wheel holds all that the package needs: the module, the libraries, the ready components and the bridges, the programs
for components in processes of their own.

    pip install --no-index --no-build-isolation .                          builds in build/python, in some ten minutes
    pip install --no-index --no-build-isolation --config-settings build=build/release .    takes what is built there
"""

import base64
import hashlib
import os
import re
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
#: Parts of the installation that go into the wheel (cmake/OpenmiInstall.cmake).
PARTS = ("libraries", "command", "bmi", "fmi", "dcp", "osmp", "broker", "python")


def get_requires_for_build_wheel(config_settings=None):
    return []


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    folder = f"openmi2-{_version()}.dist-info"
    os.makedirs(os.path.join(metadata_directory, folder))
    for name, text in _metadata().items():
        with open(os.path.join(metadata_directory, folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    return folder


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    folder = (config_settings or {}).get("build")
    build = os.path.join(ROOT, folder) if folder else _build()
    name = f"openmi2-{_version()}-{_tag()}.whl"
    with tempfile.TemporaryDirectory() as stage:
        for part in PARTS:
            _run("cmake", "--install", build, "--prefix", stage, "--component", part, "--strip")
        _write(os.path.join(wheel_directory, name), stage)
    return name


def _build():
    """Builds what is installed, for this interpreter."""
    folder = os.path.join(ROOT, "build", "python")
    _run("cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DOPENMI_UNITY=ON",
         "-DOPENMI_BUILD_TESTS=OFF", "-DOPENMI_BUILD_BENCH=OFF", "-DOPENMI_BUILD_EXAMPLES=OFF", "-DOPENMI_WITH_PYTHON=ON",
         f"-DOPENMI_PYTHON={sys.executable}")
    with open(os.path.join(folder, "CMakeCache.txt"), encoding="utf-8") as cache:
        if not re.search(r"^OPENMI_PYTHON_EXECUTABLE:INTERNAL=.+", cache.read(), re.MULTILINE):
            raise RuntimeError("expected pybind11, and NumPy and headers for " + sys.executable +
                               ", found that one of them is missing; the output of CMake above says which")
    _run("cmake", "--build", folder, "--target", "openmi_installed")
    return folder


def _run(*command):
    subprocess.run(command, check=True, stdout=sys.stderr)


def _version():
    with open(os.path.join(ROOT, "CMakeLists.txt"), encoding="utf-8") as file:
        return re.search(r"project\(openmi2 VERSION ([\d.]+)", file.read()).group(1)


def _tag():
    """The interpreter, its binary interface and the machine, as PEP 425 writes them."""
    python = "cp%d%d" % sys.version_info[:2]
    return f"{python}-{python}-{re.sub('[-.]', '_', sysconfig.get_platform())}"


def _metadata():
    summary = "Simulation models that exchange values while they run, after OpenMI 2.0"
    return {
        "METADATA": f"Metadata-Version: 2.1\nName: openmi2\nVersion: {_version()}\nSummary: {summary}\n"
                    "Requires-Python: >=3.9\nRequires-Dist: numpy\n",
        "WHEEL": f"Wheel-Version: 1.0\nGenerator: openmi2\nRoot-Is-Purelib: false\nTag: {_tag()}\n",
    }


def _write(path, stage):
    """Writes the wheel from an installed tree: the package with bin/ and lib/ inside."""
    info = f"openmi2-{_version()}.dist-info"
    records = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        def add(name, data, mode=0o644):
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100000 | mode) << 16
            wheel.writestr(entry, data)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            records.append(f"{name},sha256={digest},{len(data)}")

        for name, source in sorted(_files(stage)):
            with open(source, "rb") as file:
                add(name, file.read(), 0o755 if os.access(source, os.X_OK) else 0o644)
        for name, text in _metadata().items():
            add(f"{info}/{name}", text.encode())
        records.append(f"{info}/RECORD,,")
        entry = zipfile.ZipInfo(f"{info}/RECORD")
        entry.external_attr = 0o100644 << 16
        wheel.writestr(entry, "\n".join(records) + "\n")


def _files(stage):
    """Names in the wheel, with their files. A library is there once, by the name that others load: a wheel has no links."""
    package = os.path.join(stage, "lib", "python3", "dist-packages")
    for folder, _, names in os.walk(stage):
        for name in names:
            source = os.path.join(folder, name)
            if folder.startswith(package):
                yield os.path.relpath(source, package), source
                continue
            kind = os.path.relpath(folder, stage).split(os.sep)[0]
            is_whole_version = re.search(r"\.so\.\d+\.\d+\.\d+$", name) is not None
            if kind in ("bin", "lib") and not is_whole_version:
                yield os.path.join("openmi", os.path.relpath(source, stage)), source
