// Runs whose disk fails: each call that writes, syncs, renames, cuts or opens a file of the results fails in one run.
// None of them ends with exit code 0 and something lost, none takes away what it said was safe, and each can be gone on
// with, to the results of a run that was never disturbed. OPENMI_SOAK in the environment takes every call up to the
// 300th; without it a few of each kind are taken.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <regex>
#include <set>
#include <thread>

#include "composition/results/CsvResults.hpp"
#include "composition/results/JournalReader.hpp"
#include "composition/results/NetcdfResults.hpp"
#include "composition/results/ReadResults.hpp"
#include "tests/support/Sanitized.hpp"
#include "tests/tools/Command.hpp"
#include "timespace/times/Iso8601.hpp"

namespace {

namespace fs = std::filesystem;
using openmi::ChildResult;
using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;

enum Kind { kWrite, kSync, kRename, kTruncate, kOpen, kKinds };
constexpr const char* kNames[kKinds] = {"write", "sync", "rename", "truncate", "open"};
constexpr const char* kTables[] = {"mix.csv", "mix.nc", "rec.csv"};

/// A call that fails. \param at  the first is 1; 0: none fails
struct Fault {
  Kind kind = kWrite;
  std::uint64_t at = 0;
  int error = EIO;
  bool forever = false;
};

std::string TextOf(const Fault& fault) {
  return std::string(kNames[fault.kind]) + " " + std::to_string(fault.at) + (fault.forever ? " and all after it" : "") +
         " fails: " + std::strerror(fault.error);
}

using Counts = std::array<std::uint64_t, kKinds>;

/// The bytes of the files of a folder, by name; those that stand for a lock are left out.
std::map<std::string, std::string> FilesOf(const fs::path& folder) {
  std::map<std::string, std::string> files;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    std::ostringstream bytes;
    bytes << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    if (!entry.path().filename().string().ends_with(".lock")) files[entry.path().filename()] = bytes.str();
  }
  return files;
}

/// Without the line that holds the words of the command.
std::string WithoutHistory(const std::string& csv) {
  std::istringstream lines(csv);
  std::string kept;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("# history")) kept += line + "\n";
  }
  return kept;
}

bool HasSameRows(const fs::path& a, const fs::path& b) {
  const openmi::ResultTable one = openmi::ReadNetcdfResults(a);
  const openmi::ResultTable other = openmi::ReadNetcdfResults(b);
  return std::ranges::equal(one.series, other.series, [](const auto& x, const auto& y) {
    return x.series.id == y.series.id && x.begins == y.begins && x.ends == y.ends &&
           x.values.size() == y.values.size() &&
           std::memcmp(x.values.data(), y.values.data(), x.values.size() * sizeof(double)) == 0;
  });
}

class FailingDisk : public ::testing::Test {
 protected:
  static constexpr int kSteps = 110;

  void SetUp() override {
    WriteInputs();
    ASSERT_EQ(Run("--resume").exit_code, 0) << Run("--resume").err;
    fs::rename(here_.Path() / "out", here_.Path() / "whole");
    whole_ = FilesOf(here_.Path() / "whole");
    for (const char* name : kTables) ASSERT_GT(whole_[name].size(), 2000U) << name;
  }

