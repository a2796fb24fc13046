#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "openmi/sdk/Error.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Modified Julian Days of the tests: 1858-11-17 is 0 by definition, 1970-01-01 is 40587, 2000-01-01 is 51544 and
// 2015-12-01 is 57357 (The Astronomical Almanac, section B).
TEST(ParseIsoTime, KnowsTheDaysOfTheAlmanac) {
  EXPECT_EQ(ParseIsoTime("1858-11-17T00:00Z").mjd, 0.0);
  EXPECT_EQ(ParseIsoTime("1970-01-01T00:00:00Z").mjd, 40587.0);
  EXPECT_EQ(ParseIsoTime("2000-01-01T12:00Z").mjd, 51544.5);
  EXPECT_EQ(ParseIsoTime("2015-12-01T06:00Z").mjd, 57357.25);
  EXPECT_EQ(ParseIsoTime("1858-11-16T12:00Z").mjd, -0.5);
}

TEST(ParseIsoTime, AppliesTheOffsetOfTheText) {
  EXPECT_EQ(ParseIsoTime("2015-12-01T06:00+06:00").mjd, 57357.0);
  EXPECT_EQ(ParseIsoTime("2015-11-30T19:00-05:00").mjd, 57357.0);
  EXPECT_EQ(ParseIsoTime("2015-12-01T05:30+0530").mjd, 57357.0);
  EXPECT_EQ(ParseIsoTime("2015-12-01T01:00+01").mjd, 57357.0) << "an offset of hours alone";
}

TEST(ParseIsoTime, UsesTheAssumedZoneOnlyWhereTheTextHasNone) {
  EXPECT_EQ(ParseIsoTime("2015-11-30T19:00", -5.0).mjd, 57357.0);
  EXPECT_EQ(ParseIsoTime("2015-12-01T05:45", 5.75).mjd, 57357.0);
  EXPECT_EQ(ParseIsoTime("2015-12-01T00:00Z", -5.0).mjd, 57357.0);
}

TEST(ParseIsoTime, AsksForAZoneWhereThereIsNone) {
  EXPECT_THAT([] { ParseIsoTime("2015-12-01T06:30"); },
              ThrowsMessage<FormatError>(AllOf(HasSubstr("'2015-12-01T06:30'"), HasSubstr("state the zone"))));
  EXPECT_THROW(ParseIsoTime("2015-12-01"), FormatError);
  EXPECT_THAT(
      [] { ParseIsoTime("2015-02-30T00:00Z"); },
      ThrowsMessage<FormatError>(AllOf(HasSubstr("expected a day that the calendar has, found '2015-02-30T00:00Z'"),
                                       HasSubstr("2015-02 has 28 days"))));
  EXPECT_THAT([] { ParseIsoTime("2015-13-01T00:00Z"); }, ThrowsMessage<FormatError>(HasSubstr("by ISO 8601")));
  EXPECT_FALSE(HasZone("2015-12-01T06:30"));
  EXPECT_FALSE(HasZone("2015-12-01"));
  EXPECT_TRUE(HasZone("2015-12-01T06:30Z"));
  EXPECT_TRUE(HasZone("2015-12-01 06:30-05:00"));
}

TEST(ParseIsoTime, AcceptsTheFormsThatDataComeIn) {
  const double expected = 57357.0 + (6.0 * 3600 + 30 * 60 + 15) / 86400.0;
  for (const char* text : {"2015-12-01T06:30:15Z", "2015-12-01 06:30:15Z", "20151201T063015Z", "2015-12-01t06:30:15z",
                           "  2015-12-01T06:30:15.000Z\r", "2015-12-01T06:30:15,0Z"}) {
    EXPECT_EQ(ParseIsoTime(text).mjd, expected) << text;
  }
  EXPECT_EQ(ParseIsoTime("2015-12-01", 0.0).mjd, 57357.0);
  EXPECT_EQ(ParseIsoTime("2015-11-30T24:00Z").mjd, 57357.0);
  EXPECT_EQ(ParseIsoTime("2016-12-31T23:59:60Z").mjd, ParseIsoTime("2017-01-01T00:00Z").mjd) << "a leap second";
}

TEST(ParseIsoTime, RefusesWhatIsNoTimeAndNamesIt) {
  for (const char* text :
       {"", "yesterday", "2015-13-01T00:00Z", "2015-12-01T25:00Z", "2015-12-01T06:61Z", "2015-12-01T06:30:61Z",
        "2015-12-01T24:01Z", "2015-12-01T06:30Q", "2015-12-01T06:30+25:00", "2015-12-01T06:30+05:", "2015-12-01T",
        "2015-12-01T06:30:15.Z", "15-12-01T00:00Z", "2015-12-01T06:30Z and more", "2015/12/01", "2015-1201"}) {
    EXPECT_THAT([&] { ParseIsoTime(text, 0.0); },
                ThrowsMessage<FormatError>(AllOf(HasSubstr("expected a time by ISO 8601, found '" + std::string(text)),
                                                 HasSubstr("2015-12-01T06:30Z"))))
        << text;
  }
}

