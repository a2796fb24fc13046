// Groups on the nodes of a Slurm of two nodes, which the test starts and stops: network namespaces with names of their
// own. The job is the one of docs/hosts.md.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>
#include <thread>

#include "tests/composition/hosts/OnHosts.hpp"
#include "tests/support/NetworkHosts.hpp"

namespace openmi::testing {
namespace {

namespace fs = std::filesystem;

std::string TextOf(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

/// The first block of code of a language on a page.
std::string CodeOf(const fs::path& page, const std::string& language) {
  const std::string text = TextOf(page);
  const std::size_t begin = text.find("\n", text.find("```" + language + "\n#!/bin/sh\n#SBATCH")) + 1;
  return text.substr(begin, text.find("```", begin) - begin);
}

class Slurm : public ::testing::Test {
 protected:
  Slurm() {
    char name[] = "/tmp/openmi-slurm-XXXXXX";
    folder = mkdtemp(name);
  }
  ~Slurm() override {
    for (const pid_t one : daemons_) kill(one, SIGTERM);
    for (const pid_t one : daemons_) waitpid(one, nullptr, 0);
    fs::remove_all(folder);
  }
  void SetUp() override {
    if (!hosts.AreThere()) GTEST_SKIP() << "this user may not make network namespaces";
    if (std::system("command -v slurmctld slurmd sbatch > /dev/null") != 0) GTEST_SKIP() << "there is no Slurm";
    std::array<char, 256> here{};
    gethostname(here.data(), here.size() - 1);
    const std::string f = folder.string();
    std::ofstream conf(folder / "slurm.conf");
    conf << "ClusterName=test\nSlurmctldHost=" << here.data() << "(" << hosts.Here() << ")\nSlurmUser=root\n"
         << "AuthType=auth/none\nAuthInfo=cred_expire=5\nCredType=cred/none\nProctrackType=proctrack/"
            "linuxproc\nTaskPlugin=task/none\n"
         << "SelectType=select/cons_tres\nReturnToService=2\nMpiDefault=none\nSwitchType=switch/none\n"
         << "AccountingStorageType=accounting_storage/none\nJobAcctGatherType=jobacct_gather/none\n"
         << "SlurmctldPort=" << 20000 + getpid() % 12'000  // below those that the system gives
         << "\nSlurmdPort=16818\nSchedulerParameters=batch_sched_delay=0,sched_interval=1\n"
         << "SlurmctldPidFile=" << f << "/ctld.pid\nSlurmdPidFile=" << f << "/%n.pid\nStateSaveLocation=" << f
         << "/state\n"
         << "SlurmdSpoolDir=" << f << "/spool-%n\nSlurmctldLogFile=" << f << "/ctld.log\nSlurmdLogFile=" << f
         << "/%n.log\n";
    for (int i = 0; i < test::NetworkHosts::kCount; ++i) {
      fs::create_directories(folder / ("spool-" + hosts.Name(i)));
      conf << "NodeName=" << hosts.Name(i) << " NodeAddr=" << hosts.There(i) << " CPUs=2 State=UNKNOWN\n";
    }
    conf << "PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n";
    conf.close();
    fs::create_directories(folder / "state");
    setenv("SLURM_CONF", (f + "/slurm.conf").c_str(), 1);
    Start("exec slurmctld -D -c");
    for (int i = 0; i < test::NetworkHosts::kCount; ++i) {
      const std::string name = hosts.Name(i);
      Start("exec nsenter --net=/var/run/netns/" + name + " unshare -u sh -c 'hostname " + name +
            "; exec slurmd -D -N " + name + "'");
    }
    const auto are_idle = [] { return std::system("sinfo -h -o %D.%T 2>/dev/null | grep -q '^2.idle'") == 0; };
    for (int i = 0; i < 300 && !are_idle(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(200));
    ASSERT_TRUE(are_idle()) << TextOf(folder / "daemons.txt") << TextOf(folder / "ctld.log");
  }
  void Start(const std::string& command) {
    const pid_t child = fork();
    if (child == 0) {
      prctl(PR_SET_PDEATHSIG, SIGTERM);
      execl("/bin/sh", "sh", "-c", (command + " > " + folder.string() + "/daemons.txt 2>&1").c_str(), nullptr);
      _exit(127);
    }
    daemons_.push_back(child);
  }

  const test::NetworkHosts hosts;
  fs::path folder;

 private:
  std::vector<pid_t> daemons_;
};

/// The job of the manual, on a small basin.
class JobOfTheManual : public Slurm {
 protected:
  void SetUp() override {
    Slurm::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    std::ofstream(folder / "basin.xml") << "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"basin\">\n"
                                        << Apart("a", "Memory", "Group=\"upland\"") +
                                               Apart("b", "Memory", "Group=\"lowland\"")
                                        << LinkXml("a.out", "b.take") << "<Observe Item=\"b.out\"/>"
                                        << RunXml("2015-12-05T00:00Z") << "</Composition>\n";
    ASSERT_EQ(Do(command + " run basin.xml --results plain --quiet"), 0);
    ASSERT_GT(Rows("plain").size(), 1000U);
  }
  /// \param options  further ones of the run
  void WriteJob(const std::string& options) const {
    std::string job = CodeOf(OPENMI_SOURCE_DIR "/docs/hosts.md", "sh");
    ASSERT_THAT(job, ::testing::HasSubstr("openmi run basin.xml"));
    job = std::regex_replace(job, std::regex("\nopenmi run"), "\n" + command + " run --worker " + command + options);
    std::ofstream(folder / "job.sh") << job;
  }
  int Do(const std::string& what) const { return std::system(("cd " + folder.string() + " && " + what).c_str()); }
  std::string Rows(const char* results) const {
    return std::regex_replace(TextOf(folder / results / "basin.csv"), std::regex("# history[^\n]*\n"), "");
  }
  void StartAndAwaitCheckpoint() const {
    WriteJob(" --pace 86400");  // four days in four seconds
    ASSERT_EQ(Do("sbatch --quiet --output=job.out job.sh"), 0);
    const std::string checkpoint = (folder / "out/basin.checkpoint.1").string();  // the second one
    for (int i = 0; i < 1200 && !fs::exists(checkpoint); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    ASSERT_TRUE(fs::exists(checkpoint)) << TextOf(folder / "job.out");
  }
  void ExpectThatItGoesOn() const {
    for (int i = 0; i < 900 && Do("squeue -h | grep -q .") == 0; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    const std::string told = TextOf(folder / "job.out");
    EXPECT_THAT(told, ::testing::AllOf(::testing::HasSubstr("group 'lowland' (b) on "),
                                       ::testing::HasSubstr("continues at 2015-12-0")));
    EXPECT_EQ(Rows("out"), Rows("plain")) << told << TextOf(folder / "ctld.log");
  }
  const std::string command = OPENMI_BINARY_DIR "/bin/openmi";
};

TEST_F(JobOfTheManual, GivesTheResultsOfOneProcess) {
  WriteJob("");
  EXPECT_EQ(Do("timeout 60 sbatch --wait --quiet --output=job.out job.sh"), 0)
      << TextOf(folder / "job.out") << TextOf(folder / "ctld.log");
  EXPECT_EQ(Rows("out"), Rows("plain")) << TextOf(folder / "job.out");
  EXPECT_EQ(Do("timeout 60 sbatch --wait --quiet --output=job.out job.sh"), 0) << "a complete job that starts again";
  EXPECT_THAT(TextOf(folder / "job.out"), ::testing::HasSubstr("the run is complete, until 2015-12-05"));
  EXPECT_EQ(Rows("out"), Rows("plain"));
}

TEST_F(JobOfTheManual, IsRequeuedWhenANodeIsCutOffAndGoesOn) {
  StartAndAwaitCheckpoint();
  ASSERT_TRUE(hosts.SetLink(1, false));
  for (int i = 0; i < 600 && TextOf(folder / "job.out").find("group 'lowland'") == std::string::npos; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  EXPECT_THAT(TextOf(folder / "job.out"), ::testing::HasSubstr("group 'lowland'"));
  ASSERT_TRUE(hosts.SetLink(1, true));
  ExpectThatItGoesOn();
}

TEST_F(JobOfTheManual, IsRequeuedWhenAWorkerIsLostAndGoesOn) {
  StartAndAwaitCheckpoint();
  ASSERT_EQ(Do("for one in $(ip netns pids " + hosts.Name(1) +
               "); do if grep -q connected /proc/$one/cmdline; then kill -KILL $one; fi; done"),
            0);
  ExpectThatItGoesOn();
}

}  // namespace
}  // namespace openmi::testing
