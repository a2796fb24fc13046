// Runs that stop somewhere and go on from a checkpoint.

#include <cstdlib>
#include <random>

#include "composition/results/CsvResults.hpp"
#include "composition/results/ReadResults.hpp"
#include "composition/run/Overrides.hpp"
#include "composition/run/RunCheckpoints.hpp"
#include "composition/run/RunSnapshot.hpp"
#include "composition/state/CheckpointStore.hpp"
#include "composition/state/RunIdentity.hpp"
#include "openmi/omi/ExportComponent.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/composition/state/StateFixture.hpp"
#include "tests/conformance/SampleFactory.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi::testing {

/// A source with an adaptor "same" of its own, which is none of the SDK; it may keep a state.
class ForeignlyAdapted final : public Source {
 public:
  ForeignlyAdapted() : Source("foreignly-adapted") {
    remembers_ = AddArgument<bool>("remembers", {.value = false});
    AdaptedOutputFactories().push_back(&factory_);
  }

 private:
  using Same = sample::SameOf<ITimeSpaceAdaptedOutput, ITimeSpaceOutput, ITimeSpaceValueSet>;
  class Forgets : public Same {
   public:
    explicit Forgets(ITimeSpaceOutput& adaptee) : Same(adaptee, sample::Fault::None) {}
    const openmi::ITimeSet* TimeSet() const override { return adaptee_.TimeSet(); }
    const ISpatialDefinition* SpatialDefinition() const override { return adaptee_.SpatialDefinition(); }
  };
  class Remembers final : public Forgets, public IManageState {
   public:
    using Forgets::Forgets;
    void ClearState(const IIdentifiable&) override {}
    const IIdentifiable& KeepCurrentState() override { return state_; }
    void RestoreState(const IIdentifiable&) override {}

   private:
    Identifier state_{"state"};
  };
  class Factory final : public IdentifiedAs<IAdaptedOutputFactory> {
   public:
    explicit Factory(const Argument<bool>& remembers) : IdentifiedAs("foreign"), remembers_(remembers) {}
    std::unique_ptr<IBaseAdaptedOutput> CreateAdaptedOutput(const IIdentifiable&, IBaseOutput& adaptee,
                                                            IBaseInput*) override {
      auto& output = dynamic_cast<ITimeSpaceOutput&>(adaptee);
      std::unique_ptr<IBaseAdaptedOutput> made;
      if (remembers_.Value()) {
        made = std::make_unique<Remembers>(output);
      } else {
        made = std::make_unique<Forgets>(output);
      }
      adaptee.AddAdaptedOutput(*made);
      return made;
    }
    std::vector<const IIdentifiable*> GetAvailableAdaptedOutputIds(const IBaseOutput&, const IBaseInput*) override {
      return {&same_};
    }

   private:
    const Argument<bool>& remembers_;
    Identifier same_{"same"};
  };
  Argument<bool> remembers_;
  Factory factory_{remembers_};
};

}  // namespace openmi::testing

OPENMI_EXPORT_COMPONENT_AS("test.ForeignlyAdapted", openmi::testing::ForeignlyAdapted)

