// The plug-in for components in Python: starts an interpreter, unless this process is one, and hands over what the
// module openmi._component in Python offers. It stays in memory.
#include <Python.h>
#include <dlfcn.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "openmi/c/openmi_component.h"
#include "openmi/omi/SdkVersion.hpp"

namespace {

namespace fs = std::filesystem;

const openmi_language* language = nullptr;
std::string problem;  // why there is none

/// The folder of this plug-in.
fs::path OwnFolder() {
  Dl_info info = {};
  if (dladdr(reinterpret_cast<const void*>(&OwnFolder), &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code error;
  return fs::canonical(fs::path(info.dli_fname).parent_path(), error);  // the file may be a copy that is gone
}

/// The interpreter whose packages are used: that of the virtual environment that is active, if it is of this version,
/// else the one that this plug-in was built for.
std::string Program() {
  if (const char* const folder = std::getenv("VIRTUAL_ENV"); folder != nullptr && *folder != '\0') {
    std::ifstream settings(fs::path(folder) / "pyvenv.cfg");
    const std::string version = std::to_string(PY_MAJOR_VERSION) + "." + std::to_string(PY_MINOR_VERSION);
    for (std::string line; std::getline(settings, line);) {
      if (line.starts_with("version") && line.find("= " + version + ".") != std::string::npos) {
        return (fs::path(folder) / "bin" / "python3").string();
      }
    }
  }
  return OPENMI_PYTHON_PROGRAM;
}

bool StartInterpreter() {
  // NumPy's libraries look for the functions of Python among those that all can see.
  Dl_info info = {};
  if (dladdr(reinterpret_cast<const void*>(&Py_InitializeFromConfig), &info) != 0) {
    dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
  }
  PyConfig config;
  PyConfig_InitPythonConfig(&config);
  config.install_signal_handlers = 0;  // the program's own stay
  config.buffered_stdio = 0;           // a crash loses no line
  config.parse_argv = 0;
  PyStatus status = PyConfig_SetBytesString(&config, &config.program_name, Program().c_str());
  if (PyStatus_Exception(status) == 0) status = Py_InitializeFromConfig(&config);
  PyConfig_Clear(&config);
  if (PyStatus_Exception(status) == 0) return true;
  problem = std::string("expected a Python interpreter, found that it does not start: ") +
            (status.err_msg != nullptr ? status.err_msg : "no reason was given");
  return false;
}

/// The text of the Python error that is set.
std::string TakeError() {
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &value, &trace);
  PyErr_NormalizeException(&type, &value, &trace);
  PyObject* const text = value != nullptr ? PyObject_Str(value) : nullptr;
  const char* const utf8 = text != nullptr ? PyUnicode_AsUTF8(text) : nullptr;
  std::string found = utf8 != nullptr ? utf8 : "an error without a text";
  Py_XDECREF(text);
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(trace);
  PyErr_Clear();
  return found;
}

/// The module of the package `openmi` that belongs to this plug-in.
PyObject* ImportModule() {
  // In an installed tree, in a build tree, and in a wheel.
  const fs::path own = OwnFolder();
  const std::array places = {own / ".." / "python3" / "dist-packages", own / ".." / ".." / "python",
                             own / ".." / ".." / ".."};
  PyObject* const path = PySys_GetObject("path");
  bool is_added = false;
  for (const fs::path& place : places) {
    std::error_code error;
    if (path == nullptr || !fs::exists(place / "openmi" / "component.py", error)) continue;
    PyObject* const text = PyUnicode_DecodeFSDefault(fs::canonical(place, error).c_str());
    is_added = text != nullptr && PyList_Insert(path, 0, text) == 0;
    Py_XDECREF(text);
    break;
  }
  PyObject* const module = PyImport_ImportModule("openmi._component");
  if (is_added && PyList_GET_SIZE(path) > 0) PyList_SetSlice(path, 0, 1, nullptr);
  return module;
}

const openmi_language* FindLanguage() {
  PyObject* const module = ImportModule();
  if (module == nullptr) {
    problem = "expected the Python package openmi of this release, found: " + TakeError();
    return nullptr;
  }
  PyObject* const version = PyObject_GetAttrString(module, "version");
  const char* const theirs = version != nullptr ? PyUnicode_AsUTF8(version) : nullptr;
  if (theirs == nullptr || std::string(theirs) != openmi::kSdkVersion) {
    problem = std::string("expected the Python package openmi ") + openmi::kSdkVersion + ", found " +
              (theirs != nullptr ? theirs : "one without a version");
    return nullptr;
  }
  PyObject* const capsule = PyObject_GetAttrString(module, "language");
  return static_cast<const openmi_language*>(PyCapsule_GetPointer(capsule, "openmi_language"));
}

const char* const* NoFiles() {
  static constexpr const char* kNone[] = {nullptr};
  return kNone;
}

/// Lets a run ask where a component computes too long.
void WatchTimeLimit() {
  PyObject* const script = PyImport_ImportModule("openmi._script");
  PyObject* const done = script != nullptr ? PyObject_CallMethod(script, "watch_time_limit", nullptr) : nullptr;
  if (done == nullptr) PyErr_Clear();  // this is not the main thread: the run does without the place
  Py_XDECREF(done);
  Py_XDECREF(script);
}

/// Reports why there is no language.
const openmi_component_library* Complain(const char*, int, openmi_complain complain, void* to) {
  const openmi_report report = {.size = sizeof report,
                                .message = problem.c_str(),
                                .remedy = "install Python with NumPy (python3-numpy) and the package python3-openmi2",
                                .item = nullptr,
                                .file = nullptr,
                                .line = 0};
  complain(to, &report);
  return nullptr;
}

int CannotFill(const char*, const char* name, int is_module, const char*, void*, openmi_complain complain, void* to) {
  Complain(name, is_module, complain, to);
  return -1;
}

}  // namespace

extern "C" OPENMI_C_EXPORT const openmi_language* openmi_c_language_1(void) {
  static constexpr openmi_language kNone = {.size = sizeof(openmi_language),
                                            .open = &Complain,
                                            .files = nullptr,
                                            .close = nullptr,
                                            .support = &NoFiles,
                                            .fill = &CannotFill};
  if (language != nullptr) return language;
  const bool is_own = Py_IsInitialized() == 0;
  if (is_own) {
    if (!StartInterpreter()) return &kNone;
    language = FindLanguage();
    if (language != nullptr) WatchTimeLimit();
    PyEval_SaveThread();  // others take the lock when they need it
  } else {
    const PyGILState_STATE state = PyGILState_Ensure();
    language = FindLanguage();
    PyGILState_Release(state);
  }
  return language != nullptr ? language : &kNone;
}
