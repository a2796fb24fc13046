#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <vector>

#include "adaptors/kernels/SparseRows.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/adaptors/Random.hpp"

namespace openmi {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsNan;
using ::testing::ThrowsMessage;

constexpr double kGap = -999.0;
using Entries = std::vector<SparseRows::Entry>;

/// Three targets over three sources: a mean of two, a lone source, nothing.
SparseRows Example() {
  SparseRows rows(3);
  rows.AddRow(Entries{{0, 0.25}, {1, 0.75}});
  rows.AddRow(Entries{{1, 2.0}, {2, 0.0}});
  rows.AddRow(Entries{});
  return rows;
}

TEST(SparseRows, AppliesAndCounts) {
  const SparseRows rows = Example();
  EXPECT_EQ(rows.Rows(), 3U);
  EXPECT_EQ(rows.Columns(), 3U);
  EXPECT_EQ(rows.WeightCount(), 3U);
  EXPECT_THAT(rows.RowSums(), ElementsAre(1.0, 2.0, 0.0));
  EXPECT_THAT(rows.ColumnSums(), ElementsAre(0.25, 2.75, 0.0));
  EXPECT_THAT(rows.UntouchedRows(), ElementsAre(2));
  const std::vector<double> source{4.0, 8.0, kNotANumber};
  std::vector<double> target(3);
  rows.Apply(source, target);
  EXPECT_THAT(target, ElementsAre(7.0, 16.0, IsNan()));
}

TEST(SparseRows, AMissingSourceMakesItsTargetsMissing) {
  const SparseRows rows = Example();
  std::vector<double> target(3);
  rows.Apply(std::vector<double>{kGap, 8.0, 1.0}, target, {.missing = kGap});
  EXPECT_THAT(target, ElementsAre(kGap, 16.0, kGap));
  rows.Apply(std::vector<double>{kNotANumber, 8.0, 1.0}, target, {.missing = kGap});
  EXPECT_THAT(target, ElementsAre(kGap, 16.0, kGap));
  rows.Apply(std::vector<double>{kNotANumber, 8.0, 1.0}, target);
  EXPECT_THAT(target, ElementsAre(IsNan(), 16.0, IsNan()));
}

TEST(SparseRows, RenormalisesOverTheSourcesThatAreThere) {
  const SparseRows rows = Example();
  std::vector<double> target(3);
  const ApplyOptions options{.missing = kGap, .sources = MissingSources::Renormalise};
  rows.Apply(std::vector<double>{kGap, 8.0, 1.0}, target, options);
  EXPECT_THAT(target, ElementsAre(8.0, 16.0, kGap));
  rows.Apply(std::vector<double>{4.0, kGap, 1.0}, target, options);
  EXPECT_THAT(target, ElementsAre(4.0, kGap, kGap));
}

TEST(SparseRows, UntouchedTargetsAreMissingFilledOrKept) {
  const SparseRows rows = Example();
  const std::vector<double> source{1.0, 1.0, 1.0};
  std::vector<double> target(3, 5.0);
  rows.Apply(source, target, {.untouched = UntouchedTargets::Keep});
  EXPECT_EQ(target[2], 5.0);
  rows.Apply(source, target, {.untouched = UntouchedTargets::Fill, .fill = 7.0});
  EXPECT_EQ(target[2], 7.0);
  rows.Apply(source, target, {.missing = kGap, .untouched = UntouchedTargets::Missing});
  EXPECT_EQ(target[2], kGap);
}

TEST(SparseRows, PlainAndMaskedPathsAgreeWhereNothingIsMissing) {
  openmi::testing::Random random;
  SparseRows rows(200);
  for (int row = 0; row < 300; ++row) {
    for (std::size_t n = random.Index(9); n > 0; --n) {
      rows.Add(static_cast<std::uint32_t>(random.Index(200)), random.Uniform(-1, 1));
    }
    rows.EndRow();
  }
  std::vector<double> source(200), plain(300), masked(300);
  for (double& value : source) value = random.Uniform(-1, 1);
  rows.Apply(source, plain, {.untouched = UntouchedTargets::Fill});
  rows.Apply(source, masked, {.missing = kGap, .untouched = UntouchedTargets::Fill});
  EXPECT_EQ(plain, masked);
}

TEST(SparseRows, DividesRowsAndColumnsButNotByTheAreaOfNothing) {
  SparseRows rows = Example();
  rows.DivideRows(std::vector<double>{2.0, 4.0, 0.0});
  EXPECT_THAT(rows.AllWeights(), ElementsAre(0.125, 0.375, 0.5));
  rows.DivideColumns(std::vector<double>{0.5, 0.25, 0.0});
  EXPECT_THAT(rows.AllWeights(), ElementsAre(0.25, 1.5, 2.0));
}

TEST(SparseRows, PartsMadeOneByOneJoinToTheWhole) {
  for (std::size_t helpers : {1U, 2U, 5U}) {
    Crew crew(helpers);
    std::vector<SparseRows> parts{Example(), Example(), SparseRows(Example().Columns())};
    const SparseRows rows = SparseRows::Joined(parts, crew);
    EXPECT_EQ(rows.Rows(), 6U);
    EXPECT_THAT(rows.Starts(), ElementsAre(0, 2, 3, 3, 5, 6, 6));
    EXPECT_THAT(rows.UntouchedRows(), ElementsAre(2, 5));
    EXPECT_EQ(rows.WeightsOf(4)[0], Example().WeightsOf(1)[0]);
    EXPECT_EQ(rows.ColumnsOf(4)[0], Example().ColumnsOf(1)[0]);
  }
  Crew crew;
  std::vector<SparseRows> unequal{SparseRows(2), SparseRows(3)};
  EXPECT_THAT([&] { SparseRows::Joined(unequal, crew); }, ThrowsMessage<RangeError>(HasSubstr("over 2 sources")));
}

TEST(SparseRows, RefusesArraysThatDoNotFit) {
  EXPECT_THAT([] { SparseRows(2).Add(2, 1.0); }, ThrowsMessage<RangeError>(HasSubstr("below 2, found 2")));
  EXPECT_THAT([] { SparseRows(2, {0, 1}, {5}, {1.0}); }, ThrowsMessage<RangeError>(HasSubstr("source 5")));
  EXPECT_THAT([] { SparseRows(2, {0, 2}, {1}, {1.0}); }, ThrowsMessage<RangeError>(HasSubstr("row starts")));
  EXPECT_THAT([] { SparseRows(2, {0, 2, 1}, {1}, {1.0}); }, ThrowsMessage<RangeError>(HasSubstr("row starts")));
  EXPECT_THAT([] { SparseRows(2, {}, {}, {}); }, ThrowsMessage<RangeError>(HasSubstr("row starts")));
  EXPECT_THAT([] { SparseRows(std::size_t{1} << 33); }, ThrowsMessage<RangeError>(HasSubstr("split")));
  EXPECT_THAT(SparseRows(2, {0}, {}, {}).UntouchedRows(), IsEmpty());
}

}  // namespace
}  // namespace openmi
