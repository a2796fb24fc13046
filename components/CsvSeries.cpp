#include "components/CsvSeries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>

#include "components/TimeReference.hpp"
#include "openmi/omi/ExportComponent.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "openmi/sdk/Utf8.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi {
namespace {

bool IsTime(const std::string& text) {
  if (text.size() < 8) return false;
  try {
    ParseIsoTime(text, 0.0);
    return true;
  } catch (const FormatError&) {
    return false;
  }
}

/// Whether a text is "06:30" or "06:30:15": distinguishes a date and a time in two cells from a date and a number.
bool IsClock(const std::string& text) {
  return text.size() >= 5 && text[2] == ':' && IsTime("2000-01-01T" + text);
}

/// Whether a text is a date, or a date and a time, in any known format.
bool LooksLikeTime(const std::string& text) {
  return IsTime(text) || !GuessTimeFormat(text).empty();
}

/// Whether `cells` are times followed by numbers that were split at their decimal commas: "12,5" into two cells.
/// \param cells  of one line
/// \param times  the number of cells of the time
/// \param values  the expected number of numbers
bool HasDecimalCommas(const std::vector<std::string>& cells, std::size_t times, std::size_t values) {
  if (values == 0 || cells.size() != times + 2 * values) return false;
  const auto is_digits = [](std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  };
  for (std::size_t i = times; i < cells.size(); i += 2) {
    std::string_view whole = cells[i];
    if (whole.starts_with('-') || whole.starts_with('+')) whole.remove_prefix(1);
    if (!is_digits(whole) || !is_digits(cells[i + 1])) return false;
  }
  return true;
}

bool IsWhole(double number) {
  return number >= 0.0 && number < 1e9 && number == std::floor(number);
}

}  // namespace

CsvSeries::CsvSeries() : SeriesComponent("csv-series") {
  SetDescription("time series from a text file");
  file_is_ = AddArgument<std::string>(
      "file-is", {.caption = "what the file is",
                  .description = "series: it has the rows; list: a table with the columns id and file, relative to it, "
                                 "of a file with the same columns and times for each element",
                  .value = "series",
                  .possible_values = {"series", "list"}});
  time_column_ = ArgumentItems().AddPlain(
      "time-column",
      {.caption = "column of the time",
       .description = "name or number from 1; date+clock for two columns; none, with the argument start; "
                      "empty: the first"});
  time_format_ = ArgumentItems().AddPlain("time-format",
                                          {.caption = "how the times are written",
                                           .description = "such as %d.%m.%Y %H:%M, as for strptime; empty: ISO 8601"});
  utc_offset_ = ArgumentItems().AddPlain(
      "utc-offset", {.caption = "zone of stamps without one",
                     .description = "+00:00, -05:00, UTC, Z; needed where the stamps have no zone"});
  start_ = ArgumentItems().AddPlain(
      "start", {.caption = "stamp of the first row",
                .description = "for a file without times, together with step; ISO 8601 with a zone"});
  header_lines_ = AddArgument<int>("header-lines", {.caption = "lines above the first row",
                                                    .description = "comments do not count; empty: detected",
                                                    .minimum = 0,
                                                    .optional = true});
  delimiter_ = AddArgument<std::string>("delimiter", {.caption = "the separator between cells",
                                                      .value = "auto",
                                                      .possible_values = {"auto", ",", ";", "tab", "space"}});
  decimal_ = AddArgument<std::string>("decimal",
                                      {.caption = "decimal mark",
                                       .description = "auto: a point, and with ; or tab what the first fraction has",
                                       .value = "auto",
                                       .possible_values = {"auto", "point", "comma"}});
  missing_values_ =
      ArgumentItems().AddPlain("missing-values", {.caption = "numbers or texts that mean a missing value",
                                                  .description = "between commas or blanks; an empty cell always does",
                                                  .value = "NA, NaN, nan, null"});
  elements_from_columns_ =
      AddArgument<bool>("elements-from-columns", {.caption = "columns are elements of one item", .value = false});
  item_ = ArgumentItems().AddPlain(
      "item", {.caption = "id of the one item", .description = "with elements-from-columns", .value = "values"});
}

