#pragma once

#include <optional>
#include <string_view>

#include "timespace/times/Stamp.hpp"

namespace openmi {

/// A time as the editor of 1.4 writes it, without the locale of its user: "08/21/2009 10:00:00", month first, or
/// "2/10/2005 12:00:00 AM". Read as UTC, because the file states no zone.
/// \returns nothing for any other text
std::optional<Stamp> ParseEditorTime(std::string_view text);

/// A time as OMI files state it: "1990,1,2,0,0,0" (year, month, day, hour, minute, second), ISO 8601, or as the editor
/// writes it. Read as UTC if it states no zone.
/// \returns nothing for any other text
std::optional<Stamp> ParseArgumentTime(std::string_view text);

}  // namespace openmi