TEST(ParseIsoTime, SaysOfADayThatTheCalendarDoesNotHaveHowLongItsMonthIs) {
  EXPECT_THAT(
      [] { ParseIsoTime("2015-02-29T00:00Z", 0.0); },
      ThrowsMessage<FormatError>(AllOf(HasSubstr("expected a day that the calendar has, found '2015-02-29T00:00Z'"),
                                       HasSubstr("2015-02 has 28 days"))));
  EXPECT_EQ(ParseIsoTime("2016-02-29T00:00Z").mjd, 57447.0) << "and there is such a day in a leap year";
}

TEST(FormatIsoTime, WritesAsManyDigitsAsNeeded) {
  EXPECT_EQ(FormatIsoTime(Stamp{57357.25}), "2015-12-01T06:00:00Z");
  EXPECT_EQ(FormatIsoTime(Stamp{0.0}), "1858-11-17T00:00:00Z");
  EXPECT_EQ(FormatIsoTime(Stamp{-0.5}), "1858-11-16T12:00:00Z");
  EXPECT_EQ(FormatIsoTime(ParseIsoTime("2015-12-01T06:30:15.25Z")), "2015-12-01T06:30:15.25Z");
  EXPECT_EQ(FormatIsoTime(ParseIsoTime("2015-12-01T06:30:15.000001Z")), "2015-12-01T06:30:15.000001Z");
  EXPECT_EQ(FormatIsoTime(Stamp{std::nextafter(57358.0, 0.0)}), "2015-12-01T23:59:59.999999Z");
  EXPECT_EQ(FormatIsoTime(Stamp{kInfinity}), "inf");
  EXPECT_EQ(FormatIsoTime(Stamp{-kInfinity}), "-inf");
  EXPECT_EQ(FormatIsoTime(Stamp{std::nan("")}), "nan");
}

