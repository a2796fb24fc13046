// What real libraries do wrong, one by one, and arguments that are wrong.

#include <csignal>

#include "openmi/omi/SafeProbe.hpp"
#include "openmi/standard/IQuantity.hpp"
#include "tests/bmi-bridge/BmiFixture.hpp"
#include "tests/support/Sanitized.hpp"
#include "timespace/testing/TableComponent.hpp"

namespace openmi::bmi {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const Stamp kBegin{58849.0};

std::string UnitOf(NumericOutput& output) {
  return dynamic_cast<const IQuantity&>(output.ValueDefinition()).Unit().Caption();
}

TEST(OddModel, RunsWithoutMathematicsNamed) {
  OddBench bench("");  // it calls fmin, and does not name libm
  bench.driver.Set("end-time", "2020-01-01T00:05Z");
  bench.driver.Run();
  EXPECT_EQ(bench.driver.Updates(), 5);
}

TEST(OddModel, LacksFunctionsThatOneCanDoWithout) {
  for (const char* function : {"update", "update_until", "get_value_ptr", "get_var_units", "get_time_units",
                               "get_var_grid", "get_component_name", "get_end_time", "get_var_location", "set_value"}) {
    OddBench bench(std::string("null ") + function);
    ASSERT_EQ(bench.Problem(), "") << function;
    EXPECT_TRUE(bench.driver.Validate()) << function;
    bench.driver.Prepare();
    bench.driver.Update();
    EXPECT_EQ(bench.Row(), std::vector<double>{60.0}) << function;
    EXPECT_NO_THROW(bench.driver.Finish()) << function;
  }
}

TEST(OddModel, SaysWhichFunctionIsMissing) {
  OddBench time("null get_current_time");
  EXPECT_THAT(time.Problem(), AllOf(HasSubstr("get_current_time"), HasSubstr("null pointer")));
  OddBench end("null finalize");
  end.driver.Initialize();
  EXPECT_THROW(end.driver.Finish(), ModelError);
}

TEST(OddModel, SaysWhichFunctionFails) {
  for (const char* function : {"initialize", "get_current_time", "get_output_var_names"}) {
    OddBench bench(std::string("fail ") + function);
    EXPECT_THAT(bench.Problem(), AllOf(HasSubstr(function), HasSubstr("status 1"))) << function;
    EXPECT_EQ(bench.component.Status(), LinkableComponentStatus::Failed);
    EXPECT_NO_THROW(bench.driver.Finish()) << function;
  }
  OddBench bench("fail update");
  bench.driver.Initialize();
  bench.driver.Prepare();
  EXPECT_THROW(bench.driver.Update(), ModelError);
  EXPECT_EQ(bench.component.Status(), LinkableComponentStatus::Failed);
  bench.driver.Finish();
}

TEST(OddModel, HasNoConfiguration) {
  Bench bench(TestLibrary("odd_model"), {{"config-file", "absent.cfg"}});
  try {
    bench.driver.Initialize();
    FAIL() << "expected a refusal before the model crashes";
  } catch (const FileError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("absent.cfg"), HasSubstr("config-file")));
  }
}

const bool children_crash = test::LetChildrenCrash();

TEST(OddModel, CrashesInAProcessOfItsOwn) {
  const ScratchFolder folder("bmi");
  folder.Write("odd.cfg", "crash update_until");
  const std::string file = folder.Write("crash.xml",
                                        R"(<Composition xmlns="urn:openmi2:composition:1" Id="crash">
  <Component Id="odd" Type="openmi.bmi.Model" Assembly="openmi-bmi-bridge" Isolation="process">
    <Argument Key="library" Value=")" + TestLibrary("odd_model") +
                                            R"("/><Argument Key="config-file" Value="odd.cfg"/>
    <Argument Key="update-until" Value="always"/></Component>
  <Observe Item="odd.x0"/><Run From="2020-01-01T00:00Z" To="2020-01-01T01:00Z"/></Composition>)");
  ChildLimits limits;
  limits.time = std::chrono::minutes(1);
  const ChildResult run = RunInChild(
      {std::string(OPENMI_BINARY_DIR) + "/bin/openmi", "run", file, "--results", folder.Path().string(), "--quiet"},
      limits);
  EXPECT_EQ(run.signal, 0) << "the run outlives its component";
  EXPECT_NE(run.exit_code, 0);
  EXPECT_THAT(run.err, HasSubstr("killed by signal 11"));
  EXPECT_THAT(folder.Read("crash.csv"), HasSubstr("2020-01-01T00:00:00Z,0")) << "what was there stays";
}

