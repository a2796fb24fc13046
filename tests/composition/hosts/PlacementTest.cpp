// Where groups run, and the command that starts a worker there.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "composition/hosts/Address.hpp"
#include "composition/hosts/Placement.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/support/ScratchFolder.hpp"

namespace openmi::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using ::testing::ThrowsMessage;

TEST(Placement, TakesAHostForEachGroup) {
  Placement placement;
  placement.Add("lowland=node2");
  placement.Add("upland=10.0.0.7");
  placement.Add("lowland=node2");
  EXPECT_EQ(placement.hosts, (std::map<std::string, std::string>{{"lowland", "node2"}, {"upland", "10.0.0.7"}}));
  for (const char* text : {"lowland", "=node2", "lowland=", "lowland=-oProxyCommand=x", "lowland=a b", ""}) {
    EXPECT_THAT([&] { placement.Add(text); }, ThrowsMessage<ArgumentError>(HasSubstr("write GROUP=HOST"))) << text;
  }
  EXPECT_THAT([&] { placement.Add("lowland=node3"); },
              ThrowsMessage<ArgumentError>(AllOf(HasSubstr("node2"), HasSubstr("node3"))));
}

TEST(Placement, ReadsAFileOfHosts) {
  const ScratchFolder folder;
  const std::string file = (folder.Path() / "hosts").string();
  std::ofstream(file) << "# who is where\nlowland node2\n\n  upland\tnode1  # the fast one\n";
  Placement placement;
  placement.AddFile(file);
  EXPECT_EQ(placement.hosts, (std::map<std::string, std::string>{{"lowland", "node2"}, {"upland", "node1"}}));
  std::ofstream(file) << "lowland node2\nupland\n";
  EXPECT_THAT([&] { placement.AddFile(file); },
              ThrowsMessage<FormatError>(AllOf(HasSubstr("hosts:2"), HasSubstr("'upland'"), HasSubstr("GROUP HOST"))));
  EXPECT_THAT([&] { placement.AddFile(file + "x"); }, ThrowsMessage<FileError>(HasSubstr("hostsx")));
  EXPECT_THAT([&] { placement.AddFile(folder.Path()); },
              ThrowsMessage<FileError>(AllOf(HasSubstr(folder.Path().string()), HasSubstr("found a folder"))));
}

/// A Slurm that says what its test wants.
class Allocation : public ::testing::Test {
 protected:
  Allocation() {
    Write("scontrol",
          "case $3 in hostnames) printf 'n1\\nn2\\n';; node) echo \"NodeName=$4 NodeAddr=127.0.0.1 Port=1\";; esac");
    const std::string path = folder.Path().string() + ":" + std::getenv("PATH");
    setenv("PATH", path.c_str(), 1);
    setenv("SLURM_JOB_NODELIST", "n[1-2]", 1);
    setenv("SLURMD_NODENAME", "n1", 1);
  }
  ~Allocation() override {
    for (const char* name : {"SLURM_JOB_NODELIST", "SLURMD_NODENAME"}) unsetenv(name);
    setenv("PATH", path_before.c_str(), 1);
  }
  void Write(const char* name, const std::string& script) const {
    std::ofstream(folder.Path() / name) << "#!/bin/sh\n" << script << "\n";
    std::filesystem::permissions(folder.Path() / name, std::filesystem::perms::owner_all);
  }
  const std::string path_before = std::getenv("PATH");
  const ScratchFolder folder;
};

TEST_F(Allocation, GivesItsNodesToTheGroups) {
  Placement placement;
  UseSlurmAllocation(placement);
  EXPECT_THAT(placement.spread, ElementsAre(kThisHost, "n2"));
  EXPECT_EQ(placement.listen, "127.0.0.1") << "from here, the way to n2";
  EXPECT_THAT(placement.launcher, HasSubstr("srun"));
  Placement given;
  given.listen = "10.0.0.1";
  given.launcher = "ssh {host} {command}";
  UseSlurmAllocation(given);
  EXPECT_EQ(given.listen, "10.0.0.1");
  EXPECT_EQ(given.launcher, "ssh {host} {command}");
}

