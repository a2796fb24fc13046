"""Ctrl-C in a run."""

import _thread
import os
import signal
import subprocess
import sys
import threading
import time

import openmi
from support import Folder, spring_and_pond, wave


def interrupt_in(seconds):
    timer = threading.Timer(seconds, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    return timer


class Interrupt(Folder):
    def interrupt_when_rows_are_in(self, table):
        """Ctrl-C as soon as two rows of a run are in its table, however long the run takes to begin."""
        def look():
            while self.rows_in(table) < 2:
                time.sleep(0.005)
            os.kill(os.getpid(), signal.SIGINT)

        thread = threading.Thread(target=look, daemon=True)
        thread.start()
        return thread

    def rows_in(self, table):
        try:
            return sum(line.startswith(b"2020-") for line in self.read(*table).splitlines())
        except FileNotFoundError:
            return 0

    def test_a_run_ends_in_order_and_keeps_its_results(self):
        timer = self.interrupt_when_rows_are_in(("r", "wave.csv"))
        with self.assertRaises(KeyboardInterrupt) as caught:
            wave(self.folder, pause=0.1).run(self.path("r"))
        timer.join()
        rows = len(caught.exception.results["wave.flow"])
        self.assertTrue(2 <= rows < 24, rows)
        self.assertEqual(len(openmi.results(self.path("r", "wave.nc"))["wave.flow"]), rows)
        self.assertIn("interrupted", str(caught.exception.results.problems.warnings))
        self.assertTrue(os.path.exists(self.path("r", "wave.html")))

    def test_an_interrupted_run_is_resumed(self):
        made = spring_and_pond(self.folder).keep_checkpoints(every="PT1H")
        whole = made.run()
        made.set_argument("pond", "time-step", "PT1H")
        slow = wave(self.folder, pause=0.1)
        slow.keep_checkpoints(every="P30D", skips=True)
        timer = self.interrupt_when_rows_are_in(("r", "wave.csv"))
        with self.assertRaises(KeyboardInterrupt) as caught:
            slow.run(self.path("r"))
        timer.join()
        self.assertEqual(caught.exception.results.checkpoints, 1)
        self.assertTrue(whole.is_complete)

    def test_steps_until_a_time_stop_between_two_passes_and_go_on(self):
        with wave(self.folder, pause=0.1).start() as run:
            timer = interrupt_in(0.5)
            with self.assertRaises(KeyboardInterrupt):
                run.step_until("2020-01-02T00:00Z")
            timer.join()
            self.assertFalse(run.is_over)
            self.assertTrue(run.step())
            self.assertTrue(run.finish().is_complete)

    def test_a_program_that_is_interrupted_ends_with_its_results(self):
        program = self.write("program.py", f"""
import sys
sys.path.insert(0, {os.path.dirname(__file__)!r})
import openmi
from support import wave
made = wave({self.folder!r}, pause=0.1)
print("begun", flush=True)
made.run({self.path("r")!r})
""")
        child = subprocess.Popen([sys.executable, program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual(child.stdout.readline(), "begun\n")
        while child.poll() is None and self.rows_in(("r", "wave.csv")) < 3:
            time.sleep(0.005)
        child.send_signal(signal.SIGINT)
        _, errors = child.communicate(timeout=60)
        self.assertEqual(child.returncode, -signal.SIGINT, errors)
        self.assertIn("KeyboardInterrupt", errors)
        self.assertGreater(len(openmi.results(self.path("r", "wave.csv"))["wave.flow"]), 2)

    def test_an_interrupt_by_the_program_itself_is_noticed(self):
        def interrupt(progress):
            _thread.interrupt_main()

        with self.assertRaises(KeyboardInterrupt):
            wave(self.folder, pause=0.03).run(progress=interrupt)