  /// \param scale  of the series: another one gives other results
  void WriteInputs(double scale = 1.0) {
    std::string rain = "time,rain\n";
    for (int i = 0; i <= kSteps; ++i) {
      const double mjd = 51544.0 + i / 24.0;
      rain += openmi::FormatIsoTime(openmi::Stamp{mjd}) + "," + std::to_string(scale * (i * 37 % 23)) + "\n";
    }
    here_.Write("rain.csv", rain);
    here_.Write("mix.xml",
                R"(<Composition xmlns="urn:openmi2:composition:1" Id="mix">
  <Component Id="rain" Type="openmi.CsvSeries" Assembly="openmi-components">
    <Argument Key="file" Value="rain.csv"/><Argument Key="columns" Value="rain=rain[m3 s-1]"/>
  </Component>
  <Component Id="twice" Type="openmi.Expression" Assembly="openmi-components">
    <Argument Key="inputs" Value="x[m3 s-1],s[m3]"/><Argument Key="outputs" Value="y=2*x[m3 s-1]; z=s+1[m3]"/>
    <Argument Key="asks" Value="instant"/>
  </Component>
  <Component Id="rec" Type="openmi.Recorder" Assembly="openmi-components">
    <Argument Key="items" Value="y[m3 s-1],z[m3]"/><Argument Key="file" Value="rec.csv"/>
    <Argument Key="time-step" Value="PT1H"/>
  </Component>
  <Link From="rain.rain" To="twice.x"/>
  <Link From="rain.rain" To="twice.s"><Adaptor Id="accumulate"/></Link>
  <Link From="twice.y" To="rec.y"/>
  <Link From="twice.z" To="rec.z"/>
  <Observe Item="twice.y"/>
  <Observe Item="twice.z" Every="PT3H" As="mean"/>
  <Checkpoints Every="PT1H"/>
  <Run From="2000-01-01T00:00Z" To=")" +
                    openmi::FormatIsoTime(openmi::Stamp{51544.0 + kSteps / 24.0}) + R"(" Trigger="rec"/>
</Composition>
)");
  }

  ChildResult Run(const std::string& how, const Fault& fault = {}, bool has_report = true) const {
    const std::string counts = here_.Write("counts", std::string(sizeof(Counts), '\0'));
    std::vector<std::string> environment = {"SOURCE_DATE_EPOCH=1700000000",
                                            "LD_PRELOAD=" OPENMI_FAILING_CALLS,
                                            "OPENMI_FAIL_BELOW=" + (here_.Path() / "out").string(),
                                            "OPENMI_FAIL_COUNTS=" + counts,
                                            std::string("OPENMI_FAIL_CALL=") + kNames[fault.kind],
                                            "OPENMI_FAIL_AT=" + std::to_string(fault.at),
                                            "OPENMI_FAIL_ERROR=" + std::to_string(fault.error)};
    if (openmi::test::kIsSanitized) environment.push_back("ASAN_OPTIONS=verify_asan_link_order=0");
    if (fault.forever) environment.push_back("OPENMI_FAIL_FOREVER=1");
    std::vector<std::string> arguments = {"run", "mix.xml", "--results", "out", how, "--quiet"};
    if (!has_report) arguments.push_back("--no-report");
    return here_.Run(arguments, environment);
  }

  /// How many calls of each kind the last run made.
  Counts CountsOfLast() const {
    Counts counts{};
    const std::string bytes = here_.Read("counts");
    std::memcpy(counts.data(), bytes.data(), sizeof counts);
    return counts;
  }

