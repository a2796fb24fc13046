#include <gtest/gtest.h>

#include <cmath>

#include "composition/measures/Efficiency.hpp"
#include "composition/measures/WindowMeasures.hpp"

namespace openmi {
namespace {

constexpr double kRounding = 1e-15;

PairedValues Pairs(std::vector<double> observed, std::vector<double> simulated) {
  PairedValues pairs;
  for (std::size_t i = 0; i < observed.size(); ++i) {
    pairs.times.push_back(57000.0 + static_cast<double>(i) / 24.0);
  }
  pairs.observed = std::move(observed);
  pairs.simulated = std::move(simulated);
  return pairs;
}

// Mean observed 2.5, squares around it 5; mean simulated 3, squares around it 14; products 8; squared errors 4.
const PairedValues kFour = Pairs({1, 2, 3, 4}, {1, 2, 3, 6});

TEST(NashSutcliffe, EqualsTheNumberWorkedOutByHand) {
  EXPECT_NEAR(NashSutcliffe(kFour), 1.0 - 4.0 / 5.0, kRounding);
}

TEST(NashSutcliffe, IsOneForAPerfectModelAndZeroForTheMean) {
  EXPECT_EQ(NashSutcliffe(Pairs({1, 2, 6}, {1, 2, 6})), 1.0);
  EXPECT_EQ(NashSutcliffe(Pairs({1, 2, 6}, {3, 3, 3})), 0.0);
}

TEST(NashSutcliffe, IsUndefinedWhereTheObservationDoesNotVaryOrIsAlone) {
  EXPECT_TRUE(std::isnan(NashSutcliffe(Pairs({2, 2, 2}, {2, 2, 2}))));
  EXPECT_TRUE(std::isnan(NashSutcliffe(Pairs({2}, {2}))));
  EXPECT_TRUE(std::isnan(NashSutcliffe({})));
}

TEST(KlingGupta, EqualsTheThreePartsWorkedOutByHand) {
  const KlingGupta kge = KlingGuptaEfficiency(kFour);
  EXPECT_NEAR(kge.correlation, 0.9561828874675149, kRounding);  // 8 / sqrt(5 * 14)
  EXPECT_NEAR(kge.variability, 1.6733200530681511, kRounding);  // sqrt(14 / 5)
  EXPECT_NEAR(kge.bias, 1.2, kRounding);                        // 3 / 2.5
  EXPECT_NEAR(kge.efficiency, 0.2962387953187656, 4 * kRounding);
}

TEST(KlingGupta, IsOneForAPerfectModel) {
  const KlingGupta kge = KlingGuptaEfficiency(Pairs({1, 2, 6}, {1, 2, 6}));
  EXPECT_NEAR(kge.efficiency, 1.0, 1e-15);
}

TEST(KlingGupta, HasNoCorrelationWithAConstantButStillABias) {
  const KlingGupta kge = KlingGuptaEfficiency(Pairs({1, 2, 6}, {3, 3, 3}));
  EXPECT_TRUE(std::isnan(kge.correlation));
  EXPECT_EQ(kge.variability, 0.0);
  EXPECT_EQ(kge.bias, 1.0);
  EXPECT_TRUE(std::isnan(kge.efficiency));
}

TEST(LogNashSutcliffe, AddsAHundredthOfTheObservedMeanSoThatZeroCounts) {
  const LogEfficiency result = LogNashSutcliffe(Pairs({0, 200}, {std::exp(1.0) - 1.0, 200}));
  EXPECT_EQ(result.epsilon, 1.0);
  EXPECT_EQ(result.left_out, 0u);
  // Logarithms 0 and ln 201 against 1 and ln 201: squared error 1, squares around the mean (ln 201)^2 / 2.
  EXPECT_NEAR(result.efficiency, 1.0 - 2.0 / std::pow(std::log(201.0), 2), kRounding);
}

TEST(LogNashSutcliffe, DoesNotDependOnTheUnit) {
  const double metres = LogNashSutcliffe(Pairs({0.0, 0.001, 0.004}, {0.0005, 0.001, 0.003})).efficiency;
  const double millimetres = LogNashSutcliffe(Pairs({0.0, 1.0, 4.0}, {0.5, 1.0, 3.0})).efficiency;
  EXPECT_NEAR(metres, millimetres, 1e-14);
}

TEST(LogNashSutcliffe, CountsPairsWithNegativeFlow) {
  const LogEfficiency result = LogNashSutcliffe(Pairs({1, 2, 3}, {1, -2, 3}));
  EXPECT_EQ(result.left_out, 1u);
  EXPECT_EQ(result.efficiency, 1.0);
}

TEST(Errors, OfVolumeSizeAndBiasEqualTheNumbersWorkedOutByHand) {
  EXPECT_NEAR(VolumeError(kFour), 0.2, kRounding);          // (12 - 10) / 10
  EXPECT_NEAR(RootMeanSquareError(kFour), 1.0, kRounding);  // sqrt(4 / 4)
  EXPECT_NEAR(MeanBias(kFour), 0.5, kRounding);             // 2 / 4
}

TEST(Errors, AreUndefinedWithoutPairsOrVolume) {
  EXPECT_TRUE(std::isnan(VolumeError({})));
  EXPECT_TRUE(std::isnan(RootMeanSquareError({})));
  EXPECT_TRUE(std::isnan(MeanBias({})));
  EXPECT_TRUE(std::isnan(VolumeError(Pairs({0, 0}, {1, 1}))));
}

TEST(PeakError, TellsSizeAndHours) {
  const PeakError peak = ComparePeaks(Pairs({1, 8, 3, 2, 1}, {1, 2, 3, 6, 1}));
  EXPECT_EQ(peak.observed, 8.0);
  EXPECT_EQ(peak.simulated, 6.0);
  EXPECT_NEAR(peak.size, -0.25, kRounding);
  EXPECT_NEAR(peak.hours, 2.0, 1e-9);  // stamps near 57000 d resolve 1.7e-10 h
}

TEST(PeakError, TakesTheFirstOfEqualPeaks) {
  const PeakError peak = ComparePeaks(Pairs({1, 8, 8, 2}, {6, 2, 6, 1}));
  EXPECT_NEAR(peak.hours, -1.0, 1e-9);
}

TEST(PeakError, IsUndefinedWithoutPairs) {
  EXPECT_TRUE(std::isnan(ComparePeaks({}).hours));
}

}  // namespace
}  // namespace openmi
