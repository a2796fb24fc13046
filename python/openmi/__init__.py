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

What to open next: `help(openmi.Composition)`, `help(openmi.Run)`, `help(openmi.Results)`. Times are UTC, and
`numpy.datetime64[us]` where this package gives them. Numbers are in the unit that stands beside them, NaN where missing.
What goes wrong is an exception of the family `openmi.Error`, with file, line, item and remedy as attributes.

A composition, its problems, results and reports show themselves in a notebook.
"""

from ._openmi import (AdaptorSpec, ArgumentSpec, CheckpointSpec, CompareSpec, ComponentSpec, IsolationSpec, IterateSpec,
                      LinkSpec, ObserveSpec, PaceSpec, Problem, Progress, ResultsSpec, RunSpec, ToleranceSpec, WindowSpec)
from ._openmi import version as __version__
from .check import Problems, check
from .composition import Composition, adaptor, open
from .errors import (ArgumentError, DepthError, Error, FileError, FormatError, LinkError, LoadError,
                     ModelError, RangeError, StateError, TypeError, UnitError)
from .results import Comparison, Report, Results, Series, results
from .run import Item, Run, State

#: All but `TypeError` and `open`, which would hide Python's own after `from openmi import *`.
__all__ = [
    "AdaptorSpec", "ArgumentError", "ArgumentSpec", "CheckpointSpec", "CompareSpec", "Comparison", "ComponentSpec",
    "Composition", "DepthError", "Error", "FileError", "FormatError", "IsolationSpec", "Item",
    "IterateSpec", "LinkError", "LinkSpec", "LoadError", "ModelError", "ObserveSpec", "PaceSpec", "Problem", "Problems",
    "Progress", "RangeError", "Report", "Results", "ResultsSpec", "Run", "RunSpec", "Series", "State", "StateError",
    "ToleranceSpec", "UnitError", "WindowSpec", "adaptor", "check", "results",
]
