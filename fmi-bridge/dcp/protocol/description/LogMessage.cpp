#include "fmi-bridge/dcp/protocol/description/LogMessage.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cstring>

#include "fmi-bridge/dcp/protocol/pdu/TypedValue.hpp"

namespace openmi::dcp {

std::optional<Placeholder> PlaceholderAt(std::string_view text) {
  std::optional<Placeholder> longest;
  for (std::size_t i = 0; i < kDataTypes; ++i) {
    const auto type = static_cast<DataType>(i);
    const std::string_view name = NameOf(type);
    if (text.size() < name.size() || (longest && longest->length > name.size())) continue;
    bool equal = true;
    for (std::size_t c = 0; c < name.size(); ++c) {
      equal = equal && std::tolower(static_cast<unsigned char>(text[c])) == name[c];
    }
    if (equal) longest = Placeholder{type, name.size()};
  }
  return longest;
}

std::string FormatLogMessage(const LogTemplate& text, ByteView arguments, std::size_t& taken) {
  std::string message;
  const std::string_view form = text.message;
  taken = 0;
  for (std::size_t at = 0; at < form.size(); ++at) {
    if (form[at] != '%') {
      message += form[at];
      continue;
    }
    const std::string_view rest = form.substr(at + 1);
    const std::optional<Placeholder> place = PlaceholderAt(rest);
    if (!place) {
      message += '%';
      if (rest.starts_with('%')) ++at;
      continue;
    }
    at += place->length;
    TypedValue value(place->type);
    const auto left = arguments.subspan(taken);
    if (value.Measure(place->type, left) == TypedValue::kMismatch) {
      message += '?';
      taken = arguments.size();
      continue;
    }
    taken += value.Take(place->type, left);
    if (place->type == DataType::string) {
      message += value.Text();
    } else if (place->type == DataType::binary) {
      for (const char c : value.Text()) message += fmt::format("{:02x}", static_cast<unsigned char>(c));
    } else if (place->type == DataType::uint64) {
      message += fmt::format("{}", static_cast<std::uint64_t>(value.Integer()));
    } else if (IsInteger(place->type)) {
      message += fmt::format("{}", value.Integer());
    } else if (place->type == DataType::float32) {
      message += fmt::format("{}", static_cast<float>(value.Number()));
    } else {
      message += fmt::format("{}", value.Number());
    }
  }
  return message;
}

void Encode(const MissedDataEntry& entry, std::span<std::byte, kMissedDataBytes> arguments) {
  std::memcpy(arguments.data(), &entry.id, 2);
  std::memcpy(arguments.data() + 2, &entry.number, 2);
  std::memcpy(arguments.data() + 4, &entry.in_a_row, 4);
  std::memcpy(arguments.data() + 8, &entry.seconds, 8);
}

MissedDataEntry DecodeMissedData(ByteView arguments) {
  MissedDataEntry entry;
  std::memcpy(&entry.id, arguments.data(), 2);
  std::memcpy(&entry.number, arguments.data() + 2, 2);
  std::memcpy(&entry.in_a_row, arguments.data() + 4, 4);
  std::memcpy(&entry.seconds, arguments.data() + 8, 8);
  return entry;
}

bool TakesOneText(const LogTemplate& text) {
  int texts = 0;
  const std::string_view form = text.message;
  for (std::size_t at = form.find('%'); at < form.size(); at = form.find('%', at + 1)) {
    const std::optional<Placeholder> place = PlaceholderAt(form.substr(at + 1));
    if (place && place->type != DataType::string) return false;
    if (place) ++texts;
    if (form.substr(at + 1).starts_with('%')) ++at;
  }
  return texts == 1;
}

}  // namespace openmi::dcp
