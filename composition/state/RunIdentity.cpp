#include "composition/state/RunIdentity.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "openmi/sdk/Error.hpp"

namespace openmi {

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
      fmt::format("expected the composition of the checkpoint, found changes: {}", fmt::join(differences, "; ")),
      remedy);
}

}  // namespace openmi
