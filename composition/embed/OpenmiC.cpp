// The C interface: the life of a run, its problems and its components.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "composition/embed/Handles.hpp"
#include "composition/report/RunReport.hpp"
#include "openmi/omi/SdkVersion.hpp"

namespace {

using openmi::ArgumentError;
using openmi::EmbeddedRun;
using openmi::Problems;
using namespace openmi::embed;  // NOLINT: the pieces of this file

const openmi::Problem& ProblemAt(const EmbeddedRun& run, int number) {
  const Problems& all = run.AllProblems();
  if (number < 0 || static_cast<std::size_t>(number) >= all.size()) {
    throw openmi::RangeError({}, fmt::format("expected a problem below {}, found {}", all.size(), number),
                             "see openmi_problem_count");
  }
  return all[static_cast<std::size_t>(number)];
}

}  // namespace

const char* openmi_version(void) {
  return openmi::kSdkVersion;
}

size_t openmi_last_error(char* buffer, size_t size) {
  Copy(LastError(), buffer, size);
  return LastError().size();
}

openmi_run* openmi_open(const char* path) {
  openmi_run* handle = nullptr;
  Guarded([&] {
    Problems problems;
    openmi::CompositionFile file = openmi::ReadCompositionFile(Needed(path, "path"), problems);
    handle = TheHandles().Add(std::make_shared<openmi_run>(std::move(file), std::move(problems)));
    return 0;
  });
  return handle;
}

int openmi_close(openmi_run* handle) {
  if (handle == nullptr) return 0;
  return Guarded([&] {
    const auto found = TheHandles().Find(handle);
    const auto lock = found->run.Lock();  // a call in progress finishes first
    TheHandles().Remove(handle);
    found->run.EndIfBegun();
    return 0;
  });
}

int openmi_set_variable(openmi_run* handle, const char* name, const char* value) {
  return With(handle, [&](EmbeddedRun& run) {
    run.SetVariable(Needed(name, "name"), Needed(value, "value"));
    return 0;
  });
}

int openmi_set_argument(openmi_run* handle, const char* component, const char* key, const char* value) {
  return With(handle, [&](EmbeddedRun& run) {
    run.SetArgument(Needed(component, "component"), Needed(key, "key"), Needed(value, "value"));
    return 0;
  });
}

int openmi_set_results(openmi_run* handle, const char* folder, int overwrite) {
  return With(handle, [&](EmbeddedRun& run) {
    openmi::RunOptions& options = run.Options();
    options.write_results = folder != nullptr;
    options.write_report = nullptr;
    if (folder != nullptr) options.write_report = openmi::WriteRunReport;
    if (folder != nullptr) options.folder = folder;
    options.overwrite = overwrite != 0;
    return 0;
  });
}

int openmi_load(openmi_run* handle) {
  return With(handle, [&](EmbeddedRun& run) {
    run.Load();
    return 0;
  });
}

int openmi_problem_count(openmi_run* handle) {
  return With(handle, [&](EmbeddedRun& run) { return static_cast<int>(run.AllProblems().size()); });
}

int openmi_problem(openmi_run* handle, int number, char* buffer, size_t size) {
  return With(handle,
              [&](EmbeddedRun& run) { return Copy(openmi::FormatProblem(ProblemAt(run, number)), buffer, size); });
}

int openmi_problem_severity(openmi_run* handle, int number) {
  return With(handle, [&](EmbeddedRun& run) { return static_cast<int>(ProblemAt(run, number).severity); });
}

int openmi_begin(openmi_run* handle) {
  return With(handle, [&](EmbeddedRun& run) {
    run.Begin();
    return 0;
  });
}

int openmi_step(openmi_run* handle) {
  return With(handle, [](EmbeddedRun& run) { return run.Step() ? 1 : 0; });
}

int openmi_step_until(openmi_run* handle, double mjd) {
  return With(handle, [&](EmbeddedRun& run) {
    if (!std::isfinite(mjd)) throw ArgumentError({.item = "mjd"}, "expected a time, found no number");
    return run.StepUntil(openmi::Stamp{mjd}) ? 1 : 0;
  });
}

int openmi_now(openmi_run* handle, double* mjd) {
  return With(handle, [&](EmbeddedRun& run) {
    Need(mjd, "mjd");
    *mjd = run.Run().Now().mjd;
    return 0;
  });
}

int openmi_end(openmi_run* handle) {
  return With(handle, [](EmbeddedRun& run) {
    run.End();
    return 0;
  });
}

int openmi_component_count(openmi_run* handle) {
  return With(handle, [&](EmbeddedRun& run) { return static_cast<int>(run.Loaded().Instances().size()); });
}

int openmi_component_id(openmi_run* handle, int component, char* buffer, size_t size) {
  return With(handle, [&](EmbeddedRun&, openmi_run& all) { return Copy(all.Component(component).Id(), buffer, size); });
}

int openmi_find_component(openmi_run* handle, const char* id) {
  return With(handle, [&](EmbeddedRun& run) {
    const std::string name = Needed(id, "id");
    const auto index = run.Loaded().IndexOf(name);
    if (!index) throw ArgumentError({.component = name}, fmt::format("expected a component, found '{}'", name));
    return static_cast<int>(*index);
  });
}
