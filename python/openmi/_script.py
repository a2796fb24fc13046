"""Files with components in Python: read, described, forgotten, and their exceptions explained.

The plug-in calls this module; see python-bridge/module/Types.cpp.
"""

from __future__ import annotations

import ast
import difflib
import gc
import importlib
import importlib.machinery
import inspect
import itertools
import os
import signal
import site
import sys
import sysconfig
import threading
import tokenize
import traceback
import types as kinds
from typing import Any, Optional

from ._adaptor import Adaptor
from .component import SteppingComponent
from .errors import Error, LoadError, ModelError

_THREAD_SAFE, _WHOLE_STEPS, _RESTARTABLE, _WRITES_FILES, _USES_COMMUNICATOR = 1, 2, 4, 8, 16
#: Where modules are that are not the user's own.
_INSTALLED = tuple({place + os.sep for place in [*site.getsitepackages(), site.getusersitepackages(),
                                                 *(sysconfig.get_paths()[kind] for kind in ("purelib", "platlib", "stdlib"))]})
_OWN = os.path.dirname(os.path.abspath(__file__)) + os.sep
_CALLED = ("setup", "initialize", "validate", "start", "finish", "step_end", "save", "load", "balance")
_OPTIONAL = ("finish", "step_end")

_open: list["Loaded"] = []
_lock = threading.RLock()  # round what reads and forgets files
_numbers = itertools.count(1)
_packages: dict[str, str] = {}  # that are being imported, with the folders above them


class _FromSource(importlib.machinery.SourceFileLoader):
    """Compiles a module each time it is imported: a cache may be that of a file which changed within a second."""

    def get_code(self, fullname: str) -> kinds.CodeType:
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


class _Finder:
    """Finds the modules that lie beside a file which is open, for what this file and these modules import."""

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> Any:
        folder = _packages.get(name.split(".")[0]) or _folder_of_importer()
        if folder is None:
            return None
        for place in [folder] if path is None else path:
            if (place + os.sep).startswith(folder + os.sep):
                finder = importlib.machinery.FileFinder(place, (_FromSource, importlib.machinery.SOURCE_SUFFIXES), (
                    importlib.machinery.ExtensionFileLoader, importlib.machinery.EXTENSION_SUFFIXES))
                if (spec := finder.find_spec(name)) is not None and spec.loader is not None:
                    return spec
        return None


def _folder_of_importer() -> Optional[str]:
    frame = sys._getframe(2)
    while frame is not None and frame.f_code.co_filename.startswith("<frozen importlib"):
        frame = frame.f_back  # type: ignore[assignment]
    file = frame.f_code.co_filename if frame is not None else ""
    return next((folder for folder in [*_reading, *(one.folder for one in _open)] if folder and file.startswith(folder + os.sep)), None)


_reading: list[str] = []  # folders of files that are being read
_now = threading.local()  # file: what this thread is reading


def require_no_reading() -> None:
    """Raises if a file that is being read for its components runs or checks a composition."""
    if (file := getattr(_now, "file", None)) is not None:
        raise LoadError("expected a file that only defines components when it is read, found one that runs or checks a "
                        "composition", 'put that under `if __name__ == "__main__":`', file=file)


def is_running(name: str) -> bool:
    """Whether a file is the program that runs, so that its classes exist already."""
    main = getattr(sys.modules.get("__main__"), "__file__", None)
    return bool(main) and os.path.exists(main) and os.path.exists(name) and os.path.samefile(main, name)


class Loaded:
    """A file or module that is read, until it is closed."""

    def __init__(self, module: kinds.ModuleType, folder: str):
        self.module = module
        self.folder = folder
        #: The types of components in it, as the module in C++ takes them.
        self.types: list[dict[str, Any]] = []
        _open.append(self)

    @property
    def files(self) -> list[str]:
        """The files of its own that were read, its own first; none of an installed module."""
        main = self.module.__file__ or ""
        return [main] + sorted({one.__file__ for one in _helpers(self.folder).values()} - {main}) if self.folder else []

    def close(self) -> None:
        """Forgets the file, and the modules of its folder that no other open file uses."""
        if sys.meta_path is None:
            return  # the interpreter ends, and takes all with it
        with _lock:
            _open.remove(self)
            if self.folder and all(other.module is not self.module for other in _open):
                gone = {self.module.__name__} if self.module.__name__.startswith(_PREFIX) else set()
                if all(other.folder != self.folder for other in _open):
                    gone |= set(_helpers(self.folder))
                for name in gone:
                    sys.modules.pop(name, None)
            self.module = None  # type: ignore[assignment]
            self.types = []
            gc.collect()


