"""Simulation models that exchange values while they run, after OpenMI 2.0 (OGC 11-014r3).

A composition is components, links between their outputs and inputs, and a run. It is read from a file or built here,
checked, and run:

    import openmi

    basin = openmi.open("basin.xml", data="measurements")
    print(basin.check())                    # all problems, each with place and remedy
    results = basin.run("results")          # CSV, NetCDF and an HTML report in this folder
    discharge = results["creek.discharge"]
    discharge.values                        # NumPy, shape [times, elements], in discharge.unit
    results.to_xarray()                     # where xarray is installed

A run can be driven step by step:

    with basin.start() as run:
        while run.step():
            if run["reservoir.level"].value > 6.0:
                run.set("gate.opening", 1.0)    # a fixed row, until run.free("gate.opening")
        state = run.keep_state()                # run.restore(state) goes back to it

Many runs, on all cores or behind an executor:

    study = openmi.Study("storage.xml")
    study.run("out").objectives             # NumPy, shape [members, objectives]

What to open next: `help(openmi.Composition)`, `help(openmi.Run)`, `help(openmi.Results)`, `help(openmi.Study)`. Times are UTC, and
`numpy.datetime64[us]` where this package gives them. Numbers are in the unit that stands beside them, NaN where missing.
What goes wrong is an exception of the family `openmi.Error`, with file, line, item and remedy as attributes.

A composition, its problems, results and reports show themselves in a notebook.
"""

from __future__ import annotations

import importlib
import typing

if typing.TYPE_CHECKING:
    from ._component import Argument, Input, Output
    from ._openmi import (AdaptorSpec, ArgumentSpec, CheckpointSpec, CompareSpec, ComponentSpec, IsolationSpec,
                          IterateSpec, LinkSpec, NetworkSpec, ObserveSpec, PaceSpec, PopulationSpec, Problem, Progress,
                          ResultsSpec, RunSpec, TableSpec, ToleranceSpec, WindowSpec)
    from ._openmi import version as __version__
    from ._adaptor import Adaptor
    from .check import Problems, check
    from .component import Balance, Duration, Elements, SteppingComponent, Time
    from .composition import Composition, adaptor, open
    from .errors import (ArgumentError, DepthError, Error, FileError, FormatError, LinkError, LoadError, ModelError,
                         RangeError, StateError, TypeError, UnitError)
    from .results import Comparison, Report, Results, Series, results
    from .run import Item, Run, State
    from ._openmi import StudyProgress
    from .study import Study, StudyResults, StudyRun

#: What the package offers, by module. A group is imported when one of its names is first used: a component in Python
#: needs nothing of the runtime, and studies may not be built.
_RUNTIME = {
    "_openmi": ("AdaptorSpec", "ArgumentSpec", "CheckpointSpec", "CompareSpec", "ComponentSpec", "IsolationSpec",
                "IterateSpec", "LinkSpec", "NetworkSpec", "ObserveSpec", "PaceSpec", "PopulationSpec", "Problem", "Progress",
                "ResultsSpec", "RunSpec", "TableSpec", "ToleranceSpec", "WindowSpec"),
    "composition": ("Composition", "adaptor", "open"),
    "run": ("Item", "Run", "State"),
    "check": ("Problems", "check"),
    "results": ("Comparison", "Report", "Results", "Series", "results"),
}
_STUDY = {
    "_openmi": ("StudyProgress",),
    "study": ("Study", "StudyResults", "StudyRun"),
}
_COMPONENT = {
    "_component": ("Argument", "Input", "Output"),
    "_adaptor": ("Adaptor",),
    "component": ("Balance", "Duration", "Elements", "SteppingComponent", "Time"),
    "errors": ("ArgumentError", "DepthError", "Error", "FileError", "FormatError", "LinkError", "LoadError", "ModelError",
               "RangeError", "StateError", "TypeError", "UnitError"),
}


def _names(group: dict[str, tuple[str, ...]]) -> list[str]:
    return [name for names in group.values() for name in names]


def __getattr__(name: str) -> typing.Any:
    group = next((one for one in (_RUNTIME, _COMPONENT, _STUDY) if name in _names(one) or one is _RUNTIME and name == "__version__"),
                 None)
    if group is None:
        raise AttributeError(f"module 'openmi' has no attribute '{name}'")
    try:
        modules = {place: importlib.import_module("." + place, __name__) for place in group}
    except ModuleNotFoundError as missing:
        if missing.name != "numpy":
            raise
        raise ImportError("openmi: expected NumPy in this Python, found none; install it (pip install numpy, or the "
                          "package python3-numpy)") from missing
    for place, names in group.items():  # after all imports, which bind 'check' and 'results' to the modules
        globals().update({one: getattr(modules[place], one) for one in names})
    if group is _RUNTIME:
        globals()["__version__"] = modules["_openmi"].version
    return globals()[name]


def __dir__() -> list[str]:
    return sorted({*globals(), *_names(_RUNTIME), *_names(_COMPONENT), "__version__"})


#: All but `TypeError` and `open`, which would hide Python's own after `from openmi import *`.
__all__ = sorted({*_names(_RUNTIME), *_names(_COMPONENT)} - {"TypeError", "open"})