std::optional<double> CsvSeries::Offset() const {
  const std::string text = TextOf(utc_offset_);
  if (text.empty()) return std::nullopt;
  try {
    return ParseUtcOffset(text);
  } catch (const FormatError& error) {
    throw ArgumentError({.component = Caption(), .item = "utc-offset"}, error.Problem(), error.Remedy());
  }
}

std::optional<TimeFormat> CsvSeries::GivenTimeFormat() const {
  const std::string text = TextOf(time_format_);
  if (text.empty()) return std::nullopt;
  if (!TextOf(time_units_).empty()) {
    Refuse("time-format", "expected one of time-format and time-units, found both",
           "leave out time-units where the times are dates, and time-format where they are numbers");
  }
  try {
    return TimeFormat(text);
  } catch (const FormatError& error) {
    throw ArgumentError({.component = Caption(), .item = "time-format"}, error.Problem(), error.Remedy());
  }
}

char CsvSeries::Delimiter() const {
  const std::string text = delimiter_.Value();
  if (text == "auto") return '\0';
  if (text == "tab") return '\t';
  return text == "space" ? ' ' : text[0];
}

std::string CsvSeries::ColumnText(const Layout& layout, std::size_t column) const {
  const std::string& name = layout.names[column];
  return name.empty() ? fmt::format("column {}", column + 1) : fmt::format("column {} ('{}')", column + 1, name);
}

CsvSeries::Layout CsvSeries::FindLayout(TextTable& table, const std::optional<TimeFormat>& format,
                                        std::vector<std::string>& warnings) const {
  Layout layout;
  if (table.Count() == 0)
    throw FormatError({.file = Shown()}, "expected rows, found none", "give a series with values");
  layout.width = table.Cells(table.Count() - 1).size();
  CellNumber numbers(Split(TextOf(missing_values_), kCommasAndBlanks), DecimalMark::Unknown);
  const auto holds_data = [&](const std::vector<std::string>& cells) {
    return std::ranges::all_of(cells, [&](const std::string& cell) {
      return numbers.Read(cell).has_value() || LooksLikeTime(cell) || IsClock(cell) ||
             (format && format->FitsPart(cell));
    });
  };
  if (header_lines_.HasValue()) {
    layout.first_row = static_cast<std::size_t>(header_lines_.Value());
  } else {
    const bool is_row = table.Cells(0).size() == layout.width && holds_data(table.Cells(0));
    if (!is_row) layout.first_row = 1;
  }
  if (layout.first_row >= table.Count() && !header_lines_.HasValue()) {
    throw FormatError({.file = Shown(), .line = table.LineNumber(table.Count() - 1)},
                      "expected rows below the heading, found none", "give a series with values");
  }
  if (layout.first_row >= table.Count()) {
    throw FormatError({.file = Shown(), .line = table.LineNumber(table.Count() - 1)},
                      fmt::format("expected rows below {} header lines, found none", layout.first_row),
                      "correct the argument header-lines");
  }
  layout.names.resize(layout.width);
  for (std::size_t i = 0; i < layout.first_row; ++i) {
    const std::vector<std::string>& cells = table.Cells(i);
    if (cells.size() == layout.width && !holds_data(cells)) {
      CheckEncoding(table, i);
      layout.names = cells;
      layout.has_heading = true;
      break;
    }
  }
  layout.has_text_above = layout.first_row > 0 && !holds_data(table.Cells(layout.first_row - 1));
  // A header of numbers gives the number of rows, for instance in TOPMODEL's files.
  const std::optional<double> announced = layout.first_row > 0 ? ParseNumber(table.Cells(0)[0]) : std::nullopt;
  const std::size_t rows = table.Count() - layout.first_row;
  if (announced && IsWhole(*announced) && static_cast<std::size_t>(*announced) != rows) {
    warnings.push_back(
        fmt::format("the header says {:.0f} rows, {} are there: {}", *announced, rows,
                    *announced < static_cast<double>(rows) ? "all are used" : "the file may be cut off"));
  }
  return layout;
}

