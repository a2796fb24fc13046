#include <sys/resource.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <random>
#include <thread>

#include "fmi-bridge/broker/amqp/AmqpSource.hpp"
#include "tests/fmi-bridge/broker/BrokerWorld.hpp"
#include "tests/fmi-bridge/broker/Cable.hpp"

// All against a real broker, which is started once for this program.

namespace openmi::broker {
namespace {

using std::chrono::milliseconds;

/// A size of a test, which the environment can make larger for a run by hand.
/// Whether the long forms are wanted: a flood of a million messages, cuts of the connection of half a minute.
bool IsSoak() {
  const char* const wanted = std::getenv("OPENMI_SOAK");
  return wanted != nullptr && std::string_view(wanted) == "1";
}

int SizeFrom(const char* variable, int otherwise) {
  const char* const given = std::getenv(variable);
  return given != nullptr ? std::atoi(given) : otherwise;
}
using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(Broker, ShowsTheSameAsARecordingInEveryCase) {
  Hand hand;
  int number = 0;
  for (const Case& one : ReadCases()) {
    const std::string queue = fmt::format("case-{}", ++number);
    hand.MakeQueue(queue);
    PublishAll(queue, one.bodies);
    Settings settings = FromQueue(queue);
    settings.emplace_back("timeout", one.seen.fails || one.name.ends_with("held") ? "1" : "20");
    EXPECT_EQ(RunCase(one, settings), one.seen) << one.name;
    hand.DeleteQueue(queue);
  }
}

TEST(Broker, SaysWhatIsWrongWithAConnection) {
  const auto with = [](Settings settings, const char* key, const std::string& value) {
    settings.emplace_back(key, value);
    return settings;
  };
  const Settings plain = FromQueue("nobody-made-it");
  EXPECT_THAT(Refusal(with(plain, "password", "a-wrong-one")),
              AllOf(HasSubstr("expected a broker that lets user 'guest' in"), HasSubstr("password-file"),
                    ::testing::Not(HasSubstr("a-wrong-one"))));
  EXPECT_THAT(Refusal(with(plain, "virtual-host", "nowhere")), HasSubstr("virtual host 'nowhere'"));
  EXPECT_THROW(PublishAll("nobody-made-it", Steady(1)), ModelError) << "what nobody would get";
  EXPECT_THAT(Refusal(plain), AllOf(HasSubstr("nobody-made-it"), HasSubstr("NOT_FOUND"), HasSubstr("exchange")));
  EXPECT_THAT(Refusal(with(plain, "port", std::to_string(RabbitServer::FreePort()))),
              AllOf(HasSubstr("expected a broker, found none"), HasSubstr("start the broker")));
}

TEST(Broker, TlsVerifiesTheCertificateAndTheHost) {
  Hand().MakeQueue("tls");
  PublishAll("tls", Steady(5));
  const World& world = TheWorld();
  Settings tls = FromQueue("tls");
  tls.insert(tls.end(), {{"port", std::to_string(world.tls_port)}, {"tls", "true"}});
  EXPECT_THAT(Refusal(tls), HasSubstr("tls-ca-file"));  // of an authority that nobody knows
  tls.emplace_back("tls-ca-file", world.folder + "/ca.pem");
  EXPECT_THAT(Refusal(tls), HasSubstr("certificate"));  // of localhost, not of 127.0.0.1
  tls.emplace_back("host", "localhost");
  EXPECT_THAT(Refusal([&] {
                Settings settings = tls;
                settings.emplace_back("port", std::to_string(world.server->Port()));
                return settings;
              }()),
              HasSubstr("speaks TLS"));
  EXPECT_THAT(Refusal([&] {
                Settings settings = tls;
                settings.emplace_back("tls-ca-file", world.folder + "/nothing.pem");
                return settings;
              }()),
              AllOf(HasSubstr("nothing.pem"), HasSubstr("PEM")));
  Player player(tls);
  player.Begin();
  player.Steps(1);
  EXPECT_EQ(player.shown, Replayed(Steady(5), 1));
  player.driver.Finish();
}

TEST(Broker, APasswordComesFromTheEnvironmentOrAFile) {
  Hand().MakeQueue("secret");
  PublishAll("secret", Steady(3));
  const ScratchFolder folder;
  Settings settings = FromQueue("secret");
  setenv("OPENMI_TEST_PASSWORD", "wrong", 1);
  settings.emplace_back("password-variable", "OPENMI_TEST_PASSWORD");
  EXPECT_THAT(Refusal(settings), HasSubstr("lets user"));
  settings.emplace_back("password-file", folder.Write("password", "guest\r\nanything\n"));
  Player player(settings);
  player.Begin();
  player.driver.Finish();
}

/// How many messages a queue holds, by a broker that is busy forgetting a million of them.
std::uint32_t CountWhenThereIsTime(const std::string& queue) {
  for (int tries = 1;; ++tries) {
    try {
      return Hand().Count(queue);
    } catch (const std::exception&) {
      if (tries == 20) throw;
    }
    std::this_thread::sleep_for(std::chrono::seconds(1));
  }
}

TEST(Broker, AStepTakesMoreThanTheQueueBound) {
  Hand hand;
  hand.MakeQueue("flood");
  const int count = SizeFrom("OPENMI_BROKER_FLOOD", IsSoak() ? 1'000'000 : 5000);
  {
    AmqpSink sink(Here(), {.exchange = {}, .routing_key = "flood", .declares = false});
    sink.Open();
    sink.Publish(BodyOf("0 a=-1"), {}, 0);
    for (int i = 0; i < count; ++i) {
      sink.Publish(fmt::format(R"({{"time":"{}","a":{}}})", TimeAt(0.9 * (i + 1) / count), i), {}, 0);
    }
    sink.Publish(BodyOf("1 b=1"), {}, 0);
    sink.Flush();
  }
  rusage before{};
  getrusage(RUSAGE_SELF, &before);
  Settings settings = FromQueue("flood");
  settings.emplace_back("queue-bound", "50");
  Player player(settings);
  player.Begin();
  player.Steps(1);
  EXPECT_EQ(player.shown.back(), fmt::format("{} 1", count - 1));
  // What it remembers of each message until the step that used it is over.
  rusage after{};
  getrusage(RUSAGE_SELF, &after);
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 20'000 + count / 20) << "KiB";
  player.driver.Finish();
  EXPECT_EQ(CountWhenThereIsTime("flood"), 0U);
}

// A process that ends within a step of more messages than the queue bound has used none of them.
TEST(Broker, MessagesOfAStepThatDidNotEndComeAgain) {
  Hand hand;
  hand.MakeQueue("unended");
  std::vector<std::string> bodies = {BodyOf("0 a=1")};
  for (int i = 0; i < 200; ++i) bodies.push_back(BodyOf(fmt::format("0.5 a={}", i)));
  PublishAll("unended", bodies);
  Settings settings = FromQueue("unended");
  settings.insert(settings.end(), {{"queue-bound", "20"}, {"timeout", "2"}});
  {
    Player player(settings);
    player.Begin();
    EXPECT_THROW(player.Steps(1), ModelError);  // none of them ends the step
  }
  // What the connection held goes back to the queue.
  for (int i = 0; i < 1000 && hand.Count("unended") < bodies.size(); ++i) std::this_thread::sleep_for(milliseconds(20));
  EXPECT_EQ(hand.Count("unended"), bodies.size());
}

TEST(Broker, AHugeMessageIsPassedOver) {
  Hand().MakeQueue("huge");
  std::vector<std::string> bodies = Steady(5);
  bodies.insert(bodies.begin() + 2,
                fmt::format("{{\"time\":\"{}\",\"a\":1,\"x\":\"{}\"}}", TimeAt(0.7), std::string(10'000'000, 'x')));
  PublishAll("huge", bodies);
  Player player(FromQueue("huge"));
  player.Begin();
  player.Steps(2);
  EXPECT_EQ(player.shown, Replayed(Steady(5), 2));
  EXPECT_EQ(player.stream.Counts().oversized, 1U);
  player.driver.Finish();
}

TEST(Broker, ADeletedQueueEndsTheRunWithASentence) {
  Hand hand;
  hand.MakeQueue("gone");
  PublishAll("gone", Steady(4));
  Player player(FromQueue("gone"));
  player.Begin();
  hand.DeleteQueue("gone");
  try {
    player.Steps(3);
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("'gone'"), HasSubstr("what it held is lost"),
                                    HasSubstr("4 messages were taken before")));
  }
}