_PREFIX = "_openmi_file_"


def _helpers(folder: str) -> dict[str, Any]:
    """The modules of a folder that were read for a file in it."""
    return {name: one for name, one in list(sys.modules.items())
            if isinstance(getattr(getattr(one, "__spec__", None), "loader", None), _FromSource) and _lies_in(one, folder)}


def load(name: str, is_module: bool) -> Loaded:
    """Reads a file, or imports an installed module."""
    with _lock:
        if not any(isinstance(one, _Finder) for one in sys.meta_path):
            sys.meta_path.insert(0, _Finder())  # type: ignore[arg-type]
        if is_module:
            return Loaded(importlib.import_module(name), "")
        folder = os.path.dirname(name)
        if is_running(name):
            return Loaded(sys.modules["__main__"], folder)
        is_in_package = os.path.exists(os.path.join(folder, "__init__.py"))
        root, dotted = _package_of(name) if is_in_package else (folder, "")
        _reading.append(root)
        outer, _now.file = getattr(_now, "file", None), name
        try:
            if is_in_package:
                return Loaded(_imported(dotted, root), root)
            _require_own_modules(name, folder, set())
            return Loaded(_executed(name), folder)
        except BaseException:
            if all(other.folder != root for other in _open):
                for helper in _helpers(root):
                    sys.modules.pop(helper, None)
            raise
        finally:
            _reading.remove(root)
            _now.file = outer


def open_types(name: str, is_module: bool) -> Loaded:
    """The same, with the types of components in it."""
    loaded = load(name, is_module)
    try:
        loaded.types = _types_of(loaded.module)
    except BaseException:
        loaded.close()
        raise
    return loaded


def support() -> list[str]:
    """The files of this package that components need."""
    names = ("__init__", "_adaptor", "_arguments", "_bmi", "_geometry", "_script", "_state", "component", "errors")
    module = sys.modules["openmi._component"].__file__ or ""
    return [os.path.realpath(_OWN + name + ".py") for name in names] + [os.path.realpath(module)]


def _lies_in(module: Any, folder: str) -> bool:
    file = getattr(module, "__file__", None)
    return isinstance(file, str) and os.path.abspath(file).startswith(folder + os.sep)


def _package_of(path: str) -> tuple[str, str]:
    """The folder above the package of a file, and the dotted name of its module."""
    folder, name = os.path.split(path)
    parts = [] if name == "__init__.py" else [os.path.splitext(name)[0]]
    while os.path.exists(os.path.join(folder, "__init__.py")):
        folder, name = os.path.split(folder)
        parts.insert(0, name)
    return folder, ".".join(parts)


def _imported(name: str, root: str) -> kinds.ModuleType:
    top = name.split(".")[0]
    _packages[top] = root
    try:
        module = importlib.import_module(name)
    finally:
        del _packages[top]
    if not _lies_in(module, root):
        raise LoadError(f"expected the module '{name}' of {root}, found that this process already has the one of "
                        f"{getattr(module, '__file__', 'the interpreter')}", _APART)
    return module


_APART = 'give one of the two components a process of its own (Isolation="process"), or rename the module'


def _executed(path: str) -> kinds.ModuleType:
    """The module of a file. It has a name that no one imports, so that it stands in no one's way."""
    name = f"{_PREFIX}{next(_numbers)}_{os.path.splitext(os.path.basename(path))[0]}"
    with tokenize.open(path) as file:
        source = file.read()
    module = kinds.ModuleType(name)
    module.__file__ = path
    code = compile(source, path, "exec", dont_inherit=True)
    sys.modules[name] = module
    try:
        exec(code, module.__dict__)
    except BaseException:
        sys.modules.pop(name, None)
        raise
    return module


