// The legacy solver alone, as a program of its own would use it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include "examples/river-basin/runoff/TmLibrary.hpp"
#include "tests/examples/TestData.hpp"
#include "tests/support/ScratchFolder.hpp"

namespace {

int Init(const std::string& file, const std::string& classes = " ") {
  int error = -1;
  tminit_(file.c_str(), classes.c_str(), &error, file.size(), classes.size());
  return error;
}

std::string LastError() {
  std::string text(132, ' ');
  tmerr_(text.data(), text.size());
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

double Stored(int catchment) {
  double store[5];
  tmstor_(&catchment, store);
  return std::accumulate(store, store + 5, 0.0);
}

const char* const kTwoCatchments = R"(two of a kind           ! title
2  1.0
north  10.0
0.03 5.0 60.0 0.05 0.001 1800.0 0.5
5.0e-5 0.01 0.0
3
0.2 4.0
0.6 6.0
0.2 9.0
3
0.0 500.0
0.5 3000.0
1.0 6000.0
south  20.0             ! wetter, slower
0.02 4.0 20.0 0.03 0.0 900.0 0.5
8.0e-5 0.0 0.0
2
0.5 5.0
0.5 8.0
2
0.0 0.0
1.0 9000.0
)";

std::string Write(const std::string& name, const std::string& text) {
  static const ScratchFolder folder;  // tests run beside each other
  return folder.Write(name, text);
}

TEST(LegacyRunoff, ClosesTheWaterBalanceOfEachCatchmentInEachStep) {
  ASSERT_EQ(Init(Write("two.par", kTwoCatchments)), 0) << LastError();
  int count = 0;
  double step = 0.0;
  tmsize_(&count, &step);
  ASSERT_EQ(count, 2);
  EXPECT_DOUBLE_EQ(step, 1.0);
  double start[2] = {Stored(1), Stored(2)};
  double rain[2];
  double evaporation[2];
  double discharge[2];
  double sum_rain = 0.0;
  for (int i = 0; i < 2000; ++i) {
    rain[0] = i % 97 < 6 ? 0.004 : 0.0;
    rain[1] = i % 61 < 3 ? 0.012 : 0.0;
    evaporation[0] = evaporation[1] = 2e-4 * std::max(0.0, std::sin(i * 0.2618));
    sum_rain += rain[0];
    tmstep_(rain, evaporation, discharge);
    for (int c = 1; c <= 2; ++c) {
      double total[3];
      tmtotl_(&c, total);
      EXPECT_NEAR(start[c - 1] + total[0] - total[1] - total[2] - Stored(c), 0.0, 1e-12)
          << "catchment " << c << " step " << i;
      EXPECT_GE(discharge[c - 1], 0.0);
    }
  }
  const int first = 1;
  double total[3];
  tmtotl_(&first, total);
  EXPECT_NEAR(total[0], sum_rain, 1e-12);
  EXPECT_GT(total[1], 0.0);
  tmfin_();
}

TEST(LegacyRunoff, WithoutRainTheSaturatedZoneRecedesHyperbolically) {
  // q = SZQ exp(-S/m) with dS/dt = q gives 1/q(t) = 1/q(0) + t/m. One class, no delay, no evaporation.
  const std::string file =
      "bare\n1 1.0\nhill 1.0\n0.02 5.0 0.0 0.0 0.0 1.0e6 0.5\n1.0e-4 0.0 0.0\n1\n1.0 7.0\n1\n1.0 1.0\n";
  ASSERT_EQ(Init(Write("hill.par", file)), 0) << LastError();
  const double dry = 0.0;
  double sum = 0.0;
  for (int i = 0; i < 240; ++i) {
    double discharge = 0.0;
    tmstep_(&dry, &dry, &discharge);
    sum += discharge;
  }
  EXPECT_NEAR(sum, 0.02 * std::log1p(240.0 * 1.0e-4 / 0.02), 1e-14);  // the integral of q(t)
  tmfin_();
}

TEST(LegacyRunoff, SaysWhatIsWrongWithItsFile) {
  EXPECT_EQ(Init("/nowhere/at-all.par"), 1);
  EXPECT_THAT(LastError(), ::testing::HasSubstr("CANNOT OPEN"));
  EXPECT_EQ(Init(Write("cut.par", std::string(kTwoCatchments).substr(0, 150))), 2);
  EXPECT_EQ(Init(Write("none.par", "title\n0 1.0\n")), 3);
  EXPECT_THAT(LastError(), ::testing::HasSubstr("CATCHMENTS"));
  std::string bad = kTwoCatchments;
  bad.replace(bad.find("0.03 5.0"), 4, "-1.0");
  EXPECT_EQ(Init(Write("bad.par", bad)), 3);
  EXPECT_THAT(LastError(), ::testing::HasSubstr("north"));
}

// ---- the calibrated catchment; needs the real data

struct Series {
  std::vector<double> rain, evaporation, observed;  // [m per hour]
};

Series ReadSeries(const std::filesystem::path& path) {
  Series series;
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream text(line);
    double p = 0.0;
    double e = 0.0;
    double q = 0.0;
    if (text >> p >> e >> q) {
      series.rain.push_back(p);
      series.evaporation.push_back(e);
      series.observed.push_back(q);
    }
  }
  return series;
}

