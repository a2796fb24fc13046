#include "components/population/RowProblems.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace openmi::population {
namespace {

constexpr std::size_t kShownKeys = 3;
constexpr std::size_t kShownGroups = 10;
constexpr std::size_t kMostGroups = 100;  // texts of a hundred thousand rows may all differ

/// What rows with the same problem have in common: their messages differ in what was found.
std::string KindOf(const Error& error) {
  const std::string& problem = error.Problem();
  return error.Place().item + '\n' + problem.substr(0, problem.find("found"));
}

}  // namespace

void RowProblems::Add(const std::string& key, const std::string& kind, const std::string& problem,
                      const std::string& remedy, const std::string& item) {
  auto group = std::ranges::find(groups_, kind, &Group::kind);
  if (group == groups_.end() && groups_.size() == kMostGroups) {
    ++others_;
    return;
  }
  if (group == groups_.end()) {
    groups_.push_back({.kind = kind, .problem = problem, .remedy = remedy, .item = item});
    group = groups_.end() - 1;
  }
  if (group->keys.size() < kShownKeys) group->keys.push_back(key);
  ++group->count;
}

void RowProblems::Add(const std::string& key, const std::exception& error) {
  if (const auto* own = dynamic_cast<const Error*>(&error)) {
    std::string problem = own->Problem();
    if (!own->Place().file.empty()) {
      problem = Error::Format({.file = own->Place().file, .line = own->Place().line}, problem, {});
    }
    Add(key, KindOf(*own), problem, own->Remedy(), own->Place().item);
  } else {
    Add(key, error.what(), fmt::format("expected the component to accept it, found '{}'", error.what()),
        "see the component's own manual");
  }
}

std::size_t RowProblems::Count() const {
  std::size_t count = others_;
  for (const Group& group : groups_) count += group.count;
  return count;
}

std::string RowProblems::SentenceOf(const Group& group) const {
  if (group.count == 1) return fmt::format("{} ({})", group.problem, group.keys.front());
  return fmt::format("{} {} ({}{}): {}", group.count, what_, fmt::join(group.keys, ", "),
                     group.count > group.keys.size() ? ", ..." : "", group.problem);
}

void RowProblems::ThrowIfAny(Where place) const {
  if (groups_.empty()) return;
  std::vector<Group> groups = groups_;
  std::ranges::stable_sort(groups, std::greater<>(), &Group::count);
  std::string problem = SentenceOf(groups.front());
  for (std::size_t i = 1; i < std::min(groups.size(), kShownGroups); ++i) {
    problem += "; and " + SentenceOf(groups[i]);
    if (!groups[i].item.empty()) problem += fmt::format(" [{}]", groups[i].item);
  }
  std::size_t rest = others_;
  for (std::size_t i = kShownGroups; i < groups.size(); ++i) rest += groups[i].count;
  if (rest > 0) problem += fmt::format("; and {} {} with other problems", rest, what_);
  if (place.item.empty()) place.item = groups.front().item;
  throw ArgumentError(place, problem, groups.front().remedy);
}

}  // namespace openmi::population
