#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "openmi/omi/XmlEvents.hpp"
#include "openmi/sdk/Problem.hpp"

/// \file
/// What the readers of descriptions (of FMUs, system structures and DCP slaves) share: messages and attributes.

namespace openmi::described {

/// Collects problems of one file, and only counts them after the first thousand.
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
  /// Adds how many were not written.
  void Close();
  /// Whether nothing more is written: nobody needs to look for a remedy then.
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

/// White space at both ends removed, as XML Schema reads values.
std::string_view Collapsed(std::string_view text);
/// The next word of a list; empty at its end.
std::string_view NextWord(std::string_view& rest);

/// xs:double; NaN, INF and -INF are read.
std::optional<double> ParseDouble(std::string_view text);
/// xs:boolean.
std::optional<bool> ParseBoolean(std::string_view text);
std::optional<std::int64_t> ParseSigned(std::string_view text);
std::optional<std::uint64_t> ParseUnsigned(std::string_view text);
/// Bytes written as xs:hexBinary: two digits each, no blanks.
std::optional<std::string> BytesOfHex(std::string_view text);

/// Name and value of an enumeration in the XML.
template <class Enum>
using Choice = std::pair<std::string_view, Enum>;

/// Reads the attributes of one element, and reports those that nobody asked for.
class Attributes {
 public:
  /// \param item  a name for messages; empty: that of the element
  Attributes(const XmlEventTag& tag, Report& report, std::string_view item = {})
      : tag_(tag), report_(report), item_(item) {}
  ~Attributes();
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;

  int Line() const { return tag_.line; }
  std::string_view Element() const { return tag_.name; }
  /// The value as it stands, or nothing.
  std::optional<std::string_view> Find(std::string_view name);
  std::string Text(std::string_view name) { return std::string(Find(name).value_or(std::string_view())); }
  /// \returns the value; reports an attribute that is absent or empty
  std::string Required(std::string_view name);
  std::optional<double> Double(std::string_view name);
  double Double(std::string_view name, double otherwise) { return Double(name).value_or(otherwise); }
  bool Boolean(std::string_view name, bool otherwise);
  std::optional<std::uint64_t> Unsigned(std::string_view name, std::uint64_t most = ~std::uint64_t{0});
  std::optional<std::uint32_t> Unsigned32(std::string_view name);
  std::optional<std::int64_t> Signed(std::string_view name);
  template <class Enum>
  std::optional<Enum> OneOf(std::string_view name, std::span<const Choice<Enum>> choices) {
    const std::optional<std::string_view> text = Find(name);
    if (!text) return std::nullopt;
    for (const auto& [word, value] : choices) {
      if (*text == word) return value;
    }
    std::vector<std::string> words;
    for (const auto& [word, value] : choices) words.emplace_back(word);
    Wrong(name, fmt::format("one of {}", fmt::join(words, ", ")), *text);
    return std::nullopt;
  }
  void Wrong(std::string_view name, std::string_view expected, std::string_view found);
  /// Leaves what has not been asked for unmentioned.
  void IgnoreRest() { used_ = ~std::uint64_t{0}; }

 private:
  const XmlEventTag& tag_;
  Report& report_;
  std::string_view item_;
  std::uint64_t used_ = 0;
  std::array<std::string_view, 48> asked_;
  std::size_t asked_count_ = 0;
};

}  // namespace openmi::described
