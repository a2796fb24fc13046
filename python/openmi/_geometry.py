"""Geometries of elements as arrays."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional

import numpy

from .errors import ArgumentError

_POINTS, _LINES, _POLYGONS = 1, 2, 3
_SHAPES = {"Point": _POINTS, "LineString": _LINES, "Polygon": _POLYGONS, "MultiPolygon": _POLYGONS}


class Shapes(NamedTuple):
    """Elements as openmi_elements has them."""

    shape: int
    count: int
    ids: Optional[list[str]]
    is_geojson: bool
    x: Any
    y: Any
    z: Any
    vertices: Any
    rings: Any
    holes: Any


def shapes_of(geometry: Any, id_property: Optional[str]) -> Shapes:
    """The points, lines or polygons of what users give.

    Args:
        geometry: as `SteppingComponent.elements` takes it.
        id_property: of features; empty: their member "id"; None: no ids are wanted.
    Raises:
        ArgumentError: it is none of that, or of several kinds.
    """
    if isinstance(geometry, numpy.ndarray):
        return _points(geometry)
    given = getattr(geometry, "__geo_interface__", geometry)
    is_geojson = isinstance(given, dict) and given.get("type") in ("FeatureCollection", "Feature")
    if isinstance(given, dict):
        members = given["features"] if given.get("type") == "FeatureCollection" else [given]
    else:
        members = [getattr(one, "__geo_interface__", one) for one in given]
        if members and not isinstance(members[0], dict):
            return _points(numpy.asarray(members, dtype=float))
    ids: list[str] = []
    geometries = []
    for number, member in enumerate(members, 1):
        if member.get("type") == "Feature":
            ids.append(_id_of(member, id_property, number))
            member = member["geometry"]
        if not isinstance(member, dict) or member.get("type") not in _SHAPES:
            raise ArgumentError(f"expected Point, LineString, Polygon or MultiPolygon, found {_name(member)} as number "
                                f"{number}", "give one geometry for each element")
        geometries.append(member)
    shapes = {_SHAPES[one["type"]] for one in geometries}
    if len(shapes) != 1:
        raise ArgumentError("expected points, lines or polygons, found " +
                            (" and ".join(sorted({one["type"] for one in geometries})) or "no geometry"),
                            "make a set of elements for each kind")
    return _flat(shapes.pop(), geometries, ids if len(ids) == len(geometries) and id_property is not None else None,
                 is_geojson)


def _points(array: numpy.ndarray) -> Shapes:
    if array.ndim != 2 or array.shape[1] not in (2, 3):
        raise ArgumentError(f"expected points as an array of the shape (n, 2) or (n, 3), found {array.shape}",
                            "give a row for each point")
    x, y, *z = (numpy.ascontiguousarray(column, dtype=float) for column in array.T)
    return Shapes(_POINTS, len(array), None, False, x, y, z[0] if z else None, None, None, None)


def _id_of(feature: dict[str, Any], id_property: Optional[str], number: int) -> str:
    if not id_property:
        return str(feature.get("id", number))
    properties = feature.get("properties") or {}
    if id_property not in properties:
        raise ArgumentError(f"expected the property '{id_property}' of feature {number}, found " +
                            (", ".join(properties) or "none"), "name another one as id=")
    return str(properties[id_property])


def _name(member: Any) -> str:
    return str(member.get("type")) if isinstance(member, dict) else repr(member)


def _flat(shape: int, geometries: list[dict[str, Any]], ids: Optional[list[str]], is_geojson: bool) -> Shapes:
    paths: list[Any] = []  # lists of vertices
    rings: list[int] = []
    holes: list[int] = []
    for one in geometries:
        if shape == _POINTS:
            paths.append([one["coordinates"]])
        elif shape == _LINES:
            paths.append(one["coordinates"])
        else:
            parts = one["coordinates"] if one["type"] == "MultiPolygon" else [one["coordinates"]]
            rings.append(sum(len(part) for part in parts))
            for part in parts:
                for number, ring in enumerate(part):
                    paths.append(ring[:-1] if len(ring) > 1 and tuple(ring[0]) == tuple(ring[-1]) else ring)
                    holes.append(1 if number > 0 else 0)
    vertices = numpy.array([vertex for path in paths for vertex in path], dtype=float)
    x, y, *z = (numpy.ascontiguousarray(column) for column in vertices.T)
    if shape == _POINTS:
        return Shapes(shape, len(geometries), ids, is_geojson, x, y, z[0] if z else None, None, None, None)
    lengths = numpy.array([len(path) for path in paths], dtype=numpy.uintp)
    if shape == _LINES:
        return Shapes(shape, len(geometries), ids, is_geojson, x, y, z[0] if z else None, lengths, None, None)
    return Shapes(shape, len(geometries), ids, is_geojson, x, y, z[0] if z else None, lengths,
                  numpy.array(rings, dtype=numpy.uintp), numpy.array(holes, dtype=numpy.uint8))
