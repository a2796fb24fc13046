#include "composition/results/CompareResults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string_view>

#include "composition/results/CsvText.hpp"
#include "openmi/sdk/Missing.hpp"
#include "timespace/times/Stamp.hpp"

namespace openmi {
namespace {

using Kind = ResultDifference::Kind;

struct Tolerance {
  double relative;
  double absolute;

  bool Agree(double a, double b) const {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    if (a == b) return true;
    const double largest = std::max(std::fabs(a), std::fabs(b));
    return std::isfinite(largest) && std::fabs(a - b) <= absolute + relative * largest;
  }
};

/// The distance of a pair; infinite if one value is missing and the other is not.
double Distance(double a, double b) {
  const double distance = std::fabs(a - b);
  return std::isnan(distance) ? std::numeric_limits<double>::infinity() : distance;
}

const ResultRows* Find(const ResultTable& table, std::string_view id) {
  for (const ResultRows& rows : table.series) {
    if (rows.series.id == id) return &rows;
  }
  return nullptr;
}

/// Whether two texts name the same unit. A dimensionless number has the unit "1" in NetCDF (CF conventions, 3.1) and
/// may have it in CSV.
bool IsSameUnit(const std::string& a, const std::string& b) {
  const auto is_none = [](const std::string& unit) { return unit.empty() || unit == "1"; };
  return a == b || (is_none(a) && is_none(b));
}

ResultDifference Make(Kind kind, const std::string& series, std::string a, std::string b) {
  ResultDifference difference;
  difference.kind = kind;
  difference.series = series;
  difference.text_a = std::move(a);
  difference.text_b = std::move(b);
  return difference;
}

class Comparison {
 public:
  Comparison(const ResultRows& a, const ResultRows& b, Tolerance tolerance, std::vector<ResultDifference>& found)
      : a_(a), b_(b), tolerance_(tolerance), found_(found) {}

  void Run() {
    const std::string& id = a_.series.id;
    if (!IsSameUnit(a_.series.unit, b_.series.unit))
      found_.push_back(Make(Kind::Unit, id, a_.series.unit, b_.series.unit));
    if (a_.series.kind != b_.series.kind) {
      found_.push_back(
          Make(Kind::SeriesKind, id, kResultKinds.NameOf(a_.series.kind), kResultKinds.NameOf(b_.series.kind)));
    }
    MatchElements();
    MatchTimes();
    CompareValues();
  }

 private:
  struct Both {
    std::size_t a;
    std::size_t b;
  };

  void MatchElements() {
    if (a_.series.elements.empty() && b_.series.elements.empty()) {
      elements_.push_back({0, 0});
      return;
    }
    std::map<std::string_view, std::size_t> in_b;
    for (std::size_t i = 0; i < b_.series.elements.size(); ++i) in_b.try_emplace(b_.series.elements[i], i);
    for (std::size_t i = 0; i < a_.series.elements.size(); ++i) {
      const auto place = in_b.find(a_.series.elements[i]);
      if (place == in_b.end()) {
        AddMissingElement(a_.series.elements[i], "present", "missing");
      } else {
        elements_.push_back({i, place->second});
        in_b.erase(place);
      }
    }
    for (const std::string& element : b_.series.elements) {
      if (in_b.contains(element)) AddMissingElement(element, "missing", "present");
    }
  }

  void AddMissingElement(const std::string& element, std::string a, std::string b) {
    found_.push_back(Make(Kind::ElementMissing, a_.series.id, std::move(a), std::move(b)));
    found_.back().element = element;
  }

  void MatchTimes() {
    std::optional<ResultDifference> only_a;
    std::optional<ResultDifference> only_b;
    const auto miss = [this](std::optional<ResultDifference>& difference, double mjd, const char* a, const char* b) {
      if (difference) {
        ++difference->count;
        return;
      }
      difference = Make(Kind::TimeMissing, a_.series.id, a, b);
      difference->first.mjd = mjd;
    };
    std::size_t i = 0;
    std::size_t k = 0;
    while (i < a_.ends.size() || k < b_.ends.size()) {
      if (k == b_.ends.size() || (i < a_.ends.size() && Before({a_.ends[i]}, {b_.ends[k]}))) {
        miss(only_a, a_.ends[i++], "present", "missing");
      } else if (i == a_.ends.size() || Before({b_.ends[k]}, {a_.ends[i]})) {
        miss(only_b, b_.ends[k++], "missing", "present");
      } else {
        rows_.push_back({i++, k++});
      }
    }
    for (auto* difference : {&only_a, &only_b}) {
      if (!*difference) continue;
      (*difference)->compared = (difference == &only_a ? a_ : b_).ends.size();
      found_.push_back(**difference);
    }
  }

