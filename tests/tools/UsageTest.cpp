// What the command says to a command line that is wrong, and what it ends with.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/Command.hpp"

namespace {

using openmi::ChildResult;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const std::vector<std::string> kCommands = {"run", "check", "describe", "adaptors", "graph", "plot", "compare"};

TEST(Usage, HelpShowsAnExampleOnEveryLevel) {
  const Workplace here;
  const ChildResult all = here.Run({"--help"});
  EXPECT_EQ(all.exit_code, 0);
  EXPECT_THAT(all.out, HasSubstr("Examples:\n  openmi check upper-creek.xml"));
  EXPECT_THAT(all.out, HasSubstr("Exit codes:\n  0    success"));
  for (const std::string& command : kCommands) {
    EXPECT_THAT(all.out, HasSubstr("\n  " + command + " "));
    const ChildResult one = here.Run({command, "--help"});
    EXPECT_EQ(one.exit_code, 0) << command;
    EXPECT_THAT(one.out, HasSubstr("Examples:\n  openmi " + command + " ")) << command;
  }
}

TEST(Usage, ExamplesNameOnlyOptionsThatExist) {
  const Workplace here;
  for (const std::string& command : kCommands) {
    const std::string help = here.Run({command, "--help"}).out;
    std::istringstream lines(help.substr(help.find("Examples:")));
    const std::string options = help.substr(0, help.find("Examples:"));
    for (std::string word; lines >> word;) {
      if (word == "|") std::getline(lines, word);
      if (word.starts_with("--")) {
        EXPECT_THAT(options, HasSubstr(word)) << command;
      }
    }
  }
}

TEST(Usage, WhatIsMissingIsSaidInTheWordsOfThisHouse) {
  const Workplace here;
  const auto said = [&here](const std::vector<std::string>& words) { return here.Run(words).err; };
  EXPECT_THAT(said({"fmu"}), HasSubstr("openmi fmu: expected a sub-command, found none"));
  EXPECT_THAT(said({"run", "a.xml", "--threads"}), HasSubstr("expected N after --threads, found none"));
  EXPECT_THAT(said({"run", "a.xml", "--mode", "step", "--mode", "step"}),
              HasSubstr("expected --mode once, found it 2"));
  EXPECT_THAT(said({"adaptors", "a.omi:x"}), HasSubstr("expected at least 2 values for ITEMS, found 1"));
  EXPECT_THAT(said({"control", "family"}),
              testing::AllOf(HasSubstr("expected 'family FAMILY', found nothing after 'family'"),
                             HasSubstr("any of its components")));
  EXPECT_THAT(said({"control", "step", "1.5"}), HasSubstr("expected a whole number of passes from 1 on, found '1.5'"));
}

TEST(Usage, AddressesOfDcpSlavesAreToldFromTheirDescriptions) {
  const Workplace here;
  const ChildResult ping = here.Run({"dcp", "ping", "localhost"});
  EXPECT_EQ(ping.exit_code, 4);
  EXPECT_THAT(ping.err, HasSubstr("found 'localhost' without a port; write for example localhost:8080"));
  for (const char* command : {"info", "check"}) {
    const ChildResult result = here.Run({"dcp", command, "bench-2:8080"});
    EXPECT_EQ(result.exit_code, 2) << command;
    EXPECT_THAT(result.err, HasSubstr("found the address 'bench-2:8080'; for the state of the slave there: openmi dcp "
                                      "ping bench-2:8080"))
        << command;
  }
}

TEST(Usage, HelpFitsTheTerminal) {
  const Workplace here;
  for (const std::string& command : kCommands) {
    std::istringstream lines(here.Run({command, "--help"}).out);
    for (std::string line; std::getline(lines, line) && line != "Examples:";) EXPECT_LE(line.size(), 100U) << line;
  }
}

TEST(Usage, AFullDiskIsNoSuccess) {
  const Workplace here;
  const ChildResult result = openmi::RunInChild({"/bin/sh", "-c", Workplace::Program() + " markdown > /dev/full"});
  EXPECT_EQ(result.exit_code, 7);
  here.WriteOmi("wave.omi", "test.Wave");
  const ChildResult described = openmi::RunInChild(
      {"/bin/sh", "-c", Workplace::Program() + " describe '" + (here / "wave.omi") + "' > /dev/full"});
  EXPECT_EQ(described.exit_code, 7) << described.err;
}

TEST(Usage, VersionNamesTheBuild) {
  const ChildResult result = Workplace().Run({"--version"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, StartsWith("openmi 0.2.0\nopenmi abi="));
}

TEST(Usage, NearestNamesAreSuggested) {
  const Workplace here;
  const ChildResult command = here.Run({"rnu", "x.xml"});
  EXPECT_EQ(command.exit_code, 2);
  EXPECT_THAT(command.err, HasSubstr("expected a sub-command, found 'rnu'; did you mean 'run'?"));
  const ChildResult option = here.Run({"run", "x.xml", "--ovrwrite"});
  EXPECT_EQ(option.exit_code, 2);
  EXPECT_THAT(option.err, HasSubstr("openmi run: expected an option, found '--ovrwrite'; did you mean '--overwrite'?"));
  EXPECT_THAT(here.Run({"describe", "x.omi", "--jsn"}).err, HasSubstr("did you mean '--json'?"));
  const ChildResult help = here.Run({"rnu", "--help"});
  EXPECT_EQ(help.exit_code, 2);
  EXPECT_THAT(help.err, HasSubstr("expected a sub-command, found 'rnu'; did you mean 'run'?"));
  EXPECT_THAT(here.Run({"--hepl"}).err, HasSubstr("did you mean '--help'?"));
}

TEST(Usage, OptionsAndSubcommandsAreFoundByTheirWords) {
  const Workplace here;
  EXPECT_THAT(here.Run({"fmu", "run", "x.fmu", "--start-values", "h"}).err, HasSubstr("did you mean '--start'?"));
  EXPECT_THAT(here.Run({"fmu", "run", "x.fmu", "--relative-tolerance=1"}).err,
              HasSubstr("did you mean '--tolerance' or '--tolerance-for'?"));
  EXPECT_THAT(here.Run({"fmu", "run", "x.fmu", "--duration", "1"}).err,
              AllOf(HasSubstr("there are: "), HasSubstr("--stop-time"), Not(HasSubstr("more"))));
  EXPECT_THAT(here.Run({"info", "x.fmu"}).err, HasSubstr("did you mean 'openmi fmu info'?"));
  EXPECT_THAT(here.Run({"simulate", "x.fmu"}).err, HasSubstr("did you mean 'openmi fmu run'?"));
  EXPECT_THAT(here.Run({"validate", "x.xml"}).err, HasSubstr("'openmi check', "));
  EXPECT_THAT(here.Run({"fmu", "run", "x.fmu", "--stop-time", "3s"}).err,
              HasSubstr("expected a number for --stop-time, found '3s'"));
}

TEST(Usage, MistakesHaveACodeOfTheirOwn) {
  const Workplace here;
  here.WriteComposition("pond.xml");
  const std::vector<std::vector<std::string>> lines = {{},
                                                       {"run"},
                                                       {"run", "pond.xml", "more"},
                                                       {"run", "pond.xml", "--mode", "backwards"},
                                                       {"run", "pond.xml", "--results"},
                                                       {"run", "pond.xml", "--set", "novalue"},
                                                       {"run", "pond.xml", "--listen", "127.0.0.1"},
                                                       {"run", "pond.xml", "--place", "a=b", "--listen", "0.0.0.0"},
                                                       {"study", "run", "pond.xml", "--listen", "127.0.0.1"},
                                                       {"run", "pond.xml", "--launcher", "ssh {host} {command}"},
                                                       {"compare", "pond.xml"},
                                                       {"compare", "pond.xml", "pond.xml", "--rtol", "1,5"},
                                                       {"compare", "pond.xml", "pond.xml", "--atol=-1"},
                                                       {"check", "pond.xml", "--timeout", "soon"},
                                                       {"check", "pond.xml", "--component"},
                                                       {"describe", "pond.xml"},
                                                       {"describe", "pond.xml", "wvae"},
                                                       {"describe", "wave.omi", "--argument", "pause"},
                                                       {"adaptors", "pond.xml"},
                                                       {"adaptors", "pond.xml", "wave.flow", "tnak.inflow"},
                                                       {"graph", "wave.omi"},
                                                       {"completions", "tcsh"}};
  for (const std::vector<std::string>& line : lines) {
    const ChildResult result = here.Run(line);
    EXPECT_EQ(result.exit_code, 2) << testing::PrintToString(line) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, HasSubstr("expected")) << testing::PrintToString(line);
  }
}

TEST(Usage, MissingFilesHaveACodeOfTheirOwn) {
  const Workplace here;
  here.WriteComposition("pond.xml");
  const std::vector<std::vector<std::string>> lines = {{"run", "gone.xml"},
                                                       {"check", "gone.xml"},
                                                       {"check", "gone.omi", "--component"},
                                                       {"describe", "gone.omi"},
                                                       {"describe", "gone.omi", "--static"},
                                                       {"graph", "gone.xml"},
                                                       {"plot", "gone.nc"},
                                                       {"compare", "gone.nc", "pond.xml"},
                                                       {"adaptors", "gone.xml", "a.b", "c.d"},
                                                       {"adaptors", "gone.omi:flow", "tank.omi:inflow"},
                                                       {"describe", "gone.nc"},
                                                       {"check", "pond.xml", "gone.xml"}};
  for (const std::vector<std::string>& line : lines) {
    const ChildResult result = here.Run(line);
    EXPECT_EQ(result.exit_code, 3) << testing::PrintToString(line) << result.err;
    EXPECT_THAT(result.err, HasSubstr("gone")) << testing::PrintToString(line);
    EXPECT_THAT(result.err, HasSubstr("expected a file, found none"));
  }
}

TEST(Usage, DataAreInAFolder) {
  const Workplace here;
  here.WriteComposition("pond.xml");
  const ChildResult gone = here.Run({"run", "pond.xml", "--data", "gone"});
  EXPECT_EQ(gone.exit_code, 3);
  EXPECT_THAT(gone.err, HasSubstr("gone: expected a folder, found none"));
  const ChildResult file = here.Run({"run", "pond.xml", "--data", "pond.xml"});
  EXPECT_EQ(file.exit_code, 2);
  EXPECT_THAT(file.err, HasSubstr("expected a folder, found the file 'pond.xml'"));
}

// What a value is, is said by a name: FILE, SECONDS, a|b; not by a type of C++ or a range.
TEST(Usage, HelpNamesItsValues) {
  const std::string manual = Workplace().Run({"markdown"}).out;
  std::istringstream lines(manual);
  int options = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("- `-")) continue;
    ++options;
    const std::string head = line.substr(0, line.find("`: "));
    for (const char* raw : {"TEXT", "UINT", " INT", "FLOAT", ":INT", " in ["}) EXPECT_THAT(head, Not(HasSubstr(raw)));
  }
  EXPECT_GT(options, 50);
}

