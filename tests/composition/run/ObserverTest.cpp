// Observed rows over periods, by hand.

#include <cmath>
#include <vector>

#include "composition/record/Observer.hpp"
#include "openmi/sdk/Missing.hpp"
#include "tests/composition/run/RunFixture.hpp"

namespace openmi::testing {
namespace {

struct Row {
  double begin = 0.0;  // hours
  double hours = 0.0;
  std::vector<double> values;
};

/// Feeds rows, times in hours after MJD 0, and collects what comes out.
std::vector<Row> Observe(ObserveAs as, double every_hours, const std::vector<Row>& rows,
                         std::vector<std::size_t> elements = {}, double missing = kNotANumber) {
  std::vector<Row> out;
  Observer observer(std::move(elements), as, Hours(every_hours), Stamp{0.0}, missing,
                    [&out](Stamp begin, Days duration, std::span<const double> row) {
                      out.push_back({begin.mjd * 24.0, duration.count * 24.0, {row.begin(), row.end()}});
                    });
  for (const Row& row : rows) observer.OnRow(Stamp{} + Hours(row.begin), Hours(row.hours), row.values);
  return out;
}

void Expect(const std::vector<Row>& found, const std::vector<Row>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i].begin, expected[i].begin, 1e-9) << i;
    EXPECT_NEAR(found[i].hours, expected[i].hours, 1e-9) << i;
    ASSERT_EQ(found[i].values.size(), expected[i].values.size()) << i;
    for (std::size_t k = 0; k < found[i].values.size(); ++k) {
      if (std::isnan(expected[i].values[k])) {
        EXPECT_TRUE(std::isnan(found[i].values[k])) << i << ": " << found[i].values[k];
      } else {
        EXPECT_NEAR(found[i].values[k], expected[i].values[k], 1e-9) << i;
      }
    }
  }
}

const double kGap = kNotANumber;
// Spans of irregular length: 0-1: 4, 1-3: 1, 3-4: 7, 4-6: 2.
const std::vector<Row> kSpans = {{0, 1, {4}}, {1, 2, {1}}, {3, 1, {7}}, {4, 2, {2}}};
// Instants at 0, 1, 3, 4, 6: each holds from the one before it.
const std::vector<Row> kInstants = {{0, 0, {9}}, {1, 0, {4}}, {3, 0, {1}}, {4, 0, {7}}, {6, 0, {2}}};

TEST(Observer, EachRowAsItIs) {
  Expect(Observe(ObserveAs::Instant, 0, kInstants), kInstants);
  Expect(Observe(ObserveAs::Mean, 0, kSpans), kSpans);
}

TEST(Observer, SpansOverPeriods) {
  Expect(Observe(ObserveAs::Mean, 2, kSpans), {{0, 2, {2.5}}, {2, 2, {4}}, {4, 2, {2}}});
  Expect(Observe(ObserveAs::Sum, 2, kSpans), {{0, 2, {4.5}}, {2, 2, {7.5}}, {4, 2, {2}}});
  Expect(Observe(ObserveAs::Minimum, 2, kSpans), {{0, 2, {1}}, {2, 2, {1}}, {4, 2, {2}}});
  Expect(Observe(ObserveAs::Maximum, 2, kSpans), {{0, 2, {4}}, {2, 2, {7}}, {4, 2, {2}}});
  Expect(Observe(ObserveAs::Instant, 2, kSpans), {{2, 0, {1}}, {4, 0, {7}}, {6, 0, {2}}});
}

TEST(Observer, InstantsOverPeriods) {
  Expect(Observe(ObserveAs::Mean, 2, kInstants), {{0, 2, {2.5}}, {2, 2, {4}}, {4, 2, {2}}});
  Expect(Observe(ObserveAs::Minimum, 2, kInstants), {{0, 2, {1}}, {2, 2, {1}}, {4, 2, {2}}});
  Expect(Observe(ObserveAs::Maximum, 2, kInstants), {{0, 2, {4}}, {2, 2, {7}}, {4, 2, {2}}});
  Expect(Observe(ObserveAs::Instant, 2, kInstants), {{0, 0, {9}}, {2, 0, {1}}, {4, 0, {7}}, {6, 0, {2}}});
}

TEST(Observer, PeriodsShorterThanRows) {
  Expect(Observe(ObserveAs::Mean, 0.5, {{0, 1, {4}}, {1, 1, {6}}}),
         {{0, 0.5, {4}}, {0.5, 0.5, {4}}, {1, 0.5, {6}}, {1.5, 0.5, {6}}});
  Expect(Observe(ObserveAs::Sum, 0.5, {{0, 1, {4}}}), {{0, 0.5, {2}}, {0.5, 0.5, {2}}});
}

TEST(Observer, MissingValues) {
  const std::vector<Row> rows = {{0, 1, {4, 1}}, {1, 1, {-999, 3}}, {2, 2, {5, 5}}};
  Expect(Observe(ObserveAs::Mean, 2, rows, {}, -999), {{0, 2, {kGap, 2}}, {2, 2, {5, 5}}});
  Expect(Observe(ObserveAs::Sum, 2, rows, {}, -999), {{0, 2, {kGap, 4}}, {2, 2, {5, 5}}});
  Expect(Observe(ObserveAs::Minimum, 2, rows, {}, -999), {{0, 2, {4, 1}}, {2, 2, {5, 5}}});
  Expect(Observe(ObserveAs::Maximum, 2, rows, {}, -999), {{0, 2, {4, 3}}, {2, 2, {5, 5}}});
  Expect(Observe(ObserveAs::Instant, 2, rows, {}, -999), {{2, 0, {kGap, 3}}, {4, 0, {5, 5}}});
}

