"""How far a run is, as a bar in a terminal or in a notebook."""

from __future__ import annotations

import html
import sys
from typing import TYPE_CHECKING, Any, Callable, Optional, Protocol, Tuple, Union

if TYPE_CHECKING:
    from ._openmi import Progress, StudyProgress

#: What `run(progress=...)` takes: whether a bar is shown, or a function that gets each `Progress`, of a study each
#: `StudyProgress`.
ProgressOption = Union[bool, Callable[[Any], None]]


class Shower(Protocol):
    """What shows the progress of a run."""

    def show(self, progress: Union[Progress, StudyProgress]) -> None:
        """Shows how far the run is."""

    def wait(self, component: str, sentence: str) -> None:
        """Shows what a component waits for."""

    def done(self) -> None:
        """Ends the display, at the end of the run."""


def texts_of(progress: Union[Progress, StudyProgress]) -> Tuple[float, str, str]:
    """The fraction that is done; where it is: '2015-12-17 04:00', or '12 of 40'; '1.2e+06x real time, 3 s left'."""
    if hasattr(progress, "members"):
        fraction = progress.done / progress.members if progress.members else 1.0
        place = f"{progress.done} of {progress.members}"
        beside = [f"{progress.failed} failed"] if progress.failed else []
        if progress.best is not None:
            beside.append(f"best {progress.best_cost:.4g} ({progress.best})")
    else:
        fraction = progress.fraction
        place = str(progress.time)[:16].replace("T", " ")
        beside = [f"{progress.real_time_factor:.2g}x real time"]
    if 0.5 <= progress.seconds_left < 1e9:
        beside.append(f"{progress.seconds_left:.0f} s left")
    return fraction, place, ", ".join(beside)


class Nothing:
    """Shows nothing."""

    def show(self, progress: Union[Progress, StudyProgress]) -> None:
        pass

    def wait(self, component: str, sentence: str) -> None:
        pass

    def done(self) -> None:
        pass


class Given(Nothing):
    """Calls a function of the user."""

    def __init__(self, function: Callable[[Any], None]):
        self._function = function

    def show(self, progress: Union[Progress, StudyProgress]) -> None:
        self._function(progress)


class Terminal(Nothing):
    """A line on standard error that is drawn again."""

    def __init__(self, title: str):
        self._title = title
        self._is_open = False

    def show(self, progress: Union[Progress, StudyProgress]) -> None:
        fraction, place, beside = texts_of(progress)
        filled = int(fraction * 22)
        self._draw(f"{self._title}  {place}  [{'#' * filled}{'.' * (22 - filled)}] {fraction:4.0%}  {beside}")

    def wait(self, component: str, sentence: str) -> None:
        self._draw(f"{self._title}  {component}: {sentence}")

    def done(self) -> None:
        if self._is_open:
            print(file=sys.stderr)

    def _draw(self, text: str) -> None:
        self._is_open = True
        printable = "".join(c if c.isprintable() else " " for c in text)
        print(f"\r\x1b[K{printable}", end="", file=sys.stderr, flush=True)


class Notebook(Nothing):
    """A bar below the cell of a notebook, drawn again in its place."""

    def __init__(self, title: str):
        from IPython.display import HTML, display

        self._html = HTML
        self._title = title
        self._handle = display(HTML(self._text(0.0, "")), display_id=True)

    def show(self, progress: Union[Progress, StudyProgress]) -> None:
        fraction, place, beside = texts_of(progress)
        self._update(self._text(fraction, f"{place}, {beside}" if beside else place))

    def wait(self, component: str, sentence: str) -> None:
        self._update(self._text(0.0, f"{component}: {sentence}"))

    def _update(self, text: str) -> None:
        if self._handle is not None:
            self._handle.update(self._html(text))

    def _text(self, fraction: float, beside: str) -> str:
        return (f"<div>{html.escape(self._title)} <progress max='1' value='{fraction:.4f}'></progress> "
                f"{fraction:.0%} <small>{html.escape(beside)}</small></div>")


def is_notebook() -> bool:
    """Whether this code runs in the kernel of a notebook."""
    ipython = sys.modules.get("IPython")
    shell: Optional[object] = ipython.get_ipython() if ipython is not None else None
    return shell is not None and hasattr(shell, "kernel")


def shower_of(option: ProgressOption, title: str) -> Shower:
    """What shows the progress of a run.

    Args:
        option: True: a bar, in a notebook or in a terminal, nothing elsewhere; a function: is called; False: nothing.
        title: the name of the run.
    """
    if callable(option):
        return Given(option)
    if not option:
        return Nothing()
    if is_notebook():
        return Notebook(title)
    return Terminal(title) if sys.stderr is not None and sys.stderr.isatty() else Nothing()
