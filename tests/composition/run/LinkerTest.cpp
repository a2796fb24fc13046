// What the check says of links, before anything runs.

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "composition/check/CheckComposition.hpp"
#include "composition/link/Variables.hpp"
#include "openmi/omi/ExportComponent.hpp"
#include "tests/composition/run/RunFixture.hpp"

namespace openmi::testing {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// The errors of a source and a sink with one link.
std::string Errors(const std::string& source_arguments, const std::string& sink_arguments,
                   const std::string& adaptors = {}, const std::string& type = "Source") {
  return Made(ComponentXml("a", type, source_arguments) + ComponentXml("s", "Sink", sink_arguments) +
              LinkXml("a.out", "s.in", adaptors) + RunXml())
      .Text();
}

std::size_t Lines(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST(Linker, UnknownItemsWithSuggestions) {
  Made made(R"(<Component Id="rain" Type="test.Source" Assembly="here"/>
<Component Id="sink" Type="test.Sink" Assembly="here"/>
<Link From="rain.ouT2" To="sink.in"/>
<Link From="rain.out" To="sink.inn"/>
<Run From="2015-12-01T00:00Z" To="2015-12-02T00:00Z"/>
)");
  EXPECT_THAT(made.Text(), AllOf(HasSubstr("made.xml:4: rain: expected an output of 'rain', found 'ouT2'; did you mean "
                                           "'out'?"),
                                 HasSubstr("made.xml:5: sink: expected an input of 'sink', found 'inn'; did you mean "
                                           "'in'?")));
  EXPECT_EQ(Lines(made.Text()), 2U) << made.Text();  // the unlinked input is not told a second time
}

TEST(Linker, ALinkTheOtherWayRoundIsNamed) {
  Made made(R"(<Component Id="rain" Type="test.Source" Assembly="here"/>
<Component Id="sink" Type="test.Sink" Assembly="here"/>
<Link From="sink.in" To="rain.out"/>
<Run From="2015-12-01T00:00Z" To="2015-12-02T00:00Z"/>
)");
  EXPECT_THAT(made.Text(), AllOf(HasSubstr("made.xml:4: sink: expected an output of 'sink', found its input 'in'"),
                                 HasSubstr("made.xml:4: rain: expected an input of 'rain', found its output 'out'"),
                                 HasSubstr("exchange 'From' and 'To'")));
}

TEST(Linker, AnObservedInputIsNoEndOfALink) {
  Made made(R"(<Component Id="sink" Type="test.Sink" Assembly="here"/>
<Observe Item="sink.in"/>
<Run From="2015-12-01T00:00Z" To="2015-12-02T00:00Z"/>
)");
  EXPECT_THAT(made.Text(), AllOf(HasSubstr("made.xml:3: sink: expected an output of 'sink', found its input 'in'"),
                                 HasSubstr("name an output; "), testing::Not(HasSubstr("exchange 'From'"))));
}

TEST(Linker, ARunThatEndsBeforeItBeginsIsReportedOnce) {
  Made made(R"(<Component Id="rain" Type="test.Source" Assembly="here"/>
<Component Id="sink" Type="test.Sink" Assembly="here"/>
<Link From="rain.out" To="sink.in"/>
<Run From="2015-12-02T00:00Z" To="2015-12-01T00:00Z"/>)");
  EXPECT_THAT(made.Text(), HasSubstr("expected an end after the start 2015-12-02T00:00:00Z"));
  EXPECT_EQ(Lines(made.Text()), 1U) << made.Text();
}

TEST(Linker, AFileThatIsNoCompositionNeedsNoRun) {
  Problems problems;
  CompositionFile file = ReadCompositionText("<dimrConfig/>", "dimr.xml", problems);
  Composition composition(std::move(file));
  composition.Load(problems);
  composition.Connect(problems);
  CheckComposition(composition, problems);
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_THAT(problems[0].problem, HasSubstr("expected the root element Composition"));
}

TEST(Linker, UnknownComponentWithSuggestion) {
  Made made(R"(<Component Id="rain" Type="test.Source" Assembly="here"/>
<Component Id="sink" Type="test.Sink" Assembly="here"/>
<Link From="rian.out" To="sink.in"/>
<Run From="2015-12-01T00:00Z" To="2015-12-02T00:00Z"/>
)");
  EXPECT_THAT(made.Text(), AllOf(HasSubstr("made.xml:4"), HasSubstr("rian"), HasSubstr("did you mean 'rain'?")));
}

TEST(Linker, UnknownAdaptorFactoryAndArgument) {
  EXPECT_THAT(Errors("", "", AdaptorXml("mean-over-spam")),
              AllOf(HasSubstr("expected an adaptor that fits 'out', found 'mean-over-spam'"),
                    HasSubstr("did you mean 'mean-over-span'?")));
  EXPECT_THAT(Errors("", "", "<Adaptor Id=\"linear\" Factory=\"openmi.standart\"/>"),
              AllOf(HasSubstr("expected an available factory, found 'openmi.standart'"),
                    HasSubstr("did you mean 'openmi.standard'?")));
  EXPECT_THAT(Errors("", "", AdaptorXml("mean-over-span", ArgumentXml("extrapolatoin", "hold"))),
              AllOf(HasSubstr("expected an argument of adaptor 'mean-over-span', found 'extrapolatoin'"),
                    HasSubstr("did you mean 'extrapolation'?")));
  EXPECT_THAT(Errors("", "", AdaptorXml("mean-over-span", ArgumentXml("extrapolation", "holt"))),
              AllOf(HasSubstr("argument 'extrapolation' of adaptor 'mean-over-span'"), HasSubstr("holt")));
  EXPECT_THAT(Errors("", "", AdaptorXml("leak"), "LeakySource"), IsEmpty());
  EXPECT_THAT(Errors("", "", "<Adaptor Id=\"leak\" Factory=\"leaks\"/>", "LeakySource"), IsEmpty());
  EXPECT_THAT(Errors("", "", "<Adaptor Id=\"linear\" Factory=\"leaks\"/>", "LeakySource"),
              HasSubstr("expected an adaptor that fits 'out', found 'linear'; there are: leak"));
}

TEST(Linker, AStateIsForComponentsThatKeepOne) {
  Made made(
      R"(<Component Id="a" Type="test.Source" Assembly="here" InitialState="a.state"/><Component Id="s" Type="test.Sink" Assembly="here"/>
<Link From="a.out" To="s.in"/>
<Run From="2015-12-01T00:00Z" To="2015-12-02T00:00Z"/>
)");
  EXPECT_THAT(made.Text(), HasSubstr("a: expected a component that keeps its state, for InitialState 'a.state'"));
  EXPECT_EQ(Lines(made.Text()), 1U) << made.Text();
}

TEST(Linker, AnInputTakesOneLink) {
  Made made(R"(<Component Id="a" Type="test.Source" Assembly="here"/>
<Component Id="b" Type="test.Source" Assembly="here"/>
<Component Id="s" Type="test.Sink" Assembly="here"/>
<Link From="a.out" To="s.in"/>
<Link From="b.out" To="s.in"/>
<Run From="2015-12-01T00:00Z" To="2015-12-02T00:00Z"/>
)");
  EXPECT_THAT(made.Text(), AllOf(HasSubstr("made.xml:6"), HasSubstr("found 's.in' linked already"),
                                 HasSubstr("an input takes one link")));
  EXPECT_EQ(Lines(made.Text()), 1U) << made.Text();
}

TEST(Linker, UnitsThatNeedAnAdaptorNameIt) {
  EXPECT_THAT(
      Errors(ArgumentXml("unit", "m s-1"), ArgumentXml("unit", "m3 s-1")),
      AllOf(HasSubstr("made.xml:4: link a.out -> s.in: expected a unit that converts to 'm3 s-1', found 'm s-1'"),
            HasSubstr("'times-element-area'")));
  EXPECT_THAT(Errors(ArgumentXml("unit", "mm"), ArgumentXml("unit", "mm h-1")), HasSubstr("'divide-by-span'"));
  EXPECT_THAT(Errors(ArgumentXml("unit", "kg m-2"), ArgumentXml("unit", "mm")), HasSubstr("'density'"));
  EXPECT_THAT(Errors(ArgumentXml("unit", "kg m-2"), ArgumentXml("unit", "m3 s-1")),
              AllOf(HasSubstr("'density'"), HasSubstr("'times-element-area'"), HasSubstr("'divide-by-span'")));
  EXPECT_THAT(Errors(ArgumentXml("unit", "K"), ArgumentXml("unit", "m")),
              HasSubstr("link items of the same dimension"));
}

TEST(Linker, ConversionsAreInsertedAndSaid) {
  Made made(R"(<Component Id="a" Type="test.Source" Assembly="here"><Argument Key="unit" Value="mm h-1"/></Component>
<Component Id="s" Type="test.Sink" Assembly="here"><Argument Key="unit" Value="m s-1"/></Component>
<Link From="a.out" To="s.in"/>
<Run From="2015-12-01T00:00Z" To="2015-12-02T00:00Z"/>
)");
  EXPECT_THAT(made.Text(), IsEmpty());
  EXPECT_THAT(made.Text(Problem::Note),
              HasSubstr("made.xml:4: link a.out -> s.in: mm h-1 becomes m s-1 (conversion inserted)"));
  ASSERT_THAT(ErrorsOf(made.Run()), IsEmpty());
  EXPECT_NEAR(made.Get<Sink>("s").rows.at(0).at(0), TestValue(1, 0) / 3.6e6, 1e-20);
}

TEST(Linker, AUnitConversionSaysWhatItGives) {
  // One that the composer put there, to another unit than the target's: the engine converts the rest of the way.
  Made made(R"(<Component Id="a" Type="test.Source" Assembly="here"><Argument Key="unit" Value="mm h-1"/></Component>
<Component Id="s" Type="test.Sink" Assembly="here"><Argument Key="unit" Value="m s-1"/></Component>
<Link From="a.out" To="s.in"><Adaptor Id="unit-conversion"><Argument Key="unit" Value="mm d-1"/></Adaptor></Link>
<Run From="2015-12-01T00:00Z" To="2015-12-02T00:00Z"/>
)");
  EXPECT_THAT(made.Text(), IsEmpty());
  EXPECT_THAT(made.Text(Problem::Note), HasSubstr("mm d-1 becomes m s-1 (conversion inserted)"));
  ASSERT_THAT(ErrorsOf(made.Run()), IsEmpty());
  EXPECT_NEAR(made.Get<Sink>("s").rows.at(0).at(0) * 3.6e6 / TestValue(1, 0), 1.0, 1e-14);
  EXPECT_THAT(Errors(ArgumentXml("unit", "mm h-1"), ArgumentXml("unit", "m s-1"),
                     AdaptorXml("unit-conversion", ArgumentXml("unit", "m"))),
              HasSubstr("expected a unit that converts to 'm', found 'mm h-1'"));
}

TEST(Linker, AnOffsetBehindTotalsIsRefused) {
  EXPECT_THAT(Errors(ArgumentXml("unit", "degC"), ArgumentXml("unit", "K"), AdaptorXml("mean-over-span")), IsEmpty());
  EXPECT_THAT(Errors(ArgumentXml("unit", "degC"), ArgumentXml("unit", "K"), AdaptorXml("sum-over-span")),
              AllOf(HasSubstr("expected a conversion without offset after 'sum-over-span'"),
                    HasSubstr("put the adaptor 'unit-conversion' before 'sum-over-span'")));
  EXPECT_THAT(Errors(ArgumentXml("unit", "degC"), ArgumentXml("unit", "K"),
                     AdaptorXml("unit-conversion") + AdaptorXml("sum-over-span")),
              IsEmpty());
  EXPECT_THAT(Errors(ArgumentXml("unit", "degC"), ArgumentXml("unit", "K"),
                     AdaptorXml("resample", ArgumentXml("as", "sum")) + AdaptorXml("mean-over-span") +
                         AdaptorXml("unit-conversion")),
              HasSubstr("after 'resample'"));
}

TEST(Linker, ArgumentsOfAdaptorsAreReadByTheCheck) {
  EXPECT_THAT(Errors("", "", AdaptorXml("delay", ArgumentXml("delay", "a while"))),
              AllOf(HasSubstr("made.xml:4"), HasSubstr("adaptor 'delay'"), HasSubstr("a while")));
  EXPECT_THAT(Errors("", "", AdaptorXml("expression", ArgumentXml("formula", "x + y"))),
              AllOf(HasSubstr("adaptor 'expression'"), HasSubstr("formula of x")));
}

TEST(BesideFile, IsTheWholePathOfAFileThatIsThere) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / std::to_string(::getpid());
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "cells.wkt") << "POINT(0 0)\n";
  EXPECT_EQ(BesideFile(folder, "cells.wkt"), (folder / "cells.wkt").string());
  EXPECT_EQ(BesideFile(folder, "cells.csv"), "cells.csv");
  EXPECT_EQ(BesideFile(folder, "cells.wkt\n"), "cells.wkt\n");
  EXPECT_EQ(BesideFile(folder, ""), "");
  // An adaptor's argument that names a file is looked for there, too.
  EXPECT_THAT(Errors(ArgumentXml("elements", "a"), ArgumentXml("elements", "a"),
                     AdaptorXml("weights-from-file", ArgumentXml("file", "none.nc"))),
              HasSubstr("none.nc"));
  std::filesystem::remove_all(folder);
}

