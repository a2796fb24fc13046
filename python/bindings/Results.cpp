#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <span>

#include "composition/results/ReadResults.hpp"
#include "python/bindings/Convert.hpp"
#include "python/bindings/Module.hpp"

namespace openmi::python {
namespace py = pybind11;

namespace {

/// An array over the numbers of `self`, which it keeps alive; nothing is copied.
py::array Over(const py::object& self, const std::vector<double>& numbers, std::vector<py::ssize_t> shape) {
  return py::array_t<double>(std::move(shape), numbers.data(), self);
}

py::dict ReadFile(const std::filesystem::path& path) {
  ResultTable table;
  {
    const py::gil_scoped_release release;
    table = ReadResults(path);
  }
  py::list series;
  for (ResultRows& rows : table.series) series.append(std::make_shared<ResultRows>(std::move(rows)));
  py::dict all;
  all["series"] = series;
  all["title"] = table.info.title;
  all["source"] = table.info.source;
  all["history"] = table.info.history;
  all["comment"] = table.info.comment;
  all["notes"] = table.info.notes;
  all["was_cut"] = table.was_cut;
  return all;
}

}  // namespace

void AddResults(py::module_& module) {
  const auto of = [](auto member) { return [member](const ResultRows& self) { return self.series.*member; }; };
  py::class_<ResultRows, std::shared_ptr<ResultRows>>(module, "Rows", "One series of results.")
      .def_property_readonly("id", of(&ResultSeries::id))
      .def_property_readonly("caption", of(&ResultSeries::caption))
      .def_property_readonly("quantity", of(&ResultSeries::quantity))
      .def_property_readonly("unit", of(&ResultSeries::unit))
      .def_property_readonly("kind",
                             [](const ResultRows& self) { return std::string(kResultKinds.NameOf(self.series.kind)); })
      .def_property_readonly("span",
                             [](const ResultRows& self) -> py::object {
                               return self.series.span ? SpanToPython(*self.series.span) : py::none();
                             })
      .def_property_readonly("elements", of(&ResultSeries::elements))
      .def_property_readonly("elements_caption", of(&ResultSeries::elements_caption))
      .def_property_readonly("is_longitude_latitude", of(&ResultSeries::is_longitude_latitude))
      .def_property_readonly("missing", of(&ResultSeries::missing))
      .def_property_readonly("comment", of(&ResultSeries::comment))
      .def_property_readonly("attributes", of(&ResultSeries::attributes))
      .def_property_readonly("x", [](const ResultRows& self) { return RowToPython(self.series.x); })
      .def_property_readonly("y", [](const ResultRows& self) { return RowToPython(self.series.y); })
      .def_property_readonly("begins", [](const ResultRows& self) { return TimesToPython(self.begins); })
      .def_property_readonly("ends", [](const ResultRows& self) { return TimesToPython(self.ends); })
      .def_property_readonly("values", [](const py::object& self) {
        const auto& rows = self.cast<const ResultRows&>();
        return Over(self, rows.values,
                    {static_cast<py::ssize_t>(rows.ends.size()), static_cast<py::ssize_t>(rows.series.Width())});
      });
  module.def("read_results", ReadFile);
}

}  // namespace openmi::python
