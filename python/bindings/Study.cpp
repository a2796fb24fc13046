#include <fmt/format.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <mutex>
#include <optional>
#include <variant>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Missing.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "openmi/system/CoarseClock.hpp"
#include "python/bindings/Module.hpp"
#include "study/StudyResults.hpp"
#include "study/results/StudyTable.hpp"
#include "study/run/CheckStudy.hpp"
#include "study/run/StudyRun.hpp"
#include "study/run/StudyWorker.hpp"

namespace openmi::python {
namespace py = pybind11;
namespace fs = std::filesystem;

namespace {

/// A study as its files describe it, with what is wrong with it.
class StudyHandle {
 public:
  StudyHandle(const fs::path& path, Variables variables) : path_(path), variables_(std::move(variables)) { Read(); }

  const Study& Get() const { return *study_; }
  const Problems& Found() const { return problems_; }
  /// A study of its own for a run, which adds members to it.
  /// \throws Error  it has errors
  Study ForRun(const fs::path& folder) const {
    ThrowIfErrors(problems_);
    Problems again;
    Study study(path_, variables_, again);
    ThrowIfErrors(again);
    study.SetFolder(folder);
    return study;
  }
  Problems Check(const fs::path& folder, int workers, bool with_trial, std::optional<StudyEstimate>& estimate) const {
    Problems problems = problems_;
    if (study_->IsSound()) estimate = CheckStudy(*study_, folder, workers, with_trial, problems);
    return problems;
  }

 private:
  void Read() { study_ = std::make_unique<Study>(path_, variables_, problems_); }