TEST(Broker, UsedMessagesAreAcknowledgedAndKeptOnesAreNot) {
  Hand hand;
  hand.MakeQueue("acknowledged");
  PublishAll("acknowledged", Steady(10));
  {
    Player player(FromQueue("acknowledged"));
    player.Begin();
    player.Steps(1);  // to 1 s: messages 1 and 2
  }
  EXPECT_EQ(hand.Count("acknowledged"), 7U);
  Player player(FromQueue("acknowledged"));
  player.Begin();
  EXPECT_EQ(player.shown.back(), "- 3");
}

TEST(Broker, ACutConnectionLosesNothing) {
  Hand().MakeQueue("cut");
  const std::vector<std::string> bodies = Steady(101);
  PublishAll("cut", bodies);
  Cable cable(TheWorld().server->Port());
  Settings settings = FromQueue("cut");
  settings.insert(settings.end(), {{"port", std::to_string(cable.Port())}, {"queue-bound", "7"}, {"timeout", "60"}});
  Player player(settings);
  player.Begin();
  for (int i = 0; i < 5; ++i) {
    player.Steps(9);
    cable.SetCut(true);
    std::thread mender([&cable] {
      std::this_thread::sleep_for(milliseconds(SizeFrom("OPENMI_BROKER_CUT_MS", IsSoak() ? 30'000 : 250)));
      cable.SetCut(false);
    });
    player.Steps(1);
    mender.join();
  }
  EXPECT_EQ(player.shown, Replayed(bodies, 50));
  EXPECT_GE(player.stream.Counts().reconnects, 4U);
  EXPECT_EQ(player.stream.Counts().applied, 101U);
  player.driver.Finish();
}

// Without Finish, but with a connection that is closed; RunServerTest kills the process.
TEST(Broker, AStreamThatIsDroppedIsGoneOnFromItsJournal) {
  Hand hand;
  for (const bool has_ids : {false, true}) {
    const std::string queue = has_ids ? "resumed-ids" : "resumed";
    hand.MakeQueue(queue, true);
    const std::vector<std::string> bodies = Steady(201);
    PublishAll(queue, bodies, has_ids);
    const ScratchFolder folder;
    Settings settings = FromQueue(queue);
    settings.insert(settings.end(), {{"journal", folder / "journal.jsonl"}, {"queue-bound", "20"}});
    std::vector<std::string> shown;
    Bytes state;
    {
      Player first(settings);
      first.Begin();
      first.Steps(30);
      state = first.stream.ConvertToByteArray(first.stream.KeepCurrentState());
      shown = first.shown;
      first.Steps(13);  // what these steps took the broker will not give again
    }                   // no Finish
    {
      Player again(settings);
      again.Begin();
      again.stream.RestoreState(again.stream.ConvertFromByteArray(state));
      again.shown = shown;
      again.Steps(70);
      EXPECT_EQ(again.stream.Counts().applied, 201U);
      shown = again.shown;
      again.driver.Finish();
    }
    EXPECT_EQ(shown, Replayed(bodies, 100));
    hand.DeleteQueue(queue);
  }
}

TEST(Broker, AJournalThatTheDiskRefusesAcknowledgesNothing) {
  Hand hand;
  hand.MakeQueue("full", true);
  PublishAll("full", Steady(60));
  const ScratchFolder folder;
  Settings settings = FromQueue("full");
  settings.insert(settings.end(), {{"journal", folder / "journal.jsonl"}, {"queue-bound", "10"}});
  {
    Player player(settings);
    player.Begin();
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_IGN);
    const rlimit narrow{1, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &narrow);
    try {
      player.Steps(20);
      ADD_FAILURE() << "nothing was refused";
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), AllOf(HasSubstr("journal.jsonl"), HasSubstr("space on the disk")));
    }
    setrlimit(RLIMIT_FSIZE, &before);
  }
  EXPECT_EQ(hand.Count("full"), 60U);
}

