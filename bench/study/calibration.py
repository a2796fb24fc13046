"""The TOPMODEL series, calibrated by DDS with 500 members, beside SciPy's differential evolution with 20 000.

usage: calibration.py OPENMI DATA [SEED]     (python3-scipy)

SciPy computes a generation at a time; each is a study with a table, so both sides run the same members. Judged is the
Nash-Sutcliffe efficiency of the calibration window: ours is to reach at least 98 % of SciPy's. Then the same study once
more, on one worker: its tables have to be the same, byte for byte.
"""
import csv
import os
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

import numpy
from scipy.optimize import differential_evolution

openmi, data = map(os.path.abspath, sys.argv[1:3])
seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
basin = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples/river-basin")
folder = tempfile.mkdtemp(prefix="openmi-calibration-")
for name in ("topmodel.xml", "topmodel-study.xml", "topmodel.par.in", "river-basin-runoff.omi"):
    shutil.copy(os.path.join(basin, name), folder)
os.chdir(folder)
NS = "{urn:openmi2:study:1}"
ET.register_namespace("", NS[1:-1])


def run(study, workers):
    subprocess.run([openmi, "study", "run", study, "--data", data, "--overwrite", "--no-report", "--no-check", "--quiet",
                    "--workers", str(workers)], check=False)
    with open("results/%s-members.csv" % study[:-4]) as table:
        return list(csv.DictReader(table))


def best_of(rows):
    best = min((row for row in rows if row["end"] == "done"), key=lambda row: float(row["cost"]))
    return float(best["calibration"]), float(best["validation"])


tree = ET.parse("topmodel-study.xml")
tree.find(NS + "Calibrate").set("Seed", str(seed))
tree.write("topmodel-study.xml")
ours = run("topmodel-study.xml", 2)
with open("results/topmodel-study-members.csv", "rb") as table:
    first = table.read()
run("topmodel-study.xml", 1)
with open("results/topmodel-study-members.csv", "rb") as table:
    same = table.read() == first
calibration, validation = best_of(ours)
print("study/dds: %d members, NSE %.4f in calibration, %.4f in validation; one worker gives %s" %
      (len(ours), calibration, validation, "the same bytes" if same else "OTHER BYTES"))

# The same study with a table: the columns are the Vary elements, without ranges of their own.
bounds, logs, names = [], [], []
root = tree.getroot()
root.set("Id", "peer")
for vary in root.findall(NS + "Vary"):
    low, high, is_log = float(vary.get("From")), float(vary.get("To")), vary.get("Scale") == "log"
    bounds.append((numpy.log(low), numpy.log(high)) if is_log else (low, high))
    logs.append(is_log)
    names.append(vary.get("Id"))
    for attribute in ("From", "To", "Scale"):
        vary.attrib.pop(attribute, None)
root.remove(root.find(NS + "Calibrate"))
ET.SubElement(root, NS + "Design", {"Method": "table", "Table": "peer.csv"})
tree.write("peer.xml")
count = 0


def costs(points):
    global count
    points = numpy.atleast_2d(points.T)
    with open("peer.csv", "w") as table:
        table.write(",".join(names) + "\n")
        for point in points:
            table.write(",".join(repr(float(numpy.exp(x) if log else x)) for x, log in zip(point, logs)) + "\n")
    count += len(points)
    return numpy.array([float(row["cost"]) if row["end"] == "done" else 1e9 for row in run("peer.xml", 2)])


population = 100
generations = 20000 // population - 1
found = differential_evolution(costs, bounds, maxiter=generations, popsize=population // len(bounds) + 1, tol=0.0, seed=seed,
                               polish=False, vectorized=True, updating="deferred")
peer = 1.0 - found.fun
print("study/calibration: DDS NSE %.4f with %d members, SciPy %.4f with %d, ratio %.4f, bound at least 0.98%s" %
      (calibration, len(ours), peer, count, calibration / peer, "" if calibration >= 0.98 * peer else "  EXCEEDED"))
shutil.rmtree(folder)
sys.exit(0 if same and calibration >= 0.98 * peer else 1)
