#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "openmi/sdk/Error.hpp"
#include "tests/fmi-bridge/run/ComponentRun.hpp"

namespace openmi::fmi {
namespace {

using testing::HasSubstr;

/// The rows of an output so far: times in s since the start, and values.
std::vector<std::pair<double, double>> RowsOf(ComponentRun& run, const std::string& output) {
  const RowHistory& rows = *dynamic_cast<NumericOutput&>(run.Output(output)).UseHistory();
  std::vector<std::pair<double, double>> found;
  for (std::size_t i = 0; i < rows.Count(); ++i) {
    found.emplace_back(ToSeconds(rows.Begin(i) - kRunBegin), rows.Row(i)[0]);
  }
  return found;
}

std::vector<std::pair<double, double>> RowsOfTheParabola(int version, const std::string& within) {
  ComponentRun run(version, "Integrator", 0.5);
  run.driver.Set("time-step", "PT0.5S").Set("inputs", "linear").Set("rows-within-steps", within);
  run.Feed("u", 0.5, {0, 1});
  run.Prepare();
  run.driver.Update();
  return RowsOf(run, "x");
}

// u = 2 t, so x = t^2, which the FMU computes in small steps of first order. A line from 0 to 0.5 s would be off by
// 1/16.
TEST(RowsWithinSteps, FollowTheCurveThatValuesAndDerivativesGive) {
  for (const int version : {2, 3}) {
    const auto rows = RowsOfTheParabola(version, "3");
    ASSERT_EQ(rows.size(), 5U);
    for (std::size_t n = 0; n < rows.size(); ++n) {
      const double time = 0.125 * static_cast<double>(n);
      EXPECT_NEAR(rows[n].first, time, 1e-6) << "stamps are exact to a microsecond";
      EXPECT_NEAR(rows[n].second, time * time, 1e-3) << version << " at " << time;
    }
    const auto plain = RowsOfTheParabola(version, "0");
    ASSERT_EQ(plain.size(), 2U);
    EXPECT_EQ(plain.back(), rows.back()) << "rows at the ends of steps stay";
  }
}

TEST(RowsWithinSteps, AreTheSameAfterAReturnToAnEarlierState) {
  ComponentRun run(2, "Integrator", 1.5);
  run.driver.Set("time-step", "PT0.5S").Set("inputs", "linear").Set("rows-within-steps", "1");
  run.Feed("u", 0.5, {0, 1, 3, 2});
  run.Prepare();
  run.driver.Update();
  const IIdentifiable& state = run.fmu.KeepCurrentState();
  const IIdentifiable& fed = run.Table().KeepCurrentState();
  run.driver.Update();
  const auto rows = RowsOf(run, "x");
  run.driver.Update();
  run.Table().RestoreState(fed);
  run.fmu.RestoreState(state);
  run.driver.Update();
  EXPECT_EQ(RowsOf(run, "x"), rows);
}

// x' = moving, which is 1 from 0.5 s on; the discrete level changes there, so that the FMU has an event.
TEST(RowsWithinSteps, StartAfterAnEventAtTheStartOfTheStep) {
  ComponentRun run(3, "Manners", 1.0);
  run.driver.Set("time-step", "PT0.5S").Set("inputs", "begin").Set("rows-within-steps", "1").Set("event-mode", "true");
  run.Feed("moving", 0.5, {0, 1, 1});
  run.Feed("level", 0.5, {0, 1, 1});
  run.Prepare();
  run.driver.Update();
  run.driver.Update();
  const auto rows = RowsOf(run, "x");
  ASSERT_EQ(rows.size(), 5U);
  EXPECT_NEAR(rows[2].second, 0.0, 1e-12);
  EXPECT_NEAR(rows[3].second, 0.25, 1e-12) << "a line, not a curve that starts flat";
  EXPECT_NEAR(rows[4].second, 0.5, 1e-12);
}

TEST(RowsWithinSteps, NeedAnFmuThatGivesDerivatives) {
  const auto refusal = [](int version, const char* kind) {
    ComponentRun run(version, "Integrator", 0.5);
    try {
      run.driver.Set("kind", kind).Set("rows-within-steps", "1");
      run.driver.Initialize();
    } catch (const ArgumentError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(refusal(1, "auto"), HasSubstr("gives derivatives of its outputs (maxOutputDerivativeOrder), found one"));
  EXPECT_THAT(refusal(3, "model-exchange"), HasSubstr("rows-within-steps"));
  EXPECT_EQ(refusal(3, "auto"), "");
}

}  // namespace
}  // namespace openmi::fmi