namespace openmi::testing {
namespace {

// The history in the results holds the time of the clock, which is to be the same in runs that are compared.
const bool clock_is_fixed = setenv("SOURCE_DATE_EPOCH", "1700000000", 1) == 0;

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::ThrowsMessage;

const std::string kEvery3h = "<Checkpoints Every=\"PT3H\"/>";

void ExpectSameResults(const std::filesystem::path& a, const std::filesystem::path& b) {
  ASSERT_GT(BytesOf(a / "made.csv").size(), 1000U);
  EXPECT_EQ(BytesOf(a / "made.csv"), BytesOf(b / "made.csv"));
  EXPECT_TRUE(BytesOf(a / "made.nc") == BytesOf(b / "made.nc"));
}

void ExpectSameRecord(const RunRecord& a, const RunRecord& b) {
  EXPECT_EQ(a.passes, b.passes);
  ASSERT_EQ(a.series.size(), b.series.size());
  for (std::size_t i = 0; i < a.series.size(); ++i) {
    EXPECT_EQ(a.series[i].times, b.series[i].times);
    EXPECT_EQ(a.series[i].values.size(), b.series[i].values.size());
  }
  ASSERT_EQ(a.links.size(), b.links.size());
  for (std::size_t i = 0; i < a.links.size(); ++i) {
    EXPECT_EQ(a.links[i].second.left, b.links[i].second.left);
    EXPECT_EQ(a.links[i].second.arrived, b.links[i].second.arrived);
  }
  ASSERT_EQ(a.components.size(), b.components.size());
  for (std::size_t i = 0; i < a.components.size(); ++i) {
    EXPECT_EQ(a.components[i].second.in, b.components[i].second.in);
    EXPECT_EQ(a.components[i].second.worst_step, b.components[i].second.worst_step);
  }
  ASSERT_EQ(a.comparisons.size(), 1U);
  EXPECT_EQ(a.comparisons[0].simulated, b.comparisons[0].simulated);
  EXPECT_EQ(a.comparisons[0].unmatched, b.comparisons[0].unmatched);
}

class ResumedRun : public ::testing::TestWithParam<RunMode> {};

TEST_P(ResumedRun, GivesTheResultsOfOneThatNeverStopped) {
  const Folder folder;
  const std::string body = Watershed({}, kEvery3h);
  RunOptions options = FilesIn(folder.Path() / "whole");
  options.mode = GetParam();
  const RunRecord whole = RunAll(body, options);
  EXPECT_TRUE(whole.is_complete) << ProblemsOf(whole);
  EXPECT_GT(whole.checkpoints, 4U);
  EXPECT_FALSE(std::filesystem::exists(folder.Path() / "whole/made.checkpoint")) << "a complete run needs none";
  EXPECT_FALSE(std::filesystem::exists(folder.Path() / "whole/made.nc.journal.kept"));
  for (std::uint64_t passes = 0; passes < whole.passes; ++passes) {
    SCOPED_TRACE(passes);
    options.folder = folder.Path() / std::to_string(passes);
    options.resume = false;
    RunSome(body, options, passes);
    options.resume = true;
    const RunRecord resumed = RunAll(body, options);
    EXPECT_TRUE(resumed.is_complete) << ProblemsOf(resumed);
    ExpectSameResults(folder.Path() / "whole", options.folder);
    ExpectSameRecord(whole, resumed);
    if (HasFailure()) return;
  }
}

TEST(Resume, ACompleteRunIsToldFromOneWithoutCheckpoints) {
  const Folder folder;
  const auto resume = [&](const std::string& body) {
    RunOptions options = FilesIn(folder.Path());
    options.resume = true;
    RunAll(body, options);
  };
  const std::string body = Watershed({}, kEvery3h);
  RunOptions wanted = FilesIn(folder.Path());
  const auto complete_since = [&](const std::string& of) {
    Made made(of);
    return CompleteSince(*made.composition, wanted);
  };
  RunAll(Watershed(), FilesIn(folder.Path()));
  EXPECT_FALSE(complete_since(body));
  EXPECT_THAT([&] { resume(body); }, ThrowsMessage<FileError>(AllOf(HasSubstr("found none beside the results"),
                                                                    HasSubstr("took no checkpoints"))));
  RunOptions again = FilesIn(folder.Path());
  again.overwrite = true;
  RunAll(body, again);
  ASSERT_TRUE(complete_since(body));
  EXPECT_EQ(complete_since(body)->mjd, ParseIsoTime("2015-12-03T00:00Z").mjd);
  EXPECT_TRUE(complete_since(Watershed({}, "<Checkpoints Every=\"PT1H\"/>"))) << "its results are the same";
  EXPECT_THAT([&] { resume(body); }, ThrowsMessage<FileError>(HasSubstr("found the results of a complete run")));
  EXPECT_FALSE(complete_since(Watershed(ArgumentXml("seed", "5"), kEvery3h))) << "another run";
  wanted.save_states = folder.Path() / "states";
  EXPECT_FALSE(complete_since(body)) << "its states are gone";
  wanted = FilesIn(folder.Path());
  wanted.write_report = [](const auto&...) {};
  EXPECT_FALSE(complete_since(body)) << "it wrote no report";
  wanted = FilesIn(folder.Path());
  wanted.write_results = false;
  EXPECT_FALSE(complete_since(body)) << "it wrote results";
  again.write_results = false;
  RunAll(body, again);
  EXPECT_TRUE(complete_since(body));
  wanted.write_results = again.write_results = true;
  EXPECT_FALSE(complete_since(body)) << "it wrote no results, those there are of another run";
  RunSome(body, again, 3);
  EXPECT_FALSE(complete_since(body)) << "a new run took its place";
  RunAll(body, again);
  std::filesystem::remove(folder.Path() / "made.csv");
  EXPECT_FALSE(complete_since(body)) << "the results are gone";
}

TEST(Resume, ARunThatEndedWithErrorsKeepsItsCheckpoints) {
  const Folder folder;
  const std::string body = Watershed({}, kEvery3h);
  RunOptions options = FilesIn(folder.Path() / "out");
  options.save_states = folder.Path() / "file/states";
  std::ofstream(folder.Path() / "file") << "no folder";
  const RunRecord failed = RunAll(body, options);
  EXPECT_TRUE(failed.is_complete);
  EXPECT_TRUE(HasErrors(failed.problems)) << "the states could not be saved";
  EXPECT_TRUE(std::filesystem::exists(options.folder / "made.checkpoint"));
  EXPECT_FALSE(std::filesystem::exists(options.folder / "made.complete"));
  std::filesystem::remove(folder.Path() / "file");
  options.resume = true;
  const RunRecord resumed = RunAll(body, options);
  EXPECT_FALSE(HasErrors(resumed.problems)) << ProblemsOf(resumed);
  EXPECT_TRUE(resumed.resumed);
  EXPECT_TRUE(std::filesystem::exists(options.folder / "made.complete"));
  EXPECT_FALSE(std::filesystem::is_empty(options.save_states));
}

TEST_P(ResumedRun, StopsAgainAndAgain) {
  const Folder folder;
  const std::string body = Watershed({}, "<Checkpoints Every=\"PT1H\" Keep=\"3\"/>");
  RunOptions options = FilesIn(folder.Path() / "whole");
  options.mode = GetParam();
  RunAll(body, options);
  options.folder = folder.Path() / "often";
  options.resume = true;
  for (int i = 0; i < 6; ++i) RunSome(body, options, 3);
  EXPECT_TRUE(RunAll(body, options).is_complete);
  ExpectSameResults(folder.Path() / "whole", options.folder);
}

INSTANTIATE_TEST_SUITE_P(Modes, ResumedRun, ::testing::Values(RunMode::Pull, RunMode::Step));

TEST(Resume, WithoutResultsFilesToo) {
  const Folder folder;
  const std::string body = Watershed({}, kEvery3h);
  RunOptions options = FilesIn(folder.Path());
  options.write_results = false;
  options.overwrite = true;
  const RunRecord whole = RunAll(body, options);
  RunSome(body, options, 9);
  options.resume = true;
  const RunRecord resumed = RunAll(body, options);
  EXPECT_GT(resumed.resumed->mjd, kDayOne);
  ExpectSameRecord(whole, resumed);
  for (std::size_t i = 0; i < whole.series.size(); ++i)
    EXPECT_EQ(whole.series[i].values.size(), resumed.series[i].values.size());
}

TEST(Resume, AfterARequestedEndGoesOnWhereItEnded) {
  const Folder folder;
  const std::string body = Watershed({}, "<Checkpoints Every=\"P1D\"/>");
  RunAll(body, FilesIn(folder.Path() / "whole"));
  RunOptions options = FilesIn(folder.Path() / "ended");
  {
    Made made(body);
    CompositionRun run(*made.composition, made.problems, options);
    run.BetweenPasses().Add([&] {
      if (run.Passes() == 5) run.RequestEnd("enough");
    });
    EXPECT_FALSE(run.Run().is_complete);
  }
  EXPECT_TRUE(std::filesystem::exists(options.folder / "made.nc")) << "completed, and to be gone on with all the same";
  options.resume = true;
  const RunRecord resumed = RunAll(body, options);
  EXPECT_NEAR(resumed.resumed->mjd, kDayOne + 10.0 / 24.0, 1e-9);
  ExpectSameResults(folder.Path() / "whole", options.folder);
}

/// Runs over earlier results whose table cannot be replaced when the first checkpoint is due, before the first row.
void RunWhereTheTableIsBlocked(const RunOptions& options, bool for_good) {
  const auto body = [](const std::string& seed) {
    return ComponentXml("walk", "Walk", ArgumentXml("seed", seed)) +
           ComponentXml("pond", "Pond", ArgumentXml("time-step", "PT2H")) +
           LinkXml("walk.flow", "pond.inflow", AdaptorXml("mean-over-span")) +
           "<Observe Id=\"mean\" Item=\"pond.outflow\" Every=\"P1D\" As=\"mean\"/>" + kEvery3h +
           RunXml("2015-12-03T00:00Z", "Trigger=\"pond\"");
  };
  RunAll(body("0.4"), options);
  RunOptions over = options;
  over.overwrite = true;
  const std::filesystem::path table = options.folder / "made.csv";
  const std::filesystem::path aside = options.folder / "aside.csv";
  Made made(body("0.3"));
  CompositionRun run(*made.composition, made.problems, over);
  run.Begin();
  std::filesystem::rename(table, aside);
  std::filesystem::create_directory(table);
  for (int i = 0; i < 3 && run.Advance(); ++i) {
  }
  if (!for_good) std::filesystem::remove(table);
  if (!for_good) std::filesystem::rename(aside, table);
  while (run.Advance()) {
  }
  EXPECT_THAT([&] { run.End(); }, ThrowsMessage<FileError>(HasSubstr("made.csv")));
}

TEST(Resume, ATableThatCannotBeReplacedAtACheckpointFailsTheRun) {
  const Folder folder;
  RunWhereTheTableIsBlocked(FilesIn(folder.Path()), true);
}

TEST(Resume, ATableThatCouldNotBeReplacedFollowsItsNetcdf) {
  const Folder folder;
  const RunOptions options = FilesIn(folder.Path());
  RunWhereTheTableIsBlocked(options, false);
  const auto first_value = [](const ResultTable& table) {
    return table.series.at(0).ends.empty() ? 0.0 : table.series[0].values.at(0);
  };
  EXPECT_FALSE(std::filesystem::exists(folder.Path() / "made.csv.part"));
  EXPECT_EQ(first_value(ReadCsvResults(folder.Path() / "made.csv")),
            first_value(ReadNetcdfResults(folder.Path() / "made.nc")));
}

TEST(Resume, FromADamagedCheckpointTakesTheOneBefore) {
  const Folder folder;
  const std::string body = Watershed({}, kEvery3h);
  RunAll(body, FilesIn(folder.Path() / "whole"));
  const RunOptions first = FilesIn(folder.Path() / "first");
  RunSome(body, first, 12);
  const std::string newest = BytesOf(first.folder / "made.checkpoint");
  ASSERT_TRUE(std::filesystem::exists(first.folder / "made.checkpoint.1"));
  std::mt19937 random(11);
  std::uniform_int_distribution<std::size_t> place(0, newest.size() - 1);
  for (int i = 0; i < 12; ++i) {
    SCOPED_TRACE(i);
    RunOptions options = FilesIn(folder.Path() / std::to_string(i));
    std::filesystem::copy(first.folder, options.folder);
    std::string damaged = newest;
    if (i % 2 == 0) {
      damaged.resize(place(random));
    } else {
      const std::size_t at = place(random);
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << (i % 8)));
    }
    std::ofstream(options.folder / "made.checkpoint", std::ios::binary) << damaged;
    options.resume = true;
    const RunRecord resumed = RunAll(body, options);
    EXPECT_TRUE(resumed.is_complete);
    EXPECT_THAT(ProblemsOf(resumed), AllOf(HasSubstr("made.checkpoint"), HasSubstr("the one before it is used")));
    ExpectSameResults(folder.Path() / "whole", options.folder);
  }
  RunOptions none = FilesIn(folder.Path() / "none");
  std::filesystem::copy(first.folder, none.folder);
  for (const char* name : {"made.checkpoint", "made.checkpoint.1"}) std::ofstream(none.folder / name) << "rubbish";
  none.resume = true;
  EXPECT_THAT([&] { RunAll(body, none); }, ThrowsMessage<FormatError>(AllOf(HasSubstr("found something else"),
                                                                            HasSubstr("no earlier one is valid"))));
}

