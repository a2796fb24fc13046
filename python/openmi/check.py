"""What a check or a run finds."""

from __future__ import annotations

import os
import sys
from typing import Iterable, Tuple, Union

from . import _openmi, notebook
from ._openmi import Problem

#: The order in which problems are shown in a notebook.
_SEVERITIES = ("error", "warning", "note")


class Problems(Tuple[Problem, ...]):
    """Problems in the order in which they were found: a tuple of `Problem`.

    It is true if there is any problem, also if it is only a note; `ok` says whether there are no errors. A notebook
    shows it as a table.
    """

    def __new__(cls, problems: Iterable[Problem] = ()) -> Problems:
        return tuple.__new__(cls, problems)

    @property
    def errors(self) -> Problems:
        """Those that prevent a run."""
        return self.of("error")

    @property
    def warnings(self) -> Problems:
        """What was understood, but is not as it should be."""
        return self.of("warning")

    @property
    def notes(self) -> Problems:
        """Information; nothing is wrong."""
        return self.of("note")

    @property
    def ok(self) -> bool:
        """Whether there are no errors."""
        return not self.errors

    def of(self, severity: str) -> Problems:
        """Those of one severity: 'error', 'warning' or 'note'."""
        return Problems(problem for problem in self if problem.severity == severity)

    def __str__(self) -> str:
        lines = [problem.text + ("" if problem.severity == "error" else f" [{problem.severity}]") for problem in self]
        return "\n".join([*lines, self.summary])

    @property
    def summary(self) -> str:
        """Their numbers: '2 errors, 1 note'; 'no problems' if there is none."""
        counts = [(len(self.of(severity)), severity) for severity in _SEVERITIES]
        words = [f"{count} {severity}{'' if count == 1 else 's'}" for count, severity in counts if count]
        return ", ".join(words) or "no problems"

    def __repr__(self) -> str:
        return f"<Problems: {self.summary}>"

    def _repr_html_(self) -> str:
        return notebook.problems_table(self)


def child_command() -> list[str]:
    """The interpreter and the script with which a check loads libraries in a process of its own."""
    return [sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), "_check.py")]


def check(path: Union[str, os.PathLike], *, static: bool = False, timeout: float = 60.0,
          apart: bool = True) -> Problems:
    """Finds all problems of a composition or an OMI file.

    Args:
        path: the file.
        static: checks the files only, and loads no library.
        timeout: seconds that one step of the check (such as loading a library) may take.
        apart: loads libraries in a child process, where code that crashes or hangs is found and does no harm here.
    Returns:
        The problems; `ok` of it says whether there are no errors.
    Raises:
        FileError: there is no such file.
        FormatError: it is no XML.
    """
    from .composition import open  # which needs Problems

    name = os.fspath(path)
    if not name.endswith(".omi"):
        return open(name).check(static=static, timeout=timeout, apart=apart)
    if static:
        return Problems(_openmi.check_omi_static(name))
    if apart:
        return Problems(_openmi.check_omi_apart(name, child_command(), timeout))
    return Problems(_openmi.check_omi_here(name))
