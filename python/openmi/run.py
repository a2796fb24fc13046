"""A run that is driven step by step."""

from __future__ import annotations

import datetime
import json
from types import TracebackType
from typing import Any, Callable, Iterator, Optional, Type, Union

import numpy

from . import _openmi
from ._text import row_of, text_of
from .check import Problems
from .errors import Error, StateError
from .results import Results

#: A time: text after ISO 8601 with its zone, a datetime (UTC unless it states a zone), or a numpy.datetime64 (UTC).
Time = Union[str, datetime.datetime, numpy.datetime64]
#: A span of time: text ("PT1H", "30 min"), a timedelta, or a numpy.timedelta64.
Span = Union[str, datetime.timedelta, numpy.timedelta64]
#: Receives a row: its end (datetime64), its duration (timedelta64, 0 for an instant), its values (shape [elements]).
RowFunction = Callable[[numpy.datetime64, numpy.timedelta64, numpy.ndarray], None]


class Item:
    """An input or output of a component in a run, by `run["component.item"]`."""

    def __init__(self, run: _openmi.Run, name: str):
        run.element_count(name)  # raises if there is no such item
        self._run = run
        self._name = name

    @property
    def name(self) -> str:
        """'component.item'."""
        return self._name

    @property
    def values(self) -> numpy.ndarray:
        """The last row of an output, or what was last delivered to an input: a copy; shape [elements].

        In `unit`; NaN where missing; empty before the first row. An input with a fixed row gives that row.
        """
        return self._run.values(self._name)

    @values.setter
    def values(self, values: Any) -> None:
        self.set(values)

    @property
    def value(self) -> float:
        """The value of an item with one element.

        Raises:
            ValueError: the item has several values, or none yet.
        """
        return self._run.value(self._name)

    @property
    def unit(self) -> str:
        """Its unit, as its component writes it; may be empty."""
        return self._run.read(self._name)["unit"]

    @property
    def time(self) -> Optional[numpy.datetime64]:
        """The end of the last row, UTC; None where there is none."""
        found = self._run.read(self._name)
        return None if found["begin"] is None else found["begin"] + found["duration"]

    @property
    def begin(self) -> Optional[numpy.datetime64]:
        """The start of the last row, UTC; None where there is none."""
        return self._run.read(self._name)["begin"]

    @property
    def duration(self) -> numpy.timedelta64:
        """The span of the last row; 0 for an instant."""
        return self._run.read(self._name)["duration"]

    @property
    def elements(self) -> list[str]:
        """Ids of its elements; empty for an item without places."""
        return self._run.element_ids(self._name)

    @property
    def is_overridden(self) -> bool:
        """Whether a fixed row is in force."""
        return self._run.read(self._name)["is_overridden"]

    @property
    def is_pending(self) -> bool:
        """Whether the component gets the fixed row only with its next step."""
        return self._run.read(self._name)["is_pending"]

    @property
    def is_freed(self) -> bool:
        """Whether the component gets what its link delivers again only with its next step."""
        return self._run.read(self._name)["is_freed"]

    def set(self, values: Any) -> None:
        """Sets a fixed row in place of what links deliver: to an input, or to all inputs that take from an output.

        The row is in force until `free`.

        Args:
            values: in the item's own unit; shape [elements], or one number for all.
        Raises:
            RangeError: a wrong number of values.
            TypeError: the item takes no numbers.
        """
        self._run.override(self._name, row_of(values))

    def free(self) -> None:
        """Makes links deliver their own values again.

        Raises:
            ArgumentError: no fixed row was set.
        """
        self._run.free(self._name)

    def __array__(self, dtype: Any = None) -> numpy.ndarray:
        return self.values if dtype is None else self.values.astype(dtype)

    def __repr__(self) -> str:
        return f"<Item {self._name} [{self.unit}]: {self.values}>"


class State:
    """The state of a whole run, kept in memory: components, links, observers, fixed rows, supplied values."""

    def __init__(self, run: _openmi.Run, state: _openmi.Checkpoint):
        self._run = run
        self._state = state

    @property
    def time(self) -> numpy.datetime64:
        """The time of the run when the state was kept, UTC."""
        return self._state.time

    @property
    def passes(self) -> int:
        """The passes that the run had made."""
        return self._state.passes

    def __bytes__(self) -> bytes:
        """The state as bytes, for another run of the same composition (`Run.state_from_bytes`).

        Raises:
            StateError: the run that kept it was ended.
        """
        return self._run.state_to_bytes(self._state)

    def __repr__(self) -> str:
        return f"<State at {self.time}>"