  /// The faults to try where a run makes so many calls: in a soak all up to the 300th, else a few of each kind.
  static std::vector<Fault> FaultsFor(const Counts& counts, std::size_t few) {
    std::vector<Fault> faults;
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
      const std::uint64_t last = std::min<std::uint64_t>(counts[kind], 300);
      std::set<std::uint64_t> chosen;
      if (IsSoak()) {
        for (std::uint64_t at = 1; at <= last; ++at) chosen.insert(at);
        for (std::uint64_t back = 0; back < 20 && back < counts[kind]; ++back) chosen.insert(counts[kind] - back);
      } else {  // the first and last ones, where files are begun and completed, and some between
        for (std::uint64_t i = 0; i < few && counts[kind] > 0; ++i) {
          chosen.insert(i % 3 == 0   ? std::min<std::uint64_t>(1 + i / 3, counts[kind])
                        : i % 3 == 1 ? counts[kind] - std::min<std::uint64_t>(i / 3, counts[kind] - 1)
                                     : 1 + (counts[kind] * (2 * i + 1)) / (2 * few + 1));
        }
      }
      for (const std::uint64_t at : chosen) {
        const bool is_odd = at % 2 == 1;
        faults.push_back({static_cast<Kind>(kind), at, is_odd ? EIO : ENOSPC, at % 3 == 0});
      }
    }
    return faults;
  }

  static bool IsSoak() { return std::getenv("OPENMI_SOAK") != nullptr; }

  void ExpectWhole(const std::string& what) {
    const auto files = FilesOf(here_.Path() / "out");
    for (const char* name : kTables) {
      const auto found = files.find(name);
      ASSERT_NE(found, files.end()) << what << ": no " << name;
      EXPECT_TRUE(found->second == whole_[name]) << what << ": other bytes in " << name;
    }
    EXPECT_TRUE(files.contains("mix.html")) << what;
  }

  /// As ExpectWhole, but for the words of the command.
  void ExpectWholeRows(const std::string& what) {
    EXPECT_TRUE(WithoutHistory(here_.Read("out/mix.csv")) == WithoutHistory(whole_["mix.csv"])) << what;
    EXPECT_TRUE(here_.Read("out/rec.csv") == whole_["rec.csv"]) << what;
    EXPECT_TRUE(HasSameRows(here_.Path() / "out/mix.nc", here_.Path() / "whole/mix.nc")) << what;
  }

  /// What the run said of rows that are safe is true.
  void ExpectPromisesKept(const std::string& said) {
    const std::regex promise("([^\\n]+?): [^\\n]*rows up to (\\S+) are (safe in this journal|intact)");
    std::smatch match;
    if (!std::regex_search(said, match, promise)) return;
    const fs::path file = here_.Path() / "out" / fs::path(match[1].str()).filename();
    double last = 0.0;
    if (file.extension() == ".journal") {
      const openmi::JournalReader journal(file);
      for (std::size_t i = 0; i < journal.Series().size(); ++i) {
        if (!journal.Rows(i).empty()) last = std::max(last, journal.Rows(i).back().end);
      }
    } else {
      for (const auto& rows : openmi::ReadCsvResults(file).series) {
        if (!rows.ends.empty()) last = std::max(last, rows.ends.back());
      }
    }
    EXPECT_GE(last, openmi::ParseIsoTime(match[2].str()).mjd - 1e-9) << said;
  }

  /// Goes on with what a run left whose disk failed; in the end everything is there.
  void GoOn(const std::string& what, bool is_same_command) {
    const ChildResult resumed = Run("--resume");
    EXPECT_EQ(resumed.exit_code, 0) << what << "; then " << resumed.err;
    if (is_same_command) {
      ExpectWhole(what + "; then resumed: " + resumed.err);
    } else {
      ExpectWholeRows(what + "; then resumed: " + resumed.err);
    }
  }

  Workplace here_;
  std::map<std::string, std::string> whole_;
};

TEST_F(FailingDisk, ARunFromTheBeginIsWholeOrGoneOnWith) {
  const Counts counts = CountsOfLast();
  for (const std::uint64_t count : counts) EXPECT_GT(count, 0U) << "a kind of calls that is not looked at";
  EXPECT_GE(counts[kWrite], 300U);
  EXPECT_GE(counts[kSync], 300U);
  EXPECT_GE(counts[kRename], 200U);
  int failed = 0;
  for (const Fault& fault : FaultsFor(counts, 6)) {
    const std::string what = TextOf(fault);
    fs::remove_all(here_.Path() / "out");
    const ChildResult result = Run("--resume", fault);
    EXPECT_EQ(result.signal, 0) << what;
    if (result.exit_code == 0) {
      ExpectWhole(what + "; the run ended well, saying " + result.err);
    } else {
      ++failed;
      EXPECT_THAT(result.err, AnyOf(HasSubstr("expected"), HasSubstr("found"), HasSubstr("cannot"))) << what;
      ExpectPromisesKept(result.err);
      GoOn(what, true);
    }
    if (HasFailure() && !IsSoak()) return;
  }
  EXPECT_GT(failed, 5);
  std::printf("%d of the runs failed\n", failed);
}

