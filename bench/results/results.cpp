// What a step of 1000 elements costs the results of a run: the journal behind our NetCDF files against the NetCDF
// library with a sync in each step (the other way to a file that opens after SIGKILL), and the CSV against a loop that
// turns the same numbers into text and gives each row to the system.
//
// No acceptance line asks for these figures; the bounds are our own. The journal may take 1.2 times nc_sync: it is
// there to be safe, not to be paid for. The CSV may take 250 ns a value, less than the 300 ns that the acceptance line
// of FMUs allows for a row and value, and 1.5 times the plain loop.
#include <fmt/format.h>
#include <netcdf.h>
#include <stdlib.h>

#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <vector>

#include "bench/support/Report.hpp"
#include "composition/results/CsvResults.hpp"
#include "composition/results/NetcdfResults.hpp"

namespace {

constexpr std::size_t kElements = 1000;
constexpr int kSteps = 4000;
constexpr double kBegin = 57357.0;

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

void Run(bench::Report& report, const std::filesystem::path& folder) {
  openmi::ResultSeries series;
  series.id = "item";
  for (std::size_t i = 0; i < kElements; ++i) series.elements.push_back(fmt::format("e{}", i));

  openmi::NetcdfResults journal(folder / "ours.nc", {}, {series});
  openmi::CsvResults csv(folder / "ours.csv", {}, {series});
  SyncedFile synced(folder / "peer.nc");
  std::vector<double> row(kElements);
  std::FILE* const plain = std::fopen((folder / "plain.csv").c_str(), "wb");
  if (plain == nullptr) throw std::runtime_error("expected a file, found none");
  std::vector<char> text(kElements * 32);
  bench::Pairs netcdf, rows;
  for (int step = 0; step < kSteps; ++step) {
    const double time = kBegin + step / 24.0;
    for (std::size_t i = 0; i < kElements; ++i) row[i] = std::sin(0.001 * step + static_cast<double>(i));
    const auto one_step = [&](auto&& work) { return bench::WallSeconds(work) * 1e6; };
    const auto of_journal = [&] {
      return one_step([&] {
        journal.Append(0, time, time, row);
        journal.Commit(time);
      });
    };
    const auto of_csv = [&] {
      return one_step([&] {
        csv.Append(0, time, time, row);
        csv.Commit(time);
      });
    };
    const auto of_synced = [&] {
      return one_step([&] { synced.Append(static_cast<std::size_t>(step), time, row.data()); });
    };
    const auto of_plain = [&] {
      return one_step([&] {
        char* at = text.data();
        for (const double value : row) {
          *at++ = ',';
          at = std::to_chars(at, text.data() + text.size(), value).ptr;
        }
        *at++ = '\n';
        std::fwrite(text.data(), 1, static_cast<std::size_t>(at - text.data()), plain);
        std::fflush(plain);
      });
    };
    // In turn: the one that begins changes from step to step.
    double a = step % 2 == 0 ? of_journal() : 0.0;
    double c = step % 2 == 0 ? of_csv() : 0.0;
    const double b = of_synced();
    const double d = of_plain();
    if (step % 2 != 0) a = of_journal();
    if (step % 2 != 0) c = of_csv();
    netcdf.Add(a, b);
    rows.Add(c, d);
  }
  std::fclose(plain);
  const double close = bench::WallSeconds([&] { journal.Close(); }) * 1e6 / kSteps;

  report.Line("journal-1000", netcdf, "us a step", "nc_sync", bench::Bound::AtMost(1.2));
  // Once, at the end of a run, and it waits for the disk: no bound.
  report.Line("close-1000", close, "us a step", "nc_sync", netcdf.Limit(), {});
  report.Line("csv-1000", rows, "us a step", "plain loop", bench::Bound::AtMost(1.5));
  report.Line("csv-1000-a-value", rows.Ours() * 1e3 / kElements, "ns", "limit", 250.0, bench::Bound::AtMost(1.0));
}

}  // namespace

int main(int count, char** words) {
  return bench::Main("results", count, words, [](bench::Report& report) {
    std::string name = (std::filesystem::current_path() / "bench-results-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
    try {
      Run(report, name);
    } catch (...) {
      std::filesystem::remove_all(name);
      throw;
    }
    std::filesystem::remove_all(name);
  });
}
