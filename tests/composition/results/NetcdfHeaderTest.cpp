// Headers of NetCDF files whose counts and lengths the file cannot hold: refused before the NetCDF library believes
// them.

#include <gmock/gmock.h>
#include <netcdf.h>

#include <array>
#include <string>
#include <vector>

#include "ResultsFixture.hpp"
#include "composition/results/NetcdfResults.hpp"
#include "composition/results/ReadResults.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/files/NetcdfFile.hpp"

namespace openmi {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

class NetcdfHeaderTest : public ResultsTest {
 protected:
  /// The bytes of results with an attribute, times and values.
  std::string Whole() {
    NetcdfResults results(In("whole.nc"), Info(), {Discharge(), Storage()});
    for (int hour = 1; hour <= 6; ++hour) results.Append(0, Hour(hour), Hour(hour), std::vector{hour + 0.5, 1.0});
    results.Append(1, Hour(3), Hour(6), std::vector{1.0});
    results.Close();
    return TextOf(In("whole.nc"));
  }
  /// Puts four bytes, most significant first, in the place of those at `at`.
  static std::string With(std::string bytes, std::size_t at, std::uint32_t number) {
    for (int i = 0; i < 4; ++i) bytes[at + static_cast<std::size_t>(i)] = static_cast<char>(number >> (24 - 8 * i));
    return bytes;
  }
  void ExpectRefused(const std::string& bytes, const std::string& sentence) {
    WriteText(In("bad.nc"), bytes);
    EXPECT_THAT([&] { ReadResults(In("bad.nc")); },
                ThrowsMessage<FileError>(AllOf(HasSubstr("bad.nc"), HasSubstr(sentence))));
    EXPECT_THAT([&] { NetcdfFile(In("bad.nc").string(), "bad.nc"); }, ThrowsMessage<FileError>(HasSubstr(sentence)));
  }
};

TEST_F(NetcdfHeaderTest, NamesAreNoLongerThanTheFile) {
  const std::string whole = Whole();
  const std::size_t name =
      whole.find(std::string("\0\0\0\x09"
                             "discharge",
                             13));
  ASSERT_NE(name, std::string::npos);
  // What crashed the library (attack-10).
  ExpectRefused(With(whole, name, 0x00FFFFFF), "a name of a variable claims 16777215 characters");
  ExpectRefused(With(whole, name, 0), "a name of a variable claims 0 characters");
}

TEST_F(NetcdfHeaderTest, AttributesAreNoLongerThanTheFile) {
  const std::string whole = Whole();
  const std::size_t name = whole.find(std::string("\0\0\0\x05title\0\0\0\0\0\0\x02", 16));
  ASSERT_NE(name, std::string::npos);
  // What took 4 GB (attack-11).
  ExpectRefused(With(whole, name + 16, 0xF0FFFFFF),
                "the attribute 'title' of the file claims 4043309055 values, more than the file can hold");
  ExpectRefused(With(whole, name + 12, 77), "the attribute 'title' of the file has the type 77, which there is not");
}

TEST_F(NetcdfHeaderTest, ListsHaveNoMoreEntriesThanTheFileHolds) {
  const std::string whole = Whole();
  ASSERT_EQ(whole.substr(8, 4), std::string("\0\0\0\x0a", 4));
  ExpectRefused(With(whole, 12, 0x24000002), "the list of dimensions claims 603979778 entries");
  ExpectRefused(With(whole, 8, 7), "the list of dimensions begins with the number 7");
}

TEST_F(NetcdfHeaderTest, ValuesLieWithinTheFile) {
  const std::string whole = Whole();
  ExpectRefused(whole.substr(0, whole.size() - 64), "reach beyond the end of the file");
  ExpectRefused(whole.substr(0, 100), "the file ends within its header");
}

TEST_F(NetcdfHeaderTest, ANumberOfRecordsThatIsLeftOpenIsNotTakenAsOne) {
  // The library takes 2^32 - 1 as the number it is, and a reader of the times 32 GB.
  ExpectRefused(TextOf(OPENMI_SOURCE_DIR "/tests/fuzz/corpus/netcdf/streaming-records.nc"),
                "the number of records is left open");
}

TEST_F(NetcdfHeaderTest, WhateverWordIsChangedTheFileIsReadOrRefused) {
  const std::string whole = Whole();
  int refused = 0;
  for (std::size_t at = 4; at + 4 < whole.size(); at += 4) {
    for (const std::uint32_t number : {0u, 3u, 0x00FFFFFFu, 0x7FFFFFFFu, 0xFFFFFFFFu}) {
      SCOPED_TRACE(testing::Message() << "word at " << at << " set to " << number);
      WriteText(In("mutant.nc"), With(whole, at, number));
      try {
        const ResultTable table = ReadResults(In("mutant.nc"));
        for (const ResultRows& rows : table.series) {
          ASSERT_EQ(rows.values.size(), rows.ends.size() * rows.series.Width());
        }
      } catch (const Error& error) {
        ASSERT_THAT(error.what(), HasSubstr("mutant.nc"));
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 100);
}

/// A file of each classic kind as the library writes it: fixed values, records, one variable of records alone.
TEST_F(NetcdfHeaderTest, EveryClassicFileOfTheLibraryFits) {
  for (const int kind : {0, NC_64BIT_OFFSET, NC_64BIT_DATA}) {
    for (const std::size_t records : {std::size_t{0}, std::size_t{1}, std::size_t{3}}) {
      for (const bool has_bytes : {false, true}) {
        SCOPED_TRACE(testing::Message() << "kind " << kind << ", " << records << " records, bytes " << has_bytes);
        int file = -1;
        ASSERT_EQ(nc_create(In("made.nc").c_str(), NC_CLOBBER | kind, &file), NC_NOERR);
        std::array<int, 2> dimensions{};
        ASSERT_EQ(nc_def_dim(file, "time", NC_UNLIMITED, &dimensions[0]), NC_NOERR);
        ASSERT_EQ(nc_def_dim(file, "x", 1001, &dimensions[1]), NC_NOERR);
        int fixed = -1;
        int flow = -1;
        int flag = -1;
        ASSERT_EQ(nc_def_var(file, "fixed", NC_SHORT, 1, &dimensions[1], &fixed), NC_NOERR);
        ASSERT_EQ(nc_def_var(file, "flow", NC_SHORT, 2, dimensions.data(), &flow), NC_NOERR);
        if (has_bytes) {
          ASSERT_EQ(nc_def_var(file, "flag", NC_BYTE, 1, dimensions.data(), &flag), NC_NOERR);
        }
        ASSERT_EQ(nc_put_att_text(file, flow, "units", 6, "m3 s-1"), NC_NOERR);
        ASSERT_EQ(nc_enddef(file), NC_NOERR);
        const std::vector<short> row(1001, 7);
        for (std::size_t record = 0; record < records; ++record) {
          const std::size_t start[] = {record, 0};
          const std::size_t count[] = {1, 1001};
          ASSERT_EQ(nc_put_vara_short(file, flow, start, count, row.data()), NC_NOERR);
        }
        ASSERT_EQ(nc_close(file), NC_NOERR);
        EXPECT_EQ(FaultOfNetcdfHeader(In("made.nc").string()), "");
      }
    }
  }
}

TEST_F(NetcdfHeaderTest, FilesOfOtherKindsAreLeftToTheLibrary) {
  int file = -1;
  ASSERT_EQ(nc_create(In("four.nc").c_str(), NC_CLOBBER | NC_NETCDF4, &file), NC_NOERR);
  ASSERT_EQ(nc_close(file), NC_NOERR);
  EXPECT_EQ(FaultOfNetcdfHeader(In("four.nc").string()), "");
  EXPECT_EQ(FaultOfNetcdfHeader(In("none.nc").string()), "");
}

}  // namespace
}  // namespace openmi
