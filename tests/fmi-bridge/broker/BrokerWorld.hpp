#pragma once

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "fmi-bridge/broker/amqp/AmqpSink.hpp"
#include "fmi-bridge/broker/component/Stream.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/fmi-bridge/broker/CaseTable.hpp"
#include "tests/support/RabbitServer.hpp"
#include "tests/support/ScratchFolder.hpp"
#include "timespace/testing/Driver.hpp"

// What tests against a real broker share. The broker is started once for the program.

namespace openmi::broker {

/// The server, with a certificate for `localhost` that an authority of its own signed.
class World : public ::testing::Environment {
 public:
  void SetUp() override {
    std::string name = "/tmp/openmi-tls-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder = name;
    const std::string make = fmt::format(
        "cd {} && (openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=authority -keyout ca.key -out ca.pem && "
        "openssl req -newkey rsa:2048 -nodes -subj /CN=localhost -keyout key.pem -out request.pem && "
        "echo subjectAltName=DNS:localhost > names && openssl x509 -req -days 2 -in request.pem -CA ca.pem -CAkey "
        "ca.key -CAcreateserial -extfile names -out cert.pem) >/dev/null 2>&1",
        folder);
    ASSERT_EQ(std::system(make.c_str()), 0);
    tls_port = RabbitServer::FreePort();
    server = std::make_unique<RabbitServer>(
        fmt::format("listeners.ssl.1 = 127.0.0.1:{}\nssl_options.cacertfile = {}/ca.pem\n"
                    "ssl_options.certfile = {}/cert.pem\nssl_options.keyfile = {}/key.pem\n"
                    "ssl_options.verify = verify_none\nssl_options.fail_if_no_peer_cert = false\n",
                    tls_port, folder, folder, folder));
  }
  void TearDown() override {
    server.reset();
    std::filesystem::remove_all(folder);
  }

  std::string folder;
  int tls_port = 0;
  std::unique_ptr<RabbitServer> server;
};

inline World& TheWorld() {
  static auto* world = dynamic_cast<World*>(::testing::AddGlobalTestEnvironment(new World));
  return *world;
}
[[maybe_unused]] inline const World& kRegistered = TheWorld();

inline AmqpOptions Here() {
  AmqpOptions options;
  options.host = "127.0.0.1";
  options.port = TheWorld().server->Port();
  return options;
}

/// A connection for what tests do to queues.
class Hand {
 public:
  Hand() : connection_(Here(), [] {}) { connection_.Open(); }
  void MakeQueue(const std::string& name, bool is_durable = false) {
    amqp_queue_declare(connection_.State(), 1, BytesOf(name), 0, is_durable ? 1 : 0, 0, 0, amqp_empty_table);
    connection_.Require(amqp_get_rpc_reply(connection_.State()), "make " + name, "");
  }
  void DeleteQueue(const std::string& name) {
    amqp_queue_delete(connection_.State(), 1, BytesOf(name), 0, 0);
    connection_.Require(amqp_get_rpc_reply(connection_.State()), "delete " + name, "");
  }
  /// How many messages wait to be delivered.
  std::uint32_t Count(const std::string& name) {
    const auto* found = amqp_queue_declare(connection_.State(), 1, BytesOf(name), 1, 0, 0, 0, amqp_empty_table);
    connection_.Require(amqp_get_rpc_reply(connection_.State()), "look at " + name, "");
    return found->message_count;
  }

 private:
  AmqpConnection connection_;
};

/// Publishes with confirms to a queue: what this returned for is safe with the broker.
inline void PublishAll(const std::string& queue, const std::vector<std::string>& bodies, bool has_ids = false) {
  AmqpSink sink(Here(), {.exchange = {}, .routing_key = queue, .declares = false});
  sink.Open();
  int id = 0;
  for (const std::string& body : bodies) sink.Publish(body, has_ids ? std::to_string(++id) : "", 0);
  sink.Flush();
  EXPECT_EQ(sink.Confirmed(), bodies.size());
}

inline Settings FromQueue(const std::string& queue) {
  return {{"source", "broker"},
          {"host", "127.0.0.1"},
          {"port", std::to_string(TheWorld().server->Port())},
          {"queue", queue},
          {"timeout", "20"}};
}

/// A stream of `count` messages, one each half second, in which values tell their place.
inline std::vector<std::string> Steady(int count) {
  std::vector<std::string> bodies;
  for (int i = 0; i < count; ++i) {
    bodies.push_back(fmt::format("{{\"time\":\"{}\",\"{}\":{}}}", TimeAt(0.5 * i), i % 3 == 0 ? "b" : "a", i));
  }
  return bodies;
}

/// A stream component and what steps it.
struct Player {
  explicit Player(const Settings& settings) : driver(stream) {
    driver.Set("start-time", TimeAt(0)).Set("fields", "a,b").Set("time-step", "PT1S").Set("time-zero", "own");
    for (const auto& [key, value] : settings) driver.Set(key, value);
  }
  void Begin() {
    driver.Initialize();
    driver.Prepare();
    Look();
  }
  void Steps(int count) {
    for (int i = 0; i < count; ++i) {
      driver.Update();
      Look();
    }
  }
  void Look() { shown.push_back(Shown(*stream.Outputs()[0]) + " " + Shown(*stream.Outputs()[1])); }

  Stream stream;
  Driver driver;
  std::vector<std::string> shown;
};

/// What a replay of the same messages shows.
inline std::vector<std::string> Replayed(const std::vector<std::string>& bodies, int steps) {
  const ScratchFolder folder;
  std::string lines;
  for (const std::string& body : bodies) lines += body + "\n";
  Player player({{"recording", folder.Write("r.jsonl", lines)}});
  player.Begin();
  player.Steps(steps);
  player.driver.Finish();
  return player.shown;
}

/// What Prepare of a stream with these settings says.
inline std::string Refusal(const Settings& settings) {
  Player player(settings);
  try {
    player.Begin();
  } catch (const ModelError& error) {
    return error.what();
  }
  return "nothing was refused";
}

}  // namespace openmi::broker