TEST(Linker, StampsAgainstSpans) {
  EXPECT_THAT(Errors(ArgumentXml("gives", "instant"), ArgumentXml("asks", "span")),
              AllOf(HasSubstr("expected values over spans, found values at stamps"), HasSubstr("'mean-over-span'")));
  EXPECT_THAT(Errors(ArgumentXml("gives", "span"), ArgumentXml("asks", "instant")),
              AllOf(HasSubstr("expected values at stamps, found values over spans"), HasSubstr("'previous'")));
  EXPECT_THAT(Errors(ArgumentXml("gives", "instant"), ArgumentXml("asks", "span"), AdaptorXml("mean-over-span")),
              IsEmpty());
  EXPECT_THAT(Errors(ArgumentXml("gives", "span"), ArgumentXml("asks", "instant"), AdaptorXml("previous")), IsEmpty());
  EXPECT_THAT(Errors(ArgumentXml("gives", "instant"), ArgumentXml("asks", "instant"), AdaptorXml("mean-over-span")),
              HasSubstr("expected values at stamps, found values over spans"));
  EXPECT_THAT(Errors(ArgumentXml("gives", "instant") + ArgumentXml("unit", "mm"),
                     ArgumentXml("asks", "span") + ArgumentXml("unit", "mm s-1"), AdaptorXml("divide-by-span")),
              HasSubstr("expected values over spans, found values at stamps"));
}

