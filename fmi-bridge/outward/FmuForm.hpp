#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "fmi-bridge/outward/ExportInterface.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi::outward {

/// What a component is as an FMU, where it has a form of its own: variables whose names and value references others
/// know, and which the FMU reads from its own modelDescription.xml, so that one may be added there by hand.
struct FmuForm {
  std::string type;  ///< of the component inside the FMU; out of the same library
  std::vector<std::pair<std::string, std::string>> arguments;  ///< of that one; files they name come along
  std::string description_argument;                            ///< of that one: the path of modelDescription.xml
  std::string token;                                           ///< in that file; empty where there is none yet
  std::uint32_t time_reference = 0;         ///< value reference of time, where FMI asks for such a variable
  double step_seconds = 0.0;                ///< preferred
  std::string text;                         ///< for people
  std::vector<ExportedVariable> variables;  ///< with value references; without slots and components
  Problems notes;
};

/// A component with a form of its own as an FMU. Optional; discovered by asking for it. In the FMU its arguments and
/// items have the names of the variables.
class IFmuForm {
 public:
  virtual ~IFmuForm() = default;
  /// After Initialize.
  virtual FmuForm Form() = 0;
};

}  // namespace openmi::outward
