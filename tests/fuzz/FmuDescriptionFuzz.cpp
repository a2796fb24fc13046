#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "fmi-bridge/fmi/DescriptionReader.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/fuzz/FuzzTarget.hpp"

namespace openmi::fuzz {

// Any bytes are either a description whose every reference leads somewhere, or problems with a place.
OPENMI_FUZZ_TARGET(fmu_description) {
  using namespace openmi::fmi;
  Problems problems;
  try {
    const ModelDescription description = ReadModelDescription(input, "fuzz.xml", problems);
    const auto count = static_cast<Index>(description.variables.size());
    const auto require = [count](Index index) { Require(index >= kNowhere && index < count); };
    for (const Variable& variable : description.variables) {
      require(variable.derivative_of);
      require(variable.previous);
      require(variable.alias_of);
      for (const Index clock : variable.clocks) Require(clock >= 0 && clock < count);
      for (const ArrayDimension& dimension : variable.dimensions) require(dimension.variable);
      Require(variable.attributes.unit < static_cast<Index>(description.units.size()));
      Require(variable.declared_type < static_cast<Index>(description.types.size()));
      Require((variable.type == VariableType::Clock) == (variable.clock != kNowhere));
      if (IsFloat(variable.type)) {
        Require(description.Floats(variable).size() == variable.start_count);
      } else if (variable.type == VariableType::String || variable.type == VariableType::Binary) {
        Require(description.Texts(variable).size() == variable.start_count);
      } else {
        Require(description.Integers(variable).size() == variable.start_count);
      }
    }
    for (const auto* list :
         {&description.structure.outputs, &description.structure.derivatives, &description.structure.clocked_states,
          &description.structure.initial_unknowns, &description.structure.event_indicators}) {
      for (const Unknown& unknown : *list) {
        Require(unknown.variable >= 0 && unknown.variable < count);
        Require(unknown.kinds.empty() || unknown.kinds.size() == unknown.dependencies.size());
        for (const Index on : unknown.dependencies) Require(on >= 0 && on < count);
      }
    }
  } catch (const FormatError& error) {
    Require(error.Place().file == "fuzz.xml");
  }
  for (const Problem& problem : problems) Require(problem.where.file == "fuzz.xml" && !problem.problem.empty());
}

}  // namespace openmi::fuzz
