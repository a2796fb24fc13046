// The C interface: the life of a run, its problems and its components.

#include <algorithm>
#include <cmath>

#include "composition/check/CheckComposition.hpp"
#include "composition/embed/EmbeddedRun.hpp"
#include "composition/report/RunReport.hpp"
#include "openmi/omi/SdkVersion.hpp"

namespace {

using openmi::ArgumentError;
using openmi::Problems;
using openmi::StateError;
using namespace openmi::embed;  // NOLINT: the pieces of this file

int StepOnce(openmi_run& run) {
  const openmi::Problems& problems = run.Begun().Record().problems;
  const auto before = static_cast<std::ptrdiff_t>(problems.size());
  if (run.Begun().Advance()) return 1;
  const auto error = std::find_if(problems.begin() + before, problems.end(), [](const openmi::Problem& problem) {
    return problem.severity == openmi::Problem::Error;
  });
  if (error == problems.end()) return 0;
  LastError() = openmi::FormatProblem(*error);
  return -1;
}

const openmi::Problem& ProblemAt(const openmi_run& run, int number) {
  const Problems& all = run.All();
  if (number < 0 || static_cast<std::size_t>(number) >= all.size()) {
    throw openmi::RangeError({}, fmt::format("expected a problem below {}, found {}", all.size(), number),
                             "see openmi_problem_count");
  }
  return all[static_cast<std::size_t>(number)];
}

}  // namespace

void openmi::embed::ObserverCall::RequireOutside(const openmi_run* run) {
  for (const ObserverCall* call = innermost_; call != nullptr; call = call->outer_) {
    if (&call->run_ != run) continue;
    throw StateError({}, "expected a call from outside of the observers of this run, found one from within an observer",
                     "let the observer keep what it needs, and call once openmi_step has returned");
  }
}

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
    auto run = std::make_shared<openmi_run>();
    run->file = openmi::ReadCompositionFile(Needed(path, "path"), run->problems);
    run->options.write_results = false;
    handle = TheHandles().Add(std::move(run));
    return 0;
  });
  return handle;
}

int openmi_close(openmi_run* handle) {
  if (handle == nullptr) return 0;
  return Guarded([&] {
    ObserverCall::RequireOutside(handle);
    const auto run = TheHandles().Remove(handle);
    if (run == nullptr) {
      throw ArgumentError({.item = "run"}, "expected a run, found a handle that is not open", "close a run once");
    }
    const std::lock_guard lock(run->mutex);  // a call in progress finishes first
    if (run->run != nullptr && !run->record && run->run->State() != openmi::RunState::Created) run->run->End();
    return 0;
  });
}

int openmi_set_variable(openmi_run* handle, const char* name, const char* value) {
  return With(handle, [&](openmi_run& run) {
    run.RequireUnloaded();
    run.variables[Needed(name, "name")] = Needed(value, "value");
    return 0;
  });
}

int openmi_set_argument(openmi_run* handle, const char* component, const char* key, const char* value) {
  return With(handle, [&](openmi_run& run) {
    const std::string id = Needed(component, "component");
    const std::string name = Needed(key, "key");
    const std::string text = Needed(value, "value");
    if (run.composition != nullptr) {
      Desk(run).SetArgument(id, name, text);
      return 0;
    }
    const auto spec = std::ranges::find(run.file.components, id, &openmi::ComponentSpec::id);
    if (spec == run.file.components.end()) {
      throw ArgumentError({.file = run.file.path.string(), .component = id},
                          fmt::format("expected a component, found '{}'", id), "see the composition file");
    }
    const auto argument = std::ranges::find(spec->arguments, name, &openmi::ArgumentSpec::key);
    if (argument != spec->arguments.end()) {
      argument->value = text;
    } else {
      spec->arguments.push_back({.key = name, .value = text, .line = spec->line});
    }
    return 0;
  });
}