  void CompareValues() {
    for (const Both element : elements_) {
      std::optional<ResultDifference> difference;
      for (const Both row : rows_) {
        const ResultDifference::Pair pair = {a_.ends[row.a], a_.Row(row.a)[element.a], b_.Row(row.b)[element.b]};
        if (tolerance_.Agree(pair.a, pair.b)) continue;
        if (!difference) {
          difference = Make(Kind::Value, a_.series.id, "", "");
          difference->count = 0;
          difference->compared = rows_.size();
          difference->first = difference->largest = pair;
          if (!a_.series.elements.empty()) difference->element = a_.series.elements[element.a];
        }
        ++difference->count;
        if (Distance(pair.a, pair.b) > Distance(difference->largest.a, difference->largest.b))
          difference->largest = pair;
      }
      if (difference) found_.push_back(*difference);
    }
  }

  const ResultRows& a_;
  const ResultRows& b_;
  const Tolerance tolerance_;
  std::vector<ResultDifference>& found_;
  std::vector<Both> elements_;
  std::vector<Both> rows_;
};

/// The values that a straight line towards a row leads to.
std::span<const double> BeforeEvent(const ResultRows& rows, std::size_t row) {
  const auto event = rows.before_events.find(row);
  return event != rows.before_events.end() ? std::span<const double>(event->second) : rows.Row(row);
}

/// Whether the cells of the series are empty at a time between two rows.
bool IsEmptyBetween(const ResultRows& rows, std::size_t earlier, std::size_t later) {
  const auto time =
      std::ranges::upper_bound(rows.empty_at, rows.ends[earlier], [](double a, double b) { return Before({a}, {b}); });
  return time != rows.empty_at.end() && Before({*time}, {rows.ends[later]});
}

std::string NumberText(double number) {
  std::string text;
  AppendNumber(text, number);
  return text;
}

std::string TimeText(double mjd, bool in_seconds) {
  return in_seconds ? NumberText(SecondsOf(mjd)) + " s" : ResultTimeText(mjd);
}

}  // namespace

std::string ResultDifference::Text() const {
  const std::string name = WithoutControls(element.empty() ? series : fmt::format("{}[{}]", series, element));
  switch (kind) {
    case Kind::SeriesMissing:
    case Kind::ElementMissing:
      return fmt::format("{}: only in the {} file", name, text_a == "missing" ? "second" : "first");
    case Kind::TimeMissing:
      return fmt::format("{}: {} of {} times only in the {} file, the first {}", name, count, compared,
                         text_a == "missing" ? "second" : "first", TimeText(first.mjd, in_seconds));
    case Kind::Unit:
      return fmt::format("{}: unit '{}' against '{}'", name, WithoutControls(text_a), WithoutControls(text_b));
    case Kind::SeriesKind:
      return fmt::format("{}: {} against {}", name, text_a, text_b);
    case Kind::Value:
      break;
  }
  return fmt::format("{}: {} of {} values differ; first at {}: {} against {}; largest at {}: {} against {}", name,
                     count, compared, TimeText(first.mjd, in_seconds), NumberText(first.a), NumberText(first.b),
                     TimeText(largest.mjd, in_seconds), NumberText(largest.a), NumberText(largest.b));
}

std::vector<ResultDifference> CompareResults(const ResultTable& a, const ResultTable& b, double relative_tolerance,
                                             double absolute_tolerance) {
  std::vector<ResultDifference> found;
  for (const ResultRows& rows : a.series) {
    if (const ResultRows* other = Find(b, rows.series.id)) {
      Comparison(rows, *other, {relative_tolerance, absolute_tolerance}, found).Run();
    } else {
      found.push_back(Make(Kind::SeriesMissing, rows.series.id, "present", "missing"));
    }
  }
  for (const ResultRows& rows : b.series) {
    if (Find(a, rows.series.id) == nullptr) {
      found.push_back(Make(Kind::SeriesMissing, rows.series.id, "missing", "present"));
    }
  }
  for (ResultDifference& difference : found) difference.in_seconds = a.in_seconds && b.in_seconds;
  return found;
}

ResultRows AtTimes(const ResultRows& rows, std::span<const double> times) {
  if (rows.series.kind != ResultKind::Instant) return rows;
  ResultRows at{.series = rows.series};
  std::size_t next = 0;  // the first row that is not before the time
  for (const double time : times) {
    while (next < rows.ends.size() && Before({rows.ends[next]}, {time})) ++next;
    if (next == rows.ends.size()) break;
    const bool has_row = SameTime({rows.ends[next]}, {time});
    if (!has_row && next == 0) continue;
    at.begins.push_back(time);
    at.ends.push_back(time);
    if (has_row) {
      at.values.insert(at.values.end(), rows.Row(next).begin(), rows.Row(next).end());
      continue;
    }
    const std::span<const double> earlier = rows.Row(next - 1), later = BeforeEvent(rows, next);
    // In whole microseconds, since the rounding of days is a large part of a short step.
    const double from = SecondsOf(rows.ends[next - 1]), to = SecondsOf(rows.ends[next]);
    const double weight = IsEmptyBetween(rows, next - 1, next) ? kNotANumber : (SecondsOf(time) - from) / (to - from);
    for (std::size_t i = 0; i < later.size(); ++i) at.values.push_back(earlier[i] + weight * (later[i] - earlier[i]));
  }
  return at;
}

}  // namespace openmi
