#!/usr/bin/env python3
"""Makes the small basin that the repository carries: shapes, weather and parameters, all invented.

usage: generate.py [FOLDER]        writes into FOLDER, by default ../data beside this file

A leaf-shaped basin of some 120 km2 drains from north to south along one stem. It is cut into six bands, each with a
sub-catchment on either side. The eastern ones hold a piece of the stem, the western ones a tributary that joins the stem
where its piece begins. Rain falls on a coarser lattice of 20 cells that knows nothing of the sub-catchments, hour by hour
for 30 days. The same run gives the same files to the last byte: the only random numbers are those of Random below.

    catchments.geojson   12 polygons; areasqkm (on the WGS84 ellipsoid), toid = the nexus it drains to
    flowpaths.geojson    12 lines; length_km, slope_percent (m/m, as in the data this imitates), toid, realized_catchment
    rain_cells.geojson   20 polygons
    rain.csv             mean rain of the hour that begins at 'time' [mm h-1], one column for each cell
    evaporation.csv      mean potential evaporation of the day that begins at 'time' [mm d-1]
    runoff.par           input of the legacy runoff solver: 12 catchments

Python's standard library only.
"""

import json
import math
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path

BANDS = 6
LENGTH = 20_000.0  # of the basin along the stem [m]
HALF_WIDTH = 5_000.0  # at its widest [m]
LIFT = 0.05  # how far upstream the border between two bands reaches at the ridge, in lengths of the basin
LONGITUDE, LATITUDE = 9.0, 48.0  # of the middle
HOURS = 720
BEGIN = datetime(2024, 3, 1, tzinfo=timezone.utc)
COLUMNS, ROWS = 4, 5  # of the rain's lattice

A, E2 = 6_378_137.0, 0.00669437999014  # WGS84: semi-major axis [m], eccentricity squared


class Random:
    """Park and Miller's minimal standard generator: the same everywhere, in every version of Python."""

    def __init__(self, seed):
        self.state = seed

    def __call__(self, low, high):
        self.state = self.state * 48271 % 2147483647
        return low + (high - low) * self.state / 2147483647.0


# --- shapes, first in metres from the middle of the basin (x east, y north), then in degrees


def width(s):
    return HALF_WIDTH * math.sin(math.pi * s) ** 0.65


def stem(s):
    x = 700.0 * math.sin(5.0 * s + 0.4) + 250.0 * math.sin(17.0 * s) + 80.0 * math.sin(43.0 * s + 1.0)
    return x, LENGTH * (0.5 - s)


def ridge(s, side):
    x, y = stem(s)
    wobble = 1.0 + 0.10 * math.sin(9.0 * s + side) + 0.04 * math.sin(31.0 * s + 2.0 * side)
    return x + side * width(s) * wobble, y


def border(band, side, t):
    """Point of the border above `band`: t = 0 on the stem, t = 1 on the ridge."""
    s = band / BANDS
    s_ridge = s - LIFT if 0 < band < BANDS else s
    x0, y0 = stem(s)
    x1, y1 = ridge(s_ridge, side)
    wave = 180.0 * math.sin(math.pi * t) * math.sin(7.0 * t + band + side) if 0 < band < BANDS else 0.0
    return x0 + (x1 - x0) * t, y0 + (y1 - y0) * t ** 1.4 + wave


def steps(count):
    return [i / count for i in range(count)]


def sub_catchment(band, side):
    s0, s1 = band / BANDS, (band + 1) / BANDS
    r0 = s0 - LIFT if band > 0 else s0
    r1 = s1 - LIFT if band + 1 < BANDS else s1
    ring = [stem(s0 + (s1 - s0) * t) for t in steps(10)]
    ring += [border(band + 1, side, t) for t in steps(8)] if band + 1 < BANDS else [stem(1.0)]
    if band + 1 < BANDS:
        ring += [ridge(r1 + (r0 - r1) * t, side) for t in steps(14)]
    else:
        ring += [ridge(r1 + (r0 - r1) * t, side) for t in steps(14)[1:]]
    if band > 0:
        ring += [border(band, side, 1.0 - t) for t in steps(8)]
    ring.append(ring[0])
    return ring  # the western ones run clockwise, the eastern ones do not: readers must not care


