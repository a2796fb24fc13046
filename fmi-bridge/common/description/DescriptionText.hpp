#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fmi-bridge/common/description/UnitDefinition.hpp"
#include "openmi/omi/XmlEvents.hpp"
#include "openmi/sdk/EnumNames.hpp"
#include "openmi/sdk/Problem.hpp"

/// \file
/// Messages and attributes, for the readers of all descriptions (of FMUs, system structures and DCP slaves).

namespace openmi::described {

/// Collects the problems of one file; after the first thousand it only counts them.
class Report {
 public:
  /// \param problems  borrowed
  Report(std::string file, Problems& problems) : file_(std::move(file)), problems_(problems) {}
  void Error(int line, std::string_view item, std::string problem, std::string remedy) {
    Add(Problem::Error, line, item, std::move(problem), std::move(remedy));
  }
  void Warning(int line, std::string_view item, std::string problem, std::string remedy) {
    Add(Problem::Warning, line, item, std::move(problem), std::move(remedy));
  }
  /// \param place  has a line and a name
  void Error(const auto& place, std::string problem, std::string remedy) {
    Error(place.line, place.name, std::move(problem), std::move(remedy));
  }
  /// \param place  has a line and a name
  void Warning(const auto& place, std::string problem, std::string remedy) {
    Warning(place.line, place.name, std::move(problem), std::move(remedy));
  }
  /// Reports a type or unit with the name of an earlier one.
  void Twice(int line, std::string_view kind, std::string_view name, int first_line);
  /// Adds a note with the number of problems that were only counted.
  void Close();
  /// Whether further problems are only counted, so that no remedy is needed.
  bool IsFull() const { return count_ >= kMost; }
  const std::string& File() const { return file_; }

  static constexpr std::size_t kMost = 1000;

 private:
  void Add(Problem::Severity severity, int line, std::string_view item, std::string problem, std::string remedy);
  std::string file_;
  Problems& problems_;
  std::size_t count_ = 0;
  std::size_t silent_errors_ = 0;
  std::size_t silent_ = 0;
};

/// `text` without white space at both ends, as XML Schema reads values.
std::string_view Collapsed(std::string_view text);
/// Removes the next word from a list and returns it; empty at the end.
std::string_view NextWord(std::string_view& rest);

/// Reads an xs:double, including NaN, INF and -INF.
std::optional<double> ParseDouble(std::string_view text);
/// Reads an xs:boolean.
std::optional<bool> ParseBoolean(std::string_view text);
std::optional<std::int64_t> ParseSigned(std::string_view text);
std::optional<std::uint64_t> ParseUnsigned(std::string_view text);
/// Reads bytes in the form of xs:hexBinary: two digits each, no spaces.
std::optional<std::string> BytesOfHex(std::string_view text);

/// Reads the attributes of one element. The destructor reports attributes that were not read.
class Attributes {
 public:
  /// \param item  name of the element in messages; empty: the name of its tag
  Attributes(const XmlEventTag& tag, Report& report, std::string_view item = {})
      : tag_(tag), report_(report), item_(item) {}
  ~Attributes();
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;

  int Line() const { return tag_.line; }
  std::string_view Element() const { return tag_.name; }
  /// The value, unchanged; nothing if the attribute is missing.
  std::optional<std::string_view> Find(std::string_view name);
  std::string Text(std::string_view name) { return std::string(Find(name).value_or(std::string_view())); }
  /// \returns the value; reports an attribute that is missing or empty
  std::string Required(std::string_view name);
  /// Reads a value of this type. Nothing, or `otherwise`, if the attribute is missing or wrong; a wrong value is
  /// reported.
  std::optional<double> Double(std::string_view name);
  double Double(std::string_view name, double otherwise) { return Double(name).value_or(otherwise); }
  bool Boolean(std::string_view name, bool otherwise);
  std::optional<std::uint64_t> Unsigned(std::string_view name, std::uint64_t most = ~std::uint64_t{0});
  std::optional<std::uint32_t> Unsigned32(std::string_view name);
  std::optional<std::int64_t> Signed(std::string_view name);
  /// Reads one of the values of an enumeration; reports any other text.
  template <class Enum>
  std::optional<Enum> OneOf(std::string_view name, const EnumNames<Enum>& names) {
    const std::optional<std::string_view> text = Find(name);
    const std::optional<Enum> value = text ? names.Find(*text) : std::nullopt;
    if (text && !value) Wrong(name, fmt::format("one of {}", fmt::join(names.List(), ", ")), *text);
    return value;
  }
  /// Reports a wrong value of an attribute.
  void Wrong(std::string_view name, std::string_view expected, std::string_view found);
  /// Suppresses the report of attributes that were not read.
  void IgnoreRest() { used_ = ~std::uint64_t{0}; }

 private:
  template <class Value>
  std::optional<Value> Read(std::string_view name, std::optional<Value> (*parse)(std::string_view),
                            const char* expected);

  const XmlEventTag& tag_;
  Report& report_;
  std::string_view item_;
  std::uint64_t used_ = 0;
  std::array<std::string_view, 48> asked_;
  std::size_t asked_count_ = 0;
};

/// The smallest and the largest value of an integer type.
struct IntegerRange {
  std::int64_t least = 0;
  std::uint64_t most = 0;

  template <class Integer>
  static constexpr IntegerRange Of() {
    return {static_cast<std::int64_t>(std::numeric_limits<Integer>::min()),
            static_cast<std::uint64_t>(std::numeric_limits<Integer>::max())};
  }
};

/// An integer within the range; a UInt64 above the signed range is returned with its bits.
std::optional<std::int64_t> ParseInteger(std::string_view text, const IntegerRange& range);
/// "a whole number from -128 to 127".
std::string RangeText(const IntegerRange& range);

/// Reads the exponents of a BaseUnit.
void ReadExponents(Attributes& attributes, UnitDefinition& unit);
/// Adds a display unit to its unit; reports a name that occurs twice.
void AddDisplayUnit(DisplayUnit display, int line, UnitDefinition& unit, Report& report);
/// Reads the attribute `name`, a number.
/// \param range  of the integer type; nothing for a float
/// \param whole  receives the number of an integer type
void ReadNumber(Attributes& attributes, std::string_view name, const std::optional<IntegerRange>& range, bool is_finite,
                std::optional<double>& into, std::int64_t& whole);
/// Reads `min` and `max`.
/// \param is_finite  whether a float must be finite
void ReadLimits(Attributes& attributes, const std::optional<IntegerRange>& range, bool is_finite, Limits& into);

}  // namespace openmi::described
