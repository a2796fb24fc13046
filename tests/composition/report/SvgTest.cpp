#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "Markup.hpp"
#include "composition/report/ReportNumbers.hpp"
#include "composition/report/SvgPlotFrame.hpp"
#include "composition/report/SvgTheme.hpp"
#include "composition/report/SvgTimeAxis.hpp"
#include "composition/report/SvgValueAxis.hpp"
#include "composition/report/SvgWriter.hpp"

namespace openmi {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::vector<std::string> Labels(const std::vector<TimeTick>& ticks) {
  std::vector<std::string> labels;
  for (const TimeTick& tick : ticks) {
    labels.push_back(tick.label);
  }
  return labels;
}

std::vector<std::string> Labels(const SvgValueAxis& axis) {
  std::vector<std::string> labels;
  for (const ValueTick& tick : axis.ticks) {
    labels.push_back(tick.label);
  }
  return labels;
}

TEST(EscapeMarkup, EscapesWhatMarkupMeansAndDropsWhatXmlForbids) {
  EXPECT_EQ(EscapeMarkup("a<b>&\"'"), "a&lt;b&gt;&amp;&quot;&#39;");
  EXPECT_EQ(EscapeMarkup("line\nnext\ttab\x01\x1B\x7F."), "line\nnext\ttab.");
  EXPECT_EQ(EscapeMarkup("m\xC2\xB3 \xF0\x9F\x8C\xA7"), "m\xC2\xB3 \xF0\x9F\x8C\xA7");
}

TEST(EscapeMarkup, ReplacesBytesThatAreNoUtf8) {
  const std::string replacement = "\xEF\xBF\xBD";
  EXPECT_EQ(EscapeMarkup("\xFF"), replacement);
  EXPECT_EQ(EscapeMarkup("\xC2"), replacement);                                 // cut short
  EXPECT_EQ(EscapeMarkup("\xC0\xAF"), replacement + replacement);               // overlong
  EXPECT_THAT(EscapeMarkup("\xED\xA0\x80"), testing::StartsWith(replacement));  // a surrogate
  EXPECT_THAT(EscapeMarkup("\xC2\x9B"
                           "31m"),
              testing::StrEq("31m"));  // a control character
}

TEST(FormatCoordinate, IsShortAndNeverWordy) {
  EXPECT_EQ(FormatCoordinate(12.0), "12");
  EXPECT_EQ(FormatCoordinate(12.34), "12.3");
  EXPECT_EQ(FormatCoordinate(-0.01), "0");
  EXPECT_EQ(FormatCoordinate(100.0), "100");
  EXPECT_EQ(FormatCoordinate(NAN), "0");
}

TEST(SvgWriter, ClosesWhatIsOpenAndEscapesAttributes) {
  SvgWriter svg(10, 20, SvgUse::Standalone, "a \"label\" <");
  svg.RootAttribute("data-x", "<&\"");
  svg.Open("g", "one\"two");
  svg.TextAt(1, 2, "a<b", "m", "end");
  const std::string text = svg.Finish();
  ASSERT_TRUE(CheckMarkup(text).is_well_formed) << CheckMarkup(text).problem;
  EXPECT_EQ(TextOf(text, "/svg/@data-x"), "<&\"");
  EXPECT_EQ(TextOf(text, "//g/@class"), "one\"two");
  EXPECT_EQ(TextOf(text, "//text"), "a<b");
}

TEST(FitText, NeverCutsInsideACharacter) {
  EXPECT_EQ(FitText("short", 11, 100), "short");
  const std::string cut = FitText("\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4", 11, 30);
  EXPECT_THAT(cut, testing::EndsWith("\xE2\x80\xA6"));
  EXPECT_EQ(EscapeMarkup(cut), cut);
  EXPECT_LE(TextWidth(cut, 11), 31.0);
}

TEST(Theme, HasNoUnfilledColour) {
  for (const std::string& style : {InlineSvgStyle(), StandaloneSvgStyle(), LightColours(), DarkColours()}) {
    EXPECT_THAT(style, Not(HasSubstr("@series")));
    EXPECT_THAT(style, Not(HasSubstr(":;")));
  }
  EXPECT_THAT(StandaloneSvgStyle(), Not(HasSubstr("var(")));
  EXPECT_THAT(InlineSvgStyle(), Not(HasSubstr("#")));
}

TEST(Theme, ScalesColoursFromDarkToLight) {
  EXPECT_EQ(ScaleColour(0.0), "#440154");
  EXPECT_EQ(ScaleColour(0.5), "#21908d");
  EXPECT_EQ(ScaleColour(1.0), "#fde725");
  EXPECT_EQ(ScaleColour(-3.0), "#440154");
}

TEST(IsoTime, WritesDatesAndOnlyTheSecondsThatAreThere) {
  EXPECT_EQ(ShortIsoTime(57357.0), "2015-12-01T00:00Z");
  EXPECT_EQ(ShortIsoTime(57357.25 + 1.0 / 86400.0), "2015-12-01T06:00:01Z");
  EXPECT_EQ(ShortIsoTime(57357.0 + 0.25 / 86400.0), "2015-12-01T00:00:00.250Z");
  EXPECT_EQ(ShortIsoTime(0.0), "1858-11-17T00:00Z");
  EXPECT_EQ(ShortIsoTime(-0.5), "1858-11-16T12:00Z");
  EXPECT_EQ(ShortIsoDate(60369.0), "2024-02-29");
  EXPECT_EQ(ShortIsoTime(NAN), "-");
  EXPECT_EQ(ShortIsoTime(1e300), "MJD 1e+300");
}

TEST(IsoTime, TakesAStampForTheNearestMillisecond) {
  EXPECT_EQ(ShortIsoTime(57357.0 + 13.0 / 24.0 - 1e-11), "2015-12-01T13:00Z");
}

TEST(TimeTicks, AreRoundAtEveryScale) {
  EXPECT_THAT(Labels(TimeTicks(57357.0, 57357.0 + 10.0 / 86400.0, 6)),
              ElementsAre("00:00", "00:00:02", "00:00:04", "00:00:06", "00:00:08", "00:00:10"));
  EXPECT_THAT(Labels(TimeTicks(57357.0, 57357.0 + 0.5, 4)), ElementsAre("00:00", "03:00", "06:00", "09:00", "12:00"));
  EXPECT_THAT(Labels(TimeTicks(57357.0, 57387.0, 8)),
              ElementsAre("2015-12-01", "2015-12-06", "2015-12-11", "2015-12-16", "2015-12-21", "2015-12-26"));
  EXPECT_THAT(Labels(TimeTicks(57357.0, 57357.0 + 400.0, 6)),
              ElementsAre("2016-01", "2016-04", "2016-07", "2016-10", "2017-01"));
  EXPECT_THAT(Labels(TimeTicks(51544.0, 51544.0 + 3660.0, 6)),
              ElementsAre("2000", "2002", "2004", "2006", "2008", "2010"));
}

TEST(TimeTicks, NameTheDateOncePerDay) {
  const auto ticks = TimeTicks(57357.5, 57358.5, 5);
  ASSERT_EQ(ticks.size(), 5u);
  EXPECT_EQ(ticks[0].sublabel, "2015-12-01");
  EXPECT_EQ(ticks[1].sublabel, "");
  EXPECT_EQ(ticks[2].label, "00:00");
  EXPECT_EQ(ticks[2].sublabel, "2015-12-02");
}

TEST(TimeTicks, OfNoTimeAreNone) {
  EXPECT_THAT(TimeTicks(5.0, 5.0, 5), IsEmpty());
  EXPECT_THAT(TimeTicks(5.0, NAN, 5), IsEmpty());
}

TEST(LinearAxis, HasRoundEndsAndLabels) {
  const SvgValueAxis axis = LinearAxis(0.13, 9.2, 6);
  EXPECT_THAT(Labels(axis), ElementsAre("0", "2", "4", "6", "8", "10"));
  EXPECT_EQ(axis.Fraction(5.0), 0.5);
  EXPECT_THAT(Labels(LinearAxis(-0.4, 0.6, 6)), ElementsAre("\xE2\x88\x92"
                                                            "0.4",
                                                            "\xE2\x88\x92"
                                                            "0.2",
                                                            "0.0", "0.2", "0.4", "0.6"));
}

TEST(LinearAxis, TellsMarksApartThatDifferInLateDigits) {
  const SvgValueAxis axis = LinearAxis(1.7e9, 1.7e9 + 1.0, 3);
  EXPECT_THAT(Labels(axis), ElementsAre("1.7000000000", "1.7000000005", "1.7000000010"));
  EXPECT_THAT(Labels(LinearAxis(0.1, 0.1 + 2e-9, 3)), ElementsAre("0.100000000", "0.100000001", "0.100000002"));
}

TEST(LinearAxis, PutsPowersOfTenInTheUnit) {
  const SvgValueAxis axis = LinearAxis(0.0, 3.28e-5, 5);
  EXPECT_EQ(axis.exponent, -6);
  EXPECT_EQ(axis.UnitLabel("m h-1"),
            "\xC3\x97"
            "10\xE2\x81\xBB\xE2\x81\xB6 m h\xE2\x81\xBB\xC2\xB9");
  EXPECT_THAT(Labels(axis), ElementsAre("0", "10", "20", "30", "40"));
}

TEST(LinearAxis, MakesUpARangeWhereThereIsNone) {
  for (const double value : {0.0, 5.0, -5.0, 1e300, double{NAN}}) {
    const SvgValueAxis axis = LinearAxis(value, value);
    EXPECT_LT(axis.low, axis.high) << value;
    EXPECT_GE(axis.ticks.size(), 2u) << value;
    EXPECT_LT(axis.ticks.size(), 20u) << value;
  }
}

TEST(LogarithmicAxis, SpansWholeDecadesAndHasNoPlaceForZero) {
  const SvgValueAxis axis = LogarithmicAxis(0.02, 30.0);
  EXPECT_THAT(Labels(axis), ElementsAre("0.01", "0.1", "1", "10", "100"));
  EXPECT_NEAR(axis.Fraction(1.0), 0.5, 1e-12);
  EXPECT_TRUE(std::isnan(axis.Fraction(0.0)));
  EXPECT_EQ(LogarithmicAxis(1e-30, 1.0).low, 1e-8);
}

TEST(ReportNumbers, AreWrittenForPeople) {
  EXPECT_EQ(FormatNumber(11942541.25, 9),
            "11\xE2\x80\x89"
            "942\xE2\x80\x89"
            "541.2");
  EXPECT_EQ(FormatNumber(0.746389, 3), "0.746");
  EXPECT_EQ(FormatNumber(-1234.0),
            "\xE2\x88\x92"
            "1234");
  EXPECT_EQ(FormatNumber(3.1e-13, 2),
            "3.1\xE2\x80\x89\xC3\x97\xE2\x80\x89"
            "10\xE2\x81\xBB\xC2\xB9\xC2\xB3");
  EXPECT_EQ(FormatNumber(9.99999e5, 3),
            "999\xE2\x80\x89"
            "999");  // digits before the point are never rounded away
  EXPECT_EQ(FormatNumber(0.0), "0");
  EXPECT_EQ(FormatNumber(NAN), "\xE2\x80\x93");
  EXPECT_EQ(FormatPercent(0.0316), "+3.2\xE2\x80\x89%");
  EXPECT_EQ(FormatPercent(-0.00001), "0.0\xE2\x80\x89%");
  EXPECT_EQ(FormatRelative(1e-3), "+0.100\xE2\x80\x89%");
  EXPECT_EQ(FormatSeconds(0.0042), "4.2\xE2\x80\x89ms");
  EXPECT_EQ(FormatSeconds(125.0), "2\xE2\x80\x89min 5\xE2\x80\x89s");
  EXPECT_EQ(FormatBytes(82344.0), "82.3\xE2\x80\x89kB");
}

TEST(PrettyUnit, RaisesExponentsOnly) {
  EXPECT_EQ(PrettyUnit("m3 s-1"), "m\xC2\xB3 s\xE2\x81\xBB\xC2\xB9");
  EXPECT_EQ(PrettyUnit("m^3/s"), "m\xC2\xB3/s");
  EXPECT_EQ(PrettyUnit("s m-1/3"), "s m^(-1/3)") << "not a third of s m-1";
  EXPECT_EQ(PrettyUnit("m^1/2 s-1"), "m^(1/2) s\xE2\x81\xBB\xC2\xB9");
  EXPECT_EQ(PrettyUnit("kW-h"), "kW-h");
  EXPECT_EQ(PrettyUnit("1e3 m"), "1e3 m");
  EXPECT_EQ(PrettyUnit("H2O"), "H2O");
}

TEST(Decimate, KeepsExtremesAndGaps) {
  constexpr std::size_t count = 100000;
  std::vector<double> times(count);
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    times[i] = static_cast<double>(i);
    values[i] = std::sin(0.01 * static_cast<double>(i));
  }
  values[31337] = 50.0;
  values[77777] = -60.0;
  std::fill(values.begin() + 50000, values.begin() + 60000, NAN);
  const auto indices = DecimateIndices(times, values, 0.0, static_cast<double>(count - 1), 400);
  EXPECT_LE(indices.size(), 2005u);
  EXPECT_THAT(indices, Contains(0u));
  EXPECT_THAT(indices, Contains(31337u));
  EXPECT_THAT(indices, Contains(77777u));
  EXPECT_THAT(indices, Contains(count - 1));
  EXPECT_TRUE(std::is_sorted(indices.begin(), indices.end()));
  EXPECT_TRUE(std::any_of(indices.begin(), indices.end(), [&](std::size_t i) { return std::isnan(values[i]); }));
}

TEST(Decimate, KeepsAllOfAShortSeries) {
  const std::vector<double> four{1, 2, 3, 4};
  EXPECT_THAT(DecimateIndices(four, four, 1.0, 4.0, 10), ElementsAre(0, 1, 2, 3));
}

TEST(Png, EncodesBase64AsTheStandardSays) {
  EXPECT_EQ(EncodeBase64(""), "");
  EXPECT_EQ(EncodeBase64("f"), "Zg==");
  EXPECT_EQ(EncodeBase64("fo"), "Zm8=");
  EXPECT_EQ(EncodeBase64("foobar"), "Zm9vYmFy");
}

TEST(Png, BeginsWithTheSignatureAndTheSize) {
  const std::vector<double> cells{0.0, 1.0, NAN, 0.5, 0.2, 0.8};
  // Signature, length 13, "IHDR", width 3, height 2, depth 8, palette.
  EXPECT_THAT(ColourImage(cells, 3, 0.0, 1.0),
              testing::StartsWith("data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAMAAA"));
}

}  // namespace
}  // namespace openmi