TEST(Broker, ResultsDoNotDependOnWhenMessagesCome) {
  Hand().MakeQueue("delays");
  const std::vector<std::string> bodies = Steady(121);
  const std::vector<std::string> expected = Replayed(bodies, 60);
  for (unsigned seed = 1; seed <= 3; ++seed) {
    std::thread publisher([&bodies, seed] {
      AmqpSink sink(Here(), {.exchange = {}, .routing_key = "delays", .declares = false});
      sink.Open();
      std::mt19937 random(seed);
      for (const std::string& body : bodies) {
        if (random() % 4 == 0) std::this_thread::sleep_for(std::chrono::microseconds(random() % 8000));
        sink.Publish(body, {}, 0);
      }
      sink.Flush();
    });
    std::mt19937 random(seed + 100);
    Player player(FromQueue("delays"));
    player.Begin();
    for (int i = 0; i < 60; ++i) {
      if (random() % 4 == 0) std::this_thread::sleep_for(std::chrono::microseconds(random() % 8000));
      player.Steps(1);
    }
    publisher.join();
    EXPECT_EQ(player.shown, expected) << seed;
    player.driver.Finish();
  }
}

TEST(Broker, WhatIsPublishedComesBack) {
  Hand().MakeQueue("published");
  PublishAll("published", Steady(5));
  Settings settings = FromQueue("published");
  settings.insert(settings.end(), {{"publish", "u"},
                                   {"publish-exchange", "twins"},
                                   {"publish-routing-key", "back"},
                                   {"publish-each-step", "true"}});
  Player speaker(settings);
  AmqpSource source(Here(), {.queue = {}, .exchange = "twins", .routing_key = "back"});
  source.Open();
  speaker.Begin();
  speaker.Steps(2);
  speaker.driver.Finish();
  Delivery delivery;
  StreamCounts counts;
  for (const char* time : {"2019-01-04T16:41:25Z", "2019-01-04T16:41:26Z"}) {
    ASSERT_EQ(source.Take(delivery, milliseconds(5000), counts), Taken::Message);
    EXPECT_THAT(std::string(delivery.body), HasSubstr(fmt::format("{{\"u\":null,\"time\":\"{}\"", time)));
    EXPECT_EQ(delivery.id, fmt::format("broker-stream@{}", time));
  }
}

