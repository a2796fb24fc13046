#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "adaptors/kernels/PolygonWeights.hpp"
#include "adaptors/space/WeightFile.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/files/NetcdfFile.hpp"

namespace openmi {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class WeightFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "openmi-weights-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string Path(const std::string& name) const { return (folder_ / name).string(); }
  /// What CDO said last.
  std::string Log() const {
    std::ifstream stream(Path("cdo.log"));
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  std::filesystem::path folder_;
};

WeightFile ExampleFile() {
  WeightFile file;
  file.weights = SparseRows(3, {0, 2, 2, 3}, {0, 2, 1}, {0.25, 0.75, 1.0});
  file.source.longitude = {1, 2, 3};
  file.source.latitude = {-1, 0, 1};
  file.source.area = {0.1, 0.2, 0.3};
  file.target.fraction = {1.0, 0.0, 0.5};
  file.target.mask = {1, 0, 1};
  file.normalisation = "destarea";
  return file;
}

TEST_F(WeightFileTest, ComesBackAsItWasWrittenInBothForms) {
  for (const WeightFileForm form : {WeightFileForm::Scrip, WeightFileForm::Esmf}) {
    WriteWeightFile(Path("w.nc"), ExampleFile(), form);
    const WeightFile read = ReadWeightFile(Path("w.nc"));
    EXPECT_EQ(read.weights.Columns(), 3U);
    EXPECT_THAT(read.weights.Starts(), ElementsAre(0, 2, 2, 3));
    EXPECT_THAT(read.weights.AllColumns(), ElementsAre(0, 2, 1));
    EXPECT_THAT(read.weights.AllWeights(), ElementsAre(0.25, 0.75, 1.0));
    EXPECT_THAT(read.source.longitude, ElementsAre(1, 2, 3));
    EXPECT_THAT(read.source.area, ElementsAre(0.1, 0.2, 0.3));
    EXPECT_THAT(read.source.dimensions, ElementsAre(3));
    EXPECT_THAT(read.target.fraction, ElementsAre(1.0, 0.0, 0.5));
    EXPECT_THAT(read.target.mask, ElementsAre(1, 0, 1));
    EXPECT_EQ(read.normalisation, "destarea");
    EXPECT_EQ(read.method, "Conservative remapping");
  }
}

TEST_F(WeightFileTest, WithoutAnyWeight) {
  WeightFile none;
  none.weights = SparseRows(2, {0, 0, 0}, {}, {});
  WriteWeightFile(Path("w.nc"), none, WeightFileForm::Esmf);
  EXPECT_EQ(ReadWeightFile(Path("w.nc")).weights.Rows(), 2U);
}

TEST_F(WeightFileTest, RefusesWhatDoesNotFit) {
  WeightFile wrong = ExampleFile();
  wrong.target.area = {1.0};
  EXPECT_THAT([&] { WriteWeightFile(Path("w.nc"), wrong, WeightFileForm::Esmf); },
              ThrowsMessage<RangeError>(AllOf(HasSubstr("3 areas of the target"), HasSubstr("found 1"))));
  EXPECT_THAT([&] { WriteWeightFile(Path("no/folder/w.nc"), ExampleFile(), WeightFileForm::Esmf); },
              ThrowsMessage<FileError>(HasSubstr("w.nc")));
  std::ofstream(Path("text.nc")) << "no NetCDF";
  EXPECT_THROW(ReadWeightFile(Path("text.nc")), FileError);
  WeightFile infinite = ExampleFile();
  infinite.weights = SparseRows(3, {0, 0, 0, 1}, {1}, {std::numeric_limits<double>::infinity()});
  WriteWeightFile(Path("w.nc"), infinite, WeightFileForm::Scrip);
  EXPECT_THAT([&] { ReadWeightFile(Path("w.nc")); }, ThrowsMessage<FormatError>(HasSubstr("finite weights")));
}

TEST_F(WeightFileTest, RefusesWhatCannotBeTrue) {
  const std::string corpus = OPENMI_SOURCE_DIR "/tests/fuzz/corpus/weight_file/";
  // Two weights of 1e308 between the same two elements.
  EXPECT_THAT([&] { ReadWeightFile(corpus + "scrip-twice.nc"); },
              ThrowsMessage<FormatError>(HasSubstr("several from 1 to 2 that add up to inf")));
  // 2^31 - 1 targets in a file of 700 bytes, which took 16 GB.
  EXPECT_THAT([&] { ReadWeightFile(corpus + "scrip-claims.nc"); },
              ThrowsMessage<FormatError>(HasSubstr("at most 10000000 elements for 1 links, found 2147483647")));
}

TEST_F(WeightFileTest, RefusesBytesCutOffAnywhere) {
  WriteWeightFile(Path("w.nc"), ExampleFile(), WeightFileForm::Scrip);
  std::ifstream stream(Path("w.nc"), std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(stream)), {});
  for (std::size_t length = 0; length < whole.size() / 2; length += 37) {
    std::ofstream(Path("cut.nc"), std::ios::binary) << whole.substr(0, length);
    EXPECT_THROW(ReadWeightFile(Path("cut.nc")), Error) << length;
  }
}

