// Populations whose rows are in several groups: the results of one process, and errors that name the part.

#include <fmt/format.h>

#include <cmath>
#include <csignal>
#include <fstream>
#include <map>

#include "composition/isolation/IsolatedComponent.hpp"
#include "composition/joined/PartedPopulation.hpp"
#include "composition/link/Groups.hpp"
#include "composition/run/RunCheckpoints.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/composition/hosts/OnHosts.hpp"
#include "timespace/elements/ElementSet.hpp"
#include "timespace/elements/ReferenceSystems.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int kRows = 26;

TEST(RowsOfAPart, AreNoMoreThanTheElementsOfItsItems) {
  const auto rows = [](std::string_view text, std::size_t most) {
    return RowsOfRanges(text, most, {.component = "p", .item = "member-rows"});
  };
  EXPECT_THAT(rows("5-7 1000000", 4), ::testing::ElementsAre(5, 6, 7, 1'000'000));
  EXPECT_THAT(rows("", 0), IsEmpty());
  for (const char* text : {"0-4", "0-1 7-8 9", "0-18446744073709551615", "0-999999999", "3-2", "a", "-1", "1-"}) {
    EXPECT_THROW(rows(text, 4), FormatError) << text;
  }
  EXPECT_THAT([&] { rows("0-999999999", 4); },
              ::testing::ThrowsMessage<FormatError>(
                  HasSubstr("p.member-rows: expected ranges of 4 rows at most, as many as items of the part have "
                            "elements, found '0-999999999'")));
}

