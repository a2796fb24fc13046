"""Values of Python as text of arguments, and rows of numbers."""

from __future__ import annotations

import datetime
import os
from typing import Any

import numpy

from . import _openmi


def text_of(value: Any) -> str:
    """The value of an argument as text: numbers exact and with a decimal point, booleans as true and false, times after
    ISO 8601 in UTC, lists with blanks between."""
    if isinstance(value, (bool, numpy.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, numpy.integer)):
        return str(int(value))
    if isinstance(value, (float, numpy.floating)):
        return repr(float(value))
    if isinstance(value, datetime.datetime):
        if value.tzinfo is not None:
            value = value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
        return value.isoformat() + "Z"
    if isinstance(value, numpy.datetime64):
        return str(value.astype("datetime64[us]")) + "Z"
    if isinstance(value, (datetime.timedelta, numpy.timedelta64)):
        micros = int(numpy.timedelta64(value, "us").astype("int64"))
        return f"{micros // 1_000_000} s" if micros % 1_000_000 == 0 else f"{micros / 1e6!r} s"
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, (list, tuple, numpy.ndarray)):
        return " ".join(text_of(one) for one in value)
    return str(value)


def arguments_of(exact: dict[str, Any] | None, words: dict[str, Any]) -> list[_openmi.ArgumentSpec]:
    """Arguments from a dictionary, whose keys stay as they are, and from keyword arguments, whose underscores become
    hyphens: time_step is the argument time-step."""
    given = {key.replace("_", "-"): value for key, value in words.items()}
    given.update(exact or {})
    return [_openmi.ArgumentSpec(key=key, value=text_of(value)) for key, value in given.items()]


def row_of(values: Any) -> numpy.ndarray:
    """A row of numbers; masked values are missing (NaN)."""
    if isinstance(values, numpy.ma.MaskedArray):
        values = numpy.ma.filled(values.astype(float), numpy.nan)
    return numpy.asarray(values, dtype=float).reshape(-1)
