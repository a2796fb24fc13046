#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <future>
#include <random>
#include <thread>

#include "openmi/omi/SafeProbe.hpp"
#include "tests/fmi-bridge/broker/BrokerWorld.hpp"

// Compositions with a stream out of a broker, run by the command.

namespace openmi::broker {
namespace {

using std::chrono::milliseconds;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr int kMessages = 401;

/// A stream, which is observed. \param arguments  of the stream
std::string Composition(const Settings& arguments) {
  std::string text;
  for (const auto& [key, value] : arguments) text += fmt::format("<Argument Key=\"{}\" Value=\"{}\"/>", key, value);
  return fmt::format(R"(<Composition xmlns="urn:openmi2:composition:1" Id="killed">
  <Component Id="stream" Type="openmi.broker.Stream" Assembly="openmi-broker-bridge">
    <Argument Key="fields" Value="a,b"/><Argument Key="time-step" Value="PT1S"/>{}
  </Component>
  <Observe Item="stream.a"/><Observe Item="stream.b"/>
  <Run From="2019-01-04T16:41:24Z" To="2019-01-04T16:44:44Z" Trigger="stream"/>
</Composition>)",
                     text);
}

pid_t Start(const ScratchFolder& folder, const std::vector<const char*>& more) {
  const pid_t child = fork();
  if (child != 0) return child;
  if (chdir(folder.Path().c_str()) != 0) _exit(126);
  std::vector<const char*> words = {"openmi", "run", "killed.xml", "--results", "out"};
  words.insert(words.end(), more.begin(), more.end());
  words.push_back(nullptr);
  execv(OPENMI_BINARY_DIR "/bin/openmi", const_cast<char* const*>(words.data()));
  _exit(127);
}

int CodeOf(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// The rows of results, without what is said about the run.
std::vector<std::string> Rows(const ScratchFolder& folder) {
  std::vector<std::string> rows;
  std::ifstream file(folder.Path() / "out" / "killed.csv");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with('#')) rows.push_back(line);
  }
  return rows;
}

TEST(CompositionAtABroker, KilledAndResumedLosesNothingAndUsesNothingTwice) {
  const std::vector<std::string> bodies = Steady(kMessages);
  const ScratchFolder replay;
  std::string lines;
  for (const std::string& body : bodies) lines += body + "\n";
  replay.Write("stream.jsonl", lines);
  replay.Write("killed.xml", Composition({{"recording", "stream.jsonl"}}));
  ASSERT_EQ(CodeOf(Start(replay, {"--no-report", "--quiet"})), 0);

  Hand hand;
  hand.MakeQueue("killed", true);
  const ScratchFolder folder;
  Settings settings = FromQueue("killed");
  settings.insert(settings.end(), {{"journal", "journal.jsonl"}, {"queue-bound", "16"}});
  folder.Write("killed.xml", Composition(settings));
  // They come while it runs, so that it is killed amid them; the last ones when all kills are done.
  std::promise<void> kills;
  std::thread publishing([&bodies, are_done = kills.get_future()] {
    AmqpSink sink(Here(), {.exchange = {}, .routing_key = "killed", .declares = false});
    sink.Open();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      sink.Publish(bodies[i], {}, 0);
      if (i % 4 == 0) std::this_thread::sleep_for(milliseconds(10));
      if (i == bodies.size() - 20) are_done.wait();
    }
    sink.Flush();
  });
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(::testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  const std::vector<const char*> resume = {"--resume", "--checkpoint-every", "PT7S", "--no-report", "--quiet"};
  for (int kill_number = 0; kill_number < 4; ++kill_number) {
    const pid_t child = Start(folder, resume);
    std::this_thread::sleep_for(milliseconds(100 + random() % 250));
    kill(child, SIGKILL);
    CodeOf(child);
  }
  kills.set_value();
  publishing.join();
  ASSERT_EQ(CodeOf(Start(folder, resume)), 0);
  EXPECT_EQ(Rows(folder), Rows(replay));
  EXPECT_GT(Rows(folder).size(), 200U);
  // All of them are in the journal once, however often the broker gave them.
  std::ifstream journal(folder.Path() / "journal.jsonl");
  EXPECT_EQ(std::count(std::istreambuf_iterator<char>(journal), {}, '\n'), kMessages);
  EXPECT_EQ(hand.Count("killed"), 0U);
}

TEST(CompositionAtABroker, ShowsWhatItWaitsForAndHowTheStreamIs) {
  Hand().MakeQueue("awaited");
  const ScratchFolder folder;
  folder.Write("killed.xml", Composition(FromQueue("awaited")));
  std::thread publishing([&folder] {
    for (int i = 0; i < 2000 && folder.Read("said").find("waiting for") == std::string::npos; ++i) {
      std::this_thread::sleep_for(milliseconds(20));
    }
    PublishAll("awaited", Steady(kMessages));
  });
  const ChildResult result =
      RunInChild({"/bin/sh", "-c", "cd \"$0\" && exec \"$@\" 2>said", folder.Path().string(),
                  OPENMI_BINARY_DIR "/bin/openmi", "run", "killed.xml", "--results", "out", "--no-report"},
                 {.time = std::chrono::minutes(2)});
  publishing.join();
  const std::string said = folder.Read("said");
  EXPECT_EQ(result.exit_code, 0) << said;
  EXPECT_THAT(said,
              AllOf(HasSubstr("stream: waiting for the first message, which defines time zero, on queue 'awaited'"),
                    ::testing::ContainsRegex("for [0-9]+ s, [0-9]+ s left"), HasSubstr("no message came at all")));
  // The messages bear stamps of years ago: how far behind the clock they are says nothing.
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("stream: 401 messages, 401 used, 0 dropped"), Not(HasSubstr("behind the clock"))));
}

}  // namespace
}  // namespace openmi::broker
