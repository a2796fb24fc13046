#include "composition/state/RunIdentity.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "composition/results/FileHash.hpp"
#include "openmi/omi/LibrarySearch.hpp"
#include "openmi/omi/SdkVersion.hpp"
#include "openmi/sdk/ArgumentItem.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/ResultsFolder.hpp"

namespace openmi {
namespace {

std::string HashText(std::string_view text) {
  Sha256 hash;
  hash.Add(text);
  return hash.Finish();
}

/// What the file says, but for what does not change results, and for secrets: whoever knows the rest of the file could
/// try out short ones until a hash of it fits.
std::string ResultingText(const Composition& composition) {
  CompositionFile file = composition.File();
  for (const Instance& instance : composition.Instances()) {
    for (ComponentSpec& component : file.components) {
      if (component.id != instance.Id()) continue;
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

/// The name and a hash of the library that a component's code is in; empty for a type of the program itself.
std::string LibraryText(const Instance& instance) {
  if (const auto& library = instance.loaded.library) {
    return fmt::format("{} {:016x}", std::filesystem::path(library->Path()).filename().string(), library->Stamp().hash);
  }
  if (instance.omi.assembly.empty()) return {};
  const std::string path = LibrarySearch().Find(instance.omi.assembly, instance.omi.path.string());  // it is isolated
  return fmt::format("{} {}", std::filesystem::path(path).filename().string(), HashFile(path));
}

}  // namespace

RunIdentity RunIdentity::Of(const Composition& composition, RunMode mode) {
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
      if (argument->Id() == "start-time") {  // that of the composition file has counted
        if (const OmiArgument* given = instance.omi.Argument("start-time")) {
          identity.Add("the start-time in the OMI file of " + who, given->value);
        }
        continue;
      }
      if (argument->Id() == kResultsFolder) continue;  // the checkpoint is in it, wherever that is now
      if (IsSecret(*argument)) continue;               // not even as a hash, from which a short one can be guessed
      identity.Add(fmt::format("argument '{}' of {}", argument->Id(), who), argument->ValueAsString());
    }
  }
  return identity;
}

std::vector<std::string> RunIdentity::DifferencesTo(const RunIdentity& now) const {
  std::vector<std::string> differences;
  std::map<std::string_view, const Entry*> then;
  for (const Entry& entry : entries_) then.emplace(entry.what, &entry);
  for (const Entry& entry : now.entries_) {
    const auto found = then.find(entry.what);
    if (found == then.end()) {
      differences.push_back(fmt::format("{} was not there", entry.what));
      continue;
    }
    const Entry& before = *found->second;
    if (before.value != entry.value) {
      differences.push_back(before.is_shown && entry.is_shown
                                ? fmt::format("{} was '{}' and is '{}'", entry.what, before.value, entry.value)
                                : fmt::format("{} was another", entry.what));
    }
    then.erase(found);
  }
  for (const auto& [what, entry] : then) differences.push_back(fmt::format("{} is gone", what));
  return differences;
}

void RunIdentity::Save(StateWriter& writer) const {
  writer.Write(static_cast<std::int64_t>(entries_.size()));
  for (const Entry& entry : entries_) {
    writer.Write(entry.what);
    writer.Write(entry.value);
    writer.Write(entry.is_shown);
  }
}

void RunIdentity::Load(StateReader& reader) {
  entries_.clear();
  const std::int64_t count = reader.ReadInteger();
  for (std::int64_t i = 0; i < count; ++i) {
    std::string what = reader.ReadText();
    std::string value = reader.ReadText();
    Add(std::move(what), std::move(value), reader.ReadBool());
  }
}

void RequireSameRun(const RunIdentity& taken, const RunIdentity& now, const std::string& file,
                    const std::string& remedy) {
  std::vector<std::string> differences = taken.DifferencesTo(now);
  if (differences.empty()) return;
  constexpr std::size_t kMost = 8;
  const std::size_t all = differences.size();
  if (all > kMost) {
    differences.resize(kMost);
    differences.push_back(fmt::format("and {} more", all - kMost));
  }
  throw ArgumentError(
      {.file = file},
      fmt::format("expected what the checkpoint was taken of, found changes: {}", fmt::join(differences, "; ")),
      remedy);
}

}  // namespace openmi