TEST(JoinedElements, AreRefusedInTheWordsOfTheirPieces) {
  const ElementSet one =
      ElementSet::Points("one", kWgs84Wkt, {"a"}, std::vector<double>{1.0}, std::vector<double>{2.0});
  const ElementSet moved =
      ElementSet::Points("moved", kWgs84Wkt, {"a"}, std::vector<double>{3.0}, std::vector<double>{2.0});
  const ElementSet nameless =
      ElementSet::Points("nameless", kWgs84Wkt, {}, std::vector<double>{1.0}, std::vector<double>{2.0});
  const ElementSet bare = ElementSet::IdBased("bare", {"b"});
  const ElementSet none;
  const Where place{.component = "p", .item = "q"};
  const auto refusal = [&place](const std::vector<const ISpatialDefinition*>& each, const PieceNames& names) {
    try {
      JoinElements(each, {0, 2}, names, place);
    } catch (const LinkError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(refusal({&one, nullptr}, kPartNames),
              HasSubstr("elements of all parts or of none, found none of part 3"));
  EXPECT_THAT(refusal({&one, nullptr}, kRankNames),
              HasSubstr("elements of all ranks or of none, found none of rank 2"));
  EXPECT_THAT(refusal({&nameless, &one}, kPartNames), HasSubstr("found none for element 0 of part 1"));
  EXPECT_THAT(refusal({&one, &moved}, kPartNames), HasSubstr("found different ones of part 1 and part 3"));
  EXPECT_THAT(refusal({&one, &bare}, kPartNames), HasSubstr("give them the same in all parts, or leave out Parts"));
  EXPECT_THAT(refusal({&none, &none}, kRankNames), HasSubstr("give the item elements, or leave out Ranks"));
  const std::vector<const ISpatialDefinition*> both = {&one, &bare};
  const std::vector<std::vector<std::size_t>> rows = {{0}, {0}};
  EXPECT_THAT([&] { JoinRows(both, rows, place); },
              ::testing::ThrowsMessage<LinkError>(AllOf(HasSubstr("p.q: expected elements for each row"),
                                                        HasSubstr("found others in part 2; give the item as many "
                                                                  "elements for each row"))));
}

/// Trees of reservoirs below a weather: rows of a basin are not neighbours in the table.
class Parts : public ::testing::Test {
 protected:
  Parts() {
    folder_.Write("nash.omi", R"(<LinkableComponent xmlns="http://www.openmi.org/v2_0" Type="openmi.NashCascade" )"
                              R"(Assembly="openmi-components"><Arguments/></LinkableComponent>)");
    std::string table = "id,k,basin,toid,x,y\n";
    std::string weather = "time";
    for (int i = 0; i < kRows; ++i) {
      table += fmt::format("r{},{},b{},{},{},{}\n", i, 0.5 + 0.37 * i, i % 5, i < 5 ? "" : fmt::format("r{}", i - 5),
                           0.1 * i, 0.3 * i);
      weather += fmt::format(",r{}", i);
    }
    for (int hour = 1; hour <= 24; ++hour) {
      weather += fmt::format("\n2015-12-{:02}T{:02}:00Z", 1 + hour / 24, hour % 24);
      for (int i = 0; i < kRows; ++i) weather += fmt::format(",{}", std::fabs(std::sin(0.7 * hour + 0.1 * i)));
    }
    folder_.Write("rows.csv", table);
    folder_.Write("weather.csv", weather + "\n");
  }

  static std::string Population(const std::string& id, const std::string& attributes, const std::string& inside = {}) {
    return fmt::format(R"(<Population Id="{}" Omi="nash.omi" Of="rows.csv" Key="id" {}>
        <Argument Key="residence-time" Value="{{{{k}}}}"/>{}</Population>)",
                       id, attributes, inside);
  }
  /// A weather, then a population, then one that is downstream of it, and a reservoir of all.
  static std::string Basin(const std::string& attributes, const std::string& inside = {},
                           const std::string& further = {}) {
    return R"(<Component Id="weather" Type="openmi.CsvSeries" Assembly="openmi-components">
        <Argument Key="file" Value="weather.csv"/><Argument Key="elements-from-columns" Value="true"/>
        <Argument Key="item" Value="rain"/><Argument Key="unit" Value="m3 s-1"/>
        <Argument Key="stamps" Value="end"/><Argument Key="step" Value="PT1H"/></Component>)" +
           Population("hills", attributes, inside) + Population("plain", attributes) +
           R"(<Component Id="lake" Omi="nash.omi" Group="lake"/>
        <Link From="weather.rain" To="hills.inflow"><Adaptor Id="by-id"/></Link>
        <Link From="hills.outflow" To="plain.inflow"/>
        <Link From="plain.outflow" To="lake.inflow"><Adaptor Id="one-value"><Argument Key="of" Value="sum"/></Adaptor></Link>
        <Observe Item="hills.outflow"/><Observe Item="plain.outflow"/><Observe Item="lake.outflow"/>)" +
           further + R"(<Run From="2015-12-01T01:00Z" To="2015-12-02T00:00Z"/>)";
  }
  static constexpr const char* kNetwork = R"(<Network From="outflow" To="inflow" Column="toid"/>)";

  /// A composition, loaded and checked.
  struct Loaded {
    Problems problems;
    std::unique_ptr<Composition> composition;
    std::string Text(Problem::Severity severity = Problem::Error) const {
      std::string text;
      for (const Problem& problem : problems) {
        if (problem.severity == severity) text += FormatProblem(problem) + "\n";
      }
      return text;
    }
    IBaseLinkableComponent& Get(const std::string& id) const {
      return composition->Instances().at(*composition->IndexOf(id)).Component();
    }
    std::vector<IsolatedProcess*> Processes(const std::string& id) const {
      std::vector<IsolatedProcess*> processes;
      dynamic_cast<IUpdatesApart&>(Get(id)).AddProcesses(processes);
      return processes;
    }
  };
  Loaded Load(const std::string& body, const Placement& placement = {}, const std::string& resumed = {}) const {
    folder_.Write("made.xml",
                  "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"made\">" + body + "</Composition>");
    Loaded loaded;
    loaded.composition = std::make_unique<Composition>(ReadCompositionFile(folder_ / "made.xml", loaded.problems));
    loaded.composition->SetPlacement(placement);
    if (!resumed.empty()) ExpectResume(*loaded.composition, folder_ / resumed);
    loaded.composition->Load(loaded.problems);
    loaded.composition->Connect(loaded.problems);
    CheckComposition(*loaded.composition, loaded.problems);
    return loaded;
  }
  RunOptions Options(const std::string& results, std::size_t threads = 1) const {
    RunOptions options;
    options.folder = folder_ / results;
    options.overwrite = true;
    options.threads = threads;
    return options;
  }
  std::string RowsIn(const std::string& results) const {
    std::istringstream lines(folder_.Read(results + "/made.csv"));
    std::string rows;
    for (std::string line; std::getline(lines, line);) rows += line.starts_with("# history") ? "" : line + "\n";
    return rows;
  }
  /// The table of results, with its head; or what is wrong.
  std::string Rows(const std::string& body, const Placement& placement = {}, std::size_t threads = 1,
                   RunMode mode = RunMode::Pull) const {
    Loaded loaded = Load(body, placement);
    if (const std::string errors = loaded.Text(); !errors.empty()) return errors;
    RunOptions options = Options("results", threads);
    options.mode = mode;
    const RunRecord record = CompositionRun(*loaded.composition, loaded.problems, options).Run();
    const std::string errors = ErrorsOf(record);
    return errors.empty() ? RowsIn("results") : errors;
  }

  Folder folder_{"parts"};
};

