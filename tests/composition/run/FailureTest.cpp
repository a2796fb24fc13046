// Runs that break off, and the files of runs.

#include <cmath>
#include <fstream>
#include <sstream>

#include "composition/report/RunReport.hpp"
#include "composition/results/ReadResults.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/composition/run/RunFixture.hpp"

namespace openmi::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::string Failing() {
  return R"(<Component Id="good" Type="test.Source" Assembly="here"/>
<Component Id="bad" Type="test.Source" Assembly="here"><Argument Key="throw-at" Value="7"/></Component>
<Component Id="t" Type="test.Tank" Assembly="here"/>
<Link From="bad.out" To="t.inflow"/>
<Component Id="s" Type="test.Sink" Assembly="here"/>
<Link From="t.outflow" To="s.in"/>
<Component Id="g" Type="test.Sink" Assembly="here"/>
<Link From="good.out" To="g.in"/>
<Observe Item="t.outflow"/><Observe Item="bad.out"/><Run From="2015-12-01T00:00Z" To="2015-12-02T00:00Z"/>
)";
}

RunOptions FilesIn(const Folder& folder) {
  RunOptions options;
  options.folder = folder.Path();
  options.command = "openmi run made.xml";
  options.write_report = WriteRunReport;
  return options;
}

std::string TextOf(const std::filesystem::path& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

TEST(Failure, EndsTheRunAndNamesTheComponentThatThrew) {
  for (RunMode mode : {RunMode::Pull, RunMode::Step}) {
    Made made(Failing());
    ASSERT_THAT(made.Text(), IsEmpty());
    const RunRecord record = made.Run(mode);
    EXPECT_FALSE(record.is_complete);
    EXPECT_THAT(ErrorsOf(record), HasSubstr("bad: expected the model to compute, found 'the solver met a negative "
                                            "depth'"));
    EXPECT_NEAR(record.reached.mjd, kDayOne + 6.0 / 24.0, 1e-9);
    ASSERT_EQ(record.series.size(), 2U);
    EXPECT_EQ(record.series[0].times.size(), 6U);  // until then
    EXPECT_EQ(record.series[1].times.size(), 6U);
    ASSERT_EQ(record.links.size(), 3U);
    EXPECT_LT(std::fabs(record.links[0].second.relative_difference), 1e-12);
  }
}

TEST(Failure, LeavesResultsAndAReportThatSaysSo) {
  const Folder folder;
  Made made(Failing());
  const RunRecord record = CompositionRun(*made.composition, made.problems, FilesIn(folder)).Run();
  EXPECT_FALSE(record.is_complete);
  ASSERT_EQ(record.files.size(), 3U);
  for (const char* name : {"made.csv", "made.nc"}) {
    const ResultTable table = ReadResults(folder.Path() / name);
    ASSERT_EQ(table.series.size(), 2U) << name;
    EXPECT_EQ(table.series[0].ends.size(), 6U) << name;
  }
  const std::string report = TextOf(folder.Path() / "made.html");
  EXPECT_THAT(report, AllOf(HasSubstr("the solver met a negative depth"), HasSubstr("bad")));
}

TEST(Failure, InPrepareIsTold) {
  Made made(R"(<Component Id="a" Type="test.Source" Assembly="here"><Argument Key="throw-at" Value="1"/></Component>
<Component Id="s" Type="test.Sink" Assembly="here"/>
<Link From="a.out" To="s.in"/>
<Run From="2015-12-01T00:00Z" To="2015-12-02T00:00Z"/>
)");
  const RunRecord record = made.Run();
  EXPECT_THAT(ErrorsOf(record), HasSubstr("a: expected the model to compute"));
  EXPECT_NEAR(record.reached.mjd, kDayOne, 1e-9);
}

TEST(Failure, AComponentThatEndsEarlyIsTold) {
  Made made(R"(<Component Id="a" Type="test.Source" Assembly="here"/>
<Component Id="s" Type="test.Sink" Assembly="here"><Argument Key="end-time" Value="2015-12-01T12:00Z"/></Component>
<Link From="a.out" To="s.in"/>
<Run From="2015-12-01T00:00Z" To="2015-12-02T00:00Z"/>
)");
  const RunRecord record = made.Run();
  EXPECT_FALSE(record.is_complete);
  EXPECT_THAT(ErrorsOf(record), HasSubstr("expected the run to reach 2015-12-02T00:00:00Z, found it stopped at "
                                          "2015-12-01T12:00:00Z"));
}

TEST(Failure, DataThatEndEarlyAreTold) {
  Made made(
      R"(<Component Id="a" Type="test.Source" Assembly="here"><Argument Key="end-time" Value="2015-12-01T12:00Z"/></Component>
<Component Id="s" Type="test.Sink" Assembly="here"/>
<Link From="a.out" To="s.in"/>
<Run From="2015-12-01T00:00Z" To="2015-12-02T00:00Z"/>
)");
  const RunRecord record = made.Run();
  EXPECT_FALSE(record.is_complete);
  EXPECT_THAT(ErrorsOf(record), AllOf(HasSubstr("expected a time until 2015-12-01T12:00:00Z"),
                                      HasSubstr("put a time adaptor with an extrapolation on the link")));
  EXPECT_EQ(made.Get<Sink>("s").rows.size(), 12U);
}

TEST(AllMissing, IsWarnedOfWithThePlaceOfItsObservation) {
  const auto warnings = [](const std::string& to) {
    Made made(ComponentXml("a", "Source", ArgumentXml("missing-at", "1")) + ComponentXml("s", "Sink") +
              ComponentXml("b", "Source", ArgumentXml("elements", "x y") + ArgumentXml("missing-at", "1")) +
              ComponentXml("t", "Sink", ArgumentXml("elements", "x y")) + LinkXml("a.out", "s.in") +
              LinkXml("b.out", "t.in") +
              "<Observe Item=\"a.out\"/>\n<Observe Id=\"x\" Item=\"b.out\" Elements=\"x\"/>\n"
              "<Observe Id=\"both\" Item=\"b.out\"/>\n" +
              RunXml(to));
    EXPECT_EQ(made.Text(), "");
    std::string text;
    for (const Problem& problem : made.Run().problems) {
      if (problem.problem.find("missing") != std::string::npos) text += FormatProblem(problem) + "\n";
    }
    return text;
  };
  EXPECT_EQ(warnings("2015-12-01T01:00Z"),
            "made.xml:8: a.out: expected a number among the observed values, found that all are missing; so are those "
            "of b.out (line 9); check the inputs of the component and its computation\n");
  EXPECT_EQ(warnings("2015-12-01T02:00Z"), "");  // one value is enough
}

std::string Good() {
  return R"(<Component Id="a" Type="test.Source" Assembly="here"><Argument Key="elements" Value="x y"/><Argument Key="missing-at" Value="4"/></Component>
<Component Id="s" Type="test.Sink" Assembly="here"><Argument Key="elements" Value="x y"/></Component>
<Link From="a.out" To="s.in"/>
<Observe Item="a.out"/><Observe Id="three-hours" Item="s.sum" Every="PT3H" As="sum"/><Run From="2015-12-01T00:00Z" To="2015-12-02T00:00Z"/>
)";
}

