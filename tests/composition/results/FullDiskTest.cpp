#include <gmock/gmock.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include "ChildProcess.hpp"
#include "ResultsFixture.hpp"
#include "composition/results/CsvResults.hpp"
#include "composition/results/NetcdfResults.hpp"
#include "composition/results/ReadResults.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

using FullDiskTest = ResultsTest;

/// No file of this process may grow beyond so many bytes while this lives.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &old_);
    rlimit limit = old_;
    limit.rlim_cur = bytes;
    handler_ = signal(SIGXFSZ, SIG_IGN);
    EXPECT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &old_);
    signal(SIGXFSZ, handler_);
  }

 private:
  rlimit old_ = {};
  sighandler_t handler_ = SIG_DFL;
};

/// Writes rows until an error; the number of those that were committed.
int WriteUntilFull(IResultWriter& writer, std::string& message) {
  for (int hour = 1; hour < 100'000; ++hour) {
    try {
      writer.Append(0, Hour(hour), Hour(hour), std::vector{1.0 * hour, 0.5});
      writer.Commit(Hour(hour));
    } catch (const FileError& error) {
      message = error.what();
      return hour - 1;
    }
  }
  return -1;
}

void ExpectRows(const ResultTable& table, int count) {
  ASSERT_EQ(table.series.size(), 1u);
  ASSERT_EQ(table.series[0].ends.size(), static_cast<std::size_t>(count));
  EXPECT_EQ(table.series[0].Row(static_cast<std::size_t>(count - 1))[0], count);
  EXPECT_FALSE(table.was_cut) << "the row that did not fit was taken back";
}

