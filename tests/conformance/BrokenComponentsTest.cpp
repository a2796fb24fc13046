#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "composition/conformance/Conformance.hpp"
#include "tests/conformance/SampleComponent.hpp"

namespace openmi {
namespace {

using sample::Fault;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> Numbers(const ConformanceReport& report, Verdict verdict) {
  std::vector<std::string> numbers;
  for (const ConformanceResult& result : report.results) {
    if (result.verdict == verdict) numbers.push_back(result.number);
  }
  return numbers;
}

ConformanceReport Check(Fault fault, bool restartable = false) {
  return CheckConformance([=] { return std::make_unique<sample::Sample>(fault, restartable); });
}

TEST(Conformance, TheSampleThatHasEverythingPassesEverything) {
  const ConformanceReport report = Check(Fault::None);
  EXPECT_TRUE(report.Passed()) << FormatConformance(report);
  EXPECT_THAT(Numbers(report, Verdict::NotApplicable), ElementsAre("1.1")) << FormatConformance(report);
  EXPECT_THAT(Numbers(report, Verdict::AtCompileTime), ElementsAre("3.7"));
  EXPECT_THAT(Numbers(report, Verdict::NotReached), ElementsAre());
}

TEST(Conformance, OneThatCanRunTwicePassesToo) {
  const ConformanceReport report = Check(Fault::None, true);
  EXPECT_TRUE(report.Passed()) << FormatConformance(report);
}

struct Broken {
  Fault fault;
  const char* number;  // what has to fail, and nothing else
  const char* words;   // of the sentence
};

void PrintTo(const Broken& broken, std::ostream* out) {
  *out << broken.number << ": " << broken.words;
}

class BrokenComponent : public ::testing::TestWithParam<Broken> {};

TEST_P(BrokenComponent, FailsItsNumberAndNoOther) {
  const Broken& broken = GetParam();
  const ConformanceReport report = Check(broken.fault, broken.fault == Fault::OtherwiseTheSecondTime);
  EXPECT_THAT(Numbers(report, Verdict::Failed), ElementsAre(broken.number)) << FormatConformance(report);
  EXPECT_THAT(report.Result(broken.number).sentence, HasSubstr(broken.words));
}

INSTANTIATE_TEST_SUITE_P(
    AnnexA, BrokenComponent,
    ::testing::Values(
        Broken{Fault::CaptionIsFixed, "2.1", "output 'flow': expected the caption that was set"},
        Broken{Fault::TwoOutputsOfOneId, "2.2", "found 'flow' twice"},
        Broken{Fault::DefinitionIsBare, "3.1", "found a bare IValueDefinition"},
        Broken{Fault::MissingValueIsAText, "3.1", "expected a missing value of type double"},
        Broken{Fault::FactorIsZero, "3.2", "a finite factor that is not 0 and a finite offset, found 0"},
        Broken{Fault::QuantityOfTexts, "3.3", "expected a quantity to have numbers, found values of type string"},
        Broken{Fault::CategoriesChangeOrder, "3.4", "expected ordered categories to be given in the same order"},
        Broken{Fault::CategoryWithoutValue, "3.5", "to have a value, found none"},
        Broken{Fault::DimensionOfAnotherUnit, "3.6", "expected the dimension L3 T-1 of its unit 'm3 s-1', found 1"},
        Broken{Fault::VersionStays, "4.1", "expected the version to go up when elements move"},
        Broken{Fault::NoReferenceSystem, "4.1", "expected a spatial reference system"},
        Broken{Fault::UnknownIdIsTheFirst, "4.2", "expected index -1 for an id that no element has, found 0"},
        Broken{Fault::ElementsBeyondTheLast, "4.2", "which has 2 elements, found that it was accepted"},
        Broken{Fault::PolygonsRunClockwise, "4.2", "counter-clockwise, found them clockwise"},
        Broken{Fault::SixthElementType, "4.3", "expected one of the five element types, found number 5"},
        Broken{Fault::DurationIsNegative, "5.1", "a finite duration of 0 or more"},
        Broken{Fault::StampsAreSaidToBeSpans, "5.2", "expected durations above 0, as HasDurations says, found 0"},
        Broken{Fault::TooManyIndicesAccepted, "6.1", "with 3 indices, where there are 2"},
        Broken{Fault::Values2DLacksARow, "6.2", "expected 1 rows in Values2D, as GetIndexCount says, found 0"},
        Broken{Fault::TextIsNotReadBack, "7.1", "argument 'factor' of the component: expected its own text '7'"},
        Broken{Fault::ImpossibleValueAccepted, "7.1", "argument 'scheme' of the component to none of its possible"},
        Broken{Fault::ReadOnlyIsWritten, "7.1", "setting the read-only argument 'engine'"},
        Broken{Fault::FifteenthStatus, "8.1", "expected one of the fourteen states in a status event, found number 14"},
        Broken{Fault::SkipsPreparing, "8.2", "expected a status that can follow Valid, found Updated"},
        Broken{Fault::UpdatesWithoutUpdating, "8.2", "expected Update to take up status Updating at once"},
        Broken{Fault::SilentValidating, "8.3", "found none between Initialized and Validating"},
        Broken{Fault::EventOfNobody, "8.3", "to name the component it comes from, found none"},
        Broken{Fault::ItemsOfAnother, "9.1", "expected the component it belongs to, or none, found another"},
        Broken{Fault::ProviderForgotten, "9.2", "input 'rain': expected the provider that was set"},
        Broken{Fault::ProviderStays, "9.3", "expected RemoveConsumer to take the provider of the consumer away"},
        Broken{Fault::RefreshForgotten, "9.3", "expected Refresh of its adapted output when its values"},
        Broken{Fault::StrangersRefused, "9.3", "by an item that is not registered threw"},
        Broken{Fault::MoreValuesThanElements, "9.4", "at most a value for each of its 2 elements, found 3"},
        Broken{Fault::AnswersWithOtherValues, "9.5", "to be its values, found others"},
        Broken{Fault::AsksBeforeItsHorizon, "9.6", "expected no time before the start of its horizon"},
        Broken{Fault::SilentValues, "9.7", "output 'flow': expected the event ItemChanged"},
        Broken{Fault::RefreshEndsHere, "10.1", "expected Refresh to refresh the adapted outputs on it"},
        Broken{Fault::RefreshBeforeInitialize, "10.1", "Refresh before Initialize of adapted output 'same'"},
        Broken{Fault::AdaptedOutputLosesTimes, "10.2", "expected an ITimeSpaceAdaptedOutput"},
        Broken{Fault::AdaptedOutputIsNotOnList, "10.3", "to be registered on its adaptee when it is made"},
        Broken{Fault::FactoryTakesAnyId, "10.3", "for an id it does not offer"},
        Broken{Fault::UnknownStateAccepted, "11.1", "RestoreState of an unknown id"},
        Broken{Fault::StateIsIncomplete, "11.1", "expected the same values after state"},
        Broken{Fault::BytesBecomeCurrent, "11.2", "expected ConvertFromByteArray to leave the current state alone"},
        Broken{Fault::BytesAreIncomplete, "11.2", "after a state was restored from bytes, found others"},
        Broken{Fault::InputsWhileCreated, "12.1", "expected an exception from Inputs before Initialize"},
        Broken{Fault::UpdateBeforePrepare, "12.1", "expected an exception from Update before Prepare"},
        Broken{Fault::SecondInitialize, "12.1", "expected an exception from a second Initialize"},
        Broken{Fault::SecondPrepare, "12.1", "expected an exception from a second Prepare"},
        Broken{Fault::InitializeFails, "12.1", "Initialize threw: sample: the basin has no water"},
        Broken{Fault::UpdateFails, "12.1", "Update threw: sample: the dam broke"},
        Broken{Fault::FinishFails, "12.1", "Finish threw: sample: the file is full"},
        Broken{Fault::InvalidWithoutMessage, "12.1", "expected a message that says why the component is Invalid"},
        Broken{Fault::NoAdaptedOutputInitialized, "12.1", "expected Prepare to initialize the adapted output"},
        Broken{Fault::StandsStill, "12.1", "10 updates in a row that stay at 2000-01-01"},
        Broken{Fault::WaitsForEver, "12.1", "found the component WaitingForData 10 times in a row"},
        Broken{Fault::GoesOnWhenDone, "12.1", "expected Update to change nothing when the component is Done"},
        Broken{Fault::UpdateWhenFinished, "12.1", "expected an exception from Update after Finished"},
        Broken{Fault::OtherwiseTheSecondTime, "12.1", "to give the same when it runs again"},
        Broken{Fault::ExtentEndsTooEarly, "12.3", "expected no step after the end of the time extent"}),
    [](const ::testing::TestParamInfo<Broken>& one) {
      std::string name = one.param.number;
      name.replace(name.find('.'), 1, "_");
      return "Test" + name + "_" + std::to_string(one.index);
    });

TEST(Conformance, AComponentWithTimesHasToSayHowFarItCanRun) {
  const ConformanceReport report = CheckConformance([] { return std::make_unique<sample::SampleWithoutExtent>(); });
  EXPECT_THAT(Numbers(report, Verdict::Failed), ElementsAre("12.2")) << FormatConformance(report);
  EXPECT_THAT(report.Result("12.2").sentence, HasSubstr("to be an ITimeSpaceComponent"));
  EXPECT_EQ(report.Result("12.3").verdict, Verdict::NotReached);
  EXPECT_EQ(report.Result("12.3").sentence, "not reached because 12.2 failed");
}

TEST(Conformance, WhatComesAfterAFailedInitializeIsNotReached) {
  const ConformanceReport report = Check(Fault::InitializeFails);
  EXPECT_EQ(report.Result("9.3").verdict, Verdict::NotReached);
  EXPECT_EQ(report.Result("9.3").sentence, "not reached because 12.1 failed");
  EXPECT_EQ(report.Result("3.7").verdict, Verdict::AtCompileTime);
  EXPECT_EQ(report.Result("7.1").verdict, Verdict::Passed);
}

TEST(Conformance, TellsWhatIsDoneNext) {
  std::vector<std::string> told;
  ConformanceOptions options;
  options.on_check = [&told](std::string_view number, std::string_view what) {
    told.push_back(std::string(number) + " " + std::string(what));
  };
  CheckConformance([] { return std::make_unique<sample::Sample>(); }, options);
  EXPECT_THAT(told, ::testing::Contains("12.1 Prepare"));
}

TEST(Conformance, TheTextHasALineForEachTestAndNoControlCharacters) {
  class Loud final : public sample::SampleOf<ITimeSpaceComponent> {
   public:
    const ITimeSet& TimeExtent() const override { return extent_; }
    void Prepare() override { throw ModelError({}, "ring \x1b[31mred\x07\nbell"); }
  };
  const std::string text = FormatConformance(CheckConformance([] { return std::make_unique<Loud>(); }));
  EXPECT_EQ(text.find_first_of("\x1b\x07"), std::string::npos) << text;
  EXPECT_THAT(text, HasSubstr("sample: does not conform"));
  EXPECT_THAT(text, HasSubstr("12.1  failed"));
  EXPECT_GE(std::count(text.begin(), text.end(), '\n'), 38);
}

}  // namespace
}  // namespace openmi
