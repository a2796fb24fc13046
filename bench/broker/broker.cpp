// Messages a second that a stream component takes out of a queue, parses and steps by, one step a message, against a
// bare consumer on librabbitmq that only takes and acknowledges each. 100 000 persistent messages of 200 bytes wait in
// a queue of a RabbitMQ server that this program starts. Both alternate; the median of the paired ratios
// counts.

#include <amqp.h>
#include <amqp_tcp_socket.h>
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "fmi-bridge/broker/amqp/AmqpConnection.hpp"
#include "fmi-bridge/broker/amqp/AmqpSink.hpp"
#include "fmi-bridge/broker/component/Stream.hpp"
#include "tests/support/RabbitServer.hpp"
#include "timespace/NumericOutput.hpp"
#include "timespace/testing/Driver.hpp"

namespace {

using namespace openmi::broker;
using Clock = std::chrono::steady_clock;

constexpr int kMessages = 25'000;
constexpr int kRounds = 11;
constexpr double kBound = 0.9;
constexpr int kPrefetch = 1000;

double Median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

AmqpOptions Options(const RabbitServer& server) {
  AmqpOptions options;
  options.host = "127.0.0.1";
  options.port = server.Port();
  return options;
}

/// 200 bytes each, 10 ms apart.
std::string Body(int i) {
  const Nanos stamp = *ParseWallTime("2019-01-04T16:41:24Z") + i * 10'000'000LL;
  std::string body = fmt::format(R"({{"time":"{}","x":{:.6f},"y":{:.6f},"level":{},"running":true,"note":")",
                                 FormatWallTime(stamp), i * 0.001, i * -0.002, i % 1000);
  body.resize(198, '.');
  return body + "\"}";
}

/// The same messages into both queues.
void Fill(const RabbitServer& server, const std::string& name) {
  AmqpSink sink(Options(server), {.exchange = name, .exchange_type = "fanout", .routing_key = {}, .declares = true});
  sink.Open();
  AmqpConnection hand(Options(server), [] {});
  hand.Open();
  for (const char* whose : {"-bare", "-ours"}) {
    const std::string queue = name + whose;
    amqp_queue_declare(hand.State(), AmqpConnection::kChannel, BytesOf(queue), 0, 0, 0, 0, amqp_empty_table);
    hand.Require(amqp_get_rpc_reply(hand.State()), "make a queue", {});
    amqp_queue_bind(hand.State(), AmqpConnection::kChannel, BytesOf(queue), BytesOf(name), amqp_empty_bytes,
                    amqp_empty_table);
    hand.Require(amqp_get_rpc_reply(hand.State()), "bind a queue", {});
  }
  for (int i = 0; i < kMessages; ++i) sink.Publish(Body(i), {}, 0);
  sink.Flush();
}

/// Seconds of processor that this process took.
double Processor() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
}

/// Messages a second, from the first one taken to the last one acknowledged.
double Bare(const RabbitServer& server, const std::string& queue) {
  AmqpConnection connection(Options(server), [] {});
  connection.Open();
  amqp_connection_state_t const state = connection.State();
  amqp_basic_qos(state, AmqpConnection::kChannel, 0, kPrefetch, 0);
  const auto begin = Clock::now();
  amqp_basic_consume(state, AmqpConnection::kChannel, BytesOf(queue), amqp_empty_bytes, 0, 0, 0, amqp_empty_table);
  for (int i = 0; i < kMessages; ++i) {
    amqp_maybe_release_buffers(state);
    amqp_envelope_t envelope;
    if (amqp_consume_message(state, &envelope, nullptr, 0).reply_type != AMQP_RESPONSE_NORMAL) {
      throw std::runtime_error("the bare consumer got no message");
    }
    amqp_basic_ack(state, AmqpConnection::kChannel, envelope.delivery_tag, 0);
    amqp_destroy_envelope(&envelope);
  }
  return kMessages / std::chrono::duration<double>(Clock::now() - begin).count();
}

double Ours(const RabbitServer& server, const std::string& queue, const std::string& journal = {}) {
  Stream stream;
  openmi::Driver driver(stream);
  driver.Set("source", "broker").Set("host", "127.0.0.1").Set("port", std::to_string(server.Port()));
  if (!journal.empty()) driver.Set("journal", journal);
  driver.Set("queue", queue).Set("queue-bound", std::to_string(kPrefetch));
  driver.Set("fields", "x[m], y[m], level:integer, running:boolean");
  driver.Set("start-time", "2019-01-04T16:41:24Z").Set("time-step", "PT0.01S");
  driver.Initialize();
  const auto begin = Clock::now();
  driver.Prepare();
  for (int i = 1; i < kMessages; ++i) stream.Update({});
  const double rate = kMessages / std::chrono::duration<double>(Clock::now() - begin).count();
  const auto* level = dynamic_cast<const openmi::NumericOutput*>(stream.Outputs()[2]);
  if (level->LastRow()[0] != (kMessages - 1) % 1000 || stream.Counts().applied != kMessages) {
    throw std::runtime_error("the stream shows something else than was published");
  }
  driver.Finish();
  return rate;
}

}  // namespace

int main() {
  const RabbitServer server;
  std::vector<double> ratios;
  std::vector<double> ours;
  std::vector<double> bare;
  std::vector<double> our_processor;  // us a message
  std::vector<double> bare_processor;
  for (int round = 0; round < kRounds; ++round) {
    const std::string queue = fmt::format("round-{}", round);
    Fill(server, queue);
    const bool is_first = round % 2 == 0;
    const auto take_ours = [&] {
      const double before = Processor();
      ours.push_back(Ours(server, queue + "-ours"));
      our_processor.push_back((Processor() - before) / kMessages * 1e6);
    };
    if (is_first) take_ours();
    const double before = Processor();
    bare.push_back(Bare(server, queue + "-bare"));
    bare_processor.push_back((Processor() - before) / kMessages * 1e6);
    if (!is_first) take_ours();
    ratios.push_back(ours.back() / bare.back());
  }
  // What a journal costs: written, brought to the disk and then acknowledged.
  const std::string journal =
      (std::filesystem::temp_directory_path() / fmt::format("openmi-{}", server.Port())).string();
  Fill(server, "journal");
  const double journaled = Ours(server, "journal-ours", journal);
  std::filesystem::remove(journal);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const double ratio = Median(ratios);
  fmt::print("broker/messages: {:.0f} messages/s, bare consumer {:.0f} messages/s, {:.2f}, at least {}\n", Median(ours),
             Median(bare), ratio, kBound);
  fmt::print("broker/journal: {:.0f} messages/s, without one {:.0f} messages/s, {:.2f}, -\n", journaled, Median(ours),
             journaled / Median(ours));
  fmt::print("broker/processor: {:.2f} us a message, bare consumer {:.2f} us, {:.2f}, -\n", Median(our_processor),
             Median(bare_processor), Median(our_processor) / Median(bare_processor));
  fmt::print("broker/memory: {} MiB, -, -, -\n", usage.ru_maxrss / 1024);
  return ratio < kBound ? 1 : 0;
}
