#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include <cmath>
#include <numbers>

#include "openmi/sdk/Error.hpp"
#include "tests/timespace/MallocCount.hpp"
#include "timespace/files/Formula.hpp"

namespace openmi {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

double Value(const std::string& text, double x = 0.0) {
  Formula formula(text, {"x"});
  const std::vector<double> column{x};
  const std::span<const double> columns[] = {column};
  double out = -1e300;
  formula.Evaluate(columns, std::span(&out, 1));
  return out;
}

TEST(Formula, ComputesWhatItSays) {
  EXPECT_EQ(Value("1 + 2 * 3 ^ 2"), 19.0);
  EXPECT_EQ(Value("x > 2 ? x : -x", 3.0), 3.0);
  EXPECT_EQ(Value("x > 2 && x < 5 || x == 9 ? 1 : 0", 9.0), 1.0);
  EXPECT_DOUBLE_EQ(Value("atan2(1, -1) / pi"), 0.75);
  EXPECT_DOUBLE_EQ(Value("ln(e) + log10(100) + log2(8)"), 6.0);
  EXPECT_EQ(Value("min(3, x, 5) + max(1, 2)", 4.0), 5.0);
}

TEST(Formula, RowsOfSeveralVariables) {
  Formula speed("sqrt(u^2 + v^2)", {"u", "unused", "v"});
  EXPECT_THAT(speed.Used(), ElementsAre(0U, 2U));
  const double nan = std::nan("");
  const std::vector<double> u{3, 5, nan, 0}, unused{nan, nan, nan, nan}, v{4, 12, 1, nan};
  const std::span<const double> columns[] = {u, unused, v};
  std::vector<double> out(4);
  speed.Evaluate(columns, out);
  EXPECT_EQ(out[0], 5.0);
  EXPECT_EQ(out[1], 13.0);
  EXPECT_TRUE(std::isnan(out[2]));
  EXPECT_TRUE(std::isnan(out[3]));
}

TEST(Formula, WhatHasNoValueIsMissing) {
  EXPECT_TRUE(std::isnan(Value("sqrt(x)", -1.0)));
  EXPECT_TRUE(std::isnan(Value("1 / x", 0.0)));
  EXPECT_TRUE(std::isnan(Value("exp(x)", 1e6)));
}

TEST(Formula, RefusesWhatIsNoFormula) {
  const auto read = [](const std::string& text) { return [text] { Formula(text, {"x", "y"}); }; };
  EXPECT_THAT(read("x + z"), ThrowsMessage<FormatError>(AllOf(HasSubstr("formula of x, y"), HasSubstr("x + z"))));
  EXPECT_THAT(read(""), ::testing::Throws<FormatError>());
  EXPECT_THAT(read("x +"), ::testing::Throws<FormatError>());
  EXPECT_THAT(read("(x"), ::testing::Throws<FormatError>());
  EXPECT_THAT(read("x = 2"), ThrowsMessage<FormatError>(HasSubstr("write == to compare")));
  EXPECT_THAT(read("x, y"), ThrowsMessage<FormatError>(HasSubstr("found 2")));
  EXPECT_THAT(read("\"file\""), ::testing::Throws<FormatError>());
  EXPECT_THAT(read("open(x)"), ::testing::Throws<FormatError>());
  EXPECT_THAT(read(std::string(2001, '1')), ThrowsMessage<FormatError>(HasSubstr("at most 2000")));
  EXPECT_THAT([] { Formula("x", {"1x"}); }, ::testing::Throws<FormatError>());
  EXPECT_THAT([] { Formula("x", {"sin x"}); }, ::testing::Throws<FormatError>());
}

TEST(Formula, NestsAsDeepAsItsLengthAllows) {
  std::string text(990, '(');
  text += "x";
  text += std::string(990, ')');
  EXPECT_EQ(Value(text, 7.0), 7.0);
  std::string chain = "x";
  while (chain.size() < 1990) chain += "-x-1";
  EXPECT_TRUE(std::isfinite(Value(chain, 1.0)));
}

TEST(Formula, TakesLittleMemory) {
  if (!test::MallocIsCounted()) GTEST_SKIP() << "a sanitizer has malloc for itself";
  constexpr std::size_t kCount = 500;
  std::vector<Formula> formulas;
  formulas.reserve(kCount);
  const std::size_t before = mallinfo2().uordblks;
  for (std::size_t i = 0; i < kCount; ++i)
    formulas.emplace_back("0.5 * x + sqrt(y)", std::vector<std::string>{"x", "y"});
  EXPECT_LT((mallinfo2().uordblks - before) / kCount, 6'500U);  // 9 kB with all functions of the library in each
}

}  // namespace
}  // namespace openmi
