"""Models with the Basic Model Interface in Python, by the bridge to BMI libraries."""

import unittest

import numpy

from support import Folder, continued, openmi

MODEL = '''
import numpy


class Plate:
    """Heat in a plate whose first column has the temperature of its surroundings; a rectangular grid of rows x columns."""

    def initialize(self, config_file):
        with open(config_file) as file:
            self.shape = tuple(int(word) for word in file.read().split())
        self.t = numpy.zeros(self.shape)
        self.edge = numpy.array([20.0])
        self.count = numpy.zeros(1, dtype="int32")
        self.now = 0.0

    def update(self):
        self.t[:, 0] = self.edge[0]
        self.t[:, 1:] += 0.25 * (self.t[:, :-1] - self.t[:, 1:])
        self.count += 1
        self.now += 60.0
        if self.edge[0] > 900.0:
            raise ValueError("the plate melts")

    def update_until(self, time):
        while self.now < time:
            self.update()

    def finalize(self):
        self.t = None

    def _of(self, name):
        return {"plate_temperature": self.t, "edge_temperature": self.edge, "step_count": self.count}[name].reshape(-1)

    get_component_name = lambda self: "Plate"
    get_input_var_names = lambda self: ("edge_temperature",)
    get_output_var_names = lambda self: ("plate_temperature", "step_count")
    get_input_item_count = lambda self: 1
    get_output_item_count = lambda self: 2
    get_var_grid = lambda self, name: 0 if name == "plate_temperature" else 1
    get_var_type = lambda self, name: str(self._of(name).dtype)
    get_var_units = lambda self, name: "1" if name == "step_count" else "degC"
    get_var_itemsize = lambda self, name: self._of(name).itemsize
    get_var_nbytes = lambda self, name: self._of(name).nbytes
    get_var_location = lambda self, name: "node"
    get_current_time = lambda self: self.now
    get_start_time = lambda self: 0.0
    get_end_time = lambda self: 1e9
    get_time_units = lambda self: "s"
    get_time_step = lambda self: 60.0

    def get_value(self, name, dest):
        dest[:] = self._of(name)
        return dest

    def get_value_ptr(self, name):
        if name == "edge_temperature":
            raise NotImplementedError
        return self._of(name)

    def set_value(self, name, values):
        self._of(name)[:] = values

    get_grid_rank = lambda self, grid: 2 if grid == 0 else 0
    get_grid_size = lambda self, grid: self.t.size if grid == 0 else 1
    get_grid_type = lambda self, grid: "uniform_rectilinear" if grid == 0 else "scalar"

    def get_grid_shape(self, grid, shape):
        shape[:] = self.shape
        return shape

    def get_grid_spacing(self, grid, spacing):
        spacing[:] = 10.0, 5.0
        return spacing

    def get_grid_origin(self, grid, origin):
        origin[:] = 100.0, 200.0
        return origin
'''


class Bmi(Folder):
    def made(self, model=MODEL, edge=30.0, **arguments):
        self.write("plate.py", model)
        self.write("plate.cfg", "3 4\n")
        made = openmi.Composition("made", folder=self.folder)
        made.add("plate", type="openmi.bmi.Model", assembly="openmi-bmi-bridge", library="plate.py", config_file="plate.cfg",
                 **arguments)
        made.add("room", type="openmi.Constant", assembly="openmi-components", item="t", unit="degC", value=edge)
        made.link("room.t", "plate.edge_temperature", adaptors=["previous"])
        made.observe("plate.plate_temperature").observe("plate.step_count")
        return made.run_from("2020-01-01T00:00Z", "2020-01-01T01:00Z")

    def direct(self, steps, edge=30.0):
        names = {}
        exec(MODEL, names)
        plate = names["Plate"]()
        self.write("direct.cfg", "3 4\n")
        plate.initialize(self.path("direct.cfg"))
        rows = [plate.t.reshape(-1).copy()]
        for _ in range(steps):
            plate.set_value("edge_temperature", numpy.array([edge]))
            plate.update()
            rows.append(plate.t.reshape(-1).copy())
        return numpy.array(rows)

    def test_it_computes_what_a_direct_drive_computes(self):
        for isolate in (False, True):
            results = self.made().run(isolate=isolate)
            numpy.testing.assert_array_equal(results["plate.plate_temperature"].values, self.direct(60))
            self.assertEqual(results["plate.step_count"].values[-1, 0], 60)
        self.assertEqual(results["plate.plate_temperature"].unit, "degC")
        self.assertEqual((results["plate.plate_temperature"].x[1], results["plate.plate_temperature"].y[4]), (205.0, 110.0))

    def test_a_model_that_repeats_itself_can_be_continued(self):
        made = self.made(states="replay")
        whole = made.run()["plate.plate_temperature"].values
        numpy.testing.assert_array_equal(whole, continued(made, "plate.plate_temperature"))

    def test_what_it_raises_has_its_line(self):
        with self.assertRaisesRegex(openmi.ModelError, r"plate.py:22: .*ValueError: the plate melts"):
            self.made(edge=1000.0).run()
        self.assertEqual(MODEL.splitlines()[21].strip(), 'raise ValueError("the plate melts")')

    def test_a_file_without_a_class_or_with_two_is_refused(self):
        for model, words in (("x = 1\n", "one class with the functions of BMI, found none"),
                             (MODEL + "\n\nclass Other(Plate):\n    pass\n", "found Plate, Other"),
                             (MODEL + "\ndef x(:\n", "expected Python")):
            with self.assertRaisesRegex(openmi.Error, words):
                self.made(model).run()
        other = self.made(MODEL + "\n\nclass Other(Plate):\n    pass\n", register="Other")
        numpy.testing.assert_array_equal(other.run()["plate.plate_temperature"].values, self.direct(60))

    def test_many_models_come_and_go(self):
        import sys
        for _ in range(20):
            self.made().run()
        self.assertNotIn("plate", sys.modules)


if __name__ == "__main__":
    unittest.main()
