"""Components written in Python.

A component is a class in a file that an OMI file or a composition names: `Assembly="tank.py" Type="Tank"`.

    from math import exp
    import openmi

    class Tank(openmi.SteppingComponent):
        def setup(self):
            self.k = self.argument("k", 2.0, unit="d", minimum=1e-6)
            self.inflow = self.input("inflow", "m3 s-1")
            self.outflow = self.output("outflow", "m3 s-1")

        def step(self, begin, end):
            decay = exp(-(end - begin).days / self.k.value)
            self.outflow.value = self.outflow.value * decay + self.inflow.value * (1 - decay)
"""

from __future__ import annotations

import datetime
import math
import os
import pathlib
from typing import TYPE_CHECKING, Any, Iterable, NamedTuple, Optional, Sequence, Union

from ._arguments import TYPES, WithArguments
from ._geometry import shapes_of
from .errors import ArgumentError, RangeError
from .errors import TypeError as WrongType

if TYPE_CHECKING:
    from ._component import Input, Output
    from ._adaptor import Adaptor

_EPOCH = datetime.datetime(1858, 11, 17)

_OPTIONAL, _HAS_VALUE, _OVER_STEP, _UNSET_AT_START = 1, 8, 16, 32  # of openmi_component.h


class Duration(NamedTuple):
    """The time between two times."""

    #: Its length in days. From stamps, so exact to a microsecond.
    days: float
    #: Its length in seconds. Of steps of the engine exact to a nanosecond.
    seconds: float

    @property
    def hours(self) -> float:
        """Its length in hours."""
        return self.seconds / 3600.0

    @property
    def timedelta(self) -> datetime.timedelta:
        """The same as a `datetime.timedelta`, rounded to microseconds."""
        return datetime.timedelta(seconds=self.seconds)


class Time(NamedTuple):
    """A point in time, UTC. The difference of two is a `Duration`; a later one comes after in comparisons."""

    #: Modified Julian Day.
    mjd: float
    #: Seconds since the start of the run.
    seconds: float

    def __sub__(self, other: Union["Time", Duration]) -> Any:
        if isinstance(other, Time):
            return Duration(self.mjd - other.mjd, self.seconds - other.seconds)
        return Time(self.mjd - other.days, self.seconds - other.seconds)

    def __add__(self, duration: Union[Duration, datetime.timedelta]) -> "Time":  # type: ignore[override]
        if isinstance(duration, datetime.timedelta):
            seconds = duration.total_seconds()
            duration = Duration(seconds / 86400.0, seconds)
        return Time(self.mjd + duration.days, self.seconds + duration.seconds)

    @property
    def datetime(self) -> datetime.datetime:
        """The same as a `datetime.datetime` without a zone, which means UTC."""
        return _EPOCH + datetime.timedelta(microseconds=round(self.mjd * 86400e6))

    def __str__(self) -> str:
        text = self.datetime.isoformat()
        return text + "Z"


class Balance(NamedTuple):
    """What a component holds, and what passed through it since its start, all in one unit.

    A component that defines `balance(self)` and returns it states a balance:

        return openmi.Balance(storage, inflow, outflow, losses=evaporated, unit="m3", area=None)
    """

    storage: float
    inflow: float
    outflow: float
    losses: float = 0.0
    unit: str = "m3"
    #: Of the component, in m2; None: none.
    area: Optional[float] = None


class Elements:
    """A set of elements of a component, made by `SteppingComponent.elements`."""

    def __init__(self, host: Any, number: int, ids: Optional[Sequence[str]], count: int, shape: int):
        self._host = host
        self._number = number
        self._shape = shape
        #: Their ids; None: the numbers from 1 on.
        self.ids = None if ids is None else tuple(ids)
        self._count = count

    def __len__(self) -> int:
        return self._count

    def __repr__(self) -> str:
        return f"<openmi.Elements, {self._count}>"

    def set_attribute(self, name: str, unit: str, values: Any) -> None:
        """Gives each element a number, such as its area: `set_attribute("area", "km2", areas)`; NaN: unknown."""
        self._host.set_attribute(self._number, name, unit, values)

    def move(self, geometry: Any) -> None:
        """Replaces the coordinates, as given to `SteppingComponent.elements`; kind, number and ids stay."""
        shapes = shapes_of(geometry, None)
        self._host.move_elements(self._number, self._shape, shapes.count, shapes.x, shapes.y, shapes.z, shapes.vertices,
                                 shapes.rings, shapes.holes)


