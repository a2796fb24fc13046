// Two other hosts: network namespaces, each behind a link of its own, with workers started by a command like ssh.

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <memory>
#include <thread>

#include "composition/isolation/IsolatedComponent.hpp"
#include "tests/composition/hosts/OnHosts.hpp"
#include "tests/support/NetworkHosts.hpp"

namespace openmi::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class TwoHosts : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!hosts.AreThere()) GTEST_SKIP() << "this user may not make network namespaces";
  }
  Made At(const std::string& body) const {
    return MadeAt(body, PlacedAt({"up=" + hosts.Name(0), "down=" + hosts.Name(1)}, hosts.kLauncher, hosts.Here()));
  }
  const test::NetworkHosts hosts;
};

std::string Body(const std::string& to, const std::string& up = "Group=\"up\"",
                 const std::string& down = "Group=\"down\"") {
  return Apart("a", "Memory", up, ArgumentXml("elements", "5000")) +
         Apart("b", "Memory", down, ArgumentXml("elements", "5000")) + LinkXml("a.out", "b.take") +
         "<Observe Item=\"a.out\"/><Observe Item=\"b.out\"/>" + RunXml(to);
}

TEST_F(TwoHosts, GiveTheResultsOfOneProcess) {
  Made whole(Body("2015-12-04T00:00Z", "", ""));
  const RunRecord plain = whole.Run();
  ASSERT_THAT(ErrorsOf(plain), IsEmpty());
  Made made = At(Body("2015-12-04T00:00Z"));
  ASSERT_THAT(made.Text(), IsEmpty());
  EXPECT_TRUE(made.Get<IsolatedComponent>("b").Process().IsElsewhere());
  const RunRecord record = made.Run();
  EXPECT_THAT(ErrorsOf(record), IsEmpty());
  EXPECT_EQ(SeriesOf(record), SeriesOf(plain));
}

TEST_F(TwoHosts, AHostThatIsCutOffIsNamed) {
  Made made = At(Body("2016-12-01T00:00Z"));
  ASSERT_THAT(made.Text(), IsEmpty());
  const int pid = made.Get<IsolatedComponent>("b").Process().Id();
  RunOptions options;
  options.write_results = false;
  auto run = std::make_unique<CompositionRun>(*made.composition, made.problems, options);
  run->Begin();
  for (int i = 0; i < 5; ++i) run->Advance();
  ASSERT_TRUE(hosts.SetLink(1, false));
  const auto begin = std::chrono::steady_clock::now();
  while (run->Advance(CompositionRun::kManyPasses)) {
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
  EXPECT_THAT(ErrorsOf(run->End()),
              AllOf(HasSubstr("group 'down' (b) on " + hosts.Name(1)), HasSubstr("was silent"), HasSubstr("network")));
  run.reset();
  made.composition.reset();
  EXPECT_NE(kill(pid, 0), 0) << "the worker is left behind";
}

TEST_F(TwoHosts, AHostThatIsCutOffBeforeItsWorkerSaysAnythingIsNamed) {
  const Folder folder;
  const std::string host = folder.Path() / "host";  // a worker that was let in becomes this
  folder.Write("host", "#!/bin/sh\ntouch there\nexec sleep 60\n");
  std::filesystem::permissions(host, std::filesystem::perms::owner_all);
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.Path());
  setenv("OPENMI_COMPONENT_HOST", host.c_str(), 1);
  // One group elsewhere only: of two, the run may let in either first, and waits for the other for as long as for a
  // start.
  const Placement place = PlacedAt({"up=" + hosts.Name(0)}, hosts.kLauncher, hosts.Here());
  auto made = std::async(std::launch::async, [&] { return MadeAt(Body("2015-12-04T00:00Z", kUp, ""), place).Text(); });
  for (int i = 0; i < 3000 && !std::filesystem::exists("there"); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_TRUE(std::filesystem::exists("there"));
  EXPECT_TRUE(hosts.SetLink(0, false));
  const auto begin = std::chrono::steady_clock::now();
  const std::string text = made.get();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
  unsetenv("OPENMI_COMPONENT_HOST");
  std::filesystem::current_path(before);
  EXPECT_THAT(text, AllOf(HasSubstr("group 'up' (a) on " + hosts.Name(0)),
                          HasSubstr("was lost: its host or the network is down")));
}

}  // namespace
}  // namespace openmi::testing
