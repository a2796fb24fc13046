#include <algorithm>
#include <utility>
#include <vector>

#include "composition/check/ChildAnswer.hpp"
#include "fmi-bridge/fmi/InspectFmu.hpp"
#include "tools/CheckDescription.hpp"
#include "tools/Inputs.hpp"

namespace openmi::tools {
namespace {

bool HasOsmp(const fmi::ModelDescription& description) {
  const auto has = [](const std::vector<fmi::Annotation>& annotations) {
    return std::ranges::find(annotations, "net.pmsf.osmp", &fmi::Annotation::type) != annotations.end();
  };
  return has(description.annotations) || std::ranges::any_of(description.variables, has, &fmi::Variable::annotations);
}

/// Adds the rules of OSMP that an FMU breaks, as another part of this program finds them.
void AddOsmpProblems(const std::string& file, Problems& problems) {
  constexpr double kMostSeconds = 60.0;
  const ChildAnswer answer = AskThisProgram({"osmp", "info", file}, kMostSeconds);
  if (!answer.IsThere()) {  // that part is not there
    return AddNote(problems, {.file = file}, "it has annotations of OSMP, whose rules were not checked",
                   "openmi osmp info checks them");
  }
  for (Problem& problem : ProblemsFromJson(answer.value)) problems.push_back(std::move(problem));
}

}  // namespace

void AddFmuCheck(CLI::App& fmu, Invocation& invocation) {
  AddDescriptionCheck(fmu, invocation,
                      {.purpose = "Find all problems of an FMU that can be found without running it",
                       .file = "FMU, or the folder of an unpacked one",
                       .footer = "No library is loaded and nothing is unpacked.\n\n"
                                 "Examples:\n"
                                 "  openmi fmu check BouncingBall.fmu\n"
                                 "  openmi fmu check BouncingBall.fmu --json | jq '.problems[].problem'",
                       .find = [](const std::string& file, Problems& problems) {
                         const fmi::FmuInspection found =
                             fmi::InspectFmu(file, problems, fmi::LibrariesFor::ThisMachine);
                         if (HasOsmp(found.description)) AddOsmpProblems(file, problems);
                       }});
}

}  // namespace openmi::tools
