"""Compares the tables of elements and attributes in docs/ with the schemas, whose documentation they state.

usage: SchemaTables.py FOLDER_OF_SOURCES; with OPENMI_WRITE_DOCS=1 in the environment it writes the tables.

A table stands between a line <!-- code: NAME.xsd --> and the next line <!-- end -->.
"""
import os
import pathlib
import re
import sys
import xml.etree.ElementTree as ET

XS = "{http://www.w3.org/2001/XMLSchema}"
PAGES = {
    "composition-files.md": "Composition.xsd",
    "omi-files.md": "LinkableComponent.xsd",
    "studies.md": "Study.xsd",
}


def documentation(node):
    text = node.find(f"{XS}annotation/{XS}documentation")
    return "" if text is None else " ".join(text.text.split())


def values(node, types):
    """The values that an attribute or an element with text may have."""
    kind = node.get("type", "")
    simple = node.find(f"{XS}simpleType")
    if simple is None:
        simple = types.get(kind)
    if simple is None or simple.tag != XS + "simpleType":
        return {"xs:string": "text", "xs:double": "number", "xs:boolean": "`true`, `false`", "xs:positiveInteger": "whole number, at least 1",
                "xs:nonNegativeInteger": "whole number, at least 0"}[kind]
    restriction = simple.find(f"{XS}restriction")
    bounds = {bound: restriction.find(XS + bound) for bound in ("minInclusive", "maxInclusive", "minExclusive")}
    bounds = {bound: found.get("value") for bound, found in bounds.items() if found is not None}
    names = [one.get("value") for one in restriction.iter(XS + "enumeration")]
    if names:
        return ", ".join(f"`{name}`" for name in names)
    if "maxInclusive" in bounds:
        return f"{bounds['minInclusive']} to {bounds['maxInclusive']}"
    if "minInclusive" in bounds:
        return f"number, at least {bounds['minInclusive']}"
    if "minExclusive" in bounds:
        return f"number, above {bounds['minExclusive']}"
    return f"[{kind}](#kinds-of-values)" if documentation(simple) else "text"


class Schema:
    def __init__(self, path):
        self.root = ET.parse(path).getroot()
        self.types = {one.get("name"): one for one in self.root if one.get("name") and one.tag != XS + "element"}

    def complex_type(self, element):
        inner = element.find(f"{XS}complexType")
        named = self.types.get(element.get("type"))
        return inner if inner is not None else named if named is not None and named.tag == XS + "complexType" else None

    def elements(self, element):
        """The element and all elements in it, each once."""
        seen = {}
        waiting = [element]
        while waiting:
            one = waiting.pop(0)
            if one.get("name") in seen:
                continue
            seen[one.get("name")] = one
            body = self.complex_type(one)
            if body is not None:
                waiting += list(body.iter(XS + "element"))
        return seen

    def tables(self):
        text = ""
        for name, element in self.elements(self.root.find(XS + "element")).items():
            body = self.complex_type(element)
            said = documentation(element) or (documentation(body) if body is not None else "")
            text += f"## {name}\n\n{said}\n" if said else f"## {name}\n"
            if body is None:
                text += f"\nOne of {values(element, self.types)}.\n\n"
                continue
            # Attributes of elements defined inside this one are theirs.
            attributes = [one for one in body if one.tag == XS + "attribute"]
            inside = [one.get("name") for group in body for one in group if one.tag == XS + "element"]
            if attributes:
                text += "\n| attribute | value | default | meaning |\n| --- | --- | --- | --- |\n"
            for one in attributes:
                if not documentation(one):
                    sys.exit(f"expected documentation of the attribute {one.get('name')} of {name}, found none")
                default = "needed" if one.get("use") == "required" else f"`{one.get('default')}`" if one.get("default") else ""
                text += f"| `{one.get('name')}` | {values(one, self.types)} | {default} | {documentation(one)} |\n"
            if inside:
                text += "\nInside: " + ", ".join(f"[`{one}`](#{one.lower()})" for one in inside) + ".\n"
            text += "\n"
        kinds = [(name, one) for name, one in self.types.items() if one.tag == XS + "simpleType" and documentation(one)]
        if kinds:
            text += "## Kinds of values\n\n| kind | form |\n| --- | --- |\n"
            text += "".join(f"| {name} | {documentation(one)} |\n" for name, one in kinds) + "\n"
        return text


def main():
    root = pathlib.Path(sys.argv[1])
    for page, schema in PAGES.items():
        path = next((root / "docs").rglob(page))
        text = path.read_text(encoding="utf-8")
        mark = f"<!-- code: {schema} -->\n"
        found = re.search(re.escape(mark) + r"(.*?)(?=<!-- end -->)", text, re.S)
        if not found:
            sys.exit(f"{path}: expected a line {mark.strip()} and below it a line <!-- end -->, found none")
        made = Schema(root / "schemas" / schema).tables()
        if os.environ.get("OPENMI_WRITE_DOCS"):
            path.write_text(text[:found.start(1)] + made + text[found.end(1):], encoding="utf-8")
        elif found[1] != made:
            sys.exit(f"{path}: expected what {schema} says, found something else; run this test with OPENMI_WRITE_DOCS=1")
    print("the tables say what the schemas say")


main()
