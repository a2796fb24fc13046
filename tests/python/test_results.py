"""Results: as arrays, as xarray and pandas, from files."""

import json
import unittest

import numpy

import openmi
from support import BASIN, Folder, spring_and_pond

try:
    import xarray
except ImportError:
    xarray = None
try:
    import pandas
except ImportError:
    pandas = None


class OfTheBasin(Folder):
    @classmethod
    def setUpClass(cls):
        cls.results = openmi.open(BASIN).run()

    def test_a_series_is_an_array_with_times_and_elements(self):
        series = self.results["discharge"]
        self.assertEqual(series.values.shape, (len(series.times), len(series.elements)))
        self.assertEqual((series.unit, series.kind, series.span), ("m3 s-1", "mean", numpy.timedelta64(1, "h")))
        self.assertEqual(series.times.dtype, "datetime64[us]")
        self.assertTrue((series.times - series.begins == series.span).all())
        self.assertEqual(series.times[-1], numpy.datetime64("2024-03-31"))
        first = series.elements[0]
        self.assertEqual(series[first].tobytes(), series.values[:, 0].tobytes())
        with self.assertRaisesRegex(openmi.ArgumentError, "nowhere.*its elements are"):
            series["nowhere"]
        self.assertEqual(float(numpy.max(series)), series.values.max())
        self.assertIs(series.values.base is None, False)  # a view: nothing is copied

    def test_places_are_geometries(self):
        series = self.results["discharge"]
        self.assertEqual(len(series.places), len(series.elements))
        self.assertEqual({one["type"] for one in series.places}, {"LineString"})
        self.assertGreater(len(series.places[0]["coordinates"]), 1)
        cells = self.results["rain-cells"]
        ring = cells.places[0]["coordinates"][0][0]
        self.assertEqual(cells.places[0]["type"], "MultiPolygon")
        self.assertEqual(ring[0], ring[-1])
        self.assertIn("WGS", cells.reference_system)
        self.assertIsNone(self.results["level"].places)

    def test_figures_of_the_run_are_there(self):
        summary = self.results.summary
        self.assertTrue(summary["is_complete"])
        self.assertGreater(len(summary["links"]), 3)
        self.assertGreater(self.results.passes, 100)
        self.assertEqual(self.results.mode, "pull")
        self.assertEqual(self.results.reached, numpy.datetime64("2024-03-31"))
        self.assertTrue(self.results.is_whole)
        self.assertEqual(self.results.checkpoints, 0)
        json.dumps(summary)

    def test_a_file_gives_what_the_run_gave(self):
        with openmi.open(BASIN).start(self.path("r")) as run:
            made = run.finish()
        for name in ("river-basin.nc", "river-basin.csv"):
            read = openmi.results(self.path("r", name))
            self.assertEqual(list(read), list(made))
            for key in made:
                numpy.testing.assert_array_equal(read[key].values, made[key].values)
                numpy.testing.assert_array_equal(read[key].begins, made[key].begins)
                self.assertEqual((read[key].unit, read[key].elements), (made[key].unit, made[key].elements))
        self.assertIn("openmi.open('river-basin.xml').run()", openmi.results(self.path("r", "river-basin.nc")).info["history"])
        self.assertTrue(read.is_complete)

    @unittest.skipIf(xarray is None, "needs xarray (python3-xarray)")
    def test_xarray_has_the_same_numbers_and_names(self):
        data = self.results.to_xarray()
        series = self.results["discharge"]
        array = data["discharge"]
        numpy.testing.assert_array_equal(array.values, series.values)
        self.assertEqual(array.attrs["units"], "m3 s-1")
        self.assertEqual(array.attrs["cell_methods"], "time: mean")
        self.assertEqual(list(array.coords[array.dims[1]].values), series.elements)
        self.assertEqual(set(data.data_vars), {name.replace("-", "_") for name in self.results})
        numpy.testing.assert_array_equal(array.coords[array.dims[0]].values, series.times.astype("datetime64[ns]"))
        self.assertEqual(data["level"].dims[0].startswith("time"), True)

    @unittest.skipIf(pandas is None, "needs pandas (python3-pandas)")
    def test_pandas_has_the_same_numbers_and_names(self):
        frame = self.results.to_pandas()
        series = self.results["discharge"]
        got = frame["discharge"][series.elements[1]].dropna()
        numpy.testing.assert_array_equal(got.values, series.values[:, 1])
        self.assertEqual(got.index[-1], pandas.Timestamp("2024-03-31"))
        self.assertEqual(series.to_pandas().attrs["unit"], "m3 s-1")


class OfFiles(Folder):
    def test_a_table_of_others_is_read(self):
        self.write("t.csv", "time,level [m]\n2020-01-01T00:00Z,1.5\n2020-01-01T01:00Z,nan\n2020-01-01T02:00Z,2.5\n")
        read = openmi.results(self.path("t.csv"))
        (series,) = read.values()
        numpy.testing.assert_array_equal(series.values[:, 0], [1.5, numpy.nan, 2.5])
        self.assertEqual(series.times[1], numpy.datetime64("2020-01-01T01:00"))

    def test_what_is_no_result_is_an_error_with_its_file(self):
        self.write("t.csv", "nonsense\n")
        with self.assertRaises(openmi.FormatError) as caught:
            openmi.results(self.path("t.csv"))
        self.assertEqual(caught.exception.file, self.path("t.csv"))
        with self.assertRaises(openmi.FileError):
            openmi.results(self.path("absent.nc"))

    def test_observations_are_beside_the_simulation(self):
        made = spring_and_pond(self.folder)
        made.add("gauge", type="openmi.Constant", assembly="openmi-components", item="flow", unit="l/s", value=1000)
        made.compare("pond.outflow", "gauge.flow", measures=["nse"], id="fit")
        results = made.run()
        (fit,) = results.comparisons
        self.assertEqual((fit.id, fit.unit), ("fit", "m3 s-1"))
        is_there = numpy.isfinite(fit.observed)  # one value a day
        self.assertGreater(is_there.sum(), 1)
        numpy.testing.assert_array_equal(fit.observed[is_there], 1.0)
        numpy.testing.assert_array_equal(fit.simulated, results["pond.outflow"].values[:, 0])
        self.assertEqual(results.summary["stations"][0]["pairs"], is_there.sum())
