// FMUs of our own that answer each other without delay: iterated to the solution of the whole, as a composition and as
// an FMU of that composition, which our own importer runs.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <memory>

#include "composition/check/CheckComposition.hpp"
#include "composition/run/CompositionRun.hpp"
#include "fmi-bridge/fmi/component/Fmu.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/fmi-bridge/export/fmu/ExportedFmu.hpp"
#include "timespace/testing/Driver.hpp"

namespace fmutest {
namespace {

using ::testing::DoubleNear;
using ::testing::HasSubstr;
using ::testing::Pointwise;
using Rows = std::map<std::string, std::vector<double>>;

std::string Example(int version, const std::string& name) {
  return (fs::path(OPENMI_BINARY_DIR) / "examples" / "fmus" / std::to_string(version) / (name + ".fmu")).string();
}

/// A component of an FMU. \param arguments  "key=value ..."
std::string Component(const std::string& id, const std::string& fmu, const std::string& arguments) {
  std::string text = "  <Component Id=\"" + id + "\" Type=\"openmi.fmi.Fmu\" Assembly=\"openmi-fmi-bridge\">\n" +
                     "    <Argument Key=\"fmu\" Value=\"" + fmu + "\"/>\n";
  std::istringstream words(arguments);
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    text += "    <Argument Key=\"" + word.substr(0, equals) + "\" Value=\"" + word.substr(equals + 1) + "\"/>\n";
  }
  return text + "  </Component>\n";
}

std::string Whole(const std::string& inside, const std::vector<std::string>& observed) {
  std::string text = "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"coupled\">\n" + inside;
  for (const std::string& item : observed) text += "  <Observe Item=\"" + item + "\"/>\n";
  return text + "  <Run From=\"2020-01-01T00:00Z\" To=\"2020-01-01T00:00:01Z\"/>\n</Composition>\n";
}

/// y1 = u1/2 + 1 + x1, y2 = -3 u2 + 2 + x2, u1 = y2, u2 = y1; x' = -k x. What goes round the loop comes back 1.5 times
/// as large: fixed points diverge.
std::string Loop(int version, const std::string& kind, const std::string& iterate) {
  return Whole(Component("one", Example(version, "Linear"), "a=0.5 b=1 k=1 kind=" + kind) +
                   Component("two", Example(version, "Linear"), "a=-3 b=2 k=2 kind=" + kind) +
                   "  <Link From=\"one.y\" To=\"two.u\"/>\n  <Link From=\"two.y\" To=\"one.u\"/>\n" + iterate,
               {"one.y", "two.y"});
}

std::string Iterate(const std::string& method, const std::string& order = "gauss-seidel") {
  return "  <Iterate Components=\"one two\" Method=\"" + method + "\" Order=\"" + order +
         "\" RelativeTolerance=\"1e-13\" AbsoluteTolerance=\"1e-13\"/>\n";
}

/// Rows of every observed item; of the begin too.
Rows RunFile(openmi::CompositionFile file, openmi::Problems problems) {
  openmi::Composition composition(std::move(file));
  composition.Load(problems);
  composition.Connect(problems);
  openmi::CheckComposition(composition, problems);
  for (const openmi::Problem& problem : problems) {
    EXPECT_NE(problem.severity, openmi::Problem::Error) << openmi::FormatProblem(problem);
  }
  Rows rows;
  if (openmi::HasErrors(problems)) return rows;
  openmi::RunOptions options;
  options.write_results = false;
  const openmi::RunRecord record = openmi::CompositionRun(composition, problems, options).Run();
  EXPECT_TRUE(record.is_complete) << (record.problems.empty() ? "" : FormatProblem(record.problems.back()));
  for (const openmi::RecordedSeries& series : record.series) rows[series.spec->item.Text()] = series.values;
  return rows;
}

Rows RunText(const std::string& text) {
  openmi::Problems problems;
  openmi::CompositionFile file = openmi::ReadCompositionText(text, "coupled.xml", problems);
  return RunFile(std::move(file), std::move(problems));
}

void ExpectTheSameBits(const std::vector<double>& values, const std::vector<double>& expected) {
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(std::memcmp(&values[i], &expected[i], sizeof(double)), 0)
        << i << ": " << values[i] << " and " << expected[i];
  }
}

/// y1 and y2 where both equations hold.
std::pair<double, double> Together(double x1, double x2) {
  const double y1 = (0.5 * (2.0 + x2) + 1.0 + x1) / (1.0 + 1.5);
  return {y1, -3.0 * y1 + 2.0 + x2};
}

