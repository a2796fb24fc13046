// What a study costs: the time of a member over the bare run in this process, two workers against one, memory, and the
// same members as processes of `openmi run` and through GNU parallel.
//
// A member is a composition of a year of daily steps: a series, a cascade, an observed output. Rounds alternate.
// Arguments: none, all; else some of overhead, cores, memory and processes.

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "bench/support/Measure.hpp"
#include "bench/support/Report.hpp"
#include "study/run/MemberRunner.hpp"
#include "study/run/StudyRun.hpp"

namespace {

namespace fs = std::filesystem;

constexpr int kRounds = 7;

/// A folder with the composition and studies of it.
class Place {
 public:
  Place() : folder_(fs::temp_directory_path() / fmt::format("openmi-bench-study-{}", ::getpid())) {
    fs::create_directories(folder_);
    std::ofstream rain(folder_ / "rain.csv");
    rain << "time,rain (mm d-1)\n";
    for (int day = 0; day < 365; ++day) {
      rain << fmt::format("{},{}\n", 51910 + day, day % 5 == 0 ? 10.0 + day % 7 : 0.0);
    }
    std::ofstream(folder_ / "creek.xml")
        << "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"creek\">\n"
           "<Component Id=\"rain\" Type=\"openmi.CsvSeries\" Assembly=\"openmi-components\">\n"
           "<Argument Key=\"file\" Value=\"rain.csv\"/><Argument Key=\"stamps\" Value=\"begin\"/>"
           "<Argument Key=\"step\" Value=\"P1D\"/><Argument Key=\"time-units\" Value=\"d\"/>"
           "<Argument Key=\"epoch\" Value=\"1858-11-17T00:00Z\"/></Component>\n"
           "<Component Id=\"creek\" Type=\"openmi.NashCascade\" Assembly=\"openmi-components\">\n"
           "<Argument Key=\"unit\" Value=\"mm d-1\"/><Argument Key=\"time-step\" Value=\"P1D\"/></Component>\n"
           "<Link From=\"rain.rain\" To=\"creek.inflow\"/><Observe Item=\"creek.outflow\"/>\n"
           "<Run From=\"2001-01-01T00:00Z\" To=\"2001-12-31T00:00Z\" Trigger=\"creek\"/>\n</Composition>\n";
  }
  ~Place() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  const fs::path& Folder() const { return folder_; }

  openmi::Study Study(std::uint64_t members) const {
    std::ofstream(folder_ / "study.xml") << fmt::format(
        "<Study xmlns=\"urn:openmi2:study:1\" Id=\"s\" Composition=\"creek.xml\">\n"
        "<Vary Id=\"k\" Argument=\"creek.residence-time\" From=\"6\" To=\"240\" Scale=\"log\"/>\n"
        "<Design Method=\"latin-hypercube\" Members=\"{}\"/></Study>\n",
        members);
    openmi::Problems problems;
    openmi::Study study(folder_ / "study.xml", {}, problems);
    openmi::ThrowIfErrors(problems);
    return study;
  }
  /// Runs a study. \returns seconds
  double Run(std::uint64_t members, int workers, const std::function<void(std::uint64_t)>& at = {}) const {
    openmi::Study study = Study(members);
    openmi::StudyQueue queue(study, {.folder = folder_ / "results", .overwrite = true},
                             static_cast<std::size_t>(workers));
    openmi::StudyWatch watch;
    if (at) watch.progress = [&at](const openmi::StudyProgress& progress) { at(progress.done); };
    openmi::StudyRun run(queue);
    return bench::WallSeconds([&] {
      if (!run.Run(watch) || queue.Progress().failed > 0) throw std::runtime_error("expected all members to be done");
    });
  }

