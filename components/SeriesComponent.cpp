#include "components/SeriesComponent.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "components/ArgumentUnit.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Missing.hpp"
#include "timespace/elements/ElementSet.hpp"
#include "timespace/elements/ReferenceSystems.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi {

SeriesComponent::SeriesComponent(std::string id) : StatefulSteppingComponent(std::move(id)) {
  if (ArgumentItem* item = ArgumentItems().Find("time-step")) {
    item->SetDescription("not used: the rows of the file are the steps");
    item->SetReadOnly(true);
  }
  SetWholeSteps(true);
  SetRestartable(true);
  file_ = AddArgument<std::string>(
      "file", {.caption = "the file", .description = "relative to the OMI file", .meaning = ArgumentMeaning::Path});
  columns_ = ArgumentItems().AddPlain(
      "columns",
      {.caption = "columns",
       .description = "'source=item@element[unit]' between commas, of which item, element and unit may be left "
                      "out; empty: everything"});
  unit_ =
      ArgumentItems().AddPlain("unit", {.caption = "unit of columns that state none", .description = "1: a number"});
  stamps_ = AddArgument<std::string>(
      "stamps",
      {.caption = "meaning of the stamps",
       .description = "instant: values at the stamps; begin, end: values over the spans that start or end there; auto: "
                      "as the file says (time bounds and cell_methods of NetCDF), else instant",
       .value = "auto",
       .possible_values = {"auto", "instant", "begin", "end"}});
  step_ = ArgumentItems().AddPlain(
      "step", {.caption = "step of the rows",
               .description = "ISO 8601 duration; none: the rows are all there are; empty: as the stamps say"});
  elements_file_.AddTo(ArgumentItems(), "an element for each column, matched by id; its order counts");
  time_units_ = ArgumentItems().AddPlain(
      "time-units", {.caption = "unit of numeric times",
                     .description = "such as hours since 2015-12-01T00:00Z, or ns with the argument epoch"});
  epoch_ =
      ArgumentItems().AddPlain("epoch", {.caption = "date that numeric times count from", .description = "ISO 8601"});
}

void SeriesComponent::Refuse(const char* argument, const std::string& problem, const std::string& remedy) const {
  throw ArgumentError({.file = shown_path_, .component = Caption(), .item = argument}, problem, remedy);
}

std::string SeriesComponent::UnitOf(const ColumnSpec& column, const std::string& in_file) const {
  if (column.has_unit) return ArgumentUnit(column.unit, Caption(), "columns");
  if (!in_file.empty()) {
    try {
      Unit::Parse(in_file);
    } catch (const UnitError& error) {
      throw UnitError({.file = shown_path_, .component = Caption()},
                      fmt::format("the unit of '{}': {}", column.source, error.Problem()), error.Remedy());
    }
    return in_file;
  }
  const std::string given = TextOf(unit_);
  if (given.empty()) {
    Refuse("unit", fmt::format("expected a unit of '{}', found none", column.source),
           fmt::format("set the argument unit, or write columns as in '{}[m3 s-1]'; [1] for a bare number",
                       column.source));
  }
  return ArgumentUnit(given, Caption(), "unit");
}

std::vector<ColumnSpec> SeriesComponent::Columns() const {
  try {
    return ParseColumns(TextOf(columns_));
  } catch (const FormatError& error) {
    throw ArgumentError({.component = Caption(), .item = "columns"}, error.Problem(), error.Remedy());
  }
}

void SeriesComponent::Setup() {
  shown_path_ = file_.Value();
  const std::string meaning = stamps_.Value();
  meaning_ = meaning == "begin" ? StampMeaning::Begin : meaning == "end" ? StampMeaning::End : StampMeaning::Instant;
  given_step_.reset();
  const std::string step = TextOf(step_);
  const bool are_all_rows = step == "none";
  if (!step.empty() && !are_all_rows) {
    try {
      given_step_ = ParseIsoDuration(step);
    } catch (const FormatError& error) {
      throw ArgumentError({.component = Caption(), .item = "step"}, error.Problem(), error.Remedy());
    }
    if (!(ToSeconds(*given_step_) >= 1e-4)) {
      Refuse("step", fmt::format("expected a step of at least 0.0001 s, found '{}'", step), "write it as in PT1H");
    }
  }
  data_ = Read();
  if (data_.spans.empty()) {
    times_ = SeriesTimes(meaning_, data_.stamps, are_all_rows ? Days() : given_step_, shown_path_, data_.place);
  } else if (are_all_rows) {
    Refuse("step", "expected a duration or nothing, since the file states the spans of its rows, found 'none'",
           "omit it: the spans say which rows are absent");
  } else {
    TakeSpans();
  }
  MakeItems();
  SetDefaultTimes(times_.Begin(), times_.End());
  SetOutputHorizon(times_.Begin(), times_.End());
}

