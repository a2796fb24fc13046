"""Studies: many runs of one composition, in processes of this machine or behind an executor."""

from __future__ import annotations

import concurrent.futures
import math
import os
import sys
import threading
import uuid
import weakref
from types import TracebackType
from typing import Any, Callable, Mapping, Optional, Sequence, Tuple, Type, Union

import numpy

from . import _openmi
from ._text import text_of
from .check import Problems
from .errors import ArgumentError, Error, FileError
from .progress import ProgressOption, shower_of

#: A path of a file or folder.
Path = Union[str, "os.PathLike[str]"]

#: Queues of this process, whose journals a copy of it (fork) does not keep open: they would stay locked with it.
_queues: weakref.WeakSet[_openmi.StudyQueue] = weakref.WeakSet()
#: The worker of each thread of a process that an executor uses.
_here = threading.local()


def _close_copies() -> None:
    for queue in _queues:
        queue.close_copy()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_close_copies)


def _run_member(study: str, setup: bytes, task: bytes) -> bytes:
    """Runs one member, wherever an executor calls it. The process that computes it stays for the next one."""
    if getattr(_here, "study", None) != study:
        _here.worker = _openmi.StudyWorker(setup)
        _here.study = study
    reply: bytes = _here.worker.run(task)
    return reply


class StudyResults:
    """What the members of a study gave, in the order of their numbers: member 1 is the first."""

    def __init__(self, study: Study, folder: Path, files: Sequence[str] = ()):
        table = study._study.table(os.fspath(folder))
        #: The folder of the results.
        self.folder = os.fspath(folder)
        #: The files that were written; empty if the results were only read.
        self.files = tuple(files)
        #: How each member ended: 'done', 'refused', 'failed', 'no-number', 'died', 'late' or 'not-run'.
        self.ends: Tuple[str, ...] = tuple(table["ends"])
        #: Why each member has no result; empty if it has one.
        self.problems: Tuple[str, ...] = tuple(table["problems"])
        #: The values of each member as text; shape [members][names].
        self.values: Tuple[Tuple[str, ...], ...] = tuple(tuple(row) for row in table["values"])
        #: The objectives, NaN where there is none; shape [members, objectives].
        self.objectives = numpy.array(table["objectives"], dtype=float).reshape(len(self.ends), len(study.objectives))
        #: The cost of each member, NaN where there is none; shape [members].
        self.costs = numpy.array(table["costs"], dtype=float)
        #: The number of the member with the lowest cost, from 1; None: no member has a cost.
        self.best: Optional[int] = table["best"]

    @property
    def numbers(self) -> numpy.ndarray:
        """The values of each member as numbers, NaN where they are none; shape [members, names]."""
        def number(text: str) -> float:
            try:
                return float(text)
            except ValueError:
                return math.nan

        return numpy.array([[number(text) for text in row] for row in self.values])

    def __len__(self) -> int:
        return len(self.ends)

    def __repr__(self) -> str:
        return f"<StudyResults: {self.ends.count('done')} of {len(self)} members done in {self.folder}>"


