#include "composition/run/RunSnapshot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "composition/results/FileHash.hpp"
#include "composition/run/Overrides.hpp"
#include "composition/state/ComponentState.hpp"
#include "composition/threads/FamilyThread.hpp"
#include "openmi/omi/LibraryCopy.hpp"
#include "openmi/omi/LibrarySearch.hpp"
#include "openmi/omi/SdkVersion.hpp"
#include "openmi/sdk/ArgumentItem.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/ResultsFolder.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi {
namespace {

/// Calls `work` for each of the engine's own parts that has a state, with a name of the part.
template <class Work>
void ForEachPart(Composition& composition, Work&& work) {
  for (Instance& instance : composition.Instances()) {
    for (const auto& [id, proxy] : instance.proxies) {
      work(fmt::format("{}.{}", instance.Id(), id), static_cast<AdaptedOutput&>(*proxy));
    }
  }
  for (Link& link : composition.Links()) {
    std::size_t number = 0;
    for (const auto& adaptor : link.Adaptors()) {
      ++number;
      if (auto* own = dynamic_cast<AdaptedOutput*>(adaptor.get())) {
        work(fmt::format("{} adaptor {} {}", link.Spec().Text(), number, adaptor->Id()), *own);
      }
    }
  }
}

/// \throws FormatError  a state belongs to another part than the present one
void RequireName(const std::string& found, const std::string& name) {
  if (found == name) return;
  throw FormatError({.item = name}, fmt::format("expected the state of this part of a link, found that of '{}'", found),
                    "a checkpoint of another composition cannot be restored if its links differ");
}

// The format of what is written beside the states of components. 2: balances keep no curves.
constexpr std::string_view kLayout = "host parts, form 2";

/// \throws FormatError  an SDK with another format wrote it
void RequireLayout(const std::string& found, const std::string& file) {
  if (found == kLayout) return;
  throw FormatError({.file = file},
                    fmt::format("expected a checkpoint of this SDK ('{}'), found one of another", kLayout),
                    "resume with the SDK that wrote it, or start the run anew with --overwrite");
}

/// Sets the fixed values that were in force, and frees all others.
void RestoreOverrides(StateReader& reader, Composition& composition) {
  std::vector<Link*> links = composition.EveryLink();
  std::erase_if(links, [](const Link* link) { return link->End() == nullptr; });
  for (const Link* link : links) link->End()->FreeOverride();
  for (std::int64_t left = reader.ReadInteger(); left > 0; --left) {
    const std::string input = reader.ReadText();
    const std::vector<double> row = reader.ReadDoubles();
    const auto link = std::ranges::find(links, input, [](const Link* one) { return one->Spec().to.Text(); });
    if (link == links.end()) {
      throw FormatError({.item = input}, "expected a linked input for an override, found none",
                        "a checkpoint of another composition cannot be restored if its links differ");
    }
    (*link)->End()->SetOverride(row);
  }
}

std::string HashText(std::string_view text) {
  Sha256 hash;
  hash.Add(text);
  return hash.Finish();
}

/// The content of the file without what does not change results, and without secrets: a reader who knows the rest of
/// the file could try short ones until a hash of it fits.
std::string ResultingText(const Composition& composition) {
  CompositionFile file = composition.File();
  for (const Instance& instance : composition.Instances()) {
    for (ComponentSpec& component : file.components) {
      if (component.id != instance.Id()) continue;
      component.apart = {.on_failure = component.apart.on_failure};  // where it runs does not change results
      for (ArgumentSpec& given : component.arguments) {
        if (std::ranges::find(instance.secrets, given.key) != instance.secrets.end()) given.value.clear();
      }
    }
  }
  file.checkpoints.reset();
  file.results = {};
  if (file.run) file.run->pace.reset();
  return CompositionText(file);
}

/// The name and a hash of the library that contains a component's code; empty for a type of the program itself.
std::string LibraryText(const Instance& instance) {
  if (const auto& library = instance.loaded.library) {
    return fmt::format("{} {:016x}", std::filesystem::path(library->Path()).filename().string(), library->Stamp().hash);
  }
  if (instance.omi.assembly.empty()) return {};
  const std::string path = LibrarySearch().Find(instance.omi.assembly, instance.omi.path.string());  // it is isolated
  return fmt::format("{} {:016x}", std::filesystem::path(path).filename().string(),
                     HashOfLibrary(path, {.file = instance.omi.path.string()}));
}

}  // namespace

RunIdentity IdentityOf(const Composition& composition, RunMode mode) {
  RunIdentity identity;
  Problems ignored;
  identity.Add("the composition file",
               HashText(Substitute(ResultingText(composition), composition.Values(), {}, ignored)), false);
  identity.Add("the mode of the run", mode == RunMode::Step ? "step" : "pull");
  identity.Add("the SDK", kSdkVersion);
  for (const Instance& instance : composition.Instances()) {
    if (!instance.IsThere()) continue;
    const std::string who = fmt::format("component '{}'", instance.Id());
    identity.Add("the type of " + who, instance.Component().Id());
    if (const std::string library = LibraryText(instance); !library.empty()) {
      identity.Add("the library of " + who, library);
    }
    for (const IArgument* argument : instance.Component().Arguments()) {
      if (argument->Id() == "start-time") {  // only the value in the composition file counts
        if (const OmiArgument* given = instance.omi.Argument("start-time")) {
          identity.Add("the start-time in the OMI file of " + who, given->value);
        }
        continue;
      }
      if (argument->Id() == kResultsFolder) continue;  // the checkpoint is in that folder, wherever the folder is now
      if (IsSecret(*argument)) continue;               // not even as a hash, from which a short secret can be guessed
      identity.Add(fmt::format("argument '{}' of {}", argument->Id(), who), argument->ValueAsString());
    }
  }
  for (const auto& input : composition.Supplied()) {
    identity.Add(fmt::format("the supplied input '{}'", input->Name()),
                 input->Held() ? fmt::format("{}", *input->Held()) : "rows of a program");
  }
  return identity;
}