TEST(Linker, AmountsAreSummedAndRatesAveraged) {
  const auto warnings = [](const std::string& adaptors) {
    return Made(ComponentXml("a", "Source", ArgumentXml("unit", "mm") + ArgumentXml("time-step", "PT6H")) +
                ComponentXml("s", "Sink", ArgumentXml("unit", "mm h-1")) + LinkXml("a.out", "s.in", adaptors) +
                RunXml())
        .Text(Problem::Warning);
  };
  EXPECT_THAT(warnings(AdaptorXml("mean-over-span") + AdaptorXml("divide-by-span")),
              AllOf(HasSubstr("made.xml:4"), HasSubstr("more or less arrives than left"),
                    HasSubstr("put 'divide-by-span' first, or 'sum-over-span' in the place of 'mean-over-span'")));
  EXPECT_THAT(warnings(AdaptorXml("divide-by-span") + AdaptorXml("sum-over-span")),
              HasSubstr("'sum-over-span' adds up what 'divide-by-span' before it made a rate"));
  EXPECT_THAT(warnings(AdaptorXml("divide-by-span") + AdaptorXml("mean-over-span")), Not(HasSubstr("divide-by-span")));
  EXPECT_THAT(warnings(AdaptorXml("sum-over-span") + AdaptorXml("divide-by-span")), Not(HasSubstr("divide-by-span")));
}

