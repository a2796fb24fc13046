// A family of FMUs that leaves a run and comes back goes on where it was: in co-simulation bit for bit, in model
// exchange within the tolerance, since its solver begins anew.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>

#include "composition/check/CheckComposition.hpp"
#include "composition/families/Families.hpp"
#include "composition/link/Composition.hpp"
#include "composition/model/CompositionFile.hpp"
#include "composition/proxy/OutputProxy.hpp"
#include "composition/run/CompositionRun.hpp"
#include "composition/run/RunLoop.hpp"
#include "openmi/sdk/Problem.hpp"
#include "tests/fmi-bridge/run/ExampleFmu.hpp"
#include "tests/support/ScratchFolder.hpp"
#include "timespace/items/NumericOutput.hpp"

namespace openmi::fmi {
namespace {

struct Rows final : IRowListener {
  std::vector<double> values;  // time, then the row
  void OnRow(Stamp time, Days, std::span<const double> row) override {
    values.push_back(time.mjd);
    values.insert(values.end(), row.begin(), row.end());
  }
};

/// The rows of the FMU `x` in 300 steps; exchanged, it leaves and comes back at once in three of them.
std::map<std::string, std::vector<double>> RowsOf(int version, const std::string& name, const std::string& kind,
                                                  bool exchanged) {
  const bool is_driven = name == "Linear" || name == "Manners";
  const ScratchFolder folder;
  const std::string path = folder / "family.xml";
  std::ofstream(path) << fmt::format(
      R"(<Composition xmlns="urn:openmi2:composition:1" Id="family">
  {0}
  <Component Id="x" Type="openmi.fmi.Fmu" Assembly="openmi-fmi-bridge" KeepState="true">
    <Argument Key="fmu" Value="{1}"/><Argument Key="kind" Value="{2}"/><Argument Key="time-step" Value="PT0.01S"/>
    {3}</Component>
  {4}
  <Run From="2000-01-01T00:00:00Z" To="2000-01-01T00:00:03Z" Trigger="x"/></Composition>)",
      is_driven ? fmt::format(R"(<Component Id="drive" Type="openmi.fmi.Fmu" Assembly="openmi-fmi-bridge">
    <Argument Key="fmu" Value="{}"/><Argument Key="time-step" Value="PT0.01S"/></Component>)",
                              ExamplePath(version, "VanDerPol").string())
                : "",
      ExamplePath(version, name).string(), kind,
      name == "Manners" && version == 3 ? R"(<Argument Key="event-mode" Value="true"/>)" : "",
      name == "Linear"    ? R"(<Link From="drive.x0" To="x.u"/>)"
      : name == "Manners" ? R"(<Link From="drive.x0" To="x.steady"/><Link From="drive.x1" To="x.level"/>)"
                          : "");
  Problems problems;
  Composition composition(ReadCompositionFile(path, problems));
  composition.Load(problems);
  composition.Connect(problems);
  openmi::Instance& x = *std::ranges::find_if(composition.Instances(), [](const auto& one) { return one.Id() == "x"; });
  for (IBaseOutput* output : x.Component().Outputs()) {
    if (auto* numeric = dynamic_cast<NumericOutput*>(output)) x.ProxyFor(*numeric);
  }
  CheckComposition(composition, problems);
  ThrowIfErrors(problems);
  PrepareComponents(composition);
  std::map<std::string, Rows> kept;
  for (auto& [id, proxy] : x.proxies) proxy->AddListener(kept[id]);
  RunLoop loop(composition, RunMode::Pull);
  Families families(composition);
  for (int n = 0; n < 300; ++n) {
    if (exchanged && n % 100 == 50) {
      const Stamp now = x.CurrentTime();
      EXPECT_TRUE(families.Disengage("x").empty());
      EXPECT_TRUE(families.Engage("x", now).empty());
    }
    loop.Advance();
  }
  std::map<std::string, std::vector<double>> rows;
  for (auto& [id, proxy] : x.proxies) {
    proxy->RemoveListener(kept[id]);
    rows[id] = kept[id].values;
  }
  composition.Finish(problems);
  return rows;
}

/// How far the rows of two runs are apart at most, as a part of 1 + the value: what a solver whose relative and
/// absolute tolerances are equal takes for its error. All must be there.
double Difference(const std::map<std::string, std::vector<double>>& some,
                  const std::map<std::string, std::vector<double>>& others) {
  double most = 0.0;
  for (const auto& [id, values] : some) {
    const std::vector<double>& other = others.at(id);
    EXPECT_GT(values.size(), 500U) << id;
    EXPECT_EQ(values.size(), other.size()) << id;
    for (std::size_t i = 0; i < std::min(values.size(), other.size()); ++i) {
      most = std::max(most, std::abs(values[i] - other[i]) / (1.0 + std::abs(values[i])));
    }
  }
  return most;
}

TEST(FmuFamily, GoesOnBitForBitInCoSimulationAndWithinItsToleranceInModelExchange) {
  for (const int version : {2, 3}) {
    for (const char* name : {"Linear", "BouncingBall", "VanDerPol", "Manners", "Ticks"}) {
      if (version == 2 && std::string(name) == "Ticks") continue;
      for (const char* kind : {"co-simulation", "model-exchange"}) {
        SCOPED_TRACE(fmt::format("{} of FMI {} in {}", name, version, kind));
        const double difference = Difference(RowsOf(version, name, kind, false), RowsOf(version, name, kind, true));
        // Each of two runs is within the tolerance of the solution.
        constexpr double kTolerance = 1e-6;
        EXPECT_LE(difference, std::string(kind) == "co-simulation" ? 0.0 : 2.0 * kTolerance);
      }
    }
  }
}

}  // namespace
}  // namespace openmi::fmi
