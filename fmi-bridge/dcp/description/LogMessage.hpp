#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "fmi-bridge/dcp/description/SlaveDescription.hpp"

namespace openmi::dcp {

/// A place in the text of a log template where an argument stands.
struct Placeholder {
  DataType type = DataType::float64;
  std::size_t length = 0;  ///< characters of the type's name
};

/// The data type that `text`, which begins behind a percent sign, begins with ("float64", in any case).
std::optional<Placeholder> PlaceholderAt(std::string_view text);

/// Puts arguments, encoded as in a PDU, into the text of a template. Arguments that are missing are shown as "?".
/// \param taken  how many bytes the arguments had
std::string FormatLogMessage(const LogTemplate& text, std::span<const std::byte> arguments, std::size_t& taken);

/// Whether a template has one argument, a string: it can say anything.
bool TakesOneText(const LogTemplate& text);

}  // namespace openmi::dcp