TEST(Resume, FromResultsThatWereCutTakesTheCheckpointThatFits) {
  const Folder folder;
  const std::string body = Watershed({}, kEvery3h);
  RunAll(body, FilesIn(folder.Path() / "whole"));
  RunOptions options = FilesIn(folder.Path() / "cut");
  RunSome(body, options, 14);  // the destructor made the NetCDF file of the journal; the kept name leads to it
  const auto journal = options.folder / "made.nc.journal.kept";
  ASSERT_TRUE(std::filesystem::exists(journal));
  Problems ignored;
  std::filesystem::resize_file(journal,
                               *CheckpointStore(options.folder, "made", 2).ReadNewest(ignored)->journal_bytes - 8);
  options.resume = true;
  const RunRecord resumed = RunAll(body, options);
  EXPECT_THAT(ProblemsOf(resumed), HasSubstr("of earlier results, found"));
  ExpectSameResults(folder.Path() / "whole", options.folder);
}

TEST(Resume, RefusesWhatIsAnotherUnlessAskedFor) {
  const Folder folder;
  RunOptions options = FilesIn(folder.Path());
  RunSome(Watershed(ArgumentXml("seed", "0.3") + ArgumentXml("key", "swordfish"), kEvery3h), options, 12);
  EXPECT_THAT(BytesOf(folder.Path() / "made.checkpoint"), Not(HasSubstr("swordfish")));
  options.resume = true;
  EXPECT_THAT(
      [&] { RunAll(Watershed(ArgumentXml("seed", "0.4") + ArgumentXml("key", "swordfish"), kEvery3h), options); },
      ThrowsMessage<ArgumentError>(AllOf(HasSubstr("argument 'seed' of component 'walk' was '0.3' and is '0.4'"),
                                         HasSubstr("the composition file was another"),
                                         HasSubstr("--resume-changed"))));
  // How often, and how fast, is no part of what it is.
  {
    Made made(Watershed(ArgumentXml("seed", "0.3") + ArgumentXml("key", "swordfish"),
                        "<Checkpoints Every=\"PT6H\" Keep=\"5\"/>"));
    CompositionRun run(*made.composition, made.problems, options);
    EXPECT_NO_THROW(run.Begin());
    EXPECT_TRUE(run.Advance());
  }
  options.resume_changed = true;
  const RunRecord record =
      RunAll(Watershed(ArgumentXml("seed", "0.4") + ArgumentXml("key", "swordfish"), kEvery3h), options);
  EXPECT_TRUE(record.is_complete) << ProblemsOf(record);
  EXPECT_GT(record.resumed->mjd, kDayOne);
}

