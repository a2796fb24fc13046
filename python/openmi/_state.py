"""The state of a component in Python as bytes, and back.

No pickle: bytes may come from a file of a stranger, and reading a pickle runs code. The bytes are a text in JSON, in
which arrays and bytes are numbered, and these one after the other.
"""

from __future__ import annotations

import collections
import datetime
import json
import pathlib
import random
import struct
from typing import Any

import numpy

from ._component import Argument, Input, Output
from .component import Duration, Elements, SteppingComponent, Time
from .errors import FormatError
from .errors import TypeError as WrongType

_KIND = "openmi:"  # the only key of what is no JSON
_GENERATORS = {"PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64"}
_SEQUENCES = {kind.__name__: kind for kind in (tuple, set, frozenset, collections.deque, Time, Duration)}
_NOT_STATE = (Argument, Input, Output, Elements)


def attributes_of(component: SteppingComponent) -> dict[str, Any]:
    """The attributes that belong to the state."""
    if type(component).state == "all":
        return {name: value for name, value in vars(component).items()
                if name not in ("_host", "_has_started") and not _is_declared(value)}
    return {name: getattr(component, name) for name in type(component).state or ()}


def _is_declared(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return bool(value) and all(_is_declared(one) for one in value)
    if isinstance(value, dict):
        return bool(value) and all(_is_declared(one) for one in value.values())
    return isinstance(value, _NOT_STATE)


def set_attributes(component: SteppingComponent, state: Any) -> None:
    """Sets the attributes that were saved. Arrays of the same shape and type are filled in place."""
    if not isinstance(state, dict):
        raise FormatError(f"expected the attributes of a state, found {type(state).__name__}",
                          "use a state that this class saved")
    named = type(component).state
    if named != "all" and set(state) != set(named or ()):
        raise FormatError(f"expected the attributes {', '.join(named or ())} in a state, found {', '.join(state)}",
                          "use a state that this class saved")
    present = attributes_of(component)
    for name in state if named == "all" else ():
        if name not in present and (hasattr(component, name) or not str(name).isidentifier()):
            raise FormatError(f"expected attributes of the object in a state, found '{name}'",
                              "use a state that this class saved")
    for name in set(present) - set(state):
        delattr(component, name)  # made after the state was kept
    for name, value in state.items():
        known = present.get(name)
        if isinstance(value, numpy.ndarray) and type(known) is numpy.ndarray and known.flags.writeable and \
                (known.shape, known.dtype) == (value.shape, value.dtype):
            known[...] = value
        else:
            setattr(component, name, value)


def bytes_of(component: SteppingComponent) -> bytes:
    """The state of a component. Before it has started, only what can never be kept is an error."""
    writer = _Writer()
    try:
        text = json.dumps(writer.plain(component.save(), "save()")).encode()
    except Exception as error:
        if component._has_started or isinstance(error, WrongType):
            raise
        return b""
    return b"".join([struct.pack("<Q", len(text)), text, *writer.parts])


def take(component: SteppingComponent, data: bytes) -> None:
    """Gives a component the state in bytes."""
    component.load(_Reader(data).value())


class _Writer:
    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self._seen: dict[int, tuple[str, Any]] = {}
        self._arrays: dict[int, list[tuple[str, numpy.ndarray]]] = {}  # by what owns their memory

    def plain(self, value: Any, name: str) -> Any:
        """The value as JSON has it."""
        if isinstance(value, numpy.generic) and value.dtype.kind in "biufcmM":
            return self._scalar(value)  # before float, from which numpy.float64 derives
        if value is None or isinstance(value, (bool, int, float, str)):
            return value
        if isinstance(value, bytes):
            return self._part("bytes", value)
        if isinstance(value, datetime.datetime) and value.tzinfo is None:
            return {_KIND: "datetime", "of": value.isoformat()}
        if isinstance(value, datetime.timedelta):
            return {_KIND: "timedelta", "of": [value.days, value.seconds, value.microseconds]}
        if isinstance(value, pathlib.Path):
            return {_KIND: "path", "of": str(value)}
        self._once(value, name)
        if type(value) is numpy.ndarray:
            return self._array(value, name)
        if type(value) is numpy.ma.MaskedArray:
            return {_KIND: "masked", "of": [self._array(value.data, name), self._array(numpy.ma.getmaskarray(value), name)]}
        if type(value) is list:
            return [self.plain(one, f"{name}[{i}]") for i, one in enumerate(value)]
        if isinstance(value, (tuple, set, frozenset, collections.deque)):
            return self._sequence(value, name)
        if type(value) is dict:
            return {_KIND: "dict", "of": [[self.plain(key, f"a key of {name}"), self.plain(one, f"{name}[{key!r}]")]
                                          for key, one in value.items()]}
        if isinstance(value, numpy.random.Generator) and type(value.bit_generator).__name__ in _GENERATORS:
            return {_KIND: "generator", "of": self.plain(value.bit_generator.state, name)}
        if type(value) is random.Random:
            return {_KIND: "random", "of": self.plain(value.getstate(), name)}
        raise WrongType(f"expected numbers, texts, arrays, and lists or dictionaries of them, found {name} of the type "
                        f"{type(value).__module__}.{type(value).__qualname__}",
                        "define save and load, or name in 'state' the attributes that belong to the state")

    def _once(self, value: Any, name: str) -> None:
        known = self._seen.setdefault(id(value), (name, value))
        if known[0] != name and not isinstance(value, (tuple, frozenset)):
            raise WrongType(f"expected every list, dictionary and array once, found {known[0]} and {name} to be the same "
                            "object", "keep a copy, or define save and load, which restore that")

    def _sequence(self, value: Any, name: str) -> Any:
        for kind in _SEQUENCES.values():
            if type(value) is kind:
                values = sorted(value) if kind in (set, frozenset) else value
                found = {_KIND: kind.__name__, "of": [self.plain(one, f"{name}[{i}]") for i, one in enumerate(values)]}
                if kind is collections.deque:
                    found["most"] = value.maxlen
                return found
        raise WrongType(f"expected a tuple, set or deque, found {name} of the type {type(value).__qualname__}",
                        "define save and load")

    def _scalar(self, value: Any) -> Any:
        return {**self._part("scalar", value.tobytes()), "type": value.dtype.str}

    def _array(self, value: numpy.ndarray, name: str) -> Any:
        if value.dtype.kind not in "biufcmMSU":
            raise WrongType(f"expected an array of numbers, found {name} of the dtype {value.dtype}",
                            "define save and load")
        owner: Any = value
        while isinstance(owner, numpy.ndarray) and owner.base is not None:
            owner = owner.base
        beside = self._arrays.setdefault(id(owner), [])
        for other_name, other in beside:
            if numpy.may_share_memory(value, other):
                raise WrongType(f"expected arrays with memory of their own, found that {other_name} and {name} share it",
                                "keep a copy (.copy()), or define save and load, which restore that")
        beside.append((name, value))
        found = self._part("array", numpy.ascontiguousarray(value).tobytes())
        return {**found, "type": value.dtype.str, "shape": list(value.shape)}

    def _part(self, kind: str, data: bytes) -> dict[str, Any]:
        self.parts.append(data)
        return {_KIND: kind, "size": len(data)}


class _Reader:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def value(self) -> Any:
        """The value in the bytes."""
        try:
            (size,) = struct.unpack("<Q", self._take(8))
            value = self._whole(json.loads(self._take(size)))
        except FormatError:
            raise
        except Exception as error:
            raise FormatError(f"expected a state that a component in Python saved, found: {error}",
                              "use an undamaged checkpoint") from error
        if self._at != len(self._data):
            raise FormatError("expected a state that a component in Python saved, found more bytes after it",
                              "use an undamaged checkpoint")
        return value

    def _take(self, size: Any) -> bytes:
        if type(size) is not int or not 0 <= size <= len(self._data) - self._at:
            raise FormatError(f"expected {size} bytes of a state, found {len(self._data) - self._at}",
                              "use an undamaged checkpoint")
        self._at += size
        return self._data[self._at - size:self._at]

    def _whole(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._whole(one) for one in value]
        if not isinstance(value, dict):
            return value
        kind = value[_KIND]
        if kind == "bytes":
            return self._take(value["size"])
        if kind in ("datetime", "path"):
            return datetime.datetime.fromisoformat(value["of"]) if kind == "datetime" else pathlib.Path(value["of"])
        if kind in ("scalar", "array"):
            found = numpy.frombuffer(self._take(value["size"]), dtype=_dtype(value["type"]))
            return found[0] if kind == "scalar" else found.reshape(value["shape"]).copy()
        inside = [self._whole(one) for one in value["of"]] if isinstance(value["of"], list) else self._whole(value["of"])
        if kind == "timedelta":
            return datetime.timedelta(*inside)
        if kind == "masked":
            return numpy.ma.MaskedArray(inside[0], mask=inside[1])
        if kind == "dict":
            return {key: one for key, one in inside}
        if kind == "deque":
            return collections.deque(inside, value["most"])
        if kind in _SEQUENCES:
            return Time(*inside) if kind == "Time" else Duration(*inside) if kind == "Duration" else \
                _SEQUENCES[kind](inside)
        if kind == "generator" and inside["bit_generator"] in _GENERATORS:
            inner = inside["state"]
            # NumPy does not check these, and reads where they say.
            if not 0 <= int(inner.get("pos", 0)) <= 624 or not 0 <= int(inside.get("buffer_pos", 0)) <= 4:
                raise FormatError("expected the state of a random generator, found one beyond its memory",
                                  "use an undamaged checkpoint")
            bits = getattr(numpy.random, inside["bit_generator"])()
            bits.state = inside
            return numpy.random.Generator(bits)
        if kind == "random":
            generator = random.Random()
            generator.setstate(inside)
            return generator
        raise FormatError(f"expected a known kind of value in a state, found {kind!r}", "use an undamaged checkpoint")


def _dtype(text: Any) -> numpy.dtype:
    found = numpy.dtype(str(text))
    if found.hasobject:
        raise FormatError(f"expected a dtype of numbers, found {text!r}", "use an undamaged checkpoint")
    return found
