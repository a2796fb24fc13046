#include <gtest/gtest.h>

#include "composition/import/OldComposition.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi {
namespace {

TEST(OldTime, TheEditorWritesTheMonthFirst) {
  EXPECT_EQ(ParseEditorTime("08/21/2009 10:00:00"), ParseIsoTime("2009-08-21T10:00Z"));
  EXPECT_EQ(ParseEditorTime("01/02/1993 00:00:00"), ParseIsoTime("1993-01-02T00:00Z"));
}

TEST(OldTime, TheEarlyEditorWroteHalvesOfTheDay) {
  EXPECT_EQ(ParseEditorTime("2/10/2005 12:00:00 AM"), ParseIsoTime("2005-02-10T00:00Z"));
  EXPECT_EQ(ParseEditorTime("2/10/2005 12:30:00 PM"), ParseIsoTime("2005-02-10T12:30Z"));
  EXPECT_EQ(ParseEditorTime("2/10/2005 1:05:09 PM"), ParseIsoTime("2005-02-10T13:05:09Z"));
}

TEST(OldTime, OtherFormsAreNotGuessed) {
  for (const char* text :
       {"", "21/08/2009 10:00:00", "10.02.2005 00:00:00", "2005-02-10 00:00:00", "02/30/2005 00:00:00", "02/10/2005",
        "02/10/2005 24:30:00", "02/10/2005 00:00:00 XM", "02/10/2005 13:00:00 PM", "02/10/20055 00:00:00",
        "-2/10/2005 00:00:00", "02/10/2005 00:00:00 AM more"}) {
    EXPECT_FALSE(ParseEditorTime(text)) << text;
  }
}

TEST(OldTime, ArgumentsStateTimesInThreeForms) {
  EXPECT_EQ(ParseArgumentTime("1990,1,2,0,30,0"), ParseIsoTime("1990-01-02T00:30Z"));
  EXPECT_EQ(ParseArgumentTime("1990-01-01 0:00:00.000Z"), std::nullopt) << "the hour of ISO 8601 has two digits";
  EXPECT_EQ(ParseArgumentTime("1990-01-01T00:00:00+01:00"), ParseIsoTime("1989-12-31T23:00Z"));
  EXPECT_EQ(ParseArgumentTime("1990-01-01"), ParseIsoTime("1990-01-01T00:00Z"));
  EXPECT_EQ(ParseArgumentTime("1/2/1990 00:00:00"), ParseIsoTime("1990-01-02T00:00Z"));
  for (const char* text : {"", "1.0", "1990,1,2", "1990,13,2,0,0,0", "yesterday"}) {
    EXPECT_FALSE(ParseArgumentTime(text)) << text;
  }
}

}  // namespace
}  // namespace openmi