def tributary(band):
    """From near the western ridge to the stem, just below where the band's piece of the stem begins."""
    s0 = band / BANDS
    x0, y0 = ridge(s0 + 0.55 / BANDS - 0.6 * LIFT if band > 0 else 0.75 / BANDS, -1)
    x1, y1 = stem(s0 + (0.10 if band > 0 else 0.55) / BANDS)
    inside = 0.12 if band > 0 else 0.35
    points = []
    for i in range(13):
        t = i / 12.0
        u = inside + (1.0 - inside) * t
        bend = (260.0 if band > 0 else 120.0) * math.sin(3.0 * math.pi * t) * (1.0 - t)
        points.append((x0 + (x1 - x0) * u, y0 + (y1 - y0) * u + bend))
    return points


def degrees(point):
    latitude = math.radians(LATITUDE)
    root = math.sqrt(1.0 - E2 * math.sin(latitude) ** 2)
    meridian = A * (1.0 - E2) / root**3
    parallel = A / root * math.cos(latitude)
    return [
        round(LONGITUDE + math.degrees(point[0] / parallel), 6),
        round(LATITUDE + math.degrees(point[1] / meridian), 6),
    ]


def area_km2(ring):
    """Area on the ellipsoid, by the equal-area cylinder: exact but for the bend of sides a few hundred metres long."""
    e = math.sqrt(E2)

    def height(latitude):
        s = math.sin(math.radians(latitude))
        return 0.5 * A * (1.0 - E2) * (s / (1.0 - E2 * s * s) + math.atanh(e * s) / e)

    xy = [(A * math.radians(lon), height(lat)) for lon, lat in ring]
    twice = sum(p[0] * q[1] - q[0] * p[1] for p, q in zip(xy, xy[1:]))
    return abs(twice) / 2.0 / 1e6


def length_km(points):
    return sum(math.dist(p, q) for p, q in zip(points, points[1:])) / 1000.0


def feature(identity, properties, kind, coordinates):
    geometry = {"type": kind, "coordinates": coordinates}
    return {"type": "Feature", "id": identity, "properties": properties, "geometry": geometry}


def write_geojson(path, name, features):
    head = {
        "type": "FeatureCollection",
        "name": name,
        "description": "Invented by generate.py; lies on no real river.",
        "crs": {"type": "name", "properties": {"name": "urn:ogc:def:crs:OGC:1.3:CRS84"}},
    }
    text = json.dumps(head)[:-1] + ',\n"features": [\n' + ",\n".join(json.dumps(f) for f in features) + "\n]}\n"
    path.write_text(text, encoding="ascii", newline="\n")


def shapes(folder):
    """Writes the sub-catchments and reaches; returns identity and area of each sub-catchment."""
    catchments, flowpaths, areas = [], [], []
    for band in range(BANDS):
        for side in (-1, 1):
            number = 2 * band + (1 if side < 0 else 2)
            ring = [degrees(p) for p in sub_catchment(band, side)]
            area = area_km2(ring)
            areas.append((f"sc-{number:02d}", area))
            nexus = f"n-{2 * band + 2:02d}"
            catchments.append(feature(f"sc-{number:02d}", {"areasqkm": round(area, 9), "toid": nexus}, "MultiPolygon", [[ring]]))
            if side < 0:
                line, slope, toid = tributary(band), 0.016 - 0.0014 * band, f"r-{2 * band + 2:02d}"
            else:
                line = [stem((band + t / 16.0) / BANDS) for t in range(17)]
                slope = 0.0060 * 0.72**band
                toid = f"r-{2 * band + 4:02d}" if band + 1 < BANDS else "reservoir"
            properties = {
                "length_km": round(length_km(line), 6),
                "slope_percent": round(slope, 6),
                "toid": toid,
                "realized_catchment": f"sc-{number:02d}",
            }
            flowpaths.append(feature(f"r-{number:02d}", properties, "LineString", [degrees(p) for p in line]))
    write_geojson(folder / "catchments.geojson", "catchments", catchments)
    write_geojson(folder / "flowpaths.geojson", "flowpaths", flowpaths)
    return areas


def rain_lattice():
    """Corners of the rain's cells in metres, larger than the basin on every side."""
    x0, x1, y0, y1 = -7_000.0, 7_000.0, -LENGTH / 2 - 500.0, LENGTH / 2 + 500.0
    cells = []
    for row in range(ROWS):
        for column in range(COLUMNS):
            west, east = (x0 + (x1 - x0) * (column + d) / COLUMNS for d in (0, 1))
            north, south = (y1 + (y0 - y1) * (row + d) / ROWS for d in (0, 1))
            cells.append((f"cell-{row + 1}{column + 1}", [(west, south), (east, south), (east, north), (west, north), (west, south)]))
    return cells


