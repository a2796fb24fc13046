#include <fmt/format.h>

#include <array>
#include <string>
#include <vector>

#include "composition/import/OldComposition.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi {

namespace {

/// The whole numbers in `text` between `separators`; nothing if a part is no number of at most four digits, or if there
/// are not `count`.
std::optional<std::vector<int>> Numbers(std::string_view text, std::string_view separators, std::size_t count) {
  std::vector<int> numbers;
  for (const std::string& part : Split(text, separators)) {
    const std::optional<int> number = AsNumber<int>(part);
    if (!number || *number < 0 || *number > 9999) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers.size() == count ? std::optional(numbers) : std::nullopt;
}

std::optional<Stamp> FromIso(const std::string& text) {
  try {
    return ParseIsoTime(text, 0.0);  // checks the calendar
  } catch (const FormatError&) {
    return std::nullopt;
  }
}

std::optional<Stamp> FromParts(const std::vector<int>& date, const std::vector<int>& clock) {
  return FromIso(
      fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", date[0], date[1], date[2], clock[0], clock[1], clock[2]));
}

}  // namespace

std::optional<Stamp> ParseEditorTime(std::string_view text) {
  const std::vector<std::string> words = Split(text);
  if (words.size() < 2 || words.size() > 3) return std::nullopt;
  const auto date = Numbers(words[0], "/", 3);
  auto clock = Numbers(words[1], ":", 3);
  if (!date || !clock) return std::nullopt;
  if (words.size() == 3) {
    const bool is_afternoon = words[2] == "PM";
    if ((!is_afternoon && words[2] != "AM") || (*clock)[0] < 1 || (*clock)[0] > 12) return std::nullopt;
    (*clock)[0] = (*clock)[0] % 12 + (is_afternoon ? 12 : 0);
  }
  return FromParts({(*date)[2], (*date)[0], (*date)[1]}, *clock);
}

std::optional<Stamp> ParseArgumentTime(std::string_view text) {
  if (const auto parts = Numbers(text, ",", 6)) {
    return FromParts({parts->begin(), parts->begin() + 3}, {parts->begin() + 3, parts->end()});
  }
  if (const auto time = ParseEditorTime(text)) return time;
  return FromIso(std::string(Trimmed(text)));
}

}  // namespace openmi
