// Models that iterate within their solve with the other components of a loop (XMI).

#include <fmt/format.h>

#include "composition/embed/EmbeddedRun.hpp"
#include "composition/state/ComponentState.hpp"
#include "openmi/sdk/IStateAbility.hpp"
#include "tests/bmi-bridge/BmiFixture.hpp"

namespace openmi::bmi {
namespace {

using testing::HasSubstr;

constexpr int kMinutes = 20;

/// The pond and a neighbour whose level is y = 0.5 u + 1.
CompositionFile Loop(const ScratchFolder& folder, const std::string& iterate, const std::string& isolation,
                     const std::string& neighbours_step = "PT1M") {
  const std::string file =
      folder.Write("loop.xml", fmt::format(R"(<?xml version="1.0"?>
<Composition xmlns="urn:openmi2:composition:1" Id="loop">
  <Component Id="pond" Type="openmi.bmi.Model" Assembly="openmi-bmi-bridge" Isolation="{}">
    <Argument Key="library" Value="{}"/>
    <Argument Key="config-file" Value="solve.cfg"/>
  </Component>
  <Component Id="next" Type="openmi.Expression" Assembly="openmi-components">
    <Argument Key="inputs" Value="u[1]"/>
    <Argument Key="outputs" Value="y=0.5*u+1[1]"/>
    <Argument Key="asks" Value="instant"/>
    <Argument Key="time-step" Value="{}"/>
  </Component>
  <Link From="next.y" To="pond.neighbour"/>
  <Link From="pond.level" To="next.u"/>
  {}
  <Observe Item="pond.level"/>
  <Run From="2020-01-01T00:00Z" To="2020-01-01T00:{}Z"/>
</Composition>
)",
                                           isolation, TestLibrary("solve_model"), neighbours_step, iterate, kMinutes));
  Problems problems;
  CompositionFile read = ReadCompositionFile(file, problems);
  ThrowIfErrors(problems);
  return read;
}

/// The rows of an output of the pond, from the start of the run on.
std::vector<double> Rows(EmbeddedRun& run, const std::string& item) {
  run.Load();
  std::vector<double> rows;
  run.Observe(item, [&](Stamp, Days, std::span<const double> row) { rows.push_back(row[0]); });
  run.Begin();
  while (run.Step()) {
  }
  run.End();
  return rows;
}

TEST(IteratedSolve, MeetsItsNeighbourWithinOneTimeStep) {
  for (const char* isolation : {"none", "instance"}) {
    for (const char* method : {"fixed-point", "quasi-newton", "aitken"}) {
      ScratchFolder folder("solve");
      folder.Write("solve.cfg", "0\n");
      const std::string iterate = fmt::format(
          R"(<Iterate Components="pond next" Method="{}" RelativeTolerance="1e-13" AbsoluteTolerance="1e-13" MaxIterations="500"/>)",
          method);
      EmbeddedRun run(Loop(folder, iterate, isolation));
      const std::vector<double> levels = Rows(run, "pond.level");
      ASSERT_EQ(levels.size(), kMinutes + 1u);
      double level = 0.0;
      for (int i = 1; i <= kMinutes; ++i) {  // (h - h0) / dt = q - c (h - (0.5 h + 1))
        level = (level + 60.0 * (1e-3 + 1e-3)) / (1.0 + 0.5 * 60.0 * 1e-3);
        EXPECT_NEAR(levels[static_cast<std::size_t>(i)], level, 1e-10) << isolation << " " << method << " " << i;
      }
      EmbeddedRun steps(Loop(folder, iterate, isolation));
      // Completed before each step; a time step that was prepared twice would fail.
      EXPECT_EQ(Rows(steps, "pond.steps").back(), kMinutes - 1.0);
      EmbeddedRun solves(Loop(folder, iterate, isolation));
      EXPECT_GT(Rows(solves, "pond.solves").back(), 5.0 * kMinutes);
    }
  }
}

TEST(IteratedSolve, IsAWholeUpdateWithoutALoop) {
  ScratchFolder folder("solve");
  Bench bench(TestLibrary("solve_model"), {{"config-file", folder.Write("solve.cfg", "0\n")}});
  bench.driver.Initialize();
  EXPECT_TRUE(bench.component.Facts().has_solve);
  bench.driver.Prepare();
  bench.driver.Update();
  EXPECT_NEAR(bench.Row(0)[0], 0.06 / 1.06, 1e-11);
  EXPECT_EQ(bench.Row(2)[0], 1.0);
}

TEST(IteratedSolve, KeepsNoStatesForCheckpoints) {
  ScratchFolder folder("solve");
  Bench bench(TestLibrary("solve_model"), {{"config-file", folder.Write("solve.cfg", "0\n")}});
  bench.driver.Initialize();
  EXPECT_NE(ManagedStates(bench.component), nullptr);
  EXPECT_FALSE(KeepsState(bench.component));
  EXPECT_THAT(AbilityOf(bench.component).why_not, HasSubstr("iterates within its steps"));
}

TEST(IteratedSolve, SaysWhatFails) {
  const std::string iterate =
      R"(<Iterate Components="pond next" Method="fixed-point" RelativeTolerance="1e-9" MaxIterations="500"/>)";
  const auto problem = [&](const std::string& config, const std::string& step,
                           const std::string& loop = {}) -> std::string {
    ScratchFolder folder("solve");
    folder.Write("solve.cfg", config);
    EmbeddedRun run(Loop(folder, loop.empty() ? iterate : loop, "none", step));
    try {
      Rows(run, "pond.level");
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_THAT(problem("30\n", "PT1M"), HasSubstr("expected solve of the library to succeed, found status 1"));
  // The values agree at once, since all changes are below the tolerance, but the solver needs more.
  EXPECT_THAT(
      problem("0\n", "PT1M",
              R"(<Iterate Components="pond next" Method="fixed-point" AbsoluteTolerance="10" MaxIterations="8"/>)"),
      HasSubstr("found that the solver of 'pond' has not"));
  EXPECT_THAT(problem("0\n", "PT2M"), HasSubstr("expected one step of this component in each step of the loop"));
}

}  // namespace
}  // namespace openmi::bmi
