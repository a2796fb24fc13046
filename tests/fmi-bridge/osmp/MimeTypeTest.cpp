#include <gtest/gtest.h>

#include "fmi-bridge/osmp/packaging/MimeType.hpp"

namespace openmi::osmp {
namespace {

TEST(MimeType, ParametersComeQuotedAndNotInAnyOrderAndCase) {
  for (const char* text : {"application/x-open-simulation-interface; type=SensorView; version=3.7.0",
                           "application/x-open-simulation-interface;type=\"SensorView\";version=\"3.7.0\"",
                           " Application/X-Open-Simulation-Interface ; VERSION = 3.7.0 ; Type = SensorView ;"}) {
    const auto mime = ParseMimeType(text);
    ASSERT_TRUE(mime) << text;
    EXPECT_TRUE(mime->IsOsi()) << text;
    EXPECT_EQ(mime->Parameter("type"), "SensorView") << text;
    EXPECT_EQ(mime->Parameter("version"), "3.7.0") << text;
    EXPECT_EQ(mime->Parameter("charset"), "") << text;
  }
  EXPECT_FALSE(ParseMimeType("application/octet-stream")->IsOsi());
  EXPECT_EQ(ParseMimeType("a/b; version=; type=SensorView")->Parameter("type"), "SensorView");
  EXPECT_EQ(ParseMimeType("a/b; type=SensorView; version=")->Parameter("version"), "");
  EXPECT_EQ(ParseMimeType("text/plain; note=\"a \\\"b\\\"; c\"")->Parameter("note"), "a \"b\"; c");
}

TEST(MimeType, WhatIsNoneIsRefused) {
  for (const char* text :
       {"", "application", "application/", "/x", "a/b; c", "a/b; =d", "a/b; c=\"d", "a/b c", "a b/c", "a/b; c=d e"}) {
    EXPECT_FALSE(ParseMimeType(text)) << text;
  }
}

TEST(MimeType, VersionsOfOsiAreThreeNumbers) {
  EXPECT_TRUE(IsOsiVersion("3.7.0"));
  EXPECT_TRUE(IsOsiVersion("3.10.12"));
  for (const char* text : {"", "..", "3.7", "3.7.", ".7.0", "3.7.0.1", "3.7.x", "3..0", "v3.7.0"}) {
    EXPECT_FALSE(IsOsiVersion(text)) << text;
  }
}

}  // namespace
}  // namespace openmi::osmp