TEST(Files, HoldWhatWasObserved) {
  const Folder folder;
  Made made(Good());
  ASSERT_THAT(made.Text(), IsEmpty());
  const RunRecord record = CompositionRun(*made.composition, made.problems, FilesIn(folder)).Run();
  ASSERT_THAT(ErrorsOf(record), IsEmpty());
  for (const char* name : {"made.csv", "made.nc"}) {
    const ResultTable table = ReadResults(folder.Path() / name);
    ASSERT_EQ(table.series.size(), 2U) << name;
    const ResultRows& rows = table.series[0];
    EXPECT_EQ(rows.series.id, "a.out");
    EXPECT_EQ(rows.series.unit, "m3 s-1");
    EXPECT_EQ(rows.series.elements, (std::vector<std::string>{"x", "y"}));
    ASSERT_EQ(rows.ends.size(), 24U) << name;
    ASSERT_EQ(rows.values.size(), 48U) << name;
    for (std::size_t i = 0; i < 24; ++i) {
      EXPECT_NEAR(rows.ends[i], kDayOne + static_cast<double>(i + 1) / 24.0, 1e-8);
      const auto step = static_cast<std::int64_t>(i) + 1;
      if (step == 4) {
        EXPECT_TRUE(std::isnan(rows.values[2 * i]));
      } else {
        EXPECT_EQ(rows.values[2 * i], TestValue(step, 0));
      }
      EXPECT_EQ(rows.values[2 * i + 1], TestValue(step, 1));
    }
    ASSERT_EQ(table.series[1].ends.size(), 8U);
    EXPECT_EQ(table.series[1].series.kind, ResultKind::Sum);
    EXPECT_TRUE(std::isnan(table.series[1].values[1]));
  }
  const std::string report = TextOf(folder.Path() / "made.html");
  EXPECT_THAT(report, AllOf(HasSubstr("a.out"), HasSubstr("openmi run made.xml"), HasSubstr("</html>")));
}