TEST(Linker, Elements) {
  EXPECT_THAT(Errors(ArgumentXml("elements", "a b c"), ArgumentXml("elements", "a b")),
              AllOf(HasSubstr("expected 2 elements, found 3"), HasSubstr("'by-id'")));
  EXPECT_THAT(Errors(ArgumentXml("elements", "a b c"), ""),
              AllOf(HasSubstr("expected 1 element, found 3"), HasSubstr("give the input an element set")));
  EXPECT_THAT(Errors(ArgumentXml("elements", "a b"), ArgumentXml("elements", "b a")),
              AllOf(HasSubstr("expected the elements in one order"), HasSubstr("put the adaptor 'by-id' on the link")));
  EXPECT_THAT(Errors(ArgumentXml("elements", "a b"), ArgumentXml("elements", "b a"), AdaptorXml("by-id")), IsEmpty());
  Made other(R"(<Component Id="a" Type="test.Source" Assembly="here"><Argument Key="elements" Value="a b"/></Component>
<Component Id="s" Type="test.Sink" Assembly="here"><Argument Key="elements" Value="x y"/></Component>
<Link From="a.out" To="s.in"/>
<Run From="2015-12-01T00:00Z" To="2015-12-02T00:00Z"/>
)");
  EXPECT_THAT(other.Text(), IsEmpty());
  EXPECT_THAT(other.Text(Problem::Warning), HasSubstr("element 1 is 'a' on one side and 'x' on the other"));
  EXPECT_THAT(Errors(ArgumentXml("elements", "a b"), ArgumentXml("elements", "a d"), AdaptorXml("by-id")),
              AllOf(HasSubstr("adaptor 'by-id'"), HasSubstr("found no source 'd'"), HasSubstr("a, b")));
}

