"""How far a run is, as a bar in a terminal or in a notebook."""

from __future__ import annotations

import html
import sys
from typing import Callable, Optional, Protocol, Union

from ._openmi import Progress

#: What `run(progress=...)` takes: whether a bar is shown, or a function that gets each `Progress`.
ProgressOption = Union[bool, Callable[[Progress], None]]


class Shower(Protocol):
    """What shows the progress of a run."""

    def show(self, progress: Progress) -> None:
        """Shows how far the run is."""

    def wait(self, component: str, sentence: str) -> None:
        """Shows what a component waits for."""

    def done(self) -> None:
        """Ends the display, at the end of the run."""


def rate_of(progress: Progress) -> str:
    """'1.2e+06x real time, 3 s left'."""
    text = f"{progress.real_time_factor:.2g}x real time"
    left = progress.seconds_left
    return text + (f", {left:.0f} s left" if 0.5 <= left < 1e9 else "")


class Nothing:
    """Shows nothing."""

    def show(self, progress: Progress) -> None:
        pass

    def wait(self, component: str, sentence: str) -> None:
        pass

    def done(self) -> None:
        pass


class Given(Nothing):
    """Calls a function of the user."""

    def __init__(self, function: Callable[[Progress], None]):
        self._function = function

    def show(self, progress: Progress) -> None:
        self._function(progress)


class Terminal(Nothing):
    """A line on standard error that is drawn again."""

    def __init__(self, title: str):
        self._title = title
        self._is_open = False

    def show(self, progress: Progress) -> None:
        filled = int(progress.fraction * 22)
        time = str(progress.time)[:16].replace("T", " ")
        self._draw(f"{self._title}  {time}  [{'#' * filled}{'.' * (22 - filled)}] {progress.fraction:4.0%}  "
                   f"{rate_of(progress)}")

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

    def show(self, progress: Progress) -> None:
        time = str(progress.time)[:16].replace("T", " ")
        self._update(self._text(progress.fraction, f"{time}, {rate_of(progress)}"))

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
