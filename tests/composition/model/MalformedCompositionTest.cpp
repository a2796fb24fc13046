#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "composition/model/CompositionFile.hpp"

namespace openmi {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const fs::path kFolder = fs::path(OPENMI_SOURCE_DIR) / "tests/composition/model/malformed";

/// A file of the folder and the error that the reader has to report.
struct Malformed {
  const char* file;
  int line;
  std::vector<const char*> words;  ///< all of them in one problem, remedy included
};

void PrintTo(const Malformed& malformed, std::ostream* out) {
  *out << malformed.file;
}

/// Everything that is reported, also what ends the reading.
Problems Read(const fs::path& path) {
  Problems problems;
  try {
    ReadCompositionFile(path, problems);
  } catch (const Error& e) {
    AddError(problems, e.Place(), e.Problem(), e.Remedy());
  }
  return problems;
}

// clang-format off
const std::vector<Malformed> kTable{
    {"adaptor-argument-twice.xml", 8, {"expected each 'Key' of Argument once, found 'a' again; the first is on line 7; give one of the two another name"}},
    {"adaptor-misspelt.xml", 6, {"expected an element that is allowed in Link, found 'Adapter'; did you mean 'Adaptor'?"}},
    {"adaptor-nested.xml", 7, {"expected an element that is allowed in Adaptor, found 'Adaptor'; there are: Argument"}},
    {"adaptor-without-id.xml", 6, {"expected the attribute 'Id' in Adaptor, found none; write Id=\"...\" into <Adaptor>"}},
    {"an-omi-file.xml", 2, {"expected the root element Composition, found 'LinkableComponent'; this is an OMI file; name it in Omi=\"...\" of a Component"}},
    {"an-opr-project.xml", 2, {"expected the root element Composition, found 'opr'; this is a project of the OpenMI configuration editor; turn it into a composition with openmi import"}},
    {"argument-twice.xml", 7, {"expected each 'Key' of Argument once, found 'k' again; the first is on line 6; give one of the two another name"}},
    {"argument-without-key.xml", 6, {"expected the attribute 'Key' in Argument, found none; write Key=\"...\", the Id of the argument"}},
    {"argument-without-value.xml", 6, {"expected the attribute 'Value' in Argument, found none; write Value=\"...\" into <Argument>"}},
    {"compare-blank-measures.xml", 5, {"expected names of measures in 'Measures' of Compare, found blanks; write Measures=\"nse kge volume peak\""}},
    {"compare-unknown-component.xml", 5, {"expected the Id of a component in 'Observed' of Compare, found 'gauge'; there are: rain, creek"}},
    {"compare-without-measures.xml", 5, {"expected the attribute 'Measures' in Compare, found none; write Measures=\"nse kge volume peak\""}},
    {"checkpoints-every-month.xml", 5, {"expected a duration, found 'P1M' in 'EveryWall' of Checkpoints; years and months have no fixed length: write days (P30D)"}},
    {"checkpoints-every-nothing.xml", 5, {"expected a span above 0 in 'Every' of Checkpoints, found 0; write Every=\"PT1H\", or leave it out"}},
    {"checkpoints-keep-none.xml", 5, {"expected a number from 1 to 99 in 'Keep' of Checkpoints, found '0'; write how many checkpoints to keep, as in Keep=\"2\""}},
    {"checkpoints-keep-some.xml", 5, {"expected a number from 1 to 99 in 'Keep' of Checkpoints, found 'some'; write how many checkpoints to keep, as in Keep=\"2\""}},
    {"checkpoints-misspelt.xml", 5, {"expected an attribute that Checkpoints knows, found 'Evry'; did you mean 'Every'?"}},
    {"checkpoints-twice.xml", 6, {"expected one Checkpoints in Composition, found another; the first is on line 5; join the two into one"}},
    {"checkpoints-without-state.xml", 5, {"expected one of refuse, skip for 'WithoutState' of Checkpoints, found 'ignore'; there are: refuse, skip"}},
    {"component-assembly-alone.xml", 5, {"expected 'Type' and 'Assembly' together in Component 'x', found 'Assembly' alone; write Type=\"...\" too"}},
    {"component-empty-id.xml", 5, {"expected a value for 'Id' of Component, found an empty one; write Id=\"...\""}},
    {"component-empty-omi.xml", 5, {"expected a value for 'Omi' of Component, found an empty one; write Omi=\"...\""}},
    {"component-id-with-dot.xml", 5, {"expected a component Id without blanks and dots, found 'a.b'; write '-' instead; \"component.item\" is cut at the first dot"}},
    {"component-invented-maybe.xml", 5, {"expected true or false for 'Invented' of Component, found 'maybe'; write Invented=\"true\" or Invented=\"false\""}},
    {"component-isolation-limit-alone.xml", 5, {"expected 'TimeLimit' on a Component in a process of its own, found it on one in the process of the run; add Isolation=\"process\", or remove the limit"}},
    {"component-isolation-memory.xml", 5, {"expected an amount of memory in 'MemoryLimit' of Component, found '512 oxen'; write a number and a unit, as in \"512 MB\" or \"2 GiB\""}},
    {"component-isolation-thread.xml", 5, {"expected"}},
    {"component-keep-state-perhaps.xml", 5, {"expected true or false for 'KeepState' of Component, found 'perhaps'; write KeepState=\"true\" or KeepState=\"false\""}},
    {"component-misspelt-attribute.xml", 5, {"expected an attribute that Component knows, found 'omi'; did you mean 'Omi'?"}},
    {"component-twice.xml", 5, {"expected each 'Id' of Component once, found 'rain' again; the first is on line 3; give one of the two another name"}},
    {"component-two-sources.xml", 5, {"expected either 'Omi' or 'Type' and 'Assembly' in Component 'x', found both; remove 'Type' and 'Assembly', which are in the OMI file"}},
    {"component-type-alone.xml", 5, {"expected 'Type' and 'Assembly' together in Component 'x', found 'Type' alone; write Assembly=\"...\" too"}},
    {"component-unknown-child.xml", 5, {"expected an element that is allowed in Component, found 'Arguments'; did you mean 'Argument'?"}},
    {"component-without-id.xml", 5, {"expected the attribute 'Id' in Component, found none; write Id=\"...\" into <Component>"}},
    {"component-without-source.xml", 5, {"expected 'Omi', or 'Type' and 'Assembly', in Component 'x', found none; write Omi=\"...\", the path of an OMI file relative to this file"}},
    {"composition-id-a-path.xml", 2, {"expected an Id of the composition without '/' that can name files, found '../x'; write a name as in Id=\"upper-creek\"; result files are named after it, and --results chooses their folder"}},
    {"composition-id-dots.xml", 2, {"expected an Id of the composition without '/' that can name files, found '..'"}},
    {"empty.xml", 0, {"expected an XML document, found an empty file; get a whole copy of the file, or write one"}},
    {"entity-bomb.xml", 3, {"expected no entity declarations, found entity 'a'; remove the DOCTYPE and write the text itself"}},
    {"external-entity.xml", 3, {"expected no entity declarations, found external entity 'x' that points to 'file:///etc/hostname'; remove the DOCTYPE and write the text itself"}},
    {"id-with-blank-behind.xml", 5, {"Composition.xsd", "'a '"}},
    {"iterate-half-an-iteration.xml", 5, {"expected a whole number from 1 to 1000000 in 'MaxIterations' of Iterate, found '2.5'"}},
    {"iterate-misspelt.xml", 5, {"expected an attribute that Iterate knows, found 'Tolerance'; there are: Components, Order"}},
    {"iterate-never.xml", 5, {"expected a whole number from 1 to 1000000 in 'MaxIterations' of Iterate, found '0'; write MaxIterations=\"50\""}},
    {"iterate-no-components.xml", 5, {"expected Ids of components in 'Components' of Iterate, found none; name the members of one loop in the order in which they should compute"}},
    {"iterate-no-relaxation.xml", 5, {"expected a number from 1e-06 to 2 in 'Relaxation' of Iterate, found '-0.5'; write Relaxation=\"0.5\""}},
    {"iterate-tolerance-nan.xml", 5, {"expected a number from 0 in 'AbsoluteTolerance' of Iterate, found 'nan'"}},
    {"iterate-twice.xml", 6, {"expected each component in one Iterate at most, found 'creek' again; the first is on line 5; name the members of a loop once"}},
    {"iterate-unknown-component.xml", 5, {"expected the Id of a component in 'Components' of Iterate, found 'crek'; did you mean 'creek'?"}},
    {"iterate-without-components.xml", 5, {"expected the attribute 'Components' in Iterate, found none; write Components=\"a b\", the members of one loop"}},
    {"iterate-wrong-failure.xml", 5, {"expected one of fail, warn, shorten for 'OnFailure' of Iterate, found 'stop'"}},
    {"iterate-wrong-method.xml", 5, {"expected one of fixed-point, relaxation, aitken, anderson, quasi-newton for 'Method' of Iterate, found 'atiken'; did you mean 'aitken'?"}},
    {"link-id-twice.xml", 6, {"expected each 'Id' of Link once, found 'a' again; the first is on line 5; give one of the two another name"}},
    {"link-item-missing-behind-dot.xml", 5, {"expected component.item in 'From' of Link, found 'rain.'; write the component's Id, a dot and the item's Id"}},
    {"link-to-itself.xml", 5, {"expected a link to lead to another item, found 'creek.level' linked to itself; name an input of another component in 'To'"}},
    {"link-twice.xml", 6, {"expected each link once, found 'rain.precipitation -> creek.inflow' again; the first is on line 5; remove one of the two"}},
    {"link-unknown-component.xml", 5, {"expected the Id of a component in 'From' of Link, found 'rian'; did you mean 'rain'?"}},
    {"link-without-from.xml", 5, {"expected the attribute 'From' in Link, found none; write From=\"component.item\""}},
    {"link-without-item.xml", 5, {"expected component.item in 'From' of Link, found 'rain'; write the component's Id, a dot and the item's Id"}},
    {"link-without-to.xml", 5, {"expected the attribute 'To' in Link, found none; write To=\"component.item\""}},
    {"link-wrong-loop.xml", 5, {"expected one of last, extrapolate for 'Loop' of Link, found 'first'; there are: last, extrapolate"}},
    {"misspelt-root.xml", 2, {"expected the root element Composition, found 'Compositon'; did you mean 'Composition'?"}},
    {"no-component.xml", 2, {"expected at least one Component in Composition, found none; write <Component Id=\"...\" Omi=\"...\"/>"}},
    {"no-id.xml", 2, {"expected the attribute 'Id' in Composition, found none; write Id=\"...\" into <Composition>"}},
    {"no-namespace.xml", 2, {"expected the namespace 'urn:openmi2:composition:1', found none; write <Composition xmlns=\"urn:openmi2:composition:1\" ...>"}},
    {"not-utf8.xml", 2, {"expected text in UTF-8, found a byte 0xF6 at offset 91 that UTF-8 does not allow; save the file as UTF-8, or declare the encoding it has, such as encoding=\"ISO-8859-1\""}},
    {"observe-as-average.xml", 5, {"expected one of instant, mean, sum, minimum, maximum for 'As' of Observe, found 'means'; did you mean 'mean'?"}},
    {"observe-every-month.xml", 5, {"expected a duration, found 'P1M' in 'Every' of Observe; years and months have no fixed length: write days (P30D)"}},
    {"observe-every-nothing.xml", 5, {"expected a span above 0 in 'Every' of Observe, found 0; write Every=\"PT1H\", or omit it to write each row"}},
    {"observe-every-wrong.xml", 5, {"expected a duration, found 'hourly' in 'Every' of Observe; write it as in PT1H, P7D or 3600 s"}},
    {"observe-id-twice.xml", 6, {"expected each 'Id' of Observe once, found 'o' again; the first is on line 5; give one of the two another name"}},
    {"observe-unknown-component.xml", 5, {"expected the Id of a component in 'Item' of Observe, found 'creeks'; did you mean 'creek'?"}},
    {"observe-without-item.xml", 5, {"expected the attribute 'Item' in Observe, found none; write Item=\"component.item\""}},
    {"results-empty-name.xml", 5, {"expected a value for 'Csv' of Results, found an empty one; write Csv=\"...\""}},
    {"results-absolute.xml", 5, {"expected the name of a file in the folder of results in 'NetCDF' of Results, found '/tmp/escaped.nc'; write a name without '..' and without a '/' before it"}},
    {"results-misspelt.xml", 5, {"expected an attribute that Results knows, found 'Netcdf'; did you mean 'NetCDF'?"}},
    {"results-elsewhere.xml", 5, {"expected the name of a file in the folder of results in 'Csv' of Results, found '../../escaped.csv'; write a name without '..'"}},
    {"results-twice.xml", 6, {"expected one Results in Composition, found another; the first is on line 5; join the two into one"}},
    {"run-late-unknown.xml", 5, {"expected one of carry-on, catch-up, fail for 'Late' of Run, found 'hurry'; there are: carry-on, catch-up, fail"}},
    {"run-late-without-pace.xml", 5, {"expected 'Pace' beside 'Late' of Run, found none; write Pace=\"1\" to simulate as fast as the clock, or omit it"}},
    {"run-pace-backwards.xml", 5, {"expected a number above 0 in 'Pace' of Run, found '-1'; write how many simulated seconds pass in a second, as in Pace=\"60\""}},
    {"run-pace-word.xml", 5, {"expected a number above 0 in 'Pace' of Run, found 'fast'; write how many simulated seconds pass in a second, as in Pace=\"60\""}},
    {"run-no-such-day.xml", 5, {"expected a day that the calendar has, found '2015-02-29T00:00Z' in 'From' of Run; 2015-02 has 28 days"}},
    {"run-turned-round.xml", 6, {"expected an end after the start 2015-12-31T00:00", "in 'To' of Run, found 2015-12-01T00:00", "; exchange 'From' and 'To', or correct one of them"}},
    {"run-twice.xml", 6, {"expected one Run in Composition, found another; the first is on line 5; join the two into one"}},
    {"run-unknown-trigger.xml", 5, {"expected the Id of a component in 'Trigger' of Run, found 'lake'; there are: rain, creek"}},
    {"run-variable-time.xml", 5, {"expected a time by ISO 8601, found '${from}' in 'From' of Run: times take no variables; write the time itself; variables are for arguments and the paths of components"}},
    {"run-warm-up-too-long.xml", 5, {"expected a warm-up shorter than the run of P30D, found P30D; shorten the warm-up, or let the run start earlier"}},
    {"run-warm-up-wrong.xml", 5, {"expected a duration, found 'a week' in 'WarmUp' of Run; write it as in PT1H, P7D or 3600 s"}},
    {"run-without-end.xml", 5, {"expected the attribute 'To' in Run, found none; write To=\"2015-12-01T00:00Z\""}},
    {"run-without-zone.xml", 5, {"expected a time by ISO 8601, found '2015-12-01T00:00' in 'From' of Run; state the zone, as in 2015-12-01T06:30Z or 2015-12-01T06:30+01:00"}},
    {"run-wrong-mode.xml", 5, {"expected one of pull, step for 'Mode' of Run, found 'push'; there are: pull, step"}},
    {"text.xml", 2, {"expected no text in Composition, found 'rain to creek'; write it as an attribute, or remove it"}},
    {"tolerance-of-nothing.xml", 5, {"expected 'Absolute' or 'Relative' in Tolerance, found none; write Absolute=\"...\", in the unit of the input, or Relative=\"1e-6\""}},
    {"tolerance-twice.xml", 7, {"expected each 'Item' of Tolerance once, found 'creek.in' again; the first is on line 6"}},
    {"tolerance-without-item.xml", 5, {"expected the attribute 'Item' in Tolerance, found none"}},
    {"truncated.xml", 5, {"expected well-formed XML, found '", "Premature end of data in tag Composition line 2", "the file seems cut short here; get a whole copy, or close what is open"}},
    {"unknown-element.xml", 5, {"expected an element that is allowed in Composition, found 'Lnik'; did you mean 'Link'?"}},
    {"unknown-namespace.xml", 2, {"expected the namespace 'urn:openmi2:composition:1', found 'urn:openmi2:composition:2'; write <Composition xmlns=\"urn:openmi2:composition:1\" ...>"}},
    {"unknown-root-attribute.xml", 2, {"expected an attribute that Composition knows, found 'Captoin'; did you mean 'Caption'?"}},
    {"window-label-twice.xml", 7, {"expected each 'Label' of Window once, found 'w' again; the first is on line 6; give one of the two another name"}},
    {"window-turned-round.xml", 6, {"expected an end after the start 2015-12-02T00:00", "in 'To' of Window, found 2015-12-01T00:00", "; exchange 'From' and 'To', or correct one of them"}},
    {"window-without-label.xml", 6, {"expected the attribute 'Label' in Window, found none; write Label=\"...\" into <Window>"}},
};
// clang-format on

class MalformedComposition : public testing::TestWithParam<Malformed> {};

TEST_P(MalformedComposition, IsToldWithFileLineExpectationAndRemedy) {
  const Malformed& expected = GetParam();
  const fs::path path = kFolder / expected.file;
  std::string all;
  bool found = false;
  for (const Problem& problem : Read(path)) {
    const std::string line = FormatProblem(problem);
    all += line + "\n";
    EXPECT_EQ(problem.where.file, path.string());
    EXPECT_FALSE(problem.remedy.empty()) << line;
    bool here = problem.severity == Problem::Error && problem.where.line == expected.line;
    for (const char* words : expected.words) here = here && line.find(words) != std::string::npos;
    found = found || here;
  }
  EXPECT_TRUE(found) << all;
}

INSTANTIATE_TEST_SUITE_P(Files, MalformedComposition, testing::ValuesIn(kTable), [](const auto& row) {
  std::string name = fs::path(row.param.file).stem().string();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(MalformedCompositionFolder, IsCoveredByTheTable) {
  std::set<std::string> files;
  std::set<std::string> rows{"ten-faults.xml"};
  for (const auto& entry : fs::directory_iterator(kFolder)) files.insert(entry.path().filename().string());
  for (const Malformed& row : kTable) rows.insert(row.file);
  EXPECT_EQ(files, rows);
}

TEST(MalformedComposition, WithTenFaultsTellsAllTenInOneCall) {
  std::vector<std::string> told;
  for (const Problem& problem : Read(kFolder / "ten-faults.xml")) {
    EXPECT_EQ(problem.severity, Problem::Error);
    told.push_back(FormatProblem(problem));
  }
  EXPECT_THAT(
      told, testing::ElementsAre(
                HasSubstr("ten-faults.xml:4: expected each 'Id' of Component once, found 'rain' again"),
                HasSubstr("ten-faults.xml:5: expected 'Omi', or 'Type' and 'Assembly', in Component 'creek'"),
                HasSubstr("ten-faults.xml:6: expected the Id of a component in 'From' of Link, found 'rian'; did you "
                          "mean 'rain'?"),
                HasSubstr("ten-faults.xml:8: expected an element that is allowed in Link, found 'Adapter'"),
                HasSubstr("ten-faults.xml:10: expected one of last, extrapolate for 'Loop'"),
                HasSubstr("ten-faults.xml:10: expected component.item in 'From' of Link, found 'rain'"),
                HasSubstr("ten-faults.xml:11: expected a duration, found 'P1M'"),
                HasSubstr("ten-faults.xml:12: expected the Id of a component in 'Observed' of Compare, found 'gauge'; "
                          "there are: rain, creek"),
                HasSubstr("ten-faults.xml:13: expected a time by ISO 8601"),
                HasSubstr("ten-faults.xml:14: expected an attribute that Results knows, found 'CSV'")));
}

TEST(DamagedComposition, EveryPrefixAndEveryFlippedByteIsReadOrRefused) {
  const std::string good =
      "<Composition xmlns='urn:openmi2:composition:1' Id='c'><Component Id='a' Omi='a.omi'><Argument Key='k' "
      "Value='1'/>"
      "</Component><Component Id='b' Type='T' Assembly='l'/><Link From='a.x' To='b.y'><Adaptor Id='d'/></Link>"
      "<Observe Item='a.x' Every='PT1H' As='mean'/><Compare Simulated='a.x' Observed='b.y' Measures='nse'>"
      "<Window Label='w' From='2015-12-01Z' To='2015-12-02Z'/></Compare>"
      "<Run From='2015-12-01Z' To='2015-12-03Z' WarmUp='P1D' Trigger='b'/></Composition>";
  const auto problems_of = [](const std::string& text) {
    Problems problems;
    try {
      ReadCompositionText(text, "d.xml", problems);
    } catch (const Error& e) {
      AddError(problems, e.Place(), e.Problem(), e.Remedy());
    }
    for (const Problem& problem : problems) EXPECT_EQ(problem.where.file, "d.xml") << FormatProblem(problem);
    return problems;
  };
  ASSERT_TRUE(problems_of(good).empty());
  for (std::size_t length = 0; length < good.size(); ++length) {
    EXPECT_TRUE(HasErrors(problems_of(good.substr(0, length)))) << length;
  }
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (const int flip : {0x01, 0x04, 0x10, 0x80}) {
      std::string damaged = good;
      damaged[at] = static_cast<char>(damaged[at] ^ flip);
      problems_of(damaged);
    }
  }
}

}  // namespace
}  // namespace openmi
