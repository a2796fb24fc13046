// Every adaptor of times and values on a link of a composition, from a file to a file, from instants and from spans to
// both, against answers computed here.

#include <array>
#include <functional>
#include <map>
#include <optional>

#include "tests/composition/run/AdaptorQuestion.hpp"

namespace openmi::testing {
namespace {

// --- Times: rows by the hour, asked for steps of an hour and a half from twenty past midnight on. The last of four
// steps is not looked at: what lies behind the run is no row of the series. ---

constexpr std::array kValues{1.0, 2.0, 4.0, 8.0, 5.0, 4.0, 3.0, 6.0};
using Values = std::vector<double>;
using Curve = std::function<double(double)>;

double TotalAt(const Values& v, int hour) {
  double total = 0.0;
  for (int i = 0; i < hour; ++i) total += v[static_cast<std::size_t>(i)];
  return total;
}

/// The cubic of Hermite between hours, with the slopes of Fritsch and Butland, and that of three points at the first
/// row (within the bounds that these values keep); its derivative where asked for.
double Pchip(const std::function<double(int)>& at, double t, bool derivative) {
  const int k = static_cast<int>(std::floor(t));
  const auto slope = [&](int i) {
    if (i == 0) return 0.5 * (3.0 * (at(1) - at(0)) - (at(2) - at(1)));
    const double before = at(i) - at(i - 1), after = at(i + 1) - at(i);
    return before * after > 0.0 ? 2.0 * before * after / (before + after) : 0.0;
  };
  const double u = t - k;
  if (derivative) {
    return 6.0 * u * (1.0 - u) * (at(k + 1) - at(k)) + (1.0 - u) * (1.0 - 3.0 * u) * slope(k) +
           u * (3.0 * u - 2.0) * slope(k + 1);
  }
  const double v = 1.0 - u;
  return v * v * (1.0 + 2.0 * u) * at(k) + u * u * (3.0 - 2.0 * u) * at(k + 1) + u * v * v * slope(k) -
         u * u * v * slope(k + 1);
}

Curve CurveOf(const std::string& id, bool spans, const Values& v) {
  const auto value = [v](double hour) { return v[static_cast<std::size_t>(hour)]; };
  if (id == "cubic" && spans) {
    return [v](double t) { return Pchip([&](int k) { return TotalAt(v, k); }, t, true); };
  }
  if (id == "cubic") {
    return [v](double t) { return Pchip([&](int k) { return v[static_cast<std::size_t>(k)]; }, t, false); };
  }
  if (spans || id == "previous") return [value](double t) { return value(std::floor(t)); };
  if (id == "next") return [value](double t) { return value(std::ceil(t)); };
  if (id == "nearest-in-time") return [value](double t) { return value(std::floor(t + 0.5)); };
  return [value](double t) {
    const double k = std::floor(t);
    return value(k) + (t - k) * (value(k + 1.0) - value(k));
  };
}

/// Calls `visit(begin, end)` for the pieces of ten minutes of a span, in hours.
void EachPiece(double begin, double end, const std::function<void(double, double)>& visit) {
  const int count = static_cast<int>(std::lround((end - begin) * 6.0));
  for (int i = 0; i < count; ++i) visit(begin + i / 6.0, begin + (i + 1) / 6.0);
}
/// By Gauss' formula with two points in each piece: exact for cubics.
double Integral(const Curve& curve, double begin, double end) {
  double sum = 0.0;
  EachPiece(begin, end, [&](double a, double b) {
    const double middle = 0.5 * (a + b), half = 0.5 * (b - a), at = half / std::sqrt(3.0);
    sum += half * (curve(middle - at) + curve(middle + at));
  });
  return sum;
}
double Extreme(const Curve& curve, double begin, double end, double sign) {
  double most = -std::numeric_limits<double>::infinity();
  EachPiece(begin, end, [&](double a, double b) {
    for (const double t : {a + 1e-9, b - 1e-9}) most = std::max(most, sign * curve(t));
  });
  return sign * most;
}

struct TimeAnswer {
  std::function<double(double begin, double end)> of;
  std::string before = {};     ///< adaptors in front of it
  std::string arguments = {};  ///< of itself
  std::string after = {};      ///< adaptors behind it
  std::string from = "m3 s-1";
  std::string to = "m3 s-1";
  Values values = {kValues.begin(), kValues.end()};
};

std::optional<TimeAnswer> TimeAnswerOf(const std::string& id, bool spans, bool asks_spans) {
  const Values v(kValues.begin(), kValues.end());
  const std::string second = asks_spans ? AdaptorXml("mean-over-span") : AdaptorXml("linear");
  const auto answered = [asks_spans](const Curve& curve) {
    return [asks_spans, curve](double a, double b) { return asks_spans ? Integral(curve, a, b) / (b - a) : curve(b); };
  };
  const Curve linear = CurveOf("linear", spans, v);
  const auto of_linear = [&](const std::function<double(double)>& f) {
    return [f, plain = answered(linear)](double a, double b) { return f(plain(a, b)); };
  };
  for (const char* curve : {"linear", "cubic", "previous", "next", "nearest-in-time"}) {
    if (id == curve) return TimeAnswer{answered(CurveOf(id, spans, v))};
  }
  if (id == "delay") {
    return TimeAnswer{[plain = answered(linear)](double a, double b) { return plain(a - 1.0 / 6.0, b - 1.0 / 6.0); },
                      {},
                      ArgumentXml("delay", "PT10M")};
  }
  if (id == "fill-gaps") {
    Values filled = v;
    filled[4] = 6.0;  // between 8 and 4
    TimeAnswer answer{answered(CurveOf("linear", spans, filled)), {}, ArgumentXml("by", "linear"), second};
    answer.values[4] = kNaN;
    return answer;
  }
  if (id == "resample") {
    return TimeAnswer{answered(linear),
                      {},
                      ArgumentXml("step", "PT10M") + ArgumentXml("as", asks_spans ? "mean" : "instant"),
                      second};
  }
  if (id == "accumulate" && !asks_spans) {
    const Values three(kValues.size(), 3.0);
    const Values& rows = spans ? v : three;
    return TimeAnswer{
        [curve = CurveOf("linear", spans, rows)](double, double b) { return 3600.0 * Integral(curve, 0.0, b); },
        {},
        {},
        {},
        "m3 s-1",
        "m3",
        rows};
  }
  // Adaptors of values, behind one in time.
  if (id == "unit-conversion") {
    return TimeAnswer{
        of_linear([](double x) { return 1000.0 * x; }), second, ArgumentXml("unit", "L s-1"), {}, "m3 s-1", "L s-1"};
  }
  if (id == "linear-operation") {
    return TimeAnswer{of_linear([](double x) { return 3.0 * x - 1.0; }), second,
                      ArgumentXml("a", "3") + ArgumentXml("b", "-1")};
  }
  if (id == "expression") {
    return TimeAnswer{of_linear([](double x) { return x * x + 1.0; }),
                      second,
                      ArgumentXml("formula", "x^2 + 1") + ArgumentXml("unit", "kg"),
                      {},
                      "m3 s-1",
                      "kg"};
  }
  if (id == "clip") {
    return TimeAnswer{of_linear([](double x) { return std::clamp(x, 3.0, 5.0); }), second,
                      ArgumentXml("minimum", "3") + ArgumentXml("maximum", "5")};
  }
  if (id == "threshold") {
    return TimeAnswer{of_linear([](double x) { return x >= 4.0 ? 10.0 : -10.0; }),
                      second,
                      ArgumentXml("threshold", "4") + ArgumentXml("above", "10") + ArgumentXml("below", "-10"),
                      {},
                      "m3 s-1",
                      "1"};
  }
  if (id == "density") {
    return TimeAnswer{
        of_linear([](double x) { return x / 800.0; }), second, ArgumentXml("density", "800"), {}, "kg s-1", "m3 s-1"};
  }
  if (id == "fill-missing") {
    Values gap = v;
    gap[4] = kNaN;
    return TimeAnswer{[plain = answered(CurveOf("linear", spans, gap))](double a, double b) {
                        const double x = plain(a, b);
                        return std::isnan(x) ? -5.0 : x;
                      },
                      second,
                      ArgumentXml("value", "-5"),
                      {},
                      "m3 s-1",
                      "m3 s-1",
                      gap};
  }
  if (id == "numbers-to-categories" || id == "categories-to-numbers") {
    const std::string table = ArgumentXml("table", "dry=0; moist=3; wet=5");
    const auto numbers = of_linear([](double x) { return x >= 5.0 ? 9.0 : x >= 3.0 ? 7.0 : 1.0; });
    const std::string back = ArgumentXml("table", "dry=1; moist=7; wet=9");
    if (id == "numbers-to-categories") {
      return TimeAnswer{numbers, second, table, AdaptorXml("categories-to-numbers", back), "m3 s-1", "1"};
    }
    return TimeAnswer{numbers, second + AdaptorXml("numbers-to-categories", table), back, {}, "m3 s-1", "1"};
  }
  if (!asks_spans) return std::nullopt;
  const auto sum = [spans, v](double a, double b) {
    if (spans) return Integral(CurveOf("linear", true, v), a, b);
    double total = 0.0;
    for (int k = 0; k < static_cast<int>(v.size()); ++k)
      total += k > a && k <= b ? v[static_cast<std::size_t>(k)] : 0.0;
    return total;
  };
  if (id == "mean-over-span") return TimeAnswer{answered(linear)};
  if (id == "minimum-over-span")
    return TimeAnswer{[linear](double a, double b) { return Extreme(linear, a, b, -1.0); }};
  if (id == "maximum-over-span") return TimeAnswer{[linear](double a, double b) { return Extreme(linear, a, b, 1.0); }};
  if (id == "integral-over-span") {
    return TimeAnswer{
        [linear](double a, double b) { return 3600.0 * Integral(linear, a, b); }, {}, {}, {}, "m3 s-1", "m3"};
  }
  if (id == "sum-over-span") return TimeAnswer{sum, {}, {}, {}, "m3", "m3"};
  if (id == "disaggregate" && spans) {
    return TimeAnswer{[v](double a, double b) {
                        const auto total = [&](double t) {
                          return Pchip([&](int k) { return TotalAt(v, k); }, t, false);
                        };
                        return total(b) - total(a);
                      },
                      {},
                      {},
                      {},
                      "m3",
                      "m3"};
  }
  if (id == "divide-by-span") {
    return TimeAnswer{[sum](double a, double b) { return sum(a, b) / (3600.0 * (b - a)); },
                      AdaptorXml("sum-over-span"),
                      {},
                      {},
                      "m3",
                      "m3 s-1"};
  }
  if (id == "multiply-by-span") {
    return TimeAnswer{[linear](double a, double b) { return 3600.0 * Integral(linear, a, b); },
                      AdaptorXml("mean-over-span"),
                      {},
                      {},
                      "m3 s-1",
                      "m3"};
  }
  return std::nullopt;
}

TEST(EveryAdaptor, OfTimesAndValuesAnswersWhatItClaimsThroughAComposition) {
  const ScratchFolder folder("adaptors");
  std::map<std::string, int> asked;
  StandardAdaptors factory;
  const std::set<std::string> of_places = SpaceIds();  // they have a test of their own
  for (const bool spans : {false, true}) {
    for (const bool asks_spans : {false, true}) {
      for (const IIdentifiable* one : factory.AllIds()) {
        const std::string id = one->Id();
        if (of_places.contains(id)) continue;
        const std::string what =
            fmt::format("{} from {} to {}", id, spans ? "spans" : "instants", asks_spans ? "spans" : "instants");
        const std::optional<TimeAnswer> answer = TimeAnswerOf(id, spans, asks_spans);
        std::string rows = "time,q\n";
        const Values values = answer ? answer->values : Values(kValues.begin(), kValues.end());
        for (std::size_t hour = 0; hour < values.size(); ++hour) {
          rows += fmt::format("2020-01-01T{:02}:00:00,{}\n", hour, values[hour]);
        }
        folder.Write("s.csv", rows);
        Question question{.source = ArgumentXml("unit", answer ? answer->from : "m3 s-1") +
                                    (spans ? ArgumentXml("stamps", "begin") : std::string()),
                          .target = ArgumentXml("unit", answer ? answer->to : "m3 s-1") +
                                    ArgumentXml("asks", asks_spans ? "span" : "instant") +
                                    ArgumentXml("time-step", "PT1H30M"),
                          .adaptors = {},
                          .from = "2020-01-01T00:20Z",
                          .to = "2020-01-01T06:20Z"};
        if (!answer) {
          if (Offered(Made(Body(question, folder))).contains(id)) {
            // A factor of the span alone: what it is for are spans, and a question for a stamp is refused.
            const bool needs_span = id == "divide-by-span" || id == "multiply-by-span";
            EXPECT_TRUE(needs_span && !asks_spans) << what << " is offered, and this table has no answer";
          }
          continue;
        }
        ++asked[id];
        question.adaptors = answer->before + AdaptorXml(id, answer->arguments) + answer->after;
        std::vector<std::vector<double>> expected;
        for (int step = 0; step < 3; ++step) {
          expected.push_back({answer->of(1.0 / 3.0 + 1.5 * step, 1.0 / 3.0 + 1.5 * (step + 1))});
        }
        ExpectRows(question, folder, expected, what);
      }
    }
  }
  for (const IIdentifiable* one : factory.AllIds()) {
    EXPECT_TRUE(of_places.contains(one->Id()) || asked[one->Id()] > 0)
        << one->Id() << ": a new adaptor needs a known answer here";
  }
}

}  // namespace
}  // namespace openmi::testing
