#include "python-bridge/module/Types.hpp"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "python-bridge/module/Interpreter.hpp"

namespace openmi::interpreter {
namespace py = pybind11;

namespace {

/// One class of adaptors. The table is the first member, so that the type of an instance leads here.
struct AdaptorType {
  openmi_adaptor table = {};
  py::object of;
  std::string id, caption, description;
};

/// One class of components; as above.
struct Type {
  openmi_component table = {};
  py::object of;
  std::string type, id, description, time_step;
  std::vector<std::unique_ptr<AdaptorType>> adaptors;
  std::vector<const openmi_adaptor*> adaptor_list;
};

/// One file.
struct Types {
  openmi_component_library table = {};
  py::object script;  // of openmi/_script.py
  std::vector<std::unique_ptr<Type>> types;
  std::vector<const openmi_component*> list;
  std::vector<std::string> files;
  std::vector<const char*> file_list;
};

const Types& TypesOf(const openmi_component_library* table) {
  return *reinterpret_cast<const Types*>(table);
}

std::unique_ptr<AdaptorType> MakeAdaptorType(const py::handle& described) {
  auto type = std::make_unique<AdaptorType>();
  type->of = described["class"];
  type->id = described["id"].cast<std::string>();
  type->caption = described["caption"].cast<std::string>();
  type->description = described["description"].cast<std::string>();
  openmi_adaptor& table = type->table;
  table.size = sizeof table;
  table.id = type->id.c_str();
  table.caption = type->caption.c_str();
  table.description = type->description.c_str();
  FillTable(table);
  return type;
}

std::unique_ptr<Type> MakeType(const py::handle& described) {
  auto type = std::make_unique<Type>();
  type->of = described["class"];
  type->type = described["type"].cast<std::string>();
  type->id = described["id"].cast<std::string>();
  type->description = described["description"].cast<std::string>();
  type->time_step = described["time_step"].cast<std::string>();
  openmi_component& table = type->table;
  table.size = sizeof table;
  table.type = type->type.c_str();
  table.id = type->id.c_str();
  table.description = type->description.c_str();
  table.time_step = type->time_step.c_str();
  table.flags = described["flags"].cast<int>();
  table.state_version = described["state_version"].cast<int>();
  const auto has = [&](const char* name) { return described["has"].contains(name); };
  FillTable(table,
            {.finish = has("finish"), .step_end = has("step_end"), .state = has("state"), .balance = has("balance")});
  for (const py::handle adaptor : described["adaptors"]) {
    type->adaptors.push_back(MakeAdaptorType(adaptor));
    type->adaptor_list.push_back(&type->adaptors.back()->table);
  }
  type->adaptor_list.push_back(nullptr);
  table.adaptors = type->adaptor_list.data();
  return type;
}

}  // namespace

const openmi_component_library* OpenTypes(const char* name, int is_module, openmi_complain complain, void* to) {
  const Gil gil;
  try {
    auto types = std::make_unique<Types>();
    const py::module_ opener = py::module_::import("openmi._script");
    types->script = opener.attr("open_types")(name, is_module != 0);
    for (const py::handle described : types->script.attr("types")) types->types.push_back(MakeType(described));
    for (const auto& type : types->types) types->list.push_back(&type->table);
    types->list.push_back(nullptr);
    types->files = types->script.attr("files").cast<std::vector<std::string>>();
    for (const std::string& file : types->files) types->file_list.push_back(file.c_str());
    types->file_list.push_back(nullptr);
    types->table = {.size = sizeof types->table, .types = types->list.data()};
    return &types.release()->table;
  } catch (py::error_already_set& error) {
    error.restore();
    ReportError("", nullptr, complain, to);
  } catch (const std::exception& error) {
    const openmi_report report = {
        .size = sizeof report, .message = error.what(), .remedy = nullptr, .item = nullptr, .file = nullptr, .line = 0};
    complain(to, &report);
  }
  return nullptr;
}

const char* const* FilesOf(const openmi_component_library* table) {
  return TypesOf(table).file_list.data();
}

const char* const* SupportFiles() {
  static std::vector<std::string> files;
  static std::vector<const char*> list;
  const Gil gil;
  if (!list.empty()) return list.data();
  try {
    files = py::module_::import("openmi._script").attr("support")().cast<std::vector<std::string>>();
  } catch (py::error_already_set& error) {
    error.discard_as_unraisable("listing the package openmi");
  }
  for (const std::string& file : files) list.push_back(file.c_str());
  list.push_back(nullptr);
  return list.data();
}

int Fill(const char* interface, const char* name, int is_module, const char* type, void* table,
         openmi_complain complain, void* to) {
  const Gil gil;
  try {
    if (std::string_view(interface) != "bmi-2.0") throw py::value_error("unknown interface " + std::string(interface));
    py::module_::import("openmi._bmi")
        .attr("fill")(reinterpret_cast<std::uintptr_t>(table), name, is_module != 0, type);
    return 0;
  } catch (py::error_already_set& error) {
    error.restore();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  ReportError("", nullptr, complain, to);
  return -1;
}

void CloseTypes(const openmi_component_library* table) {
  if (Py_IsInitialized() == 0) return;  // the interpreter ended first, and took all with it
  const Gil gil;
  const std::unique_ptr<Types> types(const_cast<Types*>(&TypesOf(table)));
  const py::object script = std::move(types->script);
  types->types.clear();
  try {
    script.attr("close")();
  } catch (py::error_already_set& error) {
    error.discard_as_unraisable("closing a file with components");
  }
}

PyObject* ClassOf(const openmi_component& type) {
  return reinterpret_cast<const Type&>(type).of.ptr();
}

PyObject* ClassOf(const openmi_adaptor& type) {
  return reinterpret_cast<const AdaptorType&>(type).of.ptr();
}

void ReportError(const char* function, PyObject* of, openmi_complain take, void* to) {
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &value, &trace);
  PyErr_NormalizeException(&type, &value, &trace);
  const auto kind = py::reinterpret_steal<py::object>(type);
  const auto error = py::reinterpret_steal<py::object>(value);
  const auto frames = py::reinterpret_steal<py::object>(trace);
  std::string message = "the component raised an exception";
  std::string remedy, item, file;
  int line = 0;
  try {
    const py::tuple parts = py::module_::import("openmi._script")
                                .attr("explain")(function, of != nullptr ? py::handle(of) : py::handle(Py_None), error,
                                                 frames ? frames : py::none());
    message = parts[0].cast<std::string>();
    remedy = parts[1].cast<std::string>();
    item = parts[2].cast<std::string>();
    file = parts[3].cast<std::string>();
    line = parts[4].cast<int>();
  } catch (const std::exception& other) {
    message += std::string(", and explaining it failed: ") + other.what();
  }
  // Ctrl-C in a program in Python: the call of the run raises it, too.
  if (error && PyErr_GivenExceptionMatches(error.ptr(), PyExc_KeyboardInterrupt) != 0) PyErr_SetInterrupt();
  const openmi_report report = {.size = sizeof report,
                                .message = message.c_str(),
                                .remedy = remedy.c_str(),
                                .item = item.c_str(),
                                .file = file.c_str(),
                                .line = line};
  take(to, &report);
}

const openmi_language& Language() {
  static constexpr openmi_language kLanguage = {.size = sizeof(openmi_language),
                                                .open = &OpenTypes,
                                                .files = &FilesOf,
                                                .close = &CloseTypes,
                                                .support = &SupportFiles,
                                                .fill = &Fill};
  return kLanguage;
}

}  // namespace openmi::interpreter