TEST_F(FailingDisk, AResumedRunIsWholeOrGoneOnWithAgain) {
  // Half of a run: its disk breaks for good.
  ASSERT_NE(Run("--resume", {.kind = kWrite, .at = 400, .error = EIO, .forever = true}).exit_code, 0);
  fs::rename(here_.Path() / "out", here_.Path() / "half");
  fs::copy(here_.Path() / "half", here_.Path() / "out");
  ASSERT_EQ(Run("--resume").exit_code, 0);
  ExpectWhole("undisturbed");
  std::vector<Fault> faults = FaultsFor(CountsOfLast(), 2);
  for (std::uint64_t at = 5; at <= 10; ++at) faults.push_back({kOpen, at, EIO});  // checkpoint and journal are read
  for (const Fault& fault : faults) {
    const std::string what = TextOf(fault);
    fs::remove_all(here_.Path() / "out");
    fs::copy(here_.Path() / "half", here_.Path() / "out");
    const ChildResult result = Run("--resume", fault);
    EXPECT_EQ(result.signal, 0) << what;
    if (result.exit_code == 0) {
      ExpectWhole(what + "; the run ended well, saying " + result.err);
    } else {
      ExpectPromisesKept(result.err);
      GoOn(what, true);
    }
    if (HasFailure() && !IsSoak()) return;
  }
}

TEST_F(FailingDisk, EarlierResultsStayUntilTheNewRunHasWrittenARow) {
  WriteInputs(3.0);
  ASSERT_EQ(Run("--resume").exit_code, 0);
  fs::rename(here_.Path() / "out", here_.Path() / "earlier");
  const auto earlier = FilesOf(here_.Path() / "earlier");
  WriteInputs();
  fs::copy(here_.Path() / "earlier", here_.Path() / "out");
  ASSERT_EQ(Run("--overwrite").exit_code, 0);
  ExpectWholeRows("undisturbed");
  int kept = 0;
  for (const Fault& fault : FaultsFor(CountsOfLast(), 3)) {
    const std::string what = TextOf(fault);
    fs::remove_all(here_.Path() / "out");
    fs::copy(here_.Path() / "earlier", here_.Path() / "out");
    const ChildResult result = Run("--overwrite", fault);
    EXPECT_EQ(result.signal, 0) << what;
    if (result.exit_code == 0) {
      ExpectWholeRows(what + "; the run ended well, saying " + result.err);
    } else if (FilesOf(here_.Path() / "out") == earlier) {
      ++kept;
    } else {
      const auto after = FilesOf(here_.Path() / "out");
      std::string changed;
      for (const auto& [name, bytes] : after) {
        if (!earlier.contains(name) || earlier.at(name) != bytes) changed += " " + name;
      }
      ExpectPromisesKept(result.err);
      GoOn(what + ", saying " + result.err + "changed:" + changed, false);
    }
    if (HasFailure() && !IsSoak()) return;
  }
  EXPECT_GT(kept, 0);
  std::printf("earlier results stayed %d times\n", kept);
}

/// The same run, disturbed by others: it is killed, hung up, or its files are taken away.
class DisturbedRun : public FailingDisk {
 protected:
  /// Starts a run that takes some seconds, and waits until it has written some rows.
  void Begin() {
    const std::string err = here_ / "err.txt";
    child_ = fork();
    if (child_ == 0) {
      if (chdir(here_.Path().c_str()) != 0 || std::freopen(err.c_str(), "w", stderr) == nullptr) _exit(126);
      setenv("SOURCE_DATE_EPOCH", "1700000000", 1);
      execl(Workplace::Program().c_str(), "openmi", "run", "mix.xml", "--results", "out", "--resume", "--quiet",
            "--pace", "72000", nullptr);
      _exit(127);
    }
    while (std::ranges::count(here_.Read("out/mix.csv"), '\n') < 20) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      if (waitpid(child_, nullptr, WNOHANG) == child_) FAIL() << "the run has ended: " << here_.Read("err.txt");
    }
  }
  /// \returns how the run ended: its exit code, or the negative number of the signal
  int End() {
    int status = 0;
    waitpid(child_, &status, 0);
    said_ = here_.Read("err.txt");
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  void WriteCheckpoints(const std::string& every) {
    std::string text = here_.Read("mix.xml");
    text.replace(text.find("PT1H\"/>\n  <Run"), 4, every);
    here_.Write("mix.xml", text);
  }

  pid_t child_ = -1;
  std::string said_;
};