void CsvSeries::CheckEncoding(TextTable& table, std::size_t line) const {
  for (const std::string& cell : table.Cells(line)) {
    const std::size_t at = FindInvalidUtf8(cell);
    if (at == std::string::npos) continue;
    throw FormatError({.file = Shown(), .line = table.LineNumber(line), .component = Caption()},
                      fmt::format("expected text in UTF-8, found the byte 0x{:02X} in '{}'",
                                  static_cast<unsigned char>(cell[at]), PrintableText(cell)),
                      "save the file as UTF-8; where it is in Latin-1 (Windows-1252): iconv -f WINDOWS-1252 -t UTF-8");
  }
}

std::size_t CsvSeries::FindColumn(const Layout& layout, const std::string& name, const char* argument) const {
  for (std::size_t i = 0; i < layout.width; ++i) {
    if (!layout.names[i].empty() && (layout.names[i] == name || ParseHeading(layout.names[i]).source == name)) return i;
  }
  const std::optional<double> number = ParseNumber(name);
  if (number && IsWhole(*number) && *number >= 1.0 && *number <= static_cast<double>(layout.width)) {
    return static_cast<std::size_t>(*number) - 1;
  }
  std::vector<std::string> names;
  for (const std::string& heading : layout.names) {
    if (!heading.empty()) names.push_back(ParseHeading(heading).source);
  }
  Refuse(argument, fmt::format("expected a column of the file, found '{}'", name),
         names.empty() ? fmt::format("the columns have no names: give a number from 1 to {}", layout.width)
                       : Suggest(name, names));
}

void CsvSeries::FindTime(TextTable& table, const std::optional<TimeFormat>& format, Layout& layout) const {
  const std::string name = TextOf(time_column_);
  const std::string start = TextOf(start_);
  if (name == "none" || (name.empty() && !start.empty())) {
    if (start.empty()) {
      Refuse("start", "expected the stamp of the first row of a file without times, found none",
             "set the argument start, for instance to 2015-12-01T00:00Z, and the argument step");
    }
    return;
  }
  if (const std::size_t plus = name.find('+'); plus != std::string::npos) {
    layout.time = {FindColumn(layout, name.substr(0, plus), "time-column"),
                   FindColumn(layout, name.substr(plus + 1), "time-column")};
    return;
  }
  layout.time = {name.empty() ? 0 : FindColumn(layout, name, "time-column")};
  const std::vector<std::string>& cells = table.Cells(layout.first_row);
  const std::size_t next = layout.time[0] + 1;
  if (cells.size() != layout.width || next >= layout.width) return;
  const std::string& date = cells[next - 1];
  if (format && format->Fits(date)) return;
  // Joins a date and a time with a blank.
  const bool is_split = (format && format->Fits(date + " " + cells[next])) ||
                        (LooksLikeTime(date) && date.size() <= 10 && IsClock(cells[next]));
  if (is_split) layout.time.push_back(next);
}

std::vector<CsvSeries::Wanted> CsvSeries::FindColumns(const Layout& layout) const {
  const bool as_elements = elements_from_columns_.Value();
  std::vector<Wanted> wanted;
  const auto add = [&](const ColumnSpec& spec, std::size_t column, const ColumnSpec& heading) {
    Wanted& next = wanted.emplace_back();
    next.column = column;
    next.item.unit = UnitOf(spec, heading.unit);
    next.item.item = as_elements ? item_.Value() : spec.item;
    next.item.element = as_elements && spec.element.empty() ? spec.item : spec.element;
    next.item.caption = next.item.item;
  };
  const std::vector<ColumnSpec> specs = Columns();
  for (const ColumnSpec& spec : specs) {
    const std::size_t column = FindColumn(layout, spec.source, "columns");
    add(spec, column, ParseHeading(layout.names[column]));
  }
  if (!specs.empty()) return wanted;
  for (std::size_t i = 0; i < layout.width; ++i) {
    if (std::ranges::find(layout.time, i) != layout.time.end()) continue;
    ColumnSpec heading = ParseHeading(layout.names[i]);
    if (heading.item.empty()) heading.source = heading.item = fmt::format("column-{}", i + 1);
    ColumnSpec spec = heading;
    spec.has_unit = false;
    add(spec, i, heading);
  }
  if (wanted.empty()) {
    throw FormatError({.file = Shown()}, "expected columns beside the time, found none",
                      "set the argument delimiter, if the columns were not separated");
  }
  return wanted;
}

