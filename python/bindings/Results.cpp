#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <span>

#include "composition/results/ReadResults.hpp"
#include "python/bindings/Convert.hpp"
#include "python/bindings/Module.hpp"
#include "timespace/elements/ElementSet.hpp"

namespace openmi::python {
namespace py = pybind11;

namespace {

/// An array over the numbers of `self`, which it keeps alive; nothing is copied.
py::array Over(const py::object& self, const std::vector<double>& numbers, std::vector<py::ssize_t> shape) {
  return py::array_t<double>(std::move(shape), numbers.data(), self);
}

/// Corners as coordinates of GeoJSON. \param z  empty: none
py::list Coordinates(std::span<const double> x, std::span<const double> y, std::span<const double> z) {
  py::list corners;
  for (std::size_t i = 0; i < x.size(); ++i) {
    corners.append(z.empty() ? py::make_tuple(x[i], y[i]) : py::make_tuple(x[i], y[i], z[i]));
  }
  return corners;
}

/// The rings of a polygon as the coordinates of a MultiPolygon: parts, each with its outer ring and its holes.
py::list Parts(const ElementSet& places, int element) {
  py::list parts;
  py::list part;
  for (const ElementRing& ring : places.Rings(element)) {
    py::list corners = Coordinates(ring.x, ring.y, ring.z);
    if (!corners.empty()) corners.append(corners[0]);  // GeoJSON repeats the first corner
    if (!ring.is_hole) {
      part = py::list();
      parts.append(part);
    }
    part.append(corners);
  }
  return parts;
}

/// The place of each element as a geometry of GeoJSON; None for elements without one.
py::object Geometries(const ResultSeries& series) {
  if (series.places == nullptr) return py::none();
  const ElementSet& places = *series.places;
  const std::span<const std::size_t> offsets = places.VertexOffsets();
  py::list geometries;
  for (int element = 0; element < places.ElementCount(); ++element) {
    const auto index = static_cast<std::size_t>(element);
    py::dict one;
    const std::size_t begin = offsets.empty() ? 0 : offsets[index];
    const std::size_t count = offsets.empty() ? 0 : offsets[index + 1] - begin;
    const auto own = [&](std::span<const double> all) { return all.empty() ? all : all.subspan(begin, count); };
    const py::list vertices = Coordinates(own(places.X()), own(places.Y()), own(places.Z()));
    if (places.ElementType() == ElementType::Point && !vertices.empty()) {
      one["type"] = "Point";
      one["coordinates"] = vertices[0];
    } else if (places.ElementType() == ElementType::PolyLine) {
      one["type"] = "LineString";
      one["coordinates"] = vertices;
    } else if (places.ElementType() == ElementType::Polygon) {
      one["type"] = "MultiPolygon";
      one["coordinates"] = Parts(places, element);
    }
    geometries.append(one.empty() ? py::object(py::none()) : py::object(one));
  }
  return geometries;
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
      .def_property_readonly("is_longitude_latitude", of(&ResultSeries::is_longitude_latitude))
      .def_property_readonly("elements_caption", of(&ResultSeries::elements_caption))
      .def_property_readonly("places", [](const ResultRows& self) { return Geometries(self.series); })
      .def_property_readonly("reference_system",
                             [](const ResultRows& self) {
                               const auto& places = self.series.places;
                               return places != nullptr ? places->SpatialReferenceSystemWkt() : std::string();
                             })
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
