#include "openmi/omi/LoadOmi.hpp"
#include "openmi/omi/OmiFile.hpp"
#include "openmi/sdk/IFamily.hpp"
#include "openmi/standard/IByteStateConverter.hpp"
#include "openmi/standard/IManageState.hpp"
#include "tests/components/SeriesFixture.hpp"
#include "timespace/testing/TableComponent.hpp"

namespace openmi::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Constant = ReadyComponents;
using Recorder = ReadyComponents;

const Settings kRun = {{"start-time", "2020-01-01T00:00Z"}, {"end-time", "2020-01-03T00:00Z"}};

Settings OverTwoDays(Settings settings) {
  settings.insert(settings.end(), kRun.begin(), kRun.end());
  return settings;
}

TEST_F(Constant, AnswersAnyQuestionWithinTheRunAndOutside) {
  const LoadedComponent constant =
      Ready("openmi.Constant", OverTwoDays({{"value", "1.5, 2.5"}, {"unit", "mm d-1"}, {"elements", "a,b"}}));
  ITimeSpaceOutput& output = Output(constant, "value");
  EXPECT_THAT(ElementIds(output), ElementsAre("a", "b"));
  ProbeInput probe;
  output.AddConsumer(probe);
  const Stamp begin = At("2020-01-01T00:00Z");
  EXPECT_THAT(probe.Row(output, begin + Hours(0.3), begin + Hours(7)), ElementsAre(1.5, 2.5));
  EXPECT_THAT(probe.Row(output, begin + Hours(47), begin + Hours(99)), ElementsAre(1.5, 2.5));
  EXPECT_THAT(probe.Row(output, begin + Hours(5)), ElementsAre(1.5, 2.5));
  EXPECT_THAT(probe.Row(output, begin - Hours(5)), ElementsAre(1.5, 2.5));
}

TEST_F(Constant, StandsAtTheElementsOfAnyFile) {
  Write("gauges.csv", "name,x,y\nupper,500000,1\nlower,500010,2\n");
  const auto with = [](Settings more) {
    more.insert(more.end(), {{"value", "3"}, {"unit", "mm"}, {"elements-file", "gauges.csv"}, {"id-property", "name"}});
    return OverTwoDays(std::move(more));
  };
  const LoadedComponent gauges = Ready("openmi.Constant", with({{"elements-system", "EPSG:32617"}}));
  EXPECT_THAT(ElementIds(Output(gauges, "value")), ElementsAre("upper", "lower"));
  const auto& where = dynamic_cast<const IElementSet&>(*Output(gauges, "value").SpatialDefinition());
  EXPECT_EQ(where.GetVertexXCoordinate(1, 0), 500010.0);
  EXPECT_THAT(where.SpatialReferenceSystemWkt(), HasSubstr("UTM zone 17N"));
  const LoadedComponent one =
      Ready("openmi.Constant", with({{"elements-system", "local-metres"}, {"elements", "lower"}}));
  EXPECT_THAT(ElementIds(Output(one, "value")), ElementsAre("lower"));
  EXPECT_THAT(Refusal("openmi.Constant", with({{"elements-system", "local-metres"}, {"elements", "lowr"}})),
              AllOf(HasSubstr("gauges.csv"), HasSubstr("did you mean 'lower'?")));
  Write("cells.wkt", "a;POLYGON ((0 0, 1 0, 1 1, 0 0))\n");
  EXPECT_THAT(ElementIds(Output(
                  Ready("openmi.Constant",
                        OverTwoDays({{"value", "3"}, {"elements-file", "cells.wkt"}, {"elements-system", "WGS84"}})),
                  "value")),
              ElementsAre("a"));
}

TEST_F(Constant, RefusesTheWrongNumberOfValues) {
  EXPECT_THAT(Refusal("openmi.Constant", OverTwoDays({{"value", "1,2,3"}, {"elements", "a,b"}})),
              AllOf(HasSubstr("value"), HasSubstr("expected 1 or 2 values, found 3")));
  EXPECT_THAT(Refusal("openmi.Constant", OverTwoDays({{"value", "much"}})), HasSubstr("'much'"));
}

