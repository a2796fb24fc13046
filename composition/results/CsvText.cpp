#include "composition/results/CsvText.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "openmi/sdk/Lists.hpp"
#include "openmi/sdk/Missing.hpp"
#include "timespace/times/Iso8601.hpp"
#include "timespace/times/Stamp.hpp"

namespace openmi {
namespace {

bool IsControl(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

}  // namespace

std::string WithoutControls(std::string_view text) {
  std::string clean(text);
  for (char& c : clean) {
    if (IsControl(c)) c = ' ';
  }
  return clean;
}

void AppendCsvField(std::string& line, std::string_view field) {
  const bool needs_quotes = field.find_first_of(",;\"#\n\r") != std::string_view::npos ||
                            (!field.empty() && (field.front() == ' ' || field.back() == ' '));
  if (!needs_quotes) {
    line += field;
    return;
  }
  line += '"';
  for (const char c : field) {
    if (c == '"') line += '"';
    line += c;
  }
  line += '"';
}

std::optional<std::vector<std::string>> SplitCsvRecord(std::string_view record) {
  if (!record.empty() && record.back() == '\r') record.remove_suffix(1);
  std::vector<std::string> fields(1);
  bool is_quoted = false;
  for (std::size_t i = 0; i < record.size(); ++i) {
    const char c = record[i];
    if (is_quoted) {
      if (c != '"') {
        fields.back() += c;
      } else if (i + 1 < record.size() && record[i + 1] == '"') {
        fields.back() += '"';
        ++i;
      } else {
        is_quoted = false;
      }
    } else if (c == ',') {
      fields.emplace_back();
    } else if (c == '"' && fields.back().empty()) {
      is_quoted = true;
    } else {
      fields.back() += c;
    }
  }
  if (is_quoted) return std::nullopt;
  return fields;
}

std::string CsvHeading(const ResultSeries& series, std::size_t element) {
  const std::string place = series.elements.empty() ? std::string() : "[" + series.elements[element] + "]";
  return WithoutControls(fmt::format("{}{} ({})", series.id, place, series.unit.empty() ? "1" : series.unit));
}

std::string_view OtherSeparator(const std::vector<std::string>& headings) {
  const std::size_t at = headings.size() == 1 ? headings.front().find_first_of(";\t") : std::string::npos;
  if (at == std::string::npos) return {};
  return headings.front()[at] == ';' ? "';'" : "tabs";
}

CsvColumn ParseCsvHeading(std::string_view heading) {
  CsvColumn column;
  heading = Trimmed(heading);
  if (heading.ends_with(')')) {
    if (const std::size_t open = heading.rfind(" ("); open != std::string_view::npos) {
      column.unit = heading.substr(open + 2, heading.size() - open - 3);
      if (column.unit == "1") column.unit.clear();
      heading = Trimmed(heading.substr(0, open));
    }
  }
  if (heading.ends_with(']')) {
    if (const std::size_t open = heading.find('['); open != std::string_view::npos && open > 0) {
      column.element = heading.substr(open + 1, heading.size() - open - 2);
      column.has_element = true;
      heading = heading.substr(0, open);
    }
  }
  column.id = heading;
  return column;
}

void AppendPair(std::string& line, std::string_view key, std::string_view text) {
  line += ' ';
  line += key;
  line += "=\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      line += '\\';
      line += c;
    } else if (IsControl(c)) {
      line += fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      line += c;
    }
  }
  line += '"';
}

std::vector<std::pair<std::string, std::string>> ParsePairs(std::string_view text) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (;;) {
    text = Trimmed(text);
    const std::size_t open = text.find("=\"");
    if (open == std::string_view::npos) return pairs;
    std::string key(text.substr(0, open));
    std::string value;
    std::size_t i = open + 2;
    for (; i < text.size() && text[i] != '"'; ++i) {
      if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == 'u') {
        unsigned code = 0;
        const std::string_view digits = text.substr(i + 2, 4);
        std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
        value += static_cast<char>(code & 0x7f);
        i += 5;
      } else {
        if (text[i] == '\\' && i + 1 < text.size()) ++i;
        value += text[i];
      }
    }
    if (i >= text.size()) return pairs;
    text.remove_prefix(i + 1);
    pairs.emplace_back(std::move(key), std::move(value));
  }
}

void AppendNumber(std::string& line, double number) {
  if (std::isnan(number)) {
    line += "NaN";
    return;
  }
  char digits[32];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, number);
  line.append(digits, end);
}

std::optional<double> ParseNumber(std::string_view text) {
  text = Trimmed(text);
  if (text == "NaN" || text == "nan" || text == "NA" || text == "NAN") return kNotANumber;
  if (text.starts_with('+')) text.remove_prefix(1);
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string ResultTimeText(double mjd) {
  // Stamps from arithmetic have rounding errors of some 0.6 microseconds, which must not become digits.
  for (const double per_day : {86'400.0, 86'400e3}) {
    const double whole_day = std::floor(mjd);
    const double rounded = whole_day + std::round((mjd - whole_day) * per_day) / per_day;
    if (SameTime({rounded}, {mjd})) return FormatIsoTime(Stamp{rounded});
  }
  return FormatIsoTime(Stamp{mjd});
}

}  // namespace openmi
