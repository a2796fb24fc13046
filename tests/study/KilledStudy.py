"""A study whose workers and manager are killed at random, and whose members are then run alone.

usage: KilledStudy.py OPENMI FOLDER MEMBERS WORKER_KILLS MANAGER_KILLS SINGLE_RUNS SEED

Each member has to have exactly one result, and the rows of the single runs have to be those of the study, byte for byte.
"""
import concurrent.futures
import os
import random
import signal
import shutil
import subprocess
import sys
import time

openmi, folder = sys.argv[1:3]
members, worker_kills, manager_kills, singles, seed = map(int, sys.argv[3:8])
random.seed(seed)
print("seed", seed)
shutil.rmtree(folder, ignore_errors=True)
os.makedirs(folder)
os.chdir(folder)

with open("rain.csv", "w") as rain:
    rain.write("time,rain (mm d-1)\n")
    for day in range(365):
        rain.write("%d,%.3f\n" % (51910 + day, max(0.0, random.gauss(-3.0, 8.0))))
with open("creek.xml", "w") as composition:
    composition.write("""<Composition xmlns="urn:openmi2:composition:1" Id="creek">
  <Component Id="rain" Type="openmi.CsvSeries" Assembly="openmi-components">
    <Argument Key="file" Value="rain.csv"/>
    <Argument Key="stamps" Value="begin"/>
    <Argument Key="step" Value="P1D"/>
    <Argument Key="time-units" Value="d"/>
    <Argument Key="epoch" Value="1858-11-17T00:00Z"/>
  </Component>
  <Component Id="creek" Type="openmi.NashCascade" Assembly="openmi-components">
    <Argument Key="unit" Value="mm d-1"/>
    <Argument Key="time-step" Value="P1D"/>
  </Component>
  <Link From="rain.rain" To="creek.inflow"/>
  <Observe Item="creek.outflow"/>
  <Run From="2001-01-01T00:00Z" To="2001-12-31T00:00Z" Trigger="creek"/>
</Composition>
""")
with open("study.xml", "w") as study:
    study.write("""<Study xmlns="urn:openmi2:study:1" Id="s" Composition="creek.xml">
  <Vary Id="k" Argument="creek.residence-time" Unit="h" From="6" To="240" Scale="log"/>
  <Vary Id="n" Argument="creek.reservoirs" From="1" To="5" Whole="true"/>
  <Design Method="latin-hypercube" Members="%d" Seed="7"/>
</Study>
""" % members)


def children(process):
    try:
        with open("/proc/%d/task/%d/children" % (process, process)) as file:
            return [int(word) for word in file.read().split()]
    except OSError:
        return []


killed_workers = killed_managers = 0
verb = "run"
while True:
    manager = subprocess.Popen([openmi, "study", verb, "study.xml", "--workers", "2", "--csv", "--quiet", "--no-report"])
    # Kills are spread over the study: after so many more results, the next one falls.
    while manager.poll() is None:
        time.sleep(random.uniform(0.01, 0.05))
        if killed_workers < worker_kills and os.path.exists("results/s.study") and random.random() < 0.8:
            workers = children(manager.pid)
            if workers:
                try:
                    os.kill(random.choice(workers), signal.SIGKILL)
                    killed_workers += 1
                except ProcessLookupError:
                    pass
        due = (killed_managers + 1) * worker_kills / (manager_kills + 1)
        if killed_managers < manager_kills and killed_workers >= due and os.path.exists("results/s.study"):
            if os.path.getsize("results/s.study") > 100000:
                manager.send_signal(signal.SIGKILL)
                killed_managers += 1
    if manager.returncode == 0:
        break
    assert manager.returncode == -signal.SIGKILL, manager.returncode
    verb = "resume"
print("killed", killed_workers, "workers and", killed_managers, "managers")
assert killed_workers >= worker_kills and killed_managers == manager_kills, "the study was over too soon"

rows = {}
with open("results/s.csv") as results:
    next(results)
    for line in results:
        member, row = line.split(",", 1)
        rows.setdefault(int(member), []).append(row)
assert sorted(rows) == list(range(1, members + 1)), "members are missing"
with open("results/s-members.csv") as table:
    lines = table.read().splitlines()[1:]
assert len(lines) == members and all(line.split(",")[1] == "done" for line in lines)
assert all(len(one) == len(rows[1]) for one in rows.values()), "rows are missing or there twice"



def run_alone(member):
    place = "alone-%d" % member
    os.mkdir(place)
    subprocess.run([openmi, "study", "show", "study.xml", str(member), "-o", place + "/member.xml"], check=True,
                   stderr=subprocess.DEVNULL)
    subprocess.run([openmi, "run", place + "/member.xml", "--results", place, "--no-report", "--quiet"], check=True)
    with open(place + "/creek.csv") as alone:
        single = [line for line in alone if line.startswith("20")]
    shutil.rmtree(place)
    assert single == rows[member], "member %d differs" % member


with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    list(pool.map(run_alone, sorted(random.sample(range(1, members + 1), min(singles, members)))))
print(members, "members, each once;", min(singles, members), "run alone give the same bytes")