TEST(Resume, ASecretLeavesNothingInACheckpointThatItCouldBeGuessedFrom) {
  const auto written = [](const std::string& key) {
    const Made made(Watershed(ArgumentXml("key", key), kEvery3h));
    StateWriter writer;
    IdentityOf(*made.composition, RunMode::Pull).Save(writer);
    const auto bytes = writer.Bytes();
    return std::vector<std::byte>(bytes.begin(), bytes.end());
  };
  EXPECT_EQ(written("1234"), written("1235"));
  const Folder folder;
  RunOptions options = FilesIn(folder.Path());
  RunSome(Watershed(ArgumentXml("key", "1234"), kEvery3h), options, 12);
  options.resume = true;
  const RunRecord record = RunAll(Watershed(ArgumentXml("key", "1235"), kEvery3h), options);
  EXPECT_TRUE(record.is_complete) << ProblemsOf(record);
  EXPECT_GT(record.resumed->mjd, kDayOne);
}

TEST(Resume, ASecretLeavesNothingWhileItsFamilyIsDisengaged) {
  const auto written = [](const std::string& key) {
    const Made made(ComponentXml("walk", "Walk", ArgumentXml("key", key)) +
                    RunXml("2015-12-03T00:00Z", "Trigger=\"walk\""));
    LoadedComponent out = made.composition->Instances()[0].Detach();
    StateWriter writer;
    IdentityOf(*made.composition, RunMode::Pull).Save(writer);
    const auto bytes = writer.Bytes();
    return std::vector<std::byte>(bytes.begin(), bytes.end());
  };
  EXPECT_EQ(written("1234"), written("1235"));
}

