#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "openmi/omi/SchemaValidator.hpp"

namespace openmi {
namespace {

using testing::AllOf;
using testing::HasSubstr;

Problems Validate(const std::string& text) {
  return ValidateXml(ReadXml(text, "v.omi"), "LinkableComponent.xsd");
}

const std::string kOpen = "<LinkableComponent xmlns=\"http://www.openmi.org/v2_0\">\n";
const std::string kClose = "</LinkableComponent>\n";

TEST(SchemaValidator, AcceptsWhatTheSchemaAllows) {
  EXPECT_TRUE(Validate(kOpen + kClose).empty());
  EXPECT_TRUE(Validate(kOpen + "<Arguments/>" + kClose).empty());
  EXPECT_TRUE(Validate(kOpen +
                       "<Platforms><Platform>Mac32</Platform></Platforms><Arguments><Argument Key='' Value=''/>"
                       "</Arguments>" +
                       kClose)
                  .empty());
  EXPECT_TRUE(
      Validate(kOpen + "<Arguments><Argument Key='&lt;a&amp;&#65;' Value='1' ReadOnly=' 1 '/></Arguments>" + kClose)
          .empty());
}

TEST(SchemaValidator, ReportsEachViolationWithLineAndSentence) {
  const Problems problems = Validate(kOpen +
                                     "<Arguments>\n"
                                     "<Argument Value='1'/>\n"
                                     "<Argument Key='k' Value='1' Unit='m'/>\n"
                                     "</Arguments>\n"
                                     "<Platforms>\n"
                                     "<Platform>Linus</Platform>\n"
                                     "</Platforms>\n" +
                                     kClose);
  std::vector<std::string> lines;
  for (const Problem& problem : problems) lines.push_back(FormatProblem(problem));
  EXPECT_THAT(lines, testing::ElementsAre(AllOf(HasSubstr("v.omi:3:"), HasSubstr("Key")),
                                          AllOf(HasSubstr("v.omi:4:"), HasSubstr("Unit")),
                                          AllOf(HasSubstr("v.omi:7:"), HasSubstr("Linus"))));
}

TEST(SchemaValidator, DoesNotFollowAPointerToAnotherSchema) {
  // If it did, a file that does not exist would give a warning, and a lax schema would hide the fault.
  const Problems problems = Validate(
      "<LinkableComponent xmlns=\"http://www.openmi.org/v2_0\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
      "xsi:schemaLocation=\"http://www.openmi.org/v2_0 http://localhost:1/lax.xsd urn:x file:///nowhere.xsd\">" +
      kClose);
  EXPECT_TRUE(problems.empty()) << FormatProblem(problems.front());
}

TEST(SchemaValidator, ReadsUtf16ThroughItsUtf8Text) {
  std::string wide("\xFF\xFE", 2);
  for (const char c : "<?xml version='1.0' encoding='UTF-16'?>" + kOpen + kClose) {
    wide += c;
    wide += '\0';
  }
  EXPECT_TRUE(Validate(wide).empty());
}

TEST(SchemaValidator, StopsListingAfterManyViolations) {
  std::string text = kOpen + "<Arguments>\n";
  for (int i = 0; i < 5000; ++i) text += "<Argument/>\n";
  const Problems problems = Validate(text + "</Arguments>" + kClose);
  EXPECT_EQ(problems.size(), 201U);
  EXPECT_EQ(problems.back().severity, Problem::Note);
}

TEST(SchemaValidator, KnowsOnlyTheEmbeddedSchemas) {
  EXPECT_THROW(ValidateXml(ReadXml("<a/>", "a.xml"), "Other.xsd"), RangeError);
  EXPECT_TRUE(EmbeddedSchema("Other.xsd").empty());
  for (const char* name : {"LinkableComponent.xsd", "Composition.xsd", "CompliancyInfo.xsd"}) {
    EXPECT_THAT(std::string(EmbeddedSchema(name)), HasSubstr("targetNamespace")) << name;
    EXPECT_NO_THROW(ValidateXml(ReadXml("<a/>", "a.xml"), name)) << name;
  }
}

TEST(SchemaValidator, WorksInManyThreadsAtOnce) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([] {
      for (int i = 0; i < 20; ++i) {
        EXPECT_TRUE(Validate(kOpen + kClose).empty());
        EXPECT_TRUE(HasErrors(Validate(kOpen + "<Nothing/>" + kClose)));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace openmi
