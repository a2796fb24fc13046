#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "composition/control/RunDesk.hpp"
#include "composition/embed/OutputView.hpp"
#include "composition/embed/openmi_c.h"
#include "composition/run/Composition.hpp"
#include "composition/run/CompositionRun.hpp"
#include "composition/state/Checkpoint.hpp"
#include "openmi/omi/SdkVersion.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Missing.hpp"
#include "openmi/sdk/Problem.hpp"

namespace {

using openmi::ArgumentError;
using openmi::Problems;
using openmi::StateError;

/// Hands the rows of one output to a function of the caller's.
class Watcher final : public openmi::IRowListener {
 public:
  Watcher(openmi_observer observer, void* user) : observer_(observer), user_(user) {}
  void OnRow(openmi::Stamp begin, openmi::Days duration, std::span<const double> row) override {
    observer_(user_, (begin + duration).mjd, duration.count, row.data(), row.size());
  }

 private:
  openmi_observer observer_;
  void* user_;
};

/// A state with its bytes, once somebody asked for them.
struct KeptState {
  openmi::Checkpoint state;
  std::vector<std::byte> bytes;
};

}  // namespace

/// Behind the handle.
struct openmi_run {
  std::mutex mutex;
  openmi::CompositionFile file;
  openmi::Variables variables;
  openmi::RunOptions options;
  Problems problems;  // until the run has them
  std::unique_ptr<openmi::Composition> composition;
  std::unique_ptr<openmi::CompositionRun> run;
  std::unique_ptr<openmi::RunDesk> desk;
  std::optional<openmi::RunRecord> record;  // once it was ended
  std::vector<std::pair<openmi::StandIn*, std::unique_ptr<Watcher>>> watchers;
  std::vector<std::pair<openmi::ItemSpec, openmi::SuppliedBetween>> supplied;
  std::vector<openmi::OutputView> views;
  std::map<int, KeptState> states;
  int last_state = 0;

  ~openmi_run() {
    desk.reset();
    for (auto& [stand_in, watcher] : watchers) stand_in->RemoveListener(*watcher);
    run.reset();
  }
  openmi::Composition& Loaded() {
    if (composition == nullptr) {
      throw StateError({.file = file.path.string()}, "expected a run that was loaded, found one that was not",
                       "call openmi_load");
    }
    return *composition;
  }
  KeptState& State(int number) {
    const auto found = states.find(number);
    if (found == states.end()) {
      throw openmi::RangeError({.file = file.path.string()},
                               fmt::format("expected the number of a kept state, found {}", number),
                               "use what openmi_keep_state gave, until openmi_drop_state");
    }
    return found->second;
  }
  openmi::CompositionRun& Begun() {
    Loaded();
    if (run == nullptr || run->State() == openmi::RunState::Created || record) {
      throw StateError({.file = file.path.string()},
                       record ? "expected a run that goes on, found one that was ended"
                              : "expected a run that was begun, found one that was not",
                       record ? "open it again" : "call openmi_begin");
    }
    return *run;
  }
  void RequireUnloaded() const {
    if (composition == nullptr) return;
    throw StateError({.file = file.path.string()}, "expected a run that was not loaded yet, found that it was",
                     "do this before openmi_load");
  }
  const Problems& All() const {
    if (record) return record->problems;
    return run != nullptr ? run->Record().problems : problems;
  }
  const openmi::Instance& Component(int number) {
    const auto& instances = Loaded().Instances();
    if (number < 0 || static_cast<std::size_t>(number) >= instances.size()) {
      throw openmi::RangeError({.file = file.path.string()},
                               fmt::format("expected a component from 0 to {}, found {}",
                                           static_cast<std::ptrdiff_t>(instances.size()) - 1, number),
                               "see openmi_component_count");
    }
    return instances[static_cast<std::size_t>(number)];
  }
};

namespace {

thread_local std::string last_error;

/// All handles that are open: whatever else comes in as one is refused.
class Handles {
 public:
  openmi_run* Add(std::shared_ptr<openmi_run> run) {
    const std::lock_guard lock(mutex_);
    openmi_run* handle = run.get();
    runs_[handle] = std::move(run);
    return handle;
  }
  std::shared_ptr<openmi_run> Find(openmi_run* handle) {
    const std::lock_guard lock(mutex_);
    const auto found = runs_.find(handle);
    return found == runs_.end() ? nullptr : found->second;
  }
  std::shared_ptr<openmi_run> Remove(openmi_run* handle) {
    const std::lock_guard lock(mutex_);
    const auto found = runs_.find(handle);
    if (found == runs_.end()) return nullptr;
    auto run = std::move(found->second);
    runs_.erase(found);
    return run;
  }

