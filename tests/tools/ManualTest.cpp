// Completions, the manual page and docs/command.md are made from the program, and cannot say anything else.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/Command.hpp"

namespace {

using openmi::ChildResult;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::StartsWith;

TEST(Manual, TheDocumentIsWhatTheProgramSays) {
  const Workplace here;
  std::ostringstream text;
  text << std::ifstream(OPENMI_SOURCE_DIR "/docs/command.md").rdbuf();
  EXPECT_EQ(here.Run({"markdown"}).out, text.str()) << "make it anew: openmi markdown -o docs/command.md";
}

TEST(Manual, ThePageNamesEverySubcommandAndExitCode) {
  const ChildResult page = Workplace().Run({"man"});
  EXPECT_EQ(page.exit_code, 0);
  EXPECT_THAT(page.out, StartsWith(".TH OPENMI 1 "));
  for (const char* command : {"run", "check", "describe", "adaptors", "graph", "plot", "compare"})
    EXPECT_THAT(page.out, HasSubstr(std::string(".SS openmi ") + command));
  EXPECT_THAT(page.out,
              AllOf(HasSubstr("\\fB\\-\\-overwrite\\fR"), HasSubstr("130  interrupted"), HasSubstr(".SH Examples")));
}

// What bash offers for a line, with the cursor behind it.
std::vector<std::string> Completed(const Workplace& here, const std::vector<std::string>& words) {
  here.Write("completion", here.Run({"completions", "bash"}).out);
  std::string script = "source ./completion; COMP_WORDS=(";
  for (const std::string& word : words) script += "'" + word + "' ";
  script += "); COMP_CWORD=" + std::to_string(words.size() - 1) + "; _openmi; printf '%s\\n' \"${COMPREPLY[@]}\"";
  const ChildResult result = openmi::RunInChild({"/usr/bin/env", "-C", here.Path().string(), "bash", "-c", script});
  EXPECT_EQ(result.err, "");
  std::vector<std::string> lines;
  std::istringstream stream(result.out);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(Manual, BashCompletesCommandsOptionsWordsAndFiles) {
  const Workplace here;
  here.Write("pond.xml", "");
  EXPECT_EQ(Completed(here, {"openmi", "de"}), std::vector<std::string>{"describe"});
  EXPECT_EQ(Completed(here, {"openmi", "run", "--over"}), std::vector<std::string>{"--overwrite"});
  EXPECT_EQ(Completed(here, {"openmi", "run", "--mode", "s"}), std::vector<std::string>{"step"});
  EXPECT_EQ(Completed(here, {"openmi", "run", "po"}), std::vector<std::string>{"pond.xml"});
  EXPECT_THAT(Completed(here, {"openmi", ""}), Contains("compare"));
}

TEST(Manual, OtherShellsHaveTheirs) {
  const Workplace here;
  EXPECT_THAT(here.Run({"completions", "zsh"}).out, AllOf(StartsWith("#compdef openmi"), HasSubstr("--overwrite[")));
  EXPECT_THAT(here.Run({"completions", "fish"}).out,
              HasSubstr("complete -c openmi -n '__fish_seen_subcommand_from run' -l overwrite"));
}

}  // namespace
