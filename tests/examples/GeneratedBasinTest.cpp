// The small basin that the repository carries.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "adaptors/kernels/GeodesicArea.hpp"
#include "examples/river-basin/creek/ReachFile.hpp"
#include "examples/river-basin/runoff/TmSolver.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/examples/TestData.hpp"
#include "tests/support/ScratchFolder.hpp"

namespace riverbasin {
namespace {

using ::testing::HasSubstr;

std::string Data(const char* name) {
  return (RiverBasin() / "data" / name).string();
}

std::string Content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(GeneratedBasin, IsWhatItsGeneratorMakes) {
  if (std::system("python3 --version > /dev/null 2>&1") != 0)
    GTEST_SKIP() << "python3 is not there to run the generator";
  const ScratchFolder scratch;
  const std::filesystem::path folder = scratch / "generated-basin";
  const std::string command =
      "python3 '" + (RiverBasin() / "generator/generate.py").string() + "' '" + folder.string() + "' > /dev/null";
  ASSERT_EQ(std::system(command.c_str()), 0);
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(RiverBasin() / "data")) {
    EXPECT_EQ(Content(entry.path()), Content(folder / entry.path().filename())) << entry.path().filename();
    ++files;
  }
  EXPECT_EQ(files, 6);
}

TEST(GeneratedBasin, StatesTheAreasThatItsShapesHave) {
  const openmi::ElementSet set = openmi::ElementsOf(openmi::ReadGeoJson(Data("catchments.geojson")), "catchments");
  ASSERT_EQ(set.ElementCount(), 12);
  EXPECT_EQ(set.FlippedCount(), 6) << "readers must not care about the direction, so both occur";
  const openmi::ElementAttribute* area = set.Attribute("area");
  ASSERT_NE(area, nullptr);
  for (int element = 0; element < 12; ++element) {
    const openmi::ElementRing ring = set.Rings(element).front();
    EXPECT_NEAR(openmi::GeodesicRingArea(ring.x, ring.y) / 1e6 / area->values[static_cast<std::size_t>(element)], 1.0,
                5e-6)
        << "the generator's sides are straight on the equal-area map, geodesics bend from them";
  }
}

TEST(GeneratedBasin, DrainsToOneOutlet) {
  const ReachFile file =
      ReadReaches(Data("flowpaths.geojson"), "", openmi::ReadGeoJson(Data("catchments.geojson")), {});
  const ReachNetwork network(file.reaches, 3600.0);
  ASSERT_EQ(network.Outlets().size(), 1u);
  EXPECT_EQ(network.Description(network.Outlets()[0]).id, "r-12");
  double area = 0.0;
  for (const openmi::GeoJsonFeature& catchment : openmi::ReadGeoJson(Data("catchments.geojson")).features)
    area += catchment.numbers.at("areasqkm");
  EXPECT_NEAR(network.Description(network.Outlets()[0]).geometry.reference_discharge, 0.05 * area, 1e-9);
}

TEST(TmSolver, FacesTakeTurnsWithTheOneLibraryAndDoNotDisturbEachOther) {
  const auto step = [](TmSolver& solver, double depth) {
    const std::vector<double> rain(solver.Catchments().size(), depth);
    const std::vector<double> evaporation(rain.size(), 1e-5);
    std::vector<double> discharge(rain.size());
    solver.Step(rain, evaporation, discharge);
    return discharge;
  };
  std::vector<std::vector<double>> expected;
  {
    TmSolver alone;
    alone.Open(Data("runoff.par"), "");
    EXPECT_EQ(alone.Catchments().size(), 12u);
    EXPECT_EQ(alone.Catchments().front().name, "sc-01");
    for (int i = 0; i < 20; ++i) expected.push_back(step(alone, i < 5 ? 0.003 : 0.0));
  }
  TmSolver one;
  one.Open(Data("runoff.par"), "");
  TmSolver other;
  other.Open((RiverBasin() / "basin.par").string(), "");
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(step(one, i < 5 ? 0.003 : 0.0), expected[static_cast<std::size_t>(i)]) << "step " << i;
    EXPECT_EQ(step(other, 0.001).size(), 3u);
  }
  other.Close();
  EXPECT_GT(one.Storage(0), 0.0);
}

TEST(TmSolver, PassesTheSolversSentenceOn) {
  TmSolver solver;
  try {
    solver.Open(Data("catchments.geojson"), "");
    FAIL();
  } catch (const openmi::FormatError& error) {
    EXPECT_THAT(error.what(), ::testing::AllOf(HasSubstr("catchments.geojson"), HasSubstr("CANNOT BE READ")));
  }
  EXPECT_FALSE(solver.IsOpen());
  EXPECT_THROW(solver.Open(Data("nowhere.par"), ""), openmi::FileError);
}

}  // namespace
}  // namespace riverbasin