class Study:
    """A study file: a composition, what varies, and how its members are chosen.

        study = openmi.Study("storage.xml")
        results = study.run("out")
        results.objectives                # NumPy, shape [members, objectives]

    A search of your own asks for members, of a study with Method="program":

        with openmi.Study("fit.xml").start("out") as run:
            found = scipy.optimize.minimize(run.cost, x0, bounds=study.bounds, method="Nelder-Mead")
    """

    def __init__(self, path: Path, *, data: Optional[Path] = None, set: Optional[Mapping[str, Any]] = None):
        """Reads the file.

        Args:
            path: the file.
            data, set: as of `openmi.open`.
        Raises:
            FileError: there is no such file.
            FormatError: it is no XML. Other problems of it are found by `check` and `run`.
        """
        variables = {name: text_of(value) for name, value in (set or {}).items()}
        if data is not None:
            if not os.path.isdir(data):
                raise FileError(f"expected a folder of data, found none at '{os.fspath(data)}'", file=os.fspath(data))
            variables["data"] = os.path.abspath(data)
        self._study = _openmi.Study(os.fspath(path), variables)

    @property
    def id(self) -> str:
        """Its name, after which files of results are named."""
        return self._study.id

    @property
    def names(self) -> Tuple[str, ...]:
        """The Ids of what varies, in the order of the values of a point."""
        return tuple(vary["id"] for vary in self._study.varies)

    @property
    def bounds(self) -> Tuple[Tuple[float, float], ...]:
        """The ends of each range, in the order of `names`.

        Raises:
            ArgumentError: something that varies has listed values.
        """
        for vary in self._study.varies:
            if vary["range"] is None:
                raise ArgumentError("expected From and To for bounds, found listed values or a column of a table",
                                    item=vary["id"])
        return tuple(vary["range"] for vary in self._study.varies)

    @property
    def objectives(self) -> Tuple[str, ...]:
        """The Ids of the objectives."""
        return tuple(self._study.objectives)

    def check(self, results: Path = "results", *, trial: bool = True, workers: Optional[int] = None) -> Problems:
        """Finds all problems of the study, and of its first member.

        Args:
            results: folder for results, whose disk has to have room for them.
            trial: whether the first member is run, from which the space of all is estimated.
            workers: number of processes of the run.
        """
        return Problems(self._study.check(os.fspath(results), _count(workers), trial))

    def results(self, results: Path = "results") -> StudyResults:
        """What a study has given until now, also if it is still running, or was run by the command.

        Args:
            results: folder of its results.
        Raises:
            FileError: there is no journal of this study.
        """
        return StudyResults(self, results)

    def run(self, results: Path = "results", *, executor: Optional[concurrent.futures.Executor] = None,
            workers: Optional[int] = None, overwrite: bool = False, resume: bool = False, retry: bool = False,
            csv: bool = False, report: bool = True, check: bool = True,
            progress: ProgressOption = True) -> StudyResults:
        """Runs the members, and writes table, NetCDF file and report: the same bytes whatever computes them.

        Args:
            results: folder for journal and results.
            executor: computes the members: any executor of `concurrent.futures`, also those of other packages. Its
                processes need this package, and the files of the study by the same paths. None: processes of this
                machine.
            workers: how many members run at a time. Default: as in the file, else the number of processes of the
                executor, or one for each core.
            overwrite: replaces the journal and the results of an earlier run.
            resume: continues an earlier run; each member still counts once.
            retry: as `resume`; failed members run again, too.
            csv: writes the rows of all members as CSV, too.
            report: writes the HTML report.
            check: checks the study first, without a trial.
            progress: whether a bar is shown, or a function that gets each `StudyProgress`.
        Raises:
            Error: the study has errors, all of them in `problems` of the exception; or the disk is full: nothing that was done is lost.
            concurrent.futures.BrokenExecutor: a process of the executor was killed; `resume` with a new one continues.
        """
        if self._study.is_program:
            raise ArgumentError("expected a study whose members are known, found one whose members a program asks for",
                                "use start()")
        if check and not (resume or retry):
            problems = self.check(results, trial=False, workers=workers)
            try:
                _openmi.raise_errors(problems)
            except Error as error:
                error.problems = problems
                raise
        with StudyRun(self, results, executor=executor, workers=workers, overwrite=overwrite, resume=resume or retry,
                      retry=retry, csv=csv, report=report, progress=progress) as run:
            run._go()
        return StudyResults(self, results, run.files)

    def start(self, results: Path = "results", *, executor: Optional[concurrent.futures.Executor] = None,
              workers: Optional[int] = None, overwrite: bool = False, csv: bool = False, report: bool = True,
              progress: ProgressOption = False) -> StudyRun:
        """Starts a study with Method="program", whose members a program asks for.

        If there is a journal of it, it is continued: what was asked for before has its result at once, so a search
        that was killed and asks for the same points again continues where it was.

        Args:
            results, executor, workers, overwrite, csv, report, progress: as of `run`.
        Raises:
            Error: the study has errors, or its files were changed since its journal was started.
        """
        if not self._study.is_program:
            raise ArgumentError("expected a study whose members a program asks for, found one that chooses them itself",
                                "write <Design Method=\"program\"/>, or use run()")
        is_there = os.path.exists(os.path.join(os.fspath(results), self.id + ".study"))
        return StudyRun(self, results, executor=executor, workers=workers, overwrite=overwrite,
                        resume=is_there and not overwrite, retry=False, csv=csv, report=report, progress=progress)

    def __repr__(self) -> str:
        return f"<Study '{self.id}': {', '.join(self.names)}>"


