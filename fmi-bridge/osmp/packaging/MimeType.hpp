#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace openmi::osmp {

/// A MIME type with its parameters: "application/x-open-simulation-interface; type=SensorView; version=3.7.0".
struct MimeType {
  std::string type;                                             ///< "type/subtype" in lower case
  std::vector<std::pair<std::string, std::string>> parameters;  ///< names in lower case, values without quotes

  /// The value of a parameter; empty where it is missing.
  std::string Parameter(std::string_view name) const;
  /// Whether the bytes are a message of OSI.
  bool IsOsi() const { return type == "application/x-open-simulation-interface"; }
};

/// Reads a MIME type. Values may be quoted, and blanks may occur where MIME allows them. Source: RFC 2045, 5.1. An
/// empty value, which the source does not allow, is read as such: models have it.
/// \returns nothing where the text is no MIME type
std::optional<MimeType> ParseMimeType(std::string_view text);

/// Whether the text is a version of OSI: three whole numbers separated by points.
bool IsOsiVersion(std::string_view text);

}  // namespace openmi::osmp
