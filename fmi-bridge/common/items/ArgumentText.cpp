#include "fmi-bridge/common/items/ArgumentText.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "fmi-bridge/common/description/DescriptionText.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::items {

std::vector<std::string> ArgumentText::Parts(std::size_t elements) const {
  static constexpr const char* kBetween = " ,;\t\n";
  std::vector<std::string> parts;
  std::size_t at = 0;
  while ((at = text_.find_first_not_of(kBetween, at)) != std::string::npos) {
    const std::size_t end = text_.find_first_of(kBetween, at);
    parts.push_back(text_.substr(at, end == std::string::npos ? end : end - at));
    if (end == std::string::npos) break;
    at = end;
  }
  if (parts.size() == 1 && elements != 1) parts.resize(elements, parts[0]);
  if (parts.size() != elements) {
    throw ArgumentError({.item = variable_},
                        fmt::format("expected {} value{}, found {}", elements, elements == 1 ? "" : "s", parts.size()),
                        "write one, which stands for all, or one for each, between blanks");
  }
  return parts;
}

double ArgumentText::Number(const std::string& part) const {
  double value = 0.0;
  const char* begin = part.c_str();
  const char* const last = begin + part.size();
  if (*begin == '+') ++begin;
  const auto [end, error] = std::from_chars(begin, last, value);
  if (error != std::errc() || end != last) Refuse("a number", part);
  return value;
}

std::string ArgumentText::Bytes() const {
  std::optional<std::string> bytes = described::BytesOfHex(text_);
  if (!bytes) Refuse("bytes in hexadecimal digits", text_);
  return std::move(*bytes);
}

void ArgumentText::Refuse(const std::string& expected, const std::string& found) const {
  throw ArgumentError({.item = variable_}, fmt::format("expected {}, found '{}'", expected, found),
                      "write numbers with a decimal point, several between blanks");
}

}  // namespace openmi::items