int openmi_set_results(openmi_run* handle, const char* folder, int overwrite) {
  return With(handle, [&](openmi_run& run) {
    run.RequireUnloaded();
    run.options.write_results = folder != nullptr;
    run.options.write_report = nullptr;
    if (folder != nullptr) run.options.write_report = openmi::WriteRunReport;
    if (folder != nullptr) run.options.folder = folder;
    run.options.overwrite = overwrite != 0;
    return 0;
  });
}

int openmi_load(openmi_run* handle) {
  return With(handle, [&](openmi_run& run) {
    run.RequireUnloaded();
    // No results are written, so no checkpoints either: several runs of one composition do not conflict.
    if (!run.options.write_results) run.file.checkpoints.reset();
    auto composition = std::make_unique<openmi::Composition>(run.file, run.variables);
    composition->SetResultsFolder(run.options.folder);
    composition->Load(run.problems);
    composition->Connect(run.problems);
    for (const auto& [item, between] : run.supplied) {
      try {
        composition->SupplyInput(item, between);
      } catch (const openmi::Error& error) {
        openmi::AddError(run.problems, error.Place(), error.Problem(), error.Remedy());
      }
    }
    CheckComposition(*composition, run.problems);
    run.composition = std::move(composition);
    if (openmi::HasErrors(run.problems)) openmi::ThrowIfErrors(run.problems);
    run.run = std::make_unique<openmi::CompositionRun>(*run.composition, run.problems, run.options);
    run.desk = std::make_unique<openmi::RunDesk>(*run.run);
    return 0;
  });
}

int openmi_problem_count(openmi_run* handle) {
  return With(handle, [&](openmi_run& run) { return static_cast<int>(run.All().size()); });
}

int openmi_problem(openmi_run* handle, int number, char* buffer, size_t size) {
  return With(handle,
              [&](openmi_run& run) { return Copy(openmi::FormatProblem(ProblemAt(run, number)), buffer, size); });
}

int openmi_problem_severity(openmi_run* handle, int number) {
  return With(handle, [&](openmi_run& run) { return static_cast<int>(ProblemAt(run, number).severity); });
}

int openmi_begin(openmi_run* handle) {
  return With(handle, [&](openmi_run& run) {
    Desk(run);
    run.run->Begin();
    if (run.run->State() != openmi::RunState::Over) return 0;
    openmi::ThrowIfErrors(run.run->Record().problems);
    return 0;
  });
}

int openmi_step(openmi_run* handle) {
  return With(handle, StepOnce);
}

int openmi_step_until(openmi_run* handle, double mjd) {
  return With(handle, [&](openmi_run& run) {
    if (!std::isfinite(mjd)) throw ArgumentError({.item = "mjd"}, "expected a time, found no number");
    int result = 1;
    while (result == 1 && openmi::Before(run.Begun().Now(), openmi::Stamp{mjd})) result = StepOnce(run);
    return result;
  });
}

int openmi_now(openmi_run* handle, double* mjd) {
  return With(handle, [&](openmi_run& run) {
    Need(mjd, "mjd");
    Desk(run);
    *mjd = run.run->Now().mjd;
    return 0;
  });
}

int openmi_end(openmi_run* handle) {
  return With(handle, [&](openmi_run& run) {
    run.record = run.Begun().End();
    return 0;
  });
}

int openmi_component_count(openmi_run* handle) {
  return With(handle, [&](openmi_run& run) { return static_cast<int>(run.Loaded().Instances().size()); });
}

int openmi_component_id(openmi_run* handle, int component, char* buffer, size_t size) {
  return With(handle, [&](openmi_run& run) { return Copy(run.Component(component).Id(), buffer, size); });
}

int openmi_find_component(openmi_run* handle, const char* id) {
  return With(handle, [&](openmi_run& run) {
    const std::string name = Needed(id, "id");
    const auto index = run.Loaded().IndexOf(name);
    if (!index) throw ArgumentError({.component = name}, fmt::format("expected a component, found '{}'", name));
    return static_cast<int>(*index);
  });
}
