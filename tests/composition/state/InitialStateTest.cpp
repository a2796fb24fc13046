// Runs that begin from the states of others.

#include "composition/state/ComponentState.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/composition/state/StateFixture.hpp"

namespace openmi::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string Chain(const std::string& from, const std::string& to, const std::string& states = {}) {
  const auto component = [&](const std::string& id, const std::string& type) {
    return "<Component Id=\"" + id + "\" Type=\"test." + type + "\" Assembly=\"here\"" +
           (states.empty() ? "" : " InitialState=\"" + states + "/" + id + ".state\"") + "/>";
  };
  return component("walk", "Walk") + component("pond", "Pond") + LinkXml("walk.flow", "pond.inflow") +
         "<Observe Item=\"walk.level\"/><Observe Item=\"pond.outflow\"/><Run From=\"" + from + "\" To=\"" + to + "\"/>";
}

TEST(InitialState, TheSecondHalfOfARunBeginsWhereTheFirstEnded) {
  const Folder folder;
  RunOptions options = FilesIn(folder.Path());
  options.write_results = false;
  const RunRecord whole = RunAll(Chain("2015-12-01T00:00Z", "2015-12-02T00:00Z"), options);
  options.save_states = folder.Path() / "states";
  const RunRecord first = RunAll(Chain("2015-12-01T00:00Z", "2015-12-01T12:00Z"), options);
  EXPECT_THAT(ErrorsOf(first), IsEmpty());
  options.save_states.clear();
  const RunRecord second =
      RunAll(Chain("2015-12-01T12:00Z", "2015-12-02T00:00Z", (folder.Path() / "states").string()), options);
  EXPECT_TRUE(second.is_complete) << ProblemsOf(second);
  ASSERT_EQ(whole.series[0].times.size(), 25U);
  ASSERT_EQ(second.series[0].times.size(), 13U) << "the level at noon, and the hours after";
  for (std::size_t i = 0; i < 13; ++i) EXPECT_EQ(second.series[0].values[i], whole.series[0].values[i + 12]) << i;
  const auto& spans = second.series[1];
  ASSERT_GE(spans.times.size(), 12U);
  for (std::size_t i = 0; i < 12; ++i) {
    EXPECT_EQ(spans.values[spans.values.size() - 12 + i],
              whole.series[1].values[whole.series[1].values.size() - 12 + i]);
  }
}

TEST(InitialState, AFileStaysInItsFolderWhateverTheIdOfTheComponent) {
  EXPECT_EQ(StateFileName("pond"), "pond.state");
  EXPECT_EQ(StateFileName("/tmp/pond"), "%2Ftmp%2Fpond.state");
  EXPECT_EQ(StateFileName("a%2Fb"), "a%252Fb.state") << "no two ids have one name";
  const Folder folder;
  RunOptions options = FilesIn(folder.Path());
  options.write_results = false;
  options.save_states = folder.Path() / "states";
  std::string text = Chain("2015-12-01T00:00Z", "2015-12-01T02:00Z");
  for (std::size_t at = 0; (at = text.find("\"pond", at)) != std::string::npos; ++at) text.insert(at + 1, "up/");
  std::filesystem::create_directories(options.save_states / "up");
  EXPECT_THAT(ErrorsOf(RunAll(text, options)), IsEmpty());
  EXPECT_FALSE(std::filesystem::exists(options.save_states / "up/pond.state"));
  EXPECT_TRUE(std::filesystem::exists(options.save_states / "up%2Fpond.state"));
}

TEST(InitialState, WhatDoesNotFitIsRefusedWithAReason) {
  const Folder folder;
  RunOptions options = FilesIn(folder.Path());
  options.write_results = false;
  EXPECT_THAT(Made(Chain("2015-12-01T00:00Z", "2015-12-02T00:00Z", "/nowhere")).Text(),
              AllOf(HasSubstr("walk: InitialState '/nowhere/walk.state': "), HasSubstr("no such file")));
  options.save_states = folder.Path();
  RunAll(Chain("2015-12-01T00:00Z", "2015-12-01T12:00Z"), options);
  options.save_states.clear();
  // Of another time.
  Made other(Chain("2015-12-01T06:00Z", "2015-12-02T00:00Z", folder.Path().string()));
  EXPECT_THAT(other.Text(), IsEmpty());
  EXPECT_THAT(ErrorsOf(CompositionRun(*other.composition, other.problems, options).Run()),
              AllOf(HasSubstr("walk.state: walk: expected a state at the start of the run, 2015-12-01T06:00:00Z, found "
                              "one at 2015-12-01T12:00:00Z")));
  // Of another component.
  std::filesystem::copy_file(folder.Path() / "pond.state", folder.Path() / "walk.state",
                             std::filesystem::copy_options::overwrite_existing);
  Made exchanged(Chain("2015-12-01T12:00Z", "2015-12-02T00:00Z", folder.Path().string()));
  EXPECT_THAT(ErrorsOf(CompositionRun(*exchanged.composition, exchanged.problems, options).Run()),
              HasSubstr("expected a state of 'walk', found one of 'pond'"));
  // Damaged.
  std::filesystem::resize_file(folder.Path() / "walk.state", 50);
  EXPECT_THAT(Made(Chain("2015-12-01T12:00Z", "2015-12-02T00:00Z", folder.Path().string())).Text(),
              HasSubstr("it was cut short, or changed"));
}

// The standard's own reason for states: forecast, come back, take the new observation, forecast again.
TEST(States, AForecastIsMadeFromAKeptStateAndMadeAgain) {
  Made made(Chain("2015-12-01T00:00Z", "2015-12-02T00:00Z"));
  ASSERT_THAT(made.Text(), IsEmpty());
  RunOptions options = FilesIn({});
  options.write_results = false;
  CompositionRun run(*made.composition, made.problems, options);
  run.Begin();
  while (run.Now().mjd < kDayOne + 0.25 && run.Advance()) {
  }
  IBaseLinkableComponent& pond = made.composition->Instances()[1].Component();
  IBaseLinkableComponent& walk = made.composition->Instances()[0].Component();
  const auto kept_pond = StateBytesOf(pond);
  const auto kept_walk = StateBytesOf(walk);
  const auto forecast = [&] {
    std::vector<double> rows;
    for (int i = 0; i < 6; ++i) {
      pond.Update({});
      rows.push_back(dynamic_cast<const NumericOutput&>(*pond.Outputs()[0]).LastRow()[0]);
    }
    return rows;
  };
  const std::vector<double> first = forecast();
  RestoreStateBytes(walk, kept_walk);
  RestoreStateBytes(pond, kept_pond);
  EXPECT_EQ(forecast(), first);
  run.End();
}

}  // namespace
}  // namespace openmi::testing
