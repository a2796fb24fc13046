#include "python/bindings/RunHandle.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "composition/report/RunReport.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/system/CoarseClock.hpp"
#include "python/bindings/Convert.hpp"

namespace openmi::python {
namespace py = pybind11;

namespace {

constexpr auto kLook = std::chrono::milliseconds(50);  // between two looks for signals

/// The value of an option; no value if it is None.
template <class T>
std::optional<T> Option(const py::dict& options, const char* name) {
  const py::object value = options[name];
  return value.is_none() ? std::nullopt : std::optional(value.cast<T>());
}

const EnumNames<SuppliedBetween> kBetweens{"previous", "linear"};

}  // namespace

RunHandle::RunHandle(const Model& model, const Variables& variables, const py::dict& options) : files_(model.Files()) {
  Problems problems;
  CompositionFile file = model.Read(problems);
  if (Option<bool>(options, "isolate").value_or(false)) {
    for (ComponentSpec& component : file.components) {
      if (component.apart.isolation == Isolation::None) component.apart.isolation = Isolation::Process;
    }
  }
  run_ = std::make_unique<EmbeddedRun>(std::move(file), std::move(problems));
  for (const auto& [name, value] : variables) run_->SetVariable(name, value);
  RunOptions& with = run_->Options();
  if (const auto folder = Option<std::string>(options, "results")) {
    with.folder = *folder;
    with.write_results = true;
    if (Option<bool>(options, "report").value_or(true)) with.write_report = WriteRunReport;
  }
  with.overwrite = Option<bool>(options, "overwrite").value_or(false);
  if (const auto mode = Option<std::string>(options, "mode")) with.mode = EnumFromPython(kRunModes, *mode, "mode");
  if (const auto threads = Option<int>(options, "threads")) {
    if (*threads < 1) {
      throw ArgumentError({.item = "threads"}, fmt::format("expected at least 1 thread, found {}", *threads));
    }
    with.threads = static_cast<std::size_t>(*threads);
  }
  with.resume_changed = Option<bool>(options, "resume_changed").value_or(false);
  with.resume = with.resume_changed || Option<bool>(options, "resume").value_or(false);
  with.step_times = Option<bool>(options, "step_times").value_or(false);
  with.save_states = Option<std::string>(options, "save_states").value_or("");
  with.command = Option<std::string>(options, "command").value_or("");
  with.progress_seconds = Option<double>(options, "progress_seconds").value_or(0.2);
  for (const auto& [item, between] :
       Option<std::map<std::string, std::string>>(options, "supply").value_or(std::map<std::string, std::string>())) {
    run_->SupplyInput(item, EnumFromPython(kBetweens, between, "supply"));
  }
  progress_ = options["progress"];
  waiting_ = options["waiting"];
  if (!progress_.is_none()) {
    with.progress = [this](const RunProgress& progress) {
      Call([&] {
        if (!progress_.is_none()) progress_(progress);
      });
    };
  }
  with.is_interrupted = [this] { return IsLookDue(); };
}

std::shared_ptr<RunHandle> RunHandle::Make(const Model& model, const Variables& variables, const py::dict& options) {
  return {new RunHandle(model, variables, options), [](RunHandle* handle) {
            handle->Close();
            const py::gil_scoped_acquire acquire;
            delete handle;
          }};
}

void RunHandle::Close() {
  std::optional<py::gil_scoped_release> release;
  if (PyGILState_Check() != 0) release.emplace();
  sources_.reset();
  if (run_ != nullptr) {
    try {
      run_->EndIfBegun();
    } catch (const std::exception&) {
      // Results that cannot be completed: their rows stay readable. There is no one to tell.
    }
  }
  run_.reset();
}

void RunHandle::ThrowRaised() {
  if (!has_raised_) return;
  has_raised_ = false;
  const auto raised = std::exchange(raised_, nullptr);
  throw py::error_already_set(*raised);
}

void RunHandle::Raise(py::error_already_set error) {
  raised_ = std::make_unique<py::error_already_set>(std::move(error));
  has_raised_ = true;
}

template <class Code>
void RunHandle::Call(const Code& code) {
  const EmbeddedRun::Calling inside(*run_);
  const py::gil_scoped_acquire acquire;
  if (has_raised_) return;  // the run is about to end
  try {
    code();
  } catch (py::error_already_set& error) {
    run_->Run().RequestEnd("Python code that the run calls raised " +
                           error.type().attr("__name__").cast<std::string>());
    Raise(std::move(error));
  }
}

bool RunHandle::LookForSignals() {
  looked_ = CoarseNow().time_since_epoch().count();
  const py::gil_scoped_acquire acquire;
  if (PyErr_CheckSignals() == 0) return false;
  Raise(py::error_already_set());
  return true;
}

bool RunHandle::IsLookDue() const {
  return CoarseNow().time_since_epoch().count() - looked_.load() > Clock::duration(kLook).count();
}

bool RunHandle::Go(std::optional<Stamp> until) {
  return Alone([&](EmbeddedRun& run) {
    const auto is_there = [&] { return until && !Before(run.Begun().Now(), *until); };
    looked_ = CoarseNow().time_since_epoch().count();
    bool goes_on = true;
    while (goes_on && !is_there()) {
      goes_on = run.Step(until ? 1 : CompositionRun::kManyPasses);
      if (!goes_on || !IsLookDue() || !LookForSignals()) continue;
      if (until) break;  // the run stays as it is, between two passes
      run.Begun().RequestEnd("interrupted");
    }
    return goes_on;
  });
}

void RunHandle::End() {
  Alone([](EmbeddedRun& run) { run.EndIfBegun(); });
  progress_ = waiting_ = py::none();
  observers_.clear();
}

void RunHandle::Observe(const std::string& item, py::object function) {
  const std::size_t number = observers_.size();
  observers_.push_back(std::move(function));
  Alone([&](EmbeddedRun& run) {
    run.Observe(item, [this, number](Stamp begin, Days duration, std::span<const double> row) {
      Call([&] {
        if (number >= observers_.size()) return;  // the run was ended
        observers_[number](TimeToPython(begin + duration), SpanToPython(duration), RowToPython(row));
      });
    });
  });
}

void RunHandle::Load() {
  Alone([this](EmbeddedRun& run) {
    run.Load();
    WatchSources(run);
  });
}

void RunHandle::WatchSources(EmbeddedRun& run) {
  sources_ = std::make_unique<LiveSources>(run.Loaded(), [this](const std::string& id, const std::string& sentence) {
    Call([&] {
      if (!waiting_.is_none()) waiting_(id, sentence);
    });
    if (has_raised_ || LookForSignals()) {
      throw ModelError({.component = id}, "interrupted while " + sentence);
    }
  });
}

}  // namespace openmi::python