TEST(Resume, WithNothingThereBeginsAndBesideACompleteRunRefuses) {
  const Folder folder;
  const std::string body = Watershed({}, kEvery3h);
  RunOptions options = FilesIn(folder.Path());
  options.resume = true;
  const RunRecord record = RunAll(body, options);
  EXPECT_TRUE(record.is_complete);
  EXPECT_EQ(record.resumed, std::nullopt);
  EXPECT_THAT([&] { RunAll(body, options); },
              ThrowsMessage<FileError>(
                  AllOf(HasSubstr("expected a checkpoint to continue from, found the results of a complete run"),
                        HasSubstr("--overwrite"))));
}

TEST(Resume, TellsOfTheOverridesThatItGoesOnWith) {
  const Folder folder;
  const std::string body = Watershed({}, kEvery3h);
  RunOptions options = FilesIn(folder.Path());
  {
    Made made(body);
    CompositionRun run(*made.composition, made.problems, options);
    run.Begin();
    for (int i = 0; i < 6; ++i) run.Advance();
    Overrides(*made.composition).Set({"upper", "inflow"}, std::vector{0.5});
    run.TakeCheckpoint();
  }
  options.resume = true;
  const RunRecord record = RunAll(body, options);
  EXPECT_THAT(ProblemsOf(record),
              AllOf(HasSubstr("upper.inflow: overridden with 0.5 when the run continues, at 2015-12-01T"),
                    HasSubstr("an operator set it")));
  EXPECT_THAT(BytesOf(folder.Path() / "made.csv"), HasSubstr("# note: upper.inflow overridden with 0.5 when"));
}