class StudyRun:
    """A study whose members a program asks for, by `Study.start`. Its processes stay until `close`.

    Several threads may use it.
    """

    def __init__(self, study: Study, results: Path, *, executor: Optional[concurrent.futures.Executor],
                 workers: Optional[int], overwrite: bool, resume: bool, retry: bool, csv: bool, report: bool,
                 progress: ProgressOption):
        if workers is None and executor is not None:
            workers = getattr(executor, "_max_workers", None) or os.cpu_count()
        self._queue: Optional[_openmi.StudyQueue] = _openmi.StudyQueue(
            study._study, os.fspath(results), overwrite, resume, retry, _count(workers), executor is not None)
        _queues.add(self._queue)
        self._executor = executor
        self._lock = threading.Lock()
        self._csv = csv
        self._report = report
        self._shower = shower_of(progress, study.id)
        #: The files of the results, when it is closed.
        self.files: Tuple[str, ...] = ()

    def evaluate(self, points: Any) -> numpy.ndarray:
        """Runs the members with these values, side by side, and waits for them.

        Args:
            points: numbers in the order of `Study.names`, or texts of listed values; shape [points, names] or [names].
                Equal points are run once.
        Returns:
            The objectives, NaN where a member failed; shape [points, objectives] or [objectives].
        Raises:
            RangeError: a value is outside of its range.
        """
        return self._ask(points, _openmi.StudyQueue.objectives)

    def cost(self, points: Any) -> Any:
        """As `evaluate`, of the cost: the sum of the weighted costs of the objectives.

        Returns:
            The cost, infinite where a member failed: a number of one point; of several points, shape [points].
        """
        costs = self._ask(points, _openmi.StudyQueue.cost)
        costs = numpy.where(numpy.isnan(costs), math.inf, costs)
        return float(costs) if costs.ndim == 0 else costs

    def close(self) -> None:
        """Ends the processes, and writes table, NetCDF file and report. The journal stays."""
        queue, self._queue = self._queue, None
        if queue is None:
            return
        self._shower.done()
        self.files = tuple(queue.finish(self._csv, self._report, " ".join(sys.argv)))

    def __enter__(self) -> StudyRun:
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        if kind is None:
            self.close()
        else:  # the journal has what was done; results are for what is complete
            self._shower.done()
            self._queue = None

    def _ask(self, points: Any, result: Callable[[_openmi.StudyQueue, int], Any]) -> numpy.ndarray:
        queue = self._open()
        array = numpy.asarray(points, dtype=None if isinstance(points, numpy.ndarray) else object)
        rows = [array] if array.ndim == 1 else array
        with self._lock:
            members = [queue.ask([one if isinstance(one, str) else float(one) for one in row]) for row in rows]
            self._go()
            found = numpy.array([result(queue, member) for member in members], dtype=float)
        return found[0] if array.ndim == 1 else found

    def _open(self) -> _openmi.StudyQueue:
        if self._queue is None:
            raise ArgumentError("expected a study that is open, found one that was closed", "start it again")
        return self._queue

    def _go(self) -> None:
        """Runs what is in the queue."""
        queue = self._open()
        if self._executor is None:
            queue.run(self._shower.show)
            return
        study, setup = uuid.uuid4().hex, queue.setup
        # A search guesses from costs that are still to come; others need not wait for a message.
        ahead = queue.width if queue.is_search else 2 * queue.width
        running: dict[concurrent.futures.Future[bytes], bytes] = {}
        try:
            while not queue.is_complete:
                while len(running) < ahead:
                    task = queue.next()
                    if task is None:
                        break
                    running[self._executor.submit(_run_member, study, setup, task)] = task
                if not running:
                    break  # nothing may start any more
                done, _ = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
                for future in done:
                    queue.take(running[future], future.result())
                    del running[future]
                self._shower.show(queue.progress)
        finally:
            for future, task in running.items():
                future.cancel()
                queue.drop(task)


def _count(workers: Optional[int]) -> int:
    if workers is not None and not 1 <= workers <= 1024:
        raise ArgumentError(f"expected from 1 to 1024 workers, found {workers}", item="workers")
    return workers or 0
