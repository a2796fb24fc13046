"""Models with the Basic Model Interface in Python (bmipy), as the struct of functions that BMI has in C.

The bridge to BMI libraries uses such a model like one in C. See docs/bmi.md; the order and types of the functions are
those of bmi-bridge/abi/bmi.h.
"""

from __future__ import annotations

import ctypes
import inspect
from ctypes import CFUNCTYPE, POINTER, c_char, c_char_p, c_double, c_int, c_void_p
from typing import Any, Callable, Optional

import numpy

from . import _script
from .errors import LoadError

_SUCCESS, _FAILURE = 0, 1
_TEXT_SIZE = 2048  # of the buffers of the caller
_SELF = c_void_p
_INT, _DOUBLE, _TEXT = POINTER(c_int), POINTER(c_double), POINTER(c_char)

#: The functions, in their order, with the types of their arguments behind the struct itself.
_FUNCTIONS: dict[str, tuple[Any, ...]] = {
    "initialize": (c_char_p,), "update": (), "update_until": (c_double,), "finalize": (),
    "get_component_name": (_TEXT,), "get_input_item_count": (_INT,), "get_output_item_count": (_INT,),
    "get_input_var_names": (POINTER(_TEXT),), "get_output_var_names": (POINTER(_TEXT),),
    "get_var_grid": (c_char_p, _INT), "get_var_type": (c_char_p, _TEXT), "get_var_units": (c_char_p, _TEXT),
    "get_var_itemsize": (c_char_p, _INT), "get_var_nbytes": (c_char_p, _INT), "get_var_location": (c_char_p, _TEXT),
    "get_current_time": (_DOUBLE,), "get_start_time": (_DOUBLE,), "get_end_time": (_DOUBLE,),
    "get_time_units": (_TEXT,), "get_time_step": (_DOUBLE,),
    "get_value": (c_char_p, c_void_p), "get_value_ptr": (c_char_p, POINTER(c_void_p)),
    "get_value_at_indices": (c_char_p, c_void_p, _INT, c_int), "set_value": (c_char_p, c_void_p),
    "set_value_at_indices": (c_char_p, _INT, c_int, c_void_p),
    "get_grid_rank": (c_int, _INT), "get_grid_size": (c_int, _INT), "get_grid_type": (c_int, _TEXT),
    "get_grid_shape": (c_int, _INT), "get_grid_spacing": (c_int, _DOUBLE), "get_grid_origin": (c_int, _DOUBLE),
    "get_grid_x": (c_int, _DOUBLE), "get_grid_y": (c_int, _DOUBLE), "get_grid_z": (c_int, _DOUBLE),
    "get_grid_node_count": (c_int, _INT), "get_grid_edge_count": (c_int, _INT), "get_grid_face_count": (c_int, _INT),
    "get_grid_edge_nodes": (c_int, _INT), "get_grid_face_edges": (c_int, _INT), "get_grid_face_nodes": (c_int, _INT),
    "get_grid_nodes_per_face": (c_int, _INT),
}
#: What a class has to have to be taken for a model.
_NEEDED = ("initialize", "update", "finalize", "get_input_var_names", "get_output_var_names", "get_value", "set_value",
           "get_current_time", "get_time_step")

_models: dict[int, "Model"] = {}


