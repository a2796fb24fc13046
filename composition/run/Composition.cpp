#include "composition/run/Composition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "composition/run/AtWork.hpp"
#include "composition/run/Linker.hpp"
#include "composition/state/ComponentState.hpp"
#include "openmi/omi/LibraryFile.hpp"
#include "openmi/omi/LibrarySearch.hpp"
#include "openmi/omi/LoadOmi.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/IResumes.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "openmi/sdk/Unit.hpp"
#include "openmi/standard/IQuantity.hpp"
#include "timespace/Iso8601.hpp"
#include "timespace/TimeSet.hpp"
#include "timespace/standard/ITimeSpaceComponent.hpp"

namespace openmi {

Composition::Composition(CompositionFile file, Variables variables)
    : file_(std::move(file)), variables_(std::move(variables)) {}

Composition::~Composition() {
  while (!links_.empty()) links_.pop_back();
  for (Instance& instance : instances_) instance.stand_ins.clear();
  std::vector<std::shared_ptr<SharedLibrary>> libraries;  // closed once the threads have ended
  for (Instance& instance : instances_) {
    if (instance.thread == nullptr) continue;
    libraries.push_back(instance.loaded.library);
    instance.thread->Run([&instance] { instance.loaded.Reset(); });
  }
  threads_.clear();
}

FamilyThread* Composition::ThreadFor(const Instance& instance) {
  const OmiFile& omi = instance.omi;
  if (omi.assembly.empty() || instance.spec->apart.isolation != Isolation::None) return nullptr;
  const auto [known, is_new] = thread_of_.try_emplace({omi.Folder().string(), omi.assembly}, nullptr);
  if (!is_new) return known->second;
  try {
    const std::string path =
        std::filesystem::canonical(LibrarySearch().Find(omi.assembly, omi.path.string(), omi.assembly_line)).string();
    if (!InspectLibrary(path).uses_thread_destructors) return nullptr;
    std::unique_ptr<FamilyThread>& thread = threads_[path];
    if (!thread) thread = std::make_unique<FamilyThread>();
    known->second = thread.get();
  } catch (const std::exception&) {  // whoever loads it says what is wrong
    return nullptr;
  }
  return known->second;
}

void Composition::EndThread(const std::string& library_path) {
  thread_of_.clear();  // the next version may be of another kind
  const auto found = threads_.find(library_path);
  if (found == threads_.end()) return;
  for (Instance& instance : instances_) {
    if (instance.thread != found->second.get()) continue;
    instance.thread = nullptr;
    instance.host->SetThread(nullptr);
  }
  threads_.erase(found);
}

Where Composition::Place(int line, const std::string& component, const std::string& item) const {
  return {.file = file_.path.string(), .line = line, .component = component, .item = item};
}

std::optional<std::size_t> Composition::IndexOf(const std::string& component) const {
  // Compositions of thousands of components are looked up by the Linker's own table; this is for people's questions.
  for (std::size_t i = 0; i < instances_.size(); ++i) {
    if (instances_[i].Id() == component) return i;
  }
  return std::nullopt;
}

void Composition::Load(Problems& problems) {
  instances_.resize(file_.components.size());
  std::unordered_map<std::string, OmiFile> read;  // each OMI file once
  for (std::size_t i = 0; i < instances_.size(); ++i) {
    Instance& instance = instances_[i];
    instance.spec = &file_.components[i];
    if (!instance.spec->omi.empty()) {
      const std::string path = (file_.Folder() / Substitute(instance.spec->omi, variables_,
                                                            Place(instance.spec->line, instance.Id()), problems))
                                   .lexically_normal()
                                   .string();
      const auto found = read.find(path);
      if (found != read.end()) {
        instance.omi = found->second;
      } else {
        if (!std::filesystem::exists(path)) {
          AddError(problems, Place(instance.spec->line, instance.Id()),
                   fmt::format("expected an OMI file, found no '{}'", path),
                   "check the path; it is relative to the composition");
          continue;
        }
        const std::size_t before = problems.size();
        instance.omi = ReadOmiFile(path, &problems);
        const Problems own(problems.begin() + static_cast<std::ptrdiff_t>(before), problems.end());
        if (HasErrors(own)) continue;
        read.emplace(path, instance.omi);
      }
    } else {
      instance.omi.path = file_.path;
      instance.omi.type = instance.spec->type;
      instance.omi.assembly = instance.spec->assembly;
      instance.omi.type_line = instance.omi.assembly_line = instance.omi.line = instance.spec->line;
    }
    LoadOne(instance, problems);
  }
}

LoadedComponent Composition::Make(Instance& instance, std::span<const OmiArgument> in_force, Problems& problems) {
  LoadedComponent loaded;
  instance.thread = ThreadFor(instance);
  RunOn(instance.thread, [&] { MakeHere(instance, in_force, loaded, problems); });
  return loaded;
}

void Composition::MakeHere(const Instance& instance, std::span<const OmiArgument> in_force, LoadedComponent& loaded,
                           Problems& problems) {
  const ComponentSpec& spec = *instance.spec;
  Problems own;
  const AtWork at_work(spec.id.c_str());
  try {
    loaded = spec.apart.isolation == Isolation::None ? LoadOmi(loader_, instance.omi, &own)
                                                     : processes_.Load(instance.omi, spec.apart, &own);
    if (loaded.component) {
      IBaseLinkableComponent& component = *loaded.component;
      component.SetCaption(spec.id);
      std::vector<OmiArgument> arguments;
      for (const ArgumentSpec& argument : spec.arguments) {
        arguments.push_back(
            {.key = argument.key, .value = ArgumentValue(argument, instance, own), .line = argument.line});
      }
      SetArguments(component, arguments, Place(spec.line, spec.id), own, instance.omi.arguments);
      if (file_.run) {
        for (IArgument* argument : component.Arguments()) {
          const std::string id = argument->Id();
          if (id != "start-time" && id != "end-time") continue;
          if (const auto start = starts_.find(spec.id); id == "start-time" && start != starts_.end()) {
            argument->SetValueAsString(FormatIsoTime(start->second));
            continue;
          }
          if (!argument->IsReadOnly() && argument->ValueAsString().empty()) {
            argument->SetValueAsString(FormatIsoTime(id == "start-time" ? file_.run->from_mjd : file_.run->to_mjd));
          }
        }
      }
      for (const OmiArgument& given : in_force) {
        for (IArgument* argument : component.Arguments()) {
          if (argument->Id() != given.key || argument->IsReadOnly()) continue;
          if (argument->ValueAsString() != given.value) argument->SetValueAsString(given.value);
        }
      }
      if (!HasErrors(own)) component.Initialize();
    }
  } catch (const Error& error) {
    Where where = error.Place();
    if (where.file.empty()) where.file = file_.path.string();
    if (where.line == 0 && where.file == file_.path.string()) where.line = spec.line;
    if (where.component.empty()) where.component = spec.id;
    AddError(own, where, error.Problem(), error.Remedy());
  } catch (const std::exception& error) {
    AddError(own, Place(spec.line, spec.id),
             fmt::format("expected the component to initialize, found '{}'", error.what()),
             "see the component's own manual");
  }
  for (Problem& problem : own) {
    if (problem.where.component.empty()) problem.where.component = spec.id;
  }
  const bool failed = HasErrors(own);
  problems.insert(problems.end(), own.begin(), own.end());
  if (failed) loaded.Reset();
}

void Composition::LoadOne(Instance& instance, Problems& problems) {
  LoadedComponent loaded = Make(instance, {}, problems);
  if (!loaded.component) return;
  instance.Attach(std::move(loaded));
  if (instance.spec->apart.on_failure == OnFailure::Freeze) instance.host->SetFreezes(held_);
}

LoadedComponent Composition::MakeAgain(Instance& instance, std::span<const OmiArgument> in_force) {
  Problems problems;
  LoadedComponent loaded = Make(instance, in_force, problems);
  if (loaded.component) return loaded;
  for (const Problem& problem : problems) {
    if (problem.severity == Problem::Error) throw LoadError(problem.where, problem.problem, problem.remedy);
  }
  throw LoadError(Place(instance.spec->line, instance.Id()), "expected a component, found none");
}

std::string Composition::ArgumentValue(const ArgumentSpec& argument, const Instance& instance,
                                       Problems& problems) const {
  std::string value = Substitute(argument.value, variables_, Place(argument.line, instance.Id()), problems);
  // A component looks for relative paths beside its OMI file. One that is meant from here is there under its whole
  // path.
  std::error_code error;
  const std::filesystem::path path(value);
  if (value.empty() || value.size() > 1024 || path.is_absolute() || value.find('\n') != std::string::npos) return value;
  if (std::filesystem::equivalent(instance.omi.Folder(), file_.path.has_parent_path() ? file_.Folder() : ".", error))
    return value;
  const std::filesystem::path here = file_.Folder() / path;
  if (std::filesystem::is_regular_file(here, error))
    return std::filesystem::absolute(here, error).lexically_normal().string();
  return value;
}

void Composition::Connect(Problems& problems) {
  graph_ = std::make_unique<LinkGraph>(instances_.size());
  Linker(*this, problems).MakeAll();
}

ITimeSpaceOutput* Composition::FindOutput(const ItemSpec& item, int line, Problems& problems) {
  return Linker(*this, problems).FindTimeSpaceOutput(item, line);
}

void Composition::Validate(Problems& problems) {
  ValidateComponents(problems);
  ValidateRun(problems);
  ValidateHorizons(problems);
  ValidateObserved(problems);
  ValidateStates(problems);
}

void Composition::ValidateComponents(Problems& problems) {
  for (Instance& instance : instances_) {
    if (!instance.IsThere()) continue;
    std::vector<std::string> messages;
    const AtWork at_work(instance.Id().c_str());
    try {
      messages = instance.Runner().Validate();
    } catch (const std::exception& error) {
      AddError(problems, Place(instance.spec->line, instance.Id()),
               fmt::format("expected the component to validate, found '{}'", error.what()));
      continue;
    }
    const bool valid = instance.Component().Status() == LinkableComponentStatus::Valid;
    for (const std::string& message : messages) {
      // An input whose link could not be made was reported with its link.
      const bool known = std::ranges::any_of(
          unlinked_by_error_, [&](const std::string& input) { return message.rfind(input + ":", 0) == 0; });
      if (known) continue;
      const std::string prefix = instance.Id() + ".";
      const bool names_itself = message.rfind(prefix, 0) == 0 || message.rfind(instance.Id() + ":", 0) == 0;
      Where where = Place(instance.spec->line, names_itself ? "" : instance.Id());
      if (valid) {
        AddNote(problems, where, message);
      } else {
        AddError(problems, where, message);
      }
    }
  }
}

bool Composition::IsAnyFreezing() const {
  return std::ranges::any_of(file_.components,
                             [](const ComponentSpec& spec) { return spec.apart.on_failure == OnFailure::Freeze; });
}

std::string Composition::LoopText(const std::vector<std::size_t>& loop) const {
  // Walks from member to member along links until one comes back.
  std::vector<std::size_t> path = {loop.front()};
  std::set<std::size_t> members(loop.begin(), loop.end());
  while (true) {
    const auto& consumers = graph_->ConsumersOf(path.back());
    const auto next = std::ranges::find_if(consumers, [&](std::size_t c) { return members.contains(c); });
    if (next == consumers.end()) break;
    if (const auto seen = std::ranges::find(path, *next); seen != path.end()) {
      path.erase(path.begin(), seen);
      path.push_back(*next);
      break;
    }
    path.push_back(*next);
  }
  std::string text;
  for (std::size_t member : path) text += (text.empty() ? "" : " -> ") + instances_[member].Id();
  return text;
}

void Composition::ValidateRun(Problems& problems) {
  ValidateLoops(problems);
  if (!file_.run) {
    AddWarning(problems, Place(0), "expected a Run element to run this composition, found none",
               "add <Run From=\"...\" To=\"...\"/>");
    return;
  }
  std::vector<std::string> ids;
  for (const Instance& instance : instances_) ids.push_back(instance.Id());
  for (const std::string& trigger : file_.run->trigger) {
    const bool is_told = std::ranges::any_of(problems, [&](const Problem& problem) {  // by the file's reader
      return problem.where.line == file_.run->line && problem.problem.find("'" + trigger + "'") != std::string::npos;
    });
    if (!IndexOf(trigger) && !is_told) {
      AddError(problems, Place(file_.run->line), fmt::format("expected a component as trigger, found '{}'", trigger),
               Suggest(trigger, ids));
    }
  }
  if (instances_.empty()) {
    AddError(problems, Place(file_.run->line), "expected components to run, found none", "add a Component element");
    return;
  }
  if (file_.run->mode != RunMode::Pull || file_.run->trigger.empty()) return;
  // Where a component or a link is not there, whoever stood behind it looks as if nobody asked for it.
  const bool is_whole = std::ranges::all_of(instances_, &Instance::IsThere) && unlinked_by_error_.empty();
  if (!is_whole) return;
  const std::vector<bool> reached = graph_->UpstreamOf(Triggers());
  for (std::size_t i = 0; i < instances_.size(); ++i) {
    if (!reached[i]) {
      AddWarning(problems, Place(instances_[i].spec->line, instances_[i].Id()),
                 "expected a component that the trigger draws on, found one that nobody asks: it will not run",
                 "link it, name it in Run's Trigger, or run with Mode=\"step\"");
    }
  }
}

std::vector<std::size_t> Composition::Triggers() const {
  std::vector<std::size_t> triggers;
  if (file_.run) {
    for (const std::string& trigger : file_.run->trigger) {
      if (const auto index = IndexOf(trigger)) triggers.push_back(*index);
    }
  }
  if (triggers.empty()) triggers = Ends();
  // What is observed or compared has to run too, whether the triggers draw on it or not.
  std::vector<bool> reached = graph_->UpstreamOf(triggers);
  const auto add = [&](const ItemSpec& item) {
    const auto index = IndexOf(item.component);
    if (!index || reached[*index] || !instances_[*index].IsThere()) return;
    triggers.push_back(*index);
    reached = graph_->UpstreamOf(triggers);
  };
  for (const ObserveSpec& observe : file_.observes) add(observe.item);
  for (const CompareSpec& compare : file_.compares) {
    add(compare.simulated);
    add(compare.observed);
  }
  return triggers;
}

std::vector<std::size_t> Composition::Ends() const {
  std::vector<std::size_t> ends;
  for (std::size_t i = 0; i < instances_.size(); ++i) {
    if (graph_->ConsumersOf(i).empty()) ends.push_back(i);
  }
  // A loop that nothing else draws on has no end: the first of its members stands for it.
  std::vector<bool> reached = graph_->UpstreamOf(ends);
  for (const auto& loop : graph_->Loops()) {
    const bool is_reached = std::ranges::any_of(loop, [&](std::size_t member) { return reached[member]; });
    const bool is_last = std::ranges::all_of(loop, [&](std::size_t member) {
      return std::ranges::all_of(graph_->ConsumersOf(member),
                                 [&](std::size_t consumer) { return std::ranges::find(loop, consumer) != loop.end(); });
    });
    if (!is_reached && is_last) ends.push_back(loop.front());
  }
  return ends;
}

void Composition::ValidateHorizons(Problems& problems) {
  if (!file_.run) return;
  const Stamp begin{file_.run->from_mjd};
  const Stamp end{file_.run->to_mjd};
  std::set<const IBaseOutput*> told;
  for (const Link& link : links_) {
    if (link.Source() == nullptr || link.Source()->TimeSet() == nullptr || !told.insert(link.Source()).second) continue;
    const ITimeSet& times = *link.Source()->TimeSet();
    const Days offset = Hours(times.OffsetFromUtcInHours());
    const Stamp first = Stamp{times.TimeHorizon().StampAsModifiedJulianDay()} - offset;
    const Stamp last = EndOf(times.TimeHorizon()) - offset;
    const LinkSpec& spec = link.Spec();
    if (!Before(first, end) || !Before(begin, last)) {
      AddError(problems, Place(spec.line, spec.from.component, spec.from.item),
               fmt::format("expected values in the time of the run, found them from {} to {}", FormatIsoTime(first.mjd),
                           FormatIsoTime(last.mjd)),
               "change the run's From and To, or the data");
      continue;
    }
    // A component that runs on beyond its data gives missing values there; one that is not there answers nothing.
    const auto* component = dynamic_cast<const ITimeSpaceComponent*>(&instances_[link.FromInstance()].Component());
    const ITimeSet* extent = component != nullptr ? &component->TimeExtent() : nullptr;
    const Days extent_offset = extent != nullptr ? Hours(extent->OffsetFromUtcInHours()) : Days{};
    if (Before(begin, first)) {
      const bool is_there =
          extent == nullptr || !Before(begin, Stamp{extent->TimeHorizon().StampAsModifiedJulianDay()} - extent_offset);
      AddWarning(
          problems, Place(spec.line, spec.from.component, spec.from.item),
          fmt::format(
              "begins {}, {} after the run: {}", FormatIsoTime(first.mjd), FormatIsoDuration((first - begin).count),
              is_there ? "what is before it will be missing" : "a question for what is before it stops the run"),
          is_there ? ""
                   : "let the component begin with the run, or put a time adaptor with an extrapolation on "
                     "the link");
    }
    if (Before(last, end)) {
      const bool is_there = extent == nullptr || !Before(EndOf(extent->TimeHorizon()) - extent_offset, end);
      AddWarning(
          problems, Place(spec.line, spec.from.component, spec.from.item),
          fmt::format("ends {}, {} before the run: {}", FormatIsoTime(last.mjd), FormatIsoDuration((end - last).count),
                      is_there ? "what is after it will be missing" : "a question for what is after it stops the run"),
          is_there ? ""
                   : "let the component end with the run, or put a time adaptor with an extrapolation on "
                     "the link");
    }
  }
}

void Composition::ValidateObserved(Problems& problems) {
  for (const ObserveSpec& observe : file_.observes) {
    ITimeSpaceOutput* output = FindOutput(observe.item, observe.line, problems);
    if (output == nullptr || observe.elements.empty()) continue;
    const auto* elements = dynamic_cast<const IElementSet*>(output->SpatialDefinition());
    std::vector<std::string> ids;
    for (int i = 0; elements != nullptr && i < elements->ElementCount(); ++i) {
      const IIdentifiable* id = elements->GetElementId(i);
      ids.push_back(id != nullptr ? id->Id() : std::string());
    }
    for (const std::string& id : observe.elements) {
      if (std::ranges::find(ids, id) == ids.end()) {
        AddError(problems, Place(observe.line, observe.item.component, observe.item.item),
                 fmt::format("expected an element of the item, found '{}'", id), Suggest(id, ids));
      }
    }
  }
  for (const CompareSpec& compare : file_.compares) {
    const ITimeSpaceOutput* simulated = FindOutput(compare.simulated, compare.line, problems);
    const ITimeSpaceOutput* observed = FindOutput(compare.observed, compare.line, problems);
    if (simulated == nullptr || observed == nullptr) continue;
    const auto* from = dynamic_cast<const IQuantity*>(&observed->ValueDefinition());
    const auto* to = dynamic_cast<const IQuantity*>(&simulated->ValueDefinition());
    if (from == nullptr || to == nullptr || !Convertible(from->Unit(), to->Unit())) {
      AddError(problems, Place(compare.line),
               fmt::format("expected two items whose units convert, found '{}' and '{}'",
                           to != nullptr ? to->Unit().Caption() : "no unit",
                           from != nullptr ? from->Unit().Caption() : "no unit"),
               "compare items of the same dimension");
    }
  }
}

void Composition::ValidateStates(Problems& problems) {
  for (const Instance& instance : instances_) {
    const ComponentSpec& spec = *instance.spec;
    if (!instance.IsThere()) continue;
    const bool keeps = KeepsState(instance.Component());
    if (!spec.initial_state.empty()) {
      if (!keeps) {
        AddError(
            problems, Place(spec.line, spec.id),
            fmt::format("expected a component that keeps its state, for InitialState '{}', found one that does not",
                        spec.initial_state),
            "begin earlier, with a WarmUp, or set the arguments of the component that say how it begins");
      } else {
        try {
          ReadComponentState(InitialStatePath(spec, problems));
        } catch (const Error& error) {
          Where where = Place(spec.line, spec.id);
          AddError(problems, where, fmt::format("InitialState '{}': {}", spec.initial_state, error.Problem()),
                   error.Remedy());
        }
      }
    }
    if (!file_.checkpoints || keeps) continue;
    if (!file_.checkpoints->skips) {
      AddError(problems, Place(spec.line, spec.id),
               "expected a component that keeps its state, for checkpoints, found one that does not",
               "take no checkpoints, or say WithoutState=\"skip\": it then begins anew where a run is resumed");
      continue;
    }
    const bool is_fed = std::ranges::any_of(
        links_, [&](const Link& link) { return link.IsMade() && instances_[link.ToInstance()].spec == instance.spec; });
    const bool starts_late = std::ranges::any_of(instance.Component().Arguments(), [](const IArgument* argument) {
      return argument->Id() == "start-time" && !argument->IsReadOnly();
    });
    if (is_fed && !starts_late) {
      AddError(problems, Place(spec.line, spec.id),
               "expected a component that keeps its state or has an argument 'start-time', for checkpoints, found one "
               "without both",
               "take no checkpoints: it could not go on from one");
    } else {
      AddNote(problems, Place(spec.line, spec.id),
              "keeps no state: where a run is resumed it begins anew at the checkpoint");
    }
  }
}

std::filesystem::path Composition::InitialStatePath(const ComponentSpec& component, Problems& problems) const {
  return file_.Folder() /
         Substitute(component.initial_state, variables_, Place(component.line, component.id), problems);
}

void Composition::TakeUpInitialState(Instance& instance) {
  Problems ignored;  // reported when it was validated
  const std::filesystem::path path = InitialStatePath(*instance.spec, ignored);
  try {
    const std::vector<std::byte> bytes = ReadComponentState(path);
    RunOn(instance.thread, [&] { RestoreStateBytes(*instance.loaded.component, bytes); });
  } catch (const Error& error) {
    throw FormatError({.file = path.string(), .component = instance.Id()}, error.Problem(), error.Remedy());
  }
  if (file_.run && instance.steps != nullptr && !SameTime(instance.CurrentTime(), Stamp{file_.run->from_mjd})) {
    throw FormatError({.file = path.string(), .component = instance.Id()},
                      fmt::format("expected a state at the begin of the run, {}, found one at {}",
                                  FormatIsoTime(file_.run->from_mjd), FormatIsoTime(instance.CurrentTime().mjd)),
                      "let the run begin at the time of the state");
  }
}

void Composition::Prepare(bool resuming) {
  for (Instance& instance : instances_) {
    const AtWork at_work(instance.Id().c_str());
    if (resuming && KeepsState(instance.Component())) {
      if (auto* resumes = dynamic_cast<IResumes*>(&instance.Component())) resumes->ExpectRestore();
    }
    if (resuming || instance.spec->initial_state.empty()) {
      instance.Runner().Prepare();
      continue;
    }
    // Nobody is to hear of the values with which the component would have begun.
    for (auto& [output, stand_in] : instance.stand_ins) stand_in->Mute();
    instance.Runner().Prepare();
    TakeUpInitialState(instance);
    const Stamp begin = file_.run ? Stamp{file_.run->from_mjd} : kFarPast;
    for (auto& [output, stand_in] : instance.stand_ins) stand_in->UnmuteFrom(begin);
  }
}

void Composition::Finish(Problems& problems) {
  for (Instance& instance : instances_) {
    if (!instance.IsThere()) continue;
    const LinkableComponentStatus status = instance.Component().Status();
    if (status == LinkableComponentStatus::Created || status == LinkableComponentStatus::Finished) continue;
    const AtWork at_work(instance.Id().c_str());
    try {
      instance.Runner().Finish();
    } catch (const std::exception& error) {
      AddError(problems, Place(instance.spec->line, instance.Id()),
               fmt::format("expected the component to finish, found '{}'", error.what()));
    }
  }
}

}  // namespace openmi
