#include "fmi-bridge/common/description/DescriptionText.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "openmi/sdk/Lists.hpp"
#include "openmi/sdk/Missing.hpp"
#include "openmi/sdk/Suggest.hpp"

namespace openmi::described {

namespace {

bool IsSpace(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

template <class Number>
std::optional<Number> ParseWhole(std::string_view text) {
  text = Collapsed(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  return AsNumber<Number>(text);
}

}  // namespace

void Report::Add(Problem::Severity severity, int line, std::string_view item, std::string problem, std::string remedy) {
  if (++count_ > kMost) {
    ++silent_;
    if (severity == Problem::Error) ++silent_errors_;
    return;
  }
  std::string name(item);
  if (name.size() > 80) name = Quoted(name);
  problems_.push_back(
      {severity, {.file = file_, .line = line, .item = std::move(name)}, std::move(problem), std::move(remedy)});
}

void Report::Close() {
  if (silent_ == 0) return;
  Where where;
  where.file = file_;
  problems_.push_back(
      {silent_errors_ > 0 ? Problem::Error : Problem::Warning, std::move(where),
       fmt::format("expected at most {} problems, found {} more, {} of them errors", kMost, silent_, silent_errors_),
       "mend those above first"});
  silent_ = 0;
}

void Report::Twice(int line, std::string_view kind, std::string_view name, int first_line) {
  Error(line, {},
        fmt::format("expected every {} once, found {} again; the first is on line {}", kind, Quoted(name), first_line),
        "remove one of the two, or rename it");
}

std::string_view Collapsed(std::string_view text) {
  while (!text.empty() && IsSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsSpace(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view NextWord(std::string_view& rest) {
  while (!rest.empty() && IsSpace(rest.front())) rest.remove_prefix(1);
  std::size_t size = 0;
  while (size < rest.size() && !IsSpace(rest[size])) ++size;
  const std::string_view word = rest.substr(0, size);
  rest.remove_prefix(size);
  return word;
}

std::optional<double> ParseDouble(std::string_view text) {
  text = Collapsed(text);
  if (text == "INF" || text == "+INF") return std::numeric_limits<double>::infinity();
  if (text == "-INF") return -std::numeric_limits<double>::infinity();
  if (text == "NaN") return kNotANumber;
  if (text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || text.find_first_not_of("0123456789.eE+-") != std::string_view::npos) return std::nullopt;
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (end != text.data() + text.size() || error == std::errc::invalid_argument) return std::nullopt;
  if (error == std::errc::result_out_of_range) {
    // 1e999 is infinite, 1e-999 zero, as XML Schema has it.
    const bool is_small = text.find("e-") != std::string_view::npos || text.find("E-") != std::string_view::npos;
    const double size = is_small ? 0.0 : std::numeric_limits<double>::infinity();
    return text.starts_with('-') ? -size : size;
  }
  return number;
}

std::optional<bool> ParseBoolean(std::string_view text) {
  text = Collapsed(text);
  if (text == "true" || text == "1") return true;
  if (text == "false" || text == "0") return false;
  return std::nullopt;
}

std::optional<std::int64_t> ParseSigned(std::string_view text) {
  return ParseWhole<std::int64_t>(text);
}

std::optional<std::uint64_t> ParseUnsigned(std::string_view text) {
  return ParseWhole<std::uint64_t>(text);
}

std::optional<std::string> BytesOfHex(std::string_view text) {
  if (text.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  bytes.reserve(text.size() / 2);
  for (const char* at = text.data(); at != text.data() + text.size(); at += 2) {
    unsigned char byte = 0;
    const auto [end, error] = std::from_chars(at, at + 2, byte, 16);
    if (error != std::errc() || end != at + 2) return std::nullopt;
    bytes += static_cast<char>(byte);
  }
  return bytes;
}

Attributes::~Attributes() {
  const std::size_t count = tag_.attributes.size();
  if (count <= 64 &&
      (count == 64 ? used_ == ~std::uint64_t{0} : (used_ | (~std::uint64_t{0} << count)) == ~std::uint64_t{0})) {
    return;
  }
  for (std::size_t i = 0; i < count && i < 64; ++i) {
    const XmlEventAttribute& attribute = tag_.attributes[i];
    // Attributes of other namespaces are not checked.
    if (report_.IsFull() || (used_ >> i & 1U) != 0 || !attribute.namespace_uri.empty()) continue;
    std::vector<std::string> known;
    for (std::size_t k = 0; k < asked_count_; ++k) known.emplace_back(asked_[k]);
    report_.Warning(
        tag_.line, item_,
        fmt::format("expected an attribute that {} knows, found {}; it was ignored", tag_.name, Quoted(attribute.name)),
        Suggest(attribute.name, known));
  }
}

std::optional<std::string_view> Attributes::Find(std::string_view name) {
  if (asked_count_ < asked_.size()) asked_[asked_count_++] = name;
  for (std::size_t i = 0; i < tag_.attributes.size(); ++i) {
    const XmlEventAttribute& attribute = tag_.attributes[i];
    if (attribute.name == name && attribute.namespace_uri.empty()) {
      if (i < 64) used_ |= std::uint64_t{1} << i;
      return attribute.value;
    }
  }
  return std::nullopt;
}

std::string Attributes::Required(std::string_view name) {
  const std::optional<std::string_view> text = Find(name);
  if (!text || Collapsed(*text).empty()) {
    report_.Error(
        tag_.line, item_,
        fmt::format("expected the attribute {} of {}, found {}", name, tag_.name, text ? "an empty one" : "none"),
        fmt::format("write {}=\"...\"", name));
    return {};
  }
  return std::string(*text);
}

void Attributes::Wrong(std::string_view name, std::string_view expected, std::string_view found) {
  report_.Error(tag_.line, item_,
                fmt::format("expected {} in {} of {}, found {}", expected, name, tag_.name, Quoted(found)),
                "correct the value");
}

template <class Value>
std::optional<Value> Attributes::Read(std::string_view name, std::optional<Value> (*parse)(std::string_view),
                                      const char* expected) {
  const std::optional<std::string_view> text = Find(name);
  if (!text) return std::nullopt;
  const std::optional<Value> value = parse(*text);
  if (!value) Wrong(name, expected, *text);
  return value;
}

std::optional<double> Attributes::Double(std::string_view name) {
  return Read(name, ParseDouble, "a number");
}

bool Attributes::Boolean(std::string_view name, bool otherwise) {
  return Read(name, ParseBoolean, "true or false").value_or(otherwise);
}

std::optional<std::uint64_t> Attributes::Unsigned(std::string_view name, std::uint64_t most) {
  const std::optional<std::string_view> text = Find(name);
  if (!text) return std::nullopt;
  std::optional<std::uint64_t> number = ParseUnsigned(*text);
  if (!number || *number > most) {
    Wrong(name, fmt::format("a whole number from 0 to {}", most), *text);
    return std::nullopt;
  }
  return number;
}

std::optional<std::uint32_t> Attributes::Unsigned32(std::string_view name) {
  const std::optional<std::uint64_t> number = Unsigned(name, std::numeric_limits<std::uint32_t>::max());
  if (!number) return std::nullopt;
  return static_cast<std::uint32_t>(*number);
}

std::optional<std::int64_t> Attributes::Signed(std::string_view name) {
  return Read(name, ParseSigned, "a whole number");
}

std::optional<std::int64_t> ParseInteger(std::string_view text, const IntegerRange& range) {
  if (range.least == 0) {
    const std::optional<std::uint64_t> number = ParseUnsigned(text);
    if (!number || *number > range.most) return std::nullopt;
    return static_cast<std::int64_t>(*number);
  }
  const std::optional<std::int64_t> number = ParseSigned(text);
  if (!number || *number < range.least || (*number > 0 && static_cast<std::uint64_t>(*number) > range.most)) {
    return std::nullopt;
  }
  return number;
}

std::string RangeText(const IntegerRange& range) {
  return fmt::format("a whole number from {} to {}", range.least, range.most);
}

void ReadExponents(Attributes& attributes, UnitDefinition& unit) {
  unit.has_base = true;
  for (std::size_t i = 0; i < kBaseUnits.size(); ++i) {
    const std::optional<std::int64_t> power = attributes.Signed(kBaseUnits[i]);
    if (!power) continue;
    if (*power < -1000 || *power > 1000) {
      attributes.Wrong(kBaseUnits[i], "a power from -1000 to 1000", std::to_string(*power));
    } else {
      unit.exponents[i] = static_cast<int>(*power);
    }
  }
}

void AddDisplayUnit(DisplayUnit display, int line, UnitDefinition& unit, Report& report) {
  if (std::ranges::find(unit.display_units, display.name, &DisplayUnit::name) != unit.display_units.end()) {
    report.Error(line, unit.name, fmt::format("expected every display unit once, found {} again", Quoted(display.name)),
                 "remove one of the two");
  }
  // A limit, because the list is searched linearly.
  if (unit.display_units.size() < 1000) unit.display_units.push_back(std::move(display));
}

void ReadNumber(Attributes& attributes, std::string_view name, const std::optional<IntegerRange>& range, bool is_finite,
                std::optional<double>& into, std::int64_t& whole) {
  const auto text = attributes.Find(name);
  if (!text) return;
  if (!range) {
    into = ParseDouble(*text);
    if (into && (!is_finite || std::isfinite(*into))) return;
    attributes.Wrong(name, is_finite ? "a finite number" : "a number", *text);
    into.reset();
    return;
  }
  const std::optional<std::int64_t> number = ParseInteger(*text, *range);
  if (!number) return attributes.Wrong(name, RangeText(*range), *text);
  whole = *number;
  into = range->least == 0 ? static_cast<double>(static_cast<std::uint64_t>(whole)) : static_cast<double>(whole);
}

void ReadLimits(Attributes& attributes, const std::optional<IntegerRange>& range, bool is_finite, Limits& into) {
  ReadNumber(attributes, "min", range, is_finite, into.minimum, into.integer_minimum);
  ReadNumber(attributes, "max", range, is_finite, into.maximum, into.integer_maximum);
  if (into.minimum && into.maximum && *into.minimum > *into.maximum) {
    attributes.Wrong("max", fmt::format("a number that is not below min {}", *into.minimum),
                     fmt::format("{}", *into.maximum));
  }
}

}  // namespace openmi::described
