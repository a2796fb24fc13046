// The river basin as an FMU, against the composition run as it is.

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <memory>

#include "tests/fmi-bridge/export/fmu/ExportedFmu.hpp"
#include "tests/support/RunChecked.hpp"

namespace fmutest {
namespace {

constexpr double kHour = 3600.0;

fs::path Basin() {
  return fs::path(OPENMI_SOURCE_DIR) / "examples" / "river-basin" / "river-basin.xml";
}

/// Every row of every observed output, by end: hours since the begin.
std::map<std::string, std::map<long, std::vector<double>>> RunDirectly() {
  openmi::Problems problems;
  openmi::CompositionFile file = openmi::ReadCompositionFile(Basin(), problems);
  for (openmi::ObserveSpec& observe : file.observes) {
    observe.every.reset();
    observe.as = openmi::ObserveAs::Instant;
  }
  const double from = file.run->from->mjd;
  openmi::Composition composition(std::move(file));
  const openmi::RunRecord record = openmi::test::RunChecked(composition, problems);
  EXPECT_TRUE(record.is_complete);
  std::map<std::string, std::map<long, std::vector<double>>> rows;
  for (const openmi::RecordedSeries& series : record.series) {
    const std::size_t width = series.series.Width();
    for (std::size_t i = 0; i < series.times.size(); ++i) {
      const long hour = std::lround((series.times[i] - from) * 24.0);
      rows[series.spec->item.Text()][hour] = {series.values.begin() + static_cast<std::ptrdiff_t>(i * width),
                                              series.values.begin() + static_cast<std::ptrdiff_t>((i + 1) * width)};
    }
  }
  return rows;
}

TEST(BasinFmu, GivesWhatTheCompositionGivesBitForBit) {
  openmi::exported::ExportOptions options;
  options.source = Basin();
  options.version = 3;
  Fmu fmu(options, Libraries::Needed);
  if (!openmi::test::kIsSanitized) {
    EXPECT_LT(fmu.Size(), 16'000'000U) << "with PROJ and the runtime of Fortran";
  }
  ASSERT_TRUE(fmu.interface.keeps_state);
  fmu.Place(fs::path(fmu.root.parent_path()) / "moved" / "there");
  const auto rows = RunDirectly();
  Instance3 one(fmu);
  ASSERT_NE(one.instance, nullptr) << one.log;
  one.Begin(30 * 24 * kHour);
  std::size_t compared = 0;
  fmi3FMUState state = nullptr;
  Fmu* const of = &fmu;
  for (long hour = 1; hour <= 30 * 24; ++hour) {
    ASSERT_EQ(one.Step(static_cast<double>(hour - 1) * kHour, kHour), fmi3OK) << one.log;
    for (const auto& [name, by_hour] : rows) {
      const auto row = by_hour.find(hour);
      if (row == by_hour.end()) continue;
      const std::vector<double> values = one.Get(name);
      ASSERT_EQ(values.size(), row->second.size()) << name;
      ASSERT_EQ(std::memcmp(values.data(), row->second.data(), values.size() * sizeof(double)), 0)
          << name << " at hour " << hour << ": " << values[0] << " and " << row->second[0];
      compared += values.size();
    }
    if (hour == 100) {
      ASSERT_EQ(of->Of<fmi3GetFMUStateTYPE>("fmi3GetFMUState")(one.instance, &state), fmi3OK) << one.log;
    }
  }
  EXPECT_GT(compared, 30u * 24u * 20u);
  // Back to hour 100, and on from there to the same.
  const std::vector<double> last = one.Get("creek.discharge");
  ASSERT_EQ(of->Of<fmi3SetFMUStateTYPE>("fmi3SetFMUState")(one.instance, state), fmi3OK) << one.log;
  for (long hour = 101; hour <= 30 * 24; ++hour) {
    ASSERT_EQ(one.Step(static_cast<double>(hour - 1) * kHour, kHour), fmi3OK) << one.log;
  }
  EXPECT_EQ(one.Get("creek.discharge"), last);
  EXPECT_EQ(of->Of<fmi3FreeFMUStateTYPE>("fmi3FreeFMUState")(one.instance, &state), fmi3OK);
}

TEST(BasinFmu, AnOmiFileAloneHasItsInputsAndOutputsByTheirOwnNames) {
  openmi::exported::ExportOptions options;
  options.source = Basin().parent_path() / "river-basin-gauge.omi";
  Fmu fmu(options);
  Instance2 one(fmu);
  ASSERT_NE(one.component, nullptr) << one.log;
  EXPECT_EQ(one.Set("inflow", 8.0), fmi2OK) << one.log;
  one.Begin(10 * kHour);
  EXPECT_EQ(one.Step(0.0, kHour), fmi2OK) << one.log;
  EXPECT_EQ(one.Get("discharge"), 8.0);
  EXPECT_GT(one.Get("stage"), 0.0);
}

}  // namespace
}  // namespace fmutest
