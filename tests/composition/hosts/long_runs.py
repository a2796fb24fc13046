"""Long proofs of groups on hosts, with workers that connect over TCP.

usage: long_runs.py splits|mpirun|slurm|starts|deaths|strangers BUILD FOLDER [NUMBER [SEED [SECONDS]]]

splits     NUMBER random splits of the river basin and a tenth of each other example over two and four groups, and of
           populations in parts, on this host and over four network namespaces: the bytes of one process
mpirun     the same with workers that mpirun starts
slurm      the same in a job of a Slurm of two nodes, which are network namespaces
starts     NUMBER runs with 64 workers over four network namespaces: all of them start
deaths     NUMBER workers killed, stopped or cut off, in each phase: named within 2 s (SECONDS where other programs share
           the machine), nothing stays, resumed to the same bytes
strangers  NUMBER connections of strangers while workers start: the run is that of one without them
"""
import collections
import contextlib
import glob
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
NEAR = "env {command}"


def rows(folder):
    """The bytes of all tables of results, without the line that says when they were written."""
    found = {}
    for path in sorted(glob.glob(folder + "/*.csv")):
        with open(path, "rb") as file:
            found[os.path.basename(path)] = b"".join(line for line in file if not line.startswith(b"# history"))
    if not found:
        sys.exit("expected tables in %s, found none" % folder)
    return found


def run(openmi, composition, results, *options):
    shutil.rmtree(results, ignore_errors=True)
    words = [openmi, "run", composition, "--results", results, "--quiet", "--no-report", *options]
    return subprocess.run(words, capture_output=True, text=True, timeout=600)