  fs::path path_;
  Variables variables_;
  Problems problems_;
  std::unique_ptr<Study> study_;
};

using Given = std::variant<double, std::string>;

/// The text of a value that a program asks for.
/// \throws RangeError  it is outside of the range, or not in the list
std::string TextOf(const VarySpec& vary, const Given& given) {
  const auto* number = std::get_if<double>(&given);
  const std::string text = number == nullptr ? std::get<std::string>(given)
                                             : fmt::format("{}", vary.is_whole ? std::round(*number) : *number);
  if (vary.IsRange()) {
    if (number != nullptr && *number >= *vary.from && *number <= *vary.to) return text;
    throw RangeError({.item = vary.id}, fmt::format("expected a number from {} to {} for the Vary '{}', found {}",
                                                    *vary.from, *vary.to, vary.id, text));
  }
  std::vector<std::string> all;
  for (const VaryValue& value : vary.values) all.push_back(value.text);
  if (std::ranges::find(all, text) != all.end()) return text;
  throw RangeError({.item = vary.id},
                   fmt::format("expected a listed value of the Vary '{}', found '{}'", vary.id, text),
                   Suggest(text, all));
}

/// Tasks and replies as bytes, for other processes.
template <class T>
py::bytes BytesOf(const T& what) {
  StateWriter writer;
  what.Save(writer);
  const ByteView bytes = writer.Bytes();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
template <class T>
T FromBytes(std::string_view bytes) {
  StateReader reader(ByteView(reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()));
  T what;
  what.Load(reader);
  return what;
}

/// A queue with its study and its own processes. Several threads may use it; their calls wait for each other.
class QueueHandle {
 public:
  QueueHandle(const StudyHandle& study, const StudyStart& start, int workers, bool is_remote)
      : study_(study.ForRun(start.folder)),
        folder_(start.folder),
        queue_(study_, start, static_cast<std::size_t>(WorkerCount(study_.File(), workers))),
        run_(queue_) {
    setup_ = queue_.Setup();
    setup_.repeats_shapes = is_remote;
  }

  template <class Code>
  auto Alone(const Code& code) {
    const py::gil_scoped_release release;
    const std::lock_guard lock(mutex_);
    return code();
  }

  /// Runs what is in the queue, in processes of this machine.
  /// \param progress  a function, or None
  bool Run(const py::object& progress) {
    std::unique_ptr<py::error_already_set> raised;
    const auto guard = [&raised](const auto& code) {
      const py::gil_scoped_acquire acquire;
      try {
        code();
      } catch (py::error_already_set& error) {
        if (!raised) raised = std::make_unique<py::error_already_set>(std::move(error));
      }
    };
    StudyWatch watch;
    watch.is_interrupted = [&] {
      if (CoarseNow() - looked_ > std::chrono::milliseconds(50)) {
        looked_ = CoarseNow();
        guard([] {
          if (PyErr_CheckSignals() != 0) throw py::error_already_set();
        });
      }
      return raised != nullptr;
    };
    if (!progress.is_none()) {
      watch.progress = [&](const StudyProgress& now) { guard([&] { progress(now); }); };
    }
    const bool is_complete = Alone([&] { return run_.Run(watch); });
    if (raised) throw std::move(*raised);
    return is_complete;
  }

  Study& GetStudy() { return study_; }
  StudyQueue& Queue() { return queue_; }
  const StudySetup& Setup() const { return setup_; }
  const fs::path& Folder() const { return folder_; }

 private:
  Study study_;
  fs::path folder_;
  StudyQueue queue_;
  StudyRun run_;
  StudySetup setup_;
  std::chrono::steady_clock::time_point looked_ = CoarseNow();
  std::mutex mutex_;
};

/// A worker that stays in a process of an executor.
class WorkerHandle {
 public:
  explicit WorkerHandle(std::string_view setup) : setup_(FromBytes<StudySetup>(setup)) {}

  StudyReply Run(StudyTask task) {
    if (!worker_) worker_ = StudyWorker::Start(setup_);
    worker_->Post(std::move(task));
    StudyReply reply = worker_->Take();
    if (worker_->IsSpent()) worker_.reset();
    return reply;
  }

 private:
  StudySetup setup_;
  std::unique_ptr<StudyWorker> worker_;
};

py::dict DictOf(const VarySpec& vary) {
  py::list values;
  for (const VaryValue& value : vary.values) values.append(value.text);
  py::dict dict;
  dict["id"] = vary.id;
  dict["unit"] = vary.unit;
  dict["target"] = vary.TargetText();
  dict["range"] = py::none();
  if (vary.IsRange()) dict["range"] = py::make_tuple(*vary.from, *vary.to);
  dict["values"] = values;
  return dict;
}

/// The table of members in a folder.
py::dict TableOf(const StudyHandle& handle, const fs::path& folder) {
  std::optional<StudyTable> table;
  {
    const py::gil_scoped_release release;
    Study study = handle.ForRun(folder);
    const StudyJournalReader journal(StudyQueue::JournalIn(folder, study.File()));
    study.TakeJournal(journal);
    table.emplace(study, journal);
  }
  py::list ends, values, objectives, costs, problems;
  for (const MemberRow& row : table->Rows()) {
    ends.append(row.end ? kMemberEnds.NameOf(*row.end) : "not-run");
    values.append(row.values);
    objectives.append(row.objectives);
    costs.append(row.cost);
    problems.append(row.problem);
  }
  py::dict dict;
  dict["ends"] = ends;
  dict["values"] = values;
  dict["objectives"] = objectives;
  dict["costs"] = costs;
  dict["problems"] = problems;
  const MemberRow* best = table->Best();
  dict["best"] = py::none();
  if (best != nullptr) dict["best"] = best->member + 1;
  return dict;
}

}  // namespace

void AddStudy(py::module_& module) {
  py::class_<StudyProgress>(module, "StudyProgress", "How far a study is.")
      .def_readonly("members", &StudyProgress::members, "How many members it has.")
      .def_readonly("done", &StudyProgress::done, "How many have a result, failed or not.")
      .def_readonly("failed", &StudyProgress::failed, "How many failed.")
      .def_readonly("seconds", &StudyProgress::seconds, "Time since this process started, in seconds.")
      .def_readonly("best_cost", &StudyProgress::best_cost, "The lowest cost; infinite: there is none yet.")
      .def_property_readonly(
          "best",
          [](const StudyProgress& self) {
            return self.best ? std::optional<std::uint64_t>(*self.best + 1) : std::nullopt;
          },
          "The member with the lowest cost; None: there is none yet.")
      .def_property_readonly("seconds_left", &StudyProgress::SecondsLeft,
                             "Estimated time that is still needed, in seconds; NaN: unknown.");

  py::class_<StudyHandle>(module, "Study")
      .def(py::init<const fs::path&, Variables>())
      .def_property_readonly("problems", &StudyHandle::Found)
      .def_property_readonly("id", [](const StudyHandle& self) { return self.Get().File().id; })
      .def_property_readonly("is_program", [](const StudyHandle& self) { return self.Get().IsAsked(); })
      .def_property_readonly("varies",
                             [](const StudyHandle& self) {
                               py::list list;
                               for (const VarySpec& vary : self.Get().File().varies) list.append(DictOf(vary));
                               return list;
                             })
      .def_property_readonly("objectives",
                             [](const StudyHandle& self) {
                               std::vector<std::string> ids;
                               for (const ObjectiveSpec& one : self.Get().File().objectives) ids.push_back(one.id);
                               return ids;
                             })
      .def(
          "check",
          [](const StudyHandle& self, const fs::path& folder, int workers, bool with_trial) {
            std::optional<StudyEstimate> estimate;
            Problems problems;
            {
              const py::gil_scoped_release release;
              problems = self.Check(folder, workers, with_trial, estimate);
            }
            return problems;
          },
          py::arg("folder"), py::arg("workers"), py::arg("trial"))
      .def("table", TableOf);
  module.def("raise_errors", &ThrowIfErrors);

  py::class_<QueueHandle>(module, "StudyQueue")
      .def(py::init([](const StudyHandle& study, const fs::path& folder, bool overwrite, bool resume, bool retry,
                       int workers, bool is_remote) {
             const py::gil_scoped_release release;
             return std::make_unique<QueueHandle>(study, StudyStart{folder, overwrite, resume, retry}, workers,
                                                  is_remote);
           }),
           py::arg("study"), py::arg("folder"), py::arg("overwrite"), py::arg("resume"), py::arg("retry"),
           py::arg("workers"), py::arg("remote"))
      .def("run", &QueueHandle::Run)
      .def("ask",
           [](QueueHandle& self, const std::vector<Given>& given) {
             const auto& varies = self.GetStudy().File().varies;
             if (given.size() != varies.size()) {
               throw ArgumentError({}, fmt::format("expected a value for each Vary, {} in a point, found {}",
                                                   varies.size(), given.size()));
             }
             MemberValues values;
             for (std::size_t k = 0; k < given.size(); ++k) values.push_back(TextOf(varies[k], given[k]));
             return self.Alone([&] { return self.Queue().Ask(values); });
           })
      .def("objectives",
           [](QueueHandle& self, std::uint64_t member) {
             std::vector<double> found = self.Alone([&] { return self.Queue().Objectives(member); });
             found.resize(self.GetStudy().File().objectives.size(), kNotANumber);
             return found;
           })
      .def("cost",
           [](QueueHandle& self, std::uint64_t member) {
             const std::vector<double> found = self.Alone([&] { return self.Queue().Objectives(member); });
             return found.empty() ? kNotANumber : CostOf(self.GetStudy().File(), found);
           })
      .def("next",
           [](QueueHandle& self) -> std::optional<py::bytes> {
             const std::optional<StudyTask> task = self.Alone([&] { return self.Queue().Next(); });
             return task ? std::optional(BytesOf(*task)) : std::nullopt;
           })
      .def("take",
           [](QueueHandle& self, std::string_view task, std::string_view reply) {
             self.Alone([&] { self.Queue().Take(FromBytes<StudyTask>(task), FromBytes<StudyReply>(reply)); });
           })
      .def("drop", [](QueueHandle& self,
                      std::string_view task) { self.Alone([&] { self.Queue().Drop(FromBytes<StudyTask>(task)); }); })
      .def("close_copy", [](QueueHandle& self) { self.Queue().CloseCopy(); })
      .def_property_readonly("is_complete",
                             [](QueueHandle& self) { return self.Alone([&] { return self.Queue().IsComplete(); }); })
      .def_property_readonly("progress",
                             [](QueueHandle& self) { return self.Alone([&] { return self.Queue().Progress(); }); })
      .def_property_readonly("width", [](QueueHandle& self) { return self.Queue().Width(); })
      .def_property_readonly("is_search", [](QueueHandle& self) { return self.Queue().IsSearch(); })
      .def_property_readonly("setup", [](QueueHandle& self) { return BytesOf(self.Setup()); })
      .def(
          "finish",
          [](QueueHandle& self, bool csv, bool report, const std::string& command) {
            return self.Alone([&] {
              self.Queue().Finish();
              Study& study = self.GetStudy();
              const StudyJournalReader journal(StudyQueue::JournalIn(self.Folder(), study.File()));
              return WriteStudyResults(study, journal, self.Folder(),
                                       {.with_csv = csv, .with_report = report, .command = command});
            });
          },
          py::arg("csv"), py::arg("report"), py::arg("command"));

  py::class_<WorkerHandle>(module, "StudyWorker")
      .def(py::init<std::string_view>())
      .def("run", [](WorkerHandle& self, std::string_view task) {
        StudyReply reply;
        {
          const py::gil_scoped_release release;
          reply = self.Run(FromBytes<StudyTask>(task));
        }
        return BytesOf(reply);
      });
}

}  // namespace openmi::python