void CsvSeries::RefuseWidth(TextTable& table, const Layout& layout, std::size_t line) const {
  const std::size_t found = table.Cells(line).size();
  const bool is_heading = line < layout.first_row;
  // The heading has no decimal commas, so it shows the number of columns.
  const std::size_t meant = layout.has_text_above ? table.Cells(layout.first_row - 1).size() : 0;
  std::size_t comma_row = 0;  // the first row that seems to have decimal commas
  for (std::size_t row = layout.first_row; table.Delimiter() == ',' && row < table.Count() && comma_row == 0; ++row) {
    for (const std::size_t times : {std::size_t{1}, std::size_t{2}}) {
      if (meant > times && HasDecimalCommas(table.Cells(row), times, meant - times)) comma_row = row;
    }
  }
  const char* semicolons =
      "write the file with ';' between the cells, where decimal commas are read, or with decimal points";
  if (is_heading) {
    const std::string complete =
        "complete the heading, correct the argument delimiter, or set header-lines=1 to pass over it and call the "
        "columns by their numbers";
    throw FormatError({.file = Shown(), .line = table.LineNumber(line), .component = Caption()},
                      fmt::format("expected a heading of {} cells, as the rows have, found one of {}{}", layout.width,
                                  found, comma_row > 0 ? "; the numbers may have a decimal comma" : ""),
                      comma_row > 0 ? fmt::format("where they have, {}; else {}", semicolons, complete) : complete);
  }
  if (comma_row > 0) {
    throw FormatError({.file = Shown(), .line = table.LineNumber(comma_row), .component = Caption()},
                      fmt::format("expected {} cells, as the heading has, found {}: the numbers seem to have a decimal "
                                  "comma, which looks the same as the commas between the cells",
                                  meant, table.Cells(comma_row).size()),
                      semicolons);
  }
  throw FormatError({.file = Shown(), .line = table.LineNumber(line), .component = Caption()},
                    fmt::format("expected {} cells, found {}", layout.width, found),
                    found < layout.width
                        ? "complete the row, or correct the arguments delimiter and header-lines"
                        : "take out the cells that are too many, put quotes around a text that holds the delimiter, or "
                          "correct the arguments delimiter and header-lines");
}

void CsvSeries::CheckWidths(TextTable& table, const Layout& layout) const {
  for (std::size_t i = layout.first_row; i < table.Count(); ++i) {
    if (table.Cells(i).size() != layout.width) RefuseWidth(table, layout, i);
  }
}

void CsvSeries::CheckHeading(TextTable& table, const Layout& layout, std::vector<std::string>& warnings) const {
  if (layout.has_heading || !layout.has_text_above) return;
  if (!header_lines_.HasValue()) RefuseWidth(table, layout, layout.first_row - 1);
  const std::size_t found = table.Cells(layout.first_row - 1).size();
  if (found > 1) {
    warnings.push_back(fmt::format("line {} has {} cells and the rows have {}: it is not taken for a heading",
                                   table.LineNumber(layout.first_row - 1), found, layout.width));
  }
}

