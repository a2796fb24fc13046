#include "composition/link/Composition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "composition/isolation/IProcessClaims.hpp"
#include "composition/isolation/IsolatedComponent.hpp"
#include "composition/joined/JoinedComponent.hpp"
#include "composition/link/Linker.hpp"
#include "composition/link/Variables.hpp"
#include "openmi/omi/DotnetAssembly.hpp"
#include "openmi/omi/LibraryFile.hpp"
#include "openmi/omi/LibrarySearch.hpp"
#include "openmi/omi/LoadOmi.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "timespace/ResultsFolder.hpp"
#include "timespace/optional/IUsesThreads.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi {

Composition::Composition(CompositionFile file, Variables variables, std::shared_ptr<ComponentLoader> loader)
    : file_(std::move(file)),
      variables_(std::move(variables)),
      loader_(loader != nullptr ? std::move(loader) : std::make_shared<ComponentLoader>()) {
  CurrentComponent::WatchForCopies();
}

Composition::~Composition() {
  supplied_.clear();
  while (!links_.empty()) links_.pop_back();
  for (Instance& instance : instances_) instance.proxies.clear();
  std::vector<std::shared_ptr<SharedLibrary>> libraries;  // closed after the threads have ended
  for (Instance& instance : instances_) {
    if (instance.conduct != nullptr && instance.conduct->has_left) AbandonComponent(instance.loaded);
    if (instance.thread == nullptr) continue;
    libraries.push_back(instance.loaded.library);
    instance.thread->Run([&instance] { instance.loaded.Reset(); });
  }
  threads_.by_library.clear();
}

FamilyThread* Composition::ThreadFor(const Instance& instance) {
  const OmiFile& omi = instance.omi;
  if (omi.assembly.empty() || instance.spec->apart.isolation != Isolation::None) return nullptr;
  const auto [known, is_new] = threads_.by_assembly.try_emplace({omi.Folder().string(), omi.assembly}, nullptr);
  if (!is_new) return known->second;
  try {
    const std::string path =
        std::filesystem::canonical(LibrarySearch().Find(omi.assembly, omi.path.string(), omi.assembly_line)).string();
    if (!InspectLibrary(path).uses_thread_destructors) return nullptr;
    std::unique_ptr<FamilyThread>& thread = threads_.by_library[path];
    if (!thread) thread = std::make_unique<FamilyThread>();
    known->second = thread.get();
  } catch (const std::exception&) {  // reported when the library is loaded
    return nullptr;
  }
  return known->second;
}

void Composition::EndThread(const std::string& library_path) {
  threads_.by_assembly.clear();  // the next version may need another kind of thread
  const auto found = threads_.by_library.find(library_path);
  if (found == threads_.by_library.end()) return;
  for (Instance& instance : instances_) {
    if (instance.thread != found->second.get()) continue;
    instance.thread = nullptr;
    instance.host->SetThread(nullptr);
  }
  threads_.by_library.erase(found);
}

Where Composition::Place(int line, const std::string& component, const std::string& item) const {
  return {.file = file_.path.string(), .line = line, .component = component, .item = item};
}

std::optional<std::size_t> Composition::IndexOf(const std::string& component) const {
  const auto found = index_of_.find(component);
  return found != index_of_.end() ? std::optional(found->second) : std::nullopt;
}