/// The cells of a global grid of nx times ny, rows from the south, the first cell about longitude 0: on a sphere, as
/// longitude and the sine of latitude, in which areas are true and these edges are straight.
Polygons GlobalCells(int nx, int ny) {
  Polygons cells;
  const double width = 360.0 / nx;
  for (int j = 0; j < ny; ++j) {
    const auto sine = [&](int line) { return std::sin((-90.0 + 180.0 * line / ny) * std::numbers::pi / 180.0); };
    const auto part = [&](double west, double east) {
      for (const auto& [x, line] :
           {std::pair(west, j), std::pair(east, j), std::pair(east, j + 1), std::pair(west, j + 1)}) {
        cells.AddVertex(x, sine(line));
      }
      cells.EndRing();
    };
    for (int i = 0; i < nx; ++i) {
      if (i == 0) {
        part(0.0, 0.5 * width);
        part(360.0 - 0.5 * width, 360.0);
      } else {
        part((i - 0.5) * width, (i + 0.5) * width);
      }
      cells.EndPolygon();
    }
  }
  return cells;
}

// The peer, where the machine has it: CDO applies our weights and we apply those of CDO, to the same values.
TEST_F(WeightFileTest, CdoAppliesOursAndWeApplyThoseOfCdo) {
  if (std::system("command -v cdo >/dev/null 2>&1") != 0) GTEST_SKIP() << "no cdo on this machine";
  const auto run = [&](const std::string& arguments) {
    const std::string command = "cd '" + folder_.string() + "' && cdo -s -f nc -b F64 " + arguments + " >cdo.log 2>&1";
    return std::system(command.c_str());
  };
  ASSERT_EQ(run("-expr,'f=2+cos(rad(clat(const)))*sin(2*rad(clon(const)))' -const,1,r36x18 source.nc"), 0);
  ASSERT_EQ(run("gencon,r20x10 source.nc theirs.nc"), 0);
  ASSERT_EQ(run("remapcon,r20x10 source.nc theirs-applied.nc"), 0);
  const WeightFile theirs = ReadWeightFile(Path("theirs.nc"));
  ASSERT_EQ(theirs.weights.Rows(), 200U);
  ASSERT_EQ(theirs.weights.Columns(), 648U);
  EXPECT_THAT(theirs.source.dimensions, ElementsAre(36, 18));
  const std::vector<double> source = NetcdfFile(Path("source.nc"), "source").Doubles("f");
  ASSERT_EQ(source.size(), 648U);
  std::vector<double> mapped(200);
  theirs.weights.Apply(source, mapped);
  const std::vector<double> expected = NetcdfFile(Path("theirs-applied.nc"), "theirs").Doubles("f");
  for (std::size_t i = 0; i < mapped.size(); ++i) EXPECT_NEAR(mapped[i], expected[i], 1e-12) << i;

  WeightFile ours = theirs;  // for the places of the elements
  ours.weights =
      MakePolygonWeights(FindOverlaps(GlobalCells(36, 18).View(), GlobalCells(20, 10).View()), PolygonWeightKind::Mean);
  WriteWeightFile(Path("ours.nc"), ours, WeightFileForm::Scrip);
  ASSERT_EQ(run("remap,r20x10,ours.nc source.nc ours-applied.nc"), 0) << Log();
  const std::vector<double> applied = NetcdfFile(Path("ours-applied.nc"), "ours").Doubles("f");
  ASSERT_EQ(applied.size(), 200U);
  std::vector<double> own(200);
  ours.weights.Apply(source, own);
  for (std::size_t i = 0; i < own.size(); ++i) {
    EXPECT_NEAR(applied[i], own[i], 1e-12) << i;
    // The same cells of the same sphere: only the rounding of two ways to find areas is between them.
    EXPECT_NEAR(own[i], mapped[i], 1e-9) << i;
  }
}

}  // namespace
}  // namespace openmi
