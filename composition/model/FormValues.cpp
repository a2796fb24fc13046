#include "composition/model/FormValues.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "openmi/sdk/Lists.hpp"
#include "openmi/sdk/Missing.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi {

double ReadNumber(Problems& problems, const XmlElement& element, std::string_view attribute_name, double otherwise,
                  double least, double most, bool is_whole) {
  const XmlAttribute* attribute = element.Attribute(attribute_name);
  if (attribute == nullptr) return otherwise;
  const std::string& text = attribute->value;
  const double number = AsNumber<double>(text).value_or(kNotANumber);
  if (std::isfinite(number) && number >= least && number <= most && (!is_whole || number == std::floor(number)))
    return number;
  const std::string range = most == std::numeric_limits<double>::max() ? fmt::format("from {}", least)
                                                                       : fmt::format("from {} to {}", least, most);
  AddError(problems, element.Place(*attribute),
           fmt::format("expected a{} number {} in '{}' of {}, found {}", is_whole ? " whole" : "", range,
                       attribute_name, element.name, Quoted(text)),
           fmt::format("write {}=\"{}\"", attribute_name, otherwise));
  return otherwise;
}

std::optional<Days> ReadSpan(Problems& problems, const XmlElement& element, std::string_view attribute_name) {
  const XmlAttribute* attribute = element.Attribute(attribute_name);
  if (attribute == nullptr) return std::nullopt;
  try {
    const Days span = ParseIsoDuration(attribute->value);
    if (span >= Days()) return span;
    throw FormatError({}, fmt::format("expected a duration of at least 0, found {}", Quoted(attribute->value)),
                      "write it as in PT1H or P7D");
  } catch (const Error& e) {
    AddError(problems, element.Place(*attribute),
             fmt::format("{} in '{}' of {}", e.Problem(), attribute_name, element.name), e.Remedy());
    return std::nullopt;
  }
}

std::uint64_t ReadMemory(Problems& problems, const XmlElement& element, std::string_view attribute_name) {
  const XmlAttribute* attribute = element.Attribute(attribute_name);
  if (attribute == nullptr) return 0;
  constexpr std::pair<std::string_view, double> kUnits[] = {{"kB", 1e3},     {"MB", 1e6},        {"GB", 1e9},
                                                            {"KiB", 1024.0}, {"MiB", 1048576.0}, {"GiB", 1073741824.0}};
  const std::string_view text = attribute->value;
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  unit.remove_prefix(std::min(unit.find_first_not_of(' '), unit.size()));
  const auto* known = std::ranges::find(kUnits, unit, [](const auto& entry) { return entry.first; });
  if (error == std::errc() && known != std::end(kUnits) && number > 0.0 && number * known->second < 1e18) {
    return static_cast<std::uint64_t>(number * known->second);
  }
  AddError(problems, element.Place(*attribute),
           fmt::format("expected an amount of memory in '{}' of {}, found {}", attribute_name, element.name,
                       Quoted(attribute->value)),
           "write a number and a unit, as in \"512 MB\" or \"2 GiB\"");
  return 0;
}

}  // namespace openmi
