"""Compositions: opened or built, checked, run."""

from __future__ import annotations

import builtins
import inspect
import json
import os
from typing import Any, Iterable, Mapping, Optional, Sequence, Union

from . import _openmi, _script, notebook
from ._text import arguments_of, text_of
from .check import Problems, child_command
from .errors import ArgumentError, Error, FileError
from .progress import ProgressOption, shower_of
from .results import Results
from .run import RowFunction, Run, Span, Time

Path = Union[str, "os.PathLike[str]"]
#: An adaptor of a link: its id, or what `adaptor` makes.
AdaptorLike = Union[str, _openmi.AdaptorSpec]


#: The assembly of classes that have no file, since they were typed into a notebook or a terminal.
_PROGRAM = "python:__main__"


def _home_of(component: builtins.type) -> str:
    try:
        file = inspect.getsourcefile(component)
    except (OSError, TypeError):
        file = None
    return os.path.abspath(file) if file and os.path.exists(file) else f"python:{component.__module__}"


def _is_of_program(assembly: str) -> bool:
    return assembly == _PROGRAM or _script.is_running(assembly)


def _supplied(supply: Any) -> dict[str, str]:
    """The inputs that a program supplies, as `start` takes them.

    Raises:
        TypeError: they are no mapping of texts to texts.
    """
    example = "write supply={'component.item': 'previous'}, with 'previous' or 'linear' for what holds between two rows"
    if supply is None:
        return {}
    if not isinstance(supply, Mapping):
        raise TypeError(f"expected inputs by their names, found {supply!r:.60}; {example}")
    for item, between in supply.items():
        if not isinstance(item, str) or not isinstance(between, str):
            raise TypeError(f"expected a text for {item!r:.60}, found {between!r:.60}; {example}; "
                            "Run.supply gives the values")
    return dict(supply)


def adaptor(id: str, *, factory: str = "", arguments: Optional[Mapping[str, Any]] = None,
            **words: Any) -> _openmi.AdaptorSpec:
    """An adaptor with arguments, for `Composition.link`: `adaptor("delay", by="PT3H")`.

    Args:
        id: which adaptor.
        factory: the factory that makes it; empty: every known one is tried.
        arguments: its arguments by their exact keys.
        words: the same as keyword arguments, with '_' for '-'.
    """
    return _openmi.AdaptorSpec(id=id, factory=factory, arguments=arguments_of(dict(arguments or {}), words))