TEST(Files, OfWhichOneCannotBeMadeLeaveTheOthersOutToo) {
  const Folder folder;
  const std::filesystem::path journal = folder.Path() / "other.nc.journal";
  std::filesystem::create_directory(journal);
  const std::string body = Good() + "<Results NetCDF=\"other.nc\"/>";
  {
    Made made(body);
    ASSERT_THAT(made.Text(), IsEmpty());
    EXPECT_THROW(CompositionRun(*made.composition, made.problems, FilesIn(folder)).Run(), Error);
  }
  EXPECT_FALSE(std::filesystem::exists(folder.Path() / "made.csv"));
  std::filesystem::remove(journal);
  Made made(body);
  EXPECT_TRUE(CompositionRun(*made.composition, made.problems, FilesIn(folder)).Run().is_complete);
  EXPECT_EQ(ReadResults(folder.Path() / "other.nc").series.size(), 2U);
}

TEST(Files, SayWhenAndByWhichCommandTheyWereMade) {
  const Folder folder;
  Made made(Good());
  CompositionRun(*made.composition, made.problems, FilesIn(folder)).Run();
  for (const char* name : {"made.csv", "made.nc"}) {
    EXPECT_THAT(ReadResults(folder.Path() / name).info.history,
                ::testing::MatchesRegex("20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z openmi run made.xml"))
        << name;
  }
}

TEST(Files, AreNotOverwrittenUnasked) {
  const Folder folder;
  {
    Made made(Good());
    CompositionRun(*made.composition, made.problems, FilesIn(folder)).Run();
  }
  const std::string before = TextOf(folder.Path() / "made.csv");
  ASSERT_THAT(before, Not(IsEmpty()));
  {
    Made made(Good());
    EXPECT_THROW(CompositionRun(*made.composition, made.problems, FilesIn(folder)).Run(), FileError);
  }
  EXPECT_EQ(TextOf(folder.Path() / "made.csv"), before);
  Made made(Good());
  RunOptions options = FilesIn(folder);
  options.overwrite = true;
  const RunRecord record = CompositionRun(*made.composition, made.problems, options).Run();
  EXPECT_TRUE(record.is_complete);
}

TEST(Progress, IsToldAndEndsAtOne) {
  Made made(Good());
  RunOptions options;
  options.write_results = false;
  options.progress_seconds = 0.0;
  std::vector<double> fractions;
  options.progress = [&](const RunProgress& progress) { fractions.push_back(progress.Fraction()); };
  CompositionRun(*made.composition, made.problems, options).Run();
  ASSERT_GT(fractions.size(), 2U);
  EXPECT_TRUE(std::is_sorted(fractions.begin(), fractions.end()));
  EXPECT_EQ(fractions.back(), 1.0);
}

}  // namespace
}  // namespace openmi::testing