class SteppingComponent(WithArguments):
    """The base class of components that compute step by step.

    A class defines `step`, and declares arguments and items in `setup`. The runtime fetches the values of the inputs
    before each step and publishes the outputs after it. What users see of a class: its name is the `Type` in OMI files,
    its docstring the description.
    """

    #: The id of the component in messages; None: the name of the class.
    id: Optional[str] = None
    #: The default of the argument time-step, in ISO 8601 ("PT1H") or with a unit ("300 s").
    time_step: str = "PT1H"
    #: Steps cannot be shortened; the last one may end after the run.
    whole_steps: bool = False
    #: Several instances may compute at the same time, each on a thread of its own: they share nothing that changes.
    thread_safe: bool = False
    #: After finish, initialize may be called again.
    restartable: bool = False
    #: It writes files, at paths that `results_path` gives.
    writes_files: bool = False
    #: Several processes can compute it together (`Ranks` in a composition): see `communicator`.
    uses_communicator: bool = False
    #: What belongs to the state of the component between steps: names of attributes. "all" means every attribute that is
    #: no argument, item or set of elements. None: the component keeps no state, and cannot be continued.
    state: Union[str, Sequence[str], None] = "all"
    #: The classes of adaptors (`openmi.Adaptor`) that can stand on the links from its outputs.
    adaptors: Sequence[type[Adaptor]] = ()
    #: Increase it when what `save` returns changes: states of another version are refused.
    state_version: int = 1

    _has_started = False

    # What a component defines.

    def setup(self) -> None:
        """Declares arguments, and items that do not depend on them. Values of arguments are not known yet."""

    def initialize(self) -> None:
        """Reads arguments and files, and declares items that depend on them."""

    def validate(self) -> None:
        """Raises an error if something is wrong, or warns, when the links are there."""

    def start(self, begin: Time) -> None:
        """Makes the model ready, and sets the first values of outputs."""

    def step(self, begin: Time, end: Time) -> None:
        """Computes from `begin` to `end`: the inputs have the values for this step, and the outputs get theirs."""
        raise NotImplementedError

    def finish(self) -> None:
        """Ends the run; called also after a failure."""

    def step_end(self, begin: Time, end: Time) -> Union[Time, float]:
        """The end of the step that begins at `begin`, for components that choose their steps; `end` is the one that the
        argument time-step gives. Define it only if the steps differ."""
        return end

    def save(self) -> Any:
        """What the component keeps between steps, for checkpoints and loops: None, bools, ints, floats, strs, bytes, NumPy
        arrays of numbers, random generators, and lists, tuples and dictionaries of these.

        The default takes the attributes that `state` names.
        """
        from . import _state
        return _state.attributes_of(self)

    def load(self, state: Any) -> None:
        """Takes back what `save` returned. If that is not what it should be, raise an error and change nothing."""
        from . import _state
        _state.set_attributes(self, state)

    # A component that defines balance(self) -> Balance states one: what it holds, and what passed through it since the
    # start. It is called from the end of start on.

    # What a component calls in setup and initialize.

    def input(self, id: str, unit: str = "1", *, elements: Optional[Elements] = None, type: type = float,
              default: Optional[float] = None, optional: bool = False, over_step: bool = False, caption: str = "",
              description: str = "") -> Input:
        """Declares an input.

        Args:
            id: its name in links.
            unit: of numbers, such as "m3 s-1".
            elements: the elements that it has values for; None: one value without a place.
            type: float, int, bool, str or bytes.
            default: the value while nothing is linked; None: a link is needed.
            optional: it needs no link; values are missing then.
            over_step: it asks for what holds over the step (a mean or an amount), not for the values at its end.
            caption, description: texts for users.
        Returns:
            the input, whose `value` or `values` are read in `step`.
        """
        flags = (_HAS_VALUE if default is not None else 0) | (_OPTIONAL if optional else 0)
        return self._item(False, id, unit, elements, type, flags | (_OVER_STEP if over_step else 0),
                          math.nan if default is None else default, caption, description)

    def output(self, id: str, unit: str = "1", *, elements: Optional[Elements] = None, type: type = float,
               initial: Optional[float] = 0.0, over_step: bool = False, categories: Optional[Sequence[str]] = None,
               message_type: str = "", caption: str = "", description: str = "") -> Output:
        """Declares an output.

        Args:
            id: its name in links.
            unit: of numbers, such as "m3 s-1".
            elements: the elements that it has values for; None: one value without a place.
            type: float, int, bool, str or bytes.
            initial: the value at the start of the run, unless `start` sets another; None: missing.
            over_step: it holds over the step (a mean or an amount), not at its end.
            categories: of texts: all that occur; None: any.
            message_type: of bytes, such as "osi3::SensorView".
            caption, description: texts for users.
        Returns:
            the output, whose `value` or `values` are set in `start` and `step`.
        """
        flags = (_UNSET_AT_START if initial is None else _HAS_VALUE) | (_OVER_STEP if over_step else 0)
        return self._item(True, id, unit, elements, type, flags, 0.0 if initial is None else initial, caption, description,
                          categories, message_type)

    def elements(self, ids: Optional[Iterable[Any]] = None, *, geometry: Any = None, reference_system: str = "",
                 caption: str = "", id: str = "") -> Elements:
        """Declares a set of elements, for inputs and outputs with a value for each.

        Args:
            ids: their ids; None: those of the features of `geometry`, or the numbers from 1 on.
            geometry: points, lines or polygons: a GeoJSON object, an object with `__geo_interface__` (shapely,
                GeoPandas), a list of such, or an array of points of the shape (n, 2) or (n, 3). None: ids only.
            reference_system: "WGS84", "EPSG:32632", "local-metres" or well-known text; empty: WGS84 for features of
                GeoJSON, local-metres otherwise.
            caption: text for users.
            id: the property of features that is their id; empty: the member "id" of each.
        Raises:
            ArgumentError: the geometries are of several kinds, or neither ids nor geometry are given.
        """
        names = None if ids is None else [str(one) for one in ids]
        if geometry is None:
            if names is None:
                raise ArgumentError("expected ids or a geometry of the elements, found none", "give ids=[...]")
            number = self._host.add_elements(0, len(names), names, caption or None, None, *[None] * 6)
            return Elements(self._host, number, names, len(names), 0)
        shapes = shapes_of(geometry, id)
        if names is None:
            names = shapes.ids
        if names is not None and len(names) != shapes.count:
            raise RangeError(f"expected {shapes.count} ids, one for each geometry, found {len(names)}", "give as many")
        system = reference_system or ("WGS84" if shapes.is_geojson else "local-metres")
        number = self._host.add_elements(shapes.shape, shapes.count, names, caption or None, system, shapes.x, shapes.y,
                                         shapes.z, shapes.vertices, shapes.rings, shapes.holes)
        return Elements(self._host, number, names, shapes.count, shapes.shape)

    def set_default_times(self, begin: Union[Time, datetime.datetime, float],
                          end: Union[Time, datetime.datetime, float, None] = None) -> None:
        """When the run begins and ends if the user does not say. In `initialize`."""
        self._host.set_default_times(_mjd(begin), math.inf if end is None else _mjd(end))

    def set_output_times(self, begin: Union[Time, datetime.datetime, float],
                         end: Union[Time, datetime.datetime, float, None] = None) -> None:
        """The times for which outputs have values, if not the whole run. In `initialize`."""
        self._host.set_output_times(_mjd(begin), math.inf if end is None else _mjd(end))

    # What it calls at other times.

    def set_time_step(self, length: Union[Duration, datetime.timedelta, float]) -> None:
        """The length of the steps that follow; a number means days. In `initialize`, `start` and `step`."""
        if isinstance(length, datetime.timedelta):
            length = length.total_seconds() / 86400.0
        self._host.set_time_step(length.days if isinstance(length, Duration) else float(length))

    def warn(self, message: str, remedy: str = "", *, item: str = "") -> None:
        """Tells users something, once: in `validate` with the check, later in the summary of the run."""
        self._host.warn(message, remedy, item, "", 0)

    def path(self, name: Union[str, os.PathLike[str]]) -> pathlib.Path:
        """The path of a file; relative ones start at the folder of the OMI file. From `initialize` on."""
        return pathlib.Path(self._host.path(os.fspath(name)))

    def results_path(self, name: str) -> pathlib.Path:
        """The path of a file to write, in the folder of the results. It needs `writes_files = True`."""
        return pathlib.Path(self._host.written_path(name))

    @property
    def run_begin(self) -> Optional[float]:
        """The start of the run (MJD); None: not known yet."""
        begin = self._host.run_begin()
        return None if math.isnan(begin) else begin

    @property
    def run_end(self) -> Optional[float]:
        """The end of the run (MJD); None: it has none."""
        end = self._host.run_end()
        return None if math.isinf(end) else end

    @property
    def expects_state(self) -> bool:
        """In `start`: whether the state of an earlier run is loaded next, so that files are to be continued."""
        return self._host.expects_state()

    @property
    def communicator(self) -> Any:
        """The communicator of the ranks that compute this component, of mpi4py; None without `Ranks`. Not in `setup`.

        Each rank declares items, each with the elements that it owns. The ids of elements hold on all ranks.
        """
        given = self._host.communicator()
        if given is None:
            return None
        from mpi4py import MPI
        return MPI.Comm.f2py(given[0])

    # What the runtime calls.

    def _item(self, is_output: bool, id: str, unit: str, elements: Optional[Elements], kind: type, flags: int,
              value: float, caption: str, description: str, categories: Optional[Sequence[str]] = None,
              message_type: str = "") -> Any:
        if kind not in TYPES:
            raise ArgumentError(f"expected float, int, bool, str or bytes as the type of an item, found {kind!r}",
                                "give one as type=", item=id)
        if elements is not None and not isinstance(elements, Elements):
            raise WrongType(f"expected a set of elements, found {elements!r}", "give what self.elements(...) returns",
                            item=id)
        return self._host.add_item(is_output, id, TYPES[kind], flags, unit, elements,
                                   0 if elements is None else elements._number, 1 if elements is None else len(elements),
                                   float(value), caption or None, description or None,
                                   None if categories is None else [str(one) for one in categories], message_type or None)

    def _validate(self) -> None:
        from . import _script
        for name, near in _script.misspelt(self.__class__):
            self.warn(f"expected functions that the runtime calls, found '{name}', which it does not", f"did you mean '{near}'?")
        self.validate()

    def _next(self, begin: float, end: float) -> float:
        start = self._host.run_begin()
        return _mjd(self.step_end(Time(begin, (begin - start) * 86400.0), Time(end, (end - start) * 86400.0)))

    def _balance(self) -> tuple[float, float, float, float, str, float]:
        terms = self.balance()  # type: ignore[attr-defined]
        if not isinstance(terms, Balance):
            raise WrongType(f"expected balance to return an openmi.Balance, found {terms!r}",
                            "return openmi.Balance(storage, inflow, outflow)")
        if not isinstance(terms.unit, str):
            raise WrongType(f"expected the unit of a balance as a str, found {terms.unit!r}", "give one such as 'm3'")
        return (*(float(term) for term in terms[:4]), terms.unit, 0.0 if terms.area is None else float(terms.area))


def _make(of: type, host: Any) -> Any:
    """A component or adaptor of that class with its host, before setup."""
    made = of.__new__(of)
    made._host = host
    made.__init__()  # type: ignore[misc]
    return made


def _mjd(time: Union[Time, datetime.datetime, float]) -> float:
    if isinstance(time, Time):
        return time.mjd
    if isinstance(time, datetime.datetime):
        if time.tzinfo is not None:
            time = time.astimezone(datetime.timezone.utc).replace(tzinfo=None)
        return (time - _EPOCH) / datetime.timedelta(days=1)
    return float(time)
