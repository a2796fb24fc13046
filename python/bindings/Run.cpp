#include <fmt/format.h>
#include <pybind11/stl.h>

#include <nlohmann/json.hpp>

#include "composition/check/ChildAnswer.hpp"
#include "composition/check/DescribeComponent.hpp"
#include "composition/report/GraphSvg.hpp"
#include "composition/report/RunReport.hpp"
#include "composition/results/ReadResults.hpp"
#include "composition/threads/FamilyThread.hpp"
#include "openmi/sdk/Error.hpp"
#include "python/bindings/Convert.hpp"
#include "python/bindings/Module.hpp"
#include "python/bindings/RunHandle.hpp"

namespace openmi::python {
namespace py = pybind11;

namespace {

using Row = py::array_t<double, py::array::c_style | py::array::forcecast>;

std::span<const double> Numbers(const Row& row) {
  return {row.data(), static_cast<std::size_t>(row.size())};
}

py::object TimeOrNone(const std::optional<Stamp>& time) {
  return time ? TimeToPython(*time) : py::none();
}

/// The present values of an item: {values, unit, begin, duration, is_overridden, is_pending, is_freed}.
py::dict Read(RunHandle& self, const std::string& item) {
  const DeskValues found = self.Alone([&](EmbeddedRun& run) { return run.Desk().Values(item); });
  py::dict all;
  all["values"] = RowToPython(found.values);
  all["unit"] = found.unit;
  all["begin"] = TimeOrNone(found.begin);
  all["duration"] = SpanToPython(found.duration);
  all["is_overridden"] = found.is_overridden;
  all["is_pending"] = found.is_pending;
  all["is_freed"] = found.is_freed;
  return all;
}

double Value(RunHandle& self, const std::string& item) {
  const std::vector<double> row = self.Briefly([&](EmbeddedRun& run) { return run.Desk().Row(item); });
  if (row.size() == 1) return row[0];
  throw py::value_error(row.empty()
                            ? "expected a value of '" + item + "', found none yet"
                            : fmt::format("expected one value of '{}', found {}; see values", item, row.size()));
}

/// \param time  none: the present time of the run
/// \param row   a number, or what NumPy takes as an array of them
void Supply(RunHandle& self, const std::string& item, py::handle time, py::handle row, py::handle duration) {
  const std::optional<Stamp> given = time.is_none() ? std::nullopt : std::optional(TimeFromPython(time));
  const Days span = duration.is_none() ? Days() : SpanFromPython(duration);
  const auto supply = [&](std::span<const double> numbers) {
    self.Briefly([&](EmbeddedRun& run) {
      run.Run().Supply(item, given ? *given : run.Run().Now(), span, numbers);
      return true;
    });
  };
  if (PyFloat_CheckExact(row.ptr()) != 0) {
    const double number = PyFloat_AS_DOUBLE(row.ptr());
    supply({&number, 1});
  } else {
    supply(Numbers(row.cast<Row>()));
  }
}

/// \param times  microseconds since 1970; shape [n]
/// \param rows   shape [n, elements], or flat
void SupplyRows(RunHandle& self, const std::string& item,
                const py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>& times, const Row& rows,
                py::handle duration) {
  const Days span = duration.is_none() ? Days() : SpanFromPython(duration);
  const std::span<const std::int64_t> micros(times.data(), static_cast<std::size_t>(times.size()));
  const std::span<const double> numbers = Numbers(rows);
  const std::size_t width = micros.empty() ? 0 : numbers.size() / micros.size();
  if (numbers.size() != width * micros.size()) {
    throw RangeError({.item = item}, fmt::format("expected a row for each of {} times, found {} values", micros.size(),
                                                 numbers.size()));
  }
  self.Alone([&](EmbeddedRun& run) {
    for (std::size_t i = 0; i < micros.size(); ++i) {
      run.Run().Supply(item, TimeFromMicros(micros[i]), span, numbers.subspan(i * width, width));
    }
  });
}

py::list Components(RunHandle& self) {
  const std::vector<DeskComponent> found = self.Alone([](EmbeddedRun& run) { return run.Desk().Components(); });
  py::list all;
  for (const DeskComponent& component : found) {
    py::dict one;
    one["id"] = component.id;
    one["family"] = component.family;
    one["status"] = component.status;
    one["time"] = TimeOrNone(component.now);
    one["steps"] = component.steps;
    all.append(one);
  }
  return all;
}

py::list Families(RunHandle& self) {
  const std::vector<Family> found = self.Alone([](EmbeddedRun& run) {
    const std::span<const Family> families = run.Desk().AllFamilies();
    return std::vector<Family>(families.begin(), families.end());
  });
  const std::vector<std::string> ids = self.Alone([](EmbeddedRun& run) {
    std::vector<std::string> all;
    for (const Instance& instance : run.Loaded().Instances()) all.push_back(instance.Id());
    return all;
  });
  py::list all;
  for (const Family& family : found) {
    py::list members;
    for (const std::size_t member : family.members) members.append(ids.at(member));
    py::dict one;
    one["key"] = family.key;
    one["members"] = members;
    one["status"] = NameOf(family.status);
    one["problem"] = family.problem;
    all.append(one);
  }
  return all;
}

/// What is left of a run that was ended; see `python/openmi/results.py`.
py::dict Record(RunHandle& self) {
  struct Kept {
    RunRecord record;
    std::vector<RecordedSeries> series;
    std::vector<std::string> comparisons;  // ids, or the two items
    std::string summary;
  };
  Kept kept = self.Alone([](EmbeddedRun& run) {
    const RunRecord* record = run.Record();
    if (record == nullptr) {
      throw StateError({.file = run.File().path.string()}, "expected a run that was ended, found one that was not",
                       "end it");
    }
    Kept made;
    made.summary = JsonText(RunToJson(run.Loaded(), *record, ToJson(Problems())), -1);
    made.series = run.TakeSeries();
    made.record = *record;
    for (RecordedComparison& comparison : made.record.comparisons) {
      const CompareSpec* spec = std::exchange(comparison.spec, nullptr);
      made.comparisons.push_back(!spec->id.empty() ? spec->id : spec->simulated.Text() + " / " + spec->observed.Text());
    }
    return made;
  });
  RunRecord& record = kept.record;
  py::list series;
  bool is_whole = true;
  for (RecordedSeries& one : kept.series) {
    is_whole = is_whole && one.is_whole;
    series.append(std::make_shared<ResultRows>(ResultRows{.series = std::move(one.series),
                                                          .begins = std::move(one.begins),
                                                          .ends = std::move(one.times),
                                                          .values = std::move(one.values)}));
  }
  py::list comparisons;
  for (std::size_t i = 0; i < record.comparisons.size(); ++i) {
    const RecordedComparison& one = record.comparisons[i];
    py::dict comparison;
    comparison["id"] = kept.comparisons[i];
    comparison["element"] = one.element;
    comparison["unit"] = one.unit;
    comparison["is_span"] = one.is_span;
    comparison["times"] = TimesToPython(one.times);
    comparison["simulated"] = RowToPython(one.simulated);
    comparison["observed"] = RowToPython(one.observed);
    comparison["unmatched"] = one.unmatched;
    comparisons.append(comparison);
  }
  py::dict all;
  all["is_complete"] = record.is_complete;
  all["reached"] = TimeToPython(record.reached);
  all["wall_seconds"] = record.wall_seconds;
  all["passes"] = record.passes;
  all["mode"] = kRunModes.NameOf(record.mode);
  all["problems"] = record.problems;
  all["series"] = series;
  all["is_whole"] = is_whole;
  all["comparisons"] = comparisons;
  all["checkpoints"] = record.checkpoints;
  all["resumed"] = TimeOrNone(record.resumed);
  all["resumed_from"] = record.resumed_from;
  all["files"] = record.files;
  all["summary"] = kept.summary;
  return all;
}

std::string Describe(RunHandle& self, const std::string& component) {
  return self.Alone([&](EmbeddedRun& run) {
    const auto index = run.Loaded().IndexOf(component);
    const bool is_there = index && run.Loaded().Instances()[*index].IsThere();
    if (!is_there) {
      throw ArgumentError({.file = run.File().path.string(), .component = component},
                          "expected a component that takes part in the run, found " + Quoted(component));
    }
    Instance& instance = run.Loaded().Instances()[*index];
    std::string text;
    RunOn(instance.thread, [&] { text = DescribeComponent(instance.Component()); });
    return text;
  });
}

}  // namespace

void AddRun(py::module_& module) {
  py::class_<RunProgress>(module, "Progress", "How far a run is.")
      .def_property_readonly(
          "start", [](const RunProgress& self) { return TimeToPython(self.from); },
          "Start of the run, datetime64, UTC.")
      .def_property_readonly(
          "end", [](const RunProgress& self) { return TimeToPython(self.to); }, "End of the run, datetime64, UTC.")
      .def_property_readonly(
          "time", [](const RunProgress& self) { return TimeToPython(self.now); },
          "How far the run is, datetime64, UTC.")
      .def_readonly("wall_seconds", &RunProgress::wall_seconds, "Seconds since the run started.")
      .def_property_readonly("fraction", &RunProgress::Fraction, "The part that is done, 0 to 1.")
      .def_property_readonly("real_time_factor", &RunProgress::RealTimeFactor, "Simulated seconds per second.")
      .def_property_readonly("seconds_left", &RunProgress::SecondsLeft, "Estimated seconds that the run still takes.");

  py::class_<Checkpoint, std::shared_ptr<Checkpoint>>(module, "Checkpoint", "The state of a whole run.")
      .def_property_readonly("time", [](const Checkpoint& self) { return TimeToPython(self.time); })
      .def_readonly("passes", &Checkpoint::passes);

  const auto with = [](auto work) { return [work](RunHandle& self) { return self.Alone(work); }; };
  py::class_<RunHandle, std::shared_ptr<RunHandle>>(module, "Run", "A composition with its run.")
      .def(py::init(&RunHandle::Make), py::arg("model"), py::arg("variables"), py::arg("options"))
      .def("load", &RunHandle::Load)
      .def("observe", &RunHandle::Observe)
      .def("begin", [](RunHandle& self) { self.Alone([](EmbeddedRun& run) { run.Begin(); }); })
      .def("step", with([](EmbeddedRun& run) { return run.Step(); }))
      .def("step_until", [](RunHandle& self, py::handle time) { return self.Go(TimeFromPython(time)); })
      .def("run_to_end", [](RunHandle& self) { self.Go(std::nullopt); })
      .def("end", &RunHandle::End)
      .def("request_end",
           [](RunHandle& self, const std::string& why) {
             self.Alone([&](EmbeddedRun& run) { run.Begun().RequestEnd(why); });
           })
      .def("record", Record)
      .def("problems", with([](EmbeddedRun& run) { return run.AllProblems(); }))
      .def("state",
           with([](EmbeddedRun& run) { return run.Record() != nullptr ? RunState::Ended : run.Run().State(); }))
      .def("mjd", with([](EmbeddedRun& run) { return run.Run().Now().mjd; }))
      .def("time",
           [](RunHandle& self) { return TimeToPython(self.Briefly([](EmbeddedRun& run) { return run.Run().Now(); })); })
      .def("passes", with([](EmbeddedRun& run) { return run.Run().Passes(); }))
      .def("read", Read)
      .def("values",
           [](RunHandle& self, const std::string& item) {
             return RowToPython(self.Briefly([&](EmbeddedRun& run) { return run.Desk().Row(item); }));
           })
      .def("value", Value)
      .def("element_count",
           [](RunHandle& self, const std::string& item) {
             return self.Alone([&](EmbeddedRun& run) { return run.Desk().ElementCount(item); });
           })
      .def("element_ids",
           [](RunHandle& self, const std::string& item) {
             return self.Alone([&](EmbeddedRun& run) { return run.Desk().ElementIds(item); });
           })
      .def("override",
           [](RunHandle& self, const std::string& item, const Row& row) {
             self.Alone([&](EmbeddedRun& run) { run.Desk().Override(item, Numbers(row)); });
           })
      .def("free", [](RunHandle& self,
                      const std::string& item) { self.Alone([&](EmbeddedRun& run) { run.Desk().Free(item); }); })
      .def("supply", Supply)
      .def("supply_rows", SupplyRows)
      .def("set_argument",
           [](RunHandle& self, const std::string& component, const std::string& key, const std::string& value) {
             self.Alone([&](EmbeddedRun& run) { run.SetArgument(component, key, value); });
           })
      .def("components", Components)
      .def("families", Families)
      .def("disengage",
           [](RunHandle& self, const std::string& family) {
             self.Alone([&](EmbeddedRun& run) { run.Begun().Disengage(family); });
           })
      .def("engage",
           [](RunHandle& self, const std::string& family) {
             self.Alone([&](EmbeddedRun& run) { run.Begun().Engage(family); });
           })
      .def("take_checkpoint",
           [](RunHandle& self) { self.Alone([](EmbeddedRun& run) { run.Begun().TakeCheckpoint(); }); })
      .def("keep_state", with([](EmbeddedRun& run) { return std::make_shared<Checkpoint>(run.Begun().SaveState()); }))
      .def("restore_state",
           [](RunHandle& self, const Checkpoint& state) {
             self.Alone([&](EmbeddedRun& run) { run.Begun().RestoreState(state); });
           })
      .def("state_to_bytes",
           [](RunHandle& self, const Checkpoint& state) {
             const Bytes bytes = self.Alone([&](EmbeddedRun& run) { return run.Begun().SerializeState(state); });
             return py::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
           })
      .def("state_from_bytes",
           [](RunHandle& self, const py::bytes& given) {
             const std::string_view text = given;
             return self.Alone([&](EmbeddedRun& run) {
               return std::make_shared<Checkpoint>(
                   run.Begun().DeserializeState({reinterpret_cast<const std::byte*>(text.data()), text.size()}));
             });
           })
      .def("describe", Describe)
      .def("diagram",
           with([](EmbeddedRun& run) { return GraphSvg(DescribeGraph(run.Loaded()), {.use = SvgUse::Standalone}); }));
  py::enum_<RunState>(module, "RunState", "Where a run is in its life.")
      .value("CREATED", RunState::Created)
      .value("RUNNING", RunState::Running)
      .value("PAUSED", RunState::Paused)
      .value("OVER", RunState::Over)
      .value("ENDED", RunState::Ended);
}

}  // namespace openmi::python
