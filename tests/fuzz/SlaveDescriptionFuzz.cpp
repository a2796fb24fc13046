#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "fmi-bridge/dcp/protocol/description/SlaveDescription.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/fuzz/FuzzTarget.hpp"

namespace openmi::fuzz {

// Any bytes are either a description whose every reference leads somewhere and which can be written and read again, or
// problems with a place.
OPENMI_FUZZ_TARGET(slave_description) {
  using namespace openmi::dcp;
  Problems problems;
  try {
    const SlaveDescription description = ReadSlaveDescription(input, "fuzz.dcpx", problems);
    const auto variables = static_cast<Index>(description.variables.size());
    for (const Variable& variable : description.variables) {
      Require(variable.attributes.unit < static_cast<Index>(description.units.size()));
      Require(variable.declared_type < static_cast<Index>(description.types.size()));
      for (const Dimension& dimension : variable.dimensions) {
        Require(dimension.size > 0 && dimension.variable >= kNowhere && dimension.variable < variables);
      }
      for (const auto* list : {&variable.dependencies.initialization, &variable.dependencies.run}) {
        if (!*list) continue;
        for (const Dependency& one : **list) Require(one.variable >= 0 && one.variable < variables);
      }
    }
    if (!HasErrors(problems)) {
      SlaveDescriptionText(description);
      const auto found = description.ResolutionFor(0.02, [](std::uint32_t parts) { return parts != 0; });
      Require(!found || description.AllowsResolution(found->numerator, found->denominator));
    }
  } catch (const FormatError& error) {
    Require(error.Place().file == "fuzz.dcpx");
  }
  for (const Problem& problem : problems) Require(problem.where.file == "fuzz.dcpx" && !problem.problem.empty());
}

}  // namespace openmi::fuzz