TEST(OddModel, TellsUnitsThatNobodyCanRead) {
  OddBench bench("units furlongs-ish per thing");
  ASSERT_EQ(bench.Problem(), "");
  EXPECT_THAT(bench.Messages(), AllOf(HasSubstr("furlongs-ish per thing"), HasSubstr("argument 'units'")));
  OddBench none("units none");
  ASSERT_EQ(none.Problem(), "");
  EXPECT_EQ(none.Messages(), "");
  OddBench empty("units empty");
  ASSERT_EQ(empty.Problem(), "");
  EXPECT_EQ(empty.Messages(), "");
  OddBench given("units furlongs-ish", {{"units", "x0 = mm h-1"}});
  ASSERT_EQ(given.Problem(), "");
  EXPECT_EQ(UnitOf(given.Output()), "mm h-1");
  OddBench unknown("", {{"units", "y = m"}});
  EXPECT_THAT(unknown.Problem(), HasSubstr("found 'y'"));
  OddBench malformed("", {{"units", "x0"}});
  EXPECT_THAT(malformed.Problem(), HasSubstr("expected name=value, found 'x0'"));
}

TEST(OddModel, TellsTimesInItsUnits) {
  const struct {
    const char* units;
    double seconds;  // of a step of 60
    bool warns;
  } cases[] = {{"s", 60, false},    {"h", 216000, false}, {"d", 5184000, false}, {"min", 3600, false},
               {"empty", 60, true}, {"none", 60, true},   {"K", 60, true},       {"ticks", 60, true}};
  for (const auto& [units, seconds, warns] : cases) {
    OddBench bench(std::string("time_units ") + units);
    ASSERT_EQ(bench.Problem(), "") << units;
    EXPECT_EQ(bench.Messages().find("argument 'time-unit'") != std::string::npos, warns) << units;
    bench.driver.Prepare();
    bench.driver.Update();
    EXPECT_NEAR(ToSeconds(bench.driver.Now() - kBegin), seconds, 1e-5) << units;
  }
  OddBench given("time_units ticks", {{"time-unit", "min"}});
  ASSERT_EQ(given.Problem(), "");
  EXPECT_EQ(given.Messages(), "");
  given.driver.Prepare();
  given.driver.Update();
  EXPECT_NEAR(ToSeconds(given.driver.Now() - kBegin), 3600, 1e-5);
  OddBench wrong("", {{"time-unit", "kg"}});
  EXPECT_THAT(wrong.Problem(), HasSubstr("expected a unit of time, found 'kg'"));
}

TEST(OddModel, BeginsAtAnEpoch) {
  const auto begins = [](const std::string& lines, Bench::Arguments arguments) {
    OddBench bench("step 3600\nend 86400\n" + lines, arguments);
    bench.driver.Set("start-time", "2020-01-01T06:00Z");
    bench.driver.Initialize();
    bench.driver.Prepare();
    return bench.Row()[0];
  };
  EXPECT_EQ(begins("", {}), 0.0) << "without an epoch it begins with the run";
  EXPECT_EQ(begins("", {{"epoch", "2020-01-01T00:00Z"}}), 6.0 * 3600.0);
  EXPECT_EQ(begins("time_units s since 2020-01-01T03:00:00Z", {}), 3.0 * 3600.0);
  EXPECT_THROW(begins("", {{"epoch", "2020-01-01T12:00Z"}}), ArgumentError) << "it cannot go back";
  EXPECT_THROW(begins("", {{"epoch", "2020-01-01T00:30Z"}, {"update-until", "never"}}), ArgumentError);
  EXPECT_THROW(begins("", {{"epoch", "yesterday"}}), ArgumentError);
  OddBench bench("step 3600\nend 86400", {{"epoch", "2020-01-01T00:00Z"}});
  bench.driver.Initialize();
  EXPECT_EQ(bench.Output().TimeSet()->TimeHorizon().DurationInDays(), 1.0);
  OddBench endless("step 3600", {{"epoch", "2020-01-01T00:00Z"}});
  endless.driver.Initialize();
  EXPECT_GT(endless.Output().TimeSet()->TimeHorizon().DurationInDays(), 1e6) << "the largest float is no end";
}