TEST_F(Recorder, WritesWhatItIsGivenSoThatASeriesReadsItAgain) {
  const Stamp begin = At("2020-01-01T00:00Z");
  TableComponent table({{begin, {1.0}}, {begin + Hours(24), {0.1}}, {begin + Hours(48), {NAN}}}, "m3 s-1");
  const Settings settings = OverTwoDays({{"items", "flow[m3 s-1]"}, {"file", "out.csv"}, {"time-step", "P1D"}});
  const LoadedComponent recorder = Make("openmi.Recorder", settings);
  Driver driver(*recorder.component);
  driver.Initialize();
  table.Initialize();
  table.Output().AddConsumer(*recorder.component->Inputs()[0]);
  EXPECT_TRUE(driver.Validate());
  table.Prepare();
  driver.Prepare();
  driver.UpdateToEnd();
  driver.Finish();
  EXPECT_EQ(ReadBack("out.csv"), "time,flow (m3 s-1)\n2020-01-02T00:00:00Z,0.1\n2020-01-03T00:00:00Z,NaN\n");

  const LoadedComponent again = Ready("openmi.CsvSeries", {{"file", "out.csv"}});
  ProbeInput probe;
  EXPECT_EQ(probe.Value(Output(again, "flow"), begin + Hours(24)), 0.1);

  // An earlier file is kept, unless told otherwise.
  const LoadedComponent second = Make("openmi.Recorder", settings);
  Driver careful(*second.component);
  careful.Initialize();
  TableComponent other({{begin, {1.0}}, {begin + Hours(48), {2.0}}}, "m3 s-1");
  other.Initialize();
  other.Output().AddConsumer(*second.component->Inputs()[0]);
  other.Prepare();
  EXPECT_THAT([&] { careful.Prepare(); }, ::testing::ThrowsMessage<FileError>(HasSubstr("overwrite")));
  EXPECT_EQ(second.component->Status(), LinkableComponentStatus::Failed);
  EXPECT_THAT(ReadBack("out.csv"), HasSubstr("0.1"));
  other.Output().RemoveConsumer(*second.component->Inputs()[0]);
}

TEST_F(Recorder, RunsASecondTimeOverItsOwnFileOnly) {
  const LoadedComponent constant = Ready("openmi.Constant", OverTwoDays({{"value", "1.5"}}));
  const LoadedComponent recorder =
      Make("openmi.Recorder", OverTwoDays({{"asks", "span"}, {"file", "out.csv"}, {"time-step", "P1D"}}));
  Driver driver(*recorder.component);
  const auto run = [&] {
    driver.Initialize();
    Output(constant, "value").AddConsumer(*recorder.component->Inputs()[0]);
    driver.Prepare();
    driver.UpdateToEnd();
    driver.Finish();
    return ReadBack("out.csv");
  };
  const std::string first = run();
  EXPECT_THAT(first, HasSubstr("2020-01-02T00:00:00Z,1.5\n"));
  EXPECT_EQ(recorder.component->Status(), LinkableComponentStatus::Created);
  EXPECT_EQ(run(), first);
  // Somebody has put another file in its place: that is not its own.
  Write("other.csv", "precious");
  std::filesystem::rename(folder_ / "other.csv", folder_ / "out.csv");
  EXPECT_THAT([&] { run(); }, ::testing::ThrowsMessage<FileError>(HasSubstr("overwrite")));
  EXPECT_EQ(ReadBack("out.csv"), "precious");
}

const Settings kRain = OverTwoDays({{"asks", "span"}, {"file", "out.csv"}, {"time-step", "P1D"}});

/// A recorder with a value to record.
struct FedRecorder {
  FedRecorder(LoadedComponent recorder_, ITimeSpaceOutput& value_) : recorder(std::move(recorder_)), value(value_) {}
  ~FedRecorder() { Leave(); }
  FedRecorder(const FedRecorder&) = delete;
  FedRecorder& operator=(const FedRecorder&) = delete;
  void Prepare() {
    driver.Initialize();
    value.AddConsumer(*recorder.component->Inputs()[0]);
    is_linked = true;
    driver.Prepare();
  }
  void Leave() {
    if (std::exchange(is_linked, false)) value.RemoveConsumer(*recorder.component->Inputs()[0]);
  }
  void Run() {
    Prepare();
    driver.UpdateToEnd();
    Leave();
    driver.Finish();
  }
  LoadedComponent recorder;
  ITimeSpaceOutput& value;
  Driver driver{*recorder.component};
  bool is_linked = false;
};