TEST(Observer, ChosenElements) {
  Expect(Observe(ObserveAs::Mean, 1, {{0, 1, {1, 2, 3}}}, {2, 0}), {{0, 1, {3, 1}}});
}

TEST(Observer, HolesBetweenSpansAreMissingForWholePeriodsAndParts) {
  // Nothing between 1 and 5: the periods 1-2, 2-3, 3-4 have no row at all, 4-5 neither.
  const std::vector<Row> rows = {{0, 1, {4}}, {5, 1, {8}}};
  Expect(Observe(ObserveAs::Mean, 1, rows),
         {{0, 1, {4}}, {1, 1, {kGap}}, {2, 1, {kGap}}, {3, 1, {kGap}}, {4, 1, {kGap}}, {5, 1, {8}}});
  Expect(Observe(ObserveAs::Maximum, 3, rows), {{0, 3, {4}}, {3, 3, {8}}});
  Expect(Observe(ObserveAs::Mean, 3, rows), {{0, 3, {kGap}}, {3, 3, {kGap}}});
  Expect(Observe(ObserveAs::Instant, 2, rows), {{2, 0, {4}}, {4, 0, {kGap}}, {6, 0, {8}}});
}

TEST(Observer, RowsBeforeTheBeginAreCut) {
  Expect(Observe(ObserveAs::Mean, 2, {{-3, 2, {100}}, {-1, 2, {6}}, {1, 1, {2}}}), {{0, 2, {4}}});
  Expect(Observe(ObserveAs::Sum, 2, {{-1, 2, {6}}, {1, 1, {2}}}), {{0, 2, {5}}});
}

TEST(Observer, AnUnfinishedPeriodIsNotTold) {
  Expect(Observe(ObserveAs::Mean, 4, {{0, 1, {4}}, {1, 1, {4}}}), {});
}

TEST(Observer, RowsAsTheyAreAreCalledWhatTheirUnitSays) {
  const std::vector<std::pair<std::string, ResultKind>> units = {
      {"mm", ResultKind::Sum}, {"m3", ResultKind::Sum},      {"kg m-2", ResultKind::Sum},
      {"kg", ResultKind::Sum}, {"m3 s-1", ResultKind::Mean}, {"K", ResultKind::Mean},
      {"1", ResultKind::Mean}, {"m2", ResultKind::Mean},     {"kg m-3", ResultKind::Mean},
  };
  for (const auto& [unit, kind] : units) {
    Made made(ComponentXml("a", "Source", ArgumentXml("unit", unit)) + "<Observe Item=\"a.out\"/>" + RunXml());
    EXPECT_EQ(made.Run().series.at(0).series.kind, kind) << unit;
  }
  Made instants(R"(
      <Component Id="a" Type="test.Source" Assembly="here">
        <Argument Key="unit" Value="m"/>
        <Argument Key="gives" Value="instant"/>
      </Component>
      <Observe Item="a.out"/>
      <Run From="2015-12-01T00:00Z" To="2015-12-02T00:00Z"/>
    )");
  EXPECT_EQ(instants.Run().series.at(0).series.kind, ResultKind::Instant);
}

TEST(Observer, ALengthOverASpanIsATotalOnlyWhereItIsADepth) {
  const auto kind_of = [](const std::string& item, const std::string& unit) {
    Made made(ComponentXml("a", "Source", ArgumentXml("item", item) + ArgumentXml("unit", unit)) +
              "<Observe Item=\"a." + item + "\"/>" + RunXml());
    return made.Run().series.at(0).series.kind;
  };
  EXPECT_EQ(kind_of("stage", "m"), ResultKind::Mean);
  EXPECT_EQ(kind_of("head", "ft"), ResultKind::Mean);
  EXPECT_EQ(kind_of("rain", "m"), ResultKind::Sum);
  EXPECT_EQ(kind_of("out", "mm"), ResultKind::Sum);
}

TEST(Observer, MeansOfWholeSecondsAreExact) {
  // Half an hour between two stamps in days is 1799.9999998 s as often as not.
  std::vector<double> means;
  Observer observer({}, ObserveAs::Mean, Hours(1), Stamp{kDayOne}, kNotANumber,
                    [&](Stamp, Days, std::span<const double> row) { means.push_back(row[0]); });
  for (int i = 0; i < 480; ++i) {
    const Stamp begin{kDayOne + i / 48.0};
    const double value = i * 7 % 11;
    observer.OnRow(begin, Stamp{kDayOne + (i + 1) / 48.0} - begin, {&value, 1});
  }
  ASSERT_EQ(means.size(), 240u);
  for (int i = 0; i < 240; ++i) {
    EXPECT_EQ(means[static_cast<std::size_t>(i)], 0.5 * (2 * i * 7 % 11 + (2 * i + 1) * 7 % 11)) << i;
  }
}

}  // namespace
}  // namespace openmi::testing
