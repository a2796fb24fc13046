"""Arguments of components and adaptors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, Sequence

from .errors import ArgumentError, StateError

if TYPE_CHECKING:
    from ._component import Argument

# The numbers of openmi_component.h.
TYPES = {float: 0, int: 1, bool: 2, str: 3, bytes: 4}
_MEANINGS = {"": 0, "plain": 1, "path": 2, "library": 3, "host": 4, "environment-variable": 5, "secret": 6}
_OPTIONAL, _READ_ONLY, _TUNABLE = 1, 2, 4
_type_of = type


class _NoHost:
    """In place of the host of a component that no run has made."""

    def __getattr__(self, name: str) -> Any:
        raise StateError("expected a component that a run has made, found one that was made by hand",
                         "to test it, use openmi check --component, or add the class to an openmi.Composition")


class WithArguments:
    """What components and adaptors have in common."""

    _host: Any = _NoHost()

    def argument(self, id: str, value: Any = None, *, type: Optional[type] = None, unit: str = "", minimum: Any = None,
                 maximum: Any = None, choices: Optional[Sequence[Any]] = None, caption: str = "", description: str = "",
                 optional: bool = False, read_only: bool = False, tunable: bool = False, meaning: str = "") -> Argument:
        """Declares an argument. In `setup` only.

        Args:
            id: its key in OMI files.
            value: the default; None: users have to give one, unless it is optional.
            type: float, int, bool or str; None: that of the default, or float.
            unit, minimum, maximum: of numbers.
            choices: the values that are allowed; None: all.
            caption, description: texts for users.
            optional: it may have no value.
            read_only: it is shown, and users cannot set it.
            tunable: it may change between two steps.
            meaning: of a text: "path", "library", "host", "environment-variable", "secret", or "plain" if it refers to
                nothing outside the component.
        Returns:
            the argument, whose `value` can be read from `initialize` on.
        Raises:
            ArgumentError: the type or meaning is unknown.
        """
        kind = type or (float if value is None else float if isinstance(value, float) else _type_of(value))
        if kind not in TYPES or kind is bytes:
            raise ArgumentError(f"expected float, int, bool or str as the type of an argument, found {kind!r}",
                                "give one as type=", item=id)
        if meaning not in _MEANINGS:
            raise ArgumentError(f"expected a meaning of {', '.join(m for m in _MEANINGS if m)}, found '{meaning}'",
                                "write one of these", item=id)
        flags = (_OPTIONAL if optional else 0) | (_READ_ONLY if read_only else 0) | (_TUNABLE if tunable else 0)

        def text(given: Any) -> Optional[str]:
            return None if given is None else _argument_text(kind, given, id)

        return self._host.add_argument(id, TYPES[kind], _MEANINGS[meaning], flags, caption or None, description or None,
                                       unit or None, text(value), text(minimum), text(maximum),
                                       None if choices is None else [text(one) for one in choices])

    def is_set(self, argument: str) -> bool:
        """Whether the user sets the argument, so that its value is not the default. The runtime has declared the arguments
        start-time, end-time and time-step."""
        return self._host.is_set(argument)

    @property
    def name(self) -> str:
        """The id of the component in its composition."""
        return self._host.name()


def _argument_text(kind: type, value: Any, id: str) -> str:
    if kind is bool:
        return "true" if value else "false"
    if kind is int:
        if int(value) != value:
            raise ArgumentError(f"expected a whole number, found {value!r}", "give one, or type=float", item=id)
        return str(int(value))
    return repr(float(value)) if kind is float else str(value)