TEST(OddModel, OvershootsAndItsRowsStandWhereItIs) {
  OddBench bench("overshoot 45", {{"time-step", "100 s"}});
  bench.driver.Initialize();
  bench.driver.Prepare();
  bench.driver.Update();  // to 100, and it went to 145
  EXPECT_EQ(bench.Row()[0], 145.0);
  EXPECT_NEAR(ToSeconds(bench.Output().LatestEnd() - kBegin), 145.0, 1e-5);
  bench.driver.Update();  // from 145, by update and update_until
  EXPECT_NEAR(ToSeconds(bench.driver.Now() - kBegin), 200.0, 1e-5);
  EXPECT_NEAR(ToSeconds(bench.Output().LatestEnd() - kBegin), bench.Row()[0], 1e-5);
  OddBench far("overshoot 250", {{"time-step", "100 s"}});
  far.driver.Initialize();
  far.driver.Prepare();
  for (int i = 0; i < 3; ++i) far.driver.Update();
  EXPECT_EQ(far.Row()[0], 350.0) << "nothing to compute where it is already";
  EXPECT_NEAR(ToSeconds(far.driver.Now() - kBegin), 300.0, 1e-5);
}

TEST(OddModel, MakesStepsOfItsOwnOrThoseThatAreGiven) {
  OddBench own("step 7");
  own.driver.Set("end-time", "2020-01-01T00:00:30Z");
  own.driver.Run();
  EXPECT_EQ(own.driver.Updates(), 5) << "the last is cut";
  OddBench whole("step 7", {{"update-until", "never"}});
  whole.driver.Set("end-time", "2020-01-01T00:00:30Z");
  whole.driver.Run();
  EXPECT_NEAR(ToSeconds(whole.driver.Now() - kBegin), 35.0, 1e-5) << "or goes beyond the end";
  OddBench many("step 0.000001", {{"time-step", "0.00002 s"}});
  many.driver.Initialize();
  many.driver.Prepare();
  many.driver.Update();
  EXPECT_NEAR(many.Row()[0], 2e-5, 2e-6);
  OddBench fine("step 0.000001");
  EXPECT_THAT(fine.Problem(), AllOf(HasSubstr("get_time_step"), HasSubstr("time-step")));
  OddBench none("fail get_time_step");
  EXPECT_THAT(none.Problem(), HasSubstr("argument 'time-step'"));
}

TEST(OddModel, StandsStill) {
  OddBench bench("stand 1");
  bench.driver.Initialize();
  bench.driver.Prepare();
  try {
    bench.driver.Update();
    FAIL() << "expected an end";
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), HasSubstr("expected the model's time to advance"));
  }
}

TEST(OddModel, HasAThousandVariables) {
  OddBench all("variables 1072");
  ASSERT_EQ(all.Problem(), "");
  EXPECT_EQ(all.component.Outputs().size(), 0u);
  EXPECT_THAT(all.Messages(), AllOf(HasSubstr("1072 variables"), HasSubstr("argument 'outputs'")));
  OddBench some("variables 1072", {{"outputs", "x7; x1071"}, {"inputs", "none"}});
  ASSERT_EQ(some.Problem(), "");
  ASSERT_EQ(some.component.Outputs().size(), 2u);
  EXPECT_EQ(some.component.Inputs().size(), 0u);
  some.driver.Prepare();
  some.driver.Update();
  EXPECT_EQ(some.Row(1), std::vector<double>{60.0 + 1071.0});
  OddBench every("variables 1072", {{"outputs", "*"}});
  ASSERT_EQ(every.Problem(), "");
  EXPECT_EQ(every.component.Outputs().size(), 1072u);
  OddBench wrong("variables 20", {{"outputs", "x33"}});
  EXPECT_THAT(wrong.Problem(), AllOf(HasSubstr("outputs"), HasSubstr("found 'x33'")));
  OddBench hostile("variables 2000000000");
  EXPECT_THAT(hostile.Problem(), HasSubstr("found 2000000000"));
  OddBench negative("variables -3");
  EXPECT_THAT(negative.Problem(), HasSubstr("found -3"));
}