// A double between 2^15 and 2^16 resolves 0.63 microseconds, so the nearest microsecond is never lost before MJD 65536
// (2038-04-23).
TEST(FormatIsoTime, ReturnsEveryMicrosecondUntil2038) {
  std::mt19937_64 random(20151201);
  std::uniform_int_distribution<std::int64_t> micros(0, 86'399'999'999);
  std::uniform_int_distribution<int> day(1, 28);
  std::uniform_int_distribution<int> month(1, 12);
  std::uniform_int_distribution<int> year(1859, 2037);
  for (int i = 0; i < 20000; ++i) {
    const std::int64_t of_day = micros(random);
    char text[64];
    std::snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02d.%06dZ", year(random), month(random), day(random),
                  static_cast<int>(of_day / 3'600'000'000), static_cast<int>(of_day / 60'000'000 % 60),
                  static_cast<int>(of_day / 1'000'000 % 60), static_cast<int>(of_day % 1'000'000));
    const double mjd = ParseIsoTime(text).mjd;
    const std::string back = FormatIsoTime(Stamp{mjd});
    EXPECT_EQ(ParseIsoTime(back).mjd, mjd) << text;
    std::string shortest(text);
    shortest.pop_back();
    shortest.erase(shortest.find_last_not_of('0') + 1);
    if (shortest.back() == '.') shortest.pop_back();
    ASSERT_EQ(back, shortest + "Z") << "seed 20151201, case " << i;
  }
}

TEST(FormatIsoTime, CountsHoursOfAMonthWithoutDrift) {
  for (int hour = 0; hour < 24 * 31; ++hour) {
    const std::string text = FormatIsoTime(Stamp{57357.0 + hour / 24.0});
    EXPECT_THAT(text, testing::EndsWith(":00:00Z")) << hour;
  }
}

TEST(ParseIsoDuration, ReadsTheFormsOfTheStandard) {
  EXPECT_EQ(ParseIsoDuration("PT1H").count, 1.0 / 24.0);
  EXPECT_EQ(ParseIsoDuration("P7D").count, 7.0);
  EXPECT_EQ(ParseIsoDuration("P1DT12H").count, 1.5);
  EXPECT_EQ(ParseIsoDuration("P2W").count, 14.0);
  EXPECT_EQ(ParseIsoDuration("PT0.5S").count, 0.5 / 86400.0);
  EXPECT_EQ(ParseIsoDuration("PT0,5S").count, 0.5 / 86400.0);
  EXPECT_DOUBLE_EQ(ParseIsoDuration("PT1H30M").count, 1.5 / 24.0);
  EXPECT_EQ(ParseIsoDuration("PT36H").count, 1.5);
  EXPECT_EQ(ParseIsoDuration("PT0S").count, 0.0);
}

TEST(ParseIsoDuration, ReadsNumbersWithUnits) {
  EXPECT_EQ(ParseIsoDuration("3600 s").count, 1.0 / 24.0);
  EXPECT_EQ(ParseIsoDuration("1 h").count, 1.0 / 24.0);
  EXPECT_EQ(ParseIsoDuration("30 min").count, 1.0 / 48.0);
  EXPECT_EQ(ParseIsoDuration("1 d").count, 1.0);
  EXPECT_EQ(ParseIsoDuration(" 1.5 days ").count, 1.5);
  EXPECT_EQ(ParseIsoDuration("6h").count, 0.25);
}

TEST(ParseIsoDuration, RefusesMonthsAndYearsWithASentence) {
  for (const char* text : {"P1M", "P1Y", "P1Y6M", "P0.5Y"}) {
    EXPECT_THAT([&] { ParseIsoDuration(text); },
                ThrowsMessage<FormatError>(AllOf(HasSubstr(text), HasSubstr("no fixed length"), HasSubstr("P30D"))));
  }
  EXPECT_EQ(ParseIsoDuration("PT1M").count, 1.0 / 1440.0) << "minutes are fine";
}

TEST(ParseIsoDuration, RefusesWhatIsNoDuration) {
  for (const char* text : {"", "P", "PT", "P1", "P1H", "PT1D", "PT1S1H", "P1DT", "an hour", "1 fortnight", "P-1D", "1",
                           "PTinfS", "PTnanS", "P1D1D", "inf s"}) {
    EXPECT_THAT([&] { ParseIsoDuration(text); },
                ThrowsMessage<FormatError>(HasSubstr("expected a duration, found '" + std::string(text) + "'")))
        << text;
  }
}

TEST(ParseIsoDuration, RefusesWhatItCouldNotWrite) {
  // Anything longer was read, and written as 1e8 days; sums of pieces became infinite.
  for (const char* text : {"P100000001D", "1e308 d", "P1e308W", "P1e308DT1e308H", "1e14 s", "-1e9 d"}) {
    EXPECT_THAT([&] { ParseIsoDuration(text); },
                ThrowsMessage<FormatError>(AllOf(HasSubstr("at most 100000000 days"), HasSubstr(text))))
        << text;
  }
  EXPECT_EQ(FormatIsoDuration(ParseIsoDuration("P100000000D")), "P100000000D");
}

TEST(FormatIsoDuration, WritesTheShortestForm) {
  EXPECT_EQ(FormatIsoDuration(Days{1.0 / 24.0}), "PT1H");
  EXPECT_EQ(FormatIsoDuration(Days{7.0}), "P7D");
  EXPECT_EQ(FormatIsoDuration(Days{1.5}), "P1DT12H");
  EXPECT_EQ(FormatIsoDuration(Days{1.0 / 96.0}), "PT15M");
  EXPECT_EQ(FormatIsoDuration(Days{0.001 / 86400.0}), "PT0.001S");
  EXPECT_EQ(FormatIsoDuration(Days{0.0}), "PT0S");
  EXPECT_EQ(FormatIsoDuration(Days{1e-13}), "PT0S");
  EXPECT_EQ(FormatIsoDuration(Days{-0.5}), "-PT12H");
  EXPECT_EQ(FormatIsoDuration(Days{kInfinity}), "inf");
}

TEST(FormatIsoDuration, ReadsBackToTheMicrosecond) {
  std::mt19937_64 random(7);
  std::uniform_int_distribution<std::int64_t> micros(0, 400LL * 86'400'000'000);
  for (int i = 0; i < 20000; ++i) {
    const std::int64_t expected = micros(random);
    const double days = static_cast<double>(expected) / 86.4e9;
    ASSERT_EQ(std::llround(ParseIsoDuration(FormatIsoDuration(Days{days})).count * 86.4e9), expected)
        << "seed 7, case " << i;
  }
}

TEST(Iso8601, IsTheSameUnderADecimalComma) {
  ASSERT_NE(std::setlocale(LC_ALL, "de_DE.UTF-8"), nullptr) << "the build makes this locale; ctest names it in LOCPATH";
  const double mjd = ParseIsoTime("2015-12-01T06:30:15.25Z").mjd;
  const std::string text = FormatIsoTime(Stamp{mjd});
  const double days = ParseIsoDuration("1.5 h").count;
  const std::string duration = FormatIsoDuration(Days{0.25 / 86400.0});
  std::setlocale(LC_ALL, "C");
  EXPECT_EQ(text, "2015-12-01T06:30:15.25Z");
  EXPECT_EQ(days, 1.5 / 24.0);
  EXPECT_EQ(duration, "PT0.25S");
}

}  // namespace
}  // namespace openmi
