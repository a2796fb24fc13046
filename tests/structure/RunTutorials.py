"""Runs README, tutorials and how-to pages: every `sh` block in an empty folder, and compares what came out with the block
below it.

usage: RunTutorials.py FOLDER_OF_DOCS PREFIX WORK_FOLDER

A page with <!--needs gdal--> is run if PREFIX has the library openmi-gdal and there is ogr2ogr. A page with
<!--needs python--> is run by the interpreter that the environment variable PYTHON names, else by the one that
runs this script, if the Python package is in PREFIX.

A block below a line <!--file NAME--> is a file. All `sh` blocks of a tutorial are one script, so that what one sets the next
knows. Every line of a `text` block has to stand somewhere in a line of the output of the block above, in this order; how wide
blanks are does not matter. A number at the end of a line is the whole number, unless dots follow it (1.81029...). An
`output` block is the whole output of the block above, character by character.

`python3` in a page is the Python that runs this script. A page that imports a module which it does not have is not run; the
last line names it.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

IMPORT = re.compile(r"^import (\w+)", re.M)
INTERPRETER = os.environ.get("PYTHON") or sys.executable
BLOCK = re.compile(r"(?:<!--file (?P<file>\S+)-->\n)?```(?P<kind>\w+)\n(?P<body>.*?)```\n?", re.S)


def missing_module(page):
    """A module that a Python file of a page imports, and this Python does not have; None: there is none."""
    text = page.read_text(encoding="utf-8")
    is_ours = "<!--needs python-->" in text
    for block in BLOCK.finditer(text):
        if block["file"] and block["kind"] == "python":
            for name in IMPORT.findall(block["body"]):
                if is_ours and name == "openmi":
                    continue  # which run() looks for
                find = f"import importlib.util, sys; sys.exit(importlib.util.find_spec('{name}') is None)"
                if subprocess.run([INTERPRETER if is_ours else sys.executable, "-c", find], check=False).returncode != 0:
                    return name
    return None


def run(tutorial, prefix, work):
    """The complaints about one tutorial."""
    work.mkdir(parents=True)
    script = ["set -e", "cd \"$WORK\""]
    expected = {}
    whole = {}
    number = 0
    for block in BLOCK.finditer(tutorial.read_text(encoding="utf-8")):
        if block["file"]:
            # Written when the script comes there: a later block may change it.
            (work / (block["file"] + ".tutorial")).write_text(block["body"], encoding="utf-8")
            script.append(f"mv '{block['file']}.tutorial' '{block['file']}'")
        elif block["kind"] == "sh":
            number += 1
            script.append(f"echo '=== {number}'\n{block['body']}")
        elif block["kind"] == "text" and number:
            expected[number] = block["body"].splitlines()
        elif block["kind"] == "output":
            whole[number] = block["body"]
    if "<!--needs gdal-->" in tutorial.read_text(encoding="utf-8"):
        library = prefix / "lib/openmi2/libopenmi-gdal.so"
        if not library.exists() or shutil.which("ogr2ogr") is None:
            print(f"{tutorial.name}: not run: there is no {library.name} in {library.parent}, or no ogr2ogr")
            return []
    if not number:
        return [f"{tutorial.name}: expected commands in blocks of kind sh, found none"]
    if "<!--needs python-->" in tutorial.read_text(encoding="utf-8"):
        if not (package := prefix / "lib/python3/dist-packages/openmi").exists():
            print(f"{tutorial.name}: not run: there is no Python package in {package}")
            return []
        # The interpreter that the package is built for, which need not be the first python3.
        (work / ".bin").mkdir()
        (work / ".bin/python3").symlink_to(INTERPRETER)
    environment = dict(os.environ, OPENMI=str(prefix), WORK=str(work), LC_ALL="C",
                       PATH=f"{work}/.bin:{prefix}/bin:{os.path.dirname(sys.executable)}:{os.environ['PATH']}",
                       PYTHONPATH=str(prefix / "lib/python3/dist-packages"))
    done = subprocess.run(["bash", "-c", "\n".join(script)], env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300, check=False)
    outputs = dict(re.findall(r"^=== (\d+)\n(.*?)(?=^=== \d+\n|\Z)", done.stdout, re.S | re.M))
    if done.returncode != 0:
        return [f"{tutorial.name}: expected its commands to succeed, found exit code {done.returncode}:\n{done.stdout}"]
    complaints = []
    for block, text in whole.items():
        if (found := outputs.get(str(block), "")) != text:
            complaints.append(f"{tutorial.name}: block {block}: expected the output\n{text}found\n{found}")
    for block, lines in expected.items():
        output = "\n".join(" ".join(line.split()) for line in outputs.get(str(block), "").splitlines())
        at = 0
        for line in (" ".join(one.split()) for one in lines):
            is_whole = line[-1:].isdigit()
            found = re.compile(re.escape(line.removesuffix("...")) + (r"(?![\d.e])" if is_whole else "")).search(output, at)
            if found is None:
                complaints.append(f"{tutorial.name}: block {block}: expected a line with '{line}', found:\n{output}")
                break
            at = found.end()
    return complaints


def main():
    docs, prefix, work = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
    complaints = run(docs.parent / "README.md", prefix, work / "README")
    left_out = []
    for folder, least in (("tutorials", 9), ("how-to", 13)):
        pages = sorted((docs / folder).glob("*.md"))
        if len(pages) < least:
            sys.exit(f"expected {least} pages in {docs / folder}, found {len(pages)}")
        for page in pages:
            if (module := missing_module(page)) is not None:
                left_out.append(f"; not {page.name}: there is no module {module}")
                continue
            complaints += run(page, prefix, work / folder / page.stem)
    if complaints:
        sys.exit("\n".join(complaints))
    print("README, tutorials and how-to pages run as they stand" + "".join(left_out))


main()