TEST(CoupledFmus, IterateToTheMonolithicSolution) {
  for (const int version : {2, 3}) {
    for (const char* order : {"gauss-seidel", "jacobi"}) {
      for (const char* method : {"anderson", "quasi-newton"}) {
        SCOPED_TRACE(std::string(method) + ", " + order + ", FMI " + std::to_string(version));
        Rows rows = RunText(Loop(version, "co-simulation", Iterate(method, order)));
        ASSERT_EQ(rows["one.y"].size(), 11U);
        for (int n = 1; n <= 10; ++n) {  // the FMU's own solver is Euler's with steps of 0.1
          const auto [y1, y2] = Together(std::pow(0.9, n), std::pow(0.8, n));
          EXPECT_NEAR(rows["one.y"][static_cast<std::size_t>(n)], y1, 1e-12) << n;
          EXPECT_NEAR(rows["two.y"][static_cast<std::size_t>(n)], y2, 1e-12) << n;
        }
      }
    }
  }
}

TEST(CoupledFmus, OfModelExchangeDoSoToo) {
  for (const int version : {2, 3}) {
    Rows rows = RunText(Loop(version, "model-exchange", Iterate("anderson")));
    ASSERT_EQ(rows["one.y"].size(), 11U);
    for (int n = 1; n <= 10; ++n) {
      const auto [y1, y2] = Together(std::exp(-0.1 * n), std::exp(-0.2 * n));
      EXPECT_NEAR(rows["one.y"][static_cast<std::size_t>(n)], y1, 1e-5) << "ten times the tolerance of CVODE";
      EXPECT_NEAR(rows["two.y"][static_cast<std::size_t>(n)], y2, 1e-5);
    }
  }
}

TEST(CoupledFmus, WithoutIteratingAreElsewhere) {
  Rows rows = RunText(Loop(2, "co-simulation", ""));
  EXPECT_GT(std::abs(rows["one.y"].back() - Together(std::pow(0.9, 10), std::pow(0.8, 10)).first), 1.0);
}

TEST(CoupledFmus, OfTheExampleGiveTheImplicitSolution) {
  // x' = y, y = -100 x + 1 + s, s' = -s, in steps of 0.1: what the one makes of y held at the end of each step is
  // Euler's implicit method, whose answer is known. Explicitly it would grow tenfold each step.
  openmi::Problems problems;
  openmi::CompositionFile file =
      openmi::ReadCompositionFile(fs::path(OPENMI_SOURCE_DIR) / "examples" / "fmus" / "coupled-fmus.xml", problems);
  Rows rows = RunFile(std::move(file), std::move(problems));
  ASSERT_EQ(rows["integrator.x"].size(), 11U);
  double x = 0.0;
  for (int n = 1; n <= 10; ++n) {
    const double s = std::pow(0.9, n);
    x = (x + 0.1 * (1.0 + s)) / (1.0 + 0.1 * 100.0);
    EXPECT_NEAR(rows["integrator.x"][static_cast<std::size_t>(n)], x, 1e-11) << n;
    EXPECT_NEAR(rows["feedback.y"][static_cast<std::size_t>(n)], -100.0 * x + 1.0 + s, 1e-9) << n;
  }
}

/// The loop as an FMU, unpacked by nobody yet.
class ExportedLoop : public ::testing::TestWithParam<int> {
 protected:
  ExportedLoop() {
    folder_.Write("loop.xml", Loop(2, "co-simulation", Iterate("anderson")));
    openmi::exported::ExportOptions options;
    options.source = folder_.Path() / "loop.xml";
    options.output = folder_.Path() / "loop.fmu";
    options.version = GetParam();
    options.lean = true;
    openmi::Problems problems;
    interface_ = openmi::fmu::ExportFmu(options, problems);
    // Where the composition and its FMUs lay is of no account any more.
    fs::create_directory(folder_.Path() / "else where");
    fs::rename(folder_.Path() / "loop.fmu", folder_.Path() / "else where" / "loop.fmu");
    fs::remove(folder_.Path() / "loop.xml");
  }
  std::string Path() const { return folder_ / "else where/loop.fmu"; }

  /// It gives what the composition of two FMUs gives, bit for bit.
  void Runs() const {
    Rows direct = RunText(Loop(2, "co-simulation", Iterate("anderson")));
    Rows rows = RunText(Whole(Component("loop", Path(), ""), {"loop.one.y", "loop.two.y"}));
    ExpectTheSameBits(rows["loop.one.y"], direct["one.y"]);
    ExpectTheSameBits(rows["loop.two.y"], direct["two.y"]);
  }

