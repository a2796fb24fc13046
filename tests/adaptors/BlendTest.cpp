#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "adaptors/kernels/Blend.hpp"
#include "adaptors/kernels/ConvertRow.hpp"
#include "tests/adaptors/Random.hpp"
#include "tests/support/Epsilon.hpp"

namespace openmi {
namespace {

using ::testing::ElementsAre;
using ::testing::IsNan;

constexpr double kGap = -999.0;

TEST(BlendRows, WeighsBothRows) {
  const std::vector<double> a{0.0, 10.0, -4.0}, b{8.0, 10.0, 4.0};
  std::vector<double> out(3);
  BlendRows(a, b, 0.25, out);
  EXPECT_THAT(out, ElementsAre(2.0, 10.0, -2.0));
  BlendRows(a, b, 1.5, out);
  EXPECT_THAT(out, ElementsAre(12.0, 10.0, 8.0));
}

TEST(BlendRows, MayWriteOverEitherRow) {
  std::vector<double> a(1001, 1.0), b(1001, 3.0);
  BlendRows(a, b, 0.5, a);
  EXPECT_EQ(a, std::vector<double>(1001, 2.0));
  BlendRows(a, b, 0.5, b);
  EXPECT_EQ(b, std::vector<double>(1001, 2.5));
}

TEST(BlendRows, MissingOnEitherSideIsMissing) {
  const std::vector<double> a{kNotANumber, 1.0, 1.0}, b{1.0, kNotANumber, 3.0};
  std::vector<double> out(3);
  BlendRows(a, b, 0.5, out);
  EXPECT_THAT(out, ElementsAre(IsNan(), IsNan(), 2.0));
}

TEST(BlendRows, ASentinelNeverLeaksIntoTheNumbers) {
  const std::vector<double> a{kGap, 1.0, 1.0, kNotANumber}, b{1.0, kGap, 3.0, 2.0};
  std::vector<double> out(4);
  BlendRows(a, b, 0.5, out, kGap);
  EXPECT_THAT(out, ElementsAre(kGap, kGap, 2.0, kGap));
}

TEST(BlendRows, AWeightOfZeroOrOneLeavesTheOtherRowOut) {
  const std::vector<double> a{1.0, kGap, std::numeric_limits<double>::infinity()}, b{kGap, 2.0, kNotANumber};
  std::vector<double> out(3);
  BlendRows(a, b, 0.0, out, kGap);
  EXPECT_THAT(out, ElementsAre(1.0, kGap, std::numeric_limits<double>::infinity()));
  BlendRows(a, b, 1.0, out, kGap);
  EXPECT_THAT(out, ElementsAre(kGap, 2.0, kGap));
}

TEST(BlendRows, HalvingTheStepQuartersTheError) {
  const auto discharge = [](double day) { return 40.0 + 15.0 * std::sin(2.0 * std::numbers::pi * day); };  // m3/s
  const auto max_error = [&](double step) {
    double worst = 0.0;
    for (double t = 0.0; t < 1.0; t += step) {
      const std::vector<double> a{discharge(t)}, b{discharge(t + step)};
      std::vector<double> out(1);
      BlendRows(a, b, 0.5, out);
      worst = std::max(worst, std::abs(out[0] - discharge(t + 0.5 * step)));
    }
    return worst;
  };
  EXPECT_NEAR(max_error(0.02) / max_error(0.01), 4.0, 0.05);
}

TEST(SumRows, NoTermIsZero) {
  std::vector<double> out(2, 7.0);
  SumRows(
      {}, [](std::size_t) { return std::span<const double>(); }, out);
  EXPECT_THAT(out, ElementsAre(0.0, 0.0));
}

TEST(SumRows, AWeightOfZeroSkipsItsRow) {
  const std::vector<std::vector<double>> rows{{kNotANumber, 1.0}, {2.0, 3.0}};
  const std::vector<RowWeight> weights{{0, 0.0}, {1, 1.0}};
  std::vector<double> out(2);
  SumRows(
      weights, [&](std::size_t i) { return std::span<const double>(rows[i]); }, out);
  EXPECT_THAT(out, ElementsAre(2.0, 3.0));
}

TEST(SumRows, WhatAShortRowLacksIsMissing) {
  const std::vector<std::vector<double>> rows{{1.0, 1.0, 1.0}, {2.0}};
  const std::vector<RowWeight> weights{{0, 0.5}, {1, 0.5}};
  std::vector<double> out(3);
  SumRows(
      weights, [&](std::size_t i) { return std::span<const double>(rows[i]); }, out, kGap);
  EXPECT_THAT(out, ElementsAre(1.5, kGap, kGap));
}

// Against a plain loop per element: the same sum in the same order, hence the same bits, with and without a sentinel,
// for lengths on both sides of the block and any number of terms.
TEST(SumRows, IsThePlainSumForAnyLengthAndAnyNumberOfTerms) {
  openmi::testing::Random random;
  for (int round = 0; round < 300; ++round) {
    const std::size_t elements = random.Index(2500);
    const std::size_t terms = 1 + random.Index(6);
    const double missing = random.Chance(0.5) ? kGap : kNotANumber;
    std::vector<std::vector<double>> rows(terms, std::vector<double>(elements));
    std::vector<RowWeight> weights;
    for (std::size_t k = 0; k < terms; ++k) {
      for (double& value : rows[k]) value = random.Chance(0.1) ? missing : random.Uniform(-1.0, 1.0);
      weights.push_back({k, random.Chance(0.2) ? 0.0 : random.Chance(0.2) ? 1.0 : random.Uniform(-2.0, 2.0)});
    }
    std::vector<double> out(elements);
    SumRows(
        weights, [&](std::size_t i) { return std::span<const double>(rows[i]); }, out, missing);
    for (std::size_t i = 0; i < elements; ++i) {
      double expected = 0.0;
      bool gap = false;
      for (std::size_t k = 0; k < terms; ++k) {
        if (weights[k].weight == 0.0) continue;
        gap = gap || IsMissing(rows[k][i], missing);
        expected += weights[k].weight * rows[k][i];
      }
      if (gap) {
        ASSERT_TRUE(IsMissing(out[i], missing)) << i;
        ASSERT_EQ(std::isnan(out[i]), std::isnan(missing));
      } else {
        ASSERT_EQ(out[i], expected) << i;
      }
    }
  }
}

TEST(ConvertRow, AppliesFactorAndOffset) {
  const std::vector<double> fahrenheit{32.0, 212.0, kGap, kNotANumber};
  std::vector<double> celsius(4);
  ConvertRow(fahrenheit, {.from_factor = 5.0 / 9.0, .from_offset = 459.67 * 5.0 / 9.0, .to_offset = 273.15}, celsius,
             kGap);
  // Terms of 273 lose the last bits: half an ulp of 512 for each of three operations.
  EXPECT_NEAR(celsius[0], 0.0, 3 * 256 * kEpsilon);
  EXPECT_NEAR(celsius[1], 100.0, 3 * 512 * kEpsilon);
  EXPECT_EQ(celsius[2], kGap);
  EXPECT_EQ(celsius[3], kGap);
}

TEST(ConvertRow, MillimetresPerHourToMetresPerSecond) {
  std::vector<double> rain{3.6, kNotANumber};
  ConvertRow(rain, {.from_factor = 0.001 / 3600.0}, rain);
  EXPECT_NEAR(rain[0], 1e-6, 2e-6 * kEpsilon);
  EXPECT_TRUE(std::isnan(rain[1]));
}

TEST(ConvertRow, EqualUnitsCopyBitForBit) {
  const std::vector<double> in{0.1, 1.0 / 3.0, 1e300, kNotANumber};
  std::vector<double> out(4);
  ConvertRow(in, {.from_factor = 0.3048, .from_offset = 7.7, .to_factor = 0.3048, .to_offset = 7.7}, out, kGap);
  EXPECT_THAT(out, ElementsAre(0.1, 1.0 / 3.0, 1e300, kGap));
}

}  // namespace
}  // namespace openmi