TEST(Usage, HelpSaysWhichOptionsAreForSystemStructures) {
  const std::string help = Workplace().Run({"run", "--help"}).out;
  for (const char* option : {"--ssd NAME", "--start-time SECONDS", "--step SECONDS", "--solver bdf|adams"}) {
    const std::size_t at = help.find(option);
    ASSERT_NE(at, std::string::npos) << option;
    EXPECT_THAT(help.substr(at, 80), HasSubstr("For .ssp and .ssd:")) << option;
  }
}

TEST(Usage, HelpFitsIntoTheTerminal) {
  const Workplace here;
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"new", "composition"}, {"dcp", "monitor"}, {"control"}, {}}) {
    std::vector<std::string> words = command;
    words.emplace_back("--help");
    const std::string help = here.Run(words).out;
    std::istringstream lines(help);
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("  ")) {
        EXPECT_LE(line.size(), 80u) << testing::PrintToString(words);
      }
    }
  }
  EXPECT_THAT(here.Run({"--help"}).out, testing::AllOf(HasSubstr("man openmi"), HasSubstr("openmi completions bash")));
  EXPECT_THAT(here.Run({"control", "--help"}).out,
              testing::AllOf(HasSubstr("\n  override ITEM VALUE..."), HasSubstr("\n  set COMPONENT KEY VALUE")));
}