 private:
  std::mutex mutex_;
  std::map<openmi_run*, std::shared_ptr<openmi_run>> runs_;
};

Handles& TheHandles() {
  static Handles handles;
  return handles;
}

/// Does `work`, which returns the result; what it throws becomes the last error, and -1.
template <class Work>
int Guarded(Work&& work) noexcept {
  try {
    return work();
  } catch (const std::exception& error) {
    try {
      last_error = error.what();
    } catch (...) {  // NOLINT(bugprone-empty-catch): no memory for the words
    }
  } catch (...) {
    last_error = "an exception that is not a std::exception";
  }
  return -1;
}

/// The same with a checked handle, one caller at a time.
template <class Work>
int With(openmi_run* handle, Work&& work) noexcept {
  return Guarded([&]() -> int {
    const auto run = TheHandles().Find(handle);
    if (run == nullptr) {
      throw ArgumentError({.item = "run"},
                          handle == nullptr ? "expected a run, found a null pointer"
                                            : "expected a run, found a handle that is not open",
                          "use what openmi_open gave, until openmi_close");
    }
    const std::lock_guard lock(run->mutex);
    return work(*run);
  });
}

std::string Needed(const char* text, const char* name) {
  if (text == nullptr) {
    throw ArgumentError({.item = name}, "expected a text, found a null pointer");
  }
  return text;
}

template <class Pointer>
void Need(Pointer pointer, const char* name) {
  if (pointer == nullptr) throw ArgumentError({.item = name}, "expected a place to use, found a null pointer");
}

int Copy(const std::string& text, char* buffer, std::size_t size) {
  if (buffer != nullptr && size > 0) {
    const std::size_t count = std::min(text.size(), size - 1);
    std::memcpy(buffer, text.data(), count);
    buffer[count] = '\0';
  }
  return static_cast<int>(std::min<std::size_t>(text.size(), 0x7fffffff));
}

int StepOnce(openmi_run& run) {
  const std::size_t before = openmi::CountProblems(run.Begun().Record().problems, openmi::Problem::Error);
  if (run.Begun().Advance()) return 1;
  for (const openmi::Problem& problem : run.Begun().Record().problems) {
    if (problem.severity != openmi::Problem::Error) continue;
    if (openmi::CountProblems(run.Begun().Record().problems, openmi::Problem::Error) <= before) break;
    last_error = openmi::FormatProblem(problem);
    return -1;
  }
  return 0;
}

const openmi::Problem& ProblemAt(const openmi_run& run, int number) {
  const Problems& all = run.All();
  if (number < 0 || static_cast<std::size_t>(number) >= all.size()) {
    throw openmi::RangeError({}, fmt::format("expected a problem below {}, found {}", all.size(), number),
                             "see openmi_problem_count");
  }
  return all[static_cast<std::size_t>(number)];
}

openmi::RunDesk& Desk(openmi_run& run) {
  run.Loaded();
  if (run.desk == nullptr) {
    throw StateError({.file = run.file.path.string()},
                     "expected a run whose check found no errors, found one with errors", "see openmi_problem");
  }
  return *run.desk;
}

}  // namespace

const char* openmi_version(void) {
  return openmi::kSdkVersion;
}

size_t openmi_last_error(char* buffer, size_t size) {
  Copy(last_error, buffer, size);
  return last_error.size();
}

openmi_run* openmi_open(const char* path) {
  openmi_run* handle = nullptr;
  Guarded([&] {
    auto run = std::make_shared<openmi_run>();
    run->file = openmi::ReadCompositionFile(Needed(path, "path"), run->problems);
    run->options.write_results = run->options.write_report = false;
    handle = TheHandles().Add(std::move(run));
    return 0;
  });
  return handle;
}

int openmi_close(openmi_run* handle) {
  if (handle == nullptr) return 0;
  return Guarded([&] {
    const auto run = TheHandles().Remove(handle);
    if (run == nullptr) {
      throw ArgumentError({.item = "run"}, "expected a run, found a handle that is not open", "close a run once");
    }
    const std::lock_guard lock(run->mutex);  // whoever is inside finishes first
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
    run.options.write_results = run.options.write_report = folder != nullptr;
    if (folder != nullptr) run.options.folder = folder;
    run.options.overwrite = overwrite != 0;
    return 0;
  });
}

