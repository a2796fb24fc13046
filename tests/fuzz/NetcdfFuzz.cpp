#include <string>

#include "components/NetcdfSeries.hpp"
#include "composition/results/ReadResults.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/fuzz/FuzzTarget.hpp"
#include "timespace/files/NetcdfFile.hpp"
#include "timespace/testing/Driver.hpp"

namespace openmi::fuzz {
namespace {

/// Everything that the file says it has.
void ReadAll(const NetcdfFile& file) {
  for (const std::string& variable : file.Variables()) {
    std::size_t values = 1;
    for (const NetcdfDimension& dimension : file.Dimensions(variable)) values *= dimension.length;
    static_cast<void>(file.Text(variable, "units"));
    static_cast<void>(file.Number(variable, "_FillValue"));
    try {
      if (file.IsText(variable)) {
        static_cast<void>(file.Texts(variable));
      } else if (file.IsNumeric(variable)) {
        Require(file.Doubles(variable).size() == values);
        Require(file.Values(variable).size() == values);
      }
    } catch (const Error&) {
    }
  }
}

}  // namespace

// Any bytes that begin as a classic NetCDF file are one that holds what its header says, or an error. What begins
// otherwise is the library's (and HDF5's) to refuse, and no target of ours.
OPENMI_FUZZ_TARGET(netcdf) {
  if (!input.starts_with("CDF")) return;
  const std::string path = FileOf(input, ".nc");
  const bool is_whole = FaultOfNetcdfHeader(path).empty();
  try {
    const NetcdfFile file(path, "input.nc");
    Require(is_whole);
    ReadAll(file);
  } catch (const Error&) {
  }
  try {
    const ResultTable table = ReadResults(path);
    for (const ResultRows& rows : table.series) {
      Require(rows.values.size() == rows.ends.size() * rows.series.Width());
    }
  } catch (const Error&) {
  }
  try {
    NetcdfSeries series;
    Driver driver(series);
    driver.Set("file", path);
    driver.Initialize();
    driver.Validate();
    driver.Prepare();
  } catch (const Error&) {
  }
}

}  // namespace openmi::fuzz
