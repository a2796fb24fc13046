#include "composition/results/CsvHead.hpp"

#include <fmt/format.h>

#include <cmath>

#include "composition/results/CsvText.hpp"
#include "timespace/Iso8601.hpp"

namespace openmi {
namespace {

void AppendRemark(std::string& head, std::string_view name, std::string_view text) {
  if (!text.empty()) head += fmt::format("# {}: {}\n", name, WithoutControls(text));
}

void AppendCoordinates(std::string& head, std::string_view name, const std::vector<double>& numbers) {
  if (numbers.empty()) return;
  head += fmt::format("# {}:", name);
  for (const double number : numbers) {
    head += ' ';
    AppendNumber(head, number);
  }
  head += '\n';
}

void AppendSeries(std::string& head, const ResultSeries& series) {
  head += "# series:";
  AppendPair(head, "id", series.id);
  AppendPair(head, "kind", ResultKindName(series.kind));
  if (series.span_days > 0.0) AppendPair(head, "span", FormatIsoDuration(series.span_days));
  AppendPair(head, "unit", series.unit);
  AppendPair(head, "elements", fmt::format("{}", series.elements.size()));
  if (!series.caption.empty()) AppendPair(head, "caption", series.caption);
  if (!series.quantity.empty()) AppendPair(head, "quantity", series.quantity);
  if (!series.comment.empty()) AppendPair(head, "comment", series.comment);
  for (const auto& [name, text] : series.attributes) AppendPair(head, "+" + WithoutControls(name), text);
  head += '\n';
  AppendCoordinates(head, series.is_longitude_latitude ? "lon" : "x", series.x);
  AppendCoordinates(head, series.is_longitude_latitude ? "lat" : "y", series.y);
}

}  // namespace

std::string CsvNote(std::string_view text) {
  return fmt::format("# note: {}\n", WithoutControls(text));
}

std::string CsvHead(const RunInfo& info, const std::vector<ResultSeries>& series) {
  std::string head(kCsvMark);
  head +=
      "1. Times are UTC; a mean, sum, minimum or maximum stands at the end of its span.\n"
      "# NaN: the value is missing. Empty: nothing was observed at that time.\n";
  AppendRemark(head, "title", info.title);
  AppendRemark(head, "source", info.source);
  AppendRemark(head, "history", info.history);
  AppendRemark(head, "comment", info.comment);
  for (const std::string& note : info.notes) head += CsvNote(note);
  for (const ResultSeries& one : series) AppendSeries(head, one);
  head += "time";
  for (const ResultSeries& one : series) {
    for (std::size_t i = 0; i < one.Width(); ++i) {
      head += ',';
      AppendCsvField(head, CsvHeading(one, i));
    }
  }
  head += '\n';
  return head;
}

}  // namespace openmi
