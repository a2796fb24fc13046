// `openmi run`: exit codes, what is printed where, progress in its forms, interruption, results.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <thread>

#include "openmi/sdk/Sanitizers.hpp"
#include "tests/tools/Command.hpp"

namespace {

using nlohmann::json;
using openmi::ChildResult;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(RunCommand, GoesOnWhereStandardErrorIsClosed) {
  const Workplace here;
  here.WriteComposition("pond.xml");
  const ChildResult result =
      openmi::RunInChild({"/bin/sh", "-c", "cd \"$1\" && exec \"$0\" run pond.xml --isolate 2>&-", Workplace::Program(),
                          here.Path().string()});
  EXPECT_EQ(result.exit_code, 0) << result.out;
  EXPECT_THAT(result.out, HasSubstr("results/pond.nc"));
}

TEST(RunCommand, ChecksRunsAndNamesItsFiles) {
  const Workplace here;
  here.WriteComposition("pond.xml");
  const ChildResult result = here.Run({"run", "pond.xml"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(
      result.err,
      HasSubstr("pond.xml:5: link wave.flow -> tank.inflow: m3 s-1 becomes l s-1 (conversion inserted) [note]"));
  EXPECT_THAT(result.err, HasSubstr("1 note, no problems"));
  // 3 m3/s on average, ten days.
  EXPECT_THAT(
      result.out,
      ContainsRegex("balance wave.flow -> tank.inflow -?0.0000 %  \\(2.592e\\+06 m3 left, 2.592e\\+06 arrived\\)"));
  EXPECT_THAT(result.out, HasSubstr("results: results/pond.csv results/pond.nc   report: results/pond.html"));
  for (const char* file : {"results/pond.csv", "results/pond.nc", "results/pond.html"})
    EXPECT_TRUE(std::filesystem::exists(here / file)) << file;
  EXPECT_THAT(here.Read("results/pond.html"), HasSubstr("openmi run pond.xml"));  // provenance
}

TEST(RunCommand, SparesEarlierResults) {
  const Workplace here;
  here.WriteComposition("pond.xml");
  ASSERT_EQ(here.Run({"run", "pond.xml", "--quiet"}).exit_code, 0);
  const std::string before = here.Read("results/pond.csv");
  here.WriteComposition("pond.xml", "test.Wave", "<Argument Key=\"amplitude\" Value=\"9\"/>");
  const ChildResult again = here.Run({"run", "pond.xml"});
  EXPECT_EQ(again.exit_code, 7);
  EXPECT_THAT(again.err, HasSubstr("--overwrite"));
  EXPECT_EQ(here.Read("results/pond.csv"), before);
  EXPECT_EQ(here.Run({"run", "pond.xml", "--overwrite", "--quiet"}).exit_code, 0);
  EXPECT_NE(here.Read("results/pond.csv"), before);
}

TEST(RunCommand, LeavesOutWhatIsNotWanted) {
  const Workplace here;
  here.WriteComposition("pond.xml");
  EXPECT_EQ(here.Run({"run", "pond.xml", "--no-report", "--results", "a"}).exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(here / "a/pond.html"));
  EXPECT_TRUE(std::filesystem::exists(here / "a/pond.csv"));
  const ChildResult quiet = here.Run({"run", "pond.xml", "--no-results", "--quiet", "--results", "b"});
  EXPECT_EQ(quiet.exit_code, 0);
  EXPECT_EQ(quiet.out + quiet.err, "");
  EXPECT_FALSE(std::filesystem::exists(here / "b/pond.csv"));
}

TEST(RunCommand, ComponentsWriteIntoTheFolderOfResults) {
  const Workplace here;
  const auto composition = [&](const std::string& file) {
    return here.Write("rec.xml",
                      "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"rec\">\n"
                      "<Component Id=\"c\" Type=\"openmi.Constant\" Assembly=\"openmi-components\">"
                      "<Argument Key=\"value\" Value=\"1\"/><Argument Key=\"gives\" Value=\"instant\"/></Component>\n"
                      "<Component Id=\"r\" Type=\"openmi.Recorder\" Assembly=\"openmi-components\">"
                      "<Argument Key=\"time-step\" Value=\"PT1H\"/>" +
                          file +
                          "</Component>\n<Link From=\"c.value\" To=\"r.value\"/>\n"
                          "<Run From=\"2020-01-01T00:00Z\" To=\"2020-01-01T02:00Z\"/>\n</Composition>\n");
  };
  const auto argument = [](const std::string& key, const std::string& value) {
    return "<Argument Key=\"" + key + "\" Value=\"" + value + "\"/>";
  };
  composition(argument("file", "logs/out.csv"));
  ASSERT_EQ(here.Run({"run", "rec.xml", "--quiet", "--no-report", "--results", "there"}).exit_code, 0);
  EXPECT_THAT(here.Read("there/logs/out.csv"), HasSubstr("2020-01-01T02:00:00Z,1\n"));
  EXPECT_FALSE(std::filesystem::exists(here / "logs"));

  composition(argument("file", here / "whole.csv"));
  ASSERT_EQ(here.Run({"run", "rec.xml", "--quiet", "--no-report"}).exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(here / "whole.csv"));

  composition(argument("file", "out.csv") + argument("results-folder", here / "own"));
  ASSERT_EQ(here.Run({"run", "rec.xml", "--quiet", "--no-report", "--isolate"}).exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(here / "own/out.csv"));

  composition(argument("file", "out.csv"));
  const ChildResult refused = here.Run({"run", "rec.xml", "--quiet", "--no-report", "--results", "own"});
  EXPECT_EQ(refused.exit_code, 6);
  EXPECT_THAT(refused.err, HasSubstr("set the argument overwrite to true"));

  composition(argument("file", "rec.csv"));  // the table of the run itself
  const ChildResult own = here.Run({"run", "rec.xml", "--quiet", "--no-report", "--results", "table"});
  EXPECT_NE(own.exit_code, 0);
  EXPECT_THAT(own.err, HasSubstr("expected a file that the run does not write itself, found 'rec.csv'"));
}

/// pond.xml with a recorder of the tank's volume, and checkpoints of the begin only.
void WriteRecordedPond(const Workplace& here, const std::string& file, const std::string& wave = {}) {
  here.WriteComposition("pond.xml", "test.Wave", wave);
  std::string text = here.Read("pond.xml");
  text.insert(text.find("  <Link "),
              "<Component Id=\"r\" Type=\"openmi.Recorder\" Assembly=\"openmi-components\">"
              "<Argument Key=\"time-step\" Value=\"PT1H\"/><Argument Key=\"unit\" Value=\"m3\"/>"
              "<Argument Key=\"file\" Value=\"" +
                  file +
                  "\"/></Component>\n"
                  "<Link From=\"tank.volume\" To=\"r.value\"/><Checkpoints Every=\"P8D\" WithoutState=\"skip\"/>\n");
  here.Write("pond.xml", text);
}

TEST(RunCommand, OverwriteAndResumeFromTheBeginCoverRecordsInTheFolderOfResults) {
  const Workplace here;
  WriteRecordedPond(here, "rec.csv");
  ASSERT_EQ(here.Run({"run", "pond.xml", "--quiet", "--no-report"}).exit_code, 0);
  const std::string first = here.Read("results/rec.csv");
  EXPECT_EQ(std::ranges::count(first, '\n'), 241);
  const ChildResult again = here.Run({"run", "pond.xml", "--quiet", "--no-report", "--overwrite"});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(here.Read("results/rec.csv"), first);

  WriteRecordedPond(here, "rec.csv", "<Argument Key=\"fail-at\" Value=\"30\"/>");
  ASSERT_EQ(here.Run({"run", "pond.xml", "--quiet", "--no-report", "--overwrite"}).exit_code, 6);
  const ChildResult resumed = here.Run({"run", "pond.xml", "--no-report", "--resume"});
  EXPECT_THAT(resumed.err, AllOf(HasSubstr("expected a positive depth"), Not(HasSubstr("File exists"))));
}

TEST(RunCommand, EarlierResultsStayWhereARunCannotBegin) {
  const Workplace here;
  const std::string elsewhere = here.Write("elsewhere.csv", "precious");
  WriteRecordedPond(here, "rec.csv");
  ASSERT_EQ(here.Run({"run", "pond.xml", "--quiet"}).exit_code, 0);
  const std::vector<std::string> files = {"results/pond.csv", "results/pond.nc", "results/pond.html",
                                          "results/rec.csv"};
  std::vector<std::string> before;
  for (const std::string& file : files) before.push_back(here.Read(file));
  WriteRecordedPond(here, elsewhere);  // which a recorder does not write over
  const ChildResult refused = here.Run({"run", "pond.xml", "--overwrite"});
  EXPECT_EQ(refused.exit_code, 6) << refused.err;
  EXPECT_THAT(refused.err, AllOf(HasSubstr("File exists"), HasSubstr("the results of the earlier run are kept")));
  for (std::size_t i = 0; i < files.size(); ++i) EXPECT_EQ(here.Read(files[i]), before[i]) << files[i];
  EXPECT_EQ(here.Read("elsewhere.csv"), "precious");
}

TEST(RunCommand, TellsAtTheEndWhatNeverCame) {
  const Workplace here;
  here.Write("robot.jsonl", R"({"time":"2020-01-01T00:00:00Z","x":1})"
                            "\n"
                            R"({"time":"2020-01-01T00:00:09Z","x":2})"
                            "\n");
  here.Write("robot.xml",
             "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"robot\">\n"
             "<Component Id=\"s\" Type=\"openmi.broker.Stream\" Assembly=\"openmi-broker-bridge\">"
             "<Argument Key=\"recording\" Value=\"robot.jsonl\"/><Argument Key=\"fields\" Value=\"y\"/></Component>\n"
             "<Component Id=\"t\" Type=\"openmi.broker.Stream\" Assembly=\"openmi-broker-bridge\">"
             "<Argument Key=\"recording\" Value=\"robot.jsonl\"/><Argument Key=\"fields\" Value=\"x, y=yy\"/>"
             "</Component>\n"
             "<Observe Item=\"t.yy\"/>\n"
             "<Run From=\"2020-01-01T00:00Z\" To=\"2020-01-01T00:00:05Z\" Trigger=\"t\"/>\n</Composition>\n");
  const ChildResult checked = here.Run({"check", "robot.xml"});
  EXPECT_THAT(checked.out, HasSubstr("robot.xml:2: s: expected a provider of a trigger, found a component that no "
                                     "trigger needs: it is prepared and finished, but makes no step"));
  // And so it is: no message has the member it needs to be prepared.
  const ChildResult broke = here.Run({"run", "robot.xml"});
  EXPECT_EQ(broke.exit_code, 6);
  EXPECT_THAT(broke.err, HasSubstr("s"));
  std::string text = here.Read("robot.xml");
  text.replace(text.find("Value=\"y\""), 9, "Value=\"x\"");
  here.Write("robot.xml", text);
  const ChildResult result = here.Run({"run", "robot.xml", "--overwrite"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("robot.xml:3: t.fields: expected values of the member 'y' for output 'yy', found "
                                    "none in 2 messages"));
  EXPECT_THAT(here.Read("results/robot.html"), HasSubstr("expected values of the member"));
}

/// A tank whose inflow has no link, as tank.xml.
void WriteLoneTank(const Workplace& here) {
  here.WriteOmi("tank.omi", "test.Tank");
  here.Write("tank.xml",
             "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"tank\"><Component Id=\"tank\" Omi=\"tank.omi\"/>"
             "<Observe Item=\"tank.volume\"/><Run From=\"2020-01-01T00:00Z\" To=\"2020-01-02T00:00Z\"/>"
             "</Composition>");
}

TEST(RunCommand, HoldsAnInputWithoutALinkAtASuppliedValue) {
  const Workplace here;
  WriteLoneTank(here);
  const ChildResult run = here.Run({"run", "tank.xml", "--quiet", "--supply", "tank.inflow=1000"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(here.Read("results/tank.csv"), HasSubstr("2020-01-02T00:00:00Z,86400"));
  const ChildResult wrong = here.Run({"run", "tank.xml", "--overwrite", "--supply", "tank.inflwo=1"});
  EXPECT_EQ(wrong.exit_code, 5);
  EXPECT_THAT(wrong.err, HasSubstr("did you mean 'inflow'?"));
  EXPECT_EQ(here.Run({"run", "tank.xml", "--overwrite", "--supply", "tank.inflow=much"}).exit_code, 2);
  const ChildResult twice = here.Run({"run", "tank.xml", "--supply", "tank.inflow=1", "--supply", "tank.inflow=2"});
  EXPECT_EQ(twice.exit_code, 2);
  EXPECT_THAT(twice.err, HasSubstr("expected one value for each input, found two for 'tank.inflow'"));
}

/// A component that keeps its state, and whose input has no link.
void WritePond(const Workplace& here) {
  here.Write("pond.xml",
             "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"pond\"><Component Id=\"a\" "
             "Type=\"openmi.NashCascade\" Assembly=\"openmi-components\"><Argument Key=\"residence-time\" "
             "Value=\"2\"/></Component><Observe Item=\"a.outflow\"/><Run From=\"2020-01-01T00:00Z\" "
             "To=\"2020-01-02T00:00Z\"/></Composition>");
}

TEST(RunCommand, ResumesOnlyWithTheSuppliedValuesOfTheRun) {
  const Workplace here;
  WritePond(here);
  const auto run = [&here](const std::vector<std::string>& more) {
    std::vector<std::string> argv = {"run", "pond.xml", "--checkpoint-every", "PT6H", "--no-report"};
    argv.insert(argv.end(), more.begin(), more.end());
    return here.Run(argv);
  };
  // The states cannot be saved, so that the checkpoints stay.
  EXPECT_EQ(run({"--supply", "a.inflow=1000", "--save-states", "pond.xml/states"}).exit_code, 6);
  EXPECT_THAT(run({"--resume", "--supply", "a.inflow=5"}).err,
              HasSubstr("the supplied input 'a.inflow' was '1000' and is '5'"));
  EXPECT_THAT(run({"--resume"}).err, HasSubstr("a.inflow: expected a provider, found none"));
  const ChildResult same = run({"--resume", "--supply", "a.inflow=1000"});
  EXPECT_EQ(same.exit_code, 0) << same.err;
  EXPECT_THAT(same.err, HasSubstr("continues at 2020-01-0"));
  const ChildResult complete = run({"--resume", "--supply", "a.inflow=1000", "--progress", "json"});
  EXPECT_EQ(complete.exit_code, 0) << complete.err;
  EXPECT_THAT(complete.out, HasSubstr("{\"event\":\"complete\",\"composition\":\"pond\""));
}

TEST(RunCommand, ACompleteRunThatSavedItsStatesIsCompleteForAJobThatIsStartedAgain) {
  const Workplace here;
  WritePond(here);
  const auto start = [&here](const std::string& states) {  // as a job of Slurm: each time the same command
    return here.Run({"run", "pond.xml", "--supply", "a.inflow=1", "--no-report", "--checkpoint-every", "PT6H",
                     "--resume", "--save-states", states});
  };
  EXPECT_EQ(start("states").exit_code, 0);
  const std::string state = here.Read("states/a.state");
  const ChildResult again = start("states");
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(again.err, HasSubstr("the run is complete"));
  EXPECT_EQ(here.Read("states/a.state"), state);
  // What cannot be given without computing is no success.
  EXPECT_EQ(start("elsewhere").exit_code, 7);
  here.Write("states/a.state", state + "x");
  const ChildResult other = start("states");
  EXPECT_EQ(other.exit_code, 7);
  EXPECT_THAT(other.err,
              AllOf(HasSubstr("found the results of a complete run"), HasSubstr("files that are asked for")));
}

TEST(RunCommand, AnOperatorSetsASuppliedInputAndIsToldTheWayForOthers) {
  const Workplace here;
  WriteLoneTank(here);
  ChildResult run;
  std::thread thread([&] {
    run = here.Run({"run", "tank.xml", "--no-report", "--paused", "--control=door", "--supply", "tank.inflow=1000"});
  });
  ChildResult told;
  for (int i = 0; i < 500 && told.out.find("paused") == std::string::npos; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    told = here.Run({"control", "--at", "door", "status"});
  }
  const ChildResult free = here.Run({"control", "--at", "door", "override", "tank.depth", "1"});
  const ChildResult set = here.Run({"control", "--at", "door", "override", "tank.inflow", "2000"});
  here.Run({"control", "--at", "door", "resume"});
  thread.join();
  EXPECT_THAT(free.err, AllOf(HasSubstr("found the input 'tank.depth' without one"),
                              HasSubstr("openmi run --supply tank.depth=VALUE")));
  EXPECT_EQ(set.exit_code, 0) << set.err;
  EXPECT_THAT(here.Read("results/tank.csv"), HasSubstr("2020-01-02T00:00:00Z,172800"));
}

TEST(RunCommand, PullAndStepGiveTheSameHere) {
  const Workplace here;
  here.WriteComposition("pond.xml");
  ASSERT_EQ(here.Run({"run", "pond.xml", "--quiet", "--mode", "pull", "--results", "pull"}).exit_code, 0);
  ASSERT_EQ(here.Run({"run", "pond.xml", "--quiet", "--mode", "step", "--results", "step"}).exit_code, 0);
  const ChildResult same = here.Run({"compare", "pull/pond.csv", "step/pond.nc"});
  EXPECT_EQ(same.exit_code, 0) << same.out;
}

TEST(RunCommand, ReportsAllProblemsAtOnceAndRunsNothing) {
  const Workplace here;
  here.WriteOmi("wave.omi", "test.Wave");
  here.Write("bad.xml",
             "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"bad\">\n"
             "  <Component Id=\"wave\" Omi=\"wave.omi\"><Argument Key=\"amplitde\" Value=\"1\"/></Component>\n"
             "  <Component Id=\"other\" Omi=\"gone.omi\"/>\n"
             "  <Component Id=\"third\" Omi=\"wave.omi\"><Argument Key=\"amplitude\" Value=\"-1\"/></Component>\n"
             "  <Run From=\"2020-01-01T00:00Z\" To=\"2020-01-02T00:00Z\"/>\n"
             "</Composition>\n");
  const ChildResult result = here.Run({"run", "bad.xml"});
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_THAT(result.err, HasSubstr("bad.xml:2: wave"));
  EXPECT_THAT(result.err, HasSubstr("did you mean 'amplitude'?"));
  EXPECT_THAT(result.err, HasSubstr("bad.xml:3: other: expected an OMI file, found no 'gone.omi'"));
  EXPECT_THAT(result.err, HasSubstr("bad.xml:4: third"));
  EXPECT_THAT(result.err, HasSubstr("3 problems"));
  EXPECT_FALSE(std::filesystem::exists(here / "results"));
}

TEST(RunCommand, AFailingModelHasACodeAndKeepsItsResults) {
  const Workplace here;
  here.WriteComposition("pond.xml", "test.Wave", "<Argument Key=\"fail-at\" Value=\"25\"/>");
  const ChildResult result = here.Run({"run", "pond.xml"});
  EXPECT_EQ(result.exit_code, 6);
  EXPECT_THAT(result.err, HasSubstr("expected a positive depth, found -0.125 m; make the time step shorter"));
  EXPECT_THAT(result.err, HasSubstr("wave"));
  EXPECT_THAT(result.out, HasSubstr("results/pond.csv"));
  const ChildResult plot = here.Run({"plot", "results/pond.csv", "-o", "-"});
  EXPECT_EQ(plot.exit_code, 0) << plot.err;
  EXPECT_THAT(here.Read("results/pond.csv"), HasSubstr("2020-01-01T12:00"));
}

TEST(RunCommand, ALibraryThatCrashesIsNamedAndKeepsItsRows) {
#if OPENMI_ADDRESS_SANITIZER || OPENMI_THREAD_SANITIZER
  GTEST_SKIP() << "the sanitizers tell of crashes themselves";
#endif
  const Workplace here;
  here.WriteOmi("wave.omi", "test.Overflowing");
  here.WriteOmi("tank.omi", "test.Tank");
  here.Write("pond.xml",
             "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"pond\">"
             "<Component Id=\"deep\" Omi=\"wave.omi\"/><Component Id=\"tank\" Omi=\"tank.omi\"/>"
             "<Link From=\"deep.flow\" To=\"tank.inflow\"/><Observe Item=\"deep.flow\"/>"
             "<Run From=\"2020-01-01T00:00Z\" To=\"2020-01-11T00:00Z\" Mode=\"step\"/></Composition>");
  const ChildResult result = here.Run({"run", "pond.xml"});
  EXPECT_EQ(result.signal, SIGSEGV) << "as it would have ended by itself";
  EXPECT_THAT(result.err, HasSubstr("ended by invalid memory reference while the component 'deep'"));
  EXPECT_THAT(here.Read("results/pond.csv"), HasSubstr("2020-01-01T20:00"));

  here.WriteOmi("wave.omi", "test.Crashing");
  const ChildResult early = here.Run({"run", "pond.xml", "--results", "other"});
  EXPECT_EQ(early.signal, SIGABRT);
  EXPECT_THAT(early.err, HasSubstr("ended by abort while the component 'deep'"));
}

TEST(RunCommand, ProgressIsPlainLinesWhenRedirected) {
  const Workplace here;
  here.WriteComposition("pond.xml", "test.Wave", "<Argument Key=\"pause\" Value=\"0.01\"/>");
  const ChildResult result = here.Run({"run", "pond.xml"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  std::vector<std::string> progress;
  for (const std::string& line : Lines(result.err)) {
    if (line.starts_with("pond  2020-01-")) progress.push_back(line);
  }
  // About 2.4 s: told at most five times a second, at most once in ten per cent.
  EXPECT_GE(progress.size(), 4U);
  EXPECT_LE(progress.size(), 11U);
  // How fast it is it knows from the second progress on.
  for (std::size_t i = 0; i < progress.size(); ++i) {
    const std::string rate = "  [0-9.]+(e[0-9]+)?x real time  [0-9.e+-]+ s( left)?";
    EXPECT_THAT(progress[i], ContainsRegex("^pond  2020-01-[01][0-9] [0-2][0-9]:00 +[0-9]+ %" +
                                           (i == 0 ? "(" + rate + ")?" : rate) + "$"));
  }
  EXPECT_THAT(progress.back(), HasSubstr("2020-01-11 00:00  100 %"));
  EXPECT_THAT(result.out + result.err, Not(HasSubstr("\x1b")));
  EXPECT_THAT(result.out + result.err, Not(HasSubstr("\r")));
}

TEST(RunCommand, ProgressIsJsonOnRequest) {
  const Workplace here;
  here.WriteComposition("pond.xml", "test.Wave", "<Argument Key=\"pause\" Value=\"0.004\"/>");
  const ChildResult result = here.Run({"run", "pond.xml", "--progress", "json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  const std::vector<std::string> lines = Lines(result.out);
  ASSERT_GE(lines.size(), 3U);
  double fraction = 0.0;
  for (const std::string& line : lines) {
    const json event = json::parse(line);
    if (event.at("event") != "progress") continue;
    EXPECT_GE(event.at("fraction").get<double>(), fraction);
    fraction = event.at("fraction");
    EXPECT_EQ(event.at("composition"), "pond");
  }
  EXPECT_EQ(fraction, 1.0);
  EXPECT_EQ(json::parse(lines.front()).at("problems").size(), 1U);
  const json end = json::parse(lines.back());
  EXPECT_EQ(end.at("event"), "end");
  EXPECT_EQ(end.at("is_complete"), true);
  EXPECT_EQ(end.at("reached"), "2020-01-11T00:00:00Z");
  EXPECT_NEAR(end.at("links").at(0).at("left").get<double>(), 2.592e6, 1e-3);
  EXPECT_LE(std::abs(end.at("links").at(0).at("relative_difference").get<double>()), 1e-9);
  EXPECT_EQ(end.at("files").size(), 3U);
}

TEST(RunCommand, WhatALibraryPrintsStaysOutOfTheJson) {
  const Workplace here;
  here.WriteComposition("pond.xml", "test.Talking");
  const ChildResult result = here.Run({"run", "pond.xml", "--progress", "json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const std::string& line : Lines(result.out)) EXPECT_TRUE(json::parse(line).contains("event")) << line;
  EXPECT_THAT(result.err, HasSubstr("WELCOME TO MODEL 77"));
}

TEST(RunCommand, RedrawsOneLineOnATerminal) {
  if (!HasTerminals()) GTEST_SKIP() << "this machine gives out no pseudo-terminals (/dev/ptmx, /dev/pts)";
  const Workplace here;
  here.WriteComposition("pond.xml", "test.Wave", "<Argument Key=\"pause\" Value=\"0.005\"/>");
  const TerminalResult result = RunOnTerminal(here.Path(), {"run", "pond.xml"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.text, ContainsRegex("\rpond  2020-01-0[0-9] [0-2][0-9]:00  \\[#+\\.+\\]  +[0-9]+ %"));
  EXPECT_THAT(result.text, HasSubstr("\rpond  2020-01-11 00:00  [######################]  100 %"));
  EXPECT_THAT(result.text, HasSubstr("\x1b[90m [note]\x1b[0m"));
  for (const std::string& line : Lines(result.text))
    EXPECT_LT(line.substr(line.rfind('\r', line.size() - 2) + 1).size(), 160U);
}

TEST(RunCommand, ShowsHowFarGroupsAre) {
  const Workplace here;
  here.WriteComposition("pond.xml", "test.Wave", "<Argument Key=\"pause\" Value=\"0.004\"/>");
  std::string text = here.Read("pond.xml");
  for (const char* component : {"Omi=\"wave.omi\"", "Omi=\"tank.omi\""}) {
    const bool is_wave = component[5] == 'w';
    text.insert(text.find(component), is_wave ? "Group=\"sea\" " : "Group=\"land\" ");
  }
  here.Write("groups.xml", text);
  const std::vector<std::string> run = {
      "run",      "groups.xml", "--overwrite", "--place",       "sea=node1", "--place",           "land=localhost",
      "--listen", "127.0.0.1",  "--launcher",  "env {command}", "--worker",  Workplace::Program()};
  const ChildResult log = here.Run(run);
  ASSERT_EQ(log.exit_code, 0) << log.err;
  EXPECT_THAT(log.err, ContainsRegex("\n  sea on node1 2020-01-0[0-9] [0-2][0-9]:00  land on localhost "));
  EXPECT_THAT(log.err, HasSubstr("\n  sea on node1 2020-01-11 00:00 done  land on localhost 00:00 done\n"));
  EXPECT_THAT(here.Read("results/pond.html"), HasSubstr("Who computed, and who waited for whom"));
  std::vector<std::string> as_json = run;
  as_json.insert(as_json.end(), {"--progress", "json"});
  const std::vector<std::string> lines = Lines(here.Run(as_json).out);
  ASSERT_GE(lines.size(), 3U);
  const json end = json::parse(lines[lines.size() - 2]);
  EXPECT_EQ(end.at("groups").at(0).at("group"), "sea");
  EXPECT_EQ(end.at("groups").at(1).at("time"), "2020-01-11T00:00:00Z");
  EXPECT_EQ(json::parse(lines.back()).at("processes").size(), 2U);
  if (!HasTerminals()) return;
  const TerminalResult result = RunOnTerminal(here.Path(), run);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.text, ContainsRegex(" %[^\n]*\x1b\\[K\r?\n  sea on node1 [^\n]*\x1b\\[K\x1b\\[A"));
}

TEST(RunCommand, ColoursCanBeRefused) {
  if (!HasTerminals()) GTEST_SKIP() << "this machine gives out no pseudo-terminals (/dev/ptmx, /dev/pts)";
  const Workplace here;
  here.WriteComposition("pond.xml");
  const TerminalResult result = RunOnTerminal(here.Path(), {"check", "pond.xml"}, {"NO_COLOR=1"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.text, HasSubstr("[note]"));
  EXPECT_THAT(result.text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(RunOnTerminal(here.Path(), {"check", "pond.xml"}).text, HasSubstr("\x1b["));
}

TEST(RunCommand, CtrlCEndsCleanlyAndKeepsTheResults) {
  if (!HasTerminals()) GTEST_SKIP() << "this machine gives out no pseudo-terminals (/dev/ptmx, /dev/pts)";
  const Workplace here;
  here.WriteComposition("pond.xml", "test.Wave", "<Argument Key=\"pause\" Value=\"0.2\"/>");  // 48 s, left alone
  const TerminalResult result = RunOnTerminal(here.Path(), {"run", "pond.xml"}, {}, " %");
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_THAT(result.text, HasSubstr("found it interrupted at 2020-01-01T"));
  EXPECT_THAT(result.text, HasSubstr("results: results/pond.csv results/pond.nc   report: results/pond.html"));
  const ChildResult same = here.Run({"compare", "results/pond.csv", "results/pond.nc"});
  EXPECT_EQ(same.exit_code, 0) << same.out << same.err;
  EXPECT_THAT(here.Read("results/pond.csv"), HasSubstr("2020-01-01T01:00"));
  EXPECT_THAT(here.Read("results/pond.html"), HasSubstr("interrupted"));
}

TEST(RunCommand, SaysThatTheOnlyCheckpointIsThatOfTheStart) {
  const Workplace here;
  here.WriteComposition("pond.xml", "test.Wave", "<Argument Key=\"fail-at\" Value=\"5\"/>");
  std::string text = here.Read("pond.xml");
  text.replace(text.find("<Run "), 5, "<Checkpoints Every=\"P5D\" WithoutState=\"skip\"/><Run ");
  here.Write("pond.xml", text);
  EXPECT_EQ(here.Run({"run", "pond.xml"}).exit_code, 6);
  const ChildResult resumed = here.Run({"run", "pond.xml", "--resume"});
  EXPECT_THAT(resumed.err, HasSubstr("starts at 2020-01-01T00:00:00Z: the only checkpoint is that of the start, "
                                     "results/pond.checkpoint"));
}

TEST(RunCommand, SaysFromWhereItGoesOnAndThatNothingWasBalancedYet) {
  const Workplace here;
  here.WriteComposition("pond.xml", "test.Wave", "<Argument Key=\"fail-at\" Value=\"30\"/>");
  std::string text = here.Read("pond.xml");
  text.replace(text.find("<Run "), 5, "<Checkpoints Every=\"PT6H\" WithoutState=\"skip\"/><Run WarmUp=\"P5D\" ");
  here.Write("pond.xml", text);
  const ChildResult failed = here.Run({"run", "pond.xml", "--resume"});
  EXPECT_EQ(failed.exit_code, 6);
  EXPECT_THAT(failed.err, HasSubstr("starts at 2020-01-01T00:00:00Z: there is no checkpoint to continue from"));
  const std::string nothing = "nothing was balanced: the run did not get past its warm-up";
  EXPECT_THAT(failed.out, HasSubstr("balance wave.flow -> tank.inflow " + nothing));
  EXPECT_THAT(failed.out, Not(HasSubstr("100.0000 %")));
  EXPECT_THAT(here.Read("results/pond.html"), HasSubstr(nothing));
  const ChildResult resumed = here.Run({"run", "pond.xml", "--resume"});
  EXPECT_THAT(resumed.err,
              HasSubstr("continues at 2020-01-02T00:00:00Z, after 24 passes, from results/pond.checkpoint"));
  EXPECT_THAT(resumed.err, HasSubstr("wave: started anew when the run was resumed, at 2020-01-02T00:00:00Z"));
  const ChildResult told = here.Run({"run", "pond.xml", "--resume", "--progress", "json"});
  const std::string line = Lines(told.out).at(1);
  EXPECT_THAT(line, HasSubstr("\"event\":\"resume\"")) << told.out;
  EXPECT_EQ(json::parse(line)["checkpoint"], "results/pond.checkpoint");
}

TEST(RunCommand, DecimalCommasChangeNothing) {
  const Workplace here;
  here.WriteComposition("pond.xml");
  ASSERT_EQ(here.Run({"run", "pond.xml", "--results", "point"}).exit_code, 0);
  // The locale is in the environment, and the library sets it as well.
  here.WriteComposition("pond.xml", "test.Comma");
  const ChildResult comma =
      here.Run({"run", "pond.xml", "--results", "comma"}, {"LC_ALL=de_DE.UTF-8", "LANG=de_DE.UTF-8"});
  ASSERT_EQ(comma.exit_code, 0) << comma.err;
  EXPECT_THAT(comma.out, HasSubstr("2.592e+06 m3 left"));
  EXPECT_EQ(here.Run({"compare", "point/pond.csv", "comma/pond.csv"}).exit_code, 0);
  EXPECT_EQ(
      here.Run({"compare", "point/pond.nc", "comma/pond.nc", "--rtol", "0.0", "--atol", "0.5"}, {"LC_ALL=de_DE.UTF-8"})
          .exit_code,
      0);
  const ChildResult described = here.Run({"describe", "wave.omi"}, {"LC_ALL=de_DE.UTF-8"});
  EXPECT_THAT(described.out, HasSubstr("amplitude = 1.5 m3 s-1"));
}

TEST(FmuRunCommand, SaysBeforehandWhenThereAreVeryManySteps) {
  if (!HasTerminals()) GTEST_SKIP() << "no pseudo-terminals here";
  const Workplace here;
  const std::string ball = OPENMI_BINARY_DIR "/examples/fmus/3/BouncingBall.fmu";
  const TerminalResult result =
      RunOnTerminal(here.Path(), {"fmu", "run", ball, "--step", "1e-12", "-o", "ball.csv"}, {}, "  0 %");
  EXPECT_EQ(result.exit_code, 130);
  const std::size_t said = result.text.find("warning: the simulation makes 3e+12 steps");
  EXPECT_LT(said, result.text.find("  0 %")) << result.text;
  EXPECT_THAT(here.Run({"fmu", "run", ball, "-o", "few.csv"}).err, Not(HasSubstr("warning")));
}

TEST(FmuRunCommand, EndsWithinAStepThatTheFmuDoesNotEnd) {
  if (!HasTerminals()) GTEST_SKIP() << "this machine gives out no pseudo-terminals (/dev/ptmx, /dev/pts)";
  const Workplace here;
  const std::string fmu = OPENMI_BINARY_DIR "/examples/fmus/3/Cautious.fmu";
  const TerminalResult result = RunOnTerminal(
      here.Path(), {"fmu", "run", fmu, "--step", "0.1", "--set", "stall=600", "--log", "-o", "x.csv"}, {}, "stalls");
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_THAT(result.text, HasSubstr("Cautious: interrupted within a step that the FMU did not end"));
  const std::string csv = here.Read("x.csv");
  EXPECT_EQ(std::ranges::count(csv, '\n'), 5) << "a line of names, and the rows of 0 to 0.3 s: " << csv;
}

TEST(FmuRunCommand, WarnsOfNumbersThatAreNone) {
  const Workplace here;
  const std::string fmu = OPENMI_BINARY_DIR "/examples/fmus/3/Cautious.fmu";
  const ChildResult silent = here.Run({"fmu", "run", fmu, "--set", "silent=true", "-o", "x.csv"});
  EXPECT_EQ(silent.exit_code, 0);
  EXPECT_THAT(silent.err, HasSubstr("warning: Cautious: expected numbers until the end, found none in the last row"));
  EXPECT_THAT(here.Run({"fmu", "run", fmu, "-o", "x.csv"}).err, Not(HasSubstr("warning")));
}

TEST(RunCommand, AnOperatorIsToldTheBalances) {
  const Workplace here;
  here.WriteComposition("pond.xml");
  ChildResult run;
  std::thread thread([&] { run = here.Run({"run", "pond.xml", "--no-report", "--paused", "--control=door"}); });
  ChildResult told;
  for (int i = 0; i < 500 && told.out.find("paused") == std::string::npos; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    told = here.Run({"control", "--at", "door", "status"});
  }
  here.Run({"control", "--at", "door", "step", "3"});
  const ChildResult balances = here.Run({"control", "--at", "door", "balances"});
  here.Run({"control", "--at", "door", "resume"});
  thread.join();
  EXPECT_EQ(balances.exit_code, 0) << balances.err;
  EXPECT_THAT(balances.out, AllOf(HasSubstr("at 2020-01-0"), HasSubstr("wave.flow -> tank.inflow: left "),
                                  HasSubstr(" m3, relative difference ")));
  EXPECT_EQ(run.exit_code, 0) << run.err;
}

}  // namespace
