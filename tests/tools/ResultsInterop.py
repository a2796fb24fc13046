"""Reads results as others do: xarray with the netCDF4 library, and GDAL.

usage: ResultsInterop.py OPENMI SOURCE_FOLDER WORK_FOLDER

Runs the river basin, and a composition with polygons that have holes and parts, a mesh and points; both as a classic file,
the second also compressed. Ends with 77, which ctest counts as skipped, where a module is missing.
"""
import csv
import json
import pathlib
import shutil
import subprocess
import sys

try:
    import numpy
    import xarray
    from osgeo import gdal, ogr, osr
except ImportError as missing:
    print(f"SKIPPED: {missing}; install python3-xarray, python3-netcdf4 and python3-gdal for {sys.executable}")
    sys.exit(77)

gdal.UseExceptions()
ogr.UseExceptions()

BASINS = {
    "b-1": [[[[8, 48], [9, 48], [9, 49], [8, 49], [8, 48]], [[8.2, 48.2], [8.2, 48.6], [8.6, 48.6], [8.2, 48.2]]]],
    "b-2": [[[[10, 48], [11, 48], [11, 49], [10, 48]]],
            [[[12, 48], [13, 48], [13, 48.5], [12, 48]], [[12.8, 48.1], [12.8, 48.2], [12.9, 48.2], [12.8, 48.1]]]],
    "S\u00fcd 3": [[[[9, 48], [10, 48], [9.5, 48.5], [9, 48]]]],
}
COMPOSITION = """<Composition xmlns="urn:openmi2:composition:1" Id="shapes">
  <Component Id="basins" Type="openmi.Constant" Assembly="openmi-components">
    <Argument Key="item" Value="runoff"/>
    <Argument Key="unit" Value="kg m-2 d-1"/>
    <Argument Key="value" Value="1 2 3"/>
    <Argument Key="elements-file" Value="basins.geojson"/>
  </Component>
  <Component Id="mesh" Type="openmi.Constant" Assembly="openmi-components">
    <Argument Key="item" Value="depth"/>
    <Argument Key="unit" Value="m"/>
    <Argument Key="value" Value="2"/>
    <Argument Key="elements-file" Value="{mesh}"/>
  </Component>
  <Component Id="gauges" Type="openmi.Constant" Assembly="openmi-components">
    <Argument Key="item" Value="level"/>
    <Argument Key="unit" Value="m"/>
    <Argument Key="value" Value="4"/>
    <Argument Key="elements-file" Value="gauges.csv"/>
  </Component>
  <Observe Item="basins.runoff" Every="PT1H"/>
  <Observe Item="mesh.depth" Every="PT1H"/>
  <Observe Item="gauges.level" Every="PT1H"/>
  <Run From="2020-01-01T00:00Z" To="2020-01-01T03:00Z" Trigger="basins"/>
  {results}
</Composition>
"""


def expect(condition, what):
    if not condition:
        sys.exit(f"expected {what}")