TEST(OddModel, HasOtherTypes) {
  for (const char* lines : {"type float\nitemsize 4", "type integer\nitemsize 4", "type real*8\nitemsize 8",
                            "type DOUBLE (5)\nitemsize 8", "type float64\nitemsize 8"}) {
    OddBench bench(std::string(lines) + "\ngrid points node");
    ASSERT_EQ(bench.Problem(), "") << lines;
    bench.driver.Prepare();
    bench.driver.Update();
    EXPECT_EQ(bench.Row(), (std::vector<double>{60, 61, 62, 63, 64, 65})) << lines;
  }
  OddBench text("type character\nitemsize 1\nvariables 2");
  ASSERT_EQ(text.Problem(), "");
  EXPECT_EQ(text.component.Outputs().size(), 0u);
  EXPECT_THAT(text.Messages(), HasSubstr("no number that is known"));
}

TEST(OddModel, ValuesAreConvertedBothWays) {
  double back = 0.0;
  std::int32_t whole = 0;
  const double value[] = {-7.4};
  GiveValues(NumberType::Int32, value, &whole);
  EXPECT_EQ(whole, -7);
  ReadNumbers(NumberType::Int32, &whole, {&back, 1});
  EXPECT_EQ(back, -7.0);
  std::uint8_t small = 0;
  EXPECT_THROW(GiveValues(NumberType::UInt8, value, &small), RangeError);
  const double missing[] = {std::nan("")};
  EXPECT_THROW(GiveValues(NumberType::Int64, missing, &back), RangeError);
  const double large[] = {9223372036854775808.0};
  EXPECT_THROW(GiveValues(NumberType::Int64, large, &back), RangeError);
  EXPECT_EQ(NumberTypeNamed("real(kind=8)", 8), NumberType::Float64);
  EXPECT_EQ(NumberTypeNamed("long", 0), NumberType::Int64);
  EXPECT_EQ(NumberTypeNamed("unsigned int", 4), NumberType::UInt32);
  EXPECT_EQ(NumberTypeNamed("long double", 16), std::nullopt);
  EXPECT_EQ(NumberTypeNamed("", 8), NumberType::Float64);
}

TEST(OddModel, TakesAndGivesAmountsPerStepAsRates) {
  OddBench bench("units m", {{"per-step", "u; x0"}});
  bench.driver.Initialize();
  EXPECT_EQ(UnitOf(bench.Output()), "(m) s-1");
  EXPECT_EQ(bench.Output().Gives(), OutputTime::Span);
  EXPECT_EQ(bench.Input().Asks(), InputTime::Span);
  TableComponent rain({{kBegin, {0.5}, Seconds(60)}, {kBegin + Seconds(60), {0.25}, Seconds(60)}}, "m s-1");
  Driver of_rain(rain);
  of_rain.Initialize();
  rain.Output().AddConsumer(bench.Input());
  of_rain.Prepare();
  bench.driver.Prepare();
  bench.driver.Update();
  EXPECT_EQ(bench.Row()[0], (60.0 + 0.5 * 60.0) / 60.0) << "u was 30 m in the step";
  bench.driver.Update();
  EXPECT_EQ(bench.Row()[0], (120.0 + 0.25 * 60.0) / 60.0);
  rain.Output().RemoveConsumer(bench.Input());
}