std::vector<SeriesStamp> CsvSeries::ReadStamps(TextTable& table, const std::optional<TimeFormat>& format,
                                               const Layout& layout, const CellNumber& numbers) const {
  const std::optional<double> offset = Offset();
  const std::string units = TextOf(time_units_);
  std::optional<TimeReference> reference;
  if (!units.empty()) {
    try {
      reference = TimeReference::Parse(units, TextOf(epoch_), offset);
    } catch (const FormatError& error) {
      throw ArgumentError({.component = Caption(), .item = "time-units"}, error.Problem(), error.Remedy());
    }
  }
  CellNumber reader = numbers;
  std::string text;
  std::vector<SeriesStamp> stamps;
  stamps.reserve(table.Count() - layout.first_row);
  for (std::size_t i = layout.first_row; i < table.Count(); ++i) {
    const std::vector<std::string>& cells = table.Cells(i);
    const int line = table.LineNumber(i);
    text = cells[layout.time[0]];
    for (std::size_t part = 1; part < layout.time.size(); ++part) text += " " + cells[layout.time[part]];
    const auto refuse = [&](const std::string& problem, const std::string& remedy) {
      throw FormatError({.file = Shown(), .line = line, .component = Caption()},
                        fmt::format("{}: {}", ColumnText(layout, layout.time[0]), problem), remedy);
    };
    if (reference) {
      const std::optional<double> number = reader.Read(text);
      if (!number || !std::isfinite(*number)) {
        refuse(fmt::format("expected a number of {}, found '{}'", units, text), "correct the row");
      }
      stamps.push_back({reference->At(*number), line});
      continue;
    }
    try {
      if (!offset && !(format ? format->HasZone() : HasZone(text))) {
        refuse(fmt::format("expected a time with a zone, or the argument utc-offset, found '{}'", text),
               "say which zone the stamps are in, for instance utc-offset=+00:00");
      }
      stamps.push_back({Stamp{format ? format->Read(text, offset) : ParseIsoTime(text, offset).mjd}, line});
    } catch (const FormatError& error) {
      if (error.Place().line != 0) throw;
      const std::string guess = format ? std::string() : GuessTimeFormat(text);
      const bool numeric = !format && ParseNumber(text).has_value();
      refuse(error.Problem(), numeric ? "set the argument time-units, for instance to 'hours since 2015-12-01T00:00Z'"
                              : guess.empty()
                                  ? error.Remedy()
                                  : "say how the times are written with the argument time-format: " + guess);
    }
  }
  return stamps;
}

std::vector<SeriesStamp> CsvSeries::CountStamps(TextTable& table, const Layout& layout) const {
  const std::optional<Days> step = GivenStep();
  if (!step) {
    Refuse("step", "expected the step of the rows of a file without times, found none",
           "set the argument step, for instance to PT1H");
  }
  Stamp start;
  try {
    start = ParseIsoTime(start_.Value(), Offset());
  } catch (const FormatError& error) {
    throw ArgumentError({.component = Caption(), .item = "start"}, error.Problem(), error.Remedy());
  }
  std::vector<SeriesStamp> stamps;
  for (std::size_t i = layout.first_row; i < table.Count(); ++i) {
    stamps.push_back({start + *step * static_cast<double>(i - layout.first_row), table.LineNumber(i)});
  }
  return stamps;
}

void CsvSeries::ReadValues(TextTable& table, const Layout& layout, const std::vector<Wanted>& wanted,
                           CellNumber& numbers, SeriesData& data) const {
  data.values.reserve((table.Count() - layout.first_row) * wanted.size());
  for (std::size_t i = layout.first_row; i < table.Count(); ++i) {
    const std::vector<std::string>& cells = table.Cells(i);
    for (const Wanted& next : wanted) {
      const std::string& cell = cells[next.column];
      const std::optional<double> number = numbers.Read(cell);
      if (!number) {
        throw FormatError(
            {.file = Shown(), .line = table.LineNumber(i), .component = Caption()},
            fmt::format("{}: expected a number, found '{}'", ColumnText(layout, next.column), PrintableText(cell)),
            CellNumber({}, DecimalMark::Unknown).Read(cell)
                ? "set the argument decimal to what parts whole number and fraction in the whole column"
                : "correct the cell, or name the text in the argument missing-values; see also the argument decimal");
      }
      if (std::isinf(*number)) {
        throw FormatError(
            {.file = Shown(), .line = table.LineNumber(i), .component = Caption()},
            fmt::format("{}: expected a finite number, found '{}'", ColumnText(layout, next.column), cell),
            "correct the cell, or name the text in the argument missing-values");
      }
      data.values.push_back(*number);
    }
  }
}

SeriesData CsvSeries::Read() {
  reading_.clear();
  return file_is_.Value() == "list" ? ReadList() : ReadFile(FilePath());
}