TEST(Resume, TheTableThatIsThereStaysUntilTheNewOneIsWhole) {
  const Folder folder;
  const std::string body = Watershed({}, kEvery3h);
  RunOptions options = FilesIn(folder.Path());
  RunSome(body, options, 8);
  const std::string before = BytesOf(folder.Path() / "made.csv");
  std::filesystem::create_directory(folder.Path() / "made.csv.part");  // no new one can be made
  options.resume = true;
  EXPECT_THROW(RunAll(body, options), FileError);
  EXPECT_EQ(BytesOf(folder.Path() / "made.csv"), before);
  std::filesystem::remove(folder.Path() / "made.csv.part");
  EXPECT_TRUE(RunAll(body, options).is_complete);
}

TEST(Resume, ACheckpointThatCannotMakeRoomIsTold) {
  const Folder folder;
  const std::string body = Watershed({}, kEvery3h);
  const RunOptions options = FilesIn(folder.Path());
  Made made(body);
  CompositionRun run(*made.composition, made.problems, options);
  run.Begin();
  for (int i = 0; i < 6; ++i) run.Advance();
  std::filesystem::remove(folder.Path() / "made.checkpoint.1");
  std::filesystem::create_directories(folder.Path() / "made.checkpoint.1" / "x");  // the one before cannot go there
  const std::string before = BytesOf(folder.Path() / "made.checkpoint");
  EXPECT_THAT([&] { run.TakeCheckpoint(); }, ThrowsMessage<FileError>(HasSubstr("made.checkpoint.1")));
  EXPECT_EQ(BytesOf(folder.Path() / "made.checkpoint"), before);
  while (run.Advance()) {
  }
  EXPECT_TRUE(run.End().is_complete);
}

TEST(Resume, ACheckpointThatCannotBeWrittenLeavesTheRunAndTheOneBefore) {
  const Folder folder;
  const std::string body = Watershed({}, kEvery3h);
  RunOptions options = FilesIn(folder.Path());
  Made made(body);
  CompositionRun run(*made.composition, made.problems, options);
  run.Begin();
  for (int i = 0; i < 6; ++i) run.Advance();
  const std::string before = BytesOf(folder.Path() / "made.checkpoint");
  std::filesystem::create_directory(folder.Path() / "made.checkpoint.new.part");  // nothing can be written there
  while (run.Advance()) {
  }
  EXPECT_EQ(BytesOf(folder.Path() / "made.checkpoint"), before);
  const RunRecord record = run.End();
  EXPECT_TRUE(record.is_complete);
  EXPECT_THAT(ProblemsOf(record), HasSubstr("no checkpoint at 2015-12-01T"));
  std::filesystem::remove(folder.Path() / "made.checkpoint.new.part");
}