TEST_F(Parts, GiveTheBytesOfOneProcess) {
  const std::string plain = Rows(Basin(""));
  ASSERT_THAT(plain, HasSubstr("2015-12-02T00:00"));
  EXPECT_EQ(Rows(Basin(R"(Group="g" Parts="2")")), plain) << "no part has a host";
  EXPECT_EQ(Rows(Basin(R"(Group="g" Parts="2")"), PlacedAt({"g-1=localhost"})), plain);
  EXPECT_EQ(Rows(Basin(R"(Group="g" Parts="4")"), PlacedAt({"g-1=one", "g-2=two", "g-4=one", "lake=two"})), plain);
  EXPECT_EQ(Rows(Basin(R"(Group="g" Parts="4" PartsBy="basin")"), PlacedAt({"g-2=localhost"}), 2), plain);
  EXPECT_EQ(Rows(Basin(R"(Group="g" Parts="3")"), PlacedAt({"g-3=localhost"}), 1, RunMode::Step),
            Rows(Basin(""), {}, 1, RunMode::Step));
}

TEST_F(Parts, KeepNetworksThatLieWithinThem) {
  const std::string plain = Rows(Basin("", kNetwork));
  ASSERT_THAT(plain, HasSubstr("2015-12-02T00:00"));
  EXPECT_NE(plain, Rows(Basin("")));
  EXPECT_EQ(Rows(Basin(R"(Group="g" Parts="2" PartsBy="basin")", kNetwork), PlacedAt({"g-1=localhost", "g-2=two"})),
            plain);
  for (const Placement& placement : {Placement(), PlacedAt({"g-1=localhost"})}) {
    EXPECT_THAT(Rows(Basin(R"(Group="g" Parts="2")", kNetwork), placement),
                AllOf(HasSubstr("hills.member-networks"), HasSubstr("found an edge between two parts"),
                      HasSubstr("name a column in PartsBy")));
  }
}

TEST_F(Parts, AreInTheProcessesOfTheirGroups) {
  Loaded loaded = Load(Basin(R"(Group="g" Parts="2")"), PlacedAt({"g-2=two"}));
  ASSERT_THAT(loaded.Text(), IsEmpty());
  const auto hills = loaded.Processes("hills");
  ASSERT_EQ(hills.size(), 2U);
  EXPECT_EQ(hills, loaded.Processes("plain"));
  EXPECT_FALSE(hills[0]->IsElsewhere());
  EXPECT_TRUE(hills[1]->IsElsewhere());
  const auto arguments_of = [](const Loaded& one) {
    std::map<std::string, std::string> values;
    for (const IArgument* argument : one.Get("hills").Arguments()) values[argument->Id()] = argument->ValueAsString();
    return values;
  };
  EXPECT_EQ(arguments_of(loaded), arguments_of(Load(Basin(R"(Group="g" Parts="2")")))) << "it is one component";
  CheckGroups(*loaded.composition, loaded.problems);
  EXPECT_THAT(loaded.Text(Problem::Note),
              HasSubstr("hills: is in 2 parts if one of its groups has a host: groups 'g-1' to 'g-2'"));
  EXPECT_THAT(loaded.Text(Problem::Note), HasSubstr("each of the groups 'g-1' to 'g-2' needs "));
}

TEST_F(Parts, AreAskedBeforeTheFirstIsAwaited) {
  Loaded loaded = Load(Basin(R"(Group="g" Parts="4")"), PlacedAt({"g-1=localhost"}));
  ASSERT_THAT(loaded.Text(), IsEmpty());
  auto run = std::make_unique<CompositionRun>(*loaded.composition, loaded.problems, Options("results"));
  run->Begin();
  ASSERT_TRUE(run->Advance());
  auto& plain = dynamic_cast<IUpdatesApart&>(loaded.Get("plain"));
  ASSERT_TRUE(plain.BeginUpdate());
  for (const IsolatedProcess* process : loaded.Processes("plain")) EXPECT_TRUE(process->IsPosted());
  plain.EndUpdate();
  for (const IsolatedProcess* process : loaded.Processes("plain")) EXPECT_FALSE(process->IsPosted());
  run->End();
}