class Model:
    """One object of a class with BMI, and its functions in C."""

    def __init__(self, of: type, script: _script.Loaded):
        self.script = script
        self.bmi = of()
        self.what_failed = b""
        self._arrays: dict[str, numpy.ndarray] = {}
        self._kept: dict[str, Any] = {}  # arrays whose memory the caller uses
        self.functions = {name: self._in_c(name, types) for name, types in _FUNCTIONS.items()}

    def _in_c(self, name: str, types: tuple[Any, ...]) -> Any:
        work: Callable[..., None] = getattr(self, "_" + name, None) or self._plain(name, types)

        def call(_: int, *given: Any) -> int:
            try:
                work(*given)
                return _SUCCESS
            except BaseException as error:  # noqa: B902: nothing may pass into C
                try:
                    message, _, _, file, line = _script.explain(name, type(self.bmi), error, error.__traceback__)
                    place = f"{file}:{line}: " if file and line else f"{file}: " if file else ""
                    self.what_failed = f"{place}{message}".encode()
                except BaseException:  # noqa: B902
                    self.what_failed = b"an exception that cannot be shown"
                return _FAILURE
        return CFUNCTYPE(c_int, _SELF, *types)(call)

    def _plain(self, name: str, types: tuple[Any, ...]) -> Callable[..., None]:
        """A function whose last argument takes what the one in Python returns or fills."""
        def work(*given: Any) -> None:
            function = getattr(self.bmi, name)
            *before, to = given
            before = [one.decode() if isinstance(one, bytes) else one for one in before]
            kind = types[-1]
            if name.startswith("get_grid_") and name[9:] in _GRID_SIZES:
                filled = numpy.empty(_GRID_SIZES[name[9:]](self.bmi, before[0]), dtype=float if kind is _DOUBLE else "intc")
                found = function(*before, filled)
                size = filled.size
                filled = filled if found is None else numpy.ascontiguousarray(found, dtype=filled.dtype)
                if filled.size != size:
                    raise ValueError(f"expected {size} values from {name}, found {filled.size}")
                ctypes.memmove(to, filled.ctypes.data, filled.nbytes)
            elif kind is _TEXT:
                _put_text(to, function(*before))
            else:
                to[0] = int(function(*before)) if kind is _INT else float(function(*before))
        return work

    # The functions of other forms.

    def _initialize(self, file: Optional[bytes]) -> None:
        text = (file or b"").decode()
        first = next(iter(inspect.signature(self.bmi.initialize).parameters.values()), None)
        if text or first is None or first.default is inspect.Parameter.empty:
            self.bmi.initialize(*[text] if first is not None else [])
        else:
            self.bmi.initialize()

    def _update(self) -> None:
        self.bmi.update()

    def _update_until(self, time: float) -> None:
        self.bmi.update_until(time)

    def _finalize(self) -> None:
        self._kept.clear()
        self._arrays.clear()
        self.bmi.finalize()

    def _get_input_item_count(self, to: Any) -> None:
        to[0] = len(self.bmi.get_input_var_names())

    def _get_output_item_count(self, to: Any) -> None:
        to[0] = len(self.bmi.get_output_var_names())

    def _get_input_var_names(self, to: Any) -> None:
        for number, name in enumerate(self.bmi.get_input_var_names()):
            _put_text(to[number], name)

    def _get_output_var_names(self, to: Any) -> None:
        for number, name in enumerate(self.bmi.get_output_var_names()):
            _put_text(to[number], name)

    def _array(self, name: str) -> numpy.ndarray:
        """An array of the size and type of a variable, made once."""
        if name not in self._arrays:
            kind = numpy.dtype(self.bmi.get_var_type(name))
            self._arrays[name] = numpy.empty(self.bmi.get_var_nbytes(name) // kind.itemsize, dtype=kind)
        return self._arrays[name]

    def _get_value(self, name: bytes, to: int) -> None:
        array = self._array(name.decode())
        found = self.bmi.get_value(name.decode(), array)
        if found is not None and found is not array:
            array[:] = numpy.asarray(found).reshape(-1)
        ctypes.memmove(to, array.ctypes.data, array.nbytes)

    def _get_value_ptr(self, name: bytes, to: Any) -> None:
        array = numpy.asarray(self.bmi.get_value_ptr(name.decode()))
        if not array.flags.c_contiguous:
            raise ValueError(f"the memory of {name.decode()} is not in one piece")
        self._kept[name.decode()] = array
        to[0] = array.ctypes.data

    def _set_value(self, name: bytes, source: int) -> None:
        array = self._array(name.decode())
        ctypes.memmove(array.ctypes.data, source, array.nbytes)
        self.bmi.set_value(name.decode(), array)

    def _get_value_at_indices(self, name: bytes, to: int, indices: Any, count: int) -> None:
        array = numpy.empty(count, dtype=self._array(name.decode()).dtype)
        self.bmi.get_value_at_indices(name.decode(), array, numpy.array(indices[:count]))
        ctypes.memmove(to, array.ctypes.data, array.nbytes)

    def _set_value_at_indices(self, name: bytes, indices: Any, count: int, source: int) -> None:
        array = numpy.empty(count, dtype=self._array(name.decode()).dtype)
        ctypes.memmove(array.ctypes.data, source, array.nbytes)
        self.bmi.set_value_at_indices(name.decode(), numpy.array(indices[:count]), array)


def _size(bmi: Any, grid: int) -> int:
    return int(bmi.get_grid_size(grid))


def _edges(bmi: Any, grid: int) -> int:
    return 2 * int(bmi.get_grid_edge_count(grid))


def _sides(bmi: Any, grid: int) -> int:
    counts = numpy.empty(int(bmi.get_grid_face_count(grid)), dtype="intc")
    found = bmi.get_grid_nodes_per_face(grid, counts)
    return int(numpy.sum(counts if found is None else found))


def _coordinates(axis: int) -> Callable[[Any, int], int]:
    """How many coordinates a grid has along an axis, counted from the last one."""
    def count(bmi: Any, grid: int) -> int:
        if bmi.get_grid_type(grid) != "rectilinear":
            return _size(bmi, grid)
        shape = numpy.empty(int(bmi.get_grid_rank(grid)), dtype="intc")
        found = bmi.get_grid_shape(grid, shape)
        return int((shape if found is None else numpy.asarray(found))[-1 - axis])
    return count


_GRID_SIZES: dict[str, Callable[[Any, int], int]] = {
    "shape": lambda bmi, grid: int(bmi.get_grid_rank(grid)), "spacing": lambda bmi, grid: int(bmi.get_grid_rank(grid)),
    "origin": lambda bmi, grid: int(bmi.get_grid_rank(grid)), "x": _coordinates(0), "y": _coordinates(1),
    "z": _coordinates(2), "edge_nodes": _edges, "face_edges": _sides, "face_nodes": _sides,
    "nodes_per_face": lambda bmi, grid: int(bmi.get_grid_face_count(grid)),
}


def _put_text(to: Any, text: Any) -> None:
    data = str(text).encode()[:_TEXT_SIZE - 1] + b"\0"
    ctypes.memmove(to, data, len(data))


def fill(table: int, name: str, is_module: bool, type_name: str) -> None:
    """Makes a model and fills the struct at an address. Behind the struct lie two more functions: `last_error`, and `end`,
    which has to be called last.

    Raises:
        LoadError: the file has no class with BMI, or several and none is named.
    """
    script = _script.load(name, is_module)
    try:
        model = Model(_class_in(script.module, type_name), script)
    except BaseException:
        script.close()
        raise

    def last_error(_: int) -> int:
        return ctypes.cast(c_char_p(model.what_failed), c_void_p).value or 0

    def end(_: int) -> None:
        _models.pop(table, None)
        model.functions.clear()
        model.bmi = None
        model.script.close()
    words = ctypes.cast(table, POINTER(c_void_p))
    more = [CFUNCTYPE(c_void_p, _SELF)(last_error), CFUNCTYPE(None, _SELF)(end)]
    for number, function in enumerate([*model.functions.values(), *more], 1):
        words[number] = ctypes.cast(function, c_void_p)
    model.more = more  # type: ignore[attr-defined]
    _models[table] = model


def _class_in(module: Any, type_name: str) -> type:
    classes = {name: one for name, one in vars(module).items()
               if inspect.isclass(one) and not inspect.isabstract(one) and all(callable(getattr(one, f, None)) for f in _NEEDED)}
    own = {name: one for name, one in classes.items() if one.__module__ == module.__name__}
    if type_name:
        if type_name in classes:
            return classes[type_name]
        raise LoadError(f"expected a class '{type_name}' with the functions of BMI, found {', '.join(classes) or 'none'}",
                        "name one of these in the argument 'register'", file=module.__file__ or "")
    found = own or classes
    if len(found) != 1:
        raise LoadError(f"expected one class with the functions of BMI, found {', '.join(found) or 'none'}",
                        "name one in the argument 'register'" if found else
                        f"a class needs {', '.join(_NEEDED)}", file=module.__file__ or "")
    return next(iter(found.values()))
