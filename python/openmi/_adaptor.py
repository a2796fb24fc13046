"""Adaptors written in Python.

An adaptor is a class that a component lists; it can stand on the links from the outputs of that component:

    import numpy
    import openmi

    class SoftLimit(openmi.Adaptor):
        def setup(self):
            self.limit = self.argument("limit", 1.0, minimum=1e-12)

        def map(self, values, out, duration):
            out[:] = self.limit.value * numpy.tanh(values / self.limit.value)

    class Gauge(openmi.SteppingComponent):
        adaptors = [SoftLimit]
        ...
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

from ._arguments import WithArguments
from .errors import TypeError as WrongType

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    from .component import Duration


class Adaptor(WithArguments):
    """The base class of adaptors that make one row of numbers from one row, for the same elements and the same time.

    A class defines `map`, and declares arguments in `setup`. Each link with the adaptor has an object of its own. The
    docstring of the class is its description.
    """

    #: The id of the adaptor in compositions; None: the name of the class.
    id: Optional[str] = None
    #: A short text for users; empty: the id.
    caption: str = ""

    #: The unit of the values. `initialize` sets it if `map` makes values of another unit.
    unit: str
    #: The number of elements.
    count: int

    def setup(self) -> None:
        """Declares arguments. Their values are not known yet."""

    def initialize(self) -> None:
        """Reads arguments, and sets `unit` if it changes. May be called again with other arguments."""

    def map(self, values: NDArray[numpy.float64], out: NDArray[numpy.float64], duration: Duration) -> None:
        """Makes a row. The same values and duration have to give the same result.

        Args:
            values: the row of the provider, in its unit, where the engine keeps it; it cannot be written. NaN: missing.
            out: the row to fill, in the unit of this adaptor: `out[:] = ...`, or `numpy.add(values, 1.0, out=out)`.
            duration: the length of the time that the row is for; of no days for an instant.
        """
        raise NotImplementedError

    def _initialize(self, unit: str, count: int) -> str:
        self.unit = unit
        self.count = count
        self.initialize()
        if not isinstance(self.unit, str):
            raise WrongType(f"expected a str as the unit of adapted values, found {self.unit!r}", 'write one, as "m3 s-1"')
        return self.unit