TEST(Linker, AnAdaptorThatDoesNotFitSaysWhy) {
  EXPECT_THAT(Errors("", "", AdaptorXml("nearest")),
              AllOf(HasSubstr("adaptor 'nearest' does not fit 'out'"), HasSubstr("without")));
  EXPECT_THAT(Errors("", "", AdaptorXml("times-element-area")), HasSubstr("one without elements"));
}

TEST(Linker, AreasAndSourcesThatAreNotThereAreFoundByTheCheck) {
  EXPECT_THAT(Errors(ArgumentXml("unit", "mm h-1") + ArgumentXml("elements", "a b"), ArgumentXml("elements", "a b"),
                     AdaptorXml("times-element-area")),
              AllOf(HasSubstr("made.xml:4"), HasSubstr("area")));
  EXPECT_THAT(Errors(ArgumentXml("elements", "polygons a 0 0 1 1"), ArgumentXml("elements", "polygons t 5 5 6 6"),
                     AdaptorXml("area-weighted-mean")),
              AllOf(HasSubstr("found none for 1: t"), HasSubstr("set the argument uncovered to missing")));
  EXPECT_THAT(Errors(ArgumentXml("elements", "polygons a 0 0 1 1"), ArgumentXml("elements", "polygons t 5 5 6 6"),
                     AdaptorXml("area-weighted-mean", ArgumentXml("uncovered", "missing"))),
              IsEmpty());
}

TEST(Linker, WhatKeepsValuesOfTheInputStandsLast) {
  const auto text = [](const std::string& unit, const std::string& more) {
    return Made(ComponentXml("a", "Source",
                             ArgumentXml("unit", "mm h-1") + ArgumentXml("elements", "polygons a 0 0 10 10")) +
                ComponentXml(
                    "s", "Sink",
                    ArgumentXml("unit", unit) + ArgumentXml("elements", "polygons a 0 0 10 10 ; b 10 0 20 10")) +
                LinkXml("a.out", "s.in", AdaptorXml("area-weighted-mean", ArgumentXml("uncovered", "keep")) + more) +
                RunXml())
        .Text();
  };
  EXPECT_EQ(text("mm h-1", ""), "");
  EXPECT_THAT(text("mm h-1", AdaptorXml("linear-operation")),
              HasSubstr("expected this adaptor last on its link for uncovered = keep, found 'linear-operation'"));
  EXPECT_THAT(text("m s-1", ""), HasSubstr("for uncovered = keep, found 'unit-conversion' after it"));
}

TEST(Linker, ATimeAdaptorOnAnother) {
  for (const char* lower : {"previous", "next", "nearest-in-time", "mean-over-span", "sum-over-span"}) {
    for (const char* upper : {"linear", "previous", "mean-over-span"}) {
      EXPECT_THAT(Errors("", "", AdaptorXml(lower) + AdaptorXml(upper)),
                  AllOf(HasSubstr("expected an output whose rows can be read"), HasSubstr("remove one of the two")))
          << lower << ' ' << upper;
      EXPECT_THAT(Errors("", "", AdaptorXml(lower) + AdaptorXml("linear-operation") + AdaptorXml(upper)),
                  HasSubstr("expected an output whose rows can be read"))
          << lower << ' ' << upper;
    }
  }
  for (const char* upper : {"linear", "mean-over-span"}) {
    EXPECT_THAT(Errors("", "", AdaptorXml("linear") + AdaptorXml(upper)), IsEmpty()) << upper;
    EXPECT_THAT(Errors("", "", AdaptorXml("linear") + AdaptorXml("linear-operation") + AdaptorXml(upper)), IsEmpty())
        << upper;
  }
}