 private:
  fs::path folder_;
};

/// The bare runs in this process: what a worker does without messages, journal and results.
double BareSeconds(const Place& place, std::uint64_t members) {
  const openmi::Study study = place.Study(members);
  openmi::Problems problems;
  openmi::MemberRunner runner(openmi::StudyPlan(study.File(), study.Plan().Composition(), problems), {},
                              place.Folder() / "bare");
  return bench::WallSeconds([&] {
    for (std::uint64_t member = 0; member < members; ++member) {
      openmi::MemberRunner::Extras extras;
      const auto result = runner.Run({.member = member, .values = study.Values(member)}, extras);
      if (result.end != openmi::MemberEnd::Done) throw std::runtime_error(result.problem);
    }
  });
}

/// Differences of two lengths leave out what is paid once: the start of workers and the first member.
constexpr std::uint64_t kShort = 200;
constexpr std::uint64_t kLong = 1200;
constexpr double kMembers = kLong - kShort;

void Overhead(bench::Report& report, const Place& place) {
  bench::Pairs pairs;
  for (int round = 0; round < kRounds; ++round) {
    const double study = place.Run(kLong, 1) - place.Run(kShort, 1);
    const double bare = BareSeconds(place, kLong) - BareSeconds(place, kShort);
    pairs.Add(1e3 * study / kMembers, 1e3 * bare / kMembers);
  }
  report.Line("overhead", pairs, "ms", "bare run", bench::Bound::AtMostOver(1.0), "a member on one worker");
}

void Cores(bench::Report& report, const Place& place) {
  bench::Pairs pairs;
  for (int round = 0; round < kRounds; ++round) {
    const double two = place.Run(kLong, 2) - place.Run(kShort, 2);
    const double one = place.Run(kLong, 1) - place.Run(kShort, 1);
    pairs.Add(kMembers / two, kMembers / one);
  }
  report.Line("cores", pairs, "members/s", "one worker", bench::Bound::AtLeast(1.9), "two workers");
}

/// Resident memory of a process, kB.
double ResidentOf(const std::string& process) {
  std::ifstream file("/proc/" + process + "/status");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("VmRSS:")) return std::strtod(line.c_str() + 6, nullptr);
  }
  return 0.0;
}

double ResidentOfAll() {
  double sum = ResidentOf("self");
  std::ifstream children("/proc/self/task/" + std::to_string(::getpid()) + "/children");
  for (int pid = 0; children >> pid;) sum += ResidentOf(std::to_string(pid));
  return sum;
}

void Memory(bench::Report& report, const Place& place) {
  double early = 0.0;
  double late = 0.0;
  place.Run(10'000, 2, [&](std::uint64_t done) {
    if (done >= 100 && early == 0.0) early = ResidentOfAll();
    if (done < 10'000) late = ResidentOfAll();
  });
  report.Line("memory", late, "kB", "at member 100", early, bench::Bound::AtMost(1.1),
              "manager and two workers near member 10 000");
}

void Processes(bench::Report& report, const Place& place) {
  constexpr std::uint64_t kCount = 500;
  const openmi::Study study = place.Study(kCount);
  const fs::path folder = place.Folder() / "single";
  fs::create_directories(folder);
  for (std::uint64_t member = 0; member < kCount; ++member) {
    openmi::WriteCompositionFile(openmi::MovedTo(study.Plan().Make(study.Values(member), folder).composition, folder),
                                 folder / fmt::format("{}.xml", member));
  }
  const std::string command =
      fmt::format("'{}' run '{}/{{}}.xml' --results '{}/out-{{}}' --overwrite --no-report --quiet", OPENMI_PROGRAM,
                  folder.string(), folder.string());
  const double ours = place.Run(kCount, 2);
  const auto shell = [](const std::string& line) {
    if (std::system(line.c_str()) != 0) throw std::runtime_error("expected the runs to succeed: " + line);
  };
  const double single = bench::WallSeconds([&] {
    shell(fmt::format("for i in $(seq 0 {}); do {}; done", kCount - 1,
                      fmt::format("'{}' run '{}'/$i.xml --results '{}'/out-$i --overwrite --no-report --quiet",
                                  OPENMI_PROGRAM, folder.string(), folder.string())));
  });
  report.Line("single-runs", kCount / ours, "members/s", "openmi run", kCount / single, bench::Bound::AtLeast(2.0),
              "500 members, start of the study included");
  if (std::system("command -v parallel > /dev/null") != 0) {
    report.Fact("gnu-parallel", true, "not installed: left out");
    return;
  }
  const double parallel = bench::WallSeconds(
      [&] { shell(fmt::format("seq 0 {} | parallel --will-cite -j 2 {}", kCount - 1, "\"" + command + "\"")); });
  report.Line("gnu-parallel", kCount / ours, "members/s", "parallel -j 2", kCount / parallel,
              bench::Bound::AtLeast(2.0), "500 members, start of the study included");
}

}  // namespace

int main(int count, char** words) {
  return bench::Main("study", count, words, [](bench::Report& report) {
    const Place place;
    if (report.Wants("overhead")) Overhead(report, place);
    if (report.Wants("cores")) Cores(report, place);
    if (report.Wants("memory")) Memory(report, place);
    if (report.Wants("processes")) Processes(report, place);
  });
}
