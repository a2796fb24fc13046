#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <optional>

#include "ChildProcess.hpp"
#include "ResultsFixture.hpp"
#include "composition/results/AppendFile.hpp"
#include "composition/results/CsvResults.hpp"
#include "composition/results/NetcdfResults.hpp"
#include "composition/results/ReadResults.hpp"
#include "composition/results/RunFolder.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

using RunFolderTest = ResultsTest;

TEST_F(RunFolderTest, NamesTheFilesAndMakesTheFolder) {
  const RunFolder run(In("new/deep"), "upper-creek");
  EXPECT_EQ(run.Csv(), In("new/deep/upper-creek.csv"));
  EXPECT_EQ(run.Netcdf(), In("new/deep/upper-creek.nc"));
  EXPECT_EQ(run.Report(), In("new/deep/upper-creek.html"));
  EXPECT_EQ(run.File(".json"), In("new/deep/upper-creek.json"));
  EXPECT_TRUE(std::filesystem::is_directory(In("new/deep")));
}

TEST_F(RunFolderTest, LeavesNothingBehind) {
  { const RunFolder run(folder_, "a"); }
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(RunFolderTest, RefusesEarlierResultsUnlessToldToOverwrite) {
  for (const char* name : {"a.csv", "a.nc", "a.html"}) {
    WriteText(In(name), "precious");
    EXPECT_THAT(
        [this] { RunFolder(folder_, "a"); },
        ThrowsMessage<FileError>(AllOf(HasSubstr(name), HasSubstr("no earlier results"), HasSubstr("--overwrite"))));
    EXPECT_EQ(TextOf(In(name)), "precious");
    EXPECT_NO_THROW(RunFolder(folder_, "b")) << "another name";
    EXPECT_NO_THROW(RunFolder(folder_, "a", RunFolder::Existing::Overwrite));
    std::filesystem::remove(In(name));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder_)) << "a refused run lets go of the folder";
}

