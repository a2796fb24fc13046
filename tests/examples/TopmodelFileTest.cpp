#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "examples/river-basin/series/TopmodelFile.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/examples/TestData.hpp"

namespace riverbasin {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string Write(const std::string& text) {
  const std::string path = ::testing::TempDir() + "inputs.dat";
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

TEST(TopmodelFile, CountsItsRowsItself) {
  const TopmodelFile file = ReadTopmodelFile(Write("1  0.5\r\n .001 .0002 .0003\r\n .0 .0 .0004\r\n\r\n"));
  EXPECT_EQ(file.announced_rows, 1);
  EXPECT_EQ(file.Rows(), 2u);
  EXPECT_DOUBLE_EQ(file.step_hours, 0.5);
  EXPECT_DOUBLE_EQ(file.rain[0], 0.001);
  EXPECT_DOUBLE_EQ(file.discharge[1], 0.0004);
}

TEST(TopmodelFile, NamesTheLineItCannotRead) {
  try {
    ReadTopmodelFile(Write("2 1.0\n0 0 0\n0 zero 0\n"));
    FAIL();
  } catch (const openmi::FormatError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("inputs.dat:3"), HasSubstr("zero")));
  }
  EXPECT_THROW(ReadTopmodelFile(Write("what is this\n")), openmi::FormatError);
  EXPECT_THROW(ReadTopmodelFile(Write("1 1.0\n")), openmi::FormatError);
  EXPECT_THROW(ReadTopmodelFile("/nowhere/inputs.dat"), openmi::FileError);
}

TEST(TopmodelFile, TheHeaderOfTheRealSeriesSays950Where1430RowsAreValid) {
  SKIP_WITHOUT_REAL_DATA();
  const TopmodelFile file = ReadTopmodelFile((RealData() / "topmodel/inputs.dat").string());
  EXPECT_EQ(file.announced_rows, 950);
  EXPECT_EQ(file.Rows(), 1430u);
}

}  // namespace
}  // namespace riverbasin
