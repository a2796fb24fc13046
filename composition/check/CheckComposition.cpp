#include "composition/check/CheckComposition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "composition/link/Composition.hpp"
#include "composition/link/Linker.hpp"
#include "composition/link/Variables.hpp"
#include "composition/record/Comparer.hpp"
#include "composition/record/DescribeSeries.hpp"
#include "composition/state/ComponentState.hpp"
#include "openmi/omi/ComponentLoader.hpp"
#include "openmi/omi/LibraryFile.hpp"
#include "openmi/omi/LibrarySearch.hpp"
#include "openmi/omi/LoadOmi.hpp"
#include "openmi/sdk/Described.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/IStateAbility.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "openmi/sdk/Unit.hpp"
#include "openmi/standard/IManageState.hpp"
#include "timespace/ResultsFolder.hpp"
#include "timespace/files/VectorLayer.hpp"
#include "timespace/items/AdaptedOutput.hpp"
#include "timespace/standard/ITimeSpaceComponent.hpp"
#include "timespace/times/Iso8601.hpp"
#include "timespace/times/TimeSet.hpp"

namespace openmi {
namespace {

namespace fs = std::filesystem;

/// One name for a file, for all ways to write its path.
std::string Canonical(const fs::path& path) {
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(fs::absolute(path, error), error);
  return error ? path.lexically_normal().string() : whole.string();
}

/// The argument of a component for the folder of the results; null: it writes no files there.
const IArgument* FolderArgument(const IBaseLinkableComponent& component) {
  for (const IArgument* argument : component.Arguments()) {
    if (argument->Id() == kResultsFolder) return argument;
  }
  return nullptr;
}

bool NamesFile(const IArgument& argument) {
  const std::string id = argument.Id();
  return argument.ValueType().kind == ValueKind::String && (id == "file" || id.ends_with("-file"));
}

/// Reports files that one component writes in the run and another one reads or writes. What the second one reads would
/// depend on which component comes first, and on what an earlier run left there.
///
/// A component writes the file that its argument `file` names if it has an argument `results-folder` (`ResultsFolder`).
/// It reads the files that the arguments `file` and `...-file` of other components name.
/// \param results  the folder of the run's results; empty: `results`, the default of the command
void CheckFiles(std::span<const Instance> instances, const CompositionFile& file, const fs::path& results,
                Problems& problems) {
  std::unordered_map<std::string, const Instance*> written;
  const auto where = [&](const Instance& instance, const std::string& argument) {
    return Where{.file = file.path.string(), .line = instance.spec->line, .component = instance.Id(), .item = argument};
  };
  for (const Instance& instance : instances) {
    const IArgument* folder = instance.IsThere() ? FolderArgument(instance.Component()) : nullptr;
    if (folder == nullptr) continue;
    std::string base = folder->ValueAsString();
    if (base.empty()) base = results.empty() ? std::string("results") : results.string();
    for (const IArgument* argument : instance.Component().Arguments()) {
      if (argument->Id() != "file" || !NamesFile(*argument) || argument->ValueAsString().empty()) continue;
      const auto [first, is_new] = written.emplace(Canonical(fs::path(base) / argument->ValueAsString()), &instance);
      if (is_new) continue;
      AddError(problems, where(instance, argument->Id()),
               fmt::format("expected a file that no other component writes, found '{}', which '{}' writes",
                           argument->ValueAsString(), first->second->Id()),
               "give each of them a file of its own");
    }
  }
  if (written.empty()) return;
  for (const Instance& instance : instances) {
    if (!instance.IsThere()) continue;
    const bool writes = FolderArgument(instance.Component()) != nullptr;
    const fs::path beside = instance.omi.path.empty() ? file.Folder() : fs::path(instance.omi.path).parent_path();
    for (const IArgument* argument : instance.Component().Arguments()) {
      if (!NamesFile(*argument) || (writes && argument->Id() == "file")) continue;
      const std::string value = argument->ValueAsString();
      if (value.empty() || value.find('\n') != std::string::npos) continue;
      const auto found = written.find(Canonical(beside / value));
      if (found == written.end() || found->second == &instance) continue;
      AddError(problems, where(instance, argument->Id()),
               fmt::format("expected a file that no component writes in this run, found '{}', which '{}' writes", value,
                           found->second->Id()),
               "link the two components, or read the file in a run of its own after this one");
    }
  }
}

std::string IdOf(const ObserveSpec& observe) {
  return observe.id.empty() ? observe.item.Text() : observe.id;
}

/// Reports series with the same id: they would be two columns with the same name.
void CheckIds(const std::vector<ObserveSpec>& observes, const Where& file, Problems& problems) {
  std::map<std::string, int> lines;
  for (const ObserveSpec& observe : observes) {
    const auto [first, is_new] = lines.emplace(IdOf(observe), observe.line);
    if (is_new) continue;
    Where where = file;
    where.line = observe.line;
    AddError(
        problems, where,
        fmt::format("expected series with different ids, found '{}' here and in line {}", first->first, first->second),
        "give one of the two an Id, as in <Observe Id=\"daily\" .../>");
  }
}

/// Reports what a period does with the values, if that is not what a user may expect.
void CheckPeriods(const ObserveSpec& observe, const ITimeSpaceOutput& output, const RunSpec* run, const Where& where,
                  Problems& problems) {
  const IUnit* unit = UnitOf(output);
  if (observe.as == ObserveAs::Sum && unit != nullptr && unit->Dimension().GetPower(DimensionBase::Time) < 0.0) {
    AddError(problems, where,
             fmt::format("expected amounts to add up, found values per time ('{}'): their sum is no amount",
                         unit->Caption()),
             "observe As=\"mean\", or observe an amount: 'integral-over-span' on a link makes one of a rate");
  }
  const bool is_instant = output.TimeSet() != nullptr && !output.TimeSet()->HasDurations();
  if (!observe.every || !(*observe.every > Days())) return;
  if (observe.as == ObserveAs::Mean && is_instant) {
    AddNote(problems, where,
            "As=\"mean\" uses each value for the whole time since the previous value; 'mean-over-span' on a link uses "
            "the straight line between two values, so its mean is different");
  }
  if (run == nullptr || !run->from || !run->to || !(*run->to > *run->from)) return;
  const Days length = *run->to - *run->from;
  const Days every = *observe.every;
  const double periods = std::floor(length / every + kTimeTolerance / every);
  const Stamp last = *run->from + every * periods;
  if (!Before(last, *run->to)) return;
  AddNote(problems, where,
          fmt::format("the run ends {} after the last whole period of {}: values after {} are not written",
                      FormatIsoDuration(*run->to - last), FormatIsoDuration(every), FormatIsoTime(last)));
}

/// Reports regular steps of an adaptor that the start or the end of the run cuts.
void CheckResampled(const Link& link, const RunSpec& run, const Where& where, Problems& problems) {
  if (!run.from || !run.to) return;
  for (const auto& adaptor : link.Adaptors()) {
    const auto* own = dynamic_cast<const AdaptedOutput*>(adaptor.get());
    if (own == nullptr) continue;
    if (!own->HasEdgeAt(*run.to)) {
      AddWarning(problems, where,
                 fmt::format("expected the run to end where a step of '{}' ends, found that it ends in the middle of "
                             "a step: the last step is shorter than the others, so a sum over it covers less time",
                             own->Id()),
                 "change To, or 'step' and 'origin' of the adaptor");
    }
    if (!own->HasEdgeAt(*run.from)) {
      AddWarning(
          problems, where,
          fmt::format("expected the run to start where a step of '{}' starts, found that it starts in the middle of a "
                      "step: there are no values before the first whole step",
                      own->Id()),
          "change From, or 'step' and 'origin' of the adaptor; or set its 'extrapolation'");
    }
  }
}

void CheckComponents(Composition& composition, Problems& problems) {
  for (Instance& instance : composition.Instances()) {
    if (!instance.IsThere()) continue;
    std::vector<std::string> messages;
    composition.Announce("validating '" + instance.Id() + "'", instance.Id());
    try {
      CallComponent(*instance.conduct, [&] { messages = instance.Runner().Validate(); });
    } catch (const std::exception& error) {
      AddError(problems, composition.Place(instance.spec->line, instance.Id()),
               fmt::format("expected the component to validate, found '{}'", error.what()));
      continue;
    }
    const bool valid = instance.Component().Status() == LinkableComponentStatus::Valid;
    for (const std::string& message : messages) {
      // If the link of an input could not be made, that was reported for the link.
      const bool known = std::ranges::any_of(
          composition.UnlinkedByError(), [&](const std::string& input) { return message.rfind(input + ":", 0) == 0; });
      if (known) continue;
      const std::string prefix = instance.Id() + ".";
      const bool names_itself = message.rfind(prefix, 0) == 0 || message.rfind(instance.Id() + ":", 0) == 0;
      Where where = composition.Place(instance.spec->line, names_itself ? "" : instance.Id());
      if (valid) {
        AddNote(problems, where, message);
      } else {
        AddError(problems, where, message);
      }
    }
  }
}

void CheckRun(Composition& composition, Problems& problems) {
  CheckLoops(composition, problems);
  if (!composition.File().run && composition.File().components.empty()) return;  // nothing to run, which was reported
  if (!composition.File().run) {
    AddWarning(problems, composition.Place(0), "expected a Run element to run this composition, found none",
               "add <Run From=\"...\" To=\"...\"/>");
    return;
  }
  std::vector<std::string> ids;
  for (const Instance& instance : composition.Instances()) ids.push_back(instance.Id());
  for (const std::string& trigger : composition.File().run->trigger) {
    const bool is_reported = composition.File().unknown_components.contains(trigger);  // when the file was read
    if (!composition.IndexOf(trigger) && !is_reported) {
      AddError(problems, composition.Place(composition.File().run->line),
               fmt::format("expected a component as trigger, found '{}'", trigger), Suggest(trigger, ids));
    }
  }
  if (composition.Instances().empty()) {
    AddError(problems, composition.Place(composition.File().run->line), "expected components to run, found none",
             "add a Component element");
    return;
  }
  if (composition.File().run->mode != RunMode::Pull || composition.File().run->trigger.empty()) return;
  // If a component or a link is missing, its providers look as if nothing asked for them.
  const bool is_whole =
      std::ranges::all_of(composition.Instances(), &Instance::IsThere) && composition.UnlinkedByError().empty();
  if (!is_whole) return;
  const std::vector<bool> reached = composition.Graph().UpstreamOf(composition.Triggers());
  for (std::size_t i = 0; i < composition.Instances().size(); ++i) {
    if (!reached[i]) {
      AddWarning(problems, composition.Place(composition.Instances()[i].spec->line, composition.Instances()[i].Id()),
                 "expected a provider of a trigger, found a component that no trigger needs: it is prepared and "
                 "finished, but makes no step; if its preparation or finish fails, the run fails",
                 "link it, name it in Run's Trigger, run with Mode=\"step\", or remove it");
    }
  }
}

void CheckHorizons(Composition& composition, Problems& problems) {
  if (!composition.File().run) return;
  for (const Link& link : composition.Links()) {
    CheckResampled(link, *composition.File().run,
                   composition.Place(link.Spec().line, {}, fmt::format("link {}", link.Spec().Text())), problems);
  }
  const RunSpec& run = *composition.File().run;
  if (!run.from || !run.to || !(*run.from < *run.to)) return;  // reported by the file's reader, as an invalid time is
  const Stamp begin = *run.from;
  const Stamp end = *run.to;
  std::set<const IBaseOutput*> told;
  for (const Link& link : composition.Links()) {
    if (link.Source() == nullptr || link.Source()->TimeSet() == nullptr || !told.insert(link.Source()).second) continue;
    const ITimeSet& times = *link.Source()->TimeSet();
    const Days offset = Hours(times.OffsetFromUtcInHours());
    const Stamp first = Stamp{times.TimeHorizon().StampAsModifiedJulianDay()} - offset;
    const Stamp last = EndOf(times.TimeHorizon()) - offset;
    const LinkSpec& spec = link.Spec();
    if (!Before(first, end) || !Before(begin, last)) {
      AddError(problems, composition.Place(spec.line, spec.from.component, spec.from.item),
               fmt::format("expected values in the time of the run, found them from {} to {}", FormatIsoTime(first),
                           FormatIsoTime(last)),
               "change the run's From and To, or the data");
      continue;
    }
    // A component that continues beyond its data gives missing values there; a component that is absent answers
    // nothing.
    const auto* component =
        dynamic_cast<const ITimeSpaceComponent*>(&composition.Instances()[link.FromInstance()].Component());
    const ITimeSet* extent = component != nullptr ? &component->TimeExtent() : nullptr;
    const Days extent_offset = extent != nullptr ? Hours(extent->OffsetFromUtcInHours()) : Days{};
    // A component that started again, before the run that is resumed here was killed, existed before its present start.
    const auto& changed = composition.Instances()[link.FromInstance()].changed;
    const bool was_there = std::ranges::find(changed, "start-time", &OmiArgument::key) != changed.end();
    if (Before(begin, first) && !was_there) {
      const bool is_there =
          extent == nullptr || !Before(begin, Stamp{extent->TimeHorizon().StampAsModifiedJulianDay()} - extent_offset);
      AddWarning(
          problems, composition.Place(spec.line, spec.from.component, spec.from.item),
          fmt::format("starts {}, {} after the start of the run: {}", FormatIsoTime(first),
                      FormatIsoDuration(first - begin),
                      is_there ? "values before it will be missing" : "a question for values before it stops the run"),
          is_there ? ""
                   : "let the component start with the run, or put a time adaptor with an extrapolation on the link");
    }
    if (Before(last, end)) {
      const bool is_there = extent == nullptr || !Before(EndOf(extent->TimeHorizon()) - extent_offset, end);
      AddWarning(
          problems, composition.Place(spec.line, spec.from.component, spec.from.item),
          fmt::format("ends {}, {} before the end of the run: {}", FormatIsoTime(last), FormatIsoDuration(end - last),
                      is_there ? "values after it will be missing" : "a question for values after it stops the run"),
          is_there ? ""
                   : "let the component end with the run, or put a time adaptor with an extrapolation on "
                     "the link");
    }
  }
}

/// A run that cannot write its GeoPackage would find out at its end.
void CheckGeoPackage(const Composition& composition, Problems& problems) {
  const ResultsSpec& results = composition.File().results;
  if (results.geopackage.empty()) return;
  try {
    ExpectGeoPackageWriter(results.geopackage);
  } catch (const FileError& error) {
    AddError(problems, composition.Place(results.line), error.Problem(), error.Remedy());
  }
}

void CheckObserved(Composition& composition, Problems& problems) {
  CheckGeoPackage(composition, problems);
  CheckIds(composition.File().observes, composition.Place(0), problems);
  const RunSpec* run = composition.File().run ? &*composition.File().run : nullptr;
  const bool is_own_run =
      composition.File().run && composition.File().run->line > 0;  // else another program's, which takes what it needs
  if (is_own_run && composition.File().observes.empty() && composition.File().compares.empty()) {
    AddNote(problems, composition.Place(composition.File().run->line),
            "nothing is observed: the run writes a report without series, and no results",
            "name the items to write, such as <Observe Item=\"component.output\"/>");
  }
  for (const ObserveSpec& observe : composition.File().observes) {
    ITimeSpaceOutput* output = composition.FindOutput(observe.item, observe.line, problems);
    if (output == nullptr) continue;
    if (!HoldsNumbers(output->ValueDefinition())) {
      const ValueType type = output->ValueDefinition().ValueType();
      AddWarning(
          problems, composition.Place(observe.line, observe.item.component, observe.item.item),
          fmt::format(
              "expected an item of numbers to observe, found one of type {}: results and report will not contain it",
              type.Name()),
          type.kind == ValueKind::Binary
              ? "remove the Observe; of messages of OSI observe numbers (openmi.osi.Fields), or record them "
                "whole (openmi.osi.Recorder)"
              : "remove the Observe, or observe numbers");
      continue;
    }
    if (output->TimeSet() == nullptr) {
      AddWarning(
          problems, composition.Place(observe.line, observe.item.component, observe.item.item),
          "expected an item with times to observe, found one without: results and report will have no rows of it",
          "observe an item of a component that asks for its values");
    }
    CheckPeriods(observe, *output, run, composition.Place(observe.line, observe.item.component, observe.item.item),
                 problems);
    const ISpatialDefinition* places = output->SpatialDefinition();
    if (places != nullptr && places->ElementCount() == 0) {
      AddError(problems, composition.Place(observe.line, observe.item.component, observe.item.item),
               "expected fixed elements to observe, found an item whose elements appear and disappear during the run; "
               "a table needs a column for each element",
               kNameElements);
      continue;
    }
    if (observe.elements.empty()) continue;
    const auto* elements = dynamic_cast<const IElementSet*>(output->SpatialDefinition());
    std::vector<std::string> ids;  // made when an id is not found directly
    for (const std::string& id : observe.elements) {
      if (elements != nullptr && elements->GetElementIndex(Identifier(id)) >= 0) continue;
      for (int i = static_cast<int>(ids.size()); elements != nullptr && i < elements->ElementCount(); ++i) {
        const IIdentifiable* own = elements->GetElementId(i);
        ids.push_back(own != nullptr ? own->Id() : std::string());
      }
      if (std::ranges::find(ids, id) == ids.end()) {
        AddError(problems, composition.Place(observe.line, observe.item.component, observe.item.item),
                 fmt::format("expected an element of the item, found '{}'", id), Suggest(id, ids));
      }
    }
  }
  for (const CompareSpec& compare : composition.File().compares) {
    const ITimeSpaceOutput* simulated = composition.FindOutput(compare.simulated, compare.line, problems);
    const ITimeSpaceOutput* observed = composition.FindOutput(compare.observed, compare.line, problems);
    if (simulated == nullptr || observed == nullptr) continue;
    const IUnit* from = UnitOf(*observed);
    const IUnit* to = UnitOf(*simulated);
    if (from == nullptr || to == nullptr || !Convertible(*from, *to)) {
      AddError(problems, composition.Place(compare.line),
               fmt::format("expected two items whose units convert, found '{}' and '{}'",
                           to != nullptr ? to->Caption() : "no unit", from != nullptr ? from->Caption() : "no unit"),
               "compare items of the same dimension");
    } else if (!Comparer(compare, *simulated, *observed).HasPairs()) {
      AddError(
          problems, composition.Place(compare.line),
          fmt::format("expected two items with an element of the same id, or with one element each, found no id of "
                      "'{}' in '{}'",
                      compare.observed.Text(), compare.simulated.Text()),
          "compare items at the same places, or items of one element each");
    }
  }
}

/// Reports adaptors whose memory is in no checkpoint: a checkpoint holds what an AdaptedOutput of the SDK saves.
void CheckStatesOfAdaptors(Composition& composition, Problems& problems) {
  if (!composition.File().checkpoints) return;
  for (const Link& link : composition.Links()) {
    for (const auto& adaptor : link.Adaptors()) {
      if (dynamic_cast<const AdaptedOutput*>(adaptor.get()) != nullptr) continue;
      const Where where = composition.Place(link.Spec().line, {}, fmt::format("link {}", link.Spec().Text()));
      const std::string expected =
          fmt::format("expected adaptors whose memory goes into checkpoints, found '{}', ", adaptor->Id());
      if (dynamic_cast<const IManageState*>(adaptor.get()) == nullptr) {
        AddWarning(problems, where, expected + "which does not derive from AdaptedOutput of the SDK",
                   "ignore this if it has no memory: it starts anew when a run is resumed");
      } else if (composition.File().checkpoints->skips) {
        AddWarning(problems, where, expected + "whose state (IManageState) is in none",
                   "where a run is resumed it starts anew");
      } else {
        AddError(
            problems, where, expected + "whose state (IManageState) is in none",
            "take no checkpoints, or set WithoutState=\"skip\": the component then starts anew when a run is resumed");
      }
    }
  }
}

void CheckStates(Composition& composition, Problems& problems) {
  CheckStatesOfAdaptors(composition, problems);
  std::vector<bool> fed(composition.Instances().size(), false);
  for (const Link& link : composition.Links()) {
    if (link.IsMade()) fed[link.ToInstance()] = true;
  }
  for (std::size_t number = 0; number < composition.Instances().size(); ++number) {
    const Instance& instance = composition.Instances()[number];
    const ComponentSpec& spec = *instance.spec;
    if (!instance.IsThere()) continue;
    if (spec.initial_state.empty() && !spec.keep_state && !composition.File().checkpoints) continue;
    const bool keeps = KeepsState(instance.Component());  // it may have to try
    const std::string why = keeps ? std::string() : ReasonForNoStates(instance.Component());
    if (!spec.initial_state.empty()) {
      if (!keeps) {
        AddError(
            problems, composition.Place(spec.line, spec.id),
            fmt::format("expected a component that keeps its state, for InitialState '{}', found one that does not{}",
                        spec.initial_state, why),
            "start earlier, with a WarmUp, or set the arguments for the start values of the component");
      } else {
        try {
          ReadComponentState(composition.InitialStatePath(spec, problems));
        } catch (const Error& error) {
          Where where = composition.Place(spec.line, spec.id);
          AddError(problems, where, fmt::format("InitialState '{}': {}", spec.initial_state, error.Problem()),
                   error.Remedy());
        }
      }
    }
    if (spec.keep_state && !keeps) {
      AddWarning(problems, composition.Place(spec.line, spec.id),
                 "expected a component that keeps its state, for KeepState, found one that does not" + why,
                 "it will start anew when its family comes back");
    }
    if (!composition.File().checkpoints || keeps) continue;
    if (!composition.File().checkpoints->skips) {
      AddError(
          problems, composition.Place(spec.line, spec.id),
          "expected a component that keeps its state, for checkpoints, found one that does not" + why,
          "take no checkpoints, or set WithoutState=\"skip\": the component then starts anew when a run is resumed");
      continue;
    }
    const bool starts_late = std::ranges::any_of(instance.Component().Arguments(), [](const IArgument* argument) {
      return argument->Id() == "start-time" && !argument->IsReadOnly();
    });
    if (fed[number] && !starts_late) {
      AddError(problems, composition.Place(spec.line, spec.id),
               "expected, for checkpoints, a component that keeps its state or has the argument 'start-time', found "
               "one that has neither",
               "take no checkpoints: this component could not continue from one");
    } else {
      AddNote(problems, composition.Place(spec.line, spec.id),
              "keeps no state: when a run is resumed, it starts anew at the checkpoint");
    }
  }
}

void AddThrown(Problems& problems, const Error& error, const std::string& file) {
  Where where = error.Place();
  if (where.file.empty()) where.file = file;
  AddError(problems, where, error.Problem(), error.Remedy());
}

// Checks the library of an OMI file from its bytes.
void CheckLibrary(const OmiFile& omi, Problems& problems) {
  CheckPlatform(omi, problems);
  if (omi.assembly.empty()) {
    AddNote(problems, {.file = omi.path.string(), .line = omi.line},
            "names no Assembly: its type must be part of this program");
    return;
  }
  const Where where{.file = omi.path.string(), .line = omi.assembly_line};
  try {
    const std::string path = LibrarySearch().Find(omi.assembly, omi.path.string(), omi.assembly_line);
    RequireComponents(InspectLibrary(path, where), where);
  } catch (const Error& error) {
    AddThrown(problems, error, omi.path.string());
  }
}

/// Whether an argument that needs a value has none.
bool LacksArguments(const IBaseLinkableComponent& component) {
  return std::ranges::any_of(component.Arguments(), [](const IArgument* argument) {
    return !argument->IsOptional() && !argument->IsReadOnly() && argument->Value().IsEmpty();
  });
}

}  // namespace

void CheckComposition(Composition& composition, Problems& problems) {
  CheckComponents(composition, problems);
  CheckFiles(composition.Instances(), composition.File(), composition.ResultsFolder(), problems);
  composition.Announce("checking the run");
  CheckRun(composition, problems);
  CheckHorizons(composition, problems);
  CheckSteps(composition, problems);
  CheckObserved(composition, problems);
  CheckStates(composition, problems);
  composition.ReportConduct(problems);
}

Problems CheckComposition(const std::filesystem::path& path, const Variables& variables, const CheckOptions& options) {
  Problems problems;
  if (options.on_step) options.on_step("reading the composition", {});
  CompositionFile file = ReadCompositionFile(path, problems);
  const Problems found = CheckComposition(std::move(file), variables, options);
  problems.insert(problems.end(), found.begin(), found.end());
  return problems;
}

Problems CheckComposition(CompositionFile file, const Variables& variables, const CheckOptions& options) {
  Problems problems;
  std::erase_if(file.components, [&](const ComponentSpec& spec) { return options.without.contains(spec.id); });
  Composition composition(std::move(file), variables);
  composition.SetOnStep(options.on_step);
  composition.Load(problems);
  if (!options.without.empty()) return problems;
  composition.Connect(problems);
  CheckComposition(composition, problems);
  CheckGroups(composition, problems, options.files);
  return problems;
}

Problems CheckOmi(const std::filesystem::path& path) {
  Problems problems;
  const OmiFile omi = ReadOmiFile(path, &problems);
  if (HasErrors(problems)) return problems;
  ComponentLoader loader;
  const LoadedComponent loaded = LoadOmi(loader, omi, &problems);
  if (!loaded.component || HasErrors(problems)) return problems;
  TryInitialize(*loaded.component, omi, problems);
  return problems;
}

Problems CheckOmiStatic(const std::filesystem::path& path) {
  Problems problems;
  const OmiFile omi = ReadOmiFile(path, &problems);
  if (!HasErrors(problems)) CheckLibrary(omi, problems);
  return problems;
}

Problems CheckCompositionStatic(const std::filesystem::path& path, const Variables& variables) {
  Problems problems;
  const CompositionFile file = ReadCompositionFile(path, problems);
  const Problems found = CheckCompositionStatic(file, variables);
  problems.insert(problems.end(), found.begin(), found.end());
  return problems;
}

Problems CheckCompositionStatic(const CompositionFile& file, const Variables& variables) {
  Problems problems;
  const std::filesystem::path& path = file.path;
  std::set<std::string> seen;
  for (const ComponentSpec& component : file.components) {
    const Where where{.file = path.string(), .line = component.line, .component = component.id};
    OmiFile omi;
    if (component.omi.empty()) {
      if (!seen.insert("assembly " + component.assembly).second) continue;
      omi.path = path;
      omi.type = component.type;
      omi.assembly = component.assembly;
      omi.line = omi.type_line = omi.assembly_line = component.line;
      CheckLibrary(omi, problems);
      continue;
    }
    const std::string name = Substitute(component.omi, variables, where, problems);
    const std::filesystem::path omi_path = (file.Folder() / name).lexically_normal();
    if (!seen.insert(omi_path.string()).second) continue;
    if (!std::filesystem::exists(omi_path)) {
      AddError(problems, where, fmt::format("expected an OMI file, found no '{}'", omi_path.string()),
               "check the path; it is relative to the composition");
      continue;
    }
    Problems own;
    omi = ReadOmiFile(omi_path, &own);
    if (!HasErrors(own)) CheckLibrary(omi, own);
    problems.insert(problems.end(), own.begin(), own.end());
  }
  return problems;
}

void TryInitialize(IBaseLinkableComponent& component, const OmiFile& omi, Problems& problems) {
  const std::string id = component.Id();
  const auto prefix = [&component] {
    return std::string(LacksArguments(component) ? "needs more arguments to initialize: "
                                                 : "does not initialize by itself: ");
  };
  try {
    component.Initialize();
  } catch (const Error& error) {
    Where where = error.Place();
    if (const OmiArgument* given = GivenArgument(error, omi.arguments, omi.Folder())) {
      std::string problem = error.Problem();
      if (!where.file.empty() && where.file != omi.path.string()) {
        problem = Error::Format({.file = where.file, .line = where.line}, problem, {});
      }
      AddError(problems, {.file = omi.path.string(), .line = given->line, .component = id, .item = given->key}, problem,
               error.Remedy());
      return;
    }
    if (where.file.empty()) where = {.file = omi.path.string(), .line = omi.line, .component = id, .item = where.item};
    AddWarning(problems, where, prefix() + error.Problem(), error.Remedy());
  } catch (const std::exception& error) {
    AddWarning(problems, {.file = omi.path.string(), .line = omi.line, .component = id}, prefix() + error.what());
  }
}

}  // namespace openmi
