#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "python-bridge/module/Instance.hpp"

namespace openmi::interpreter {
namespace py = pybind11;

namespace {

using Text = std::optional<std::string>;
using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;
using Counts = py::array_t<std::size_t, py::array::c_style | py::array::forcecast>;
using Bytes = py::array_t<unsigned char, py::array::c_style | py::array::forcecast>;

const char* Pointer(const Text& text) {
  return text ? text->c_str() : nullptr;
}

/// Texts as a list that ends with null.
class TextList {
 public:
  explicit TextList(const std::optional<std::vector<std::string>>& texts) {
    if (!texts) return;
    for (const std::string& text : *texts) pointers_.push_back(text.c_str());
    pointers_.push_back(nullptr);
  }
  const char* const* Get() const { return pointers_.empty() ? nullptr : pointers_.data(); }

 private:
  std::vector<const char*> pointers_;
};

template <class Array>
auto* Data(const std::optional<Array>& array) {
  return array ? array->data() : nullptr;
}

class Host {
 public:
  explicit Host(Instance& instance) : instance_(&instance) {}
  void End() { instance_ = nullptr; }

  py::object AddArgument(const std::string& id, int type, int meaning, int flags, const Text& caption,
                         const Text& description, const Text& unit, const Text& value, const Text& minimum,
                         const Text& maximum, const std::optional<std::vector<std::string>>& choices) {
    const TextList list(choices);
    const openmi_argument argument = {.size = sizeof argument,
                                      .id = id.c_str(),
                                      .caption = Pointer(caption),
                                      .description = Pointer(description),
                                      .type = type,
                                      .meaning = meaning,
                                      .flags = flags,
                                      .unit = Pointer(unit),
                                      .value = Pointer(value),
                                      .minimum = Pointer(minimum),
                                      .maximum = Pointer(maximum),
                                      .choices = list.Get()};
    const int number = Required(Table().add_argument(Me(), &argument));
    ArgumentItem* const made = MakeArgument(Owner(), number, type, id);
    if (made == nullptr) throw py::error_already_set();
    Owner().Keep(*made);
    return py::reinterpret_borrow<py::object>(reinterpret_cast<PyObject*>(made));
  }

  int AddElements(int shape, std::size_t count, const std::optional<std::vector<std::string>>& ids, const Text& caption,
                  const Text& reference_system, const std::optional<Numbers>& x, const std::optional<Numbers>& y,
                  const std::optional<Numbers>& z, const std::optional<Counts>& vertices,
                  const std::optional<Counts>& rings, const std::optional<Bytes>& holes) {
    const TextList list(ids);
    const openmi_elements elements =
        Elements(shape, count, list, caption, reference_system, x, y, z, vertices, rings, holes);
    return Required(Table().add_elements(Me(), &elements));
  }

  void MoveElements(int number, int shape, std::size_t count, const std::optional<Numbers>& x,
                    const std::optional<Numbers>& y, const std::optional<Numbers>& z,
                    const std::optional<Counts>& vertices, const std::optional<Counts>& rings,
                    const std::optional<Bytes>& holes) {
    const openmi_elements elements = Elements(shape, count, TextList({}), {}, {}, x, y, z, vertices, rings, holes);
    Required(Table().move_elements(Me(), number, &elements));
  }

  void SetAttribute(int elements, const std::string& name, const std::string& unit, const Numbers& values) {
    Required(Table().set_attribute(Me(), elements, name.c_str(), unit.c_str(), values.data(),
                                   static_cast<std::size_t>(values.size())));
  }

  py::object AddItem(bool is_output, const std::string& id, int type, int flags, const std::string& unit,
                     const py::object& elements, int number_of_elements, Py_ssize_t count, double value,
                     const Text& caption, const Text& description,
                     const std::optional<std::vector<std::string>>& categories, const Text& message_type) {
    const TextList list(categories);
    const openmi_item item = {.size = sizeof item,
                              .id = id.c_str(),
                              .caption = Pointer(caption),
                              .description = Pointer(description),
                              .type = type,
                              .flags = flags,
                              .unit = unit.c_str(),
                              .elements = number_of_elements,
                              .value = value,
                              .categories = list.Get(),
                              .message_type = Pointer(message_type)};
    const auto add = is_output ? Table().add_output : Table().add_input;
    const int number = Required(add(Me(), &item));
    Item* const made = MakeItem(Owner(), is_output, number, type, count, id, unit, elements.ptr());
    if (made == nullptr) throw py::error_already_set();
    Owner().Keep(*made);
    return py::reinterpret_borrow<py::object>(reinterpret_cast<PyObject*>(made));
  }