TEST(Linker, TenFaultsInOneCall) {
  const std::string text =
      R"(<Component Id="a" Type="test.Source" Assembly="here"><Argument Key="unitt" Value="m"/></Component>
<Component Id="b" Type="test.Source" Assembly="here"><Argument Key="unit" Value="m s-1"/></Component>
<Component Id="c" Type="test.Soruce" Assembly="here"/>
<Component Id="d" Type="test.Source" Assembly="here"><Argument Key="time-step" Value="an hour"/></Component>
<Component Id="i" Type="test.Source" Assembly="here"><Argument Key="gives" Value="instant"/></Component>
<Component Id="e" Type="test.Source" Assembly="here"><Argument Key="elements" Value="x y"/></Component>
<Component Id="s1" Type="test.Sink" Assembly="here"/>
<Component Id="s2" Type="test.Sink" Assembly="here"/>
<Component Id="s3" Type="test.Sink" Assembly="here"/>
<Component Id="s4" Type="test.Sink" Assembly="here"/>
<Component Id="s5" Type="test.Sink" Assembly="here"/>
<Component Id="lone" Type="test.Sink" Assembly="here"/>
<Link From="b.out" To="s1.in"/>
<Link From="b.oot" To="s2.in"/>
<Link From="i.out" To="s3.in"/>
<Link From="e.out" To="s4.in"/>
<Link From="i.out" To="s5.in"><Adaptor Id="meen-over-span"/></Link>
<Observe Item="s1.nothing"/>
<Run From="2015-12-01T00:00Z" To="2015-12-02T00:00Z" Trigger="s9"/>
)";  // 20: unknown trigger
  Made made(text);
  const std::string found = made.Text();
  for (const char* expected :
       {"made.xml:2: a.unitt", "made.xml:4: c", "made.xml:5: d", "made.xml:13: lone.in: expected a provider",
        "made.xml:14: link b.out", "made.xml:15: b: expected an output of 'b', found 'oot'", "made.xml:16: link i.out",
        "made.xml:17: link e.out", "made.xml:18: link i.out", "made.xml:19: s1: expected an output of 's1'",
        "made.xml:20: "}) {
    EXPECT_THAT(found, HasSubstr(expected));
  }
  EXPECT_EQ(Lines(found), 11U) << found;
}

TEST(Linker, HorizonsThatDoNotMeet) {
  Made apart(
      ComponentXml("a", "Source",
                   ArgumentXml("start-time", "2014-01-01T00:00Z") + ArgumentXml("end-time", "2014-02-01T00:00Z")) +
      ComponentXml("s", "Sink") + LinkXml("a.out", "s.in") + RunXml());
  EXPECT_THAT(apart.Text(), AllOf(HasSubstr("a.out: expected values in the time of the run"), HasSubstr("2014-02-01")));
  Made part(
      ComponentXml("a", "Source",
                   ArgumentXml("start-time", "2015-12-01T03:00Z") + ArgumentXml("end-time", "2015-12-01T23:00Z")) +
      ComponentXml("s", "Sink") + LinkXml("a.out", "s.in") + RunXml());
  EXPECT_THAT(part.Text(), IsEmpty());
  EXPECT_THAT(part.Text(Problem::Warning),
              AllOf(HasSubstr("starts 2015-12-01T03:00:00Z, PT3H after the start of the run"),
                    HasSubstr("ends 2015-12-01T23:00:00Z, PT1H before the end of the run")));
}

/// Data that end after twelve hours in a component that runs on.
class Data final : public SteppingComponent {
 public:
  Data() : SteppingComponent("data") { out_ = AddOutput("out", "m3 s-1", {.gives = OutputTime::Span}); }

 private:
  void Setup() override { SetOutputHorizon(Stamp{kDayOne}, Stamp{kDayOne + 0.5}); }
  void Step(Stamp, Stamp to) override { out_.Set(to.mjd > kDayOne + 0.51 ? std::nan("") : 1.0); }
  ScalarOutput out_;
};
OPENMI_EXPORT_COMPONENT_AS("test.Data", Data)

TEST(Linker, MissingAndStoppingAreToldApart) {
  Made ends(
      R"(<Component Id="a" Type="test.Source" Assembly="here"><Argument Key="end-time" Value="2015-12-01T12:00Z"/></Component>
<Component Id="s" Type="test.Sink" Assembly="here"/>
<Link From="a.out" To="s.in"/>
<Run From="2015-12-01T00:00Z" To="2015-12-02T00:00Z"/>
)");
  EXPECT_THAT(ends.Text(Problem::Warning),
              AllOf(HasSubstr("PT12H before the end of the run: a question for values after it stops the run"),
                    HasSubstr("put a time adaptor with an extrapolation on the link")));
  Made data(R"(<Component Id="a" Type="test.Data" Assembly="here"/>
<Component Id="s" Type="test.Sink" Assembly="here"/>
<Link From="a.out" To="s.in"/>
<Run From="2015-12-01T00:00Z" To="2015-12-02T00:00Z"/>
)");
  EXPECT_THAT(data.Text(Problem::Warning),
              HasSubstr("PT12H before the end of the run: values after it will be missing"));
  const RunRecord record = data.Run();
  EXPECT_THAT(ErrorsOf(record), IsEmpty());
  ASSERT_EQ(record.links.size(), 1U);
  EXPECT_EQ(record.links[0].second.missing, 24U);  // twelve hours, on either side
}