  /// It has instances beside each other, with parameters of their own.
  void RunsThreeTimesAtOnce() const {
    // Another factor in one of them; the third is fed by nobody and must not notice.
    Rows rows = RunText(
        Whole(Component("a", Path(), "") + Component("b", Path(), "two.a=-1 one.b=3") + Component("c", Path(), ""),
              {"a.one.y", "b.one.y", "c.one.y"}));
    ASSERT_EQ(rows["b.one.y"].size(), 11U);
    EXPECT_NEAR(rows["b.one.y"].back(), (0.5 * (2.0 + std::pow(0.8, 10)) + 3.0 + std::pow(0.9, 10)) / 1.5, 1e-12);
    ExpectTheSameBits(rows["a.one.y"], rows["c.one.y"]);
    EXPECT_NEAR(rows["a.one.y"].back(), Together(std::pow(0.9, 10), std::pow(0.8, 10)).first, 1e-12);
  }

  /// It keeps its state, in memory and as bytes.
  void GoesBack() const {
    const auto begin = [&](openmi::fmi::Fmu& fmu, openmi::Driver& driver) {
      fmu.SetCaption("loop");
      driver.Set("fmu", Path()).Set("start-time", "2020-01-01T00:00Z").Set("end-time", "2020-01-01T00:00:01Z");
      driver.Initialize();
      ASSERT_TRUE(driver.Validate());
      driver.Prepare();
    };
    const auto last = [](openmi::fmi::Fmu& fmu) {
      return dynamic_cast<openmi::NumericOutput&>(*fmu.Outputs()[0]).LastRow()[0];
    };
    openmi::fmi::Fmu fmu;
    openmi::Driver driver(fmu);
    begin(fmu, driver);
    for (int n = 0; n < 4; ++n) driver.Update();
    const double middle = last(fmu);
    const openmi::IIdentifiable& state = fmu.KeepCurrentState();
    const openmi::Bytes bytes = fmu.ConvertToByteArray(state);
    driver.UpdateToEnd();
    const double end = last(fmu);
    EXPECT_NE(end, middle);
    fmu.RestoreState(state);
    driver.Update();
    EXPECT_NE(last(fmu), end) << "it is back";
    driver.UpdateToEnd();
    EXPECT_EQ(last(fmu), end);
    driver.Finish();

    openmi::fmi::Fmu other;
    openmi::Driver elsewhere(other);
    begin(other, elsewhere);
    other.RestoreState(other.ConvertFromByteArray(bytes));
    elsewhere.UpdateToEnd();
    EXPECT_EQ(last(other), end) << "another instance, another process behind it";
  }

  ScratchFolder folder_{"loop"};
  openmi::exported::ExportInterface interface_;
};

// One export serves all three: each takes the better part of a second.
TEST_P(ExportedLoop, RunsInOurOwnImporter) {
  EXPECT_TRUE(interface_.keeps_state);
  EXPECT_EQ(interface_.step_seconds, 0.1) << "as the FMUs inside prefer";
  Runs();
  RunsThreeTimesAtOnce();
  GoesBack();
}

TEST(CoupledFmus, OneThatWeExportedIsIteratedToo) {
  // State is got and set within each step, and the input is taken at its end.
  const ScratchFolder folder("half");
  folder.Write("half.xml", Whole(Component("two", Example(3, "Linear"), "a=-3 b=2 k=2"), {"two.y"}));
  for (const int version : {2, 3}) {
    openmi::exported::ExportOptions options;
    options.source = folder.Path() / "half.xml";
    options.output = folder.Path() / "half.fmu";
    options.version = version;
    options.lean = true;
    openmi::Problems problems;
    openmi::fmu::ExportFmu(options, problems);
    Rows rows = RunText(
        Whole(Component("one", Example(2, "Linear"), "a=0.5 b=1 k=1") + Component("two", options.output.string(), "") +
                  "  <Link From=\"one.y\" To=\"two.two.u\"/>\n  <Link From=\"two.two.y\" To=\"one.u\"/>\n" +
                  Iterate("anderson"),
              {"one.y", "two.two.y"}));
    ASSERT_EQ(rows["one.y"].size(), 11U);
    for (int n = 1; n <= 10; ++n) {
      const auto [y1, y2] = Together(std::pow(0.9, n), std::pow(0.8, n));
      EXPECT_NEAR(rows["one.y"][static_cast<std::size_t>(n)], y1, 1e-12) << n;
      EXPECT_NEAR(rows["two.two.y"][static_cast<std::size_t>(n)], y2, 1e-12) << n;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Fmi, ExportedLoop, ::testing::Values(2, 3));

}  // namespace
}  // namespace fmutest