double NashSutcliffe(const std::vector<double>& simulated, const std::vector<double>& observed, std::size_t from,
                     std::size_t to) {
  double mean = 0.0;
  for (std::size_t i = from; i < to; ++i) mean += observed[i];
  mean /= static_cast<double>(to - from);
  double error = 0.0;
  double variance = 0.0;
  for (std::size_t i = from; i < to; ++i) {
    error += std::pow(simulated[i] - observed[i], 2);
    variance += std::pow(observed[i] - mean, 2);
  }
  return 1.0 - error / variance;
}

double VolumeError(const std::vector<double>& simulated, const std::vector<double>& observed, std::size_t from,
                   std::size_t to) {
  const auto sum = [&](const std::vector<double>& v) {
    return std::accumulate(v.begin() + static_cast<long>(from), v.begin() + static_cast<long>(to), 0.0);
  };
  return sum(simulated) / sum(observed) - 1.0;
}

TEST(LegacyRunoff, ReachesTheCalibratedAndTheValidatedEfficiency) {
  const std::filesystem::path folder = RealData() / "topmodel";
  const Series series = ReadSeries(folder / "inputs.dat");
  ASSERT_EQ(series.rain.size(), 1430u) << "the header says 950; the rows count";
  ASSERT_EQ(Init((RiverBasin() / "topmodel.par").string(), (folder / "subcat.dat").string()), 0) << LastError();
  const double start = Stored(1);
  std::vector<double> simulated;
  for (std::size_t i = 0; i < series.rain.size(); ++i) {
    double discharge = 0.0;
    tmstep_(&series.rain[i], &series.evaporation[i], &discharge);
    simulated.push_back(discharge);
  }
  EXPECT_GE(NashSutcliffe(simulated, series.observed, 0, 633), 0.90);
  EXPECT_GE(NashSutcliffe(simulated, series.observed, 633, 950), 0.75);  // 24 h earlier: 0.746
  EXPECT_LT(std::abs(VolumeError(simulated, series.observed, 0, 633)), 0.15);
  EXPECT_LT(std::abs(VolumeError(simulated, series.observed, 633, 950)), 0.15);
  const int first = 1;
  double total[3];
  tmtotl_(&first, total);
  EXPECT_NEAR((start + total[0] - total[1] - total[2] - Stored(1)) / total[0], 0.0, 1e-9);
  EXPECT_NEAR(total[0], 0.2245, 1e-12);
  tmfin_();
}

}  // namespace
