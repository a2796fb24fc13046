#include "study/run/MemberRunner.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>
#include <system_error>
#include <utility>

#include "composition/check/CheckComposition.hpp"
#include "composition/run/CompositionRun.hpp"
#include "composition/state/ComponentState.hpp"
#include "openmi/omi/SharedLibrary.hpp"
#include "openmi/sdk/ArgumentItem.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "openmi/sdk/Unit.hpp"

namespace openmi {
namespace {

/// The first error as a sentence; empty if there is none.
std::string FirstError(const Problems& problems, std::size_t begin = 0) {
  for (std::size_t i = begin; i < problems.size(); ++i) {
    if (problems[i].severity == Problem::Error) return FormatProblem(problems[i]);
  }
  return {};
}

/// Moves the rows of a run to the result of a member.
void TakeSeries(RunRecord& record, MemberResult& result, MemberRunner::Extras& extras) {
  for (RecordedSeries& recorded : record.series) {
    SeriesShape shape{std::move(recorded.series), std::move(recorded.begins), std::move(recorded.times)};
    std::string bytes = shape.ToBytes();
    result.series.push_back({HashOf(bytes), std::move(recorded.values)});
    extras.shapes.push_back(std::move(bytes));
  }
}

/// Why a complete run is no usable result; empty if it is.
std::string MissingNumber(const StudyFile& study, const RunRecord& record, const std::vector<double>& objectives) {
  for (const RecordedSeries& series : record.series) {
    if (!series.is_whole) {
      return fmt::format(
          "expected at most 4 million values of {} in a member, found more; observe it with Every, or fewer elements",
          series.series.id);
    }
    if (!series.has_number && !series.times.empty()) {
      return fmt::format("expected numbers in {}, found that every value is missing", series.series.id);
    }
  }
  for (std::size_t i = 0; i < objectives.size(); ++i) {
    const bool is_only_stated = study.calibrate && study.objectives[i].weight == 0.0;
    if (!std::isfinite(objectives[i]) && !is_only_stated) {
      return fmt::format("expected a number for the objective '{}', found {}", study.objectives[i].id,
                         std::isnan(objectives[i]) ? "none" : "an infinite one");
    }
  }
  return {};
}

}  // namespace

MemberRunner::MemberRunner(StudyPlan plan, Variables variables, std::filesystem::path folder)
    : plan_(std::move(plan)), variables_(std::move(variables)), folder_(std::move(folder)) {}

MemberRunner::~MemberRunner() = default;

std::filesystem::path MemberRunner::OwnFolder() const {
  return folder_ / fmt::format("{}{}", kWorkerFolder, getpid());
}

void MemberRunner::Keep(const Composition& composition) {
  for (const Instance& instance : composition.Instances()) {
    const auto& library = instance.loaded.library;
    if (library != nullptr) libraries_.try_emplace(library->Path(), library);
  }
}

MemberResult MemberRunner::Run(const StudyTask& task, Extras& extras) {
  const auto begun = std::chrono::steady_clock::now();
  MemberResult result{.member = task.member, .attempts = task.attempt, .values = task.values};
  const auto fail = [&](MemberEnd end, std::string problem) {
    result.end = end;
    result.problem = std::move(problem);
  };
  std::error_code ignored;
  const std::filesystem::path folder = folder_ / task.Folder();
  try {
    Member made = plan_.Make(task.values, OwnFolder());
    WriteMemberFiles(made);
    made.composition.checkpoints.reset();  // what is resumed is the study
    Composition composition(std::move(made.composition), variables_, loader_);
    composition.SetResultsFolder(folder);
    Problems problems;
    composition.Load(problems);
    Keep(composition);
    if (!HasErrors(problems)) composition.Connect(problems);
    if (!HasErrors(problems)) CheckComposition(composition, problems);
    if (HasErrors(problems)) {
      fail(MemberEnd::Refused, FirstError(problems));
    } else {
      const std::size_t checked = problems.size();
      RunOptions options;
      options.folder = folder;
      options.write_results = false;
      CompositionRun run(composition, std::move(problems), options);
      RunRecord record = run.Run();
      if (std::string error = FirstError(record.problems, checked); !record.is_complete || !error.empty()) {
        fail(MemberEnd::Failed, error.empty() ? "expected the run to reach its end, found it stopped" : error);
      } else {
        result.objectives = ComputeObjectives(plan_.Study(), *composition.File().run, record, result.persistence);
        if (std::string missing = MissingNumber(plan_.Study(), record, result.objectives); !missing.empty()) {
          fail(MemberEnd::NoNumber, std::move(missing));
        }
        extras.observations = ObservationsOf(record);
        TakeSeries(record, result, extras);
      }
    }
    for (const MemberFile& file : made.files) std::filesystem::remove(file.path, ignored);
    std::filesystem::remove(OwnFolder(), ignored);
  } catch (const Error& error) {
    fail(MemberEnd::Refused, error.what());
  } catch (const std::exception& error) {
    fail(MemberEnd::Failed, fmt::format("expected the member to compute, found '{}'", error.what()));
  }
  std::filesystem::remove(folder, ignored);  // only if it is empty
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  return result;
}

Problems MemberRunner::Branch() {
  Problems problems;
  try {
    std::filesystem::path part = plan_.BranchFolder();
    part += ".part";
    std::filesystem::remove_all(part);
    CompositionFile file = plan_.Composition();
    file.checkpoints.reset();
    file.run->to = plan_.Study().branch;
    file.run->warm_up = Days();
    Composition composition(std::move(file), variables_, loader_);
    composition.Load(problems);
    Keep(composition);
    composition.Connect(problems);
    CheckComposition(composition, problems);
    for (const Instance& instance : composition.Instances()) {
      if (!instance.IsThere() || KeepsState(instance.Component())) continue;
      AddError(problems,
               {.file = plan_.Study().path.string(), .line = plan_.Study().branch_line, .component = instance.Id()},
               "expected a component that keeps its state, for a Branch, found one that does not",
               "leave out Branch, so that each member runs from the start");
    }
    if (HasErrors(problems)) return problems;
    RunOptions options;
    options.write_results = false;
    options.save_states = part;
    RunRecord record = CompositionRun(composition, {}, options).Run();
    problems = std::move(record.problems);
    if (!record.is_complete && !HasErrors(problems)) {
      AddError(problems, {.file = plan_.Study().path.string(), .line = plan_.Study().branch_line},
               "expected the composition to run until the branch, found it stopped", "run the composition alone");
    }
    if (HasErrors(problems)) return problems;
    // Only now, so that a branch that was cut off is not taken for a whole one.
    std::filesystem::remove_all(plan_.BranchFolder());
    std::filesystem::rename(part, plan_.BranchFolder());
    CheckBranch(problems);
  } catch (const Error& error) {
    AddError(problems, error.Place(), error.Problem(), error.Remedy());
  } catch (const std::filesystem::filesystem_error& error) {
    AddError(problems, {.file = plan_.BranchFolder().string()},
             "expected to write the states of the branch, found: " + error.code().message(),
             "check that the folder may be written to and has room");
  }
  return problems;
}

void MemberRunner::CheckBranch(Problems& problems) {
  Composition composition(plan_.Make({}, OwnFolder()).composition, variables_, loader_);
  Problems ignored;  // found before
  composition.Load(ignored);
  composition.Connect(ignored);
  RunOptions options;
  options.write_results = false;
  CompositionRun run(composition, {}, options);
  run.Begin();
  run.RequestEnd("the states are read");
  const std::string error = FirstError(run.End().problems);
  if (error.empty()) return;
  std::error_code not_there;
  std::filesystem::remove_all(plan_.BranchFolder(), not_there);
  AddError(problems, {.file = plan_.Study().path.string(), .line = plan_.Study().branch_line},
           "expected a composition that can go on from the states of the branch, found: " + error,
           "branch at a time at which all components end a step, or leave out Branch");
}

void MemberRunner::CheckArgument(const VarySpec& vary, std::size_t number, const Composition& composition,
                                 const std::vector<MemberValues>& tried, Problems& problems) const {
  const auto index = composition.IndexOf(vary.component);
  if (!index || !composition.Instances()[*index].IsThere()) return;
  const Where where{.file = plan_.Study().path.string(), .line = vary.line, .component = vary.component};
  std::vector<std::string> ids;
  IArgument* found = nullptr;
  for (IArgument* argument : composition.Instances()[*index].Component().Arguments()) {
    ids.push_back(argument->Id());
    if (argument->Id() == vary.argument) found = argument;
  }
  if (found == nullptr) {
    AddError(problems, where,
             fmt::format("expected an argument of '{}', found {}", vary.component, Quoted(vary.argument)),
             Suggest(vary.argument, ids));
    return;
  }
  if (found->IsReadOnly()) {
    AddError(problems, where,
             fmt::format("expected an argument that can be set, found '{}', which is read-only", vary.argument),
             "vary another one");
    return;
  }
  const auto* item = dynamic_cast<const ArgumentItem*>(found);
  if (!vary.unit.empty() && item != nullptr && item->Unit() != vary.unit) {
    std::string remedy = fmt::format("write the values in that unit, or leave out Unit=\"{}\"", vary.unit);
    if (item->Unit().empty()) remedy = "leave it out";
    AddError(problems, where,
             fmt::format("expected the unit '{}' of the argument '{}', found {}", item->Unit(), vary.argument,
                         Quoted(vary.unit)),
             remedy);
  }
  std::set<std::string> done;
  for (const MemberValues& values : tried) {
    if (!done.insert(values[number]).second) continue;
    try {
      found->SetValueAsString(values[number]);
    } catch (const Error& error) {
      Where place = where;
      const auto listed = std::ranges::find(vary.values, values[number], &VaryValue::text);
      if (listed != vary.values.end()) place.line = listed->line;
      AddError(problems, place,
               fmt::format("{} (the value {} of '{}')", error.Problem(), Quoted(values[number]), vary.id),
               error.Remedy());
      if (done.size() > 20) return;
    }
  }
}

Problems MemberRunner::Check(const MemberValues& values, const std::vector<MemberValues>& tried) {
  Problems problems;
  try {
    // Without what is varied: an unknown argument is reported at the line of the study, not of the composition.
    Composition bare(plan_.Composition(), variables_, loader_);
    Problems ignored;
    bare.Load(ignored);
    Keep(bare);
    for (std::size_t k = 0; k < plan_.Study().varies.size(); ++k) {
      const VarySpec& vary = plan_.Study().varies[k];
      if (vary.target == VaryTarget::Argument) CheckArgument(vary, k, bare, tried, problems);
    }
    if (HasErrors(problems) || values.empty()) return problems;
    Member made = plan_.Make(values, OwnFolder());
    WriteMemberFiles(made);
    Composition composition(std::move(made.composition), variables_, loader_);
    composition.SetResultsFolder(OwnFolder());
    composition.Load(problems);
    Keep(composition);
    composition.Connect(problems);
    CheckComposition(composition, problems);
    std::error_code error;
    for (const MemberFile& file : made.files) std::filesystem::remove(file.path, error);
    std::filesystem::remove(OwnFolder(), error);
  } catch (const Error& error) {
    AddError(problems, error.Place(), error.Problem(), error.Remedy());
  }
  return problems;
}

}  // namespace openmi