OmiFile Composition::PopulationFile(const ComponentSpec& spec, const std::string& omi, Problems& problems) const {
  const PopulationSpec& population = *spec.population;
  const auto substituted = [&](const std::string& text, int line) {
    return Substitute(text, variables_, Place(line, spec.id), problems);
  };
  OmiFile file;
  file.path = file_.path;
  file.type = "openmi.Population";
  file.assembly = "openmi-components";
  file.type_line = file.assembly_line = file.line = spec.line;
  const auto add = [&](const char* key, const std::string& value) {
    if (!value.empty()) file.arguments.push_back({.key = key, .value = value, .line = spec.line});
  };
  add("member-omi", std::filesystem::absolute(omi).string());  // first: the others may be those of the members
  add("member-table", substituted(population.table.of, population.table.line));
  add("member-layer", population.table.layer);
  add("member-key", population.table.key);
  std::string tables;
  for (const TableSpec& table : population.tables) {
    tables += fmt::format("{}\t{}\t{}\t{}\n", table.id, substituted(table.of, table.line), table.layer, table.key);
  }
  add("member-tables", tables);
  std::string networks;
  for (const NetworkSpec& network : population.networks) {
    networks += fmt::format("{}\t{}\t{}", network.from, network.to, network.column);
    if (!network.edges.of.empty()) {
      networks += fmt::format("\t{}\t{}\t{}\t{}\t{}", substituted(network.edges.of, network.line), network.edges.layer,
                              network.from_column, network.to_column, network.weight_column);
    }
    networks += '\n';
  }
  add("member-networks", networks);
  if (population.parts > 1) add("member-parts", std::to_string(population.parts));
  add("member-parts-by", population.parts_by);
  return file;
}

std::string Composition::HostOf(const std::string& group, const std::vector<std::string>& known) const {
  const Placement& places = processes_.Places();
  if (const auto host = places.hosts.find(group); host != places.hosts.end()) return host->second;
  if (places.spread.empty()) return {};
  const std::ptrdiff_t number = std::ranges::count_if(known.begin(), std::ranges::find(known, group),
                                                      [&](const auto& one) { return !places.hosts.contains(one); });
  return places.spread[static_cast<std::size_t>(number) % places.spread.size()];
}

void Composition::PlaceGroups(Problems& problems) {
  std::map<std::string, PlacedGroup> groups;
  std::map<std::string, const ComponentSpec*> first;
  std::vector<std::string> known;
  const std::size_t before = problems.size();
  for (ComponentSpec& component : file_.components) {
    IsolationSpec& apart = component.apart;
    const std::vector<std::string> own = GroupsOf(component);
    std::vector<std::string> hosts;
    for (const std::string& id : own) {
      if (first.emplace(id, &component).second) known.push_back(id);
      hosts.push_back(HostOf(id, known));
    }
    if (std::ranges::all_of(hosts, &std::string::empty)) continue;
    if (apart.ranks > 0) {  // it gets processes of its own, on that host
      processes_.SetRanksHost(component.id, hosts.front());
      continue;
    }
    apart.isolation = Isolation::Process;
    for (std::size_t i = 0; i < own.size(); ++i) {
      const ComponentSpec& other = *first.at(own[i]);
      if (other.apart.time_limit_seconds != apart.time_limit_seconds ||
          other.apart.memory_limit_bytes != apart.memory_limit_bytes) {
        AddError(problems, Place(component.line, component.id),
                 fmt::format("expected the TimeLimit and MemoryLimit of '{}', which is of the same group, found others",
                             other.id),
                 "the components of a group share a process: give all of them the same limits");
      }
      PlacedGroup& group = groups[own[i]];
      group.members += (group.members.empty() ? "" : ", ") + component.id +
                       (own.size() > 1 ? fmt::format(" part {} of {}", i + 1, own.size()) : std::string());
      group.id = own[i];
      group.host = hosts[i].empty() ? kThisHost : hosts[i];  // a part that is not placed is in a process here
      group.limits = LimitsOf(apart);
    }
  }
  for (const auto& [id, host] : processes_.Places().hosts) {
    if (first.contains(id)) continue;
    const auto divided = std::ranges::find_if(file_.components, [&id = id](const ComponentSpec& one) {
      return one.apart.group == id && GroupsOf(one).size() > 1;
    });
    AddError(problems, Place(0), fmt::format("expected a group to place on {}, found '{}'", host, id),
             divided != file_.components.end()
                 ? fmt::format("place its parts, such as '{}'", GroupsOf(*divided).front())
             : known.empty() ? "write Group=\"...\" on its components"
                             : Suggest(id, known));
  }
  const std::vector<std::string>& spread = processes_.Places().spread;
  if (known.empty() && std::ranges::any_of(spread, [](const std::string& node) { return node != kThisHost; })) {
    AddWarning(problems, Place(0), "expected groups to spread over the nodes, found none: all runs on this host",
               "write Group=\"...\" on the components that are to run on other nodes; 'openmi new composition' makes a "
               "composition of a system structure");
    return;
  }
  if (problems.size() > before) return;  // the components are loaded on this host, for what else is to be reported
  std::vector<PlacedGroup> placed;
  for (const std::string& id : known) {  // in the order of the file
    if (const auto group = groups.find(id); group != groups.end()) placed.push_back(group->second);
  }
  try {
    processes_.Place(placed);
  } catch (const Error& error) {
    AddError(problems, error.Place(), error.Problem(), error.Remedy());
  }
}

