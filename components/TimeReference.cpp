#include "components/TimeReference.hpp"

#include <fmt/format.h>

#include <cctype>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi {
namespace {

std::optional<double> PerDay(const std::string& unit) {
  struct Known {
    std::string_view names;  // each between blanks
    double per_day;
  };
  constexpr Known kUnits[] = {{" ns nanosecond nanoseconds ", 86400e9},
                              {" us microsecond microseconds microsec ", 86400e6},
                              {" ms millisecond milliseconds ", 86400e3},
                              {" s sec secs second seconds ", 86400.0},
                              {" min mins minute minutes ", 1440.0},
                              {" h hr hrs hour hours ", 24.0},
                              {" d day days ", 1.0},
                              {" week weeks ", 1.0 / 7.0}};
  for (const Known& known : kUnits) {
    if (!unit.empty() && known.names.find(fmt::format(" {} ", unit)) != std::string_view::npos) return known.per_day;
  }
  return std::nullopt;
}

/// A date in the form of CF, which may omit digits ("1970-1-1 0:0:0 UTC"), in the form of ISO 8601.
std::string Padded(std::string_view text) {
  std::string padded;
  std::string digits;
  std::size_t width = 4;  // the year
  const auto flush = [&] {
    if (digits.empty()) return;
    padded += digits.size() < width ? std::string(width - digits.size(), '0') + digits : digits;
    digits.clear();
    width = 2;
  };
  bool in_fraction = false;
  for (const char character : text) {
    if (std::isdigit(static_cast<unsigned char>(character)) != 0 && !in_fraction) {
      digits += character;
      continue;
    }
    flush();
    if (character == '.') in_fraction = true;
    if (in_fraction && std::isdigit(static_cast<unsigned char>(character)) == 0 && character != '.')
      in_fraction = false;
    padded += character;
  }
  flush();
  // "… 00:00:00 UTC", "… 00:00:00 +01:00": removes the blank before the zone; adds minutes to a bare hour.
  for (const char* utc : {" UTC", " utc", " GMT", " Z", "UTC"}) {
    if (padded.ends_with(utc)) {
      padded.resize(padded.size() - std::string_view(utc).size());
      padded += 'Z';
      break;
    }
  }
  const std::size_t zone = padded.find_last_of(" ");
  if (zone != std::string::npos && zone + 1 < padded.size() && zone > 10 &&
      (padded[zone + 1] == '+' || padded[zone + 1] == '-')) {
    padded.erase(zone, 1);
  }
  return padded;
}

}  // namespace

bool TimeReference::HasDate(std::string_view text) {
  return Lower(text).find(" since ") != std::string::npos;
}

TimeReference TimeReference::Parse(std::string_view text, const std::string& epoch,
                                   std::optional<double> assumed_offset) {
  const std::size_t since = Lower(text).find(" since ");
  const std::string unit(Trimmed(text.substr(0, since)));
  const std::string date(since == std::string_view::npos ? Trimmed(epoch) : Trimmed(text.substr(since + 7)));
  TimeReference reference;
  const std::optional<double> per_day = PerDay(Lower(unit));
  if (!per_day) {
    throw FormatError({}, fmt::format("expected a unit of time, found '{}'", unit),
                      "write it as in 'hours since 2015-12-01T00:00Z'; months and years have no fixed length");
  }
  reference.per_day_ = *per_day;
  if (date.empty()) {
    throw FormatError({}, fmt::format("expected a date that the {} count from, found none", unit),
                      "set the argument epoch, for instance to 1970-01-01T00:00Z");
  }
  const std::string padded = Padded(date);
  if (!assumed_offset && !HasZone(padded)) {
    throw FormatError({}, fmt::format("expected a zone in the date '{}', found none", date),
                      "set the argument utc-offset, for instance to +00:00");
  }
  reference.epoch_mjd_ = ParseIsoTime(padded, assumed_offset).mjd;
  return reference;
}

double ParseUtcOffset(std::string_view original) {
  const std::string text(Trimmed(original));
  const std::string lower = Lower(text);
  if (lower == "z" || lower == "utc" || lower == "gmt") return 0.0;
  const auto refuse = [&original]() {
    throw FormatError({}, fmt::format("expected an offset from UTC, found '{}'", original),
                      "write it as in +00:00, -05:00 or UTC");
  };
  if (text.size() < 2 || (text[0] != '+' && text[0] != '-')) refuse();
  std::string digits;
  for (const char character : text.substr(1)) {
    if (character == ':' && (digits.size() == 1 || digits.size() == 2)) {
      if (digits.size() == 1) digits.insert(0, "0");
      continue;
    }
    if (std::isdigit(static_cast<unsigned char>(character)) == 0) refuse();
    digits += character;
  }
  if (digits.size() == 1) digits.insert(0, "0");
  if (digits.size() != 2 && digits.size() != 4) refuse();
  const int hours = (digits[0] - '0') * 10 + (digits[1] - '0');
  const int minutes = digits.size() == 4 ? (digits[2] - '0') * 10 + (digits[3] - '0') : 0;
  if (hours > 14 || minutes > 59) refuse();
  const double offset = hours + minutes / 60.0;
  return text[0] == '-' ? -offset : offset;
}

}  // namespace openmi
