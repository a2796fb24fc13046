#include <algorithm>
#include <string_view>

#include "fmi-bridge/fmi/compile/SourceSets.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/fuzz/FuzzTarget.hpp"

namespace openmi::fuzz {

// Any bytes are either sources whose names stay in their folder and whose definitions are no options, or problems with
// a place.
OPENMI_FUZZ_TARGET(build_description) {
  using namespace openmi::fmi;
  ModelDescription description;
  description.version = FmiMajor::Fmi3;
  description.interfaces[static_cast<std::size_t>(InterfaceKind::CoSimulation)].emplace().model_identifier = "Ramp";
  Problems problems;
  try {
    for (const SourceSet& set : SourceSetsOf(description, InterfaceKind::CoSimulation, input, problems)) {
      for (const auto* names : {&set.files, &set.includes}) {
        for (const std::string& name : *names) {
          Require(!name.empty() && name.front() != '/' && ("/" + name + "/").find("/../") == std::string::npos);
        }
      }
      for (const auto& [name, value] : set.defines) {
        Require(!name.empty() && name.find_first_of(" =-") == std::string::npos);
        Require(std::ranges::find(value, '\n') == value.end());
      }
    }
  } catch (const FormatError& error) {
    Require(!error.Place().file.empty());
  }
  for (const Problem& problem : problems) Require(!problem.problem.empty());
}

}  // namespace openmi::fuzz