class Run:
    """A run under way, made by `Composition.start`.

    Use it with `with`: it is ended at the end of the block, also after an exception. Several threads may use it; their
    calls wait for each other. No other Python code waits while the run computes.

        with composition.start() as run:
            while run.step():
                print(run.time, run["creek.discharge"].values)
    """

    def __init__(self, handle: _openmi.Run):
        self._handle = handle
        self._results: Optional[Results] = None

    def __enter__(self) -> Run:
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], value: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        try:
            self.end()
        except Error:
            if value is None:  # else that one is what happened first
                raise

    def step(self) -> bool:
        """Makes one pass: the components that the run asks for update once, and what they need.

        Returns:
            Whether there is more to do.
        Raises:
            ModelError: a component failed; the run is over, and its results until then are kept.
        """
        return self._handle.step()

    def step_until(self, time: Time) -> bool:
        """Makes passes until the run has reached a time, or is over. Ctrl-C is raised after a pass.

        Returns, raises: as `step`.
        """
        return self._handle.step_until(time)

    def finish(self) -> Results:
        """Runs to the end, and ends the run.

        Raises:
            ModelError: as `step`.
        """
        self._handle.run_to_end()
        return self.end()

    def end(self) -> Results:
        """Completes results and report, finishes the components, and gives the results. A second call gives them again.

        Raises:
            FileError: the results cannot be written.
        """
        if self._results is None:
            self._handle.end()
            record = self._handle.record()
            self._results = Results(record["series"], record)
        return self._results

    def request_end(self, why: str) -> None:
        """Ends the run before its next pass. The results say until when it came, and why it ended.

        Args:
            why: a reason for users.
        """
        self._handle.request_end(why)

    @property
    def time(self) -> numpy.datetime64:
        """How far the run is, UTC, to the microsecond."""
        return self._handle.time()

    @property
    def mjd(self) -> float:
        """The same as Modified Julian Day (UTC), exactly as the components count."""
        return self._handle.mjd()

    @property
    def passes(self) -> int:
        """How many passes were made."""
        return self._handle.passes()

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to do: the run came to its end, something failed, or it was ended."""
        return self._handle.state() in (_openmi.RunState.OVER, _openmi.RunState.ENDED)

    @property
    def problems(self) -> Problems:
        """What the check and the run found so far."""
        return Problems(self._handle.problems())

    @property
    def components(self) -> list[dict[str, Any]]:
        """The components: a dictionary each with id, family, status, time (None without times) and steps."""
        return self._handle.components()

    def __getitem__(self, item: str) -> Item:
        """An input or output: `run["component.item"]`.

        Raises:
            ArgumentError: there is no such item; names the nearest.
        """
        return Item(self._handle, item)

    def set(self, item: str, values: Any) -> None:
        """Sets a fixed row; see `Item.set`."""
        self[item].set(values)

    def free(self, item: str) -> None:
        """Frees a fixed row; see `Item.free`."""
        self[item].free()

    def supply(self, item: str, time: Union[Time, numpy.ndarray, None], values: Any,
               duration: Optional[Span] = None) -> None:
        """Supplies a row, or many, to an input that was named in `start(supply=...)`.

        The component gets the value that holds at the time for which it asks; for a span, the mean of those that hold in
        it. Each row is later than those before; a row that ends when the last one ends replaces it.

        Args:
            item: 'component.item'.
            time: the time of the row, or the start of its duration; None: the present time of the run. An array of
                datetime64, of shape [n], supplies n rows at once.
            values: in the unit of the input; shape [elements], or [n, elements].
            duration: the span of the row, or of each; None: an instant.
        Raises:
            ArgumentError: the input is not supplied.
            RangeError: a wrong number of values, or a time before the last row.
        """
        if isinstance(time, numpy.ndarray):
            micros = time.astype("datetime64[us]").astype("int64")
            self._handle.supply_rows(item, micros, row_of(values), duration)
        else:
            self._handle.supply(item, time, values if type(values) is float else row_of(values), duration)

    def set_argument(self, component: str, key: str, value: Any) -> None:
        """Changes an argument that the component accepts while it runs, or one of a component that is disengaged.

        Raises:
            ArgumentError: there is no such component or argument, or it accepts no changes now.
        """
        self._handle.set_argument(component, key, text_of(value))

    def keep_state(self) -> State:
        """Keeps the state of the whole run in memory.

        Raises:
            Error: a component does not keep its state.
        """
        return State(self._handle, self._handle.keep_state())

    def restore(self, state: State) -> None:
        """Goes back to a state of this run, any number of times; a run that was over continues.

        Raises:
            StateError: the run writes results: rows that were written cannot be taken back.
            FormatError: the state belongs to another composition.
        """
        self._handle.restore_state(state._state)

    def state_from_bytes(self, data: bytes) -> State:
        """A state that another run of the same composition gave as `bytes(state)`.

        Raises:
            FormatError: the bytes were changed.
            ArgumentError: they belong to another composition, other arguments or other libraries.
        """
        return State(self._handle, self._handle.state_from_bytes(bytes(data)))

    def take_checkpoint(self) -> None:
        """Writes a checkpoint beside the results, for `Composition.run(resume=True)`.

        Raises:
            StateError: the run writes no files.
            Error: a component does not keep its state.
        """
        self._handle.take_checkpoint()

    @property
    def families(self) -> list[dict[str, Any]]:
        """The families (components of the same code): a dictionary each with key, members, status and problem."""
        return self._handle.families()

    def disengage(self, family: str) -> None:
        """Takes all components of a family out of the run: their last values stay, and their library is unloaded.

        Args:
            family: a key, the file name of a library, or the id of any member.
        Raises:
            ArgumentError: there is no such family.
        """
        self._handle.disengage(family)

    def engage(self, family: str) -> None:
        """Loads the code of a family again, and puts its components back at the present time.

        Raises:
            Error: the new code cannot be loaded or started: the components stay out, and the run can continue.
        """
        self._handle.engage(family)

    def describe(self, component: str) -> dict[str, Any]:
        """A component: its arguments, items with units, elements and times, and its factories of adaptors.

        Raises:
            ArgumentError: there is no such component.
        """
        return json.loads(self._handle.describe(component))

    def diagram(self) -> str:
        """The diagram as SVG, with units and the conversions that were inserted."""
        return self._handle.diagram()

    def __iter__(self) -> Iterator[numpy.datetime64]:
        """Steps to the end, and gives the time after each pass: `for time in run:`."""
        more = True
        while more:
            before = self.passes
            more = self.step()
            if more or self.passes != before:
                yield self.time

    def __repr__(self) -> str:
        try:
            return f"<Run at {self.time}: {self._handle.state().name.lower()}>"
        except StateError:
            return "<Run>"
