#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "openmi/sdk/Error.hpp"
#include "study/design/Design.hpp"
#include "tests/support/ScratchFolder.hpp"

namespace openmi {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

StudyFile Read(const ScratchFolder& folder, const std::string& inside, Problems& problems) {
  const std::string text =
      "<Study xmlns=\"urn:openmi2:study:1\" Id=\"s\" Composition=\"c.xml\">\n" + inside + "</Study>\n";
  return ReadStudyText(text, folder.Path() / "study.xml", problems);
}

TEST(LatinHypercube, EachPartOfEachMarginHoldsOnePoint) {
  for (const std::uint64_t count : {1u, 2u, 7u, 100u, 10'000u}) {
    const std::vector<double> points = LatinHypercube(count, 3, 11);
    for (std::size_t k = 0; k < 3; ++k) {
      std::set<double> parts;
      for (std::uint64_t i = 0; i < count; ++i) {
        ASSERT_GE(points[i * 3 + k], 0.0);
        ASSERT_LT(points[i * 3 + k], 1.0);
        parts.insert(std::floor(points[i * 3 + k] * static_cast<double>(count)));
      }
      EXPECT_EQ(parts.size(), count);
    }
  }
}

// Refused before the memory is asked for.
TEST(Design, RefusesSamplesThatMemoryCannotKeep) {
  const ScratchFolder folder("design");
  for (const std::string method : {"latin-hypercube", "sobol", "saltelli"}) {
    Problems problems;
    const StudyFile study = Read(folder,
                                 "<Vary Id=\"a\" Argument=\"c.a\" From=\"0\" To=\"1\"/>\n<Design Method=\"" + method +
                                     "\" Members=\"1000000000\"/>\n",
                                 problems);
    try {
      const Design design(study, problems);
      ADD_FAILURE() << method;
    } catch (const RangeError& error) {
      EXPECT_THAT(error.what(), HasSubstr("study.xml:3: expected Members of at most "));
    }
  }
}

TEST(LatinHypercube, DependsOnTheSeedAlone) {
  EXPECT_EQ(LatinHypercube(50, 2, 3), LatinHypercube(50, 2, 3));
  EXPECT_NE(LatinHypercube(50, 2, 3), LatinHypercube(50, 2, 4));
}

// A (0, m, 1)-net in each dimension: the first 2^m points fill each part of 2^-m once, shifted or not.
TEST(SobolPoints, FillEachBinaryPartOnce) {
  for (const std::uint64_t seed : {0u, 1u, 99u}) {
    constexpr std::uint64_t kCount = 256;
    const std::vector<double> points = SobolPoints(kCount, 5, seed);
    for (std::size_t k = 0; k < 5; ++k) {
      std::set<double> parts;
      for (std::uint64_t i = 0; i < kCount; ++i) parts.insert(std::floor(points[i * 5 + k] * kCount));
      EXPECT_EQ(parts.size(), kCount) << "seed " << seed << ", dimension " << k;
    }
  }
}

TEST(SobolPoints, AreThoseOfJoeAndKuo) {
  // Unshifted, the first two dimensions: van der Corput's sequence and that of the polynomial x + 1.
  EXPECT_THAT(SobolPoints(4, 2, 0), ElementsAre(0.0, 0.0, 0.5, 0.5, 0.75, 0.25, 0.25, 0.75));
}

TEST(SaltelliPoints, ChangeOneNumberAtATime) {
  const std::vector<double> points = SaltelliPoints(8, 3, 1);
  ASSERT_EQ(points.size(), 8u * 5 * 3);
  for (std::size_t base = 0; base < 8; ++base) {
    const double* a = points.data() + base * 15;
    for (std::size_t changed = 0; changed < 3; ++changed) {
      for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(a[6 + 3 * changed + k], k == changed ? a[3 + k] : a[k]);
    }
  }
}

TEST(Design, GridHasAllCombinations) {
  const ScratchFolder folder("design");
  Problems problems;
  const StudyFile study = Read(folder,
                               "<Vary Id=\"a\" Argument=\"x.a\" From=\"1\" To=\"3\" Steps=\"3\"/>\n"
                               "<Vary Id=\"b\" Argument=\"x.b\"><Value Is=\"u\"/><Value Is=\"v\"/></Vary>\n"
                               "<Design Method=\"grid\"/>\n",
                               problems);
  ASSERT_FALSE(HasErrors(problems)) << FormatProblem(problems.front());
  const Design design(study, problems);
  ASSERT_EQ(design.Count(), 6u);
  EXPECT_THAT(design.Values(0), ElementsAre("1", "u"));
  EXPECT_THAT(design.Values(3), ElementsAre("2", "v"));
  EXPECT_THAT(design.Values(5), ElementsAre("3", "v"));
}

TEST(Design, WholeNumbersAndLogarithmsStayInTheirRange) {
  const ScratchFolder folder("design");
  Problems problems;
  const StudyFile study = Read(folder,
                               "<Vary Id=\"n\" Argument=\"x.n\" From=\"1\" To=\"4\" Whole=\"true\"/>\n"
                               "<Vary Id=\"k\" Argument=\"x.k\" From=\"0.01\" To=\"100\" Scale=\"log\"/>\n"
                               "<Design Method=\"latin-hypercube\" Members=\"400\"/>\n",
                               problems);
  ASSERT_FALSE(HasErrors(problems)) << FormatProblem(problems.front());
  const Design design(study, problems);
  std::map<std::string, int> counts;
  int below_one = 0;
  for (std::uint64_t i = 0; i < design.Count(); ++i) {
    ++counts[design.Values(i)[0]];
    const double k = std::stod(design.Values(i)[1]);
    EXPECT_TRUE(k >= 0.01 && k <= 100.0) << k;
    below_one += k < 1.0;
  }
  EXPECT_EQ(counts, (std::map<std::string, int>{{"1", 100}, {"2", 100}, {"3", 100}, {"4", 100}}));
  EXPECT_EQ(below_one, 200);  // half of the decades
}

TEST(Design, ReportsWhatIsWrongWithATable) {
  const ScratchFolder folder("design");
  folder.Write("members.csv", "k,colour\n1,red\n");
  Problems problems;
  const StudyFile study = Read(folder,
                               "<Vary Id=\"k\" Argument=\"x.k\"/>\n<Vary Id=\"n\" Argument=\"x.n\"/>\n"
                               "<Design Method=\"table\" Table=\"members.csv\"/>\n",
                               problems);
  ASSERT_FALSE(HasErrors(problems)) << FormatProblem(problems.front());
  const Design design(study, problems);
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_THAT(FormatProblem(problems[0]),
              HasSubstr("members.csv:1: expected a Vary for the column 'colour', found none"));
  EXPECT_THAT(FormatProblem(problems[1]), HasSubstr("study.xml:3: expected a column 'n' in 'members.csv', found none"));
}

TEST(Design, RefusesAnEmptyTable) {
  const ScratchFolder folder("design");
  folder.Write("members.csv", "");
  Problems problems;
  const StudyFile study =
      Read(folder, "<Vary Id=\"k\" Argument=\"x.k\"/>\n<Design Method=\"table\" Table=\"members.csv\"/>\n", problems);
  const Design design(study, problems);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_THAT(FormatProblem(problems[0]), HasSubstr("expected a line of headings, found an empty table"));
}

}  // namespace
}  // namespace openmi