TEST_F(Recorder, LeavesAFileAloneThatAnotherWrites) {
  const LoadedComponent constant = Ready("openmi.Constant", OverTwoDays({{"value", "1.5"}}));
  for (const char* overwrite : {"false", "true"}) {
    Settings settings = kRain;
    settings.emplace_back("overwrite", overwrite);
    FedRecorder one(Make("openmi.Recorder", settings), Output(constant, "value"));
    FedRecorder other(Make("openmi.Recorder", settings), Output(constant, "value"));
    one.Prepare();
    EXPECT_THAT([&] { other.Prepare(); },
                ::testing::ThrowsMessage<FileError>(AllOf(HasSubstr("out.csv"), HasSubstr("found that another does"))));
    one.driver.UpdateToEnd();
    one.Leave();
    one.driver.Finish();
    EXPECT_THAT(ReadBack("out.csv"), HasSubstr("2020-01-03T00:00:00Z,1.5\n"));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "out.csv.part"));
  }
}

TEST_F(Recorder, RunsOverItsOwnFileAfterARunWithoutAStep) {
  const LoadedComponent constant = Ready("openmi.Constant", OverTwoDays({{"value", "1.5"}}));
  FedRecorder recorder(Make("openmi.Recorder", kRain), Output(constant, "value"));
  recorder.Run();
  const std::string first = ReadBack("out.csv");
  recorder.Prepare();
  recorder.Leave();
  recorder.driver.Finish();
  EXPECT_EQ(ReadBack("out.csv"), first);
  recorder.Run();
  EXPECT_EQ(ReadBack("out.csv"), first);
}

TEST_F(Recorder, OverwritesInAFolderThatNothingCanBeMadeIn) {
  const LoadedComponent constant = Ready("openmi.Constant", OverTwoDays({{"value", "1.5"}}));
  Settings settings = kRain;
  settings.emplace_back("overwrite", "true");
  FedRecorder recorder(Make("openmi.Recorder", settings), Output(constant, "value"));
  Write("out.csv", "earlier");
  const uid_t user = ::geteuid();
  constexpr uid_t kNobody = 65534;
  if (user == 0) {
    ASSERT_EQ(::chown((folder_ / "out.csv").c_str(), kNobody, static_cast<gid_t>(-1)), 0);
  }
  std::filesystem::permissions(folder_, std::filesystem::perms(0555));
  if (user == 0) {
    ASSERT_EQ(::seteuid(kNobody), 0);
  }
  EXPECT_NO_THROW(recorder.Prepare());
  EXPECT_EQ(ReadBack("out.csv"), "earlier");
  EXPECT_NO_THROW(recorder.driver.UpdateToEnd());
  recorder.Leave();
  recorder.driver.Finish();
  if (user == 0) {
    ASSERT_EQ(::seteuid(user), 0);
  }
  std::filesystem::permissions(folder_, std::filesystem::perms(0755));
  EXPECT_EQ(ReadBack("out.csv"), "time,value (1)\n2020-01-02T00:00:00Z,1.5\n2020-01-03T00:00:00Z,1.5\n");
}

TEST_F(Recorder, KeepsTheModeOfTheFileThatItOverwrites) {
  const LoadedComponent constant = Ready("openmi.Constant", OverTwoDays({{"value", "1.5"}}));
  Settings settings = kRain;
  settings.emplace_back("overwrite", "true");
  FedRecorder recorder(Make("openmi.Recorder", settings), Output(constant, "value"));
  Write("out.csv", "earlier");
  std::filesystem::permissions(folder_ / "out.csv", std::filesystem::perms(0600));
  recorder.Run();
  EXPECT_THAT(ReadBack("out.csv"), HasSubstr("2020-01-03"));
  EXPECT_EQ(std::filesystem::status(folder_ / "out.csv").permissions(), std::filesystem::perms(0600));
}

