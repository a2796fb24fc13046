#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace openmi::osmp {

/// A MIME type with its parameters: "application/x-open-simulation-interface; type=SensorView; version=3.7.0".
struct MimeType {
  std::string type;                                             ///< "type/subtype" in small letters
  std::vector<std::pair<std::string, std::string>> parameters;  ///< names in small letters, values without quotes

  /// The value of a parameter; empty where it is not given.
  std::string Parameter(std::string_view name) const;
  /// Whether it says that the bytes are a message of OSI.
  bool IsOsi() const { return type == "application/x-open-simulation-interface"; }
};

/// Reads one; values in quotes or without, blanks where MIME lets them be. Source: RFC 2045, 5.1.
/// \returns nothing where the text is no MIME type
std::optional<MimeType> ParseMimeType(std::string_view text);

/// Whether the text is three whole numbers between points, as OSI counts its versions.
bool IsOsiVersion(std::string_view text);

}  // namespace openmi::osmp
