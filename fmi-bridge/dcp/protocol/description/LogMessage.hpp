#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "fmi-bridge/dcp/protocol/description/SlaveDescription.hpp"
#include "openmi/standard/Value.hpp"

namespace openmi::dcp {

/// The placeholder of an argument in the text of a log template.
struct Placeholder {
  DataType type = DataType::float64;
  std::size_t length = 0;  ///< characters of the type's name
};

/// The placeholder that `text` starts with, such as "float64" in any case. `text` starts after the percent sign.
std::optional<Placeholder> PlaceholderAt(std::string_view text);

/// Puts arguments, encoded as in a PDU, into the text of a template. Missing arguments are shown as "?".
/// \param taken  set to the number of bytes that the arguments had
std::string FormatLogMessage(const LogTemplate& text, ByteView arguments, std::size_t& taken);

/// The text of the template by which slaves of this SDK report that data did not arrive. A master of this SDK counts
/// such entries.
inline constexpr std::string_view kMissedData =
    "data %uint16: PDU %uint16 did not come, the last values hold (%uint32 in a row, %float64 s after the start)";
inline constexpr std::size_t kMissedDataBytes = 16;

/// The arguments of an entry with that template.
struct MissedDataEntry {
  std::uint16_t id = 0;        ///< data_id or param_id
  std::uint16_t number = 0;    ///< sequence number of the first one missing
  std::uint32_t in_a_row = 0;  ///< how many are missing up to this one
  double seconds = 0.0;        ///< simulated time since the start
};

/// Writes the arguments of the entry as in a PDU.
void Encode(const MissedDataEntry& entry, std::span<std::byte, kMissedDataBytes> arguments);
/// \pre `arguments` has at least kMissedDataBytes bytes.
MissedDataEntry DecodeMissedData(ByteView arguments);

/// Whether a template has exactly one argument, a string, so that it can carry any text.
bool TakesOneText(const LogTemplate& text);

}  // namespace openmi::dcp