TEST_F(Recorder, NamesElementsInItsHeadings) {
  const LoadedComponent constant =
      Ready("openmi.Constant", OverTwoDays({{"value", "1,2"}, {"elements", "a,b,"}, {"unit", "mm h-1"}}));
  const LoadedComponent recorder = Make("openmi.Recorder", OverTwoDays({{"items", "rain"},
                                                                        {"unit", "mm h-1"},
                                                                        {"elements", "a,b"},
                                                                        {"asks", "span"},
                                                                        {"file", "out.csv"},
                                                                        {"time-step", "P1D"}}));
  Driver driver(*recorder.component);
  driver.Initialize();
  Output(constant, "value").AddConsumer(*recorder.component->Inputs()[0]);
  driver.Prepare();
  driver.UpdateToEnd();
  driver.Finish();
  EXPECT_THAT(ReadBack("out.csv"), HasSubstr("time,rain[a] (mm h-1),rain[b] (mm h-1)\n2020-01-02T00:00:00Z,1,2\n"));
  const LoadedComponent again = Ready("openmi.CsvSeries", {{"file", "out.csv"}, {"stamps", "end"}});
  EXPECT_THAT(ElementIds(Output(again, "rain")), ElementsAre("a", "b"));
}

TEST_F(Recorder, GoesOnWithItsFileWhereAStateIsRestored) {
  const auto settings =
      OverTwoDays({{"items", "rain"}, {"unit", "mm h-1"}, {"asks", "span"}, {"file", "out.csv"}, {"time-step", "P1D"}});
  const auto constant_settings = OverTwoDays({{"value", "3"}, {"unit", "mm h-1"}});
  Bytes state;
  std::string whole;
  {
    const LoadedComponent constant = Ready("openmi.Constant", constant_settings);
    const LoadedComponent recorder = Make("openmi.Recorder", settings);
    Driver driver(*recorder.component);
    driver.Initialize();
    Output(constant, "value").AddConsumer(*recorder.component->Inputs()[0]);
    driver.Prepare();
    recorder.component->Update({});
    auto& states = dynamic_cast<IManageState&>(*recorder.component);
    const IIdentifiable& kept = states.KeepCurrentState();
    state = dynamic_cast<IByteStateConverter&>(*recorder.component).ConvertToByteArray(kept);
    const std::string then = ReadBack("out.csv");
    driver.UpdateToEnd();
    whole = ReadBack("out.csv");
    EXPECT_GT(whole.size(), then.size());
    states.RestoreState(kept);  // rows that were written later go
    EXPECT_EQ(ReadBack("out.csv"), then);
    driver.UpdateToEnd();
    EXPECT_EQ(ReadBack("out.csv"), whole);
    Output(constant, "value").RemoveConsumer(*recorder.component->Inputs()[0]);
    driver.Finish();
  }
  const LoadedComponent constant = Ready("openmi.Constant", constant_settings);
  const LoadedComponent recorder = Make("openmi.Recorder", settings);
  dynamic_cast<IResumes&>(*recorder.component).ExpectRestore();
  Driver driver(*recorder.component);
  driver.Initialize();
  Output(constant, "value").AddConsumer(*recorder.component->Inputs()[0]);
  driver.Prepare();
  EXPECT_EQ(ReadBack("out.csv"), whole) << "Prepare leaves what was written";
  auto& converter = dynamic_cast<IByteStateConverter&>(*recorder.component);
  dynamic_cast<IManageState&>(*recorder.component).RestoreState(converter.ConvertFromByteArray(state));
  driver.UpdateToEnd();
  driver.Finish();
  EXPECT_EQ(ReadBack("out.csv"), whole);
}

using OmiFiles = ReadyComponents;

TEST_F(OmiFiles, NameATypeOfThePluginEach) {
  EXPECT_THAT(
      loader_.Types(OPENMI_BINARY_DIR "/lib/openmi2/libopenmi-components.so"),
      ElementsAre("openmi.Constant", "openmi.CsvSeries", "openmi.Expression", "openmi.Gather", "openmi.MuskingumCunge",
                  "openmi.NashCascade", "openmi.NetcdfSeries", "openmi.Population", "openmi.Recorder"));
  for (const char* name : {"constant", "csv-series", "expression", "gather", "muskingum-cunge", "nash-cascade",
                           "netcdf-series", "recorder"}) {
    const OmiFile omi = ReadOmiFile(std::string(OPENMI_BINARY_DIR "/lib/openmi2/") + name + ".omi");
    const LoadedComponent loaded = LoadOmi(loader_, omi);
    EXPECT_EQ(loaded.component->Id(), name);
    EXPECT_EQ(loaded.component->Status(), LinkableComponentStatus::Created);
    for (const IArgument* argument : loaded.component->Arguments()) EXPECT_FALSE(argument->Caption().empty());
  }
}

}  // namespace
}  // namespace openmi::test
