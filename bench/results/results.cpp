// What a step of 1000 elements costs the results of a run: the journal behind our NetCDF files against the NetCDF
// library with a sync in each step (the other way to a file that opens after SIGKILL), and the CSV beside it.
#include <fmt/format.h>
#include <netcdf.h>
#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <vector>

#include "composition/results/CsvResults.hpp"
#include "composition/results/NetcdfResults.hpp"

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kElements = 1000;
constexpr int kSteps = 4000;
constexpr double kBegin = 57357.0;

double Microseconds(Clock::time_point begin, Clock::time_point end) {
  return std::chrono::duration<double, std::micro>(end - begin).count();
}

double Median(std::vector<double> numbers) {
  std::nth_element(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2), numbers.end());
  return numbers[numbers.size() / 2];
}

void Check(int status) {
  if (status != NC_NOERR) throw std::runtime_error(nc_strerror(status));
}

/// The library's own file, classic form, made known to the system after each row.
class SyncedFile {
 public:
  explicit SyncedFile(const std::filesystem::path& path) {
    Check(nc_create(path.c_str(), NC_CLOBBER | NC_64BIT_OFFSET, &id_));
    int dimensions[2] = {};
    Check(nc_def_dim(id_, "time", NC_UNLIMITED, &dimensions[0]));
    Check(nc_def_dim(id_, "element", kElements, &dimensions[1]));
    Check(nc_def_var(id_, "time", NC_DOUBLE, 1, dimensions, &time_));
    Check(nc_def_var(id_, "values", NC_DOUBLE, 2, dimensions, &values_));
    int old_mode = 0;
    Check(nc_set_fill(id_, NC_NOFILL, &old_mode));
    Check(nc_enddef(id_));
  }
  ~SyncedFile() { nc_close(id_); }
  void Append(std::size_t row, double time, const double* values) {
    const std::size_t start[] = {row, 0};
    const std::size_t count[] = {1, kElements};
    Check(nc_put_var1_double(id_, time_, start, &time));
    Check(nc_put_vara_double(id_, values_, start, count, values));
    Check(nc_sync(id_));
  }

 private:
  int id_ = 0;
  int time_ = 0;
  int values_ = 0;
};

int Run(const std::filesystem::path& folder) {
  openmi::ResultSeries series;
  series.id = "item";
  for (std::size_t i = 0; i < kElements; ++i) series.elements.push_back(fmt::format("e{}", i));

  openmi::NetcdfResults journal(folder / "ours.nc", {}, {series});
  openmi::CsvResults csv(folder / "ours.csv", {}, {series});
  SyncedFile synced(folder / "peer.nc");
  std::vector<double> row(kElements);
  std::vector<double> ours, peer, csv_times, ratios;
  for (int step = 0; step < kSteps; ++step) {
    const double time = kBegin + step / 24.0;
    for (std::size_t i = 0; i < kElements; ++i) row[i] = std::sin(0.001 * step + static_cast<double>(i));
    const auto t0 = Clock::now();
    journal.Append(0, time, time, row);
    journal.Commit(time);
    const auto t1 = Clock::now();
    synced.Append(static_cast<std::size_t>(step), time, row.data());
    const auto t2 = Clock::now();
    csv.Append(0, time, time, row);
    csv.Commit(time);
    const auto t3 = Clock::now();
    ours.push_back(Microseconds(t0, t1));
    peer.push_back(Microseconds(t1, t2));
    csv_times.push_back(Microseconds(t2, t3));
    ratios.push_back(ours.back() / peer.back());
  }
  const auto begin = Clock::now();
  journal.Close();
  const double close = Microseconds(begin, Clock::now()) / kSteps;

  constexpr double kBound = 1.2;
  constexpr double kCsvBound = 250.0;
  const double ratio = Median(ratios);
  fmt::print("results/journal-1000: {:.1f} us/step, {:.1f} us/step (nc_sync), {:.2f}, {:.2f}\n", Median(ours),
             Median(peer), ratio, kBound);
  // Once, at the end of a run, and it waits for the disk: no bound.
  fmt::print("results/close-1000: {:.1f} us/step, {:.1f} us/step (nc_sync), {:.2f}, none\n", close, Median(peer),
             close / Median(peer));
  fmt::print("results/csv-1000: {:.1f} us/step, {:.1f} us/step (limit), {:.2f}, {:.2f}\n", Median(csv_times), kCsvBound,
             Median(csv_times) / kCsvBound, 1.0);
  return ratio <= kBound && Median(csv_times) <= kCsvBound ? 0 : 1;
}

}  // namespace

int main() {
  std::string name = (std::filesystem::current_path() / "bench-results-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) return 2;
  int outcome = 2;
  try {
    outcome = Run(name);
  } catch (const std::exception& error) {
    fmt::print(stderr, "results: {}\n", error.what());
  }
  std::filesystem::remove_all(name);
  return outcome;
}