def _require_own_modules(path: str, folder: str, seen: set[str]) -> None:
    """Raises if a file, or a module beside it that it imports, imports a module of its folder, and the process has one of
    that name from elsewhere."""
    seen.add(path)
    with tokenize.open(path) as file:
        tree = ast.parse(file.read(), path)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [one.name for one in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names = [node.module]
        else:
            continue
        for name in {one.split(".")[0] for one in names}:
            own = next((place for place in (os.path.join(folder, name + ".py"), os.path.join(folder, name, "__init__.py"))
                        if os.path.exists(place)), None)
            if own is None or own in seen:
                continue
            other = getattr(sys.modules.get(name), "__file__", None)
            if name in sys.modules and (other is None or os.path.realpath(other) != os.path.realpath(own)):
                raise LoadError(f"expected the module '{name}' of {own}, found that this process already has that of "
                                f"{other or 'the interpreter'}", _APART, file=path, line=node.lineno)
            _require_own_modules(own, folder, seen)


def watch_time_limit() -> None:
    """Lets SIGXCPU, by which a run asks where a component computes too long, raise an error there."""
    def late(number: int, frame: Any) -> None:
        raise ModelError("expected the component to return within its time limit, found it computing")
    signal.signal(signal.SIGXCPU, late)


# The types of a module.

def _types_of(module: kinds.ModuleType) -> list[dict[str, Any]]:
    found = {}
    for name, one in vars(module).items():
        if inspect.isclass(one) and issubclass(one, SteppingComponent) and one.__module__ != SteppingComponent.__module__:
            found.setdefault(one, name)
    if any(one.__module__ == module.__name__ for one in found):  # others are there as base classes
        found = {one: name for one, name in found.items() if one.__module__ == module.__name__}
    described = [_described(one, name) for one, name in found.items() if not inspect.isabstract(one)]
    if not described:
        raise LoadError("expected a class derived from openmi.SteppingComponent, found none",
                        "write `class Model(openmi.SteppingComponent):` with a method step(self, begin, end)",
                        file=getattr(module, "__file__", None) or module.__name__)
    return described


def _described(of: type[SteppingComponent], name: str) -> dict[str, Any]:
    file, line = _place_of(of)
    if of.step is SteppingComponent.step:
        raise LoadError(f"expected the class {name} to define step(self, begin, end), found no step",
                        "define it" + _misspelt(of, "step"), file=file, line=line)
    _require_parameters(of, name, file, "step", "begin, end")
    flags = (_THREAD_SAFE if of.thread_safe else 0) | (_WHOLE_STEPS if of.whole_steps else 0) | \
        (_RESTARTABLE if of.restartable else 0) | (_WRITES_FILES if of.writes_files else 0) | \
        (_USES_COMMUNICATOR if of.uses_communicator else 0)
    has = {method for method in _OPTIONAL if getattr(of, method) is not getattr(SteppingComponent, method)}
    for method in has | {"setup", "initialize", "validate", "start"}:
        _require_parameters(of, name, file, method, {"start": "begin", "step_end": "begin, end"}.get(method, ""))
    if of.state is not None:
        has.add("state")
    if callable(getattr(of, "balance", None)):
        has.add("balance")
    return {"class": of, "type": name, "id": of.id or name, "description": inspect.cleandoc(of.__doc__ or ""),
            "time_step": str(of.time_step), "flags": flags, "state_version": int(of.state_version), "has": has,
            "adaptors": [_described_adaptor(one, name, file, line) for one in of.adaptors]}


def _described_adaptor(of: Any, component: str, file: str, line: int) -> dict[str, Any]:
    if not inspect.isclass(of) or not issubclass(of, Adaptor):
        raise LoadError(f"expected classes derived from openmi.Adaptor in {component}.adaptors, found {of!r}",
                        "list classes, as adaptors = [SoftLimit]", file=file, line=line)
    name = of.__name__
    file, line = _place_of(of)
    if of.map is Adaptor.map:
        raise LoadError(f"expected the class {name} to define map(self, values, out, duration), found no map",
                        "define it" + _misspelt(of, "map"), file=file, line=line)
    _require_parameters(of, name, file, "map", "values, out, duration")
    for method in ("setup", "initialize"):
        _require_parameters(of, name, file, method, "")
    return {"class": of, "id": of.id or name, "caption": of.caption or of.id or name,
            "description": inspect.cleandoc(of.__doc__ or "")}


def _place_of(of: type) -> tuple[str, int]:
    try:
        return inspect.getsourcefile(of) or "", inspect.getsourcelines(of)[1]
    except (OSError, TypeError):
        return "", 0


def _misspelt(of: type, method: str) -> str:
    names = [name for name in vars(of) if not name.startswith("_")]
    near = difflib.get_close_matches(method, names, 1)
    return f"; did you mean {near[0]}?" if near else ""


def _require_parameters(of: type, name: str, file: str, method: str, parameters: str) -> None:
    function = getattr(of, method)
    wanted = [one for one in ["self", *parameters.split(", ")] if one]
    try:
        inspect.signature(function).bind(*wanted)
    except ValueError:
        return  # a function that does not say
    except TypeError:
        line = getattr(getattr(function, "__code__", None), "co_firstlineno", 0)
        raise LoadError(f"expected {name}.{method}({', '.join(wanted)}), found {method}{inspect.signature(function)}",
                        "give it these parameters", file=file, line=line) from None


def misspelt(of: type) -> list[tuple[str, str]]:
    """Functions of a class whose names are near those that the runtime calls, which the class has not."""
    wanted = [name for name in _CALLED if getattr(of, name, None) is getattr(SteppingComponent, name, None)]
    own = [name for name, value in vars(of).items()
           if inspect.isfunction(value) and not hasattr(SteppingComponent, name) and name not in _CALLED]
    near = ((name, difflib.get_close_matches(name, wanted, 1, 0.8)) for name in own)
    return [(name, found[0]) for name, found in near if found]


# What went wrong.

def explain(function: str, of: Optional[type], error: BaseException, trace: Any) -> tuple[str, str, str, str, int]:
    """The message, remedy, item, file and line of an exception of a component of the class `of`. Texts can be UTF-8."""
    *texts, line = _explained(function, of, error, trace)
    message, remedy, item, file = (str(text).encode("utf-8", "backslashreplace").decode() for text in texts)
    return message, remedy, item, file, line


def _explained(function: str, of: Optional[type], error: BaseException, trace: Any) -> tuple[str, str, str, str, int]:
    file, line = _place_in(trace)
    if not file and of is not None:
        code = getattr(getattr(of, function, None), "__code__", None)
        is_own = code is not None and not code.co_filename.startswith(_OWN)
        file, line = (code.co_filename, code.co_firstlineno) if is_own else _place_of(of)
    if isinstance(error, SyntaxError) and error.filename:
        return f"expected Python, found: {error.msg}{_quoted(error.text)}", "correct the file", "", error.filename, \
            error.lineno or 0
    if isinstance(error, Error):
        return error.problem, error.remedy, error.item, error.file or file, error.line if error.file else line
    if isinstance(error, KeyboardInterrupt):
        return f"interrupted in {function}", "", "", file, line
    if isinstance(error, SystemExit):
        return f"expected the component to return, found that it calls sys.exit({error.code!r})", \
            "raise an error instead", "", file, line
    if isinstance(error, ModuleNotFoundError):
        return f"expected the Python module '{error.name}', found none in {_interpreter()}", \
            f"install it there, or put it beside {os.path.basename(file) or 'the file'}", "", file, line
    if isinstance(error, FileNotFoundError) and error.filename is not None:
        return f"expected the file '{error.filename}', found none", \
            "give a path that exists; self.path(name) starts at the folder of the OMI file", "", file, line
    text = "".join(traceback.format_exception_only(type(error), error)).strip().splitlines()
    at = f" in {function}" if function else ""
    remedy = _suggestion(error)
    if text and "read-only" in text[-1]:
        remedy = "the values of inputs belong to their providers; change a copy: values.copy()"
    return f"expected no exception{at}, found {text[-1] if text else type(error).__name__}{_calls(trace)}", remedy, "", \
        file, line


def _suggestion(error: BaseException) -> str:
    """The name that was meant, if an attribute or a variable is unknown and there is one like it."""
    name = getattr(error, "name", None)
    if not isinstance(error, (AttributeError, NameError)) or not name:
        return ""
    known = dir(error.obj) if isinstance(error, AttributeError) else []
    near = difflib.get_close_matches(name, known, 1)
    return f"did you mean '{near[0]}'?" if near else ""


def _quoted(text: Optional[str]) -> str:
    return f" in '{text.strip()}'" if text and text.strip() else ""


def _interpreter() -> str:
    return f"Python {sys.version_info.major}.{sys.version_info.minor} of {sys.prefix}"


def _frames(trace: Any) -> list[traceback.FrameSummary]:
    return [] if trace is None else list(traceback.StackSummary.extract(traceback.walk_tb(trace), lookup_lines=False))


def _is_users(frame: traceback.FrameSummary) -> bool:
    name = frame.filename
    if name.startswith((_OWN, "<")):
        return False
    return any(one.folder and name.startswith(one.folder + os.sep) for one in _open) or not name.startswith(_INSTALLED)


def _place_in(trace: Any) -> tuple[str, int]:
    """The innermost line that is the user's."""
    frames = [frame for frame in _frames(trace) if _is_users(frame)]
    return (frames[-1].filename, frames[-1].lineno or 0) if frames else ("", 0)


def _calls(trace: Any) -> str:
    """The calls between the component and the exception, if there are several lines."""
    frames = _frames(trace)
    while frames and frames[0].filename.startswith(_OWN):
        frames.pop(0)
    if len(frames) < 2:
        return ""
    shown = [f"{os.path.basename(frame.filename)}:{frame.lineno} {frame.name}" for frame in frames[-6:]]
    return f" ({' > '.join(shown)})"