TEST_F(DisturbedRun, KilledBeforeItsFirstCheckpointIsBegunAgainOverItsOwnRecord) {
  WriteCheckpoints("P9D");
  Begin();
  kill(child_, SIGKILL);
  EXPECT_EQ(End(), -SIGKILL);
  ASSERT_GT(here_.Read("out/rec.csv").size(), 100U);
  const ChildResult resumed = Run("--resume");
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  ExpectWhole(resumed.err);
}

TEST_F(DisturbedRun, HungUpEndsInOrderAndSaysHowToGoOn) {
  for (const int signal : {SIGHUP, SIGINT}) {
    fs::remove_all(here_.Path() / "out");
    Begin();
    kill(child_, signal);
    EXPECT_EQ(End(), 130) << said_;
    EXPECT_THAT(said_, HasSubstr("results until then are kept: continue with --resume"));
    EXPECT_TRUE(fs::exists(here_.Path() / "out/mix.nc"));
    const ChildResult resumed = Run("--resume");
    EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
    ExpectWholeRows(resumed.err);
  }
}

TEST_F(DisturbedRun, ATableThatIsRemovedIsReported) {
  Begin();
  fs::remove(here_.Path() / "out/mix.csv");
  EXPECT_EQ(End(), 7) << said_;
  EXPECT_THAT(said_,
              HasSubstr("mix.csv: expected the results to stay where they are, found that the file was removed"));
}

TEST_F(DisturbedRun, ARecordThatIsRemovedIsReported) {
  Begin();
  fs::remove(here_.Path() / "out/rec.csv");
  EXPECT_EQ(End(), 6) << said_;
  EXPECT_THAT(said_, HasSubstr("rec.file: expected the file to stay where it is, found that it was removed or moved"));
}

TEST_F(DisturbedRun, AResumeThatIsRefusedLeavesEveryByte) {
  Begin();
  kill(child_, SIGKILL);
  End();
  const std::string record = here_.Read("out/rec.csv");
  here_.Write("out/rec.csv", record.substr(0, 60));  // shorter than any checkpoint says
  const auto before = FilesOf(here_.Path() / "out");
  const ChildResult refused = Run("--resume");
  EXPECT_EQ(refused.exit_code, 6) << refused.err;
  EXPECT_THAT(refused.err, AllOf(HasSubstr("found fewer; the file was cut or replaced since"),
                                 HasSubstr("the results of the earlier run are kept")));
  const auto after = FilesOf(here_.Path() / "out");
  for (const auto& [name, bytes] : before) {
    EXPECT_TRUE(after.contains(name) && after.at(name) == bytes) << name;
  }
  EXPECT_EQ(after.size(), before.size());
  here_.Write("out/rec.csv", record);
  EXPECT_EQ(Run("--resume").exit_code, 0);
  ExpectWholeRows("the record is back");
}

TEST_F(DisturbedRun, ALinkInThePlaceOfATableIsNotFollowed) {
  const std::string precious = here_.Write("precious.txt", "precious");
  ASSERT_EQ(Run("--resume").exit_code, 0);
  for (const char* name : {"mix.csv", "mix.nc.journal", "mix.csv.part", "mix.nc.journal.part", "rec.csv.part"}) {
    const bool is_of_the_record = std::string(name).starts_with("rec");
    fs::remove(here_.Path() / "out" / name);
    fs::create_symlink(precious, here_.Path() / "out" / name);
    const ChildResult refused = Run("--overwrite");
    EXPECT_EQ(refused.exit_code, is_of_the_record ? 6 : 7) << name << ": " << refused.err;
    EXPECT_THAT(refused.err, HasSubstr("link")) << name;
    EXPECT_EQ(here_.Read("precious.txt"), "precious") << name;
    fs::remove(here_.Path() / "out" / name);
  }
  EXPECT_EQ(Run("--overwrite").exit_code, 0);
  ExpectWholeRows("overwritten");
}

}  // namespace