SeriesData CsvSeries::ReadList() {
  TextTable list(FilePath());
  const std::vector<std::string> heading = list.Count() > 0 ? list.Cells(0) : std::vector<std::string>();
  const auto column_of = [&](const char* name) {
    const auto found = std::ranges::find(heading, name);
    if (found != heading.end()) return static_cast<std::size_t>(found - heading.begin());
    throw FormatError({.file = ShownPath(), .component = Caption()},
                      fmt::format("expected a table with the columns id and file, found no column '{}'", name),
                      "write such a table, or leave out file-is");
  };
  const std::size_t id_column = column_of("id");
  const std::size_t file_column = column_of("file");
  if (list.Count() < 2) {
    throw FormatError({.file = ShownPath(), .component = Caption()}, "expected at least one file, found none",
                      "list the file of each element");
  }
  const std::filesystem::path folder = std::filesystem::path(FilePath()).parent_path();
  SeriesData all;
  const std::size_t count = list.Count() - 1;
  for (std::size_t i = 0; i < count; ++i) {
    const std::vector<std::string> cells = list.Cells(i + 1);
    if (cells.size() != heading.size()) {
      throw FormatError({.file = ShownPath(), .line = list.LineNumber(i + 1), .component = Caption()},
                        fmt::format("expected {} cells, found {}", heading.size(), cells.size()), "complete the row");
    }
    reading_ = cells[file_column];
    SeriesData one = ReadFile((folder / reading_).string());
    const std::size_t width = one.columns.size();
    if (i == 0) {
      all.stamps = std::move(one.stamps);
      all.place = one.place;
      all.warnings = std::move(one.warnings);
      all.values.resize(all.stamps.size() * width * count);
    } else if (!std::ranges::equal(
                   one.stamps, all.stamps, std::equal_to<>(), [](const SeriesStamp& stamp) { return stamp.stamp.mjd; },
                   [](const SeriesStamp& stamp) { return stamp.stamp.mjd; }) ||
               width * i != all.columns.size()) {
      throw FormatError(
          {.file = Shown(), .component = Caption()},
          fmt::format("expected the times and columns of the first file, found {} rows with {} columns{}",
                      one.stamps.size(), width, one.stamps.size() == all.stamps.size() ? " that differ" : ""),
          "make two components of files that differ");
    }
    for (SeriesColumn& column : one.columns) {
      column.element = cells[id_column];
      all.columns.push_back(std::move(column));
    }
    for (std::size_t row = 0; row < all.stamps.size(); ++row) {
      std::copy_n(one.values.begin() + static_cast<std::ptrdiff_t>(row * width), width,
                  all.values.begin() + static_cast<std::ptrdiff_t>((row * count + i) * width));
    }
  }
  reading_.clear();
  all.path = ShownPath();
  return all;
}

SeriesData CsvSeries::ReadFile(const std::string& path) {
  TextTable table = [&] {
    try {
      return TextTable(path, Delimiter());
    } catch (const FileError& error) {
      throw FileError({.file = Shown(), .component = Caption(), .item = "file"}, error.Problem(), error.Remedy());
    } catch (const FormatError& error) {
      throw FormatError({.file = Shown(), .line = error.Place().line, .component = Caption()}, error.Problem(),
                        error.Remedy());
    }
  }();
  SeriesData data;
  data.path = Shown();
  const std::optional<TimeFormat> format = GivenTimeFormat();
  Layout layout = FindLayout(table, format, data.warnings);
  CheckWidths(table, layout);
  CheckHeading(table, layout, data.warnings);
  FindTime(table, format, layout);
  const std::vector<Wanted> wanted = FindColumns(layout);
  const std::string decimal = decimal_.Value();
  const bool may_be_comma = table.Delimiter() == ';' || table.Delimiter() == '\t';
  CellNumber numbers(Split(TextOf(missing_values_), kCommasAndBlanks), decimal == "comma" ? DecimalMark::Comma
                                                                       : decimal == "auto" && may_be_comma
                                                                           ? DecimalMark::Unknown
                                                                           : DecimalMark::Point);
  data.stamps = layout.time.empty() ? CountStamps(table, layout) : ReadStamps(table, format, layout, numbers);
  for (const Wanted& next : wanted) data.columns.push_back(next.item);
  ReadValues(table, layout, wanted, numbers, data);
  return data;
}

}  // namespace openmi

OPENMI_EXPORT_COMPONENT_AS("openmi.CsvSeries", openmi::CsvSeries)
