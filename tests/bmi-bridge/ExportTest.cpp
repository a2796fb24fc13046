// Compositions and components as a BMI library: driven by programs in C and Fortran, and by the bridge itself.

#include <bit>
#include <cstdlib>
#include <sstream>

#include "composition/embed/EmbeddedRun.hpp"
#include "composition/embed/OutputView.hpp"
#include "composition/state/ComponentState.hpp"
#include "openmi/omi/SafeProbe.hpp"
#include "tests/bmi-bridge/BmiFixture.hpp"
#include "timespace/elements/ElementSet.hpp"

namespace openmi::bmi {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr int kHours = 24;
constexpr const char* kLibrary = OPENMI_BINARY_DIR "/lib/openmi2/bmi/libopenmi-bmi.so";

std::string Cascades(const ScratchFolder& folder) {
  return folder.Write("cascades.xml", R"(<?xml version="1.0"?>
<Composition xmlns="urn:openmi2:composition:1" Id="cascades">
  <Component Id="up" Type="openmi.NashCascade" Assembly="openmi-components">
    <Argument Key="reservoirs" Value="2"/>
  </Component>
  <Component Id="down" Type="openmi.NashCascade" Assembly="openmi-components">
    <Argument Key="residence-time" Value="3"/>
  </Component>
  <Link From="up.outflow" To="down.inflow"/>
  <Observe Item="down.outflow"/>
  <Run From="2020-01-01T00:00Z" To="2020-02-01T00:00Z"/>
</Composition>
)");
}

/// The outflow of the lower cascade, by the C++ interface.
std::vector<double> Reference(const std::string& file) {
  Problems problems;
  EmbeddedRun run(ReadCompositionFile(file, problems));
  run.SupplyInput("up.inflow", SuppliedBetween::Previous);
  run.Load();
  const Stamp begin = *run.File().run->from;
  std::vector<double> values;
  for (int step = 0; step < kHours; ++step) {
    const double inflow = 0.25 * (step % 7);
    run.Run().Supply("up.inflow", begin + Seconds(3600.0 * step), Days(), {&inflow, 1});
    if (step == 0) run.Begin();
    run.StepUntil(begin + Seconds(3600.0 * (step + 1)));
    values.push_back(OutputView(run.Desk().ProxyOf("down.outflow")).Latest().values[0]);
  }
  run.End();
  return values;
}

class ExportedLibrary : public testing::Test {
 protected:
  ChildResult Drive(const char* program, const std::string& config) {
    return RunInChild({program, kLibrary, config, std::to_string(kHours)}, {.time = std::chrono::minutes(1)});
  }
  std::string Omi(const std::string& arguments) {
    return folder.Write("model.omi",
                        R"(<LinkableComponent xmlns="http://www.openmi.org/v2_0" Type="openmi.NashCascade")"
                        R"( Assembly="openmi-components"><Arguments>)" +
                            arguments + "</Arguments></LinkableComponent>");
  }
  ScratchFolder folder{"bmi-export"};
};

TEST_F(ExportedLibrary, GivesTheValuesOfTheRunToAProgramInC) {
  const std::string file = Cascades(folder);
  const ChildResult result = Drive(OPENMI_BMI_DRIVE_C, file);
  ASSERT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("name cascades\n"), HasSubstr("in up.inflow [m3 s-1] 8 bytes, scalar of 1, none"),
                    HasSubstr("out up.outflow"), HasSubstr("the second model continues")));
  const std::vector<double> expected = Reference(file);
  std::istringstream lines(result.out);
  std::size_t step = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("0x")) continue;
    std::istringstream words(line);
    std::string time, up, down;
    words >> time >> up >> down;
    ++step;
    EXPECT_EQ(std::strtod(time.c_str(), nullptr), 3600.0 * static_cast<double>(step));
    EXPECT_EQ(std::strtod(down.c_str(), nullptr), expected.at(step - 1)) << step;
  }
  EXPECT_EQ(step, expected.size());
}

TEST_F(ExportedLibrary, GivesTheValuesOfTheRunToAProgramInFortran) {
  const std::string file = Cascades(folder);
  const ChildResult result = Drive(OPENMI_BMI_DRIVE_FORTRAN, file);
  ASSERT_EQ(result.exit_code, 0) << result.out << result.err;
  const std::vector<double> expected = Reference(file);
  std::istringstream words(result.out);
  const auto number = [](const std::string& word) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(std::strtoull(word.c_str(), nullptr, 16)));
  };
  std::size_t step = 0;
  for (std::string time, down; words >> time >> down; ++step) {
    EXPECT_EQ(number(time), 3600.0 * static_cast<double>(step + 1));
    EXPECT_EQ(number(down), expected.at(step)) << step;
  }
  EXPECT_EQ(step, expected.size());
}

TEST_F(ExportedLibrary, TakesAComponentToo) {
  const ChildResult result = Drive(OPENMI_BMI_DRIVE_C, Omi(""));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("in inflow [m3 s-1]"), HasSubstr("the second model continues")));
}

TEST_F(ExportedLibrary, IsAModelForTheBridgeWithStatesAndPolygons) {
  folder.Write("two.geojson", R"({"type":"FeatureCollection","features":[
    {"type":"Feature","id":"a","properties":{},"geometry":{"type":"Polygon","coordinates":[[[0,0],[2,0],[2,1],[0,1],[0,0]]]}},
    {"type":"Feature","id":"b","properties":{},"geometry":{"type":"Polygon","coordinates":[[[2,0],[3,0],[3,1],[2,0]]]}}]})");
  Bench bench(kLibrary, {{"config-file", Omi(R"(<Argument Key="elements-file" Value="two.geojson"/>)")},
                         {"elements-system", "EPSG:4326"}});
  bench.driver.Initialize();
  const auto* elements = dynamic_cast<const ElementSet*>(bench.Output().SpatialDefinition());
  ASSERT_NE(elements, nullptr);
  EXPECT_EQ(elements->ElementType(), ElementType::Polygon);
  EXPECT_EQ(elements->ElementCount(), 2);
  EXPECT_EQ(elements->GetVertexCount(1), 3);
  EXPECT_EQ(elements->GetVertexXCoordinate(1, 0), 2.0);
  EXPECT_TRUE(KeepsState(bench.component));
  Problems problems;
  bench.component.CheckModel(problems);
  EXPECT_THAT(problems, testing::IsEmpty());
}

TEST_F(ExportedLibrary, SaysWhatIsWrongWithTheFile) {
  const auto problem = [&](const std::string& config) {
    const ChildResult result = Drive(OPENMI_BMI_DRIVE_C, config);
    EXPECT_EQ(result.exit_code, 1);
    return result.err;
  };
  EXPECT_THAT(problem("absent.xml"), HasSubstr("absent.xml: expected a composition or an OMI file, found none"));
  EXPECT_THAT(problem(Omi(R"(<Argument Key="lakes" Value="2"/>)")), HasSubstr("'lakes'"));
  const std::string no_run =
      folder.Write("none.xml", R"(<Composition xmlns="urn:openmi2:composition:1" Id="none"><Component Id="a")"
                               R"( Type="openmi.NashCascade" Assembly="openmi-components"/></Composition>)");
  EXPECT_THAT(problem(no_run), HasSubstr("expected a Run element"));
}

}  // namespace
}  // namespace openmi::bmi