void Composition::Load(Problems& problems) {
  if (!processes_.Places().hosts.empty() || !processes_.Places().spread.empty()) PlaceGroups(problems);
  instances_.resize(file_.components.size());
  std::unordered_map<std::string, OmiFile> read;  // each OMI file once
  for (std::size_t i = 0; i < instances_.size(); ++i) {
    Instance& instance = instances_[i];
    instance.spec = &file_.components[i];
    index_of_.emplace(instance.Id(), i);
    instance.conduct = std::make_unique<Conduct>(instance.Id());
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
        if (instance.spec->population) {
          instance.omi = PopulationFile(*instance.spec, path, problems);
          Announce("making '" + instance.Id() + "'", instance.Id());
          LoadOne(instance, problems);
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
    IsolationSpec& apart = file_.components[i].apart;
    if (apart.isolation == Isolation::None && DotnetAssembly::IsNamedBy(instance.omi.assembly, instance.omi.path)) {
      apart.isolation = Isolation::Process;
    }
    if (apart.ranks > 0) apart.isolation = Isolation::Instance;
    Announce("making '" + instance.Id() + "'", instance.Id());
    LoadOne(instance, problems);
  }
  ReportConduct(problems);
}

const Instance* Composition::FirstHeld() const {
  const auto is_held = [](const Instance& one) { return one.host != nullptr && one.host->IsHeld(); };
  const auto found = std::ranges::find_if(instances_, is_held);
  return found != instances_.end() ? &*found : nullptr;
}

void Composition::ReportConduct(Problems& problems) {
  for (Instance& instance : instances_) {
    if (instance.conduct == nullptr) continue;
    if (CurrentComponent::WasCopied(*instance.conduct)) instance.conduct->changes.fetch_or(Conduct::kCopy);
    const unsigned changes = instance.conduct->changes.exchange(0);
    const auto tell = [&](Conduct::Change change, const char* what) {
      if ((changes & change) == 0) return;
      AddWarning(
          problems, Place(instance.spec->line, instance.Id()),
          fmt::format("expected a component that leaves the others in its process alone, found that it {}", what),
          "run it in a process of its own: Isolation=\"process\"");
    };
    tell(Conduct::kFloatingPoint,
         "changed how numbers are computed (rounding, tiny numbers, or stops at faults): set back after the call");
    tell(Conduct::kFolder, "changed the working folder: set back after the call");
    tell(Conduct::kFileModes, "changed the permissions that new files get (umask): set back after the call");
    tell(Conduct::kCopy, "split the process in two (fork): the second one was ended");
  }
}

void Composition::Announce(const std::string& what, const std::string& component) const {
  if (on_step_) on_step_(what, component);
}

namespace {

/// The process that a component is in; null: that of the run.
const IsolatedProcess* ProcessOf(const IBaseLinkableComponent& component) {
  const auto* isolated = dynamic_cast<const IsolatedComponent*>(&component);
  return isolated != nullptr ? &isolated->Process() : nullptr;
}

/// A conflict of two components that cannot be in one process.
struct Clash {
  std::string what;   ///< what both claim
  std::string other;  ///< the one that was there first: a component, a library or the program
};

std::vector<ProcessClaim> ClaimsOf(const IBaseLinkableComponent& component) {
  const auto* claiming = dynamic_cast<const IProcessClaims*>(&component);
  return claiming != nullptr ? claiming->ProcessClaims() : std::vector<ProcessClaim>();
}

/// The first of the claims that a component of another owner in that process also has.
std::optional<Clash> ClashWithin(const IsolatedProcess* process, std::span<const ProcessClaim> claims,
                                 const Instance& self, std::span<const Instance> instances) {
  for (const Instance& other : instances) {
    if (&other == &self || !other.IsThere() || ProcessOf(*other.loaded.component) != process) continue;
    for (const ProcessClaim& taken : ClaimsOf(*other.loaded.component)) {
      const auto same = std::ranges::find(claims, taken.what, &ProcessClaim::what);
      if (same != claims.end() && same->owner != taken.owner) return Clash{taken.what, other.Id()};
    }
  }
  return std::nullopt;
}

/// The first claim of a component that another one in the same process also has.
std::optional<Clash> FindClash(const Instance& self, const IBaseLinkableComponent& component,
                               std::span<const ProcessClaim> claims, std::span<const Instance> instances) {
  if (claims.empty()) return std::nullopt;
  if (const auto held = dynamic_cast<const IProcessClaims&>(component).HeldClaim()) {
    return Clash{held->what, held->owner};
  }
  return ClashWithin(ProcessOf(component), claims, self, instances);
}

/// A process, other than that of the run, that contains a component of the family and where the claims conflict with no
/// other component; null if there is none.
std::shared_ptr<IsolatedProcess> ProcessOfFamily(const std::string& family, std::span<const ProcessClaim> claims,
                                                 const Instance& self, std::span<const Instance> instances) {
  for (const Instance& other : instances) {
    const auto* isolated = dynamic_cast<const IsolatedComponent*>(other.loaded.component.get());
    if (isolated != nullptr && FamilyKeyOf(other.loaded) == family && isolated->Process().IsAlive() &&
        !ClashWithin(&isolated->Process(), claims, self, instances)) {
      return isolated->SharedProcess();
    }
  }
  return nullptr;
}

/// Reports an error if a component would overwrite a file that the run itself writes.
void RefuseOwnResults(const IBaseLinkableComponent& component, const std::filesystem::path& folder,
                      const CompositionFile& file, const Where& place, Problems& problems) {
  const auto arguments = component.Arguments();
  const auto writes_to = std::ranges::find(arguments, kResultsFolder, [](const IArgument* one) { return one->Id(); });
  if (writes_to == arguments.end()) return;
  const std::filesystem::path base((*writes_to)->ValueAsString());
  const auto named = [&](const std::string& name, const char* ending) {
    return (folder / (name.empty() ? file.id + ending : name)).lexically_normal();
  };
  std::vector own = {named(file.results.csv, ".csv"), named(file.results.netcdf, ".nc"),
                     named(file.results.report, ".html")};
  if (!file.results.geopackage.empty()) own.push_back(named(file.results.geopackage, ""));
  for (const IArgument* argument : arguments) {
    if (argument->ValueType().kind != ValueKind::String) continue;
    const std::string name = argument->ValueAsString();
    if (name.empty() || std::ranges::find(own, (base / name).lexically_normal()) == own.end()) continue;
    Where where = place;
    where.item = argument->Id();
    AddError(problems, where, fmt::format("expected a file that the run does not write itself, found '{}'", name),
             "give it another name, or another folder");
  }
}

}  // namespace

void Composition::SetThreads(std::size_t threads) {
  threads_count_ = threads;
  for (const Instance& instance : instances_) {
    if (auto* user = dynamic_cast<IUsesThreads*>(instance.loaded.component.get())) user->SetThreads(threads);
  }
}

LoadedComponent Composition::Make(const Instance& instance, FamilyThread* thread, std::span<const OmiArgument> in_force,
                                  Problems& problems) {
  LoadedComponent loaded;
  RunOn(thread, [&] { MakeHere(instance, in_force, loaded, problems); });
  return loaded;
}

void Composition::MakeHere(const Instance& instance, std::span<const OmiArgument> in_force, LoadedComponent& loaded,
                           Problems& problems) {
  const ComponentSpec& spec = *instance.spec;
  Problems own;
  Conduct& conduct = *instance.conduct;
  const auto set_up = [&](IBaseLinkableComponent& component) {
    component.SetCaption(spec.id);
    if (auto* user = dynamic_cast<IUsesThreads*>(&component)) user->SetThreads(threads_count_);
    std::vector<OmiArgument> arguments;
    for (const ArgumentSpec& argument : spec.arguments) {
      arguments.push_back(
          {.key = argument.key, .value = ArgumentValue(argument, instance, own), .line = argument.line});
    }
    SetArguments(component, arguments, Place(spec.line, spec.id), own, instance.omi.arguments);
    if (file_.run) {
      // The file's reader reports a run that ends before it starts; the components do not report it again.
      std::optional<Stamp> from = file_.run->from;
      std::optional<Stamp> to = file_.run->to;
      if (from && to) {
        if (*to < *from) std::swap(from, to);
        if (*to == *from) to = *from + Days{1.0};
      }
      for (IArgument* argument : component.Arguments()) {
        const std::string id = argument->Id();
        if (id != "start-time" && id != "end-time") continue;
        const std::optional<Stamp>& time = id == "start-time" ? from : to;  // none: the file's reader has reported it
        if (time && !argument->IsReadOnly() && argument->ValueAsString().empty()) {
          argument->SetValueAsString(FormatIsoTime(*time));
        }
      }
    }
    if (!results_folder_.empty()) {
      for (IArgument* argument : component.Arguments()) {
        const bool is_open = argument->Id() == kResultsFolder && !argument->IsReadOnly();
        if (is_open && argument->ValueAsString().empty()) argument->SetValueAsString(results_folder_.string());
      }
      RefuseOwnResults(component, results_folder_, file_, Place(spec.line, spec.id), own);
    }
    for (const OmiArgument& given : in_force) {
      const auto list = component.Arguments();  // a copy: setting an argument may add others
      for (IArgument* argument : std::vector<IArgument*>(list.begin(), list.end())) {
        if (argument->Id() != given.key || argument->IsReadOnly()) continue;
        if (argument->ValueAsString() != given.value) argument->SetValueAsString(given.value);
      }
    }
    if (!HasErrors(own)) CallComponent(conduct, [&component] { component.Initialize(); });
  };
  try {
    const CurrentComponent current(conduct);
    const std::vector<std::string> groups = GroupsOf(spec);
    loaded = spec.apart.isolation == Isolation::None ? LoadOmi(*loader_, instance.omi, &own)
             : spec.apart.ranks > 0                  ? LoadOnRanks(processes_, spec.id, instance.omi, spec.apart, &own)
             : groups.size() > 1 && !processes_.HostOf(spec.id, groups.front()).empty()
                 ? LoadInParts(processes_, spec, instance.omi, &own)
                 : processes_.Load(instance.omi, spec.apart, &own);
    if (loaded.component) set_up(*loaded.component);
    if (loaded.component && !HasErrors(own)) {
      const std::vector<ProcessClaim> claims = ClaimsOf(*loaded.component);
      const auto clash = [&] {
        const auto lock = LockInstances();
        return FindClash(instance, *loaded.component, claims, instances_);
      }();
      if (clash) {
        // Nothing of it was loaded yet: it is made again in a process without the other one, together with others of
        // its family.
        const std::string family = FamilyKeyOf(loaded);
        loaded.Reset();
        own.clear();
        auto lock = LockInstances();
        auto process = ProcessOfFamily(family, claims, instance, instances_);
        lock.unlock();
        if (process) {
          loaded = LoadIsolated(process, instance.omi, &own);
        } else {
          IsolationSpec apart = spec.apart;
          apart.isolation = Isolation::Instance;
          loaded = processes_.Load(instance.omi, apart, &own);
        }
        if (loaded.component) set_up(*loaded.component);
        AddNote(own, Place(spec.line, spec.id),
                fmt::format("runs in another process, because '{}' also claims {}, which a process can hold only once",
                            clash->other, clash->what));
      }
    }
  } catch (const Error& error) {
    Where where = error.Place();
    std::string problem = error.Problem();
    Problems told;  // reported by the file that sets them
    std::vector<OmiArgument> given;
    for (const ArgumentSpec& argument : spec.arguments) {
      given.push_back({.key = argument.key, .value = ArgumentValue(argument, instance, told), .line = argument.line});
    }
    Where giver{.file = file_.path.string(), .line = spec.line};
    if (const OmiArgument* here = GivenArgument(error, given, instance.omi.Folder())) {
      giver.line = here->line;
      if (where.item.empty()) where.item = here->key;
    } else if (const OmiArgument* there = GivenArgument(error, instance.omi.arguments, instance.omi.Folder())) {
      giver = {.file = instance.omi.path.string(), .line = there->line};
      if (where.item.empty()) where.item = there->key;
    }
    if (!where.file.empty() && where.file != file_.path.string() && where.file != spec.omi) {
      // The problem concerns a file that an argument names: the message contains the place of that argument.
      problem = Error::Format({.file = where.file, .line = where.line}, problem, {});
      where.file.clear();
      where.line = 0;
    }
    if (where.file.empty()) where.file = giver.file;
    if (where.line == 0 && where.file == giver.file) where.line = giver.line;
    if (where.component.empty()) where.component = spec.id;
    AddError(own, where, problem, error.Remedy());
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
  if (!failed) return;
  if (conduct.has_left) {
    AbandonComponent(loaded);
  } else {
    loaded.Reset();
  }
}

void Composition::LoadOne(Instance& instance, Problems& problems) {
  instance.thread = ThreadFor(instance);
  if (const auto changed = changed_.find(instance.Id()); changed != changed_.end()) instance.changed = changed->second;
  LoadedComponent loaded = Make(instance, instance.thread, instance.changed, problems);
  if (!loaded.component) return;
  instance.Attach(std::move(loaded));
  if (instance.spec->apart.on_failure == OnFailure::Freeze) instance.host->SetFreezes(held_);
}

LoadedComponent Composition::MakeAgain(const Instance& instance, FamilyThread* thread,
                                       std::span<const OmiArgument> in_force) {
  Problems problems;
  LoadedComponent loaded = Make(instance, thread, in_force, problems);
  if (loaded.component) return loaded;
  for (const Problem& problem : problems) {
    if (problem.severity == Problem::Error) throw LoadError(problem.where, problem.problem, problem.remedy);
  }
  throw LoadError(Place(instance.spec->line, instance.Id()), "expected a component, found none");
}

std::string Composition::ArgumentValue(const ArgumentSpec& argument, const Instance& instance,
                                       Problems& problems) const {
  std::string value = Substitute(argument.value, variables_, Place(argument.line, instance.Id()), problems);
  // A component looks for relative paths beside its OMI file. A path that is relative to the composition is passed as
  // an absolute path.
  std::error_code error;
  const bool same =
      std::filesystem::equivalent(instance.omi.Folder(), file_.path.has_parent_path() ? file_.Folder() : ".", error);
  return same ? value : BesideFile(file_.Folder(), value);
}

void Composition::Connect(Problems& problems) {
  graph_ = std::make_unique<LinkGraph>(instances_.size());
  Linker(*this, problems).MakeAll();
}

SuppliedInput& Composition::SupplyInput(const ItemSpec& item, SuppliedBetween between) {
  Problems problems;
  ITimeSpaceInput* input = Linker(*this, problems).FindTimeSpaceInput(item, 0);
  if (input == nullptr) {
    for (const Problem& problem : problems) throw ArgumentError(problem.where, problem.problem, problem.remedy);
    throw ArgumentError(Place(0, item.component, item.item),
                        "expected an input of a component in the composition, found no such component");
  }
  const Where place = Place(0, item.component, item.item);
  if (input->Provider() != nullptr) {
    throw LinkError(place, "expected an input without provider, found it linked already", "remove its Link");
  }
  const std::size_t number = IndexOf(item.component).value();
  supplied_.push_back(std::make_unique<SuppliedInput>(*input, number, instances_[number].host.get(), item, between));
  return *supplied_.back();
}

SuppliedInput* Composition::FindSupplied(std::string_view item) const {
  const auto found = std::ranges::find(supplied_, item, &SuppliedInput::Name);
  return found != supplied_.end() ? found->get() : nullptr;
}

std::vector<Link*> Composition::EveryLink() {
  std::vector<Link*> all;
  for (Link& link : links_) {
    if (link.IsMade()) all.push_back(&link);
  }
  for (const auto& supplied : supplied_) all.push_back(&supplied->TheLink());
  return all;
}

ITimeSpaceOutput* Composition::FindOutput(const ItemSpec& item, int line, Problems& problems) {
  return Linker(*this, problems).FindTimeSpaceOutput(item, line);
}

bool Composition::IsAnyFreezing() const {
  return std::ranges::any_of(file_.components,
                             [](const ComponentSpec& spec) { return spec.apart.on_failure == OnFailure::Freeze; });
}

std::string Composition::LoopText(const std::vector<std::size_t>& loop) const {
  // Follows links from member to member until a member comes up again.
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

std::vector<std::size_t> Composition::Triggers() const {
  std::vector<std::size_t> triggers;
  if (file_.run) {
    for (const std::string& trigger : file_.run->trigger) {
      if (const auto index = IndexOf(trigger)) triggers.push_back(*index);
    }
  }
  if (triggers.empty()) triggers = Ends();
  // What is observed or compared has to run too, even if no trigger draws on it.
  std::vector<bool> reached = graph_->UpstreamOf(triggers);
  for (const std::size_t recorded : Recorded()) {
    if (reached[recorded]) continue;
    triggers.push_back(recorded);
    graph_->Reach(recorded, reached);
  }
  return triggers;
}

std::vector<std::size_t> Composition::Recorded() const {
  std::vector<std::size_t> recorded;
  const auto add = [&](const ItemSpec& item) {
    const auto index = IndexOf(item.component);
    if (index && instances_[*index].IsThere()) recorded.push_back(*index);
  };
  for (const ObserveSpec& observe : file_.observes) add(observe.item);
  for (const CompareSpec& compare : file_.compares) {
    add(compare.simulated);
    add(compare.observed);
  }
  return recorded;
}

std::vector<std::size_t> Composition::Ends() const {
  std::vector<std::size_t> ends;
  for (std::size_t i = 0; i < instances_.size(); ++i) {
    if (graph_->ConsumersOf(i).empty()) ends.push_back(i);
  }
  // A loop on which nothing else draws has no end: its first member is the trigger.
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

std::filesystem::path Composition::InitialStatePath(const ComponentSpec& component, Problems& problems) const {
  return file_.Folder() /
         Substitute(component.initial_state, variables_, Place(component.line, component.id), problems);
}

void Composition::Finish(Problems& problems) {
  for (Instance& instance : instances_) {
    if (!instance.IsThere() || instance.conduct->has_left) continue;
    const LinkableComponentStatus status = instance.Component().Status();
    if (status == LinkableComponentStatus::Created || status == LinkableComponentStatus::Finished) continue;
    try {
      CallComponent(*instance.conduct, [&instance] { instance.Runner().Finish(); });
    } catch (const std::exception& error) {
      AddError(problems, Place(instance.spec->line, instance.Id()),
               fmt::format("expected the component to finish, found '{}'", error.what()));
    }
  }
}

}  // namespace openmi
