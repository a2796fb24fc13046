// Folders for temporary files, and what processes that were killed leave.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "openmi/system/TemporaryFolder.hpp"
#include "tests/support/ScratchFolder.hpp"

namespace openmi {
namespace {

namespace fs = std::filesystem;

class TemporaryFolders : public testing::Test {
 protected:
  TemporaryFolders() { setenv("TMPDIR", base_.Path().c_str(), 1); }
  ~TemporaryFolders() override { unsetenv("TMPDIR"); }
  std::size_t Count() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(base_.Path()), fs::directory_iterator()));
  }
  /// Makes a folder in a process of its own, which is then killed.
  void MakeAndDie() const {
    const pid_t child = fork();
    if (child == 0) {
      const TemporaryFolder folder;
      fs::create_directories(folder.Path() / "deep" / "er");
      std::ofstream(folder.Path() / "deep" / "file") << "x";
      kill(getpid(), SIGKILL);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
  }
  static void MakeLike(const fs::path& path) {
    fs::create_directories(path / "files");
    fs::permissions(path, fs::perms::owner_all);
    std::ofstream(path / ".openmi-lock") << "";
    std::ofstream(path / "files" / "precious") << "x";
  }

  const ScratchFolder base_;
};

TEST_F(TemporaryFolders, GoWithTheirObject) {
  {
    const TemporaryFolder folder;
    EXPECT_TRUE(fs::is_empty(folder.Path()));
    std::ofstream(folder.Path() / "file") << "x";
    EXPECT_EQ(Count(), 1U);
  }
  EXPECT_EQ(Count(), 0U);
}

TEST_F(TemporaryFolders, OfAProcessThatWasKilledAreRemovedLater) {
  const TemporaryFolder ours;  // the first of a process removes what is there
  MakeAndDie();
  MakeAndDie();
  EXPECT_EQ(Count(), 3U);
  EXPECT_EQ(TemporaryFolder::RemoveAbandoned(base_.Path()), 2);
  EXPECT_EQ(Count(), 1U);
  EXPECT_TRUE(fs::exists(ours.Path()));
}

TEST_F(TemporaryFolders, WhatIsNotOursStays) {
  const fs::path elsewhere = base_.Path() / "elsewhere";
  MakeLike(elsewhere);
  fs::create_directory_symlink(elsewhere, base_.Path() / "openmi-linked");
  MakeLike(base_.Path() / "openmi-opened");  // open to others
  fs::permissions(base_.Path() / "openmi-opened", fs::perms::all);
  fs::create_directories(base_.Path() / "openmi-nolock" / "files");  // of nobody that is known
  fs::permissions(base_.Path() / "openmi-nolock", fs::perms::owner_all);
  MakeLike(base_.Path() / "openmi-lnlock");  // whose lock is a link
  fs::remove(base_.Path() / "openmi-lnlock" / ".openmi-lock");
  fs::create_symlink(elsewhere / ".openmi-lock", base_.Path() / "openmi-lnlock" / ".openmi-lock");
  EXPECT_EQ(TemporaryFolder::RemoveAbandoned(base_.Path()), 0);
  EXPECT_EQ(Count(), 5U);
  EXPECT_TRUE(fs::exists(elsewhere / "files" / "precious"));
  EXPECT_TRUE(fs::exists(base_.Path() / "openmi-opened" / "files" / "precious"));
}

TEST_F(TemporaryFolders, ALinkInsideLeadsNowhere) {
  const fs::path elsewhere = base_.Path() / "elsewhere";
  MakeLike(elsewhere);
  const fs::path left = base_.Path() / "openmi-linkin";
  MakeLike(left);
  fs::remove_all(left / "files");
  fs::create_directory_symlink(elsewhere / "files", left / "files");
  EXPECT_EQ(TemporaryFolder::RemoveAbandoned(base_.Path()), 1);
  EXPECT_TRUE(fs::exists(elsewhere / "files" / "precious"));
}

}  // namespace
}  // namespace openmi