class Namespaces:
    """Hosts on this machine: network namespaces with links of their own to a bridge."""

    def __init__(self, count):
        number = os.getpid()
        self.net = "10.%d.%d." % (64 + number % 128, number // 128 % 256)
        self.bridge = "bl%d" % number
        self.names = ["ol%dh%d" % (number, i) for i in range(count)]
        self.here = self.net + "1"
        self.listener = None
        self.launcher = "nsenter --net=/var/run/netns/{host} {command}"

    def __enter__(self):
        self.ip("link add %s type bridge" % self.bridge, "addr add %s/24 dev %s" % (self.here, self.bridge),
                "link set %s up" % self.bridge)
        for i, name in enumerate(self.names):
            self.ip("netns add " + name, "link add v%s type veth peer name eth0 netns %s" % (name, name),
                    "link set v%s master %s up" % (name, self.bridge),
                    "-n %s addr add %s%d/24 dev eth0" % (name, self.net, 11 + i), "-n %s link set eth0 up" % name,
                    "-n %s link set lo up" % name)
        return self

    def __exit__(self, *_):
        for name in self.names:
            subprocess.run(["ip", "link", "del", "v" + name])
            subprocess.run(["ip", "netns", "del", name])
        subprocess.run(["ip", "link", "del", self.bridge])

    def ip(self, *commands):
        for command in commands:
            if subprocess.run(["ip", *command.split()]).returncode:
                print("this user may not make network namespaces: ip", command)
                sys.exit(77)

    def set_link(self, name, state):
        self.ip("link set v%s %s" % (name, state))
        if state == "up":  # the system forgets only after seconds that the other side was not there
            self.ip("neigh flush dev " + self.bridge, "-n %s neigh flush dev eth0" % name)
            hello = "import socket; socket.create_connection(('%s', %d), 10)" % (self.here, self.port())
            for _ in range(100):
                if subprocess.run(["nsenter", "--net=/var/run/netns/" + name, sys.executable, "-c", hello],
                                  stderr=subprocess.DEVNULL).returncode == 0:
                    return
            sys.exit("expected %s to be connected again" % name)

    def port(self):
        """A port of this host at which something answers."""
        if self.listener is None:
            self.listener = socket.create_server((self.here, 0))
        return self.listener.getsockname()[1]


# --- splits

POPULATION = """<Composition xmlns="urn:openmi2:composition:1" Id="population">
  <Component Id="weather" Type="openmi.CsvSeries" Assembly="openmi-components">
    <Argument Key="file" Value="weather.csv"/><Argument Key="elements-from-columns" Value="true"/>
    <Argument Key="item" Value="rain"/><Argument Key="unit" Value="m3 s-1"/>
    <Argument Key="stamps" Value="end"/><Argument Key="step" Value="PT1H"/>
  </Component>
  <Population Id="rivers" Omi="nash.omi" Of="rows.csv" Key="id">
    <Argument Key="unit" Value="m3 s-1"/>
    <Argument Key="time-step" Value="PT1H"/>
    <Argument Key="residence-time" Value="{{k}} h"/>
    <Network From="outflow" To="inflow" Column="toid"/>
  </Population>
  <Link From="weather.rain" To="rivers.inflow"><Adaptor Id="by-id"/></Link>
  <Observe Item="rivers.outflow"/>
  <Run From="2015-12-01T01:00Z" To="2015-12-02T00:00Z"/>
</Composition>
"""


def write_population(folder):
    with open(folder + "/nash.omi", "w") as omi:
        omi.write('<LinkableComponent xmlns="http://www.openmi.org/v2_0" Type="openmi.NashCascade" '
                  'Assembly="openmi-components"><Arguments/></LinkableComponent>')
    with open(folder + "/rows.csv", "w") as table:
        table.write("id,k,toid,basin\n")
        for i in range(60):  # twelve trees, whose rows are not neighbours
            tree, place = i % 12, i // 12
            down = "r%d" % ((place - 1) // 2 * 12 + tree) if place else ""
            table.write("r%d,%g,%s,b%d\n" % (i, 2 + 0.37 * i, down, tree))
    with open(folder + "/weather.csv", "w") as table:
        table.write("time" + "".join(",r%d" % i for i in range(60)) + "\n")
        for hour in range(1, 25):
            table.write("2015-12-%02dT%02d:00Z" % (1 + hour // 24, hour % 24) +
                        "".join(",%d" % (hour * 7 % 11 + i % 5) for i in range(60)) + "\n")
    with open(folder + "/population.xml", "w") as file:
        file.write(POPULATION)


def split(text, count, chance):
    """The composition with its components and populations in random groups; some stay outside."""
    used = set()
    taken, alone = set(), set()

    def put(match):
        group = chance.randrange(count + 1)
        wants_own = 'Isolation="instance"' in match.group(0)  # a second one of its kind cannot be in its process
        if group == count or group in alone or (wants_own and group in taken):
            return match.group(0)
        taken.add(group)
        if wants_own:
            alone.add(group)
        parts = ""
        if match.group(0).startswith("<Population") and chance.random() < 0.7:
            number = chance.choice((2, 3, 4, 12))
            parts = ' Parts="%d" PartsBy="basin"' % number
            used.update("g%d-%d" % (group, part) for part in chance.sample(range(1, number + 1), chance.choice((1, 2))))
        else:
            used.add("g%d" % group)
        return re.sub(r' Isolation="[a-z]+"', "", match.group(0)) + ' Group="g%d"' % group + parts

    text = re.sub(r'<(?:Component|Population) Id="[^"]+"(?: Isolation="[a-z]+")?', put, text)
    return re.sub(r'( Group="g\d+"[^>]*?) Isolation="[a-z]+"', r"\1", text), sorted(used)


def run_splits(build, folder, number, seed, words_of):
    """Runs splits of each example.

    words_of(i, groups, chance): the options that place the groups of the i-th split.
    """
    openmi = build + "/bin/openmi"
    for example in ("river-basin", "legacy-solvers", "fmus", "platoon", "bmi-heat"):
        shutil.copytree(ROOT + "/examples/" + example, folder + "/" + example)
    for fmu in glob.glob(build + "/lib/openmi2/**/*.fmu", recursive=True):
        for example in ("fmus", "platoon", "river-basin"):
            shutil.copy(fmu, folder + "/" + example)
    os.mkdir(folder + "/population")
    write_population(folder + "/population")
    # The platoon's simulator of one run is not that of the next, so it is the one inside a component.
    cases = [("river-basin/river-basin", []), ("river-basin/gated-basin", []), ("legacy-solvers/ponds", []),
             ("fmus/coupled-fmus", []), ("bmi-heat/heat", []), ("population/population", []),
             ("platoon/platoon", ["--set", "simulator=local"])]
    failed = 0
    for name, options in cases:
        case, file = name.split("/")
        os.chdir(folder + "/" + case)
        chance = random.Random(seed)
        with open(file + ".xml") as base:
            text = base.read()
        plain = {}
        for mode in ("pull", "step"):
            told = run(openmi, file + ".xml", "plain", "--mode", mode, *options)
            if told.returncode:
                sys.exit("%s: %s" % (name, told.stderr))
            plain[mode] = rows("plain")
        different = 0
        count = number if name == "river-basin/river-basin" else max(2, number // 10)
        for i in range(count):
            split_text, used = split(text, chance.choice((2, 4)), chance)
            with open("split.xml", "w") as made:
                made.write(split_text)
            words = ["--worker", openmi, "--threads", chance.choice("124"), *words_of(i, used, chance)]
            mode = chance.choice(("pull", "pull", "step"))
            told = run(openmi, "split.xml", "split", "--mode", mode, *words, *options)
            if told.returncode or rows("split") != plain[mode]:
                different += 1
                print(name, i, " ".join(words), told.returncode, told.stderr[-600:])
        failed += different
        print("%s: %d splits, %d differ" % (name, count, different), flush=True)
    return failed


def splits(build, folder, number, seed):
    with Namespaces(4) as hosts:

        def words_of(i, groups, chance):
            far = i % 2 == 1
            words = ["--listen", hosts.here if far else "127.0.0.1", "--launcher", hosts.launcher if far else NEAR]
            for group in groups:
                words += ["--place", group + "=" + chance.choice(hosts.names if far else ("localhost", "near"))]
            return words

        return run_splits(build, folder, number, seed, words_of)


def mpirun(build, folder, number, seed):
    os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")

    def words_of(_, groups, chance):
        words = ["--listen", "127.0.0.1", "--launcher", "mpirun -np 1 --host {host} --bind-to none {command}"]
        for group in groups:
            words += ["--place", group + "=" + chance.choice(("localhost", "127.0.0.1", "127.0.0.1"))]
        return words

    return run_splits(build, folder, number, seed, words_of)


SLURM = """ClusterName=test
SlurmctldHost={name}({here})
SlurmUser=root
AuthType=auth/none
CredType=cred/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
ReturnToService=2
MpiDefault=none
SwitchType=switch/none
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
SlurmctldPort={port}
SlurmdPort=16818
SchedulerParameters=batch_sched_delay=0,sched_interval=1
SlurmctldPidFile={folder}/ctld.pid
SlurmdPidFile={folder}/%n.pid
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldLogFile={folder}/ctld.log
SlurmdLogFile={folder}/%n.log
"""


@contextlib.contextmanager
def slurm_of(hosts, folder):
    """A Slurm whose nodes are the namespaces, while it is in use."""
    os.makedirs(folder + "/state")
    with open(folder + "/slurm.conf", "w") as conf:
        conf.write(SLURM.format(name=socket.gethostname(), here=hosts.here, folder=folder,
                                port=20000 + os.getpid() % 20000))
        for i, name in enumerate(hosts.names):
            os.mkdir(folder + "/spool-" + name)
            conf.write("NodeName=%s NodeAddr=%s%d CPUs=2 State=UNKNOWN\n" % (name, hosts.net, 11 + i))
        conf.write("PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n")
    os.environ["SLURM_CONF"] = folder + "/slurm.conf"
    commands = [["slurmctld", "-D", "-c"]]
    for name in hosts.names:
        commands.append(["nsenter", "--net=/var/run/netns/" + name, "unshare", "-u", "sh", "-c",
                         "hostname %s; exec slurmd -D -N %s" % (name, name)])
    with open(folder + "/daemons.txt", "w") as log:
        daemons = [subprocess.Popen(command, stdout=log, stderr=log) for command in commands]
    try:
        for _ in range(200):
            told = subprocess.run(["sinfo", "-h", "-o", "%D.%T"], capture_output=True, text=True)
            if told.stdout.strip() == "%d.idle" % len(hosts.names):
                break
            time.sleep(0.2)
        else:
            sys.exit("expected %d nodes of Slurm, see %s" % (len(hosts.names), folder))
        yield
    finally:
        for daemon in daemons:
            daemon.terminate()
        for daemon in daemons:
            daemon.wait()


def slurm(build, folder, number, seed):
    if not shutil.which("slurmctld") or not shutil.which("slurmd"):
        print("there is no Slurm")
        sys.exit(77)
    with Namespaces(2) as hosts, slurm_of(hosts, folder + "/slurm"):
        job = [sys.executable, os.path.abspath(__file__), "in-slurm", build, folder + "/job", str(number), str(seed)]
        told = subprocess.run(["sbatch", "--wait", "--quiet", "--nodes=2", "--ntasks-per-node=1",
                               "--output=" + folder + "/job.out", "--wrap", " ".join(job)], text=True)
        with open(folder + "/job.out") as output:
            print(output.read(), end="")
        return told.returncode


def splits_in_slurm(build, folder, number, seed):
    return run_splits(build, folder, number, seed, lambda *_: ["--slurm"])


# --- starts

def many(groups):
    text = '<Composition xmlns="urn:openmi2:composition:1" Id="many">\n'
    for i in range(groups):
        text += ('<Component Id="c%d" Type="openmi.NashCascade" Assembly="openmi-components" Group="g%d">'
                 '<Argument Key="unit" Value="m3 s-1"/><Argument Key="time-step" Value="PT1H"/></Component>\n' % (i, i))
    for i in range(1, groups):
        text += '<Link From="c%d.outflow" To="c%d.inflow"/>\n' % (i - 1, i)
    return text + ('<Link From="spring.value" To="c0.inflow"/>\n'
                   '<Component Id="spring" Type="openmi.Constant" Assembly="openmi-components">'
                   '<Argument Key="value" Value="3"/><Argument Key="unit" Value="m3 s-1"/></Component>\n'
                   '<Observe Item="c%d.outflow"/>\n'
                   '<Run From="2000-01-01T00:00Z" To="2000-01-01T03:00Z"/></Composition>\n' % (groups - 1))


def rows_of_many(openmi, groups):
    """Writes many.xml; its rows in one process."""
    with open("many.xml", "w") as file:
        file.write(many(groups))
    told = run(openmi, "many.xml", "plain")
    if told.returncode:
        sys.exit(told.stderr)
    return rows("plain")


def starts(build, folder, number, seed):
    del seed
    openmi = build + "/bin/openmi"
    os.chdir(folder)
    want = rows_of_many(openmi, 64)
    failed, times = 0, []
    with Namespaces(4) as hosts:
        words = ["--listen", hosts.here, "--launcher", hosts.launcher, "--worker", openmi]
        for i in range(64):
            words += ["--place", "g%d=%s" % (i, hosts.names[i % 4])]
        for i in range(number):
            begin = time.monotonic()
            told = run(openmi, "many.xml", "out", *words)
            times.append(time.monotonic() - begin)
            if told.returncode or rows("out") != want:
                failed += 1
                print(i, told.returncode, told.stderr[-600:], flush=True)
            if i % 50 == 49:
                print("%d runs, %d failed, %.2f s each" % (i + 1, failed, sum(times) / len(times)), flush=True)
    times.sort()
    print("%d runs with 64 workers in 4 namespaces: %d failed; %.2f s each (longest %.2f)" %
          (number, failed, times[len(times) // 2], times[-1]))
    return failed


# --- deaths

TANK = """import os
import time

import openmi


class Tank(openmi.SteppingComponent):
    def setup(self):
        self.who = self.argument("who", "")
        self.inflow = self.input("inflow", "1", over_step=True)
        self.outflow = self.output("outflow", "1", over_step=True)
        self.steps, self.level = 0, 1.0

    def pause(self, phase):
        wanted = os.environ.get("WANTED", "").split()
        if wanted != [self.who.value, phase]:
            return
        with open("there.part", "w") as file:
            file.write(str(os.getpid()))
        os.rename("there.part", "there")
        time.sleep(0.2)

    def initialize(self):
        self.pause("initialize")

    def step(self, begin, end):
        self.steps += 1
        self.pause("step%d" % self.steps)
        self.level = self.outflow.value = 0.5 * self.level + self.inflow.value / (1.0 + self.steps)

    def save(self):
        self.pause("save%d" % self.steps)
        return [self.steps, self.level]

    def load(self, state):
        self.steps, self.level = state

    def finish(self):
        self.pause("finish")
"""
STEPS = 48
BASIN = """<Composition xmlns="urn:openmi2:composition:1" Id="basin">
  <Component Id="spring" Type="openmi.Constant" Assembly="openmi-components">
    <Argument Key="value" Value="3"/></Component>
  <Component Id="up" Omi="tank.omi" Group="upland"><Argument Key="who" Value="up"/></Component>
  <Component Id="down" Omi="tank.omi" Group="lowland"%s><Argument Key="who" Value="down"/></Component>
  <Link From="spring.value" To="up.inflow"/>
  <Link From="up.outflow" To="down.inflow"/>
  <Observe Item="up.outflow"/><Observe Item="down.outflow"/>
  <Run From="2000-01-01T00:00Z" To="2000-01-03T00:00Z" Trigger="down"/>
</Composition>
"""


def is_running(process):
    with contextlib.suppress(OSError):
        with open("/proc/%d/stat" % process) as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    return False


def children_of(process):
    found = []
    with contextlib.suppress(OSError):
        with open("/proc/%d/task/%d/children" % (process, process)) as file:
            for child in map(int, file.read().split()):
                found += [child, *children_of(child)]
    return found


def deaths(build, folder, number, seed, seconds=2.0):
    openmi = build + "/bin/openmi"
    os.chdir(folder)
    with open("tank.py", "w") as file:
        file.write(TANK)
    with open("tank.omi", "w") as file:
        file.write('<LinkableComponent xmlns="http://www.openmi.org/v2_0" Type="Tank" Assembly="tank.py">'
                   '<Arguments/></LinkableComponent>')
    for name, attribute in (("basin", ""), ("frozen", ' OnFailure="freeze"')):
        with open(name + ".xml", "w") as file:
            file.write(BASIN % attribute)
    told = run(openmi, "basin.xml", "plain")
    if told.returncode:
        sys.exit(told.stderr)
    want = rows("plain")
    chance = random.Random(seed)
    failed, late = 0, []
    counts, longest = collections.Counter(), collections.defaultdict(float)
    phases = ("start", "initialize", "step", "save", "finish")
    with Namespaces(2) as hosts:
        words = ["--place", "upland=" + hosts.names[0], "--place", "lowland=" + hosts.names[1], "--listen", hosts.here,
                 "--launcher", hosts.launcher, "--worker", openmi, "--checkpoint-every", "PT6H",
                 "--start-timeout", "8"]
        for i in range(number):
            phase, how = phases[i % 5], ("kill", "stop", "cut")[i // 5 % 3]
            freeze = i // 15 % 2 == 1 and phase == "step"
            victim = "down" if freeze else chance.choice(("up", "down"))
            group = {"up": "upland", "down": "lowland"}[victim]
            host = hosts.names[victim == "down"]
            exact = {"step": "step%d" % chance.randrange(8, STEPS), "save": "save%d" % chance.choice((12, 18, 24, 30))}
            composition = "frozen.xml" if freeze else "basin.xml"
            shutil.rmtree("out", ignore_errors=True)
            with contextlib.suppress(OSError):
                os.remove("there")
            process = subprocess.Popen(
                [openmi, "run", composition, "--results", "out", "--quiet", "--no-report", *words], text=True,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                env={**os.environ, "WANTED": victim + " " + exact.get(phase, phase)})
            end = time.monotonic() + 30
            pid = 0
            while process.poll() is None and time.monotonic() < end and not pid:
                if phase == "start":
                    for child in children_of(process.pid):
                        with contextlib.suppress(OSError):
                            with open("/proc/%d/cmdline" % child, "rb") as file:
                                line = file.read()
                            if b"worker" in line and os.stat("/proc/%d/ns/net" % child).st_ino == os.stat(
                                    "/var/run/netns/" + host).st_ino:
                                pid = child
                    if pid:
                        time.sleep(chance.uniform(0, 0.03))
                elif os.path.exists("there"):
                    with open("there") as file:
                        pid = int(file.read())
                time.sleep(0.001)
            begin = time.monotonic()
            there = children_of(process.pid)
            if pid and how == "cut":
                hosts.set_link(host, "down")
            elif pid:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL if how == "kill" else signal.SIGSTOP)
            try:
                told = process.communicate(timeout=100)[1]
            except subprocess.TimeoutExpired:
                process.kill()
                told = "it hung"
            took = time.monotonic() - begin
            if how == "cut":
                hosts.set_link(host, "up")
            wrong = ""
            if not pid:
                wrong = "the phase was not reached"
            elif freeze:
                if process.returncode == 0 or "group '%s'" % group not in told or not os.path.exists("out"):
                    wrong = "expected a frozen group that is named"
            elif process.returncode == 0:
                counts["ended before"] += 1  # in its last moments the run needs nothing of the worker any more
                if rows("out") != want:
                    wrong = "other results"
            elif "group '%s'" % group not in told:
                wrong = "the group is not named"
            else:
                counts["named"] += 1
                if process.returncode != 6:
                    wrong = "exit code %d" % process.returncode
            # A worker that is cut off before it has connected cannot be told from one that starts slowly.
            connected = "found that its command" not in told
            if how == "cut" and not connected:
                counts["cut off before it had connected"] += 1
            if took > (7.0 if how == "cut" and not connected else 0.0) + seconds and not freeze:
                late.append((phase, how, round(took, 2)))
            kind = phase + " " + how + ("" if connected or how != "cut" else ", not connected")
            longest[kind] = max(took, longest[kind])
            for _ in range(100):
                if not any(is_running(one) for one in there):
                    break
                time.sleep(0.1)
            else:
                wrong += " left behind: %s" % [one for one in there if is_running(one)]
            if process.returncode != 0:
                again = subprocess.run([openmi, "run", composition, "--results", "out", "--quiet", "--no-report",
                                        "--resume", *words], capture_output=True, text=True, timeout=100)
                if again.returncode or rows("out") != want:
                    wrong += " resumed: %d %s" % (again.returncode, again.stderr[-300:])
                else:
                    counts["resumed to the same bytes"] += 1
            counts[kind] += 1
            if wrong:
                failed += 1
                print(i, phase, how, victim, "%.2f s" % took, wrong, process.returncode, told[-500:], flush=True)
    for what, count in sorted(counts.items()):
        print("%5d  %s" % (count, what) + (", known after %.2f s at most" % longest[what] if what in longest else ""))
    print("%d deaths: %d wrong; too late: %s" % (number, failed, late))
    return failed + len(late)


# --- strangers

def strangers(build, folder, number, seed):
    openmi = build + "/bin/openmi"
    os.chdir(folder)
    want = rows_of_many(openmi, 16)
    chance = random.Random(seed)
    garbage = bytes(chance.randrange(256) for _ in range(4096))
    counts = collections.Counter()
    is_over = threading.Event()
    ports = set()
    refused = []

    def disturb():
        """Connects to the ports that runs open, and says something that lets no one in."""
        kept = collections.deque(maxlen=100)
        recorded = b""
        while not is_over.is_set():
            for port in list(ports):
                with contextlib.suppress(OSError):
                    one = socket.create_connection(("127.0.0.1", port), 1.0)
                    counts["connections"] += 1
                    kind = counts["connections"] % 5
                    if kind == 0:
                        one.sendall(garbage)
                    elif kind == 1:
                        recorded = one.recv(40) or recorded
                        one.sendall((recorded * 3)[:72])  # its own challenge as an answer, and later an old one
                    elif kind == 2:
                        one.sendall(b"x")
                        kept.append(one)  # and no more
                    elif kind == 3:
                        kept.append(one)
                    else:
                        one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                    if kind not in (2, 3):
                        one.close()

    failed = runs = 0
    threads = [threading.Thread(target=disturb) for _ in range(8)]
    for one in threads:
        one.start()
    with open("launch", "w") as file:  # shows the port, and gives strangers time
        file.write('#!/bin/sh\nfor word; do case $word in 127.*) echo "${word##*:}" >ports/$$;; esac; done\nsleep 1\n'
                   'exec "$@"\n')
    os.chmod("launch", 0o755)
    words = ["--listen", "127.0.0.1", "--launcher", "./launch {command}", "--worker", openmi]
    for i in range(16):
        words += ["--place", "g%d=near" % i]
    while counts["connections"] < number:
        shutil.rmtree("ports", ignore_errors=True)
        os.mkdir("ports")
        process = subprocess.Popen([openmi, "run", "many.xml", "--results", "out", "--overwrite", "--quiet",
                                    "--no-report", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while process.poll() is None:
            for name in os.listdir("ports"):
                with contextlib.suppress(OSError, ValueError), open("ports/" + name) as file:
                    ports.add(int(file.read()))
            time.sleep(0.01)
        ports.clear()
        told = process.communicate()[1]
        runs += 1
        if process.returncode or rows("out") != want:
            failed += 1
            print(process.returncode, told[-500:], flush=True)
    is_over.set()
    for one in threads:
        one.join()
    print("%d connections of strangers to %d runs: %d runs disturbed" % (counts["connections"], runs, failed))
    return failed


def main():
    what, build, folder = sys.argv[1:4]
    number = int(sys.argv[4]) if len(sys.argv) > 4 else 10
    seed = int(sys.argv[5]) if len(sys.argv) > 5 else 1
    build, folder = os.path.abspath(build), os.path.abspath(folder)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    work = {"splits": splits, "mpirun": mpirun, "slurm": slurm, "in-slurm": splits_in_slurm, "starts": starts,
            "deaths": deaths, "strangers": strangers}
    seconds = [float(sys.argv[6])] if len(sys.argv) > 6 and what == "deaths" else []
    sys.exit(1 if work[what](build, folder, number, seed, *seconds) else 0)


main()
