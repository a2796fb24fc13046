#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "openmi/sdk/Problem.hpp"

namespace openmi {
namespace {

TEST(Problem, IsOneLineWithPlaceSentenceAndRemedy) {
  const Problem problem{Problem::Error,
                        {.file = "rhine.xml", .line = 41, .component = "Rhine", .item = "discharge"},
                        "expected a unit of volume per time, found 'mm'",
                        "put a conversion adaptor on the link"};
  EXPECT_EQ(
      FormatProblem(problem),
      "rhine.xml:41: Rhine.discharge: expected a unit of volume per time, found 'mm'; put a conversion adaptor on "
      "the link");
}

TEST(Problem, LeavesOutWhatIsUnknown) {
  EXPECT_EQ(FormatProblem({Problem::Note, {.file = "a.omi"}, "found nothing", ""}), "a.omi: found nothing");
  EXPECT_EQ(FormatProblem({Problem::Note, {.item = "q"}, "found nothing", "look"}), "q: found nothing; look");
}

TEST(Problem, StripsControlCharactersButKeepsUtf8) {
  EXPECT_EQ(FormatProblem({Problem::Error, {}, "found '\x1b[31m\n\x7f\xc2\x9bx' in K\xc3\xb6ln", ""}),
            "found ' [31m   x' in K\xc3\xb6ln");
}

TEST(Problem, CountsBySeverity) {
  Problems problems;
  AddNote(problems, {}, "a");
  AddWarning(problems, {}, "b");
  EXPECT_FALSE(HasErrors(problems));
  EXPECT_NO_THROW(ThrowIfErrors(problems));
  AddError(problems, {.file = "f", .line = 3}, "expected c, found d", "write c");
  AddError(problems, {}, "e");
  EXPECT_EQ(CountProblems(problems, Problem::Error), 2U);
  EXPECT_EQ(CountProblems(problems, Problem::Warning), 1U);
  EXPECT_STREQ(SeverityName(Problem::Warning), "warning");
  EXPECT_THAT([&] { ThrowIfErrors(problems); },
              testing::ThrowsMessage<FormatError>("f:3: expected c, found d (and 1 further error); write c"));
}

}  // namespace
}  // namespace openmi