std::map<std::string, std::vector<OmiArgument>> ChangedArguments(const Composition& composition) {
  std::map<std::string, std::vector<OmiArgument>> all;
  for (const Instance& instance : composition.Instances()) {
    if (!instance.IsThere()) continue;
    for (const IArgument* argument : instance.Component().Arguments()) {
      const auto changed = std::ranges::find(instance.changed, argument->Id(), &OmiArgument::key);
      if (changed == instance.changed.end() || IsSecret(*argument)) continue;
      all[instance.Id()].push_back(*changed);
    }
  }
  return all;
}

void CaptureRun(Checkpoint& checkpoint, Composition& composition, const RunWatch& watch, const RunLoop& loop) {
  checkpoint.components.clear();
  checkpoint.without_state.clear();
  checkpoint.changed = ChangedArguments(composition);
  for (Instance& instance : composition.Instances()) {
    if (instance.IsFrozen()) {
      throw StateError({.component = instance.Id()},
                       "expected all families in the run, for a checkpoint, found the one of this component disengaged",
                       "engage it first");
    }
    if (!instance.IsThere()) continue;
    if (KeepsState(instance.Component())) {
      RunOn(instance.thread,
            [&] { checkpoint.components.emplace_back(instance.Id(), StateBytesOf(*instance.loaded.component)); });
    } else {
      checkpoint.without_state.push_back(instance.Id());
    }
  }
  StateWriter host;
  host.Write(std::string(kLayout));
  ForEachPart(composition, [&host](const std::string& name, const AdaptedOutput& part) {
    StateWriter own;
    part.SaveState(own);
    host.Write(name);
    host.Write(own.Bytes());
  });
  for (const auto& supplied : composition.Supplied()) {
    host.Write(supplied->Name());
    supplied->Output().SaveState(host);
  }
  const std::vector<OverrideInfo> overrides = Overrides(composition).All();
  host.Write(static_cast<std::int64_t>(overrides.size()));
  for (const OverrideInfo& fixed : overrides) {
    host.Write(fixed.link->to.Text());
    host.Write(fixed.row);
  }
  watch.SaveState(host);
  loop.SaveState(host);
  checkpoint.host = host.Take();
}

void RestoreRun(const Checkpoint& checkpoint, Composition& composition, RunWatch& watch, RunLoop& loop) {
  for (Instance& instance : composition.Instances()) {
    if (!instance.IsThere()) continue;
    const auto found = std::ranges::find(checkpoint.components, instance.Id(), &std::pair<std::string, Bytes>::first);
    if (found == checkpoint.components.end()) {
      instance.CatchUp(checkpoint.time);
      continue;
    }
    if (!KeepsState(instance.Component())) {
      throw FormatError({.component = instance.Id()},
                        "expected a component that keeps its state, found one that does not",
                        "use the library of the component that the checkpoint was taken with");
    }
    RunOn(instance.thread, [&] { RestoreStateBytes(*instance.loaded.component, found->second); });
  }
  StateReader host(checkpoint.host);
  RequireLayout(host.ReadText(), checkpoint.file);
  ForEachPart(composition, [&host](const std::string& name, AdaptedOutput& part) {
    RequireName(host.ReadText(), name);
    StateReader own(host.ReadBytes());
    part.LoadState(own);
    own.RequireEnd();
  });
  for (const auto& supplied : composition.Supplied()) {
    RequireName(host.ReadText(), supplied->Name());
    supplied->Output().LoadState(host);
  }
  RestoreOverrides(host, composition);
  watch.LoadState(host);
  loop.LoadState(host);
  host.RequireEnd();
}

Bytes PackSeriesRows(const RunRecord& record) {
  StateWriter writer;
  for (const RecordedSeries& series : record.series) {
    writer.Write(series.begins);
    writer.Write(series.times);
    writer.Write(series.values);
    writer.Write(series.is_whole);
  }
  return writer.Take();
}

void UnpackSeriesRows(ByteView bytes, RunRecord& record) {
  StateReader reader(bytes);
  for (RecordedSeries& series : record.series) {
    series.begins = reader.ReadDoubles();
    series.times = reader.ReadDoubles();
    series.values = reader.ReadDoubles();
    series.is_whole = reader.ReadBool();
    series.has_number =  // nothing is known of values that are not stored
        !series.is_whole || !std::ranges::all_of(series.values, [](double value) { return std::isnan(value); });
    const std::size_t width = series.series.Width();
    if (series.values.size() != series.times.size() * width || series.begins.size() != series.times.size()) {
      throw FormatError({.item = series.series.id}, "expected a row for each time of a recorded series in a checkpoint",
                        "a checkpoint of another composition cannot be restored if its observed items differ");
    }
    if (series.figures) series.figures = SeriesFigures::Of(width, series.begins, series.times, series.values);
  }
  reader.RequireEnd();
}

}  // namespace openmi