// 150 s are two and a half of the model's own steps. x0 is the time plus u.
TEST(OddModel, AddsUpAmountsAndMeansOverTheStepsThatItMakesInOne) {
  const struct {
    Bench::Arguments arguments;
    double expected;
  } cases[] = {
      {{{"per-step", "u; x0"}}, (60.0 + 30.0 + 120.0 + 30.0 + 150.0 + 15.0) / 150.0},
      {{{"per-step", "u"}, {"spans", "x0"}},
       ((60.0 + 30.0) * 60.0 + (120.0 + 30.0) * 60.0 + (150.0 + 15.0) * 30.0) / 150.0},
      {{{"per-step", "u"}}, 150.0 + 15.0},
      {{{"per-step", "u; x0"}, {"update-until", "never"}}, (60.0 + 30.0 + 120.0 + 30.0 + 180.0 + 30.0) / 180.0},
      {{{"per-step", "u; x0"}, {"update-until", "always"}}, (150.0 + 75.0) / 150.0},
  };
  for (auto [arguments, expected] : cases) {
    arguments.emplace("time-step", "PT150S");
    OddBench bench("units m", arguments);
    bench.driver.Initialize();
    TableComponent rain({{kBegin, {0.5}, Seconds(150)}}, "m s-1");
    Driver of_rain(rain);
    of_rain.Initialize();
    rain.Output().AddConsumer(bench.Input());
    of_rain.Prepare();
    bench.driver.Prepare();
    bench.driver.Update();
    EXPECT_DOUBLE_EQ(bench.Row()[0], expected) << ::testing::PrintToString(arguments);
    rain.Output().RemoveConsumer(bench.Input());
  }
}

TEST(OddModel, WorksInAFolderAndLeavesTheProcessWhereItWas) {
  const std::filesystem::path before = std::filesystem::current_path();
  const ScratchFolder work("bmi");
  OddBench bench("chdir /\nwrite trace.txt", {{"working-directory", work.Path()}});
  bench.driver.Initialize();
  EXPECT_EQ(std::filesystem::current_path(), before) << "the model went elsewhere";
  bench.driver.Prepare();
  bench.driver.Update();
  EXPECT_EQ(std::filesystem::current_path(), before);
  EXPECT_EQ(work.Read("trace.txt"), "60\n");
  OddBench absent("", {{"working-directory", "/absent/folder"}});
  EXPECT_THAT(absent.Problem(), AllOf(HasSubstr("/absent/folder"), HasSubstr("working-directory")));
  EXPECT_EQ(std::filesystem::current_path(), before);
}

TEST(OddModel, LibrariesThatOfferNoneAreRefused) {
  const auto problem = [](const std::string& library, const Bench::Arguments& arguments = {}) -> std::string {
    Bench bench(library, arguments);
    try {
      bench.driver.Initialize();
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_THAT(problem(TestLibrary("no_model")), AllOf(HasSubstr("register_bmi"), HasSubstr("none of these")));
  EXPECT_THAT(problem(TestLibrary("null_model")), HasSubstr("null pointer"));
  EXPECT_THAT(problem(TestLibrary("odd_two")),
              AllOf(HasSubstr("register_bmi_odd, register_bmi_other"), HasSubstr("argument 'register'")));
  EXPECT_THAT(problem(TestLibrary("odd_model"), {{"register", "register_bmi_od"}}),
              HasSubstr("did you mean 'register_bmi_odd'?"));
  EXPECT_THAT(problem(TestLibrary("odd_model"), {{"flavour", "c++"}}), HasSubstr("bmi_model_create"));
  EXPECT_THAT(problem("absent-library"), HasSubstr("absent-library"));
  EXPECT_THAT(problem(TestLibrary("odd_model"), {{"needs", "libabsent.so.1"}}),
              AllOf(HasSubstr("libabsent.so.1"), HasSubstr("needs")));
  const ScratchFolder folder("bmi");
  EXPECT_THAT(problem(folder.Write("text.so", "no library")), HasSubstr("text.so"));
  // A name is looked for as that of an assembly.
  const ScratchFolder beside("bmi");
  std::filesystem::copy(TestLibrary("odd_two"), beside / "libodd_two.so");
  OddBench found("", {{"register", "register_bmi_other"}}, "odd_two");
  found.component.SetFileRoot(beside.Path().string());
  found.driver.Set("library", "odd_two");
  EXPECT_EQ(found.Problem(), "");
}

}  // namespace
}  // namespace openmi::bmi
