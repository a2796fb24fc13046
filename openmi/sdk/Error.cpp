#include "openmi/sdk/Error.hpp"

#include <utility>

namespace openmi {

Error::Error(Where where, std::string problem, std::string remedy)
    : std::runtime_error(Format(where, problem, remedy)),
      where_(std::move(where)),
      problem_(std::move(problem)),
      remedy_(std::move(remedy)) {}

std::string Error::Format(const Where& where, const std::string& problem, const std::string& remedy) {
  std::string text;
  if (!where.file.empty()) {
    text += where.file;
    if (where.line > 0) text += ":" + std::to_string(where.line);
    text += ": ";
  }
  if (!where.component.empty()) text += where.component;
  if (!where.item.empty()) text += (where.component.empty() ? "" : ".") + where.item;
  if (!where.component.empty() || !where.item.empty()) text += ": ";
  text += problem;
  if (!remedy.empty()) text += "; " + remedy;
  return text;
}

// Destructors out of line: each class has one vtable and one type_info, in this library.
Error::~Error() = default;
FileError::~FileError() = default;
FormatError::~FormatError() = default;
ArgumentError::~ArgumentError() = default;
UnitError::~UnitError() = default;
LinkError::~LinkError() = default;
RangeError::~RangeError() = default;
TypeError::~TypeError() = default;
StateError::~StateError() = default;
LoadError::~LoadError() = default;
ModelError::~ModelError() = default;
DepthError::~DepthError() = default;

}  // namespace openmi
