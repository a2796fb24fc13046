#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "composition/results/ResultSeries.hpp"
#include "tests/support/ScratchFolder.hpp"

namespace openmi {

inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kDecember = 57357.0;  // 2015-12-01

inline double Hour(int hour) {
  return kDecember + hour / 24.0;
}

/// A folder of its own for each test.
class ResultsTest : public testing::Test {
 protected:
  std::filesystem::path In(const std::string& name) const { return folder_ / name; }

  static std::string TextOf(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  }
  static void WriteText(const std::filesystem::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
  }

  ScratchFolder scratch_{"results"};
  const std::filesystem::path folder_ = scratch_.Path();
};

/// Two elements, instants.
inline ResultSeries Discharge() {
  ResultSeries series;
  series.id = "creek.discharge";
  series.caption = "Discharge";
  series.quantity = "volume flux";
  series.unit = "m3 s-1";
  series.elements = {"fp-27", "fp-52"};
  series.x = {-80.75, -80.5};
  series.y = {35.25, 35.125};
  series.is_longitude_latitude = true;
  series.comment = "the reach fp-52 is invented";
  series.attributes = {{"station", "Sugar \"Creek\""}};
  return series;
}

/// Holds what was read to everything that Discharge says, by the letter.
inline void ExpectDischarge(const ResultSeries& series) {
  EXPECT_EQ(series.id, "creek.discharge");
  EXPECT_EQ(series.caption, "Discharge");
  EXPECT_EQ(series.quantity, "volume flux");
  EXPECT_EQ(series.unit, "m3 s-1");
  EXPECT_EQ(series.kind, ResultKind::Instant);
  EXPECT_EQ(series.comment, "the reach fp-52 is invented");
  EXPECT_EQ(series.elements, (std::vector<std::string>{"fp-27", "fp-52"}));
  EXPECT_EQ(series.x, (std::vector<double>{-80.75, -80.5}));
  EXPECT_EQ(series.y, (std::vector<double>{35.25, 35.125}));
  EXPECT_TRUE(series.is_longitude_latitude);
  EXPECT_EQ(series.attributes, Discharge().attributes);
}

/// Without elements, means of three hours.
inline ResultSeries Storage() {
  ResultSeries series;
  series.id = "reservoir.storage";
  series.unit = "m3";
  series.kind = ResultKind::Mean;
  series.span = Days{0.125};
  return series;
}

inline RunInfo Info() {
  return {
      .title = "upper-creek", .source = "openmi 0.2.0", .history = "2026-01-31T12:00:00Z openmi run", .comment = "c"};
}

}  // namespace openmi