TEST(Broker, TheRobotOfTheExampleShowsTheSameAsItsRecording) {
  const std::string file = OPENMI_SOURCE_DIR "/examples/line-following-robot/robot.jsonl";
  std::vector<std::string> bodies;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) bodies.push_back(line);
  Hand().MakeQueue("robot");
  PublishAll("robot", bodies);
  const auto run = [](Settings settings) {
    settings.insert(settings.end(), {{"fields", "pose.x=x, pose.y=y"}, {"time-step", "PT0.1S"}, {"look-ahead", "4"}});
    Player player(settings);
    player.Begin();
    player.Steps(590);
    player.driver.Finish();
    return player.shown;
  };
  EXPECT_EQ(run(FromQueue("robot")), run({{"recording", file}}));
}

TEST(Broker, HealthTellsHowTheStreamIs) {
  Hand().MakeQueue("health");
  PublishAll("health", Steady(41));
  Settings settings = FromQueue("health");
  settings.insert(settings.end(), {{"health", "true"}, {"queue-bound", "5"}});
  Player player(settings);
  player.Begin();
  std::map<std::string, std::string> health;
  for (IBaseOutput* output : player.stream.Outputs()) health[output->Id()] = Shown(*output);
  EXPECT_EQ(health["health.connected"], "1");
  // 1 was used and 5 are on their way; the broker may not have heard yet that the first one was.
  EXPECT_THAT(health["health.queue-length"], ::testing::AnyOf("35", "36"));
  EXPECT_EQ(health["health.dropped"], "0");
  EXPECT_GT(std::stod(health["health.lag"]), 1e8);
  player.driver.Finish();
}

// The last ones: the server goes away.

TEST(BrokerThatIsKilled, LosesNothingThatItConfirmed) {
  Hand().MakeQueue("durable", true);
  const std::vector<std::string> bodies = Steady(401);
  PublishAll("durable", bodies);
  Settings settings = FromQueue("durable");
  settings.insert(settings.end(), {{"queue-bound", "30"}, {"timeout", "60"}});
  Player player(settings);
  player.Begin();
  player.Steps(90);
  TheWorld().server->Kill();  // with most of them: the stream holds 30 at most
  std::thread operators([] { TheWorld().server->Start(); });
  player.Steps(110);
  operators.join();
  EXPECT_EQ(player.shown, Replayed(bodies, 200));
  EXPECT_EQ(player.stream.Counts().applied, 401U);
  EXPECT_GE(player.stream.Counts().reconnects, 1U);
  player.driver.Finish();
  EXPECT_EQ(Hand().Count("durable"), 0U);
}

TEST(BrokerThatIsKilled, IsWaitedForAsLongAsTheTimeOut) {
  Hand().MakeQueue("away");
  PublishAll("away", Steady(2));
  Settings settings = FromQueue("away");
  settings.emplace_back("timeout", "2");
  Player player(settings);
  player.Begin();
  TheWorld().server->Kill();
  try {
    player.Steps(1);
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), HasSubstr("expected a message at or past 2019-01-04T16:41:25Z"));
  }
}

}  // namespace
}  // namespace openmi::broker
