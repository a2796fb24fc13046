#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "fmi-bridge/common/archive/Archive.hpp"
#include "fmi-bridge/export/fmu/ExportFmu.hpp"
#include "fmi-bridge/fmi/abi/Fmi2.h"
#include "fmi-bridge/fmi/abi/Fmi3.h"
#include "tests/support/Sanitized.hpp"
#include "tests/support/ScratchFolder.hpp"

namespace fmutest {

namespace fs = std::filesystem;

/// Which libraries of others are put into an FMU.
enum class Libraries { None, Needed, All };

/// Exports, and unpacks without permissions to execute, as many importers do.
class Fmu {
 public:
  explicit Fmu(openmi::exported::ExportOptions options, Libraries libraries = Libraries::None) {
    options.output = folder_.Path() / "model.fmu";
    options.lean = libraries == Libraries::None;  // this machine has them
    options.complete = libraries == Libraries::All;
    interface = openmi::fmu::ExportFmu(options, problems);
    Place(folder_.Path() / "elsewhere");
  }
  /// Unpacks it (again) at `where` and loads its library.
  void Place(const fs::path& where) {
    Close();
    root = where;
    fs::create_directories(root);
    openmi::Archive(folder_.Path() / "model.fmu").Unpack(root);
    for (const auto& entry : fs::recursive_directory_iterator(root / "binaries")) {
      if (entry.path().extension() == ".so") library = entry.path();
    }
    handle_ = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    EXPECT_NE(handle_, nullptr) << dlerror();
  }
  ~Fmu() { Close(); }
  Fmu(const Fmu&) = delete;
  Fmu& operator=(const Fmu&) = delete;

  template <class Function>
  Function* Of(const char* name) const {
    void* symbol = dlsym(handle_, name);
    EXPECT_NE(symbol, nullptr) << name;
    return reinterpret_cast<Function*>(symbol);
  }
  const openmi::exported::ExportedVariable& Variable(const std::string& name) const {
    for (const auto& variable : interface.variables) {
      if (variable.name == name) return variable;
    }
    throw std::runtime_error("no variable " + name);
  }
  /// A file beside the archive, which is "model.fmu".
  std::string Read(const std::string& name) const { return folder_.Read(name); }
  std::uintmax_t Size() const { return fs::file_size(folder_.Path() / "model.fmu"); }
  std::string Uri() const {
    std::string uri = "file://";
    for (const char sign : (root / "resources").string())
      uri += sign == ' ' ? std::string("%20") : std::string(1, sign);
    return uri;
  }
  std::string ResourcePath() const { return (root / "resources").string() + "/"; }

  openmi::exported::ExportInterface interface;
  openmi::Problems problems;
  fs::path root;
  fs::path library;