TEST(Linker, WhatStandsBehindAComponentThatIsNotThereIsNotBlamed) {
  Made made(R"(<Component Id="a" Type="test.Source" Assembly="here"/>
<Component Id="t" Type="test.Tonk" Assembly="here"/>
<Component Id="s" Type="test.Sink" Assembly="here"/>
<Link From="a.out" To="t.inflow"/>
<Link From="t.outflow" To="s.in"/>
<Run From="2015-12-01T00:00Z" To="2015-12-02T00:00Z" Trigger="s"/>
)");
  EXPECT_EQ(Lines(made.Text()), 1U) << made.Text();
  EXPECT_THAT(made.Text(), HasSubstr("Tonk"));
  EXPECT_THAT(made.Text(Problem::Warning), IsEmpty());
  Made unlinked(R"(<Component Id="a" Type="test.Source" Assembly="here"/>
<Component Id="s" Type="test.Sink" Assembly="here"/>
<Link From="a.oot" To="s.in"/>
<Run From="2015-12-01T00:00Z" To="2015-12-02T00:00Z" Trigger="s"/>
)");
  EXPECT_EQ(Lines(unlinked.Text()), 1U) << unlinked.Text();
  EXPECT_THAT(unlinked.Text(Problem::Warning), IsEmpty());
}

TEST(Linker, WhatNobodyAsksForIsSaid) {
  Made made(R"(<Component Id="a" Type="test.Source" Assembly="here"/>
<Component Id="s" Type="test.Sink" Assembly="here"/>
<Component Id="b" Type="test.Source" Assembly="here"/>
<Link From="a.out" To="s.in"/>
<Run From="2015-12-01T00:00Z" To="2015-12-02T00:00Z" Trigger="s"/>
)");
  EXPECT_THAT(made.Text(), IsEmpty());
  EXPECT_THAT(made.Text(Problem::Warning), HasSubstr("b: expected a provider of a trigger"));
}

TEST(Linker, StepsThatDifferWithNothingInBetweenAreTold) {
  const auto joined = [](const std::string& link, const std::string& provider, const std::string& consumer) {
    return ComponentXml("a", "Source", ArgumentXml("time-step", provider)) +
           ComponentXml("s", "Sink", ArgumentXml("time-step", consumer)) + link + RunXml();
  };
  Made coarse(joined(LinkXml("a.out", "s.in"), "PT1H", "PT2H"));
  EXPECT_THAT(coarse.Text(), IsEmpty());
  EXPECT_THAT(coarse.Text(Problem::Warning),
              AllOf(HasSubstr("made.xml:4: link a.out -> s.in: expected spans of one length on both sides, found that "
                              "a makes steps of PT1H and s asks for spans of PT2H"),
                    HasSubstr("put 'mean-over-span' on the link")));
  // The run says the same, and where.
  EXPECT_THAT(ErrorsOf(coarse.Run()), AllOf(HasSubstr("made.xml:4: link a.out -> s.in: expected one of the times"),
                                            HasSubstr("put the adaptor 'mean-over-span'")));
  Made fine(joined(LinkXml("a.out", "s.in"), "PT3H", "PT1H"));
  EXPECT_THAT(fine.Text(Problem::Warning), HasSubstr("found that a makes steps of PT3H and s asks for spans of PT1H"));
  Made equal(joined(LinkXml("a.out", "s.in"), "PT1H", "PT1H"));
  EXPECT_THAT(equal.Text(Problem::Warning), IsEmpty());
  Made adapted(joined(LinkXml("a.out", "s.in", "<Adaptor Id=\"mean-over-span\"/>"), "PT1H", "PT2H"));
  EXPECT_THAT(adapted.Text(Problem::Warning), IsEmpty());
  EXPECT_THAT(ErrorsOf(adapted.Run()), IsEmpty());
}

