#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "composition/conformance/Conformance.hpp"
#include "openmi/omi/ExportComponent.hpp"
#include "openmi/omi/OmiFile.hpp"
#include "tests/conformance/SampleComponent.hpp"

namespace {
/// A type that an OMI file without Assembly can name.
class GoodSample final : public openmi::sample::SampleOf<openmi::ITimeSpaceComponent> {
 public:
  const openmi::ITimeSet& TimeExtent() const override { return extent_; }
};
}  // namespace
OPENMI_EXPORT_COMPONENT_AS("tests.Sample", GoodSample)

namespace openmi {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kHead = R"(<?xml version="1.0" encoding="UTF-8"?>
)";

class OmiConformance : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(OPENMI_BINARY_DIR) / "tests" / "scratch" /
              ("omi-conformance-" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  ConformanceReport Check(const std::string& text) {
    const std::filesystem::path path = folder_ / "sample.omi";
    std::ofstream(path) << kHead << text;
    Problems problems;
    const OmiFile omi = ReadOmiFile(path, &problems);
    ComponentLoader loader;
    return CheckConformance(loader, omi);
  }
  static std::vector<std::string> Failed(const ConformanceReport& report) {
    std::vector<std::string> numbers;
    for (const ConformanceResult& result : report.results) {
      if (result.verdict == Verdict::Failed) numbers.push_back(result.number);
    }
    return numbers;
  }

  std::filesystem::path folder_;
};

TEST_F(OmiConformance, AGoodFileAndAGoodComponentPassAllThirtySix) {
  const ConformanceReport report = Check(
      R"(<LinkableComponent xmlns="http://www.openmi.org/v2_0" Type="tests.Sample"><Arguments>
           <Argument Key="factor" Value="3.5"/></Arguments></LinkableComponent>)");
  EXPECT_TRUE(report.Passed()) << FormatConformance(report);
  EXPECT_EQ(report.Count(Verdict::Passed), 35u) << FormatConformance(report);
  EXPECT_EQ(report.Count(Verdict::AtCompileTime), 1u);
  EXPECT_THAT(report.subject, HasSubstr("sample.omi"));
}

TEST_F(OmiConformance, AFileThatTheSchemaRefusesFailsItsNumberAlone) {
  const ConformanceReport report = Check(R"(<LinkableComponent xmlns="http://www.openmi.org" Type="tests.Sample"/>)");
  EXPECT_THAT(Failed(report), ElementsAre("1.1")) << FormatConformance(report);
  EXPECT_THAT(report.Result("1.1").sentence, HasSubstr("sample.omi:2:"));
  EXPECT_EQ(report.Result("12.1").verdict, Verdict::Passed);
}

TEST_F(OmiConformance, AnArgumentThatIsNotThereFailsItsNumberAlone) {
  const ConformanceReport report = Check(
      R"(<LinkableComponent xmlns="http://www.openmi.org/v2_0" Type="tests.Sample"><Arguments>
           <Argument Key="facto" Value="3.5"/></Arguments></LinkableComponent>)");
  EXPECT_THAT(Failed(report), ElementsAre("1.1")) << FormatConformance(report);
  EXPECT_THAT(report.Result("1.1").sentence, HasSubstr("expected the id of an argument, found 'facto'"));
}

TEST_F(OmiConformance, ATypeThatIsNotThereLeavesNothingToCheck) {
  const ConformanceReport report =
      Check(R"(<LinkableComponent xmlns="http://www.openmi.org/v2_0" Type="tests.Simple"/>)");
  EXPECT_THAT(Failed(report), ElementsAre("1.1")) << FormatConformance(report);
  EXPECT_THAT(report.Result("1.1").sentence, HasSubstr("found 'tests.Simple'"));
  EXPECT_EQ(report.Result("12.1").sentence, "not reached because 1.1 failed");
  EXPECT_EQ(report.Count(Verdict::NotReached), 34u);
}

TEST_F(OmiConformance, AFileThatWasNeverWrittenIsCheckedAsItWouldBe) {
  OmiFile omi;
  omi.type = "tests.Sample";
  ComponentLoader loader;
  const ConformanceReport report = CheckConformance(loader, omi);
  EXPECT_TRUE(report.Passed()) << FormatConformance(report);
}

}  // namespace
}  // namespace openmi
