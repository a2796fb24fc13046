#pragma once

#include <cstddef>
#include <cstdint>
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

/// The text of the template by which slaves of this side say that data did not come; a master of this side counts them.
inline constexpr std::string_view kMissedData =
    "data %uint16: PDU %uint16 did not come, the last values hold (%uint32 in a row, %float64 s after the start)";
inline constexpr std::size_t kMissedDataBytes = 16;

/// An entry by that template.
struct MissedDataEntry {
  std::uint16_t id = 0;        ///< data_id or param_id
  std::uint16_t number = 0;    ///< sequence number of the first one missing
  std::uint32_t in_a_row = 0;  ///< how many are missing, up to this one
  double seconds = 0.0;        ///< simulated
};

/// Writes the arguments of the entry, as in a PDU.
void Encode(const MissedDataEntry& entry, std::span<std::byte, kMissedDataBytes> arguments);
/// \pre arguments has kMissedDataBytes bytes at least
MissedDataEntry DecodeMissedData(std::span<const std::byte> arguments);

/// Whether a template has one argument, a string: it can say anything.
bool TakesOneText(const LogTemplate& text);

}  // namespace openmi::dcp
