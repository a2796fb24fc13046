// The flagship through the command, killed at random moments and resumed: its results are those of a run never killed.
// OPENMI_KILLS in the environment says how many kills, 20 without it.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <thread>

#include "tests/support/ScratchFolder.hpp"

namespace {

// The history in the results holds the time of the clock, which is to be the same in runs that are compared.
const bool clock_is_fixed = setenv("SOURCE_DATE_EPOCH", "1700000000", 1) == 0;

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

using Scratch = ScratchFolder;

/// The same words each time, since the results hold them.
pid_t Start(const fs::path& folder) {
  const pid_t child = fork();
  if (child != 0) return child;
  if (chdir(folder.c_str()) != 0) _exit(126);
  execl(OPENMI_BINARY_DIR "/bin/openmi", "openmi", "run", OPENMI_SOURCE_DIR "/examples/river-basin/river-basin.xml",
        "--results", "out", "--resume", "--checkpoint-every", "PT12H", "--no-report", "--quiet", nullptr);
  _exit(127);
}

int WaitFor(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

/// Waits until the run writes rows, or has ended.
void WaitForRows(pid_t child, const fs::path& folder) {
  siginfo_t end{};
  while (!fs::exists(folder / "out/river-basin.nc.journal") && end.si_pid == 0 &&
         waitid(P_PID, static_cast<id_t>(child), &end, WEXITED | WNOHANG | WNOWAIT) == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

std::string BytesOf(const fs::path& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

TEST(KilledFlagship, ResumedGivesTheVeryBytesOfOneNeverKilled) {
  const char* wanted = std::getenv("OPENMI_KILLS");
  const int kills = wanted != nullptr ? std::atoi(wanted) : 20;
  const Scratch scratch;
  fs::create_directory(scratch.Path() / "whole");
  const auto begin = Clock::now();
  ASSERT_EQ(WaitFor(Start(scratch.Path() / "whole")), 0);
  const auto length = Clock::now() - begin;
  const std::string csv = BytesOf(scratch.Path() / "whole/out/river-basin.csv");
  const std::string netcdf = BytesOf(scratch.Path() / "whole/out/river-basin.nc");
  ASSERT_GT(csv.size(), 100'000U);
  ASSERT_GT(netcdf.size(), 100'000U);

  const unsigned seed = std::random_device{}();
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> moment(0.0, 1.0);
  int killed = 0;
  int current = 0;
  int runs = 0;
  while (killed < kills) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed << ", run " << runs << ", kill " << killed);
    const fs::path folder = scratch.Path() / std::to_string(runs++);
    fs::create_directory(folder);
    // Killed once or more; what a resumed run leaves is resumed again.
    for (bool is_complete = false; !is_complete;) {
      const pid_t child = Start(folder);
      if (killed < kills) {
        // Half of them while rows are written: how soon that is depends on what else the machine does.
        const bool waits = moment(random) < 0.5;
        if (waits) WaitForRows(child, folder);
        std::this_thread::sleep_for(length * moment(random) * (waits ? 0.5 : 1.0));
        kill(child, SIGKILL);
      }
      const int status = WaitFor(child);
      is_complete = WIFEXITED(status);
      if (is_complete) {
        // One killed when all was done has nothing left to resume from, and the next one says so.
        ASSERT_TRUE(WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 7) << WEXITSTATUS(status);
      } else {
        ++killed;
        if (fs::exists(folder / "out/river-basin.nc.journal")) ++current;
      }
      if (!is_complete && moment(random) < 0.6) {  // let it end undisturbed
        const int last = WaitFor(Start(folder));
        const bool was_done = WIFEXITED(last) && WEXITSTATUS(last) == 7;
        ASSERT_TRUE(last == 0 || was_done) << last;
        is_complete = true;
      }
    }
    ASSERT_EQ(BytesOf(folder / "out/river-basin.csv"), csv);
    ASSERT_TRUE(BytesOf(folder / "out/river-basin.nc") == netcdf);
    EXPECT_FALSE(fs::exists(folder / "out/river-basin.checkpoint"));
    fs::remove_all(folder);
  }
  RecordProperty("kills", killed);
  std::printf("%d kills in %d runs, %d of them while rows were written\n", killed, runs, current);
  EXPECT_GT(current, killed / 10) << "else little was tested";
}

}  // namespace
