#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "openmi/sdk/Missing.hpp"
#include "study/design/Design.hpp"
#include "study/design/SobolIndices.hpp"

namespace openmi {
namespace {

constexpr std::size_t kBase = 4096;

std::vector<SobolPair> IndicesOf(std::size_t dimensions, const std::function<double(const double*)>& function) {
  const std::vector<double> points = SaltelliPoints(kBase, dimensions, 1);
  std::vector<double> results;
  for (std::size_t i = 0; i < points.size(); i += dimensions) results.push_back(function(points.data() + i));
  return ComputeSobolIndices(results, dimensions);
}

// The stated error is that of independent points; those of the sequence are spread more evenly, so it is an upper
// bound.
void ExpectWithin(const SobolIndex& index, double known, const char* what) {
  EXPECT_NEAR(index.value, known, index.error + 1e-3) << what;
  EXPECT_LT(index.error, 0.1) << what;
}

// f = sin x1 + a sin^2 x2 + b x3^4 sin x1 on [-pi, pi]^3, a = 7, b = 0.1. Source: [Ishigami1990].
TEST(SobolIndices, OfIshigamisFunction) {
  constexpr double kPi = std::numbers::pi;
  const auto indices = IndicesOf(3, [](const double* u) {
    const auto x = [u](int i) { return kPi * (2.0 * u[i] - 1.0); };
    return std::sin(x(0)) + 7.0 * std::pow(std::sin(x(1)), 2) + 0.1 * std::pow(x(2), 4) * std::sin(x(0));
  });
  const double v1 = 0.5 * std::pow(1.0 + 0.1 * std::pow(kPi, 4) / 5.0, 2);
  const double v2 = 49.0 / 8.0;
  const double v13 = 0.01 * std::pow(kPi, 8) * (1.0 / 18.0 - 1.0 / 50.0);
  const double variance = v1 + v2 + v13;
  ExpectWithin(indices[0].first, v1 / variance, "S1");
  ExpectWithin(indices[1].first, v2 / variance, "S2");
  ExpectWithin(indices[2].first, 0.0, "S3");
  ExpectWithin(indices[0].total, (v1 + v13) / variance, "T1");
  ExpectWithin(indices[1].total, v2 / variance, "T2");
  ExpectWithin(indices[2].total, v13 / variance, "T3");
}

// f = prod (|4 x - 2| + a) / (1 + a) on [0, 1]^8. Source: [Saltelli2010], section 5.
TEST(SobolIndices, OfTheGFunction) {
  const std::vector<double> a = {0.0, 1.0, 4.5, 9.0, 99.0, 99.0, 99.0, 99.0};
  const auto indices = IndicesOf(a.size(), [&](const double* u) {
    double product = 1.0;
    for (std::size_t i = 0; i < a.size(); ++i) product *= (std::abs(4.0 * u[i] - 2.0) + a[i]) / (1.0 + a[i]);
    return product;
  });
  double all = 1.0;
  std::vector<double> parts;
  for (const double one : a) {
    parts.push_back(1.0 / (3.0 * (1.0 + one) * (1.0 + one)));
    all *= 1.0 + parts.back();
  }
  for (std::size_t i = 0; i < a.size(); ++i) {
    ExpectWithin(indices[i].first, parts[i] / (all - 1.0), "first");
    ExpectWithin(indices[i].total, parts[i] * all / (1.0 + parts[i]) / (all - 1.0), "total");
  }
}

TEST(SobolIndices, LeaveOutBasePointsWithAMissingResult) {
  std::vector<double> results;
  for (int i = 0; i < 40; ++i) results.push_back(std::sin(i * 1.7));
  const auto whole = ComputeSobolIndices(results, 2);
  results.insert(results.end(), {1.0, kNotANumber, 3.0, 4.0});
  const auto with_missing = ComputeSobolIndices(results, 2);
  EXPECT_EQ(whole[0].first.value, with_missing[0].first.value);
  EXPECT_EQ(whole[1].total.value, with_missing[1].total.value);
}

TEST(SobolIndices, AreMissingWhereNothingVaries) {
  const auto indices = ComputeSobolIndices(std::vector<double>(40, 2.5), 2);
  EXPECT_TRUE(std::isnan(indices[0].first.value));
  EXPECT_TRUE(std::isnan(indices[0].total.value));
}

}  // namespace
}  // namespace openmi