TEST_F(RunFolderTest, APipeOrADeviceIsNotReplaced) {
  ASSERT_EQ(mkfifo(In("a.csv").c_str(), 0600), 0);
  const auto message = HasSubstr("expected a file of the results, found a pipe or a device");
  EXPECT_THAT([this] { ExpectReplaceable(In("a.csv")); }, ThrowsMessage<FileError>(message));
  const FileDescriptor reader(open(In("a.csv").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  EXPECT_THAT([this] { ExpectReplaceable(In("a.csv")); }, ThrowsMessage<FileError>(message));
  EXPECT_THAT([] { ExpectReplaceable("/dev/null"); }, ThrowsMessage<FileError>(message));
  WriteText(In("b.csv"), "earlier");
  EXPECT_NO_THROW(ExpectReplaceable(In("b.csv")));
}

TEST_F(RunFolderTest, TakesAnEmptyFileForNoResults) {
  // A run that was killed between making the file and writing its first line.
  WriteText(In("a.csv"), "");
  const RunFolder run(folder_, "a");
  CsvResults csv(run.Csv(), {}, {Storage()});
  csv.Append(0, Hour(0), Hour(3), std::vector{5.0});
  csv.Close();
  EXPECT_THAT(ReadResults(In("a.csv")).series.at(0).values, ElementsAre(5.0));
  std::filesystem::create_symlink(In("nowhere"), In("b.csv"));
  EXPECT_THROW(RunFolder(folder_, "b"), FileError) << "what a link leads to is not ours";
  EXPECT_THROW(CsvResults(In("b.csv"), {}, {Storage()}), FileError);
  WriteText(In("precious"), "of somebody");
  std::filesystem::create_symlink(In("precious"), In("c.csv"));
  EXPECT_THAT([this] { CsvResults(In("c.csv"), {}, {Storage()}, AppendFile::Existing::Overwrite); },
              ThrowsMessage<FileError>(AllOf(HasSubstr("c.csv"), HasSubstr("a symbolic link"))));
  EXPECT_EQ(TextOf(In("precious")), "of somebody");
}

TEST_F(RunFolderTest, RefusesASecondRunAndNamesTheFirst) {
  const ChildProcess first([this](ChildProcess::Reporter& reporter) {
    const RunFolder run(folder_, "a");
    reporter.Report(1.0);
    pause();
  });
  ASSERT_EQ(first.Next(), 1.0);
  for (const auto existing : {RunFolder::Existing::Refuse, RunFolder::Existing::Overwrite}) {
    EXPECT_THAT([&] { RunFolder(folder_, "a", existing); },
                ThrowsMessage<FileError>(AllOf(HasSubstr(folder_.string()),
                                               HasSubstr("process " + std::to_string(first.Number())),
                                               HasSubstr("wait until it has ended"))));
  }
  EXPECT_NO_THROW(RunFolder(folder_, "b")) << "other results may be written there";
}

TEST_F(RunFolderTest, IsNotHinderedByTheLockOfAProcessThatWasKilled) {
  ChildProcess first([this](ChildProcess::Reporter& reporter) {
    const RunFolder run(folder_, "a");
    reporter.Report(1.0);
    pause();
  });
  ASSERT_EQ(first.Next(), 1.0);
  first.Kill();
  EXPECT_TRUE(std::filesystem::exists(In(".a.lock"))) << "it had no time to tidy up";
  EXPECT_NO_THROW(RunFolder(folder_, "a"));
  EXPECT_FALSE(std::filesystem::exists(In(".a.lock")));
}

TEST_F(RunFolderTest, LetsOnlyOneInWhenManyTry) {
  // Each adds one to a number in a file, reading and writing it apart: without the lock some would be lost.
  constexpr int kProcesses = 8;
  constexpr int kRounds = 50;
  WriteText(In("count"), "0");
  std::vector<std::unique_ptr<ChildProcess>> all;
  for (int i = 0; i < kProcesses; ++i) {
    all.push_back(std::make_unique<ChildProcess>([this](ChildProcess::Reporter& reporter) {
      for (int done = 0; done < kRounds;) {
        try {
          const FileLock lock(In("lock"));
          const int count = std::stoi(TextOf(In("count")));
          sched_yield();
          WriteText(In("count"), std::to_string(count + 1));
          ++done;
        } catch (const FileError&) {
          sched_yield();
        }
      }
      reporter.Report(kRounds);
    }));
  }
  for (auto& process : all) EXPECT_EQ(process->Next(), kRounds);
  EXPECT_EQ(TextOf(In("count")), std::to_string(kProcesses * kRounds));
}

/// A run named "a" that is killed after its first row: it leaves a journal and no NetCDF file.
void KillARunThatHasWritten(const std::filesystem::path& folder) {
  ChildProcess first([&folder](ChildProcess::Reporter& reporter) {
    const RunFolder run(folder, "a");
    NetcdfResults results(run.Netcdf(), {}, {Storage()});
    results.Append(0, Hour(0), Hour(3), std::vector{5.0});
    results.Commit(Hour(3));
    reporter.Report(1.0);
    pause();
  });
  ASSERT_EQ(first.Next(), 1.0);
  first.Kill();
}

TEST_F(RunFolderTest, CompletesWhatAKilledRunLeftBeforeItRefuses) {
  KillARunThatHasWritten(folder_);
  EXPECT_FALSE(std::filesystem::exists(In("a.nc")));
  EXPECT_THAT([this] { RunFolder(folder_, "a"); }, ThrowsMessage<FileError>(HasSubstr("a.nc")));
  EXPECT_FALSE(std::filesystem::exists(JournalOf(In("a.nc"))));
  EXPECT_THAT(ReadResults(In("a.nc")).series.at(0).values, ElementsAre(5.0));
}

TEST_F(RunFolderTest, LeavesWhatIsToBeOverwrittenAsItIs) {
  KillARunThatHasWritten(folder_);
  {
    const RunFolder run(folder_, "a", RunFolder::Existing::Overwrite);
    EXPECT_TRUE(std::filesystem::exists(JournalOf(In("a.nc"))));
    EXPECT_FALSE(std::filesystem::exists(In("a.nc")));
  }
  EXPECT_THAT(ReadResults(In("a.nc")).series.at(0).values, ElementsAre(5.0)) << "nothing was put in its place";
}

TEST_F(RunFolderTest, NamesAFolderThatCannotBeOne) {
  WriteText(In("file"), "x");
  for (const char* folder : {"file", "file/below", "file/below/deep"}) {
    EXPECT_THAT([&] { RunFolder(In(folder), "a"); },
                ThrowsMessage<FileError>(AllOf(HasSubstr(In(folder).string()), HasSubstr("is a file and no folder"),
                                               HasSubstr("name another folder"))))
        << folder;
  }
  for (const char* name : {"", ".", "..", "a/b"}) {
    EXPECT_THAT([&] { RunFolder(folder_, name); },
                ThrowsMessage<FileError>(HasSubstr("expected a name for the results")));
  }
}

TEST_F(RunFolderTest, NamesAFolderThatMayNotBeWrittenTo) {
  std::filesystem::create_directory(In("locked"));
  WriteText(In("locked/a.csv"), "precious");
  std::filesystem::permissions(folder_, std::filesystem::perms(0755));
  std::filesystem::permissions(In("locked"), std::filesystem::perms(0555));
  // Permissions do not bind root, so somebody else tries.
  const ChildProcess nobody([this](ChildProcess::Reporter& reporter) {
    if (getuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) return reporter.Report(-1.0);
    try {
      RunFolder(In("locked"), "a", RunFolder::Existing::Overwrite);
      reporter.Report(0.0);
    } catch (const FileError& error) {
      const std::string text = error.what();
      const bool is_clear = text.find(In("locked").string()) != std::string::npos &&
                            text.find("permission denied") != std::string::npos &&
                            text.find("that you may write to") != std::string::npos;
      reporter.Report(is_clear ? 1.0 : 0.5);
    }
  });
  const std::optional<double> outcome = nobody.Next();
  if (outcome == -1.0) GTEST_SKIP() << "root cannot become somebody else here";
  EXPECT_EQ(outcome, 1.0) << "1: refused with a clear message, 0.5: with another one, 0: not at all";
  EXPECT_EQ(TextOf(In("locked/a.csv")), "precious");
}

}  // namespace
}  // namespace openmi
