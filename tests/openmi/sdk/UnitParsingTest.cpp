#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Unit.hpp"
#include "tests/openmi/sdk/DecimalCommaLocale.hpp"

namespace openmi {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

struct Expected {
  const char* text;
  double factor;
  const char* dimension;
};

void PrintTo(const Expected& expected, std::ostream* out) {
  *out << expected.text;
}

class UnitOf : public testing::TestWithParam<Expected> {};

// Every factor is the double nearest to the exact one: compared for equality.
TEST_P(UnitOf, HasTheExactFactorAndDimension) {
  const Unit unit = Unit::Parse(GetParam().text);
  EXPECT_EQ(unit.ConversionFactorToSI(), GetParam().factor);
  EXPECT_EQ(unit.OffSetToSI(), 0.0);
  EXPECT_EQ(unit.Dimension().Text(), GetParam().dimension);
  EXPECT_EQ(unit.Caption(), GetParam().text);
}

constexpr double kCubicFoot = 0.028316846592;

INSTANTIATE_TEST_SUITE_P(
    Hydrology, UnitOf,
    testing::Values(Expected{"m3 s-1", 1.0, "L3 T-1"}, Expected{"m3/s", 1.0, "L3 T-1"},
                    Expected{"m^3/s", 1.0, "L3 T-1"}, Expected{"m\u00b3/s", 1.0, "L3 T-1"},
                    Expected{"m**3 s-1", 1.0, "L3 T-1"}, Expected{"m\u00b3 s\u207b\u00b9", 1.0, "L3 T-1"},
                    Expected{"m3.s-1", 1.0, "L3 T-1"}, Expected{"m3\u00b7s-1", 1.0, "L3 T-1"},
                    Expected{"m3 s^-1", 1.0, "L3 T-1"}, Expected{"mm/h", 1.0 / 3600000.0, "L T-1"},
                    Expected{"mm h-1", 1.0 / 3600000.0, "L T-1"}, Expected{"mm/hour", 1.0 / 3600000.0, "L T-1"},
                    Expected{"mm/hr", 1.0 / 3600000.0, "L T-1"}, Expected{"mm/day", 0.001 / 86400.0, "L T-1"},
                    Expected{"mm/d", 0.001 / 86400.0, "L T-1"}, Expected{"mm d-1", 1.0 / 86400000.0, "L T-1"},
                    Expected{"in/h", 127.0 / 18000000.0, "L T-1"}, Expected{"m3/day", 1.0 / 86400.0, "L3 T-1"},
                    Expected{"l/s", 0.001, "L3 T-1"}, Expected{"L", 0.001, "L3"}, Expected{"litre", 0.001, "L3"},
                    Expected{"liter", 0.001, "L3"}, Expected{"l s-1 km-2", 1e-9, "L T-1"},
                    Expected{"m3/(s km2)", 1e-6, "L T-1"}, Expected{"ft3/s", kCubicFoot, "L3 T-1"},
                    Expected{"ft", 0.3048, "L"}, Expected{"km2", 1e6, "L2"}, Expected{"ha", 1e4, "L2"},
                    Expected{"hm3", 1e6, "L3"}, Expected{"m2/s", 1.0, "L2 T-1"}, Expected{"d", 86400.0, "T"},
                    Expected{"h", 3600.0, "T"}, Expected{"1/s", 1.0, "T-1"}, Expected{"/s", 1.0, "T-1"},
                    Expected{"s-1", 1.0, "T-1"}));

INSTANTIATE_TEST_SUITE_P(
    Others, UnitOf,
    testing::Values(Expected{"1", 1.0, "1"}, Expected{"-", 1.0, "1"}, Expected{"%", 0.01, "1"},
                    Expected{"ppm", 1e-6, "1"}, Expected{"m3/m3", 1.0, "1"}, Expected{"rad", 1.0, "1"},
                    Expected{"kg m-2 s-1", 1.0, "L-2 M T-1"}, Expected{"kg/m2/s", 1.0, "L-2 M T-1"},
                    Expected{"mg/l", 0.001, "L-3 M"}, Expected{"g", 0.001, "M"}, Expected{"W m-2", 1.0, "M T-3"},
                    Expected{"J kg-1 K-1", 1.0, "L2 T-2 K-1"}, Expected{"hPa", 100.0, "L-1 M T-2"},
                    Expected{"kWh", 3.6e6, "L2 M T-2"}, Expected{"GWh", 3.6e12, "L2 M T-2"},
                    Expected{"mol m-3", 1.0, "L-3 N"}, Expected{"cd", 1.0, "J"}, Expected{"V", 1.0, "L2 M T-3 I-1"},
                    Expected{"K", 1.0, "K"}, Expected{"EUR", 1.0, "E"}, Expected{"euro", 1.0, "E"},
                    Expected{"euros", 1.0, "E"}, Expected{"\u20ac/m3", 1.0, "L-3 E"}, Expected{"EUR m-3", 1.0, "L-3 E"},
                    Expected{"kEUR", 1000.0, "E"}, Expected{"1e-3 m", 0.001, "L"}, Expected{"\u00b5m", 1e-6, "L"},
                    Expected{"\u03bcm", 1e-6, "L"}, Expected{"0.5 m", 0.5, "L"}, Expected{"unitless", 1.0, "1"},
                    Expected{"Unitless", 1.0, "1"}));

INSTANTIATE_TEST_SUITE_P(WaterNetworks, UnitOf,
                         testing::Values(Expected{"CFS", kCubicFoot, "L3 T-1"}, Expected{"cms", 1.0, "L3 T-1"},
                                         Expected{"CMD", 1.0 / 86400.0, "L3 T-1"},
                                         Expected{"CMH", 1.0 / 3600.0, "L3 T-1"}, Expected{"LPS", 0.001, "L3 T-1"},
                                         Expected{"LPM", 1.0 / 60000.0, "L3 T-1"},
                                         Expected{"MLD", 1000.0 / 86400.0, "L3 T-1"},
                                         Expected{"IMGD", 4546.09 / 86400.0, "L3 T-1"},
                                         Expected{"GPM", 157725491.0 / 2500000000000.0, "L3 T-1"},
                                         Expected{"gallon/min", 157725491.0 / 2500000000000.0, "L3 T-1"},
                                         Expected{"gallons", 0.003785411784, "L3"},
                                         Expected{"ft3/day", 2048383.0 / 6250000000000.0, "L3 T-1"},
                                         Expected{"AFD", 1233.48183754752 / 86400.0, "L3 T-1"},
                                         Expected{"MGD", 3785.411784 / 86400.0, "L3 T-1"}));

TEST(UnitParse, ReadsTemperaturesWithTheirOffset) {
  for (const char* text : {"degC", "celsius", "\u00b0C", "\u2103"}) {
    EXPECT_EQ(Unit::Parse(text).ConversionFactorToSI(), 1.0) << text;
    EXPECT_EQ(Unit::Parse(text).OffSetToSI(), 273.15) << text;
    EXPECT_EQ(Unit::Parse(text).Dimension().Text(), "K") << text;
  }
  const Unit fahrenheit = Unit::Parse("degF");
  EXPECT_EQ(fahrenheit.ConversionFactorToSI(), 5.0 / 9.0);
  EXPECT_EQ(fahrenheit.OffSetToSI(), 45967.0 / 180.0);
}

TEST(UnitParse, TakesTheEmptyTextForDimensionless) {
  EXPECT_EQ(Unit::Parse("").ConversionFactorToSI(), 1.0);
  EXPECT_EQ(Unit::Parse("").Caption(), "1");
  EXPECT_EQ(Unit::Parse("  ").Dimension(), Dimension());
}

TEST(UnitParse, IgnoresSpaceAround) {
  EXPECT_EQ(Unit::Parse(" mm h-1 \n").ConversionFactorToSI(), 1.0 / 3600000.0);
  EXPECT_EQ(Unit::Parse(" mm h-1 \n").Caption(), "mm h-1");
}

TEST(UnitParse, NamesTheTextAndARemedy) {
  EXPECT_THAT([] { Unit::Parse("foo"); },
              ThrowsMessage<UnitError>(AllOf(HasSubstr("expected a unit, found 'foo'"), HasSubstr("UDUNITS-2"))));
  EXPECT_THAT([] { Unit::Parse("M3/S"); }, ThrowsMessage<UnitError>(HasSubstr("did you mean 'm3/s'?")));
  EXPECT_THAT([] { Unit::Parse("milimeter"); }, ThrowsMessage<UnitError>(HasSubstr("did you mean 'millimeter'?")));
  EXPECT_THAT([] { Unit::Parse("celcius"); }, ThrowsMessage<UnitError>(HasSubstr("did you mean 'celsius'?")));
  EXPECT_THROW(Unit::Parse("m3s-1"), UnitError);
  EXPECT_THROW(Unit::Parse("0 m"), UnitError);
  EXPECT_THROW(Unit::Parse("m3 - s"), UnitError);
  EXPECT_THROW(Unit::Parse("\xff\xfe"), UnitError);
  EXPECT_THROW(Unit::Parse(std::string("m\0s", 3)), UnitError);
  EXPECT_THROW(Unit::Parse(std::string(100000, '(')), UnitError);
}

TEST(UnitParse, RefusesWhatNoFactorDescribes) {
  EXPECT_THAT([] { Unit::Parse("dBZ"); }, ThrowsMessage<UnitError>(HasSubstr("a logarithmic unit")));
  EXPECT_THAT([] { Unit::Parse("days since 2000-01-01"); }, ThrowsMessage<UnitError>(HasSubstr("a time since a date")));
}

TEST(UnitParse, RefusesFractionalPowersInsteadOfMisreadingThem) {
  // UDUNITS-2 alone reads m^0.5 as five.
  EXPECT_THAT([] { Unit::Parse("m^0.5"); }, ThrowsMessage<UnitError>(HasSubstr("whole powers")));
  EXPECT_THROW(Unit::Parse("m1.5 s-1"), UnitError);
  EXPECT_THROW(Unit::Parse("m**0.5"), UnitError);
  EXPECT_THROW(Unit::Parse("m^(1/2)"), UnitError);
}

TEST(UnitParse, IsQuietOnStandardError) {
  testing::internal::CaptureStderr();
  EXPECT_THROW(Unit::Parse("no such unit"), UnitError);
  EXPECT_THROW(Unit::Parse("m^^3"), UnitError);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(UnitParse, MayBeCalledByAnyThread) {
  const std::vector<std::string> texts{"mm/h", "degC", "kg m-3", "ft3/s", "EUR", "nonsense", "l/s", "km2"};
  std::vector<std::thread> threads;
  std::vector<int> wrong(8, 0);
  for (std::size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 500; ++i) {
        const std::string text =
            std::to_string(i % 17 + 2) + " " + texts[(static_cast<std::size_t>(i) + t) % texts.size()];
        try {
          if (Unit::Parse(text).Caption() != text) ++wrong[t];
        } catch (const UnitError&) {
          if (text.find("nonsense") == std::string::npos) ++wrong[t];
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(8, 0));
}

// In a process of its own, so that the database itself is read under the locale: there UDUNITS-2 alone fails.
TEST(UnitParseDeathTest, WorksUnderADecimalComma) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  {
    const tests::DecimalCommaLocale locale;
    if (!locale.IsComplete()) GTEST_SKIP() << "no German locale, and localedef makes none";
  }
  EXPECT_EXIT(
      {
        bool right = false;
        {
          const tests::DecimalCommaLocale locale;
          right = Unit::Parse("ft3/s").ConversionFactorToSI() == kCubicFoot &&
                  Unit::Parse("0.5 m").ConversionFactorToSI() == 0.5 && Unit::Parse("degC").OffSetToSI() == 273.15;
          char text[8];
          std::snprintf(text, sizeof text, "%.1f", 1.5);
          right = right && std::string(text) == "1,5";  // the caller's locale is left as it was
        }
        std::exit(right ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

TEST(UnitParseDeathTest, SaysWhatToInstallWhereTheDatabaseIsMissing) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        setenv("UDUNITS2_XML_PATH", "/nonexistent/udunits2.xml", 1);
        int code = 1;
        try {
          Unit::Parse("m");
        } catch (const UnitError& error) {
          code = std::string(error.what()).find("libudunits2-data") == std::string::npos ? 2 : 0;
        }
        std::exit(code);
      },
      testing::ExitedWithCode(0), "^$");
}

}  // namespace
}  // namespace openmi