void SeriesComponent::TakeSpans() {
  meaning_ = StampMeaning::End;
  const std::vector<Days>& spans = data_.spans;
  const auto is_like = [](Days a, Days b) { return std::abs(ToSeconds(a) - ToSeconds(b)) < 1e-5; };
  const bool equal = std::ranges::all_of(spans, [&](Days span) { return is_like(span, spans.front()); });
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const Days room = i == 0 ? spans[0] : data_.stamps[i].stamp - data_.stamps[i - 1].stamp;
    const bool fits =
        ToSeconds(spans[i]) > 0.0 && (equal ? !(room < spans[i] - Seconds(1e-5)) : is_like(room, spans[i]));
    if (fits) continue;
    throw FormatError(
        {.file = shown_path_, .component = Caption()},
        fmt::format("expected spans that follow each other, found one of {} in row {}, {} after the one before",
                    FormatIsoDuration(spans[i]), data_.stamps[i].line, FormatIsoDuration(room)),
        "say with the argument stamps what the stamps mean");
  }
  const Days step = given_step_.value_or(equal ? spans.front() : Days());  // 0: unequal ones leave no gap
  times_ = SeriesTimes(meaning_, data_.stamps, step, shown_path_, data_.place, spans.front());
}

void SeriesComponent::MakeItems() {
  series_.clear();
  std::vector<std::string> order;
  std::map<std::string, std::vector<std::size_t>> columns;
  for (std::size_t i = 0; i < data_.columns.size(); ++i) {
    std::vector<std::size_t>& list = columns[data_.columns[i].item];
    if (list.empty()) order.push_back(data_.columns[i].item);
    list.push_back(i);
  }
  for (const std::string& id : order) series_.push_back(MakeItem(id, columns[id]));
}

SeriesComponent::Series SeriesComponent::MakeItem(const std::string& id, const std::vector<std::size_t>& columns) {
  const SeriesColumn& first = data_.columns[columns[0]];
  std::map<std::string, std::size_t> column_of;
  std::vector<std::string> ids;
  for (const std::size_t column : columns) {
    const SeriesColumn& next = data_.columns[column];
    if (next.unit != first.unit) {
      Refuse("columns",
             fmt::format("expected one unit in the item '{}', found '{}' and '{}'", id, first.unit, next.unit),
             "make two items of it, or correct the units");
    }
    if (!column_of.emplace(next.element, column).second) {
      Refuse("columns",
             next.element.empty()
                 ? fmt::format("expected one column of the item '{}', found several", id)
                 : fmt::format("expected the element '{}' of '{}' once, found it twice", next.element, id),
             "name the elements, as in 'a=rain@upper,b=rain@lower'");
    }
    ids.push_back(next.element);
  }
  const OutputOptions options{.caption = first.caption,
                              .description = fmt::format("out of {}", shown_path_),
                              .gives = times_.AreSpans() ? OutputTime::Span : OutputTime::Instant,
                              .initial = kNotANumber};
  Series series;
  if (column_of.contains("")) {
    if (ids.size() > 1) {
      Refuse("columns", fmt::format("expected an element for each column of '{}', found one without", id),
             "name the elements, as in 'a=rain@upper,b=rain@lower'");
    }
    series.columns = columns;
    series.output = &AddOutput(id, first.unit, nullptr, options).Item();
    return series;
  }
  ElementSet elements;
  if (!elements_file_.IsGiven()) {
    std::vector<double> x, y;
    for (const std::size_t column : columns) {
      if (const std::optional<ElementVertex>& place = data_.columns[column].place) {
        x.push_back(place->x);
        y.push_back(place->y);
      }
    }
    elements = x.size() == ids.size() ? ElementSet::Points(id, kWgs84Wkt, ids, x, y) : ElementSet::IdBased(id, ids);
    series.columns = columns;
  } else {
    // An item with some of the elements has only these; a column without an element is an error.
    elements =
        elements_file_.Chosen(elements_file_.Read([this](const std::string& path) { return PathOf(path); }), ids);
    for (int element = 0; element < elements.ElementCount(); ++element) {
      series.columns.push_back(column_of[elements.IdOf(element)]);
    }
  }
  series.output = &AddOutput(id, first.unit, std::make_shared<const ElementSet>(std::move(elements)), options).Item();
  return series;
}

