#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "fmi-bridge/export/ExportInterface.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi::exported {

/// The special form of a component as an FMU: variables whose names and value references other tools know.
///
/// The FMU reads them from its own modelDescription.xml, so that users may add variables there.
struct FmuForm {
  std::string type;  ///< type of the component in the FMU; in the same library
  std::vector<std::pair<std::string, std::string>> arguments;  ///< of that component; files they name are included
  std::string description_argument;         ///< argument of that component: the path of modelDescription.xml
  std::string token;                        ///< token in that file; empty if there is none yet
  std::uint32_t time_reference = 0;         ///< value reference of time, if FMI requires such a variable
  double step_seconds = 0.0;                ///< preferred
  std::string text;                         ///< description for users
  std::vector<ExportedVariable> variables;  ///< with value references; without slots and components
  Problems notes;
};

/// Optional interface of a component with a special form as an FMU. In the FMU its arguments and items have the names
/// of the variables.
class IFmuForm {
 public:
  virtual ~IFmuForm() = default;
  /// The form; to be called after Initialize.
  virtual FmuForm Form() = 0;
};

}  // namespace openmi::exported
