// The NetCDF library guards nothing of its own: runs of one process must not meet within it.

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <netcdf.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "composition/results/NetcdfResults.hpp"
#include "composition/results/ReadResults.hpp"
#include "tests/composition/results/ResultsFixture.hpp"

namespace {

std::atomic<bool> is_watched = false;  // the other tests of this program do not wait
std::atomic<int> within = 0;
std::atomic<int> most_within = 0;

/// Stays in the library for a moment, so that whoever does not wait is met there.
class Visit {
 public:
  Visit() {
    const int now = ++within;
    int most = most_within;
    while (most < now && !most_within.compare_exchange_weak(most, now)) {
    }
    if (is_watched) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  ~Visit() { --within; }
};

}  // namespace

// Stand before the functions of the library, for all that this program loads.
extern "C" {

int nc_def_dim(int file, const char* name, size_t length, int* dimension) {
  const Visit visit;
  return reinterpret_cast<decltype(&nc_def_dim)>(dlsym(RTLD_NEXT, "nc_def_dim"))(file, name, length, dimension);
}

int nc_get_var_double(int file, int variable, double* values) {
  const Visit visit;
  return reinterpret_cast<decltype(&nc_get_var_double)>(dlsym(RTLD_NEXT, "nc_get_var_double"))(file, variable, values);
}

}  // extern "C"

namespace openmi {
namespace {

using NetcdfThreads = ResultsTest;

TEST_F(NetcdfThreads, OnlyOneThreadIsWithinTheLibrary) {
  const auto work = [this](int number) {
    const auto path = In("run" + std::to_string(number) + ".nc");
    for (int i = 0; i < 4; ++i) {
      {
        NetcdfResults results(path, {}, {Discharge()}, AppendFile::Existing::Overwrite);
        const std::vector<double> row(Discharge().Width(), 1.0);
        results.Append(0, 57388.0, 57388.0, row);
        results.Close();
      }
      EXPECT_EQ(ReadNetcdfResults(path).series.size(), 1U);
    }
  };
  most_within = 0;
  is_watched = true;
  std::vector<std::thread> runs;
  for (int i = 0; i < 3; ++i) runs.emplace_back(work, i);
  for (std::thread& run : runs) run.join();
  is_watched = false;
  EXPECT_EQ(most_within, 1) << "0: the functions that are watched are not called any more";
}

}  // namespace
}  // namespace openmi