TEST_F(Parts, GoOnFromACheckpointOnOtherHosts) {
  const auto body = [](const std::string& attributes) {
    return Basin(attributes, kNetwork, R"(<Checkpoints Every="PT5H"/>)");
  };
  const std::string plain = Rows(body(""));
  ASSERT_THAT(plain, HasSubstr("2015-12-02T00:00"));
  const std::string parts = body(R"(Group="g" Parts="2" PartsBy="basin")");
  {
    Loaded loaded = Load(parts, PlacedAt({"g-1=one", "g-2=two"}));
    ASSERT_THAT(loaded.Text(), IsEmpty());
    CompositionRun run(*loaded.composition, loaded.problems, Options("stopped"));
    run.Begin();
    for (int i = 0; i < 13; ++i) ASSERT_TRUE(run.Advance());
    kill(loaded.Processes("hills")[1]->Id(), SIGKILL);
    while (run.Advance()) {
    }
    const std::vector<GroupState> groups = StatesOfGroups(*loaded.composition);
    ASSERT_EQ(groups.size(), 2U);
    EXPECT_EQ(groups[0].id + " " + groups[0].host + " " + groups[0].state, "g-1 one failed");
    EXPECT_EQ(groups[1].id + " " + groups[1].host + " " + groups[1].state, "g-2 two lost");
    EXPECT_THAT(ErrorsOf(run.End()), HasSubstr("hills: part 2 of 2 (group 'g-2'): expected group 'g-2' (hills part 2 "
                                               "of 2, plain part 2 of 2) on two to answer, found that it was killed"));
    EXPECT_TRUE(loaded.composition->HasLostWorker());
  }
  RunOptions options = Options("stopped");
  options.overwrite = false;
  options.resume = true;
  {
    Loaded whole = Load(parts, {}, "stopped");
    const RunRecord record = CompositionRun(*whole.composition, whole.problems, options).Run();
    EXPECT_THAT(ErrorsOf(record),
                AllOf(HasSubstr("hills"), HasSubstr("found that of 2 parts"), HasSubstr("--place GROUP=localhost")));
  }
  Loaded loaded = Load(parts, PlacedAt({"g-1=localhost"}), "stopped");
  ASSERT_THAT(loaded.Text(), IsEmpty());
  const RunRecord record = CompositionRun(*loaded.composition, loaded.problems, options).Run();
  EXPECT_THAT(ErrorsOf(record), IsEmpty());
  EXPECT_TRUE(record.resumed);
  EXPECT_EQ(RowsIn("stopped"), plain);
}

TEST_F(Parts, FreezeTogether) {
  for (const char* places : {"g-2=localhost", "g-2=two"}) {
    Loaded loaded = Load(Basin(R"(Group="g" Parts="3" OnFailure="freeze")"), PlacedAt({places}));
    ASSERT_THAT(loaded.Text(), IsEmpty());
    CompositionRun run(*loaded.composition, loaded.problems, Options("frozen"));
    run.Begin();
    for (int i = 0; i < 5; ++i) ASSERT_TRUE(run.Advance());
    kill(loaded.Processes("hills")[1]->Id(), SIGKILL);
    while (run.Advance()) {
    }
    const RunRecord record = run.End();
    EXPECT_TRUE(record.is_complete);
    EXPECT_THAT(ErrorsOf(record), AllOf(HasSubstr("hills: failed at"), HasSubstr("plain: failed at"),
                                        HasSubstr("part 2 of 3 (group 'g-2')")));
    ASSERT_EQ(record.series.size(), 3U);
    const auto& outflow = record.series[2].values;
    ASSERT_EQ(outflow.size(), 23U);
    EXPECT_NE(outflow.back(), outflow[6]) << "the lake goes on";
  }
}