TEST_F(FullDiskTest, CsvSaysSoAndKeepsEveryEarlierRow) {
  CsvResults csv(In("a.csv"), {}, {Discharge()});
  std::string message;
  int rows = 0;
  {
    const FileSizeLimit limit(20'000);
    rows = WriteUntilFull(csv, message);
    EXPECT_THROW(csv.Close(), FileError);
  }
  ASSERT_GT(rows, 100);
  EXPECT_THAT(message, AllOf(HasSubstr(In("a.csv").string()), HasSubstr("larger than the system allows"),
                             HasSubstr("are intact"), HasSubstr("ulimit -f")));
  ExpectRows(ReadResults(In("a.csv")), rows);
  csv.Close();  // there is room again: what was in hand is written
  ExpectRows(ReadResults(In("a.csv")), rows + 1);
}

TEST_F(FullDiskTest, JournalSaysSoAndKeepsEveryEarlierRow) {
  NetcdfResults results(In("a.nc"), {}, {Discharge()});
  std::string message;
  int rows = 0;
  {
    const FileSizeLimit limit(20'000);
    rows = WriteUntilFull(results, message);
  }
  ASSERT_GT(rows, 100);
  EXPECT_THAT(message, AllOf(HasSubstr(In("a.nc.journal").string()), HasSubstr("larger than the system allows"),
                             HasSubstr("safe in this journal")));
  ExpectRows(ReadResults(In("a.nc")), rows);
  results.Close();
  ExpectRows(ReadResults(In("a.nc")), rows + 1);
}

TEST_F(FullDiskTest, KeepsTheJournalWhereTheNetcdfFileFindsNoRoom) {
  {
    NetcdfResults results(In("a.nc"), {}, {Discharge()});
    for (int hour = 1; hour <= 2000; ++hour) results.Append(0, Hour(hour), Hour(hour), std::vector{1.0 * hour, 0.5});
    results.Commit(Hour(2000));
    const FileSizeLimit limit(20'000);
    EXPECT_THAT([&] { results.Close(); },
                ThrowsMessage<FileError>(AllOf(HasSubstr("a.nc"), HasSubstr("larger than the system allows"))));
    EXPECT_FALSE(std::filesystem::exists(In("a.nc.part"))) << "what there was of it gives its room back";
    EXPECT_FALSE(std::filesystem::exists(In("a.nc")));
  }
  EXPECT_TRUE(std::filesystem::exists(In("a.nc"))) << "the end of the writer tries again";
  ExpectRows(ReadResults(In("a.nc")), 2000);
}

TEST_F(FullDiskTest, SaysSoForTheFirstLineToo) {
  EXPECT_THAT([] { CsvResults("/dev/full", {}, {Discharge()}, AppendFile::Existing::Overwrite); },
              ThrowsMessage<FileError>(
                  AllOf(HasSubstr("/dev/full"), HasSubstr("the disk is full"), HasSubstr("free some space"))));
}

TEST_F(FullDiskTest, LeavesNothingInTheWayOfTheNextRunWhereNotEvenTheFirstLineFits) {
  {
    const FileSizeLimit limit(10);
    EXPECT_THAT([this] { CsvResults(In("a.csv"), {}, {Discharge()}); },
                ThrowsMessage<FileError>(AllOf(HasSubstr("a.csv"), HasSubstr("larger than the system allows"))));
    EXPECT_THAT([this] { NetcdfResults(In("a.nc"), {}, {Discharge()}); },
                ThrowsMessage<FileError>(AllOf(HasSubstr("a.nc.journal"), HasSubstr("larger than the system allows"))));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
  EXPECT_NO_THROW(CsvResults(In("a.csv"), {}, {Discharge()}).Close());
  EXPECT_NO_THROW(NetcdfResults(In("a.nc"), {}, {Discharge()}).Close());
}

TEST_F(FullDiskTest, HoldsOnADiskThatIsReallyFull) {
  std::filesystem::create_directory(In("disk"));
  const ChildProcess child([this](ChildProcess::Reporter& reporter) {
    const bool is_mounted =
        unshare(getuid() == 0 ? CLONE_NEWNS : CLONE_NEWUSER | CLONE_NEWNS) == 0 &&
        mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
        mount("tmpfs", In("disk").c_str(), "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, "size=64k") == 0;
    reporter.Report(is_mounted ? 1 : 0);
    if (!is_mounted) return;
    CsvResults csv(In("disk/a.csv"), {}, {Discharge()});
    std::string message;
    const int rows = WriteUntilFull(csv, message);
    reporter.Report(message.find("the disk is full") != std::string::npos ? 1 : 0);
    reporter.Report(rows);
    reporter.Report(static_cast<double>(ReadResults(In("disk/a.csv")).series.at(0).ends.size()));
  });
  if (child.Next() != 1.0) GTEST_SKIP() << "no file system may be mounted here";
  EXPECT_EQ(child.Next(), 1.0) << "the message says so";
  const auto rows = child.Next();
  ASSERT_TRUE(rows.has_value());
  EXPECT_GT(*rows, 100.0);
  EXPECT_EQ(child.Next(), rows);
}

TEST_F(FullDiskTest, ReadsAJournalInAFolderThatHasNoRoomForTheFile) {
  ChildProcess child([this](ChildProcess::Reporter& reporter) {
    NetcdfResults results(In("a.nc"), {}, {Discharge()});
    for (int hour = 1; hour <= 2000; ++hour) results.Append(0, Hour(hour), Hour(hour), std::vector{1.0 * hour, 0.5});
    results.Commit(Hour(2000));
    reporter.Report(1);
    pause();
  });
  ASSERT_EQ(child.Next(), 1.0);
  child.Kill();
  {
    const FileSizeLimit limit(20'000);
    ExpectRows(ReadResults(In("a.nc")), 2000);
  }
  EXPECT_TRUE(std::filesystem::exists(JournalOf(In("a.nc"))));
  ExpectRows(ReadResults(In("a.nc")), 2000);
  EXPECT_FALSE(std::filesystem::exists(JournalOf(In("a.nc"))));
}

}  // namespace
}  // namespace openmi
