#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "openmi/omi/XmlReader.hpp"
#include "openmi/sdk/Problem.hpp"
#include "timespace/times/Stamp.hpp"

namespace openmi {

// The values of attributes in our own files. A value that cannot be read is an error in `problems`, with its line.

/// A number from `least` to `most`; `otherwise` after an error and if the attribute is missing.
/// \param is_whole  refuses fractions
/// \returns a finite number, in the unit that the attribute states
double ReadNumber(Problems& problems, const XmlElement& element, std::string_view attribute_name, double otherwise,
                  double least, double most, bool is_whole = false);
/// A duration by ISO 8601, at least 0; nothing after an error and if the attribute is missing.
std::optional<Days> ReadSpan(Problems& problems, const XmlElement& element, std::string_view attribute_name);
/// The bytes of a text such as "512 MB"; 0 after an error and if the attribute is missing.
std::uint64_t ReadMemory(Problems& problems, const XmlElement& element, std::string_view attribute_name);

}  // namespace openmi