TEST_F(Parts, ThatWereFrozenGoOnFromTheCheckpointBeforeIt) {
  const auto body = [](const std::string& attributes) {
    return Basin(attributes, {}, R"(<Checkpoints Every="PT3H"/>)");
  };
  const std::string plain = Rows(body(""));
  ASSERT_THAT(plain, HasSubstr("2015-12-02T00:00"));
  const std::string parts = body(R"(Group="g" Parts="2" OnFailure="freeze")");
  const Placement placement = PlacedAt({"g-2=two"});
  RunOptions options = Options("frozen");
  {
    Loaded loaded = Load(parts, placement);
    ASSERT_THAT(loaded.Text(), IsEmpty());
    CompositionRun run(*loaded.composition, loaded.problems, options);
    run.Begin();
    for (int i = 0; i < 8; ++i) ASSERT_TRUE(run.Advance());
    kill(loaded.Processes("hills")[1]->Id(), SIGKILL);
    while (run.Advance()) {
    }
    const RunRecord record = run.End();
    EXPECT_TRUE(record.is_complete);
    EXPECT_THAT(ErrorsOf(record), HasSubstr("hills: failed at"));
    std::string notes;
    for (const Problem& problem : record.problems) notes += FormatProblem(problem) + "\n";
    EXPECT_THAT(notes, HasSubstr("the last checkpoint before its failure stays"));
    EXPECT_THAT(notes, AllOf(HasSubstr("no checkpoints from 2015-12-01T"), Not(HasSubstr("no checkpoint at"))));
    const auto& workers = record.workers.workers;
    ASSERT_EQ(workers.size(), 2U);
    EXPECT_EQ(workers[0].figures.name + " " + workers[1].figures.name, "g-1 g-2");
    EXPECT_FALSE(workers[0].figures.lost_after);
    EXPECT_TRUE(workers[1].figures.lost_after);
  }
  EXPECT_NE(RowsIn("frozen"), plain);
  options.overwrite = false;
  options.resume = true;
  Loaded loaded = Load(parts, placement, "frozen");
  ASSERT_THAT(loaded.Text(), IsEmpty());
  const RunRecord record = CompositionRun(*loaded.composition, loaded.problems, options).Run();
  EXPECT_THAT(ErrorsOf(record), IsEmpty());
  ASSERT_TRUE(record.resumed);
  EXPECT_EQ(record.resumed->mjd, ParseIsoTime("2015-12-01T07:00Z").mjd) << "before the failure";
  EXPECT_EQ(RowsIn("frozen"), plain);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "frozen/made.checkpoint"));
}

TEST_F(Parts, NameTheRowThatIsWrong) {
  folder_.Write("rows.csv", "id,k,basin,toid\na,1,x,\nb,2,y,\nc,,y,\n");
  EXPECT_THAT(Rows(Basin(R"(Group="g" Parts="3")"), PlacedAt({"g-1=localhost"})),
              AllOf(HasSubstr("part 3 of 3 (group 'g-3')"), HasSubstr("expected a value of 'k', found none"),
                    HasSubstr("(c)")));
  for (const Placement& placement : {Placement(), PlacedAt({"g-1=localhost"})}) {
    EXPECT_THAT(Rows(Basin(R"(Group="g" Parts="4")"), placement),
                HasSubstr("expected at least 4 rows for 4 parts, found 3"));
    EXPECT_THAT(
        Rows(Basin(R"(Group="g" Parts="3" PartsBy="basin")"), placement),
        HasSubstr("expected at least 3 different cells in 'basin' for 3 parts, found 2; write Parts=\"2\" at most, "
                  "or another column in PartsBy"));
    EXPECT_THAT(
        Rows(Basin(R"(Group="g" Parts="2" PartsBy="basins")"), placement),
        HasSubstr("expected the column 'basins' of PartsBy, found no column of that name; did you mean 'basin'?"));
  }
  EXPECT_THAT(Load(Basin(R"(Group="g" Parts="2")"), PlacedAt({"g=two"})).Text(),
              HasSubstr("expected a group to place on two, found 'g'; place its parts, such as 'g-1'"));
}

TEST_F(Parts, AreReadFromTheFile) {
  const auto text = [this](const std::string& attributes) { return Load(Basin(attributes)).Text(); };
  EXPECT_THAT(text(R"(Parts="2")"), HasSubstr("expected the Group whose parts are placed, found Parts alone"));
  EXPECT_THAT(text(R"(Group="g" PartsBy="basin")"),
              HasSubstr("expected the number of Parts beside PartsBy, found none"));
  EXPECT_THAT(text(R"(Group="g" Parts="1")"), HasSubstr("'1'"));
  Problems problems;
  Load(Basin(R"(Group="g" Parts="3" PartsBy="basin")"));
  const CompositionFile file = ReadCompositionFile(folder_ / "made.xml", problems);
  const CompositionFile again = ReadCompositionText(CompositionText(file), folder_ / "made.xml", problems);
  EXPECT_THAT(problems, IsEmpty());
  EXPECT_EQ(GroupsOf(*again.Component("hills")), (std::vector<std::string>{"g-1", "g-2", "g-3"}));
  EXPECT_EQ(again.Component("hills")->population->parts_by, "basin");
}

}  // namespace
}  // namespace openmi::testing