class Composition:
    """Components, links and a run.

    `openmi.open` reads one from a file. This class builds one:

        basin = openmi.Composition("basin", folder="models")
        basin.add("rain", type="openmi.CsvSeries", assembly="openmi-components", file="rain.csv")
        basin.add("runoff", omi="runoff.omi", parameters="creek.par")
        basin.link("rain.precipitation", "runoff.precipitation", adaptors=["mean-over-span"])
        basin.observe("runoff.discharge", every="PT1H", kind="mean")
        basin.run_from("2015-12-01T00:00Z", "2015-12-31T00:00Z")
        results = basin.run()

    Methods that build return the composition, so that calls can be chained. A notebook shows it as a diagram.
    """

    def __init__(self, id: str, *, folder: Path = ".", caption: str = "", description: str = "",
                 data: Optional[Path] = None, set: Optional[Mapping[str, Any]] = None):
        """
        Args:
            id: its name, after which files of results are named.
            folder: where relative paths start, and where it may be saved.
            caption: text for users.
            description: longer text for users.
            data, set: as of `open`.
        """
        self._adopt(_openmi.Model(id, os.fspath(folder)), data, set)
        if caption:
            self._model.caption = caption
        if description:
            self._model.description = description

    def _adopt(self, model: _openmi.Model, data: Optional[Path], set: Optional[Mapping[str, Any]]) -> None:
        self._model = model
        self._variables: dict[str, str] = {}
        if data is not None:
            if not os.path.isdir(data):
                raise FileError(f"expected a folder of data, found none at '{os.fspath(data)}'", file=os.fspath(data))
            self._variables["data"] = os.path.abspath(data)
        self._variables.update({name: text_of(value) for name, value in (set or {}).items()})

    # What it is.

    @property
    def id(self) -> str:
        """Its name, after which files of results are named."""
        return self._model.id

    @property
    def caption(self) -> str:
        """Text for users; may be empty."""
        return self._model.caption

    @property
    def description(self) -> str:
        """Longer text for users; may be empty."""
        return self._model.description

    @property
    def path(self) -> str:
        """Its file; of one that was never saved, where it would be."""
        return self._model.path

    @property
    def variables(self) -> dict[str, str]:
        """The values of `${name}` in arguments and paths: those of `set`, and `data`."""
        return dict(self._variables)

    @property
    def components(self) -> tuple[_openmi.ComponentSpec, ...]:
        """The components, in their order."""
        return self._model.components

    @property
    def links(self) -> tuple[_openmi.LinkSpec, ...]:
        """The links, in their order."""
        return self._model.links

    @property
    def iterates(self) -> tuple[_openmi.IterateSpec, ...]:
        """The loops of links that are iterated."""
        return self._model.iterates

    @property
    def observes(self) -> tuple[_openmi.ObserveSpec, ...]:
        """What is recorded in the results."""
        return self._model.observes

    @property
    def compares(self) -> tuple[_openmi.CompareSpec, ...]:
        """What is compared with observations."""
        return self._model.compares

    @property
    def run_settings(self) -> Optional[_openmi.RunSpec]:
        """Times, mode and threads of the run; None if there is no run yet."""
        return self._model.run

    @property
    def checkpoint_settings(self) -> Optional[_openmi.CheckpointSpec]:
        """When checkpoints are taken; None: never."""
        return self._model.checkpoints

    @property
    def results_settings(self) -> _openmi.ResultsSpec:
        """Names and form of the files of results."""
        return self._model.results

    @property
    def xml(self) -> str:
        """The composition as its file. Problems of a composition that was built state lines of this text."""
        return self._model.xml()

    # Building.

    def add(self, id: str, *, omi: Optional[Path] = None, type: str = "", assembly: str = "",
            arguments: Optional[Mapping[str, Any]] = None, caption: str = "", isolation: str = "none",
            time_limit: float = 0.0, memory_limit: int = 0, on_failure: str = "stop", keep_state: bool = False,
            initial_state: Path = "", invented: bool = False, ranks: int = 0, **words: Any) -> Composition:
        """Adds a component: by its OMI file, or by its type and the library that holds it.

        Args:
            id: unique in the composition.
            omi: path of its OMI file, relative to the folder of the composition.
            type, assembly: the type and the library, in place of `omi`; or a class as `type`.
            arguments: its arguments by their exact keys. Numbers, booleans, times, spans, paths and lists become text.
            caption: text for users.
            isolation: 'none'; 'process': in a process that all instances of its library share; 'instance': in its own.
            time_limit: longest time in seconds that it may compute without asking for values, or load; 0: no limit.
            memory_limit: address space of its process in bytes; 0: no limit.
            on_failure: 'stop': the run ends; 'freeze': its last values stay, and the rest of the run continues.
            keep_state: whether it continues with its last state after its family was exchanged.
            initial_state: path of the state that it starts with.
            invented: whether reports mark it as invented.
            ranks: the number of processes that compute it together, with MPI; 0: one, without.
            words: further arguments, with '_' for '-': time_step is the argument time-step.
        Raises:
            ArgumentError: a name that is none of those above.
        """
        apart = _openmi.IsolationSpec(isolation=isolation, time_limit_seconds=float(time_limit),
                                      memory_limit_bytes=int(memory_limit), on_failure=on_failure,
                                      ranks=ranks)
        if inspect.isclass(type):
            type, assembly = type.__name__, _home_of(type)
            if assembly == _PROGRAM and isolation != "none":
                raise ArgumentError(f"expected a class in a file for a component in a process of its own, found "
                                    f"'{type}', which was typed in", "write the class into a file", item=id)
        self._model.add_component(_openmi.ComponentSpec(
            id=id, caption=caption, omi=os.fspath(omi) if omi is not None else "", type=type, assembly=assembly,
            initial_state=os.fspath(initial_state), apart=apart, keep_state=keep_state, invented=invented,
            arguments=arguments_of(dict(arguments or {}), words)))
        return self

    def link(self, from_item: str, to_item: str, *, adaptors: Iterable[AdaptorLike] = (), id: str = "",
             loop: str = "last", balance: Optional[bool] = None) -> Composition:
        """Links an output to an input.

        Args:
            from_item: the output, 'component.item'.
            to_item: the input, 'component.item'.
            adaptors: in order from the output: ids, or what `adaptor` makes.
            id: name of the link.
            loop: what a question gets that comes back through a loop: 'last' or 'extrapolate'.
            balance: whether the link is balanced; None: if it carries a conserved quantity.
        Raises:
            ArgumentError: an item is not of the form 'component.item'.
        """
        chain = [one if isinstance(one, _openmi.AdaptorSpec) else adaptor(one) for one in adaptors]
        self._model.add_link(_openmi.LinkSpec(id=id, from_item=from_item, to_item=to_item, adaptors=chain, loop=loop,
                                              balance=balance))
        return self

    def iterate(self, components: Sequence[str], **settings: Any) -> Composition:
        """Iterates a loop of links to convergence within each step.

        Args:
            components: ids of all components of the loop, in the order in which they compute.
            settings: attributes of `IterateSpec`, such as method='aitken', relative_tolerance=1e-8.
        Raises:
            builtins.TypeError: there is no such setting.
        """
        self._model.add_iterate(_openmi.IterateSpec(components=builtins.list(components), **settings))
        return self

    def observe(self, item: str, *, every: Optional[Span] = None, kind: str = "instant",
                elements: Sequence[str] = (), id: str = "") -> Composition:
        """Records an item in the results.

        Args:
            item: 'component.item'.
            every: length of a period; None: each row.
            kind: 'instant', 'mean', 'sum', 'minimum' or 'maximum' of a period.
            elements: ids of its elements; empty: all.
            id: name of the series; empty: the item.
        """
        self._model.add_observe(_openmi.ObserveSpec(id=id, item=item, every=every, kind=kind,
                                                    elements=builtins.list(elements)))
        return self

    def compare(self, simulated: str, observed: str, *, measures: Sequence[str] = (),
                windows: Mapping[str, tuple[Time, Time]] = {}, id: str = "") -> Composition:
        """Compares a simulated item with an observed one.

        Args:
            simulated, observed: 'component.item'.
            measures: such as 'nse', 'kge', 'volume', 'peak'; empty: all.
            windows: parts of the run with measures of their own: start and end by label.
            id: name of the comparison.
        """
        parts = [_openmi.WindowSpec(label=label, start=start, end=end) for label, (start, end) in windows.items()]
        self._model.add_compare(_openmi.CompareSpec(id=id, simulated=simulated, observed=observed,
                                                    measures=builtins.list(measures), windows=parts))
        return self

    def run_from(self, start: Time, end: Time, *, warm_up: Optional[Span] = None,
                 trigger: Union[str, Sequence[str]] = (), mode: str = "pull", threads: int = 1,
                 pace: Optional[float] = None, late: str = "carry-on", late_after: float = 0.01) -> Composition:
        """Sets the run, in place of an earlier one.

        Args:
            start, end: its times.
            warm_up: its first part, which balances and measures leave out.
            trigger: the components that the run updates; empty: those that no other component takes values from.
            mode: 'pull': triggers ask their providers; 'step': what is furthest behind updates.
            threads: number of threads that update components.
            pace: simulated seconds per second of the clock; None: as fast as possible.
            late: what a paced run does that is late: 'carry-on', 'catch-up' or 'fail'.
            late_after: a greater delay, in seconds, counts as late.
        Raises:
            FormatError: a text that is no time, or has no zone.
        """
        settings: dict[str, Any] = dict(start=start, end=end, mode=mode, threads=threads,
                                        trigger=[trigger] if isinstance(trigger, str) else builtins.list(trigger))
        if warm_up is not None:
            settings["warm_up"] = warm_up
        if pace is not None:
            settings["pace"] = _openmi.PaceSpec(factor=float(pace), late=late, late_after_seconds=float(late_after))
        self._model.run = _openmi.RunSpec(**settings)
        return self

    def keep_checkpoints(self, *, every: Optional[Span] = None, every_seconds: Optional[float] = None, keep: int = 2,
                         skips: bool = False) -> Composition:
        """Keeps checkpoints beside the results, from which a run can be resumed.

        Args:
            every: simulated time between two.
            every_seconds: time of the clock between two.
            keep: how many are kept.
            skips: whether components without a state are omitted; else a run with such has no checkpoints.
        """
        self._model.checkpoints = _openmi.CheckpointSpec(every=every, every_seconds=every_seconds, keep=keep, skips=skips)
        return self

    def name_results(self, *, csv: str = "", netcdf: str = "", report: str = "", geopackage: str = "",
                     compression: int = 0) -> Composition:
        """Names the files of results; empty: the id of the composition.

        Args:
            csv, netcdf, report: names in the folder of results.
            geopackage: with the statistics of each element; empty: none is written.
            compression: of the NetCDF file: 0 for the classic form, 1 to 9 for netCDF-4.
        """
        self._model.results = _openmi.ResultsSpec(csv=csv, netcdf=netcdf, report=report, geopackage=geopackage,
                                                  compression=compression)
        return self

    def argument(self, component: str, key: str) -> Optional[str]:
        """The text of an argument as the composition gives it; None if it gives none.

        Raises:
            ArgumentError: there is no such component.
        """
        for spec in self.components:
            if spec.id == component:
                return next((one.value for one in spec.arguments if one.key == key), None)
        raise ArgumentError(f"expected a component, found '{component}'",
                            f"there are: {', '.join(spec.id for spec in self.components)}", component=component)

    def set_argument(self, component: str, key: str, value: Any) -> Composition:
        """Sets an argument of a component, in place of what the composition gives.

        Args:
            component: its id.
            key: the exact key.
            value: becomes text as in `add`.
        Raises:
            ArgumentError: there is no such component.
        """
        self._model.set_argument(component, key, text_of(value))
        return self

    def save(self, path: Optional[Path] = None) -> str:
        """Writes the composition to a file, which `openmi run` and `open` read.

        Args:
            path: in the folder of the composition, where its relative paths start; None: `path`.
        Returns:
            The path.
        Raises:
            ArgumentError: the path is in another folder, or the composition was made of a system structure or an FMU.
            FileError: it cannot be written.
        """
        name = os.fspath(path) if path is not None else self.path
        self._model.save(name)
        return name

    # Checking and looking.

    def check(self, *, static: bool = False, timeout: float = 60.0, apart: bool = True) -> Problems:
        """Finds all problems without running it.

        Args:
            static: checks files only, and loads no library.
            timeout: seconds that one step of the check (such as loading a library) may take.
            apart: loads libraries in a child process, where code that crashes or hangs is found and does no harm here.
        Returns:
            The problems, notes included; `ok` of it says whether there are no errors.
        """
        if static:
            found = _openmi.check_static(self._model, self._variables)
            return Problems([*found, *self._unused()])
        _script.require_no_reading()
        if apart and not any(_is_of_program(component.assembly) for component in self.components):
            found = _openmi.check_apart(self._model, self._variables, child_command(), timeout)
        else:
            found = _openmi.check_here(self._model, self._variables)
        return Problems([*found, *self._unused()])

    def _unused(self) -> list[_openmi.Problem]:
        return [_openmi.warning(self.path, f"expected ${{{name}}} in the composition, found it nowhere",
                                f"the value of '{name}' has no effect; set_argument sets an argument of a component")
                for name in self._variables if name != "data" and not self._model.uses_variable(name)]

    def adaptors(self, from_item: str, to_item: str) -> dict[str, Any]:
        """The adaptors that a link between two items could use: both sides, and each adaptor with its purpose, its
        arguments, and whether it fits as it is. Loads the components into this process.

        Raises:
            RangeError: there is no such component or item; names similar ones.
        """
        return json.loads(_openmi.adaptors(self._model, self._variables, from_item, to_item))

    def diagram(self) -> str:
        """Components, items, links and adaptors as an SVG picture. Nothing is loaded; `Run.diagram` has units too."""
        return self._model.diagram()

    # Running.

    def run(self, results: Optional[Path] = None, *, overwrite: bool = False, report: bool = True,
            threads: Optional[int] = None, mode: Optional[str] = None, resume: bool = False,
            resume_changed: bool = False, isolate: bool = False, step_times: bool = False, save_states: Path = "",
            progress: ProgressOption = True) -> Results:
        """Checks the composition and runs it from start to end.

        Args:
            results: folder for CSV, NetCDF and report; None: no files, results in memory only.
            overwrite: replaces the results of an earlier run.
            report: whether an HTML report is written with the results.
            threads: number of threads that update components, in place of the composition's; results stay the same.
            mode: 'pull' or 'step', in place of the composition's.
            resume: continues from the newest checkpoint in the folder, if there is one.
            resume_changed: also from one of another composition, other arguments or other libraries.
            isolate: holds every component in a process of its own library, where a crash does no harm here.
            step_times: measures each step of each component.
            save_states: folder for the states of the components at the end; empty: none.
            progress: True: a bar in a notebook or a terminal; a function that gets each `Progress`; False: nothing.
        Returns:
            What was observed, and how the run ended.
        Raises:
            FormatError: the check found errors; all problems are in `problems` of the exception.
            ModelError: a component failed; `results` of the exception has what was computed until then.
            FileError: results cannot be written, or are there already.
            KeyboardInterrupt: Ctrl-C, or the stop button of a notebook. The run ends after its present pass, its files
                are complete until then, and `results` of the exception has what was computed.
        """
        shower = shower_of(progress, self.id)
        run = self._start(results, shower=shower if progress is not False else None, overwrite=overwrite, report=report,
                          threads=threads, mode=mode, resume=resume, resume_changed=resume_changed, isolate=isolate,
                          step_times=step_times, save_states=os.fspath(save_states))
        try:
            return run.finish()
        except KeyboardInterrupt as interrupt:
            interrupt.results = run.end()  # type: ignore[attr-defined]
            raise
        except Error as error:
            error.results = run.end()
            error.problems = run.problems
            raise
        finally:
            shower.done()
            run.__exit__(None, None, None)

    def start(self, results: Optional[Path] = None, *, overwrite: bool = False, report: bool = True,
              threads: Optional[int] = None, mode: Optional[str] = None, resume: bool = False,
              resume_changed: bool = False, isolate: bool = False, supply: Optional[Mapping[str, str]] = None,
              on_row: Optional[Mapping[str, RowFunction]] = None) -> Run:
        """Checks the composition, prepares its components, and gives a run to be driven step by step.

        Args:
            results, overwrite, report, threads, mode, resume, resume_changed, isolate: as of `run`.
            supply: inputs whose values this program gives (`Run.supply`): 'component.item' to what holds between two
                rows, 'previous' or 'linear'.
            on_row: functions that get each row of an output, by 'component.item'. They are called while the run
                computes; calls of the run from within them raise StateError. What they raise ends the run.
        Raises:
            FormatError: the check found errors; all problems are in `problems` of the exception.
            FileError: results cannot be written, or are there already.
        """
        return self._start(results, shower=None, overwrite=overwrite, report=report, threads=threads, mode=mode,
                           resume=resume, resume_changed=resume_changed, isolate=isolate, supply=_supplied(supply),
                           on_row=on_row)

    def _start(self, results: Optional[Path], *, shower: Any, on_row: Optional[Mapping[str, RowFunction]] = None,
               **options: Any) -> Run:
        given: dict[str, Any] = dict(
            results=os.fspath(results) if results is not None else None, supply=None, step_times=None, save_states=None,
            progress_seconds=None, command=f"openmi.open({os.path.basename(self.path)!r}).run()",
            progress=shower.show if shower is not None else None, waiting=shower.wait if shower is not None else None)
        given.update(options)
        _script.require_no_reading()
        handle = _openmi.Run(self._model, self._variables, given)
        try:
            handle.load()
            for item, function in (on_row or {}).items():
                handle.observe(item, function)
            handle.begin()
        except Error as error:
            error.problems = Problems([*handle.problems(), *self._unused()])
            raise
        return Run(handle)

    def __repr__(self) -> str:
        return f"<Composition {self.id}: {len(self.components)} components, {len(self.links)} links>"

    def _repr_html_(self) -> str:
        return notebook.composition_html(self)


def open(path: Path, *, data: Optional[Path] = None, set: Optional[Mapping[str, Any]] = None) -> Composition:
    """Reads a composition file, a system structure (.ssp, .ssd), or an FMU (.fmu) as a composition of it alone.

    FMUs count their time from 2000-01-01T00:00Z. System structures and FMUs need the bridge for FMI, and cannot be saved.

    Args:
        path: the file.
        data: folder that replaces `${data}` in it.
        set: values of further `${name}` in it.
    Raises:
        FileError: there is no such file.
        FormatError: it is no XML, or the bridge is not installed. Other problems of it are found by `check` and `run`.
    """
    composition = Composition.__new__(Composition)
    composition._adopt(_openmi.Model(os.fspath(path)), data, set)
    return composition
