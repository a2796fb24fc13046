// Components in C# that fail: each failure is a message with the stack trace of the component, and the run keeps its
// results.

#include "tests/dotnet-bridge/DotnetFixture.hpp"

namespace openmi {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class DotnetFault : public Dotnet {
 protected:
  /// Runs the component that does what `fault` says.
  ChildResult RunWith(const std::string& fault, const std::string& attributes = "") {
    Omi("odd.omi", "Odd.dll", "Odds.Odd", {{"fault", fault}});
    Composition("odd.xml",
                fmt::format("<Component Id=\"odd\" Omi=\"odd.omi\" {}/><Observe Item=\"odd.level\"/>", attributes));
    return Run({"run", "odd.xml"});
  }
};

TEST_F(DotnetFault, NoneAtAll) {
  const ChildResult result = RunWith("");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(Rows("odd.csv"), HasSubstr("2020-01-03T00:00:00Z,48"));
}

TEST_F(DotnetFault, AnExceptionIsShownWithItsCauseAndLine) {
  const ChildResult result = RunWith("throw");
  EXPECT_NE(result.exit_code, 0);
  EXPECT_THAT(result.err, AllOf(HasSubstr("System.InvalidOperationException: the gate is stuck"),
                                HasSubstr("System.FormatException: not a number: 'x'"), HasSubstr("Odds.Odd.Misbehave"),
                                HasSubstr("Odd.cs:"), Not(HasSubstr("OpenMI.Bridge"))));
  EXPECT_THAT(Rows("odd.csv"), HasSubstr("2020-01-01T02:00:00Z,2"));
}

struct Fault {
  std::string fault;
  std::vector<std::string> words;  // in the messages
  bool is_in_step = false;         // the third: rows of the second are kept
};

void PrintTo(const Fault& fault, std::ostream* stream) {
  *stream << fault.fault;
}

class EachDotnetFault : public DotnetFault, public testing::WithParamInterface<Fault> {};

TEST_P(EachDotnetFault, IsAMessage) {
  const ChildResult result = RunWith(GetParam().fault, "TimeLimit=\"PT8S\" Isolation=\"process\"");
  EXPECT_NE(result.exit_code, 0);
  for (const std::string& words : GetParam().words) EXPECT_THAT(result.err, HasSubstr(words));
  if (GetParam().is_in_step) {
    EXPECT_THAT(Rows("odd.csv"), HasSubstr("2020-01-01T02:00:00Z,2"));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Nulls, EachDotnetFault,
    testing::Values(Fault{"null inputs", {"expected Inputs of 'odd', found null"}},
                    Fault{"null outputs", {"expected Outputs of 'odd', found null"}},
                    Fault{"null item", {"expected Outputs[1] of 'odd', found null"}},
                    Fault{"null definition", {"expected ValueDefinition of 'level', found null"}},
                    Fault{"null unit", {"expected IQuantity.Unit of 'level', found null"}},
                    Fault{"null dimension", {"expected IUnit.Dimension of", "found null"}},
                    Fault{"null type", {"expected IValueDefinition.ValueType of 'level', found null"}},
                    Fault{"null rows", {"expected ITimeSpaceValueSet.Values2D of", "found null"}, true},
                    Fault{"null time", {"expected ITimeSet.Times[0] of 'level', found null"}, true},
                    Fault{"null id", {"expected Id of 'Kit.Output', found null"}}));
INSTANTIATE_TEST_SUITE_P(
    Throws, EachDotnetFault,
    testing::Values(Fault{"throw in Initialize", {"no file is called 'creek.xml'", "Odds.Odd.Setup", "Odd.cs:"}},
                    Fault{"text", {"expected a number for element 0, found 'three' of type System.String"}, true}));
INSTANTIATE_TEST_SUITE_P(
    Ends, EachDotnetFault,
    testing::Values(Fault{"exit", {"ended with exit code 3", "Odds.Odd.Misbehave"}, true},
                    Fault{"finalizer", {"the finalizer of Cursed throws", "Cursed.Finalize"}, true},
                    Fault{"thread", {"a thread of Odd throws", "Odds.Odd"}, true},
                    Fault{"deadlock", {"did not answer within 8 s", "Odds.Odd.Wait"}, true},
                    Fault{"overflow", {"System.StackOverflowException", "Odds.Odd.Deeper"}, true}));

// What is missing was not thrown by the component: there is no trace to show.
TEST_F(DotnetFault, RowsThatAreMissingAreCounted) {
  for (const char* fault : {"no rows", "null values"}) {
    const ChildResult result = RunWith(fault, "Isolation=\"process\"");
    EXPECT_NE(result.exit_code, 0);
    EXPECT_THAT(result.err, HasSubstr("expected a row of values for each of 1 times, found 0 rows"));
    EXPECT_THAT(Rows("odd.csv"), HasSubstr("2020-01-01T02:00:00Z,2"));
    std::filesystem::remove_all(folder / "results");
  }
}

TEST_F(DotnetFault, NullArgumentsAreNamed) {
  for (const auto& [type, words] : {std::pair("Odds.Bare", "expected Arguments of 'odd', found null"),
                                    std::pair("Odds.Holed", "expected Arguments[4] of 'odd', found null")}) {
    Omi("odd.omi", "Odd.dll", type);
    const ChildResult result = Run({"describe", "odd.omi"});
    EXPECT_NE(result.exit_code, 0);
    EXPECT_THAT(result.err, HasSubstr(words));
  }
}

TEST_F(DotnetFault, AnArgumentThatIsRefusedIsShownWithItsValue) {
  Omi("tank.omi", "Tank.dll", "Tanks.Tank", {{"residence-time", "three"}});
  const ChildResult result = Run({"describe", "tank.omi"});
  EXPECT_NE(result.exit_code, 0);
  EXPECT_THAT(result.err, AllOf(HasSubstr("tank.omi:"),
                                HasSubstr("residence-time: expected a value that the component "
                                          "takes, found 'three': System.FormatException: "),
                                HasSubstr("Argument`1[T].set_ValueAsString")));
}

TEST_F(DotnetFault, ANullStateIsNamed) {
  Omi("odd.omi", "Odd.dll", "Odds.Forgetful");
  Composition("odd.xml", "<Component Id=\"odd\" Omi=\"odd.omi\"/><Observe Item=\"odd.level\"/>");
  const ChildResult result = Run({"run", "odd.xml", "--checkpoint-every", "PT2H"});
  EXPECT_THAT(result.err, HasSubstr("expected IManageState.KeepCurrentState of 'odd', found null"));
  EXPECT_THAT(Rows("odd.csv"), HasSubstr("2020-01-01T02:00:00Z,2"));
}

TEST_F(DotnetFault, TextsOfAnyCharactersCross) {
  Omi("odd.omi", "Odd.dll", "Odds.Odd", {{"fault", "strange texts"}});
  const ChildResult result = Run({"describe", "odd.omi"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("v\u00e9l \U0001F30A"));
}

TEST_F(DotnetFault, ANullValueIsMissing) {
  const ChildResult result = RunWith("null value");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(Rows("odd.csv"), HasSubstr("2020-01-01T03:00:00Z,NaN"));
}

TEST_F(DotnetFault, NullMessagesAreLeftOut) {
  const ChildResult result = RunWith("null message");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("level is low"));
}

TEST_F(DotnetFault, WhatIsPrintedIsShown) {
  const ChildResult result = RunWith("print");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out + result.err, HasSubstr("step three of Odd"));
}

TEST_F(DotnetFault, AnAssemblyOfThirdsIsMissing) {
  Omi("odd.omi", "Lost.dll", "Odds.Odd");
  const ChildResult result = Run({"describe", "odd.omi"});
  EXPECT_NE(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("expected the library"));
}

TEST_F(DotnetFault, AnAssemblyWithoutComponentsIsRefused) {
  Omi("members.omi", "Members.exe", "Members");
  const ChildResult result = Run({"describe", "members.omi"});
  EXPECT_NE(result.exit_code, 0);
  EXPECT_THAT(result.err + result.out,
              AllOf(HasSubstr("IBaseLinkableComponent"), HasSubstr("it does not refer to OpenMI.Standard2")));
}

TEST_F(DotnetFault, AMissingAssemblyIsNamedWithItsVersion) {
  Omi("needs.omi", "Needs.dll", "Needs.Needs");
  Composition("needs.xml", "<Component Id=\"needs\" Omi=\"needs.omi\"/>");
  const ChildResult result = Run({"run", "needs.xml"});
  EXPECT_NE(result.exit_code, 0);
  EXPECT_THAT(result.err, AllOf(HasSubstr("Could not load file or assembly 'Helper, Version=1.2.0.0"),
                                HasSubstr("Kit.Model.Initialize")));
}

TEST_F(DotnetFault, OtherVersionsOfTheInterfacesAreTheOneThatIsThere) {
  Omi("later.omi", "Later.dll", "Tanks.Tank");
  const ChildResult result = Run({"describe", "later.omi"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("a linear reservoir for each element"));
}

TEST_F(DotnetFault, APopulationOfThemIsRefused) {
  Omi("odd.omi", "Odd.dll", "Odds.Odd");
  folder.Write("odds.csv", "name\na\nb\n");
  Composition("odds.xml", "<Population Id=\"odds\" Omi=\"odd.omi\" Of=\"odds.csv\" Key=\"name\"/>");
  const ChildResult result = Run({"run", "odds.xml"});
  EXPECT_NE(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("expected a process of its own"));
}

}  // namespace
}  // namespace openmi