TEST_F(Allocation, MustBeThereAndKnown) {
  Placement placement;
  Write("scontrol", "echo 'slurm_load: no contact' >&2; exit 1");
  EXPECT_THAT([&] { UseSlurmAllocation(placement); },
              ThrowsMessage<FileError>(AllOf(HasSubstr("scontrol show hostnames n[1-2]"), HasSubstr("exit code 1"),
                                             HasSubstr("no contact"), HasSubstr("--place"))));
  unsetenv("SLURM_JOB_NODELIST");
  EXPECT_THAT([&] { UseSlurmAllocation(placement); },
              ThrowsMessage<ArgumentError>(AllOf(HasSubstr("SLURM_JOB_NODELIST"), HasSubstr("sbatch"))));
}

TEST(ListenAt, TakesOneAddressOfThisHostWithoutAPort) {
  EXPECT_THAT(ListenAt("127.0.0.1").second, StartsWith("127.0.0.1:"));
  EXPECT_THAT([] { ListenAt("0.0.0.0"); }, ThrowsMessage<FileError>(HasSubstr("the one that stands for all")));
  EXPECT_THAT([] { ListenAt("::"); }, ThrowsMessage<FileError>(HasSubstr("the one that stands for all")));
  EXPECT_THAT([] { ListenAt("::ffff:0.0.0.0"); }, ThrowsMessage<FileError>(HasSubstr("the one that stands for all")));
  for (const char* form : {"127.0.0.1:90", "[::1]:90", "[::1]"}) {
    EXPECT_THAT([&] { ListenAt(form); }, ThrowsMessage<FileError>(HasSubstr("write the address alone"))) << form;
  }
  EXPECT_THAT([] { ListenAt("192.0.2.1"); }, ThrowsMessage<FileError>(HasSubstr("--listen")));
}

TEST(LaunchWords, PutTheCommandWhereItBelongs) {
  const std::vector<std::string> command = {"/opt/my openmi", "worker"};
  EXPECT_THAT(LaunchWords(Placement::kSsh, {"g", "node2"}, command),
              ElementsAre("ssh", "-o", "BatchMode=yes", "node2", "/opt/my openmi", "worker"));
  EXPECT_THAT(LaunchWords("srun  -w {host} --job-name='group {group}' {command} \"\"", {"g", "n"}, command),
              ElementsAre("srun", "-w", "n", "--job-name=group g", "/opt/my openmi", "worker", ""));
  EXPECT_THAT(
      [&] {
        LaunchWords("ssh {host}", {"g", "n"}, command);
      },
      ThrowsMessage<ArgumentError>(HasSubstr("{command}")));
  EXPECT_THAT(
      [&] {
        LaunchWords("ssh '{host} {command}", {"g", "n"}, command);
      },
      ThrowsMessage<ArgumentError>(HasSubstr("closing '")));
}

TEST(LaunchWords, SayHowManyRanks) {
  const Placement placement;
  const LaunchedGroup wide{"wide", "node2", 4};
  EXPECT_THAT(LaunchWords(placement.LauncherFor(wide), wide, {"openmi", "worker"}),
              ElementsAre("mpirun", "-np", "4", "--host", "node2:4", "--oversubscribe", "--bind-to", "none", "openmi",
                          "worker"));
  EXPECT_EQ(placement.LauncherFor({"narrow", "node2"}), Placement::kSsh);
  EXPECT_THAT([&] { LaunchWords("ssh {host} {command}", wide, {}); },
              ThrowsMessage<ArgumentError>(AllOf(HasSubstr("{ranks}"), HasSubstr("4 ranks of 'wide'"))));
}

}  // namespace
}  // namespace openmi::testing