TEST(Linker, InstantsThatAreNotThereAreTold) {
  const auto joined = [](const std::string& provider, const std::string& consumer) {
    return ComponentXml("r", "Relay", ArgumentXml("time-step", provider)) +
           ComponentXml("q", "Relay", ArgumentXml("time-step", consumer)) + LinkXml("r.out", "q.in") + RunXml();
  };
  Made fine(joined("PT2H", "PT1H"));
  EXPECT_THAT(fine.Text(Problem::Warning),
              HasSubstr("link r.out -> q.in: expected values at the times asked for, found that r makes steps of PT2H "
                        "and q asks every PT1H"));
  Made coarse(joined("PT1H", "PT2H"));  // every second row is asked for
  EXPECT_THAT(coarse.Text(Problem::Warning), Not(HasSubstr("link r.out")));
  EXPECT_THAT(ErrorsOf(coarse.Run()), IsEmpty());
}

TEST(Linker, OneCauseIsToldOnce) {
  Made zone(R"(<Component Id="a" Type="test.Source" Assembly="here"/>
<Component Id="s" Type="test.Sink" Assembly="here"/>
<Link From="a.out" To="s.in"/>
<Run From="2015-12-01T00:00Z" To="2015-12-02T00:00"/>)");
  EXPECT_EQ(Lines(zone.Text()), 1U) << zone.Text();
  Made twice(R"(<Component Id="a" Type="test.Source" Assembly="here"/>
<Component Id="s" Type="test.Sink" Assembly="here"/>
<Link From="a.out" To="b.in"/>
<Link From="a.out" To="s.in"/>
<Run From="2015-12-01T00:00Z" To="2015-12-02T00:00Z"/>
)");
  EXPECT_EQ(Lines(twice.Text()), 1U) << twice.Text();
}

TEST(Linker, OneValueOfManyGoesThroughAnAdaptor) {
  const auto joined = [](const std::string& adaptors) {
    return ComponentXml("a", "Source", ArgumentXml("elements", "x y z")) + ComponentXml("s", "Sink") +
           LinkXml("a.out", "s.in", adaptors) + RunXml();
  };
  EXPECT_THAT(Made(joined("")).Text(), HasSubstr("put the adaptor 'one-value' on the link"));
  EXPECT_THAT(Made(joined("<Adaptor Id=\"one-value\"/>")).Text(), HasSubstr("argument 'of'"));
  const auto with = [&](const std::string& arguments) {
    return joined("<Adaptor Id=\"one-value\">" + arguments + "</Adaptor>");
  };
  EXPECT_THAT(Made(with(ArgumentXml("of", "element") + ArgumentXml("element", "w"))).Text(),
              AllOf(HasSubstr("expected an element of the output"), HasSubstr("'w'")));
  Made sum(with(ArgumentXml("of", "sum")));
  EXPECT_THAT(sum.Text(), IsEmpty());
  EXPECT_THAT(ErrorsOf(sum.Run()), IsEmpty());
}

TEST(Linker, WhatGoesThroughOneValueIsBalancedWhereItIsASum) {
  for (const char* way : {"sum", "element"}) {
    Made made(
        ComponentXml("a", "Source", ArgumentXml("elements", "x y z")) + ComponentXml("s", "Sink") +
        LinkXml("a.out", "s.in",
                "<Adaptor Id=\"one-value\">" + ArgumentXml("of", way) + ArgumentXml("element", "y") + "</Adaptor>") +
        RunXml());
    const RunRecord record = made.Run();
    ASSERT_EQ(record.links.size(), 1U) << way;
    EXPECT_GT(record.links[0].second.left, 0.0) << way;
    EXPECT_NEAR(record.links[0].second.relative_difference, 0.0, 1e-12) << way;
  }
  for (const char* way : {"mean", "maximum"}) {  // neither is an amount of what left
    Made other(ComponentXml("a", "Source", ArgumentXml("elements", "x y z")) + ComponentXml("s", "Sink") +
               LinkXml("a.out", "s.in", "<Adaptor Id=\"one-value\">" + ArgumentXml("of", way) + "</Adaptor>") +
               RunXml());
    const RunRecord record = other.Run();
    EXPECT_THAT(record.links, IsEmpty()) << way;
    EXPECT_EQ(record.not_balanced.size(), 1U) << way << ": listed with the reason";
  }
}

}  // namespace
}  // namespace openmi::testing