def weather(folder, random):
    cells = rain_lattice()
    write_geojson(
        folder / "rain_cells.geojson", "rain_cells", [feature(i, {}, "Polygon", [[degrees(p) for p in ring]]) for i, ring in cells]
    )
    # A storm is a round cloud on a straight path: begin [h], duration [h], peak [mm/h], radius [m], start and velocity.
    storms = []
    for begin, duration, peak in ((30, 14, 3.0), (92, 9, 7.5), (140, 26, 3.0), (215, 8, 12.0), (262, 18, 6.0),
                                  (356, 30, 5.5), (441, 7, 16.0), (470, 12, 2.5), (548, 22, 5.0), (640, 10, 6.0)):
        east = random(-9_000, 2_000)
        storms.append((begin, duration, peak, random(5_000, 11_000), east, random(-9_000, 9_000), random(300, 900), random(-700, 700)))
    rows = ["time," + ",".join(identity for identity, _ in cells)]
    evaporation = ["time,evaporation"]
    cloud, clear = 0.0, 0.0
    for hour in range(HOURS):
        stamp = (BEGIN + timedelta(hours=hour)).strftime("%Y-%m-%dT%H:%M:%SZ")
        values = []
        for _, ring in cells:
            x = 0.5 * (ring[0][0] + ring[1][0])
            y = 0.5 * (ring[0][1] + ring[2][1])
            rain = 0.0
            for begin, duration, peak, radius, x0, y0, u, v in storms:
                t = (hour + 0.5 - begin) / duration
                if 0.0 < t < 1.0:
                    dx, dy = x - x0 - u * (hour - begin), y - y0 - v * (hour - begin)
                    rain += peak * math.sin(math.pi * t) ** 2 * math.exp(-(dx * dx + dy * dy) / (2.0 * radius * radius))
            values.append(rain if rain >= 0.05 else 0.0)
        rows.append(stamp + "," + ",".join(f"{v:.1f}" if v else "0" for v in values))
        cloud = 0.95 * cloud + 0.05 * (1.0 if sum(values) > 0.0 else 0.0)
        clear += (1.0 - 0.8 * cloud) / 24.0
        if hour % 24 == 23:
            evaporation.append(f"{stamp[:10]}T00:00:00Z,{(1.1 + 1.0 * hour / HOURS) * clear:.2f}")
            clear = 0.0
    (folder / "rain.csv").write_text("\n".join(rows) + "\n", encoding="ascii", newline="\n")
    (folder / "evaporation.csv").write_text("\n".join(evaporation) + "\n", encoding="ascii", newline="\n")


def runoff_parameters(folder, areas, random):
    lines = ["invented basin, made by generate.py                 ! title", f"{len(areas)}  1.0        ! catchments, step [h]"]
    for identity, area in areas:
        m, ln_t0, td = random(0.008, 0.015), random(3.6, 4.8), random(6.0, 20.0)
        srmax, velocity = random(0.012, 0.025), random(1_800.0, 3_200.0)
        lines.append(f"{identity}  {area:.9f}        ! name, area [km2]")
        lines.append(f"{m:.4f} {ln_t0:.2f} {td:.1f} {srmax:.4f} 0.001 {velocity:.0f} 0.5   ! m, ln T0, td, srmax, cimax, vch, wsat")
        lines.append("6.0e-5 0.004 0.0                        ! q0, sr0, ci0")
        # Topographic index: a gamma distribution of shape 4, between 3 and 13.
        index = [3.0 + 10.0 * (k + 0.5) / 12 for k in range(12)]
        scale = random(1.2, 1.6)
        share = [((i - 2.5) / scale) ** 3 * math.exp(-(i - 2.5) / scale) for i in index]
        lines.append("12")
        lines += [f"{f / sum(share):.6f} {i:.4f}" for f, i in zip(share, index)]
        reach = 1000.0 * math.sqrt(area)
        lines += ["4", f"0.0 {0.05 * reach:.0f}", f"0.3 {0.5 * reach:.0f}", f"0.8 {1.1 * reach:.0f}", f"1.0 {1.6 * reach:.0f}"]
    (folder / "runoff.par").write_text("\n".join(lines) + "\n", encoding="ascii", newline="\n")


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent / "data"
    folder.mkdir(parents=True, exist_ok=True)
    random = Random(20240301)
    areas = shapes(folder)
    weather(folder, random)
    runoff_parameters(folder, areas, random)
    print(f"{len(areas)} sub-catchments, {sum(a for _, a in areas):.3f} km2, written to {folder}")


if __name__ == "__main__":
    main()
