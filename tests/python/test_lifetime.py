"""Objects that die in any order, and memory that does not grow."""

import gc
import itertools
import os
import subprocess
import sys
import weakref

import openmi
from support import BASIN, Folder, spring_and_pond


def resident_kilobytes():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024


class Lifetime(Folder):
    def test_objects_die_in_any_order(self):
        made = spring_and_pond(self.folder)
        for order in itertools.permutations(range(6)):
            run = made.start()
            run.step()
            item = run["pond.outflow"]
            state = run.keep_state()
            results = run.end()
            series = results["pond.outflow"]
            values = series.values
            alive = [run, item, state, results, series, values]
            del run, item, state, results, series, values
            for place in order:
                alive[place] = None
                gc.collect(0)

    def test_values_outlive_their_results(self):
        values = spring_and_pond(self.folder).run()["pond.outflow"].values
        gc.collect()
        fresh = [spring_and_pond(self.folder).run() for _ in range(3)]  # what may take freed memory
        self.assertEqual(values.tobytes(), fresh[0]["pond.outflow"].values.tobytes())

    def test_a_run_that_is_dropped_ends_in_order(self):
        run = spring_and_pond(self.folder).start(self.path("r"))
        run.step()
        item = run["pond.outflow"]
        del run
        gc.collect()
        self.assertEqual(item.values.shape, (1,))
        del item
        gc.collect()
        self.assertEqual(len(openmi.results(self.path("r", "pond.csv"))["pond.outflow"]), 1)
        self.assertFalse([one for one in os.listdir(self.path("r")) if one.endswith(".journal")])

    def test_a_cycle_with_a_function_is_no_leak(self):
        rows = []
        run = spring_and_pond(self.folder).start(on_row={"pond.outflow": lambda *row: rows.append((run, row))})
        run.step()
        self.assertEqual(len(rows), 1)
        run.end()
        rows.clear()
        alive = weakref.ref(run)
        del run
        gc.collect()
        self.assertIsNone(alive())

    def test_a_program_that_ends_with_runs_under_way_ends_well(self):
        program = self.write("program.py", f"""
import sys
sys.path.insert(0, {os.path.dirname(__file__)!r})
from support import spring_and_pond
run = spring_and_pond({self.folder!r}).start()
run.step()
item = run["pond.outflow"]
state = run.keep_state()
class Keeper:
    def __del__(self):
        try:
            item.values
        except Exception:
            pass  # of Python, which has begun to end
keeper = Keeper()
keeper.itself = keeper
""")
        done = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_thousand_runs_leave_memory_as_it_was(self):
        made = spring_and_pond(self.folder)

        def once():
            with made.start() as run:
                run.step()
                run["pond.outflow"].values
                bytes(run.keep_state())

        for _ in range(200):
            once()
        gc.collect()
        before = resident_kilobytes()
        for _ in range(1000):
            once()
        gc.collect()
        self.assertLess(resident_kilobytes() - before, 2048)

    def test_a_thousand_openings_leave_memory_as_it_was(self):
        for _ in range(200):
            openmi.open(BASIN)._repr_html_()
        before = resident_kilobytes()
        for _ in range(800):
            openmi.open(BASIN)
        gc.collect()
        self.assertLess(resident_kilobytes() - before, 2048)
