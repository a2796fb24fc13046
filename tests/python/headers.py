"""The public members of C++ headers, read from their text.

A reader for the headers of this project, as clang-format lays them out; not for C++ at large. What it returns is tested
in test_completeness.py.
"""

import re

_NOISE = re.compile(r'/\*.*?\*/|//[^\n]*|R"\((?:.|\n)*?\)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', re.DOTALL)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", re.MULTILINE)
_ACCESS = re.compile(r"^\s*(public|protected|private)\s*:(?!:)")
_TEMPLATE = re.compile(r"\s*template\s*<")
_TYPE = re.compile(r"^(?:typedef\s+)?(class|struct|union|enum(?:\s+(?:class|struct))?)\b\s*(?:\[\[[^]]*\]\]\s*)?([A-Za-z_]\w*)?")
_MACRO = re.compile(r"^\s*OPENMI_DECLARE_ERROR\((\w+),\s*\w+\)")


def members(text):
    """The names of the public members of a header, qualified with their classes, without the namespace openmi.

    Constructors, destructors, operators, friends and what is in a namespace of details are left out.
    """
    text = _DIRECTIVE.sub("", _NOISE.sub(" ", text))
    found = []
    _scope(text, 0, [], True, None, found)
    return list(dict.fromkeys(found))


def _scope(text, at, names, is_public, class_name, found):
    """Reads declarations from `at` to the end of their scope; returns the place behind it."""
    visible = is_public
    start = at
    while at < len(text):
        access = _ACCESS.match(text[start:at + 1]) if class_name is not None else None
        if access:
            visible = is_public and access.group(1) == "public"
            start = at + 1
        character = text[at]
        if character == "(":
            at = _behind(text, at, "()")
            continue
        if character == ";":
            if visible:
                _declare(text[start:at], names, class_name, found)
            start = at + 1
        elif character == "}":
            return at + 1
        elif character == "{":
            head = _plain(text[start:at])
            kind = _TYPE.match(head)
            if re.match(r"(inline\s+)?namespace\b|extern\s*$", head):
                is_detail = re.search(r"\b(detail|internal)\b", head) is not None
                at = _scope(text, at + 1, names, visible and not is_detail, None, found)
                start = at
                continue
            if kind and "=" not in head and "(" not in head:
                at = _type(text, at, kind, names, visible, found)
                start = at
                continue
            at = _behind(text, at, "{}")
            is_function = re.search(r"\)[\s\w:&>*,()<-]*$", head) is not None and "=" not in _outside_parentheses(head)
            if is_function:
                if visible:
                    _declare(head, names, class_name, found)
                start = at
            continue
        at += 1
    return at


def _type(text, at, kind, names, visible, found):
    """Reads a class or an enumeration whose body begins at `at`; returns the place behind it."""
    what, name = kind.group(1), kind.group(2)
    own = [*names, name] if name else names
    if visible and name:
        found.append("::".join(own))
    if what.startswith("enum"):
        end = _behind(text, at, "{}")
        if visible:
            for one in text[at + 1:end - 1].split(","):
                label = re.match(r"\s*(\w+)", one)
                if label:
                    found.append("::".join([*own, label.group(1)]))
        return end
    end = _behind(text, at, "{}")
    first = "private:" if what == "class" else "public:"  # as if it stood there
    _scope(first + text[at + 1:end - 1], 0, own, visible, name or "", found)
    return end


def _behind(text, at, pair):
    """The place behind the bracket that closes the one at `at`."""
    depth = 0
    while at < len(text):
        if text[at] == pair[0]:
            depth += 1
        elif text[at] == pair[1]:
            depth -= 1
            if depth == 0:
                return at + 1
        at += 1
    return at


def _plain(text):
    """A declaration without template parameters and attributes in front."""
    text = text.strip()
    while _TEMPLATE.match(text):
        text = text[_behind(text, text.index("<"), "<>"):].strip()
    return re.sub(r"^(\[\[[^]]*\]\]\s*)+", "", re.sub(r"^requires\b.*?\)\s*", "", text))


def _outside_parentheses(text):
    depth, kept = 0, ""
    for character in text:
        depth += (character == "(") - (character == ")")
        kept += character if depth == 0 else ""
    return re.sub(r"operator\s*[=!<>]+", "operator", kept)


def _declare(text, names, class_name, found):
    """Adds what one declaration declares."""
    text = _plain(text)
    macro = _MACRO.match(text)
    if macro:
        found.append("::".join([*names, macro.group(1)]))
        return
    pointer = re.match(r"typedef\b[^;]*\(\s*\*\s*(\w+)\s*\)", text)
    if pointer:
        found.append("::".join([*names, pointer.group(1)]))
        return
    alias = re.match(r"using\s+(\w+)\s*=", text)
    if alias:
        found.append("::".join([*names, alias.group(1)]))
        return
    text = re.sub(r"^typedef\s+(struct|enum|union)\s+", "", text)
    if not text or re.match(r"(using|friend|static_assert|class|struct|enum|extern\s*$)\b", text) or "operator" in text:
        return
    text = re.sub(r"\[\[[^]]*\]\]", "", text)
    flat = re.sub(r"<[^<>]*>", "", text)
    while flat != text:
        text, flat = flat, re.sub(r"<[^<>]*>", "", flat)
    function = re.match(r"[^=]*?([~\w]+)\s*\(", text)
    if function and not re.match(r"[^=(]*\{", text):
        name = function.group(1)
        if name != class_name and not name.startswith("~") and name not in ("noexcept", "decltype"):
            found.append("::".join([*names, name]))
        return
    for part in re.split(r",(?![^{]*\})", text):
        name = re.match(r"[^={[]*?(\w+)\s*(?:\[[^]]*\]\s*)?(?::\s*\d+\s*)?(?:[={].*)?$", part.strip(), re.DOTALL)
        if name:
            found.append("::".join([*names, name.group(1)]))