 private:
  void Close() {
    if (handle_ != nullptr) dlclose(handle_);
    handle_ = nullptr;
  }
  ScratchFolder folder_{"fmu"};
  void* handle_ = nullptr;
};

#define FMUTEST_CALL(prefix, name) fmu->Of<prefix##name##TYPE>(#prefix #name)

/// An instance by FMI 2.0.
struct Instance2 {
  explicit Instance2(Fmu& of, const std::string& token, const std::string& uri) : fmu(&of) {
    callbacks = {&Log, &std::calloc, &std::free, nullptr, this};
    component = FMUTEST_CALL(fmi2, Instantiate)("one", fmi2CoSimulation, token.c_str(), uri.c_str(), &callbacks,
                                                fmi2False, fmi2False);
  }
  explicit Instance2(Fmu& of) : Instance2(of, of.interface.token, of.Uri()) {}
  ~Instance2() {
    if (component != nullptr) FMUTEST_CALL(fmi2, FreeInstance)(component);
  }
  Instance2(const Instance2&) = delete;
  Instance2& operator=(const Instance2&) = delete;
  static void Log(fmi2ComponentEnvironment environment, fmi2String, fmi2Status, fmi2String, fmi2String form, ...) {
    char text[4096];
    va_list arguments;
    va_start(arguments, form);
    std::vsnprintf(text, sizeof text, form, arguments);
    va_end(arguments);
    static_cast<Instance2*>(environment)->log += std::string(text) + "\n";
  }
  void Begin(double stop) {
    EXPECT_EQ(Setup(0.0, stop), fmi2OK) << log;
    EXPECT_EQ(FMUTEST_CALL(fmi2, EnterInitializationMode)(component), fmi2OK) << log;
    EXPECT_EQ(FMUTEST_CALL(fmi2, ExitInitializationMode)(component), fmi2OK) << log;
  }
  fmi2Status Setup(double start, double stop) {
    return FMUTEST_CALL(fmi2, SetupExperiment)(component, fmi2False, 0.0, start, fmi2True, stop);
  }
  fmi2Status Step(double time, double step) { return FMUTEST_CALL(fmi2, DoStep)(component, time, step, fmi2False); }
  fmi2Status Set(const std::string& name, double value) {
    const fmi2ValueReference reference = fmu->Variable(name).reference;
    return FMUTEST_CALL(fmi2, SetReal)(component, &reference, 1, &value);
  }
  double Get(const std::string& name) {
    const fmi2ValueReference reference = fmu->Variable(name).reference;
    double value = -1.0;
    EXPECT_EQ(FMUTEST_CALL(fmi2, GetReal)(component, &reference, 1, &value), fmi2OK) << log;
    return value;
  }

  Fmu* fmu;
  fmi2CallbackFunctions callbacks{};
  fmi2Component component = nullptr;
  std::string log;
};

/// An instance by FMI 3.0.
struct Instance3 {
  explicit Instance3(Fmu& of) : fmu(&of) {
    instance = FMUTEST_CALL(fmi3, InstantiateCoSimulation)("one", of.interface.token.c_str(), of.ResourcePath().c_str(),
                                                           false, false, false, false, nullptr, 0, this, &Log, nullptr);
  }
  ~Instance3() {
    if (instance != nullptr) FMUTEST_CALL(fmi3, FreeInstance)(instance);
  }
  Instance3(const Instance3&) = delete;
  Instance3& operator=(const Instance3&) = delete;
  static void Log(fmi3InstanceEnvironment environment, fmi3Status, fmi3String, fmi3String message) {
    static_cast<Instance3*>(environment)->log += std::string(message) + "\n";
  }
  void Begin(double stop) {
    EXPECT_EQ(FMUTEST_CALL(fmi3, EnterInitializationMode)(instance, false, 0.0, 0.0, true, stop), fmi3OK) << log;
    EXPECT_EQ(FMUTEST_CALL(fmi3, ExitInitializationMode)(instance), fmi3OK) << log;
  }
  fmi3Status Step(double time, double step) {
    bool event = true;
    bool terminate = true;
    bool early = true;
    double last = -1.0;
    const fmi3Status status =
        FMUTEST_CALL(fmi3, DoStep)(instance, time, step, false, &event, &terminate, &early, &last);
    EXPECT_FALSE(event || terminate || early);
    return status;
  }
  std::vector<double> Get(const std::string& name) {
    const auto& variable = fmu->Variable(name);
    std::vector<double> values(variable.count, -1.0);
    EXPECT_EQ(FMUTEST_CALL(fmi3, GetFloat64)(instance, &variable.reference, 1, values.data(), values.size()), fmi3OK)
        << log;
    return values;
  }

  Fmu* fmu;
  fmi3Instance instance = nullptr;
  std::string log;
};

/// The processes that this one has started and that live.
inline std::vector<int> Children() {
  std::vector<int> children;
  for (const auto& task : fs::directory_iterator("/proc/self/task")) {
    std::ifstream list(task.path() / "children");
    for (int pid = 0; list >> pid;) children.push_back(pid);
  }
  return children;
}

}  // namespace fmutest