// -o is where something is written, and names of options of earlier releases are still taken.
TEST(Usage, AnOptionHasOneNameInHelpAndKeepsItsOldOnes) {
  const Workplace here;
  here.WriteComposition("pond.xml");
  for (const char* option : {"-o", "--output", "--output-file"}) {
    EXPECT_EQ(here.Run({"graph", "pond.xml", option, "g.svg"}).exit_code, 0) << option;
  }
  for (const char* option : {"-o", "--output", "--output-dir"}) {
    EXPECT_EQ(here.Run({"new", "component", "linear-tank", option, std::string("in") + option}).exit_code, 0) << option;
  }
  const std::string help = here.Run({"new", "component", "--help"}).out;
  EXPECT_THAT(help, testing::AllOf(HasSubstr("-o, --output DIR"), Not(HasSubstr("--output-dir"))));
  EXPECT_THAT(here.Run({"fmu", "run", "--help"}).out,
              testing::AllOf(HasSubstr("--start NAME=VALUE"), Not(HasSubstr("--set "))));
}

TEST(Usage, BadInputHasACodeOfItsOwn) {
  const Workplace here;
  here.Write("broken.xml", "<Composition");
  here.Write("text.csv", "this is no table\n");
  for (const std::vector<std::string>& line : {std::vector<std::string>{"run", "broken.xml"},
                                               {"plot", "text.csv"},
                                               {"compare", "text.csv", "text.csv"},
                                               {"graph", "broken.xml"}}) {
    const ChildResult result = here.Run(line);
    EXPECT_THAT(result.exit_code, testing::AnyOf(4, 5)) << testing::PrintToString(line) << result.err;
    EXPECT_THAT(result.err, HasSubstr("expected")) << testing::PrintToString(line);
  }
  EXPECT_EQ(here.Run({"plot", "text.csv"}).exit_code, 4);
  EXPECT_EQ(here.Run({"compare", "text.csv", "text.csv"}).exit_code, 4);
}

}  // namespace
