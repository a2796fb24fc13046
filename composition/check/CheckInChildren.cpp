#include "composition/check/CheckInChildren.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "composition/record/ProblemsJson.hpp"

namespace openmi {
namespace {

// How many libraries of a composition may end or block the process that tries them, before the others are skipped.
constexpr std::size_t kMostDeaths = 8;

}  // namespace

Problems CheckInChildren(const std::string& named, const std::function<ChildAnswer(const std::set<std::string>&)>& ask,
                         const std::function<CompositionFile()>& read) {
  Problems deaths;
  std::set<std::string> without;
  while (true) {
    const ChildAnswer answer = ask(without);
    if (answer.IsThere()) {
      const Problems found = ProblemsFromJson(answer.value);
      deaths.insert(deaths.begin(), found.begin(), found.end());
      return deaths;
    }
    const CompositionFile file = read();
    const auto culprit = std::ranges::find(file.components, answer.component, &ComponentSpec::id);
    if (culprit == file.components.end()) {
      Problem problem;
      problem.where = {.file = named};
      problem.problem = fmt::format("expected the check to finish, found that its process {}{}", answer.sentence,
                                    answer.last_step.empty() ? "" : " at: " + answer.last_step);
      problem.remedy = answer.timed_out ? "give each step more time with --timeout, or use --static"
                                        : "use --static, which checks the files and loads no library";
      deaths.push_back(std::move(problem));
      return deaths;
    }
    deaths.push_back(DeathOf(answer, {.file = file.path.string(), .line = culprit->line, .component = culprit->id}));
    std::size_t siblings = 0;
    for (const ComponentSpec& component : file.components) {
      const bool is_same =
          component.omi == culprit->omi && component.type == culprit->type && component.assembly == culprit->assembly;
      if (is_same && without.insert(component.id).second && component.id != culprit->id) ++siblings;
    }
    const bool goes_on = !answer.timed_out && deaths.size() < kMostDeaths;
    if (siblings == 0 && goes_on) continue;
    AddNote(deaths, {.file = named},
            goes_on ? fmt::format("{} more of the kind of '{}' {} not tried", siblings, culprit->id,
                                  siblings == 1 ? "was" : "were")
                    : "the rest was not checked: links, and components that did not exist yet");
    if (!goes_on) return deaths;
  }
}

}  // namespace openmi
