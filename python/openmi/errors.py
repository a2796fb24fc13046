"""The exceptions of the package: a family under `Error`, as in C++.

A message has three parts, which are attributes too: the place, what was expected and found, and what to do.
"""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING, Optional

if TYPE_CHECKING:
    from .check import Problems
    from .results import Results


class Error(Exception):
    """The base class of what the runtime raises.

    `str(error)` is "file:line: component.item: problem; remedy", without the parts that are unknown.
    """

    #: What was expected and found.
    problem: str
    #: What the user can do; may be empty.
    remedy: str
    #: The file that the error is about; empty: unknown.
    file: str
    #: The line in that file; 0: unknown.
    line: int
    #: The id of the component; empty: unknown.
    component: str
    #: The item, argument or field; empty: unknown.
    item: str
    #: All problems of the check or the run that failed; None where there was none.
    problems: Optional[Problems]
    #: What a run that failed had computed until then; None where there was no run.
    results: Optional[Results]

    def __init__(self, problem: str, remedy: str = "", *, file: str = "", line: int = 0, component: str = "",
                 item: str = ""):
        super().__init__(problem)
        self.problem = problem
        self.remedy = remedy
        self.file = file
        self.line = line
        self.component = component
        self.item = item
        self.problems = None
        self.results = None

    def __str__(self) -> str:
        place = self.file + (f":{self.line}" if self.file and self.line else "")
        thing = ".".join(part for part in (self.component, self.item) if part)
        text = "".join(f"{part}: " for part in (place, thing) if part) + self.problem
        return text + (f"; {self.remedy}" if self.remedy else "")


class FileError(Error, OSError):
    """A file is missing, cannot be read or cannot be written."""


class FormatError(Error, ValueError):
    """A file or text can be read but has the wrong form or content. A check that finds errors raises it too."""


class ArgumentError(Error, ValueError):
    """An argument, component, item or name is unknown, of the wrong type, out of range or read-only."""


class UnitError(Error, ValueError):
    """A unit is unknown, or two units do not fit."""


class LinkError(Error, ValueError):
    """Two items cannot be linked, or an adaptor does not fit their link."""


class RangeError(Error, ValueError):
    """An index, element, time, value or number of values is outside its range."""


class TypeError(Error, builtins.TypeError):  # noqa: A001: the name of the family
    """A value has another type than is required."""


class StateError(Error, RuntimeError):
    """A call is not allowed now, such as a step of a run that was ended."""


class LoadError(Error, ImportError):
    """A shared library cannot be loaded, or does not fit this build."""


class ModelError(Error, RuntimeError):
    """A component failed while it computed. `results` has what was computed until then."""


class DepthError(Error, RecursionError):
    """A chain of questions is too deep for the stack of the calling thread."""
