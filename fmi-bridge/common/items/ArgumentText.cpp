#include "fmi-bridge/common/items/ArgumentText.hpp"

#include <fmt/format.h>

#include <optional>

#include "fmi-bridge/common/description/DescriptionText.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"

namespace openmi::items {

std::vector<std::string> ArgumentText::Parts(std::size_t elements) const {
  std::vector<std::string> parts = Split(text_, " ,;\t\n");
  if (parts.size() == 1 && elements != 1) parts.resize(elements, parts[0]);
  if (parts.size() != elements) {
    throw ArgumentError({.item = variable_},
                        fmt::format("expected {} value{}, found {}", elements, elements == 1 ? "" : "s", parts.size()),
                        "write one value for all, or one for each, separated by blanks");
  }
  return parts;
}

double ArgumentText::Number(const std::string& part) const {
  const auto value = AsNumber<double>(std::string_view(part).substr(part.starts_with('+') ? 1 : 0));
  if (!value) Refuse("a number", part);
  return *value;
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
