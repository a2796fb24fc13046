#include "composition/import/ngen/Gathered.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace openmi::ngen {

void Gathered::Add(Problem::Severity severity, const std::string& owner, Where where, const std::string& problem,
                   const std::string& remedy) {
  constexpr std::size_t kShown = 3;
  const auto [place, is_new] = places_.emplace(std::pair(problem, !owner.empty()), groups_.size());
  if (is_new) groups_.push_back({.problem = {severity, std::move(where), problem, remedy}});
  Group& group = groups_[place->second];
  if (owner.empty()) return;
  ++group.count;
  if (group.owners.size() < kShown) group.owners.push_back(owner);
}

void Gathered::AddTo(Problems& problems) {
  for (Group& group : groups_) {
    if (group.count > 0) {
      group.problem.problem = fmt::format("{} {} ({}{}): {}", group.count,
                                          group.count == 1 ? "catchment" : "catchments", fmt::join(group.owners, ", "),
                                          group.count > group.owners.size() ? ", ..." : "", group.problem.problem);
    }
    problems.push_back(std::move(group.problem));
  }
  groups_.clear();
  places_.clear();
}

}  // namespace openmi::ngen