  void SetFlag(int flag, bool is_set) { Required(Table().set_flag(Me(), flag, is_set ? 1 : 0)); }
  void SetDescription(const std::string& text) { Required(Table().set_description(Me(), text.c_str())); }
  void SetTimeStep(double days) { Required(Table().set_time_step(Me(), days)); }
  void SetDefaultTimes(double begin, double end) { Required(Table().set_default_times(Me(), begin, end)); }
  void SetOutputTimes(double begin, double end) { Required(Table().set_output_times(Me(), begin, end)); }
  bool IsSet(const std::string& argument) { return Table().is_set(Me(), argument.c_str()) != 0; }
  std::string Path(const std::string& path) { return Table().path(Me(), path.c_str()); }
  std::string WrittenPath(const std::string& name) {
    const char* const path = Table().written_path(Me(), name.c_str());
    if (path == nullptr) Refuse();
    return path;
  }
  std::string Name() { return Table().name(Me()); }
  double RunBegin() { return Table().run_begin(Me()); }
  double RunEnd() { return Table().run_end(Me()); }
  bool ExpectsState() { return Table().expects_state(Me()) != 0; }
  /// The communicator as a number, and the rank; nothing without ranks.
  py::object Communicator() {
    int handle = 0;
    int rank = 0;
    const int ranks = Required(Table().communicator(Me(), &handle, &rank));
    if (ranks == 0) return py::none();
    return py::make_tuple(handle, rank);
  }
  void Warn(const std::string& message, const std::string& remedy, const std::string& item, const std::string& file,
            int line) {
    const openmi_report report = {.size = sizeof report,
                                  .message = message.c_str(),
                                  .remedy = remedy.c_str(),
                                  .item = item.c_str(),
                                  .file = file.c_str(),
                                  .line = line};
    Required(Table().warn(Me(), &report));
  }

 private:
  Instance& Owner() {
    if (instance_ != nullptr) return *instance_;
    SetError("StateError", "expected a component that exists, found one that is gone", "do not keep it after its run");
    throw py::error_already_set();
  }
  openmi_instance* Me() { return Owner().Me(); }
  const openmi_host& Table() { return Owner().Host(); }
  [[noreturn]] void Refuse() {
    SetRefused(Table());
    throw py::error_already_set();
  }
  int Required(int result) {
    if (result < 0) Refuse();
    return result;
  }

  static openmi_elements Elements(int shape, std::size_t count, const TextList& ids, const Text& caption,
                                  const Text& reference_system, const std::optional<Numbers>& x,
                                  const std::optional<Numbers>& y, const std::optional<Numbers>& z,
                                  const std::optional<Counts>& vertices, const std::optional<Counts>& rings,
                                  const std::optional<Bytes>& holes) {
    return {.size = sizeof(openmi_elements),
            .caption = Pointer(caption),
            .shape = shape,
            .count = count,
            .ids = ids.Get(),
            .reference_system = Pointer(reference_system),
            .vertex_count = x ? static_cast<std::size_t>(x->size()) : 0,
            .x = Data(x),
            .y = Data(y),
            .z = Data(z),
            .vertices_count = vertices ? static_cast<std::size_t>(vertices->size()) : 0,
            .vertices = Data(vertices),
            .rings = Data(rings),
            .holes = Data(holes)};
  }

  Instance* instance_;
};

}  // namespace

void AddHost(py::module_& module) {
  py::class_<Host>(module, "Host", "What a component in Python asks its host for; for openmi/component.py.",
                   py::module_local())
      .def("add_argument", &Host::AddArgument)
      .def("add_elements", &Host::AddElements)
      .def("move_elements", &Host::MoveElements)
      .def("set_attribute", &Host::SetAttribute)
      .def("add_item", &Host::AddItem)
      .def("set_flag", &Host::SetFlag)
      .def("set_description", &Host::SetDescription)
      .def("set_time_step", &Host::SetTimeStep)
      .def("set_default_times", &Host::SetDefaultTimes)
      .def("set_output_times", &Host::SetOutputTimes)
      .def("is_set", &Host::IsSet)
      .def("path", &Host::Path)
      .def("written_path", &Host::WrittenPath)
      .def("name", &Host::Name)
      .def("run_begin", &Host::RunBegin)
      .def("run_end", &Host::RunEnd)
      .def("expects_state", &Host::ExpectsState)
      .def("communicator", &Host::Communicator)
      .def("warn", &Host::Warn);
}

py::object MakeHost(Instance& instance) {
  return py::cast(Host(instance));
}

void EndHost(py::handle host) {
  host.cast<Host&>().End();
}

}  // namespace openmi::interpreter
