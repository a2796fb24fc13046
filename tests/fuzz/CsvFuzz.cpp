#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "components/CsvSeries.hpp"
#include "composition/results/ReadResults.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/fuzz/FuzzTarget.hpp"
#include "timespace/files/ElementFile.hpp"
#include "timespace/testing/Driver.hpp"

namespace openmi::fuzz {
namespace {

/// Reads the file as the component does that gives series, to the end.
void ReadAsSeries(const std::string& path, const std::vector<std::pair<std::string, std::string>>& settings) {
  try {
    CsvSeries series;
    Driver driver(series);
    driver.Set("file", path);
    for (const auto& [key, value] : settings) driver.Set(key, value);
    driver.Initialize();
    driver.Validate();
    driver.Prepare();
    for (int step = 0; step < 20 && series.Status() != LinkableComponentStatus::Done; ++step) driver.Update();
  } catch (const Error&) {
  }
}

}  // namespace

// Any bytes are series, results and elements, or an error.
OPENMI_FUZZ_TARGET(csv) {
  const std::string path = FileOf(input, ".csv");
  ReadAsSeries(path, {{"unit", "m"}, {"utc-offset", "UTC"}});
  ReadAsSeries(path, {{"unit", "m"},
                      {"header-lines", "0"},
                      {"start", "2020-01-01T00:00Z"},
                      {"step", "1 h"},
                      {"elements-from-columns", "true"}});
  try {
    const ResultTable table = ReadResults(path);
    for (const ResultRows& rows : table.series) {
      Require(rows.begins.size() == rows.ends.size());
      Require(rows.values.size() == rows.ends.size() * rows.series.Width());
    }
  } catch (const Error&) {
  }
  for (const char* ending : {".csv", ".wkt"}) {
    try {
      const ElementSet elements = ReadElementFile(FileOf(input, ending), "fuzz", {.reference_system = "local-metres"});
      for (const double x : elements.X()) Require(std::isfinite(x));
    } catch (const Error&) {
    }
  }
}

}  // namespace openmi::fuzz