bool SeriesComponent::OnValidate(std::vector<std::string>& messages) {
  for (const std::string& warning : data_.warnings) {
    messages.push_back(Error::Format({.file = shown_path_}, warning, ""));
  }
  for (const std::string& gap : times_.Gaps()) {
    messages.push_back(Error::Format(
        {.file = shown_path_}, gap,
        data_.spans.empty() ? "missing values fill the gap; if the rows are all there are, set step to none"
                            : "missing values fill the gap"));
  }
  for (const Series& series : series_) {
    if (const std::string holes = Holes(series); !holes.empty()) messages.push_back(holes);
    if (const std::string suspects = Suspects(series); !suspects.empty()) messages.push_back(suspects);
  }
  return StatefulSteppingComponent::OnValidate(messages);
}

std::string SeriesComponent::Holes(const Series& series) const {
  std::size_t count = 0;
  std::size_t first = 0;
  for (std::size_t row = 0; row < data_.stamps.size(); ++row) {
    for (const std::size_t column : series.columns) {
      if (!std::isnan(data_.values[row * data_.columns.size() + column])) continue;
      if (count++ == 0) first = row;
    }
  }
  if (count == 0) return {};
  return Error::Format({.file = shown_path_},
                       fmt::format("{}: {} of {} values {} missing, the first in {} {}", series.output->Id(), count,
                                   data_.stamps.size() * series.columns.size(), count == 1 ? "is" : "are", data_.place,
                                   data_.stamps[first].line),
                       "");
}

std::string SeriesComponent::Suspects(const Series& series) const {
  // Numbers that data loggers and archives write for "no value": nines below zero, far from all other values of the
  // series.
  static constexpr std::array kSentinels = {-999.0,  -9999.0,  -99999.0, -999999.0, -99.9,   -999.9,
                                            -9999.9, -99999.9, -99.99,   -999.99,   -9999.99};
  double least = std::numeric_limits<double>::infinity();
  double next = std::numeric_limits<double>::infinity();  // the smallest value above the least one
  std::size_t count = 0;
  std::size_t first = 0;
  for (std::size_t row = 0; row < data_.stamps.size(); ++row) {
    for (const std::size_t column : series.columns) {
      const double value = data_.values[row * data_.columns.size() + column];
      if (value == least) ++count;
      if (value < least) {
        next = least;
        least = value;
        count = 1;
        first = row;
      } else if (value > least && value < next) {
        next = value;
      }
    }
  }
  const bool is_sentinel = std::ranges::find(kSentinels, least) != kSentinels.end();
  if (!is_sentinel || next < 0.5 * least) return {};
  return Error::Format(
      {.file = shown_path_},
      fmt::format("{}: {} of {} values {} {}, the first in {} {}, and {} taken as {}", series.output->Id(), count,
                  data_.stamps.size() * series.columns.size(), count == 1 ? "is" : "are", least, data_.place,
                  data_.stamps[first].line, count == 1 ? "is" : "are", count == 1 ? "a value" : "values"),
      fmt::format("if that means a missing value, add {} to the argument missing-values", least));
}

void SeriesComponent::Publish(std::int64_t row) {
  const std::int64_t source = times_.Source(row);
  const double* values =
      source < 0 ? nullptr : data_.values.data() + static_cast<std::size_t>(source) * data_.columns.size();
  const Stamp end = times_.At(row);
  const Stamp begin = times_.AreSpans() ? times_.At(row - 1) : end;
  for (const Series& series : series_) {
    const std::span<double> next = series.output->NextRow();
    for (std::size_t i = 0; i < next.size(); ++i) {
      next[i] = values == nullptr ? kNotANumber : values[series.columns[i]];
    }
    series.output->PublishAt(begin, end - begin);
  }
}

void SeriesComponent::Start(Stamp begin) {
  // An instant before the start of the run, so that times after it can be interpolated.
  if (!times_.AreSpans()) Publish(times_.FirstAfter(begin) - 1);
}

void SeriesComponent::Step(Stamp from, Stamp) {
  Publish(times_.FirstAfter(from));
}

}  // namespace openmi