int openmi_load(openmi_run* handle) {
  return With(handle, [&](openmi_run& run) {
    run.RequireUnloaded();
    auto composition = std::make_unique<openmi::Composition>(run.file, run.variables);
    composition->Load(run.problems);
    composition->Connect(run.problems);
    for (const auto& [item, between] : run.supplied) {
      try {
        composition->SupplyInput(item, between);
      } catch (const openmi::Error& error) {
        openmi::AddError(run.problems, error.Place(), error.Problem(), error.Remedy());
      }
    }
    composition->Validate(run.problems);
    run.composition = std::move(composition);
    if (openmi::HasErrors(run.problems)) {
      openmi::ThrowIfErrors(run.problems);
    }
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

int openmi_item_size(openmi_run* handle, const char* item) {
  return With(handle, [&](openmi_run& run) { return static_cast<int>(Desk(run).ElementCount(Needed(item, "item"))); });
}

int openmi_item_unit(openmi_run* handle, const char* item, char* buffer, size_t size) {
  return With(handle, [&](openmi_run& run) { return Copy(Desk(run).Values(Needed(item, "item")).unit, buffer, size); });
}

int openmi_read(openmi_run* handle, const char* item, double* values, size_t count) {
  return With(handle, [&](openmi_run& run) {
    Need(values, "values");
    const std::string name = Needed(item, "item");
    const openmi::DeskValues last = Desk(run).Values(name);
    if (last.values.size() != count) {
      throw openmi::RangeError(
          {.item = name}, fmt::format("expected a place for {} values, found one for {}", last.values.size(), count),
          last.values.empty() ? "begin the run first" : "see openmi_item_size");
    }
    std::ranges::copy(last.values, values);
    return 0;
  });
}

int openmi_write(openmi_run* handle, const char* item, const double* values, size_t count) {
  return With(handle, [&](openmi_run& run) {
    Need(values, "values");
    Desk(run).Override(Needed(item, "item"), {values, count});
    return 0;
  });
}

int openmi_free(openmi_run* handle, const char* item) {
  return With(handle, [&](openmi_run& run) {
    Desk(run).Free(Needed(item, "item"));
    return 0;
  });
}

int openmi_supply_input(openmi_run* handle, const char* item, openmi_between between) {
  return With(handle, [&](openmi_run& run) {
    run.RequireUnloaded();
    if (between != OPENMI_PREVIOUS && between != OPENMI_LINEAR) {
      throw ArgumentError({.item = "between"}, fmt::format("expected OPENMI_PREVIOUS or OPENMI_LINEAR, found {}",
                                                           static_cast<int>(between)));
    }
    const auto [component, id] = openmi::RunDesk::Cut(Needed(item, "item"));
    run.supplied.emplace_back(openmi::ItemSpec{component, id}, between == OPENMI_LINEAR
                                                                   ? openmi::SuppliedBetween::Linear
                                                                   : openmi::SuppliedBetween::Previous);
    return 0;
  });
}

int openmi_supply(openmi_run* handle, const char* item, double mjd, double duration, const double* values,
                  size_t count) {
  return With(handle, [&](openmi_run& run) {
    Need(item, "item");
    Need(values, "values");
    Desk(run);
    run.run->Supply(item, openmi::Stamp{mjd}, openmi::Days{duration}, {values, count});
    return 0;
  });
}

int openmi_find_item(openmi_run* handle, const char* item) {
  return With(handle, [&](openmi_run& run) {
    openmi::StandIn& output = Desk(run).StandInOf(Needed(item, "item"));
    const auto known =
        std::ranges::find_if(run.views, [&](const openmi::OutputView& view) { return &view.Output() == &output; });
    const auto number = known - run.views.begin();
    if (known == run.views.end()) run.views.emplace_back(output);
    return static_cast<int>(number);
  });
}

int openmi_read_item(openmi_run* handle, int item, double* values, size_t count, double* mjd, double* duration) {
  return With(handle, [&](openmi_run& run) {
    Need(values, "values");
    if (item < 0 || static_cast<std::size_t>(item) >= run.views.size()) {
      throw openmi::RangeError({}, fmt::format("expected an item below {}, found {}", run.views.size(), item),
                               "use what openmi_find_item gave");
    }
    const openmi::LatestRow row = run.views[static_cast<std::size_t>(item)].Latest();
    if (row.values.size() != count) {
      throw openmi::RangeError(
          {}, fmt::format("expected a place for {} values, found one for {}", row.values.size(), count),
          row.values.empty() ? "begin the run first" : "see openmi_item_size");
    }
    std::ranges::copy(row.values, values);
    const bool has_time = row.begin != openmi::kFarPast;
    if (mjd != nullptr) *mjd = has_time ? row.begin.mjd : openmi::kNotANumber;
    if (duration != nullptr) *duration = has_time ? row.duration.count : openmi::kNotANumber;
    return 0;
  });
}

int openmi_keep_state(openmi_run* handle, int* state) {
  return With(handle, [&](openmi_run& run) {
    Need(state, "state");
    run.states[run.last_state + 1] = {run.Begun().SaveState(), {}};
    *state = ++run.last_state;
    return 0;
  });
}

int openmi_restore_state(openmi_run* handle, int state) {
  return With(handle, [&](openmi_run& run) {
    run.Begun().RestoreState(run.State(state).state);
    return 0;
  });
}

int openmi_drop_state(openmi_run* handle, int state) {
  return With(handle, [&](openmi_run& run) {
    run.State(state);
    run.states.erase(state);
    return 0;
  });
}

int openmi_state_size(openmi_run* handle, int state, size_t* size) {
  return With(handle, [&](openmi_run& run) {
    Need(size, "size");
    KeptState& kept = run.State(state);
    if (kept.bytes.empty()) kept.bytes = run.Begun().SerializeState(kept.state);
    *size = kept.bytes.size();
    return 0;
  });
}

int openmi_state_bytes(openmi_run* handle, int state, void* bytes, size_t size) {
  return With(handle, [&](openmi_run& run) {
    Need(bytes, "bytes");
    KeptState& kept = run.State(state);
    if (kept.bytes.empty()) kept.bytes = run.Begun().SerializeState(kept.state);
    if (kept.bytes.size() != size) {
      throw openmi::RangeError({},
                               fmt::format("expected a place for {} bytes, found one for {}", kept.bytes.size(), size),
                               "see openmi_state_size");
    }
    std::memcpy(bytes, kept.bytes.data(), size);
    return 0;
  });
}

int openmi_state_from_bytes(openmi_run* handle, const void* bytes, size_t size, int* state) {
  return With(handle, [&](openmi_run& run) {
    Need(bytes, "bytes");
    Need(state, "state");
    const std::span<const std::byte> given(static_cast<const std::byte*>(bytes), size);
    run.states[run.last_state + 1] = {run.Begun().DeserializeState(given), {given.begin(), given.end()}};
    *state = ++run.last_state;
    return 0;
  });
}

int openmi_observe(openmi_run* handle, const char* item, openmi_observer observer, void* user) {
  return With(handle, [&](openmi_run& run) {
    Need(observer, "observer");
    const std::string name = Needed(item, "item");
    Desk(run);
    if (run.run->State() != openmi::RunState::Created) {
      throw StateError({.item = name}, "expected a run that was not begun yet, found that it was",
                       "observe before openmi_begin");
    }
    openmi::StandIn& stand_in = Desk(run).StandInOf(name);
    auto watcher = std::make_unique<Watcher>(observer, user);
    stand_in.AddListener(*watcher);
    run.watchers.emplace_back(&stand_in, std::move(watcher));
    return 0;
  });
}

int openmi_disengage_family(openmi_run* handle, int component) {
  return With(handle, [&](openmi_run& run) {
    const std::string id = run.Component(component).Id();
    run.Begun().Disengage(id);
    return 0;
  });
}

int openmi_engage_family(openmi_run* handle, int component) {
  return With(handle, [&](openmi_run& run) {
    const std::string id = run.Component(component).Id();
    run.Begun().Engage(id);
    return 0;
  });
}

int openmi_family_state(openmi_run* handle, int component, openmi_family_status* status) {
  return With(handle, [&](openmi_run& run) {
    Need(status, "status");
    const bool engaged = Desk(run).FamilyOf(run.Component(component).Id()).status == openmi::FamilyStatus::Engaged;
    *status = engaged ? OPENMI_FAMILY_ENGAGED : OPENMI_FAMILY_DISENGAGED;
    return 0;
  });
}