def run(openmi, composition, results):
    subprocess.run([openmi, "run", composition, "--results", results, "--overwrite"], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def ring_area(ring):
    x, y = numpy.transpose(ring)[:2]
    return abs(numpy.dot(x, numpy.roll(y, -1)) - numpy.dot(y, numpy.roll(x, -1))) / 2


def layers_of(path):
    """Of each layer by its name: its features' geometries by id."""
    found = {}
    wgs84 = osr.SpatialReference()
    wgs84.SetFromUserInput("OGC:CRS84")
    source = gdal.OpenEx(str(path), gdal.OF_VECTOR)
    for i in range(source.GetLayerCount()):
        layer = source.GetLayer(i)
        expect(layer.GetSpatialRef().IsSame(wgs84) == 1, f"WGS 84, longitude first, of {layer.GetName()}")
        found[layer.GetName()] = {feature.GetField(0): feature.GetGeometryRef().Clone() for feature in layer}
    return found


def column(path, heading):
    """The numbers of a column of results as CSV, by the time."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(line for line in file if not line.startswith("#")))
    at = next(i for i, cell in enumerate(rows[0]) if cell.startswith(heading))
    return {row[0]: float(row[at]) for row in rows[1:] if row[at] != ""}


def check_basin(source, folder):
    data = folder / "river-basin.nc"
    with xarray.open_dataset(data) as basin:
        reach = basin.discharge.sel(reach="r-12")
        expect(reach.attrs["standard_name"] == "water_volume_transport_in_river_channel", "the standard name of a discharge")
        wanted = column(folder / "river-basin.csv", "discharge[r-12]")
        found = {str(time)[:19] + "Z": float(value) for time, value in zip(reach.time.values, reach.values)}
        expect(found == wanted, "the same discharge by xarray as in the table")
        expect(float(basin.level.sel(time_3="2024-03-05T00:00")) == column(folder / "river-basin.csv", "level")[
            "2024-03-05T00:00:00Z"], "the same level by xarray as in the table")
        expect(basin.runoff.dims == ("time", "catchment"), "runoff by time and catchment")
    with xarray.open_dataset(data, decode_coords="all") as basin:
        expect(set(basin.data_vars) >= {"rain", "rain_cells", "runoff", "discharge", "level"}, "all series")
        expect("crs" in basin.coords and "crs" in basin.discharge.coords, "the reference system among the coordinates")
    layers = layers_of(data)
    shapes = json.loads((source / "examples/river-basin/data/catchments.geojson").read_text(encoding="utf-8"))
    catchments = layers["catchment_geometry"]
    expect(len(catchments) == len(shapes["features"]) == 12, "twelve catchments")
    for feature in shapes["features"]:
        ring = feature["geometry"]["coordinates"][0][0]
        polygon = catchments[feature["id"]]
        expect(polygon.GetGeometryName() == "POLYGON" and polygon.IsValid(), f"a polygon, found {polygon.GetGeometryName()}")
        # Products of coordinates are up to 450 square degrees, the smallest area is 5e-4: the sums differ by rounding.
        expect(abs(polygon.Area() - ring_area(ring)) <= 1e-8 * ring_area(ring), f"the area of {feature['id']}")
    lines = json.loads((source / "examples/river-basin/data/flowpaths.geojson").read_text(encoding="utf-8"))
    for feature in lines["features"]:
        points = [list(point[:2]) for point in layers["reach_geometry"][feature["id"]].GetPoints()]
        expect(points == feature["geometry"]["coordinates"], f"the line of {feature['id']}")


def check_shapes(data):
    layers = layers_of(data)
    basins = layers["basins_geometry"]
    expect(list(basins) == list(BASINS), f"the ids of the basins, found {list(basins)}")
    for name, parts in BASINS.items():
        area = sum(ring_area(part[0]) - sum(map(ring_area, part[1:])) for part in parts)
        expect(basins[name].IsValid() and abs(basins[name].Area() - area) < 1e-12, f"the area of {name}")
        expect(basins[name].GetGeometryCount() == len(parts), f"{len(parts)} parts of {name}")
    expect(layers["gauges_geometry"]["g2"].GetPoint() == (9.0, 48.25, 90.0), "the place and height of g2")
    with xarray.open_dataset(data) as shapes:
        expect(float(shapes.runoff.sel(basins="S\u00fcd 3")[0]) == 3, "the third value at the third basin")
        expect(shapes.runoff.attrs["standard_name"] == "runoff_flux", "the standard name of runoff as a mass")
        expect(shapes.attrs["Conventions"] == "CF-1.8 UGRID-1.0", "both conventions")
        mesh = shapes[shapes.depth.attrs["mesh"]]
        expect(shapes.depth.attrs["location"] == "face", "values at faces")
        expect(shapes.depth.dims[1] == mesh.attrs["face_dimension"], "the faces as the dimension of the values")
        x, y = (shapes[name].values for name in mesh.attrs["node_coordinates"].split())
        faces = shapes[mesh.attrs["face_node_connectivity"]].values
        for face, polygon in zip(faces, layers["hexagons_grid_geometry"].values()):
            nodes = [int(node) for node in face if numpy.isfinite(node)]
            expect([(x[node], y[node]) for node in nodes] == polygon.GetGeometryRef(0).GetPoints()[:-1],
                   "the same corners from the mesh as from the polygons")


def main():
    openmi, source, work = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    run(openmi, source / "examples/river-basin/river-basin.xml", work)
    check_basin(source, work)
    (work / "basins.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": [
        {"type": "Feature", "id": name, "properties": {}, "geometry": {"type": "MultiPolygon", "coordinates": parts}}
        for name, parts in BASINS.items()]}), encoding="utf-8")
    (work / "gauges.csv").write_text("id,lon,lat,z\ng1,8.5,48.5,100\ng2,9,48.25,90\n", encoding="utf-8")
    for results in ("", '<Results Compression="4"/>'):
        (work / "shapes.xml").write_text(
            COMPOSITION.format(mesh=source / "tests/data/ugrid/hexagons_grid.nc", results=results), encoding="utf-8")
        run(openmi, work / "shapes.xml", work)
        check_shapes(work / "shapes.nc")
    print("xarray and GDAL read results as they were written")


main()