TEST(Resume, ComponentsWithoutStateAreNamedAndRefusedOrSkipped) {
  const auto body = [](const std::string& checkpoints) {
    return ComponentXml("steady", "Source") + ComponentXml("pond", "Pond") + LinkXml("steady.out", "pond.inflow") +
           "<Observe Item=\"pond.outflow\"/>" + checkpoints + RunXml();
  };
  Made refused(body("<Checkpoints/>"));
  EXPECT_THAT(refused.Text(), AllOf(HasSubstr("steady: expected a component that keeps its state, for checkpoints"),
                                    HasSubstr("WithoutState=\"skip\"")));
  EXPECT_THAT(Made(body("")).Text(), IsEmpty());
  const std::string skips = body("<Checkpoints Every=\"PT2H\" WithoutState=\"skip\"/>");
  Made skipped(skips);
  EXPECT_THAT(skipped.Text(), IsEmpty());
  EXPECT_THAT(skipped.Text(Problem::Note), HasSubstr("steady: keeps no state"));
  const Folder folder;
  RunAll(skips, FilesIn(folder.Path() / "whole"));
  RunOptions options = FilesIn(folder.Path() / "resumed");
  RunSome(skips, options, 7);
  // Stepped there from the begin it gives the same; begun at the checkpoint it would count its steps anew.
  options.resume = true;
  EXPECT_TRUE(RunAll(skips, options).is_complete);
  EXPECT_EQ(BytesOf(options.folder / "made.csv"), BytesOf(folder.Path() / "whole/made.csv"));
  // As the command does it: the one without a state is made to begin there.
  options.folder = folder.Path() / "begun";
  options.resume = false;
  RunSome(skips, options, 7);
  options.resume = true;
  const RunRecord begun = RunAll(skips, options, [&](Composition& made) { ExpectResume(made, options.folder); });
  EXPECT_TRUE(begun.is_complete);
  EXPECT_EQ(begun.resumed_from, (options.folder / "made.checkpoint").string());
  EXPECT_THAT(ProblemsOf(begun), HasSubstr("steady: started anew when the run was resumed, at 2015-12-01T06:00:00Z"));
}

TEST(Resume, AdaptorsWhoseMemoryIsInNoCheckpointAreNamed) {
  const auto check = [](const std::string& remembers, const std::string& checkpoints, Problem::Severity severity) {
    return Made(ComponentXml("a", "ForeignlyAdapted", ArgumentXml("remembers", remembers)) + ComponentXml("s", "Sink") +
                LinkXml("a.out", "s.in", AdaptorXml("same")) + checkpoints + RunXml())
        .Text(severity);
  };
  const std::string refuses = "<Checkpoints Every=\"PT2H\"/>";
  const std::string skips = "<Checkpoints Every=\"PT2H\" WithoutState=\"skip\"/>";
  const char* const kept =
      "link a.out -> s.in: expected adaptors whose memory goes into checkpoints, found 'same', "
      "whose state (IManageState) is in none";
  EXPECT_THAT(check("true", refuses, Problem::Error), HasSubstr(kept));
  EXPECT_THAT(check("true", skips, Problem::Error), Not(HasSubstr("'same'")));
  EXPECT_THAT(check("true", skips, Problem::Warning), HasSubstr(kept));
  for (const std::string& checkpoints : {refuses, skips}) {
    EXPECT_THAT(check("false", checkpoints, Problem::Error), Not(HasSubstr("'same'")));
    EXPECT_THAT(check("false", checkpoints, Problem::Warning),
                HasSubstr("found 'same', which does not derive from AdaptedOutput of the SDK"));
  }
  EXPECT_THAT(check("true", "", Problem::Warning), Not(HasSubstr("'same'")));
}

}  // namespace
}  // namespace openmi::testing
