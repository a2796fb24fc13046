"""Results of a run, from memory or from a file."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterator, Mapping, Optional, Union

import numpy

from . import _openmi, notebook
from .check import Problems
from .errors import ArgumentError

if TYPE_CHECKING:
    import pandas
    import xarray


class Series(numpy.lib.mixins.NDArrayOperatorsMixin):
    """One series of results: the values of an item over time.

    NumPy takes it as an array of its values: `numpy.mean(series)`, `series - other`, `2 * series`.
    """

    __hash__ = object.__hash__

    def __array_ufunc__(self, function: Any, method: str, *given: Any, **words: Any) -> Any:
        return getattr(function, method)(*(one.values if isinstance(one, Series) else one for one in given), **words)

    def __init__(self, rows: _openmi.Rows):
        self._rows = rows

    @property
    def id(self) -> str:
        """Its name in the results: the id of its observer, or 'component.item'."""
        return self._rows.id

    @property
    def caption(self) -> str:
        """Text for users; may be empty."""
        return self._rows.caption

    @property
    def quantity(self) -> str:
        """What the numbers mean; may be empty."""
        return self._rows.quantity

    @property
    def unit(self) -> str:
        """Unit of the values as UDUNITS writes it: 'm3 s-1'; empty: dimensionless."""
        return self._rows.unit

    @property
    def kind(self) -> str:
        """What a value says of the span of its row: 'instant', 'mean', 'sum', 'minimum' or 'maximum'."""
        return self._rows.kind

    @property
    def span(self) -> Optional[numpy.timedelta64]:
        """Length of every span; None: instants, unknown, or spans of several lengths."""
        return self._rows.span

    @property
    def elements(self) -> list[str]:
        """Ids of the elements; shape [m]. Empty: one value without a place."""
        return self._rows.elements

    @property
    def elements_caption(self) -> str:
        """What the elements are, such as "reaches"; may be empty. The NetCDF file calls their dimension so."""
        return self._rows.elements_caption

    @property
    def x(self) -> numpy.ndarray:
        """First coordinate of each element; shape [m], or empty. Degrees east if `is_longitude_latitude`."""
        return self._rows.x

    @property
    def y(self) -> numpy.ndarray:
        """Second coordinate of each element; shape [m], or empty. Degrees north if `is_longitude_latitude`."""
        return self._rows.y

    @property
    def is_longitude_latitude(self) -> bool:
        """Whether `x` and `y` are degrees east and north."""
        return self._rows.is_longitude_latitude

    @property
    def places(self) -> Optional[list[Optional[dict[str, Any]]]]:
        """The place of each element as a geometry of GeoJSON (Point, LineString or MultiPolygon); None: no places.

        `shapely.geometry.shape` takes such a geometry. Coordinates are those of `reference_system`.
        """
        return self._rows.places

    @property
    def reference_system(self) -> str:
        """The reference system of `places` as well-known text; empty: none is known."""
        return self._rows.reference_system

    @property
    def comment(self) -> str:
        """May be empty."""
        return self._rows.comment

    @property
    def attributes(self) -> dict[str, str]:
        """Further texts that the file stores with the series."""
        return dict(self._rows.attributes)

    @property
    def begins(self) -> numpy.ndarray:
        """Starts of the rows, datetime64[us], UTC; shape [n]. Equal to `times` for instants."""
        return self._rows.begins

    @property
    def times(self) -> numpy.ndarray:
        """Ends of the rows, datetime64[us], UTC, ascending; shape [n]. Of an instant, its time."""
        return self._rows.ends

    @property
    def seconds(self) -> numpy.ndarray:
        """`times` as seconds since 2000-01-01T00:00Z, time 0 of system structures and FMUs; shape [n]."""
        return (self.times - numpy.datetime64("2000-01-01")) / numpy.timedelta64(1, "s")

    @property
    def values(self) -> numpy.ndarray:
        """The values in `unit`, NaN where missing; float64, shape [n, m], or [n, 1] without elements.

        It is a view of the memory of the results: nothing is copied.
        """
        return self._rows.values

    def __array__(self, dtype: Any = None) -> numpy.ndarray:
        return self.values if dtype is None else self.values.astype(dtype)

    def __len__(self) -> int:
        return len(self.times)

    def __getitem__(self, element: str) -> numpy.ndarray:
        """The values of one element; shape [n].

        Raises:
            ArgumentError: there is no such element.
        """
        try:
            return self.values[:, self.elements.index(element)]
        except ValueError:
            raise ArgumentError(f"expected an element of the series, found '{element}'",
                                f"its elements are {', '.join(self.elements[:10]) or 'none'}", item=self.id) from None

    def to_xarray(self) -> xarray.DataArray:
        """The series as `xarray.DataArray` over (time, element) or (time), with unit and names as attributes.

        Raises:
            ImportError: xarray is not installed.
        """
        import xarray

        name = "time"
        coordinates: dict[str, Any] = {name: ("time", self.times.astype("datetime64[ns]"))}
        if self.kind != "instant":
            coordinates["begin"] = ("time", self.begins.astype("datetime64[ns]"))
        values = self.values
        dimensions = ["time"]
        if self.elements:
            dimensions.append("element")
            coordinates["element"] = ("element", self.elements)
            for axis, places in (("x", self.x), ("y", self.y)):
                if len(places):
                    coordinates[axis] = ("element", places)
        else:
            values = values[:, 0]
        attributes = {"units": self.unit or "1", "long_name": self.caption or self.id, "cell_methods": f"time: {self.kind}"}
        if self.quantity:
            attributes["quantity"] = self.quantity
        return xarray.DataArray(values, dims=dimensions, coords=coordinates, name=self.id, attrs=attributes)

    def to_pandas(self) -> pandas.DataFrame:
        """The series as `pandas.DataFrame`: a row a time, a column an element (or one column named like the series).

        Raises:
            ImportError: pandas is not installed.
        """
        import pandas

        index = pandas.DatetimeIndex(self.times.astype("datetime64[ns]"), name="time")
        frame = pandas.DataFrame(self.values, index=index, columns=self.elements or [self.id])
        frame.attrs["unit"] = self.unit
        return frame

    def __repr__(self) -> str:
        count = max(len(self.elements), 1)
        return f"<Series {self.id} [{self.unit}]: {len(self)} rows, {count} element{'s' if count > 1 else ''}>"


@dataclass(frozen=True)
class Comparison:
    """A simulated series beside an observed one."""

    id: str  #: Name of the comparison.
    element: str  #: Id of the element; empty where there are no elements.
    unit: str  #: Unit of both.
    is_span: bool  #: Whether values hold over spans, else at instants.
    times: numpy.ndarray  #: Ends of the simulated rows, datetime64[us], UTC; shape [n].
    simulated: numpy.ndarray  #: In `unit`, NaN where missing; shape [n].
    observed: numpy.ndarray  #: In `unit`, NaN where missing or without an observed row; shape [n].
    unmatched: int  #: Number of observed values at times that were not simulated.


@dataclass(frozen=True)
class Report:
    """The HTML report of a run: a page of its own, which a notebook shows in a frame."""

    path: str  #: Where it is.

    @property
    def html(self) -> str:
        """The whole page."""
        with open(self.path, encoding="utf-8") as page:
            return page.read()

    def _repr_html_(self) -> str:
        return notebook.report_html(self)


class Results(Mapping[str, Series]):
    """The series of a run by their ids: `results["creek.discharge"].values`.

    The results of a run also have how it ended (`is_complete`, `reached`, `problems`, `summary`), its comparisons and
    its report; those that were read from a file do not.
    """

    def __init__(self, series: list[_openmi.Rows], record: Optional[dict[str, Any]] = None,
                 info: Optional[dict[str, Any]] = None):
        self._series = {rows.id: Series(rows) for rows in series}
        self._record = record or {}
        self._info = info or {}

    def __getitem__(self, id: str) -> Series:
        """A series.

        Raises:
            ArgumentError: there is no such series.
        """
        if id in self._series:
            return self._series[id]
        raise UnknownSeries(f"expected a series of the results, found '{id}'",
                            f"there are: {', '.join(list(self._series)[:10]) or 'none'}", item=id)

    def __iter__(self) -> Iterator[str]:
        return iter(self._series)

    def __len__(self) -> int:
        return len(self._series)

    @property
    def is_complete(self) -> bool:
        """Whether the run reached its end; of a file, whether it ends with a whole row."""
        return bool(self._record["is_complete"]) if self._record else not self._info.get("was_cut", False)

    @property
    def is_whole(self) -> bool:
        """Whether all rows are here. A run without files keeps at most 4 000 000 values a series."""
        return bool(self._record.get("is_whole", True))

    @property
    def reached(self) -> Optional[numpy.datetime64]:
        """How far the run came, UTC; None for a file."""
        return self._record.get("reached")

    @property
    def wall_seconds(self) -> float:
        """Seconds that the run took; 0 for a file."""
        return self._record.get("wall_seconds", 0.0)

    @property
    def passes(self) -> int:
        """Passes that the run made; 0 for a file."""
        return self._record.get("passes", 0)

    @property
    def mode(self) -> str:
        """'pull' or 'step'; empty for a file."""
        return self._record.get("mode", "")

    @property
    def problems(self) -> Problems:
        """What the check and the run found."""
        return Problems(self._record.get("problems", ()))

    @property
    def comparisons(self) -> list[Comparison]:
        """The comparisons of the composition. Their measures are in `summary['stations']`."""
        return [Comparison(**one) for one in self._record.get("comparisons", ())]

    @property
    def summary(self) -> dict[str, Any]:
        """The figures of the run, as `openmi run --progress json` prints them.

        Balances of links and components, iterated loops, measures of stations, times of steps. Unknown numbers are
        None. Empty for a file.
        """
        text = self._record.get("summary")
        return json.loads(text) if text else {}

    @property
    def files(self) -> list[str]:
        """Paths of the files that the run wrote."""
        return list(self._record.get("files", ()))

    @property
    def report(self) -> Optional[Report]:
        """The report of the run; None if it wrote none."""
        pages = [path for path in self.files if path.endswith(".html")]
        return Report(pages[0]) if pages else None

    @property
    def checkpoints(self) -> int:
        """Number of checkpoints that the run took."""
        return self._record.get("checkpoints", 0)

    @property
    def resumed(self) -> Optional[numpy.datetime64]:
        """The time from which the run was resumed, UTC; None: it started at its beginning."""
        return self._record.get("resumed")

    @property
    def resumed_from(self) -> str:
        """The checkpoint from which the run was resumed; empty: none."""
        return self._record.get("resumed_from", "")

    @property
    def info(self) -> dict[str, Any]:
        """What a file of results says of its run: title, source, history, comment, notes. Empty for a run."""
        return {key: value for key, value in self._info.items() if key != "series"}

    @property
    def summary_line(self) -> str:
        """How the run ended, in one line."""
        if not self._record:
            return str(self._info.get("title", ""))
        how = "complete" if self.is_complete else f"ended at {self.reached}"
        return f"{how}, {self.wall_seconds:.2f} s, {self.problems.summary}"

    def to_xarray(self) -> xarray.Dataset:
        """All series as `xarray.Dataset`.

        Series over other times or other elements than the first have dimensions of their own, such as 'time_level'. Names
        of variables are those of the series with '_' in place of what an identifier does not have.

        Raises:
            ImportError: xarray is not installed.
        """
        import xarray

        dataset = xarray.Dataset(attrs={key: value for key, value in self.info.items() if isinstance(value, str)})
        known: dict[str, Any] = {}
        for series in self.values():
            name = re.sub(r"\W", "_", series.id)
            array = series.to_xarray().rename(name)
            for dimension in array.dims:
                labels = (array.coords[dimension].values.tobytes(), *(
                    array.coords[other].values.tobytes() for other in array.coords
                    if other != dimension and array.coords[other].dims == (dimension,)))
                if known.setdefault(str(dimension), labels) == labels:
                    continue
                own = [str(other) for other in array.coords if array.coords[other].dims == (dimension,)]
                array = array.rename({other: f"{other}_{name}" for other in own})
            dataset[name] = array
        return dataset

    def to_pandas(self) -> pandas.DataFrame:
        """All series as one `pandas.DataFrame`: a row a time, columns (series, element); NaN where a series has no row.

        Raises:
            ImportError: pandas is not installed.
        """
        import pandas

        frames = {series.id: series.to_pandas() for series in self.values()}
        return pandas.concat(frames, axis=1, names=["series", "element"]) if frames else pandas.DataFrame()

    def __repr__(self) -> str:
        return f"<Results: {', '.join(self) or 'no series'}; {self.summary_line}>"

    def _repr_html_(self) -> str:
        return notebook.results_html(self)


class UnknownSeries(ArgumentError, KeyError):
    """There is no series of that id."""

    __str__ = ArgumentError.__str__


def results(path: Union[str, os.PathLike]) -> Results:
    """Reads a file of results: CSV, NetCDF, or the journal of a run that goes on or was killed.

    Files of others are read too, if they are a table with a column of times, or follow the CF conventions.

    Args:
        path: the file.
    Raises:
        FileError: there is no such file, or it cannot be read.
        FormatError: it is no file of results; names line and column.
    """
    found = _openmi.read_results(os.fspath(path))
    return Results(found["series"], info=found)


__all__ = ["Comparison", "Report", "Results", "Series", "UnknownSeries", "results"]
